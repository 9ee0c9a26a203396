MODEL (
  name documents.label_quality,
  kind FULL,
  description 'Accuracy and macro-F1 over all frozen sources (classify) or pages (split). Grain: run_id, task, system.',
  grain (run_id, task, system),
  audits (
    unique_grain(columns := (run_id, task, system)),
    accepted_range(column := accuracy, min_v := 0, max_v := 1),
    accepted_range(column := macro_f1, min_v := 0, max_v := 1)
  )
);

SELECT
  run_id, /* recorded execution */
  task, /* classify or split */
  system, /* entrant */
  SUM(true_positive)::BIGINT AS correct_count, /* sources or pages with the true category */
  SUM(support)::BIGINT AS total_count, /* frozen sources or pages: the denominator */
  SUM(true_positive) / CAST(SUM(support) AS DOUBLE) AS accuracy, /* correct_count / total_count, share */
  @kahan_sum(f1) / COUNT(*) AS macro_f1 /* mean F1 over the true categories, share */
FROM documents.classes
GROUP BY
  run_id,
  task,
  system
