MODEL (
  name frozen.freezes,
  kind SEED (path '../../seeds/freezes.csv'),
  description 'The committed composition of a suite: the denominator of every score. Grain: suite, track, part, family, difficulty.',
  columns (
    suite TEXT,
    track TEXT,
    part TEXT,
    family TEXT,
    difficulty TEXT,
    item_count BIGINT,
    items_sha256 TEXT,
    frozen_at TIMESTAMP,
    commits_to TEXT,
    merkle_root TEXT
  ),
  column_descriptions (
    suite = 'benchmark',
    track = 'item track',
    part = 'public, sealed or retired',
    family = 'kind of question',
    difficulty = 'difficulty level',
    item_count = 'frozen items',
    items_sha256 = 'SHA-256 over the sorted item ids and content hashes',
    frozen_at = 'when the suite was frozen, UTC',
    commits_to = 'what the hashes cover',
    merkle_root = 'Merkle root over the sorted item ids and content hashes; NULL in freezes written without one'
  ),
  grain (suite, track, part, family, difficulty),
  audits (
    unique_grain(columns := (suite, track, part, family, difficulty)),
    not_null(columns := (suite, track, part, family, difficulty))
  )
);
