MODEL (
  name measures.latency_samples,
  kind FULL,
  description 'Whole-call times of the answered calls of all measured passes of the current runs, ascending. Grain: suite, track, system.',
  grain (suite, track, system),
  audits (
    unique_grain(columns := (suite, track, system)),
    no_null_anywhere()
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
)
SELECT
  samples.suite, /* benchmark, with its version */
  board_tracks.track, /* board track */
  samples.system, /* entrant */
  @sorted_values(samples.wall_ms) AS wall_ms /* times in ascending order, ms */
FROM samples
INNER JOIN board_tracks
  ON samples.suite = board_tracks.suite AND samples.item_track = board_tracks.item_track
GROUP BY
  samples.suite,
  board_tracks.track,
  samples.system
