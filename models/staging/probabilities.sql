MODEL (
  name staging.probabilities,
  kind VIEW,
  description 'Probability that a call gave to an option, as returned. Grain: run_id, observation_id, option.',
  grain (run_id, observation_id, option),
  audits (registered_rows(table_name := 'probabilities'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  observation_id, /* planned invocation, unique within the run */
  option, /* option as named in the answer */
  probability /* NULL when the value was not a finite number, share */
FROM evidence.probabilities
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'probabilities')
