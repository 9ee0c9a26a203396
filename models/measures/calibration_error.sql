MODEL (
  name measures.calibration_error,
  kind FULL,
  description 'Top-label expected calibration error over the valid probability answers of a part. Grain: method, suite, track, system, part.',
  grain (method, suite, track, system, part),
  audits (
    unique_grain(columns := (method, suite, track, system, part)),
    accepted_range(column := ece, min_v := 0, max_v := 1)
  )
);

SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  part, /* public or sealed */
  SUM(answer_count) AS valid_n, /* valid probability answers: the denominator, items */
  SUM(answer_count * ABS(mean_confidence - accuracy)) / SUM(answer_count) AS ece /* expected calibration error, share */
FROM measures.reliability_bins
GROUP BY
  method,
  suite,
  track,
  system,
  part
