MODEL (
  name axes.speed,
  kind FULL,
  description 'Points for median and upper latency, after the adjustment for where the system runs. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    accepted_range(column := speed, min_v := 0, max_v := 100)
  )
);

WITH adjusted AS (
  SELECT
    i.method,
    i.suite,
    i.track,
    i.system,
    i.p50_s,
    i.upper_s,
    a.latency_factor * i.p50_s + a.latency_addend_s AS adjusted_p50_s,
    a.latency_factor * i.upper_s + a.latency_addend_s AS adjusted_p95_s,
    m.latency_reference_s,
    m.latency_points_per_decade
  FROM measures.ingredients AS i
  INNER JOIN frozen.methods AS m
    ON i.method = m.method
  LEFT JOIN frozen.latency_adjustments AS a
    ON i.method = a.method AND i.endpoint_kind = a.endpoint_kind
), points AS (
  SELECT
    *,
    @decade_points(adjusted_p50_s, latency_reference_s, latency_points_per_decade) AS p50_points,
    @decade_points(adjusted_p95_s, latency_reference_s, latency_points_per_decade) AS p95_points
  FROM adjusted
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  p50_s, /* median as measured, s */
  upper_s AS p95_s, /* upper quantile as measured, s */
  adjusted_p50_s, /* factor x seconds + addend, s */
  adjusted_p95_s, /* factor x seconds + addend, s */
  p50_points, /* 100 - points per decade x log10(adjusted / reference), between 0 and 100, points */
  p95_points, /* 100 - points per decade x log10(adjusted / reference), between 0 and 100, points */
  (p50_points + p95_points) / 2 AS speed /* mean of the points of median and upper quantile, points */
FROM points
