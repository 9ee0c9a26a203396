MODEL (
  name outcomes.request_costs,
  kind VIEW,
  description 'What each provider request cost: as billed, else its tokens at the frozen prices of its run; NULL when unknown. Grain: run_id, observation_id, request_sequence.',
  grain (run_id, observation_id, request_sequence),
  audits (request_costs_known_by_basis())
);

WITH run_prices AS (
  SELECT run_id, model, token_class, usd_per_million_tokens FROM staging.prices
  UNION ALL
  SELECT runs.run_id, prices.model, prices.token_class, prices.usd_per_million_tokens
  FROM staging.runs AS runs
  INNER JOIN frozen.prices AS prices
    ON runs.price_snapshot = prices.snapshot
  WHERE
    runs.run_id NOT IN (SELECT run_id FROM staging.prices)
), price_lists AS (
  SELECT
    run_id,
    model,
    @class_price(input) AS input_price,
    @class_price(cached_input) AS cached_price,
    @class_price(cache_write) AS write_price,
    @class_price(output) AS output_price
  FROM run_prices
  GROUP BY run_id, model
), priced AS (
  SELECT
    requests.*,
    @listed_cost_usd(requests, price_lists) AS listed_cost_usd
  FROM staging.requests AS requests
  LEFT JOIN price_lists
    ON requests.run_id = price_lists.run_id AND requests.model = price_lists.model
)
SELECT
  run_id, /* recorded execution */
  observation_id, /* planned invocation, unique within the run */
  request_sequence, /* place inside the call, from 1 */
  purpose, /* decision or ocr */
  attempt, /* attempt, from 1; later ones are retries */
  model, /* model that the provider was asked for */
  input_tokens, /* all input, cached or not, tokens */
  cached_input_tokens, /* of the input, read from a cache, tokens */
  cache_write_tokens, /* of the input, written to a cache, tokens */
  output_tokens, /* output, tokens */
  COALESCE(billed_cost_usd, listed_cost_usd) AS cost_usd, /* cost; NULL when unknown, USD */
  CASE
    WHEN billed_cost_usd IS NOT NULL THEN 'provider_billed'
    WHEN listed_cost_usd IS NOT NULL THEN 'price_snapshot'
  END AS cost_basis /* provider_billed, price_snapshot; NULL when unknown */
FROM priced
