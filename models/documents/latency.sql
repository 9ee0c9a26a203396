MODEL (
  name documents.latency,
  kind FULL,
  description 'Latency quantiles over the successful calls of all measured passes; NULL where there is none. Grain: run_id, task, system.',
  grain (run_id, task, system),
  audits (
    unique_grain(columns := (run_id, task, system)),
    accepted_range(column := decision_p50_ms, min_v := 0),
    accepted_range(column := wall_p50_ms, min_v := 0)
  )
);

WITH timed AS (
  SELECT
    run_id,
    task,
    system,
    LIST_SORT(LIST(decision_ms) FILTER (WHERE decision_ms >= 0)) AS decision_times,
    LIST_SORT(LIST(wall_ms) FILTER (WHERE wall_ms >= 0)) AS wall_times
  FROM documents.invocations
  WHERE
    phase = 'measured' AND state = 'successful'
  GROUP BY
    run_id,
    task,
    system
)
SELECT
  timed.run_id, /* recorded execution */
  timed.task, /* classify or split */
  timed.system, /* entrant */
  COALESCE(LEN(decision_times), 0) AS latency_samples, /* successful calls with a decision time, calls */
  COALESCE(LEN(wall_times), 0) AS wall_latency_samples, /* successful calls with a wall time, calls */
  @quantile_linear(decision_times, m.median_quantile) AS decision_p50_ms, /* median decision time, ms */
  @quantile_linear(decision_times, m.upper_quantile) AS decision_p95_ms, /* p95 decision time, ms */
  @quantile_linear(wall_times, m.median_quantile) AS wall_p50_ms, /* median wall time, ms */
  @quantile_linear(wall_times, m.upper_quantile) AS wall_p95_ms /* p95 wall time, ms */
FROM timed
CROSS JOIN frozen.document_methods AS m
