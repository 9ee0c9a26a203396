MODEL (
  name board.families,
  kind FULL,
  description 'Accuracy of every entrant on every family, both parts side by side. Grain: method, suite, track, system, family.',
  grain (method, suite, track, system, family),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, family)),
    not_null(columns := (is_matched, suppressed))
  )
);

WITH by_part AS (
  SELECT
    method,
    suite,
    track,
    system,
    family,
    MAX(CASE WHEN part = 'public' THEN correct_count END) AS public_correct,
    MAX(CASE WHEN part = 'public' THEN item_count END) AS public_n,
    MAX(CASE WHEN part = 'sealed' THEN correct_count END) AS sealed_correct,
    MAX(CASE WHEN part = 'sealed' THEN item_count END) AS sealed_n
  FROM measures.family_accuracy
  GROUP BY
    method,
    suite,
    track,
    system,
    family
), decided AS (
  SELECT
    by_part.*,
    by_part.sealed_n IS NOT NULL AND (withheld.cell IS NOT NULL OR COALESCE(groups.is_withheld, FALSE)) AS suppressed
  FROM by_part
  LEFT JOIN measures.withheld_cells AS withheld
    ON withheld.kind = 'family'
    AND by_part.method = withheld.method
    AND by_part.suite = withheld.suite
    AND by_part.system = withheld.system
    AND by_part.family = withheld.cell
  LEFT JOIN splits.track_groups AS groups
    ON by_part.suite = groups.suite AND by_part.track = groups.track
)
SELECT
  decided.method, /* set of scoring parameters */
  decided.suite, /* benchmark, with its version */
  decided.track, /* board track */
  decided.system, /* entrant */
  decided.family, /* kind of question */
  decided.public_correct, /* right answers on public items; NULL when the family has none, items */
  decided.public_n, /* frozen public items; NULL when none, items */
  CASE WHEN NOT decided.suppressed THEN decided.sealed_correct END AS sealed_correct, /* right answers on sealed items; NULL when the family has none or they are withheld, items */
  CASE WHEN NOT decided.suppressed THEN decided.sealed_n END AS sealed_n, /* frozen sealed items; NULL when none or withheld, items */
  CASE WHEN NOT decided.suppressed THEN gaps.gap_pp END AS gap_pp, /* public minus sealed accuracy; NULL when the family lacks a part or it is withheld, pp */
  COALESCE(gaps.is_matched, FALSE) AS is_matched, /* enough items in both parts to count towards the matched gap */
  decided.suppressed /* the sealed figures are withheld: too few items, or cover for a family with too few */
FROM decided
LEFT JOIN measures.family_gaps AS gaps
  ON decided.method = gaps.method
  AND decided.suite = gaps.suite
  AND decided.track = gaps.track
  AND decided.system = gaps.system
  AND decided.family = gaps.family
