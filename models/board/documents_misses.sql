MODEL (
  name board.documents_misses,
  kind FULL,
  description 'Public items that were not right in the first pass. Grain: run_id, task, system, item_id.',
  grain (run_id, task, system, item_id),
  audits (
    unique_grain(columns := (run_id, task, system, item_id)),
    not_null(columns := (state))
  )
);

SELECT
  results.run_id, /* recorded execution */
  results.task, /* classify or split */
  results.system, /* entrant */
  results.item_id, /* source or packet */
  results.state /* how the first pass ended; successful: a valid answer that is wrong */
FROM documents.results AS results
INNER JOIN splits.item_parts AS parts
  ON results.suite = parts.suite AND results.item_id = parts.item_id AND parts.part = 'public'
WHERE
  NOT results.is_right
