MODEL (
  name board.documents_runs,
  kind FULL,
  description 'Condition, completeness and total cost of a document run: preparation, warm-ups and measured calls. Grain: run_id.',
  grain (run_id),
  audits (
    no_item_columns(),
    unique_grain(columns := (run_id)),
    not_null(columns := (run_status, condition, full_run_cost_usd_known))
  )
);

WITH totals AS (
  SELECT
    run_id,
    SUM(planned_calls)::BIGINT AS planned_calls,
    SUM(recorded_calls)::BIGINT AS recorded_calls,
    SUM(unclosed_dispatches)::BIGINT AS unclosed_dispatches,
    SUM(unknown_cost_calls)::BIGINT AS unknown_cost_calls,
    @kahan_sum(decision_cost_usd_known) AS decision_cost_usd,
    @kahan_sum(ocr_cost_usd_known) AS ocr_cost_usd,
    SUM(ocr_request_count)::BIGINT AS ocr_request_count,
    SUM(unknown_ocr_requests)::BIGINT AS unknown_ocr_requests
  FROM documents.ledgers
  GROUP BY run_id
)
SELECT
  runs.run_id, /* recorded execution */
  runs.suite, /* benchmark, with its version */
  runs.started_at, /* start of the run, UTC */
  runs.finished_at, /* end of the run; NULL when unknown, UTC */
  runs.status AS run_status, /* judged from the run's own files */
  runs.recorded_status AS recorded_run_status, /* as the run recorded it; NULL without a manifest */
  runs.stop_code, /* why it stopped early */
  runs.condition, /* experiment kind */
  runs.demo_set, /* set that the run was made on */
  runs.scope, /* what is timed */
  runs.concurrency, /* calls in flight at most, calls */
  runs.repeats, /* measured passes planned, passes */
  runs.warmups, /* warm-up calls planned per engine and task, calls */
  runs.ocr_identity, /* parser, or digest of the text, that every system saw */
  runs.matrix_recorded, /* the run recorded its execution matrix; else it is inferred */
  runs.raw_truncated, /* the last terminal record was cut off */
  runs.events_truncated, /* the last dispatch event was cut off */
  runs.price_snapshot, /* price snapshot of the run */
  runs.budget_limit_usd, /* local guard, USD */
  runs.budget_known_usd, /* charges known to the guard, as recorded, USD */
  runs.budget_unknown_reserved_usd, /* reservations kept by the guard, as recorded, USD */
  runs.budget_committed_usd, /* balance of the guard, as recorded, USD */
  guard.known_usd AS guard_known_usd, /* charges known to the guard, replayed, USD */
  guard.unknown_reserved_usd AS guard_unknown_reserved_usd, /* reservations kept, replayed, USD */
  guard.committed_usd AS guard_committed_usd, /* balance, replayed; an estimate, no billing cap, USD */
  totals.planned_calls, /* warm-ups included, calls */
  totals.planned_calls - totals.recorded_calls AS missing_terminal_calls, /* without a terminal record, calls */
  totals.unclosed_dispatches, /* begun without a trustworthy end, calls */
  totals.ocr_cost_usd AS task_ocr_cost_usd_known, /* known cost of OCR inside tasks, USD */
  totals.ocr_request_count AS task_ocr_request_count, /* OCR requests inside tasks */
  totals.unknown_ocr_requests AS task_ocr_unknown_cost_requests, /* those without a known cost */
  preparation.cost_usd_known + totals.decision_cost_usd + totals.ocr_cost_usd AS full_run_cost_usd_known, /* preparation, warm-ups, measured decisions and OCR inside tasks, USD */
  totals.unknown_cost_calls + totals.unknown_ocr_requests + preparation.unknown_cost_items AS unknown_cost_observations, /* calls, OCR requests and preparations that may owe more */
  totals.unknown_cost_calls + totals.unknown_ocr_requests + preparation.unknown_cost_items > 0 AS known_cost_is_lower_bound /* the total is a lower bound */
FROM staging.runs AS runs
INNER JOIN totals
  ON runs.run_id = totals.run_id
INNER JOIN documents.preparation AS preparation
  ON runs.run_id = preparation.run_id
LEFT JOIN documents.guard AS guard
  ON runs.run_id = guard.run_id
