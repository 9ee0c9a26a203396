MODEL (
  name frozen.published_parts,
  kind SEED (path '../../seeds/published_parts.csv'),
  description 'Frozen parts of suites whose items are private, as published. Grain: suite, track, part.',
  columns (
    suite TEXT,
    track TEXT,
    part TEXT,
    item_count BIGINT,
    chance_rate DOUBLE,
    source TEXT
  ),
  column_descriptions (
    suite = 'benchmark',
    track = 'board track',
    part = 'public or sealed',
    item_count = 'frozen items',
    chance_rate = 'mean of 1 / options over the items, share',
    source = 'publication'
  ),
  grain (suite, track, part),
  audits (
    unique_grain(columns := (suite, track, part)),
    not_null(columns := (suite, track, part))
  )
);
