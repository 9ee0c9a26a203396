MODEL (
  name measures.sealed_cells,
  kind FULL,
  description 'Cells that the sealed part of an entrant is shown in: families, states and bins of confidence, counted where a reader could tell them apart. Grain: method, suite, system, kind, cell, track_group.',
  grain (method, suite, system, kind, cell, track_group),
  audits (
    unique_grain(columns := (method, suite, system, kind, cell, track_group)),
    no_null_anywhere()
  )
);

WITH cells AS (
  SELECT method, suite, track, system, 'family' AS kind, family AS cell, item_count
  FROM measures.family_accuracy
  WHERE part = 'sealed'
  UNION ALL
  SELECT method, suite, track, system, 'outcome', outcome, item_count
  FROM outcomes.outcome_counts
  WHERE part = 'sealed' AND outcome <> 'correct' /* shown by the leaderboard */
  UNION ALL
  SELECT method, suite, track, system, 'bin', CAST(bin AS TEXT), answer_count
  FROM measures.reliability_bins
  WHERE part = 'sealed'
), gap_families AS (
  SELECT DISTINCT method, suite, family
  FROM measures.family_gaps
  WHERE is_matched
)
SELECT
  cells.method, /* set of scoring parameters */
  cells.suite, /* benchmark, with its version */
  cells.system, /* entrant */
  cells.kind, /* family, outcome or bin */
  cells.cell, /* the family, state or bin */
  groups.track_group, /* item track, or the withheld tracks together */
  COALESCE(MAX(CASE WHEN gap_families.family IS NOT NULL THEN 1 END), 0) AS is_in_gap, /* 1 when the matched gap shows the cell too */
  SUM(cells.item_count) AS item_count /* sealed items, items */
FROM cells
INNER JOIN splits.track_groups AS groups
  ON cells.suite = groups.suite AND cells.track = groups.track AND groups.track <> 'all'
LEFT JOIN gap_families
  ON cells.kind = 'family'
  AND cells.method = gap_families.method
  AND cells.suite = gap_families.suite
  AND cells.cell = gap_families.family
GROUP BY
  cells.method,
  cells.suite,
  cells.system,
  cells.kind,
  cells.cell,
  groups.track_group
