MODEL (
  name measures.reliability_bins,
  kind FULL,
  description 'Valid probability answers in equal-width bins of confidence, whose edges the method closes on the right (the first bin holds 0 too) or on the left (the last holds 1 too). Empty bins have no row. Grain: method, suite, track, system, part, bin.',
  grain (method, suite, track, system, part, bin),
  audits (
    unique_grain(columns := (method, suite, track, system, part, bin)),
    no_null_anywhere(),
    accepted_range(column := accuracy, min_v := 0, max_v := 1),
    accepted_range(column := mean_confidence, min_v := 0, max_v := 1)
  )
);

WITH binned AS (
  SELECT
    outcomes.method,
    outcomes.suite,
    items.track,
    outcomes.system,
    outcomes.part,
    outcomes.confidence,
    outcomes.is_correct,
    CASE methods.bin_edges
      WHEN 'right_closed' THEN GREATEST(1, CAST(CEIL(outcomes.confidence * methods.ece_bins) AS BIGINT))
      WHEN 'left_closed' THEN LEAST(methods.ece_bins, CAST(FLOOR(outcomes.confidence * methods.ece_bins) AS BIGINT) + 1)
    END AS bin
  FROM outcomes.item_outcomes AS outcomes
  INNER JOIN splits.board_items AS items
    ON outcomes.suite = items.suite AND outcomes.item_id = items.item_id
  INNER JOIN frozen.methods AS methods
    ON outcomes.method = methods.method
  WHERE
    outcomes.is_valid_probability
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  part, /* public or sealed */
  bin, /* bin of confidence, from 1 */
  COUNT(*) AS answer_count, /* valid probability answers, items */
  AVG(confidence) AS mean_confidence, /* mean probability of the chosen option, share */
  AVG(CASE WHEN is_correct THEN 1.0 ELSE 0.0 END) AS accuracy /* right answers / answers of the bin, share */
FROM binned
GROUP BY
  method,
  suite,
  track,
  system,
  part,
  bin
