MODEL (
  name staging.item_segments,
  kind VIEW,
  description 'The true documents inside a packet, in order; gold of the split task. Grain: suite, item_id, segment.',
  grain (suite, item_id, segment),
  audits (registered_rows(table_name := 'item_segments'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  item_id, /* item, unique within the suite */
  segment, /* place of the document in the packet, from 1 */
  category, /* true category */
  first_page, /* first page, from 1, page */
  last_page, /* last page, inclusive, page */
  source_item_id /* original that these pages are */
FROM evidence.item_segments
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'item_segments')
