MODEL (
  name documents.preparation,
  kind FULL,
  description 'Conversion and OCR of a run, once per task input; text from an earlier parse is not charged again. Grain: run_id.',
  grain (run_id),
  audits (
    unique_grain(columns := (run_id)),
    accepted_range(column := cost_usd_known, min_v := 0)
  )
);

WITH document_runs AS (
  SELECT DISTINCT run_id FROM documents.groups
), charged AS (
  SELECT
    preparations.*,
    CASE
      WHEN cache_hit THEN 0.0
      WHEN ocr_cost_usd IS NULL AND CONTAINS(LOWER(parser), m.unbilled_parser) THEN 0.0
      ELSE ocr_cost_usd
    END AS charge_usd
  FROM staging.preparations AS preparations
  CROSS JOIN frozen.document_methods AS m
)
SELECT
  document_runs.run_id, /* recorded execution */
  COUNT(charged.item_id) AS items, /* task inputs prepared, items */
  COUNT(CASE WHEN charged.status = 'ok' THEN 1 END) AS successful_items, /* with text, items */
  COUNT(CASE WHEN charged.status <> 'ok' THEN 1 END) AS failed_or_skipped_items, /* without text, items */
  COUNT(CASE WHEN charged.cache_hit THEN 1 END) AS cache_hits, /* text from an earlier parse, items */
  @kahan_sum(charged.conversion_ms) AS conversion_ms_known, /* conversion to PDF; NULL when none was timed, ms */
  @kahan_sum(charged.ocr_ms) AS ocr_ms_known, /* parsing and OCR; NULL when none was timed, ms */
  @kahan_sum(charged.wall_ms) AS wall_ms_known, /* whole preparation; NULL when none was timed, ms */
  COUNT(charged.wall_ms) AS wall_samples, /* items with a wall time, items */
  COALESCE(@kahan_sum(charged.charge_usd), 0.0) AS cost_usd_known, /* known charge for OCR; local compute is not priced, USD */
  COUNT(CASE WHEN charged.charge_usd IS NULL THEN charged.item_id END) AS unknown_cost_items /* without a known charge, items */
FROM document_runs
LEFT JOIN charged
  ON document_runs.run_id = charged.run_id
GROUP BY
  document_runs.run_id
