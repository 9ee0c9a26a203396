MODEL (
  name board.documents_confusion,
  kind FULL,
  description 'Confusion matrix of sources (classify) and pages (split), empty cells included; not of suites with sealed items. Grain: run_id, task, system, true_category, predicted_category.',
  grain (run_id, task, system, true_category, predicted_category),
  audits (
    no_item_columns(),
    unique_grain(columns := (run_id, task, system, true_category, predicted_category)),
    no_null_anywhere()
  )
);

SELECT
  run_id, /* recorded execution */
  task, /* classify or split */
  system, /* entrant */
  true_category, /* true category */
  predicted_category, /* category predicted; __missing__ for none or an unknown one */
  unit_count /* sources or pages */
FROM documents.confusion
WHERE
  run_id NOT IN (
    SELECT groups.run_id
    FROM documents.groups AS groups
    INNER JOIN splits.item_parts AS parts
      ON groups.suite = parts.suite AND parts.part = 'sealed'
  ) /* a cell of one item would tell how a sealed one went */
