MODEL (
  name frozen.gpu_rates,
  kind SEED (path '../../seeds/gpu_rates.csv'),
  description 'Hourly rate of the hardware that a self-hosted system ran on. Grain: system, gpu_type.',
  columns (
    system TEXT,
    gpu_type TEXT,
    usd_per_hour DOUBLE,
    dated_on TEXT,
    source TEXT
  ),
  column_descriptions (
    system = 'entrant',
    gpu_type = 'accelerator or processor',
    usd_per_hour = 'rate, USD per hour',
    dated_on = 'date of the rate',
    source = 'where the rate was read'
  ),
  grain (system, gpu_type),
  audits (
    unique_grain(columns := (system, gpu_type)),
    not_null(columns := (system, gpu_type))
  )
);
