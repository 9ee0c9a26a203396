MODEL (
  name documents.ledgers,
  kind FULL,
  description 'Decisions of a run in ledgers that never mix: excluded warm-ups, measured. Grain: run_id, ledger.',
  grain (run_id, ledger),
  audits (
    unique_grain(columns := (run_id, ledger)),
    accepted_values(column := ledger, is_in := ('warmup', 'measured')),
    accepted_range(column := decision_cost_usd_known, min_v := 0)
  )
);

WITH document_runs AS (
  SELECT DISTINCT run_id FROM documents.groups
), ledgers AS (
  SELECT run_id, UNNEST(['warmup', 'measured']) AS ledger FROM document_runs
)
SELECT
  ledgers.run_id, /* recorded execution */
  ledgers.ledger, /* warmup or measured */
  COUNT(calls.observation_id) AS planned_calls, /* planned, calls */
  COUNT(CASE WHEN calls.state <> 'missing_terminal' THEN 1 END) AS recorded_calls, /* with a terminal record, calls */
  COUNT(CASE WHEN calls.is_dispatched THEN 1 END) AS dispatched_calls, /* begun, calls */
  COUNT(CASE WHEN calls.state = 'successful' THEN 1 END) AS successful_calls, /* with a valid answer, calls */
  @kahan_sum(calls.wall_ms) AS wall_ms_known, /* whole calls as the client sees them; NULL when none was timed, ms */
  COALESCE(@kahan_sum(costs.decision_cost_usd), 0.0) AS decision_cost_usd_known, /* known cost of decisions; a lower bound while unknown_cost_calls > 0, USD */
  @kahan_sum(costs.recorded_cost_usd) AS decision_cost_usd_recorded, /* as the run recorded it, USD */
  COALESCE(@kahan_sum(costs.ocr_cost_usd), 0.0) AS ocr_cost_usd_known, /* known cost of OCR inside the tasks, USD */
  COALESCE(SUM(costs.ocr_request_count), 0)::BIGINT AS ocr_request_count, /* OCR requests on record */
  COALESCE(SUM(costs.unknown_ocr_requests), 0)::BIGINT AS unknown_ocr_requests, /* those without a known cost */
  COUNT(CASE WHEN costs.is_cost_unknown THEN 1 END) AS unknown_cost_calls, /* that may owe more than is known, calls */
  COALESCE(SUM(costs.request_count), 0)::BIGINT AS request_count, /* decision requests on record */
  COALESCE(BOOL_AND(costs.is_request_count_complete), TRUE) AS request_count_complete, /* every request is on record */
  COUNT(CASE WHEN calls.is_unclosed THEN 1 END) AS unclosed_dispatches, /* begun without a trustworthy end, calls */
  COALESCE(@kahan_sum(CASE WHEN calls.is_unclosed THEN calls.reserved_cost_usd END), 0.0) AS unclosed_dispatch_reservations_usd, /* reservations of those, USD */
  COALESCE(SUM(costs.input_tokens), 0)::BIGINT AS input_tokens_known, /* cached ones included, tokens */
  COALESCE(SUM(costs.output_tokens), 0)::BIGINT AS output_tokens_known, /* tokens */
  COALESCE(SUM(costs.cached_input_tokens), 0)::BIGINT AS cached_input_tokens_known, /* read from the cache, tokens */
  COALESCE(SUM(costs.cache_write_tokens), 0)::BIGINT AS cache_write_tokens_known /* written to the cache, tokens */
FROM ledgers
LEFT JOIN documents.invocations AS calls
  ON ledgers.run_id = calls.run_id AND ledgers.ledger = calls.phase
LEFT JOIN documents.call_costs AS costs
  ON calls.run_id = costs.run_id AND calls.observation_id = costs.observation_id
GROUP BY
  ledgers.run_id,
  ledgers.ledger
