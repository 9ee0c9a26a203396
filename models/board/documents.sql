MODEL (
  name board.documents,
  kind FULL,
  description 'The document board: one task of one system in one run; tasks are never pooled, and conditions never share a table. Grain: run_id, task, system.',
  grain (run_id, task, system),
  audits (
    no_item_columns(),
    unique_grain(columns := (run_id, task, system)),
    every_group_is_shown(),
    accepted_range(column := accuracy, min_v := 0, max_v := 1),
    accepted_range(column := packet_exact_match, min_v := 0, max_v := 1)
  )
);

WITH current_groups AS (
  SELECT groups.*
  FROM documents.groups AS groups
  INNER JOIN outcomes.run_standing AS standing
    ON groups.run_id = standing.run_id AND groups.system = standing.system AND standing.standing = 'current'
), public_misses AS (
  SELECT
    results.run_id,
    results.task,
    results.system,
    STRING_AGG(results.item_id, ' ' ORDER BY results.item_id) AS missed_items
  FROM documents.results AS results
  INNER JOIN splits.item_parts AS parts
    ON results.suite = parts.suite AND results.item_id = parts.item_id AND parts.part = 'public'
  WHERE
    NOT results.is_right
  GROUP BY
    results.run_id,
    results.task,
    results.system
)
SELECT
  groups.condition || ' / ' || groups.scope || ' / concurrency ' || groups.concurrency || ' / ' || COALESCE(groups.ocr_identity, 'unknown text') AS comparison, /* rows of different comparison do not share a table */
  groups.suite, /* benchmark, with its version */
  groups.run_id, /* recorded execution */
  groups.task, /* classify or split */
  groups.system, /* entrant */
  groups.engine, /* adapter that made the calls */
  groups.model, /* model requested */
  groups.scope, /* what is timed */
  groups.concurrency, /* calls in flight at most, calls */
  groups.condition, /* experiment kind */
  groups.ocr_identity, /* parser, or digest of the text, that every system saw */
  groups.planned_unique, /* frozen test items: the denominator of quality */
  quality.completed_unique, /* items with a valid first answer */
  quality.completion_rate, /* completed_unique / planned_unique, share */
  quality.first_pass_missing, /* items without a terminal record in the first pass */
  quality.right_count, /* items that earn credit in the first pass */
  COALESCE(misses.missed_items, '') AS missed_items, /* public items that do not, by id, a blank between them */
  CASE WHEN groups.task = 'classify' THEN labels.accuracy END AS accuracy, /* right sources / frozen sources, share */
  CASE WHEN groups.task = 'classify' THEN labels.macro_f1 END AS macro_f1, /* mean F1 over the true categories, share */
  CASE WHEN groups.task = 'classify' THEN quality.needs_review_rate END AS needs_review_rate, /* flagged sources / frozen sources, share */
  split.packet_exact_match, /* exact packets / frozen packets, share */
  split.covered_packets AS coverage_valid_packets, /* packets with each page once, in order */
  split.coverage_validity, /* covered packets / frozen packets, share */
  CASE WHEN groups.task = 'split' THEN labels.correct_count END AS page_correct_count, /* pages with the true category */
  CASE WHEN groups.task = 'split' THEN labels.total_count END AS page_total_count, /* frozen pages */
  CASE WHEN groups.task = 'split' THEN labels.accuracy END AS page_accuracy, /* page_correct_count / page_total_count, share */
  CASE WHEN groups.task = 'split' THEN labels.macro_f1 END AS page_macro_f1, /* mean F1 over the true categories of pages, share */
  split.matched_boundaries, /* boundaries both true and predicted */
  split.predicted_boundaries, /* boundaries predicted, page one never counted */
  split.actual_boundaries, /* true boundaries, page one never counted */
  split.boundary_precision, /* matched / predicted, share */
  split.boundary_recall, /* matched / true, share */
  split.boundary_f1, /* 2 matched / (predicted + true), share */
  split.matched_segments, /* documents with the true pages and category */
  split.predicted_segments, /* documents predicted */
  split.actual_segments, /* true documents */
  split.segment_precision, /* matched / predicted, share */
  split.segment_recall, /* matched / true, share */
  split.segment_f1, /* 2 matched / (predicted + true), share */
  split.same_category_found, /* same-category boundaries predicted */
  split.same_category_actual, /* true boundaries between two documents of one category */
  split.same_category_boundary_recall, /* found / true; NULL where the truth has none, share */
  intervals.interval_low, /* lower end of the 95% bootstrap interval of right_count / planned_unique; NULL when withheld, share */
  intervals.interval_high, /* upper end, share */
  groups.is_dependent_sample, /* the interval is withheld */
  counts.planned_calls, /* measured calls of all passes */
  counts.measured_calls, /* with a terminal record, calls */
  counts.dispatched_calls, /* begun, calls */
  counts.successful_calls, /* with a valid answer, calls */
  counts.failed_calls, /* failed, or with an invalid answer, calls */
  counts.invalid_calls, /* those with an invalid answer, calls */
  counts.skipped_calls, /* never sent, calls */
  counts.missing_terminal_calls, /* without a terminal record, calls */
  counts.unclosed_dispatches, /* begun without a trustworthy end, calls */
  counts.unclosed_dispatch_reservations_usd, /* reservations of those, USD */
  COALESCE(latency.latency_samples, 0) AS latency_samples, /* successful calls with a decision time, calls */
  COALESCE(latency.wall_latency_samples, 0) AS wall_latency_samples, /* successful calls with a wall time, calls */
  latency.decision_p50_ms, /* median decision time; NULL without a sample, ms */
  latency.decision_p95_ms, /* p95 decision time; NULL without a sample, ms */
  latency.wall_p50_ms, /* median wall time; NULL without a sample, ms */
  latency.wall_p95_ms, /* p95 wall time; NULL without a sample, ms */
  counts.decision_cost_usd_known, /* known cost of measured decisions; a lower bound while unknown_cost_calls > 0, USD */
  counts.decision_cost_usd_recorded, /* as the run recorded it, USD */
  counts.unknown_cost_calls, /* that may owe more than is known, calls */
  counts.ocr_cost_usd_known, /* known cost of OCR inside the tasks, USD */
  counts.request_count, /* decision requests on record */
  counts.request_count_complete, /* every request is on record */
  counts.input_tokens_known, /* cached ones included, tokens */
  counts.output_tokens_known, /* tokens */
  counts.cached_input_tokens_known, /* read from the cache, tokens */
  counts.cache_write_tokens_known, /* written to the cache, tokens */
  disagreement.repeat_disagreement_documents, /* items with different answers; NULL when not measured */
  disagreement.repeat_disagreement_status /* measured only where there were repeats */
FROM current_groups AS groups
INNER JOIN documents.quality AS quality
  ON groups.run_id = quality.run_id AND groups.task = quality.task AND groups.system = quality.system
INNER JOIN documents.label_quality AS labels
  ON groups.run_id = labels.run_id AND groups.task = labels.task AND groups.system = labels.system
INNER JOIN documents.call_counts AS counts
  ON groups.run_id = counts.run_id AND groups.task = counts.task AND groups.system = counts.system
INNER JOIN documents.disagreement AS disagreement
  ON groups.run_id = disagreement.run_id AND groups.task = disagreement.task AND groups.system = disagreement.system
LEFT JOIN public_misses AS misses
  ON groups.run_id = misses.run_id AND groups.task = misses.task AND groups.system = misses.system
LEFT JOIN documents.split_quality AS split
  ON groups.run_id = split.run_id AND groups.task = 'split' AND groups.system = split.system
LEFT JOIN documents.latency AS latency
  ON groups.run_id = latency.run_id AND groups.task = latency.task AND groups.system = latency.system
LEFT JOIN documents.intervals AS intervals
  ON NOT groups.is_dependent_sample
  AND quality.source_count = intervals.source_count
  AND quality.right_count = intervals.right_count
