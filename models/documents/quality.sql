MODEL (
  name documents.quality,
  kind FULL,
  description 'Counts of the first pass over all frozen test items. Grain: run_id, task, system.',
  grain (run_id, task, system),
  audits (
    unique_grain(columns := (run_id, task, system)),
    accepted_range(column := completion_rate, min_v := 0, max_v := 1)
  )
);

SELECT
  run_id, /* recorded execution */
  task, /* classify or split */
  system, /* entrant */
  COUNT(*) AS source_count, /* frozen test items: the denominator */
  COUNT(CASE WHEN is_right THEN 1 END) AS right_count, /* items that earn credit */
  COUNT(CASE WHEN state = 'successful' THEN 1 END) AS completed_unique, /* items with a valid answer */
  COUNT(CASE WHEN state = 'successful' THEN 1 END) / CAST(COUNT(*) AS DOUBLE) AS completion_rate, /* completed_unique / frozen items, share */
  COUNT(CASE WHEN state = 'missing_terminal' THEN 1 END) AS first_pass_missing, /* items without a terminal record */
  COUNT(CASE WHEN is_flagged THEN 1 END) / CAST(COUNT(*) AS DOUBLE) AS needs_review_rate /* flagged items / frozen items, share */
FROM documents.results
GROUP BY
  run_id,
  task,
  system
