MODEL (
  name measures.fingerprints,
  kind FULL,
  description 'Which evidence a row of a board stands on, as one hash. Grain: suite, system.',
  grain (suite, system),
  audits (
    unique_grain(columns := (suite, system)),
    no_null_anywhere()
  )
);

SELECT
  suite, /* benchmark, with its version */
  system, /* entrant */
  COUNT(*) AS file_count, /* files of evidence, files */
  @sha256_of_lines(path || ':' || sha256, path) AS evidence_fingerprint /* SHA-256 over the sorted paths and hashes of those files */
FROM measures.evidence_files
GROUP BY
  suite,
  system
