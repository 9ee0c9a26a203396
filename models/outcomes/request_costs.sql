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
    MAX(CASE WHEN token_class = 'input' THEN usd_per_million_tokens END) AS input_price,
    MAX(CASE WHEN token_class = 'cached_input' THEN usd_per_million_tokens END) AS cached_price,
    MAX(CASE WHEN token_class = 'cache_write' THEN usd_per_million_tokens END) AS write_price,
    MAX(CASE WHEN token_class = 'output' THEN usd_per_million_tokens END) AS output_price
  FROM run_prices
  GROUP BY run_id, model
), counted_tokens AS (
  /* A model without a price for a cache class has no such class; one with a price left its count unknown. */
  SELECT
    requests.*,
    price_lists.* EXCLUDE (run_id, model),
    CASE WHEN price_lists.cached_price IS NULL THEN COALESCE(requests.cached_input_tokens, 0) ELSE requests.cached_input_tokens END AS cached_tokens,
    CASE WHEN price_lists.write_price IS NULL THEN COALESCE(requests.cache_write_tokens, 0) ELSE requests.cache_write_tokens END AS write_tokens
  FROM staging.requests AS requests
  LEFT JOIN price_lists
    ON requests.run_id = price_lists.run_id AND requests.model = price_lists.model
), priced AS (
  SELECT
    counted_tokens.*,
    (
      @class_cost(
        CASE WHEN input_tokens < cached_tokens + write_tokens THEN 0 ELSE input_tokens - cached_tokens - write_tokens END,
        input_price
      )
      + @class_cost(cached_tokens, cached_price)
      + @class_cost(write_tokens, write_price)
      + @class_cost(output_tokens, output_price)
    ) / 1000000 AS listed_cost_usd
  FROM counted_tokens
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
