MODEL (
  name documents.label_pairs,
  kind FULL,
  description 'True and predicted category of every labelled unit in the first pass; __missing__ where there is none, or none that the truth knows. Grain: run_id, system, item_id, unit.',
  grain (run_id, system, item_id, unit),
  audits (
    unique_grain(columns := (run_id, system, item_id, unit)),
    not_null(columns := (true_category, predicted_category))
  )
);

WITH known_categories AS (
  SELECT DISTINCT suite, task, category FROM documents.true_labels
), predictions AS (
  SELECT run_id, system, item_id, 0 AS unit, answer AS category
  FROM documents.first_passes
  WHERE task = 'classify'
  UNION ALL
  SELECT first_passes.run_id, first_passes.system, first_passes.item_id, pages.page AS unit, pages.category
  FROM documents.first_passes AS first_passes
  INNER JOIN staging.page_predictions AS pages
    ON first_passes.run_id = pages.run_id AND first_passes.observation_id = pages.observation_id
  WHERE first_passes.task = 'split' AND first_passes.state = 'successful'
)
SELECT
  first_passes.run_id, /* recorded execution */
  first_passes.task, /* classify or split */
  first_passes.system, /* entrant */
  first_passes.item_id, /* source or packet */
  truth.unit, /* 0 for a source; page of a packet, from 1 */
  truth.category AS true_category, /* true category */
  COALESCE(known.category, '__missing__') AS predicted_category /* category predicted, or __missing__ */
FROM documents.first_passes AS first_passes
INNER JOIN documents.true_labels AS truth
  ON first_passes.suite = truth.suite AND first_passes.item_id = truth.item_id
LEFT JOIN predictions
  ON first_passes.run_id = predictions.run_id
  AND first_passes.system = predictions.system
  AND first_passes.item_id = predictions.item_id
  AND truth.unit = predictions.unit
LEFT JOIN known_categories AS known
  ON first_passes.suite = known.suite
  AND first_passes.task = known.task
  AND predictions.category = known.category
