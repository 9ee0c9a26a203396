MODEL (
  name board.outcomes,
  kind FULL,
  description 'How many frozen items of each part ended in each state. Grain: method, suite, track, system, part, outcome.',
  grain (method, suite, track, system, part, outcome),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, part, outcome)),
    no_null_anywhere()
  )
);

SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  part, /* public or sealed */
  outcome, /* correct, wrong, missing, or how the call or answer failed */
  item_count, /* frozen items in that state, items */
  truncated_count /* of them with input or output cut, items */
FROM outcomes.outcome_counts
