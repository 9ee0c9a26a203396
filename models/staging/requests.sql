MODEL (
  name staging.requests,
  kind VIEW,
  description 'One provider HTTP request inside a call, with its usage receipt. Grain: run_id, observation_id, request_sequence.',
  grain (run_id, observation_id, request_sequence),
  audits (registered_rows(table_name := 'requests'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  observation_id, /* planned invocation, unique within the run */
  request_sequence, /* place inside the call, from 1 */
  purpose, /* what the request was for */
  provider, /* who was asked */
  model, /* exact model that is billed */
  attempt, /* attempt, from 1; later ones are retries */
  status, /* how the request ended */
  request_id, /* the provider's own id */
  error_code, /* HTTP status or class of the exception */
  elapsed_ms, /* time of the request, ms */
  input_tokens, /* all input tokens, cached ones included, tokens */
  cached_input_tokens, /* input tokens read from the provider's cache, tokens */
  cache_write_tokens, /* input tokens written to the provider's cache, tokens */
  output_tokens, /* all output tokens, reasoning ones included, tokens */
  reasoning_tokens, /* output tokens spent on reasoning, tokens */
  billed_cost_usd, /* cost that the provider itself returned, USD */
  recorded_cost_usd, /* cost that the run computed at the time, USD */
  cost_status /* where the recorded cost comes from */
FROM evidence.requests
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'requests')
