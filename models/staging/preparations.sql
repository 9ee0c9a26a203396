MODEL (
  name staging.preparations,
  kind VIEW,
  description 'Conversion and OCR of one item, once for all systems. Grain: run_id, item_id.',
  grain (run_id, item_id),
  audits (registered_rows(table_name := 'preparations'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  item_id, /* item, unique within the suite */
  status, /* ok, or how it failed */
  error_type, /* class of the failure, never its text */
  cache_hit, /* the text came from an earlier parse: not billed again */
  conversion_ms, /* time of the conversion to PDF, ms */
  ocr_ms, /* time of parsing and OCR, ms */
  total_ms, /* conversion and OCR, ms */
  wall_ms, /* whole preparation as the client sees it, ms */
  pages_sha256, /* SHA-256 of the normalised pages that every system is given */
  page_count, /* pages found, pages */
  text_bytes, /* normalised text, bytes */
  ocr_cost_usd, /* charge for OCR; NULL when unknown, USD */
  parser /* parser, version and options, as JSON */
FROM evidence.preparations
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'preparations')
