MODEL (
  name documents.classes,
  kind FULL,
  description 'Precision, recall and F1 of every true category. Grain: run_id, task, system, category.',
  grain (run_id, task, system, category),
  audits (
    unique_grain(columns := (run_id, task, system, category)),
    accepted_range(column := precision, min_v := 0, max_v := 1),
    accepted_range(column := recall, min_v := 0, max_v := 1),
    accepted_range(column := f1, min_v := 0, max_v := 1)
  )
);

WITH predicted AS (
  SELECT run_id, task, system, predicted_category, SUM(unit_count)::BIGINT AS predicted
  FROM documents.confusion
  GROUP BY run_id, task, system, predicted_category
), actual AS (
  SELECT
    run_id,
    task,
    system,
    true_category,
    SUM(unit_count)::BIGINT AS support,
    SUM(CASE WHEN true_category = predicted_category THEN unit_count END)::BIGINT AS true_positive
  FROM documents.confusion
  GROUP BY run_id, task, system, true_category
)
SELECT
  actual.run_id, /* recorded execution */
  actual.task, /* classify or split */
  actual.system, /* entrant */
  actual.true_category AS category, /* true category */
  actual.support, /* sources or pages that are of it */
  predicted.predicted, /* sources or pages predicted as it */
  actual.true_positive, /* those that are both */
  @precision_of(true_positive, predicted.predicted, support) AS precision, /* true_positive / predicted, share */
  @recall_of(true_positive, support) AS recall, /* true_positive / support, share */
  @f1_of(true_positive, predicted.predicted, support) AS f1 /* 2 true_positive / (predicted + support), share */
FROM actual
INNER JOIN predicted
  ON actual.run_id = predicted.run_id
  AND actual.task = predicted.task
  AND actual.system = predicted.system
  AND actual.true_category = predicted.predicted_category
