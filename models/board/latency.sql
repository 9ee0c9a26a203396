MODEL (
  name board.latency,
  kind FULL,
  description 'Latency of every entrant, raw and adjusted, with what it stands on. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system)),
    not_null(columns := (endpoint_kind, latency_factor))
  )
);

SELECT
  i.method, /* set of scoring parameters */
  i.suite, /* benchmark, with its version */
  i.track, /* board track */
  i.system, /* entrant */
  i.endpoint_kind, /* decides the adjustment */
  m.percentile_rule, /* nearest_rank or linear, for p95 */
  i.latency_samples, /* answered measured calls; NULL when not published, calls */
  i.p50_s, /* median as measured; NULL without an answered call, s */
  i.upper_s AS p95_s, /* upper quantile as measured; NULL without an answered call, s */
  a.latency_factor, /* adjusted = factor x seconds + addend, ratio */
  a.latency_addend_s, /* adjusted = factor x seconds + addend, s */
  s.adjusted_p50_s, /* adjusted median, s */
  s.adjusted_p95_s, /* adjusted upper quantile, s */
  s.p50_points, /* points of the adjusted median, points */
  s.p95_points /* points of the adjusted upper quantile, points */
FROM measures.ingredients AS i
INNER JOIN frozen.methods AS m
  ON i.method = m.method
INNER JOIN frozen.latency_adjustments AS a
  ON i.method = a.method AND i.endpoint_kind = a.endpoint_kind
INNER JOIN axes.speed AS s
  ON i.method = s.method AND i.suite = s.suite AND i.track = s.track AND i.system = s.system
