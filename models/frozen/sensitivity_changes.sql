MODEL (
  name frozen.sensitivity_changes,
  kind SEED (path '../../seeds/sensitivity.csv'),
  description 'What-if variants of every method: which parameter each changes, and how. Grain: variant, parameter, applies_to.',
  columns (
    variant TEXT,
    parameter TEXT,
    applies_to TEXT,
    operation TEXT,
    value DOUBLE,
    meaning TEXT
  ),
  column_descriptions (
    variant = 'name of the variant; as_scored changes nothing',
    parameter = 'parameter of the method, or price_factor: unit cost x factor',
    applies_to = 'endpoint kind that the change is for; NULL for all',
    operation = 'set to the value, or scale by it',
    value = 'new value, or factor',
    meaning = 'what the variant asks'
  ),
  grain (variant, parameter, applies_to),
  audits (
    unique_grain(columns := (variant, parameter, applies_to)),
    not_null(columns := (variant, meaning))
  )
);
