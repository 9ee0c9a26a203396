MODEL (
  name measures.evidence_files,
  kind FULL,
  description 'Files that a row of a board stands on: those of the suite, of the current runs of the system, and of its published results. Grain: suite, system, path.',
  grain (suite, system, path),
  audits (
    unique_grain(columns := (suite, system, path)),
    not_null(columns := (sha256))
  )
);

WITH sources AS (
  SELECT suite, system, run_id
  FROM outcomes.run_standing
  WHERE standing = 'current'
  UNION
  SELECT suite, system, run_id FROM staging.published_results
  UNION
  SELECT standing.suite, standing.system, items.run_id
  FROM outcomes.run_standing AS standing
  INNER JOIN staging.items AS items
    ON standing.suite = items.suite
  WHERE standing.standing = 'current'
  UNION
  SELECT standing.suite, standing.system, exposures.run_id
  FROM outcomes.run_standing AS standing
  INNER JOIN staging.exposures AS exposures
    ON standing.suite = exposures.suite
  WHERE standing.standing = 'current'
)
SELECT
  sources.suite, /* benchmark, with its version */
  sources.system, /* entrant */
  evidence.path, /* file, relative to the warehouse */
  evidence.table_name, /* raw table that the file belongs to */
  evidence.run_id, /* landing that brought it */
  evidence.row_count, /* rows in the file, rows */
  evidence.sha256 /* SHA-256 of the file */
FROM sources
INNER JOIN frozen.evidence AS evidence
  ON sources.run_id = evidence.run_id
