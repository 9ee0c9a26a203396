MODEL (
  name documents.call_costs,
  kind FULL,
  description 'What each invocation is known to have cost, and whether more may be owed. Grain: run_id, observation_id.',
  grain (run_id, observation_id),
  audits (
    unique_grain(columns := (run_id, observation_id)),
    not_null(columns := (is_cost_unknown, request_count)),
    accepted_range(column := decision_cost_usd, min_v := 0)
  )
);

WITH spent AS (
  SELECT
    requests.run_id,
    requests.observation_id,
    COUNT(*) AS all_requests,
    COUNT(costs.cost_usd) AS all_priced,
    @kahan_sum(costs.cost_usd) AS known_cost_usd,
    COUNT(CASE WHEN requests.purpose = 'decision' THEN 1 END) AS decision_requests,
    COUNT(CASE WHEN requests.purpose = 'decision' THEN costs.cost_usd END) AS decision_priced,
    @kahan_sum(CASE WHEN requests.purpose = 'decision' THEN costs.cost_usd END) AS decision_cost_usd,
    @kahan_sum(CASE WHEN requests.purpose = 'ocr' THEN costs.cost_usd END) AS ocr_cost_usd,
    @kahan_sum(CASE WHEN requests.purpose = 'decision' THEN requests.recorded_cost_usd END) AS recorded_cost_usd,
    SUM(CASE WHEN requests.purpose = 'decision' THEN requests.input_tokens END)::BIGINT AS input_tokens,
    SUM(CASE WHEN requests.purpose = 'decision' THEN requests.output_tokens END)::BIGINT AS output_tokens,
    SUM(CASE WHEN requests.purpose = 'decision' THEN requests.cached_input_tokens END)::BIGINT AS cached_input_tokens,
    SUM(CASE WHEN requests.purpose = 'decision' THEN requests.cache_write_tokens END)::BIGINT AS cache_write_tokens
  FROM staging.requests AS requests
  INNER JOIN outcomes.request_costs AS costs
    ON requests.run_id = costs.run_id
    AND requests.observation_id = costs.observation_id
    AND requests.request_sequence = costs.request_sequence
  GROUP BY
    requests.run_id,
    requests.observation_id
)
SELECT
  invocations.run_id, /* recorded execution */
  invocations.observation_id, /* planned invocation */
  COALESCE(spent.decision_requests, 0) AS request_count, /* decision requests on record */
  COALESCE(spent.all_requests - spent.decision_requests, 0) AS ocr_request_count, /* OCR requests on record */
  COALESCE((spent.all_requests - spent.decision_requests) - (spent.all_priced - spent.decision_priced), 0) AS unknown_ocr_requests, /* OCR requests without a known cost */
  spent.decision_cost_usd, /* known cost of the decision requests, USD */
  spent.ocr_cost_usd, /* known cost of OCR inside the task, USD */
  spent.known_cost_usd, /* known cost of all requests, USD */
  spent.recorded_cost_usd, /* cost of the decision requests as the run recorded it, USD */
  spent.input_tokens, /* known input tokens, cached ones included, tokens */
  spent.output_tokens, /* known output tokens, tokens */
  spent.cached_input_tokens, /* known tokens read from the cache, tokens */
  spent.cache_write_tokens, /* known tokens written to the cache, tokens */
  invocations.is_usage_unknown
  OR NOT invocations.is_request_count_complete
  OR invocations.is_unclosed
  OR COALESCE(spent.decision_priced < spent.decision_requests, FALSE)
  OR (
    invocations.is_dispatched AND invocations.state IN ('failed', 'invalid') AND spent.run_id IS NULL
  ) AS is_cost_unknown, /* more may be owed than is known */
  NOT invocations.is_unclosed
  AND invocations.is_request_count_complete
  AND NOT (
    invocations.is_dispatched AND invocations.state IN ('failed', 'invalid') AND spent.run_id IS NULL
  ) AS is_request_count_complete, /* every request is on record */
  invocations.is_dispatched
  AND (invocations.is_usage_unknown OR COALESCE(spent.all_priced < spent.all_requests, TRUE)) AS keeps_reservation /* the guard keeps the reservation */
FROM documents.invocations AS invocations
LEFT JOIN spent
  ON invocations.run_id = spent.run_id AND invocations.observation_id = spent.observation_id
