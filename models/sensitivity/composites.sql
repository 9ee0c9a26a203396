MODEL (
  name sensitivity.composites,
  kind FULL,
  description 'The composite of every entrant under every variant; as_scored must equal axes.composite. Grain: method, variant, suite, track, system.',
  depends_on (axes.composite), /* read by the audits */
  grain (method, variant, suite, track, system),
  audits (
    unique_grain(columns := (method, variant, suite, track, system)),
    accepted_range(column := composite, min_v := 0, max_v := 100),
    as_scored_equals_the_axes()
  )
);

SELECT
  method, /* set of scoring parameters */
  variant, /* what-if variant */
  a.suite, /* benchmark, with its version */
  a.track, /* board track */
  a.system, /* entrant */
  a.intelligence, /* axis, points */
  a.calibration, /* axis, points */
  a.speed, /* axis, points */
  a.cost, /* axis, points */
  @harmonic_mean(
    (a.intelligence, a.calibration, a.speed, a.cost),
    (m.intelligence_weight, m.calibration_weight, m.speed_weight, m.cost_weight)
  )
  * @gate(a.intelligence, m.gate_threshold, m.gate_exponent)
  * @gate(a.speed, m.gate_threshold, m.gate_exponent)
  * @gate(a.cost, m.gate_threshold, m.gate_exponent) AS composite /* harmonic mean x gates, points */
FROM sensitivity.axes AS a
INNER JOIN sensitivity.methods AS m
  USING (method, variant)
