MODEL (
  name staging.observations,
  kind VIEW,
  description 'The execution matrix: every planned invocation, written before anything is sent. Grain: run_id, observation_id.',
  grain (run_id, observation_id),
  audits (registered_rows(table_name := 'observations'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  observation_id, /* planned invocation, unique within the run */
  suite, /* benchmark, with its version in the name */
  system, /* entrant */
  item_id, /* item, unique within the suite */
  repeat, /* measured pass, from 0; -1 for a warm-up */
  phase, /* whether the invocation counts */
  sequence, /* place in the plan, from 1 */
  reserved_cost_usd /* conservative estimate made before dispatch, USD */
FROM evidence.observations
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'observations')
