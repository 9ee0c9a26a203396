MODEL (
  name board.documents_failures,
  kind FULL,
  description 'Why measured calls earned nothing: classes of failures, and reasons of skips; not of suites with sealed items. Grain: run_id, task, system, kind, reason.',
  grain (run_id, task, system, kind, reason),
  audits (
    no_item_columns(),
    unique_grain(columns := (run_id, task, system, kind, reason)),
    no_null_anywhere()
  )
);

WITH reasons AS (
  SELECT run_id, task, system, 'error' AS kind, error_type AS reason
  FROM documents.invocations
  WHERE phase = 'measured' AND state IN ('failed', 'invalid')
  UNION ALL
  SELECT run_id, task, system, 'skip' AS kind, COALESCE(skip_reason, 'unknown') AS reason
  FROM documents.invocations
  WHERE phase = 'measured' AND state = 'skipped'
)
SELECT
  run_id, /* recorded execution */
  task, /* classify or split */
  system, /* entrant */
  kind, /* error or skip */
  reason, /* class of the failure, or reason of the skip */
  COUNT(*) AS calls /* measured calls */
FROM reasons
WHERE
  run_id NOT IN (
    SELECT groups.run_id
    FROM documents.groups AS groups
    INNER JOIN splits.item_parts AS parts
      ON groups.suite = parts.suite AND parts.part = 'sealed'
  ) /* a cell of one item would tell how a sealed one went */
GROUP BY
  run_id,
  task,
  system,
  kind,
  reason
