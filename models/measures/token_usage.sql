MODEL (
  name measures.token_usage,
  kind FULL,
  description 'What the priced first requests of measured calls used, by model, over all passes of the current runs. Grain: suite, item_track, system, model.',
  grain (suite, item_track, system, model),
  audits (
    unique_grain(columns := (suite, item_track, system, model)),
    not_null(columns := (requests, cost_usd))
  )
);

SELECT
  calls.suite, /* benchmark, with its version */
  items.item_track, /* track that the items are in */
  calls.system, /* entrant */
  costs.model, /* model that the provider was asked for; NULL when not recorded */
  COUNT(*) AS requests, /* requests with a known cost, requests */
  SUM(costs.cost_usd) AS cost_usd, /* their cost as recorded, USD */
  CASE WHEN COUNT(costs.input_tokens) = COUNT(*) THEN SUM(costs.input_tokens) END AS input_tokens, /* all input; NULL when one is unknown, tokens */
  CASE WHEN COUNT(costs.cached_input_tokens) = COUNT(*) THEN SUM(costs.cached_input_tokens) END AS cached_input_tokens, /* of the input, read from a cache; NULL when one is unknown, tokens */
  CASE WHEN COUNT(costs.cache_write_tokens) = COUNT(*) THEN SUM(costs.cache_write_tokens) END AS cache_write_tokens, /* of the input, written to a cache; NULL when one is unknown, tokens */
  CASE WHEN COUNT(costs.output_tokens) = COUNT(*) THEN SUM(costs.output_tokens) END AS output_tokens /* output; NULL when one is unknown, tokens */
FROM outcomes.request_costs AS costs
INNER JOIN staging.calls AS calls
  ON costs.run_id = calls.run_id AND costs.observation_id = calls.observation_id
INNER JOIN outcomes.run_standing AS standing
  ON calls.run_id = standing.run_id AND calls.system = standing.system
INNER JOIN splits.board_items AS items
  ON calls.suite = items.suite AND calls.item_id = items.item_id AND items.track = 'all'
WHERE
  costs.purpose = 'decision'
  AND costs.attempt = 1
  AND costs.cost_usd IS NOT NULL
  AND calls.phase = 'measured'
  AND calls.status <> 'skipped'
  AND calls.served_from_cache IS NOT TRUE
  AND standing.standing = 'current'
GROUP BY
  calls.suite,
  items.item_track,
  calls.system,
  costs.model
