MODEL (
  name documents.groups,
  kind FULL,
  description 'Every task of a suite for every system of a run, whether or not anything was recorded of it. Grain: run_id, task, system.',
  grain (run_id, task, system),
  audits (
    unique_grain(columns := (run_id, task, system)),
    not_null(columns := (planned_unique, condition, scope, concurrency))
  )
);

WITH task_sizes AS (
  SELECT suite, task, COUNT(*) AS planned_unique
  FROM staging.items
  WHERE task IN ('classify', 'split') AND partition = 'test'
  GROUP BY suite, task
)
SELECT
  runs.run_id, /* recorded execution */
  runs.suite, /* benchmark, with its version */
  task_sizes.task, /* classify or split */
  systems.system, /* entrant */
  systems.engine, /* adapter that made the calls */
  systems.model, /* model requested */
  runs.scope, /* what is timed */
  runs.concurrency, /* calls in flight at most, calls */
  runs.condition, /* experiment kind */
  runs.ocr_identity, /* parser, or digest of the text, that every system saw */
  runs.repeats, /* measured passes planned, passes */
  runs.dependent_sample OR COALESCE(profiles.dependent_sample = 1, FALSE) AS is_dependent_sample, /* intervals are withheld */
  task_sizes.planned_unique /* frozen test sources or packets: the denominator of quality, items */
FROM staging.runs AS runs
INNER JOIN task_sizes
  ON runs.suite = task_sizes.suite
INNER JOIN staging.systems AS systems
  ON runs.run_id = systems.run_id
LEFT JOIN frozen.document_profiles AS profiles
  ON runs.suite = profiles.suite
