MODEL (
  name board.documents_ledgers,
  kind FULL,
  description 'Warm-up and measured decisions of a run, never mixed. Grain: run_id, ledger.',
  grain (run_id, ledger),
  audits (
    no_item_columns(),
    unique_grain(columns := (run_id, ledger)),
    not_null(columns := (decision_cost_usd_known, unknown_cost_calls))
  )
);

SELECT
  run_id, /* recorded execution */
  ledger, /* warmup or measured */
  planned_calls, /* planned, calls */
  recorded_calls, /* with a terminal record, calls */
  dispatched_calls, /* begun, calls */
  successful_calls, /* with a valid answer, calls */
  wall_ms_known, /* whole calls as the client sees them; NULL when none was timed, ms */
  decision_cost_usd_known, /* known cost of decisions; a lower bound while unknown_cost_calls > 0, USD */
  decision_cost_usd_recorded, /* as the run recorded it, USD */
  unknown_cost_calls, /* that may owe more than is known, calls */
  request_count, /* decision requests on record */
  request_count_complete, /* every request is on record */
  unclosed_dispatches, /* begun without a trustworthy end, calls */
  unclosed_dispatch_reservations_usd, /* reservations of those, USD */
  input_tokens_known, /* cached ones included, tokens */
  output_tokens_known, /* tokens */
  cached_input_tokens_known, /* read from the cache, tokens */
  cache_write_tokens_known /* written to the cache, tokens */
FROM documents.ledgers
