MODEL (
  name frozen.method_parameters,
  kind SEED (path '../../seeds/methods.csv'),
  description 'Scoring parameters as reviewed, one a line. Grain: method, parameter, applies_to.',
  columns (
    method TEXT,
    parameter TEXT,
    applies_to TEXT,
    value TEXT,
    unit TEXT,
    meaning TEXT
  ),
  column_descriptions (
    method = 'set of scoring parameters',
    parameter = 'name of the parameter',
    applies_to = 'endpoint kind that it is for; NULL for all',
    value = 'number or word',
    unit = 'unit of the value',
    meaning = 'what it does'
  ),
  grain (method, parameter, applies_to),
  audits (
    unique_grain(columns := (method, parameter, applies_to)),
    not_null(columns := (method, parameter))
  )
);
