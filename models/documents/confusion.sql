MODEL (
  name documents.confusion,
  kind FULL,
  description 'Confusion matrix of sources (classify) and pages (split), empty cells included. Grain: run_id, task, system, true_category, predicted_category.',
  grain (run_id, task, system, true_category, predicted_category),
  audits (
    unique_grain(columns := (run_id, task, system, true_category, predicted_category)),
    not_null(columns := (unit_count))
  )
);

WITH true_categories AS (
  SELECT DISTINCT suite, task, category FROM documents.true_labels
), columns AS (
  SELECT suite, task, category FROM true_categories
  UNION
  SELECT suite, task, '__missing__' AS category FROM true_categories
), counted AS (
  SELECT run_id, task, system, true_category, predicted_category, COUNT(*) AS unit_count
  FROM documents.label_pairs
  GROUP BY run_id, task, system, true_category, predicted_category
)
SELECT
  groups.run_id, /* recorded execution */
  groups.task, /* classify or split */
  groups.system, /* entrant */
  true_categories.category AS true_category, /* true category */
  columns.category AS predicted_category, /* category predicted; __missing__ for none or an unknown one */
  COALESCE(counted.unit_count, 0) AS unit_count /* sources or pages */
FROM documents.groups AS groups
INNER JOIN true_categories
  ON groups.suite = true_categories.suite AND groups.task = true_categories.task
INNER JOIN columns
  ON groups.suite = columns.suite AND groups.task = columns.task
LEFT JOIN counted
  ON groups.run_id = counted.run_id
  AND groups.task = counted.task
  AND groups.system = counted.system
  AND true_categories.category = counted.true_category
  AND columns.category = counted.predicted_category
