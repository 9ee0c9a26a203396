MODEL (
  name frozen.evidence,
  kind SEED (path '../../seeds/evidence.csv'),
  description 'The register: every Parquet file that counts as evidence. Grain: path.',
  columns (
    table_name TEXT,
    path TEXT,
    sha256 TEXT,
    row_count BIGINT,
    byte_count BIGINT,
    run_id TEXT,
    landed_at TEXT,
    source TEXT
  ),
  column_descriptions (
    table_name = 'raw table that the file belongs to',
    path = 'file, relative to the warehouse',
    sha256 = 'SHA-256 of the file',
    row_count = 'rows in the file',
    byte_count = 'size of the file, bytes',
    run_id = 'landing that brought it',
    landed_at = 'when it landed, ISO 8601 UTC',
    source = 'where the rows come from'
  ),
  grain (path),
  audits (
    unique_grain(columns := (path)),
    not_null(columns := (path))
  )
);
