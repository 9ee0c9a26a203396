MODEL (
  name frozen.disclosures,
  kind SEED (path '../../seeds/disclosures.csv'),
  description 'What a reader must know of an entrant. Grain: suite, system, kind, disclosure.',
  columns (
    suite TEXT,
    system TEXT,
    kind TEXT,
    disclosure TEXT
  ),
  column_descriptions (
    suite = 'benchmark',
    system = 'entrant',
    kind = 'api_saw_sealed, setting, authoring, simulated, retention',
    disclosure = 'text shown on the board'
  ),
  grain (suite, system, kind, disclosure),
  audits (
    unique_grain(columns := (suite, system, kind, disclosure)),
    not_null(columns := (suite, system, kind, disclosure))
  )
);
