MODEL (
  name measures.latency,
  kind FULL,
  description 'Whole-call latency over the answered calls of all measured passes of the current runs, unweighted, raw. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    accepted_range(column := p50_s, min_v := 0),
    not_null(columns := (sample_count, p50_s, upper_s))
  )
);

SELECT
  boards.method, /* set of scoring parameters */
  samples.suite, /* benchmark, with its version */
  samples.track, /* board track */
  samples.system, /* entrant */
  LEN(samples.wall_ms) AS sample_count, /* answered measured calls, calls */
  @quantile_linear(samples.wall_ms, 0.5) / 1000 AS p50_s, /* median whole-call latency as measured, s */
  CASE methods.percentile_rule
    WHEN 'nearest_rank' THEN @quantile_nearest_rank(samples.wall_ms, methods.upper_quantile)
    WHEN 'linear' THEN @quantile_linear(samples.wall_ms, methods.upper_quantile)
  END / 1000 AS upper_s /* upper quantile (p95) as measured, by the rule of the method, s */
FROM measures.latency_samples AS samples
INNER JOIN frozen.boards AS boards
  ON samples.suite = boards.suite
INNER JOIN frozen.methods AS methods
  ON boards.method = methods.method
