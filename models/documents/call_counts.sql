MODEL (
  name documents.call_counts,
  kind FULL,
  description 'States, requests, tokens and known cost of the measured calls of all passes. Grain: run_id, task, system.',
  grain (run_id, task, system),
  audits (
    unique_grain(columns := (run_id, task, system)),
    every_call_in_one_state(),
    accepted_range(column := decision_cost_usd_known, min_v := 0)
  )
);

SELECT
  groups.run_id, /* recorded execution */
  groups.task, /* classify or split */
  groups.system, /* entrant */
  COUNT(calls.observation_id) AS planned_calls, /* planned, calls */
  COUNT(CASE WHEN calls.state <> 'missing_terminal' THEN 1 END) AS measured_calls, /* with a terminal record, calls */
  COUNT(CASE WHEN calls.is_dispatched THEN 1 END) AS dispatched_calls, /* begun, calls */
  COUNT(CASE WHEN calls.state = 'successful' THEN 1 END) AS successful_calls, /* with a valid answer, calls */
  COUNT(CASE WHEN calls.state IN ('failed', 'invalid') THEN 1 END) AS failed_calls, /* failed, or with an invalid answer, calls */
  COUNT(CASE WHEN calls.state = 'invalid' THEN 1 END) AS invalid_calls, /* those with an invalid answer, calls */
  COUNT(CASE WHEN calls.state = 'skipped' THEN 1 END) AS skipped_calls, /* never sent, calls */
  COUNT(CASE WHEN calls.state = 'missing_terminal' THEN 1 END) AS missing_terminal_calls, /* without a terminal record, calls */
  COUNT(CASE WHEN calls.is_unclosed THEN 1 END) AS unclosed_dispatches, /* begun without a trustworthy end, calls */
  COALESCE(@kahan_sum(CASE WHEN calls.is_unclosed THEN calls.reserved_cost_usd END), 0.0) AS unclosed_dispatch_reservations_usd, /* reservations of those, USD */
  COUNT(CASE WHEN costs.is_cost_unknown THEN 1 END) AS unknown_cost_calls, /* that may owe more than is known, calls */
  COALESCE(SUM(costs.request_count), 0)::BIGINT AS request_count, /* decision requests on record */
  COALESCE(BOOL_AND(costs.is_request_count_complete), TRUE) AS request_count_complete, /* every request is on record */
  COALESCE(@kahan_sum(costs.decision_cost_usd), 0.0) AS decision_cost_usd_known, /* known cost of decisions; a lower bound while unknown_cost_calls > 0, USD */
  @kahan_sum(costs.recorded_cost_usd) AS decision_cost_usd_recorded, /* as the run recorded it, USD */
  COALESCE(@kahan_sum(costs.ocr_cost_usd), 0.0) AS ocr_cost_usd_known, /* known cost of OCR inside the tasks, USD */
  COALESCE(SUM(costs.input_tokens), 0)::BIGINT AS input_tokens_known, /* cached ones included, tokens */
  COALESCE(SUM(costs.output_tokens), 0)::BIGINT AS output_tokens_known, /* tokens */
  COALESCE(SUM(costs.cached_input_tokens), 0)::BIGINT AS cached_input_tokens_known, /* read from the cache, tokens */
  COALESCE(SUM(costs.cache_write_tokens), 0)::BIGINT AS cache_write_tokens_known /* written to the cache, tokens */
FROM documents.groups AS groups
LEFT JOIN documents.invocations AS calls
  ON groups.run_id = calls.run_id
  AND groups.task = calls.task
  AND groups.system = calls.system
  AND calls.phase = 'measured'
LEFT JOIN documents.call_costs AS costs
  ON calls.run_id = costs.run_id AND calls.observation_id = costs.observation_id
GROUP BY
  groups.run_id,
  groups.task,
  groups.system
