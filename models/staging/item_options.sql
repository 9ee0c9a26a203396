MODEL (
  name staging.item_options,
  kind VIEW,
  description 'The options of an item, in frozen order. Grain: suite, item_id, position.',
  grain (suite, item_id, position),
  audits (registered_rows(table_name := 'item_options'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  item_id, /* item, unique within the suite */
  position, /* place of the option, from 1 */
  option, /* label of the option */
  description /* what the option stands for, as shown to the system */
FROM evidence.item_options
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'item_options')
