MODEL (
  name sensitivity.snapshot_costs,
  kind FULL,
  description 'How the recorded cost of an entrant would change at the list prices of a snapshot; usage that the snapshot cannot price stays as recorded. Grain: price_snapshot, suite, track, system.',
  grain (price_snapshot, suite, track, system),
  audits (
    unique_grain(columns := (price_snapshot, suite, track, system)),
    no_null_anywhere(),
    accepted_range(column := cost_ratio, min_v := 0, inclusive := FALSE)
  )
);

WITH price_lists AS (
  SELECT
    snapshot,
    model,
    @class_price(input) AS input_price,
    @class_price(cached_input) AS cached_price,
    @class_price(cache_write) AS write_price,
    @class_price(output) AS output_price
  FROM frozen.prices
  GROUP BY snapshot, model
), board_tracks AS (
  SELECT DISTINCT suite, track, item_track FROM splits.board_items
), totals AS (
  SELECT
    snapshots.snapshot,
    usage.suite,
    board_tracks.track,
    usage.system,
    SUM(
      COALESCE(CASE WHEN lists.model IS NOT NULL THEN @listed_cost_usd(usage, lists) END, usage.cost_usd)
    ) AS listed_cost_usd,
    SUM(usage.cost_usd) AS cost_usd
  FROM measures.token_usage AS usage
  INNER JOIN board_tracks
    ON usage.suite = board_tracks.suite AND usage.item_track = board_tracks.item_track
  CROSS JOIN (SELECT DISTINCT snapshot FROM price_lists) AS snapshots
  LEFT JOIN price_lists AS lists
    ON snapshots.snapshot = lists.snapshot AND usage.model = lists.model
  GROUP BY
    snapshots.snapshot,
    usage.suite,
    board_tracks.track,
    usage.system
)
SELECT
  snapshot AS price_snapshot, /* price snapshot */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  listed_cost_usd / cost_usd AS cost_ratio /* cost at the snapshot / cost as recorded, ratio */
FROM totals
WHERE
  cost_usd > 0 AND listed_cost_usd > 0
