MODEL (
  name outcomes.outcome_counts,
  kind FULL,
  description 'How many frozen items ended in each state. Grain: method, suite, track, system, part, outcome.',
  grain (method, suite, track, system, part, outcome),
  audits (
    unique_grain(columns := (method, suite, track, system, part, outcome)),
    not_null(columns := (item_count))
  )
);

SELECT
  outcomes.method, /* set of scoring parameters */
  outcomes.suite, /* benchmark, with its version */
  items.track, /* board track */
  outcomes.system, /* entrant */
  outcomes.part, /* public or sealed */
  outcomes.outcome, /* what the items count as */
  COUNT(*) AS item_count, /* frozen items in that state, items */
  COUNT(CASE WHEN outcomes.is_truncated THEN 1 END) AS truncated_count /* of them with input or output cut, items */
FROM outcomes.item_outcomes AS outcomes
INNER JOIN splits.board_items AS items
  ON outcomes.suite = items.suite AND outcomes.item_id = items.item_id
GROUP BY
  outcomes.method,
  outcomes.suite,
  items.track,
  outcomes.system,
  outcomes.part,
  outcomes.outcome
