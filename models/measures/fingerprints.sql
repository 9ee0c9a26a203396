MODEL (
  name measures.fingerprints,
  kind FULL,
  description 'Which evidence a row of a board stands on: files of the suite, of the current runs of the system, and of its published results. Grain: suite, system.',
  grain (suite, system),
  audits (
    unique_grain(columns := (suite, system)),
    no_null_anywhere()
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
  COUNT(*) AS file_count, /* files of evidence, files */
  @sha256_of_lines(evidence.path || ':' || evidence.sha256, evidence.path) AS evidence_fingerprint /* SHA-256 over the sorted paths and hashes of those files */
FROM sources
INNER JOIN frozen.evidence AS evidence
  ON sources.run_id = evidence.run_id
GROUP BY
  sources.suite,
  sources.system
