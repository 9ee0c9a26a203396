MODEL (
  name staging.page_predictions,
  kind VIEW,
  description 'Pages of the segments that a split call returned, in the order returned. Grain: run_id, observation_id, segment, page_position.',
  grain (run_id, observation_id, segment, page_position),
  audits (registered_rows(table_name := 'page_predictions'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  observation_id, /* planned invocation, unique within the run */
  segment, /* segment in the order returned, from 1 */
  page_position, /* place of the page inside its segment, from 1; 0 in a segment without pages */
  page, /* page number as returned; NULL when it was not a whole number, page */
  category, /* category of the segment */
  needs_review /* the system flagged the segment */
FROM evidence.page_predictions
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'page_predictions')
