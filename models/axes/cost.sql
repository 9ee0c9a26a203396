MODEL (
  name axes.cost,
  kind FULL,
  description 'Points for the unit cost, scaled by the share of items whose cost is known. Unknown cost, or a zero without a stated reason, makes it unknown. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    accepted_range(column := cost, min_v := 0, max_v := 100)
  )
);

WITH zero_price_reasons AS (
  SELECT DISTINCT suite, system FROM frozen.disclosures WHERE kind = 'zero_price'
), points AS (
  SELECT
    i.method,
    i.suite,
    i.track,
    i.system,
    i.usd_per_1000,
    i.receipt_coverage,
    CASE
      WHEN i.usd_per_1000 > 0 THEN @decade_points(i.usd_per_1000, m.cost_reference_usd_per_1000, m.cost_points_per_decade)
      WHEN i.usd_per_1000 = 0 AND reasons.system IS NOT NULL THEN 100
    END AS cost_points
  FROM measures.ingredients AS i
  INNER JOIN frozen.methods AS m
    ON i.method = m.method
  LEFT JOIN zero_price_reasons AS reasons
    ON i.suite = reasons.suite AND i.system = reasons.system
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  usd_per_1000, /* unit cost; NULL when unknown, USD per 1,000 decisions */
  receipt_coverage, /* items with a known cost / frozen items, share */
  cost_points, /* 100 - points per decade x log10(unit cost / reference), between 0 and 100, points */
  cost_points * receipt_coverage AS cost /* points x receipt coverage, points */
FROM points
