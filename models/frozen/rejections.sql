MODEL (
  name frozen.rejections,
  kind SEED (path '../../seeds/rejections.csv'),
  description 'Runs that were rejected and never score. Grain: run_id.',
  columns (
    run_id TEXT,
    reason TEXT,
    decided_on TEXT
  ),
  column_descriptions (
    run_id = 'rejected run',
    reason = 'why',
    decided_on = 'date of the decision'
  ),
  grain (run_id),
  audits (
    unique_grain(columns := (run_id)),
    not_null(columns := (run_id))
  )
);
