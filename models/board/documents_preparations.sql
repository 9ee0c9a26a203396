MODEL (
  name board.documents_preparations,
  kind FULL,
  description 'Preparation of a run: conversion and OCR, once per task input. Grain: run_id.',
  grain (run_id),
  audits (
    no_item_columns(),
    unique_grain(columns := (run_id)),
    not_null(columns := (items, cost_usd_known))
  )
);

SELECT
  preparation.run_id, /* recorded execution */
  preparation.items, /* task inputs prepared, items */
  preparation.successful_items, /* with text, items */
  preparation.failed_or_skipped_items, /* without text, items */
  preparation.cache_hits, /* text from an earlier parse, items */
  preparation.conversion_ms_known, /* conversion to PDF; NULL when none was timed, ms */
  preparation.ocr_ms_known, /* parsing and OCR; NULL when none was timed, ms */
  preparation.wall_ms_known, /* whole preparation; NULL when none was timed, ms */
  preparation.wall_samples, /* items with a wall time, items */
  preparation.cost_usd_known, /* known charge for OCR; local compute is not priced, USD */
  preparation.unknown_cost_items, /* without a known charge, items */
  runs.preparation_elapsed_s AS elapsed_seconds /* time of the whole preparation, s */
FROM documents.preparation AS preparation
INNER JOIN staging.runs AS runs
  ON preparation.run_id = runs.run_id
