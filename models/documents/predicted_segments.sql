MODEL (
  name documents.predicted_segments,
  kind FULL,
  description 'The segments of the packets that were covered in the first pass; any other packet predicts none. Grain: run_id, system, item_id, segment.',
  grain (run_id, system, item_id, segment),
  audits (
    unique_grain(columns := (run_id, system, item_id, segment)),
    not_null(columns := (category, first_page, last_page))
  )
);

SELECT
  first_passes.run_id, /* recorded execution */
  first_passes.system, /* entrant */
  first_passes.item_id, /* packet */
  pages.segment, /* segment in the order returned, from 1 */
  MAX(pages.category) AS category, /* category of the segment */
  MIN(pages.page) AS first_page, /* first page, page */
  MAX(pages.page) AS last_page /* last page, page */
FROM documents.first_passes AS first_passes
INNER JOIN staging.page_predictions AS pages
  ON first_passes.run_id = pages.run_id AND first_passes.observation_id = pages.observation_id
WHERE
  first_passes.task = 'split' AND first_passes.state = 'successful'
GROUP BY
  first_passes.run_id,
  first_passes.system,
  first_passes.item_id,
  pages.segment
