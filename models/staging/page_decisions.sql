MODEL (
  name staging.page_decisions,
  kind VIEW,
  description 'What a system decided of each page before segments were formed. Grain: run_id, observation_id, page.',
  grain (run_id, observation_id, page),
  audits (registered_rows(table_name := 'page_decisions'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  observation_id, /* planned invocation, unique within the run */
  page, /* page number, from 1, page */
  category, /* category decided */
  category_probability, /* its probability, share */
  starts_document, /* a new document begins here */
  starts_document_probability /* its probability, share */
FROM evidence.page_decisions
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'page_decisions')
