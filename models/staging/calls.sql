MODEL (
  name staging.calls,
  kind VIEW,
  description 'The terminal record of an observation. Grain: run_id, observation_id, terminal_sequence.',
  grain (run_id, observation_id, terminal_sequence),
  audits (registered_rows(table_name := 'calls'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  observation_id, /* planned invocation, unique within the run */
  terminal_sequence, /* 1; a second terminal record of one observation is a fault */
  suite, /* benchmark, with its version in the name */
  system, /* entrant */
  item_id, /* item, unique within the suite */
  repeat, /* measured pass, from 0; -1 for a warm-up */
  phase, /* whether the invocation counts */
  status, /* how the call ended */
  answer, /* chosen option or category, as returned; NULL when there is none */
  refused, /* the system declined to answer */
  truncated, /* the input or output was cut */
  served_from_cache, /* answered from a result cache: not an observation */
  needs_review, /* the system flagged its own answer */
  confidence, /* confidence that the provider returned beside the probabilities, share */
  started_at, /* when the call was begun, UTC */
  decision_ms, /* time of the inference requests, ms */
  wall_ms, /* whole call as the client sees it, ms */
  dispatched, /* a provider call was at least begun, as the record claims */
  error_type, /* class of the failure, never its text */
  error_code, /* HTTP status or error code */
  skip_reason, /* why nothing was sent */
  usage_unknown, /* tokens may have been spent unseen */
  request_count_complete, /* every request of the call is on record */
  reserved_cost_usd, /* reservation taken for the call, USD */
  sent_options_sha256, /* SHA-256 of the options in the order sent, as options_sha256 of items */
  input_sha256, /* SHA-256 of the input that the system saw (for documents: the pages) */
  document_name /* document name that the record carries */
FROM evidence.calls
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'calls')
