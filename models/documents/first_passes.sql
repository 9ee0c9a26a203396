MODEL (
  name documents.first_passes,
  kind FULL,
  description 'What each frozen test item came to in the first measured pass; an item without a record is a row. Grain: run_id, system, item_id.',
  grain (run_id, system, item_id),
  audits (
    unique_grain(columns := (run_id, system, item_id)),
    not_null(columns := (state))
  )
);

SELECT
  groups.run_id, /* recorded execution */
  groups.suite, /* benchmark, with its version */
  groups.task, /* classify or split */
  groups.system, /* entrant */
  items.item_id, /* source or packet */
  items.gold, /* true category of a source */
  first_calls.observation_id, /* invocation; NULL when none was planned */
  COALESCE(first_calls.state, 'missing_terminal') AS state, /* how it ended; only successful earns credit */
  CASE WHEN first_calls.state = 'successful' THEN first_calls.answer END AS answer, /* category returned by a successful classification */
  COALESCE(first_calls.state = 'successful' AND first_calls.needs_review, FALSE) AS is_flagged /* a successful answer that the system flagged for review */
FROM documents.groups AS groups
INNER JOIN staging.items AS items
  ON groups.suite = items.suite AND groups.task = items.task AND items.partition = 'test'
CROSS JOIN frozen.document_methods AS m
LEFT JOIN documents.invocations AS first_calls
  ON groups.run_id = first_calls.run_id
  AND groups.system = first_calls.system
  AND items.item_id = first_calls.item_id
  AND first_calls.phase = 'measured'
  AND first_calls.repeat = m.quality_pass
