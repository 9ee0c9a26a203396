MODEL (
  name board.documents_classes,
  kind FULL,
  description 'Precision, recall and F1 of every category: of sources (classify), of pages (split); not of suites with sealed items. Grain: run_id, task, system, category.',
  grain (run_id, task, system, category),
  audits (
    no_item_columns(),
    unique_grain(columns := (run_id, task, system, category)),
    no_null_anywhere()
  )
);

SELECT
  run_id, /* recorded execution */
  task, /* classify or split */
  system, /* entrant */
  category, /* true category */
  support, /* sources or pages that are of it */
  predicted, /* sources or pages predicted as it */
  true_positive, /* those that are both */
  precision, /* true_positive / predicted, share */
  recall, /* true_positive / support, share */
  f1 /* 2 true_positive / (predicted + support), share */
FROM documents.classes
WHERE
  run_id NOT IN (
    SELECT groups.run_id
    FROM documents.groups AS groups
    INNER JOIN splits.item_parts AS parts
      ON groups.suite = parts.suite AND parts.part = 'sealed'
  ) /* a cell of one item would tell how a sealed one went */
