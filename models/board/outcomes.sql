MODEL (
  name board.outcomes,
  kind FULL,
  description 'How many frozen items of each part ended in each state. Grain: method, suite, track, system, part, outcome.',
  grain (method, suite, track, system, part, outcome),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, part, outcome)),
    not_null(columns := (outcome, suppressed))
  )
);

WITH truncations AS (
  SELECT
    counts.method,
    counts.suite,
    counts.system,
    MAX(
      CASE
        WHEN counts.truncated_count BETWEEN 1 AND rules.suppress_below_items - 1 THEN 1
        WHEN counts.item_count - counts.truncated_count BETWEEN 1 AND rules.suppress_below_items - 1 THEN 1
        ELSE 0
      END
    ) AS has_small
  FROM outcomes.outcome_counts AS counts
  INNER JOIN splits.withholding_rules AS rules
    ON counts.suite = rules.suite
  WHERE
    counts.part = 'sealed' AND counts.truncated_count > 0
  GROUP BY counts.method, counts.suite, counts.system
), decided AS (
  SELECT
    counts.*,
    counts.part = 'sealed' AND (
      withheld.cell IS NOT NULL
      OR COALESCE(groups.is_withheld, FALSE)
      OR counts.item_count < rules.suppress_below_items
    ) AS suppressed,
    counts.part = 'sealed' AND COALESCE(truncations.has_small, 0) = 1 AS withholds_truncations
  FROM outcomes.outcome_counts AS counts
  INNER JOIN splits.withholding_rules AS rules
    ON counts.suite = rules.suite
  LEFT JOIN splits.track_groups AS groups
    ON counts.suite = groups.suite AND counts.track = groups.track
  LEFT JOIN measures.withheld_cells AS withheld
    ON withheld.kind = 'outcome'
    AND counts.method = withheld.method
    AND counts.suite = withheld.suite
    AND counts.system = withheld.system
    AND counts.outcome = withheld.cell
  LEFT JOIN truncations
    ON counts.method = truncations.method AND counts.suite = truncations.suite AND counts.system = truncations.system
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  part, /* public or sealed */
  outcome, /* correct, wrong, missing, or how the call or answer failed */
  CASE WHEN NOT suppressed THEN item_count END AS item_count, /* frozen items in that state; NULL when withheld, items */
  CASE WHEN NOT suppressed AND NOT withholds_truncations THEN truncated_count END AS truncated_count, /* of them with input or output cut; NULL when withheld, items */
  suppressed OR withholds_truncations AS suppressed /* a count would tell of too few sealed items, and is withheld */
FROM decided
