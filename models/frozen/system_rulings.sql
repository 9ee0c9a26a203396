MODEL (
  name frozen.system_rulings,
  kind SEED (path '../../seeds/systems.csv'),
  description 'Decisions about entrants that evidence cannot make. Grain: system.',
  columns (
    system TEXT,
    ranked BIGINT,
    unranked_reason TEXT
  ),
  column_descriptions (
    system = 'entrant',
    ranked = '1 when the system may be ranked, 0 when not',
    unranked_reason = 'why it is not ranked'
  ),
  grain (system),
  audits (
    unique_grain(columns := (system)),
    not_null(columns := (system))
  )
);
