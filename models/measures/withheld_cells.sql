MODEL (
  name measures.withheld_cells,
  kind FULL,
  description 'Sealed cells that no table may show: those over too few items, and the next smallest beside them until what is withheld adds up to enough items on every track. Grain: method, suite, system, kind, cell.',
  grain (method, suite, system, kind, cell),
  audits (
    unique_grain(columns := (method, suite, system, kind, cell)),
    no_null_anywhere()
  )
);

WITH smallest_first AS (
  SELECT
    cells.method,
    cells.suite,
    cells.system,
    cells.kind,
    cells.cell,
    MAX(cells.is_in_gap) AS is_in_gap,
    MIN(cells.item_count) AS least_count,
    MAX(rules.suppress_below_items) AS suppress_below_items,
    ROW_NUMBER() OVER (
      PARTITION BY cells.method, cells.suite, cells.system, cells.kind
      ORDER BY MAX(cells.is_in_gap), MIN(cells.item_count), cells.cell
    ) AS place /* what the matched gap shows too is the last to serve as cover */
  FROM measures.sealed_cells AS cells
  INNER JOIN splits.withholding_rules AS rules
    ON cells.suite = rules.suite
  GROUP BY cells.method, cells.suite, cells.system, cells.kind, cells.cell
), withheld_sums AS (
  SELECT ordered.method, ordered.suite, ordered.system, ordered.kind, ordered.place, cells.track_group, SUM(cells.item_count) AS item_count
  FROM smallest_first AS ordered
  INNER JOIN smallest_first AS earlier
    ON ordered.method = earlier.method AND ordered.suite = earlier.suite AND ordered.system = earlier.system
    AND ordered.kind = earlier.kind AND earlier.place <= ordered.place
  INNER JOIN measures.sealed_cells AS cells
    ON earlier.method = cells.method AND earlier.suite = cells.suite AND earlier.system = cells.system
    AND earlier.kind = cells.kind AND earlier.cell = cells.cell
  GROUP BY ordered.method, ordered.suite, ordered.system, ordered.kind, ordered.place, cells.track_group
), least_sums AS (
  SELECT method, suite, system, kind, place, MIN(item_count) AS least_sum
  FROM withheld_sums
  GROUP BY method, suite, system, kind, place
), last_small AS (
  SELECT method, suite, system, kind, MAX(place) AS place
  FROM smallest_first
  WHERE least_count < suppress_below_items
  GROUP BY method, suite, system, kind
), cuts AS (
  SELECT
    ordered.method,
    ordered.suite,
    ordered.system,
    ordered.kind,
    COALESCE(
      MIN(CASE WHEN ordered.place >= last_small.place AND sums.least_sum >= ordered.suppress_below_items THEN ordered.place END),
      MAX(ordered.place)
    ) AS place
  FROM smallest_first AS ordered
  INNER JOIN last_small
    USING (method, suite, system, kind)
  INNER JOIN least_sums AS sums
    ON ordered.method = sums.method AND ordered.suite = sums.suite AND ordered.system = sums.system
    AND ordered.kind = sums.kind AND ordered.place = sums.place
  GROUP BY ordered.method, ordered.suite, ordered.system, ordered.kind
)
SELECT
  ordered.method, /* set of scoring parameters */
  ordered.suite, /* benchmark, with its version */
  ordered.system, /* entrant */
  ordered.kind, /* family, outcome or bin */
  ordered.cell, /* the family, state or bin */
  ordered.is_in_gap = 1 AS is_in_gap /* the matched gap would show it too */
FROM smallest_first AS ordered
INNER JOIN cuts
  ON ordered.method = cuts.method AND ordered.suite = cuts.suite AND ordered.system = cuts.system
  AND ordered.kind = cuts.kind AND ordered.place <= cuts.place
