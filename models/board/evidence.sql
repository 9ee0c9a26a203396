MODEL (
  name board.evidence,
  kind FULL,
  description 'Files that every entrant stands on, with their hashes; evidence_fingerprint of the leaderboard is the hash over them. Grain: suite, system, path.',
  grain (suite, system, path),
  audits (
    no_item_columns(),
    unique_grain(columns := (suite, system, path)),
    no_null_anywhere()
  )
);

SELECT
  suite, /* benchmark, with its version */
  system, /* entrant */
  path, /* file, relative to the warehouse */
  table_name, /* raw table that the file belongs to */
  run_id, /* landing that brought it */
  row_count, /* rows in the file, rows */
  sha256 /* SHA-256 of the file */
FROM measures.evidence_files
