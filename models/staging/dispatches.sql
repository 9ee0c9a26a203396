MODEL (
  name staging.dispatches,
  kind VIEW,
  description 'Events that say an invocation began; flushed to disk before the provider is called. Grain: run_id, observation_id, event, at.',
  grain (run_id, observation_id, event, at),
  audits (registered_rows(table_name := 'dispatches'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  observation_id, /* planned invocation, unique within the run */
  event, /* what happened */
  at, /* when it was written, UTC */
  reserved_cost_usd /* reservation taken for it, USD */
FROM evidence.dispatches
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'dispatches')
