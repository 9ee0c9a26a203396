MODEL (
  name staging.exposures,
  kind VIEW,
  description 'Where and when an item, or the source it was made of, was seen outside the sealed store. Grain: suite, item_id, kind, place, seen_at.',
  grain (suite, item_id, kind, place, seen_at),
  audits (registered_rows(table_name := 'exposures'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  item_id, /* item, unique within the suite */
  kind, /* kind of exposure, one of seeds/exposure_kinds.csv */
  place, /* where it was seen */
  seen_at, /* when it was seen there first, UTC */
  note /* evidence for the record */
FROM evidence.exposures
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'exposures')
