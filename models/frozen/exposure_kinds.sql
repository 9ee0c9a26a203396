MODEL (
  name frozen.exposure_kinds,
  kind SEED (path '../../seeds/exposure_kinds.csv'),
  description 'What each kind of exposure makes of an item. Grain: kind.',
  columns (
    kind TEXT,
    effect TEXT,
    meaning TEXT
  ),
  column_descriptions (
    kind = 'kind of exposure',
    effect = 'public, retired, or disclosed (no effect on the part)',
    meaning = 'what the kind covers'
  ),
  grain (kind),
  audits (
    unique_grain(columns := (kind)),
    not_null(columns := (kind))
  )
);
