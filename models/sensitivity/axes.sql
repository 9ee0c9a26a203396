MODEL (
  name sensitivity.axes,
  kind FULL,
  description 'The four axes of every entrant under every variant, by the formulas of axes.*. Grain: method, variant, suite, track, system.',
  grain (method, variant, suite, track, system),
  audits (
    unique_grain(columns := (method, variant, suite, track, system)),
    accepted_range(column := intelligence, min_v := 0, max_v := 100),
    accepted_range(column := speed, min_v := 0, max_v := 100),
    accepted_range(column := cost, min_v := 0, max_v := 100)
  )
);

WITH points AS (
  SELECT
    m.*,
    p.suite,
    p.track,
    p.system,
    p.base * @overfit_factor(i.matched_gap_pp, m.gap_allowance_pp, m.gap_scale_pp) AS intelligence,
    p.calibration,
    @decade_points(e.latency_factor * i.p50_s + e.latency_addend_s, m.latency_reference_s, m.latency_points_per_decade) AS p50_points,
    @decade_points(e.latency_factor * i.upper_s + e.latency_addend_s, m.latency_reference_s, m.latency_points_per_decade) AS p95_points,
    CASE
      WHEN i.usd_per_1000 > 0 THEN @decade_points(e.price_factor * COALESCE(s.cost_ratio, 1) * i.usd_per_1000, m.cost_reference_usd_per_1000, m.cost_points_per_decade)
      ELSE k.cost_points
    END AS cost_points,
    i.receipt_coverage
  FROM sensitivity.parts AS p
  INNER JOIN measures.ingredients AS i
    ON p.method = i.method AND p.suite = i.suite AND p.track = i.track AND p.system = i.system
  INNER JOIN axes.cost AS k
    ON p.method = k.method AND p.suite = k.suite AND p.track = k.track AND p.system = k.system
  INNER JOIN sensitivity.methods AS m
    ON p.method = m.method AND p.variant = m.variant
  INNER JOIN sensitivity.variants AS v
    ON p.variant = v.variant
  LEFT JOIN sensitivity.snapshot_costs AS s
    ON v.price_snapshot = s.price_snapshot AND p.suite = s.suite AND p.track = s.track AND p.system = s.system
  INNER JOIN sensitivity.endpoints AS e
    ON p.method = e.method AND p.variant = e.variant AND i.endpoint_kind = e.endpoint_kind
)
SELECT
  method, /* set of scoring parameters */
  variant, /* what-if variant */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  intelligence, /* axis, points */
  calibration, /* axis, points */
  (p50_points + p95_points) / 2 AS speed, /* axis, points */
  cost_points * receipt_coverage AS cost /* axis, points */
FROM points
