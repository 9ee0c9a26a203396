MODEL (
  name frozen.boards,
  kind SEED (path '../../seeds/boards.csv'),
  description 'Which suite is scored by which method. Grain: suite, method.',
  columns (
    suite TEXT,
    method TEXT
  ),
  column_descriptions (
    suite = 'benchmark',
    method = 'set of scoring parameters'
  ),
  grain (suite, method),
  audits (
    unique_grain(columns := (suite, method)),
    not_null(columns := (suite, method))
  )
);
