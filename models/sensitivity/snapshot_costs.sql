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
    MAX(CASE WHEN token_class = 'input' THEN usd_per_million_tokens END) AS input_price,
    MAX(CASE WHEN token_class = 'cached_input' THEN usd_per_million_tokens END) AS cached_price,
    MAX(CASE WHEN token_class = 'cache_write' THEN usd_per_million_tokens END) AS write_price,
    MAX(CASE WHEN token_class = 'output' THEN usd_per_million_tokens END) AS output_price
  FROM frozen.prices
  GROUP BY snapshot, model
), counted_tokens AS (
  /* As in outcomes.request_costs: without a price for a cache class an unknown count of it is none. */
  SELECT
    usage.*,
    lists.* EXCLUDE (model),
    CASE WHEN lists.cached_price IS NULL THEN COALESCE(usage.cached_input_tokens, 0) ELSE usage.cached_input_tokens END AS cached_tokens,
    CASE WHEN lists.write_price IS NULL THEN COALESCE(usage.cache_write_tokens, 0) ELSE usage.cache_write_tokens END AS write_tokens
  FROM measures.token_usage AS usage
  INNER JOIN price_lists AS lists
    ON usage.model = lists.model
), priced AS (
  SELECT
    snapshot,
    suite,
    item_track,
    system,
    model,
    (
      @class_cost(input_tokens - cached_tokens - write_tokens, input_price)
      + @class_cost(cached_tokens, cached_price)
      + @class_cost(write_tokens, write_price)
      + @class_cost(output_tokens, output_price)
    ) / 1000000 AS listed_cost_usd
  FROM counted_tokens
), board_tracks AS (
  SELECT DISTINCT suite, track, item_track FROM splits.board_items
), totals AS (
  SELECT
    snapshots.snapshot,
    usage.suite,
    board_tracks.track,
    usage.system,
    SUM(COALESCE(priced.listed_cost_usd, usage.cost_usd)) AS listed_cost_usd,
    SUM(usage.cost_usd) AS cost_usd
  FROM measures.token_usage AS usage
  INNER JOIN board_tracks
    USING (suite, item_track)
  CROSS JOIN (SELECT DISTINCT snapshot FROM price_lists) AS snapshots
  LEFT JOIN priced
    ON snapshots.snapshot = priced.snapshot
    AND usage.suite = priced.suite
    AND usage.item_track = priced.item_track
    AND usage.system = priced.system
    AND usage.model = priced.model
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
