MODEL (
  name outcomes.run_standing,
  kind FULL,
  description 'Whether what a run recorded of a system counts: current, superseded or rejected. Grain: run_id, system.',
  grain (run_id, system),
  audits (
    unique_grain(columns := (run_id, system)),
    accepted_values(column := standing, is_in := ('current', 'superseded', 'rejected')),
    superseded_run_exists()
  )
);

WITH entries AS (
  SELECT
    systems.run_id,
    systems.suite,
    systems.system,
    systems.supersedes_run_id,
    rejections.run_id IS NOT NULL AS is_rejected
  FROM staging.systems AS systems
  LEFT JOIN frozen.rejections AS rejections
    ON systems.run_id = rejections.run_id
), successors AS (
  SELECT DISTINCT supersedes_run_id AS run_id, suite, system
  FROM entries
  WHERE NOT is_rejected AND supersedes_run_id IS NOT NULL
)
SELECT
  entries.run_id, /* recorded execution */
  entries.suite, /* benchmark */
  entries.system, /* entrant */
  CASE
    WHEN entries.is_rejected THEN 'rejected'
    WHEN successors.run_id IS NOT NULL THEN 'superseded'
    ELSE 'current'
  END AS standing /* only current runs score */
FROM entries
LEFT JOIN successors
  ON entries.run_id = successors.run_id
  AND entries.suite = successors.suite
  AND entries.system = successors.system
