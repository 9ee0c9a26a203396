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

WITH quantiles AS (
  SELECT
    calls.suite,
    COALESCE(items.item_track, 'all') AS track,
    calls.system,
    COUNT(*) AS sample_count,
    MEDIAN(calls.wall_ms) AS p50_ms,
    @quantiles_nearest_rank(calls.wall_ms) AS nearest_rank_ms,
    @quantiles_linear(calls.wall_ms) AS linear_ms
  FROM staging.calls AS calls
  INNER JOIN outcomes.run_standing AS standing
    ON calls.run_id = standing.run_id AND calls.system = standing.system
  INNER JOIN splits.board_items AS items
    ON calls.suite = items.suite AND calls.item_id = items.item_id AND items.track = 'all'
  WHERE
    calls.phase = 'measured'
    AND calls.status = 'ok'
    AND calls.wall_ms IS NOT NULL
    AND calls.served_from_cache IS NOT TRUE
    AND standing.standing = 'current'
  GROUP BY GROUPING SETS ((calls.suite, calls.system, items.item_track), (calls.suite, calls.system))
)
SELECT
  boards.method, /* set of scoring parameters */
  quantiles.suite, /* benchmark, with its version */
  quantiles.track, /* board track */
  quantiles.system, /* entrant */
  quantiles.sample_count, /* answered measured calls, calls */
  quantiles.p50_ms / 1000 AS p50_s, /* median whole-call latency as measured, s */
  CASE methods.percentile_rule
    WHEN 'nearest_rank' THEN @pick_quantile(quantiles.nearest_rank_ms, methods.upper_quantile)
    WHEN 'linear' THEN @pick_quantile(quantiles.linear_ms, methods.upper_quantile)
  END / 1000 AS upper_s, /* upper quantile (p95) as measured, by the rule of the method, s */
  quantiles.nearest_rank_ms AS distribution_ms /* observed values at the offered quantiles, ascending, ms */
FROM quantiles
INNER JOIN frozen.boards AS boards
  ON quantiles.suite = boards.suite
INNER JOIN frozen.methods AS methods
  ON boards.method = methods.method
