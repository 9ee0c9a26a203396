MODEL (
  name outcomes.first_calls,
  kind FULL,
  description 'The call that quality is judged by: first measured pass, current run, not served from a cache. Grain: suite, system, item_id.',
  depends_on (splits.item_parts), /* read by the audits */
  grain (suite, system, item_id),
  audits (
    unique_grain(columns := (suite, system, item_id)),
    calls_are_of_frozen_items()
  )
);

SELECT
  calls.suite, /* benchmark, with its version */
  calls.system, /* entrant */
  calls.item_id, /* item */
  calls.run_id, /* recorded execution */
  calls.observation_id, /* planned invocation */
  calls.status, /* ok, error or skipped */
  calls.answer, /* chosen option as returned; NULL when there is none */
  calls.refused, /* the system declined to answer */
  calls.truncated, /* the input or output was cut */
  calls.error_type, /* class of the failure */
  calls.error_code, /* HTTP status or error code */
  calls.skip_reason, /* why nothing was sent */
  calls.sent_options_sha256 /* SHA-256 of the options in the order sent */
FROM staging.calls AS calls
INNER JOIN outcomes.run_standing AS standing
  ON calls.run_id = standing.run_id AND calls.system = standing.system
WHERE
  calls.phase = 'measured'
  AND calls.repeat = 0
  AND calls.served_from_cache IS NOT TRUE
  AND standing.standing = 'current'
  AND calls.suite IN (SELECT suite FROM frozen.boards)
