MODEL (
  name frozen.document_profiles,
  kind SEED (path '../../seeds/document_profiles.csv'),
  description 'What is declared of a document suite beside its runs. Grain: suite.',
  columns (
    suite TEXT,
    experiment_kind TEXT,
    dependent_sample BIGINT,
    reason TEXT
  ),
  column_descriptions (
    suite = 'benchmark',
    experiment_kind = 'condition of runs that do not record one',
    dependent_sample = '1 when the items are a dependent convenience sample: intervals are withheld',
    reason = 'why it is dependent'
  ),
  grain (suite),
  audits (
    unique_grain(columns := (suite)),
    no_null_anywhere()
  )
);
