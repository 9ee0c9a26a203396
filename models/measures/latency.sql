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

WITH samples AS (
  SELECT
    calls.suite,
    calls.system,
    items.item_track,
    LIST(calls.wall_ms) AS wall_ms
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
  GROUP BY
    calls.suite,
    calls.system,
    items.item_track
), board_tracks AS (
  SELECT DISTINCT suite, track, item_track FROM splits.board_items
), sorted AS (
  SELECT
    samples.suite,
    board_tracks.track,
    samples.system,
    @sorted_values(samples.wall_ms) AS wall_ms
  FROM samples
  INNER JOIN board_tracks
    ON samples.suite = board_tracks.suite AND samples.item_track = board_tracks.item_track
  GROUP BY
    samples.suite,
    board_tracks.track,
    samples.system
)
SELECT
  boards.method, /* set of scoring parameters */
  sorted.suite, /* benchmark, with its version */
  sorted.track, /* board track */
  sorted.system, /* entrant */
  LEN(sorted.wall_ms) AS sample_count, /* answered measured calls, calls */
  @quantile_linear(sorted.wall_ms, 0.5) / 1000 AS p50_s, /* median whole-call latency as measured, s */
  CASE methods.percentile_rule
    WHEN 'nearest_rank' THEN @quantile_nearest_rank(sorted.wall_ms, methods.upper_quantile)
    WHEN 'linear' THEN @quantile_linear(sorted.wall_ms, methods.upper_quantile)
  END / 1000 AS upper_s /* upper quantile (p95) as measured, by the rule of the method, s */
FROM sorted
INNER JOIN frozen.boards AS boards
  ON sorted.suite = boards.suite
INNER JOIN frozen.methods AS methods
  ON boards.method = methods.method
