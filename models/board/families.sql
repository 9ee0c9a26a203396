MODEL (
  name board.families,
  kind FULL,
  description 'Accuracy of every entrant on every family, both parts side by side. Grain: method, suite, track, system, family.',
  grain (method, suite, track, system, family),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, family)),
    not_null(columns := (is_matched))
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
)
SELECT
  by_part.method, /* set of scoring parameters */
  by_part.suite, /* benchmark, with its version */
  by_part.track, /* board track */
  by_part.system, /* entrant */
  by_part.family, /* kind of question */
  by_part.public_correct, /* right answers on public items; NULL when the family has none, items */
  by_part.public_n, /* frozen public items; NULL when none, items */
  by_part.sealed_correct, /* right answers on sealed items; NULL when the family has none, items */
  by_part.sealed_n, /* frozen sealed items; NULL when none, items */
  gaps.gap_pp, /* public minus sealed accuracy; NULL when the family lacks a part, pp */
  COALESCE(gaps.is_matched, FALSE) AS is_matched /* enough items in both parts to count towards the matched gap */
FROM by_part
LEFT JOIN measures.family_gaps AS gaps
  ON by_part.method = gaps.method
  AND by_part.suite = gaps.suite
  AND by_part.track = gaps.track
  AND by_part.system = gaps.system
  AND by_part.family = gaps.family
