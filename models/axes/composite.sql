MODEL (
  name axes.composite,
  kind FULL,
  description 'Weighted harmonic mean of the four axes, times the gates; 0 when an axis is 0, unknown when one is unknown. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    accepted_range(column := composite, min_v := 0, max_v := 100),
    accepted_range(column := gate_cost, min_v := 0, max_v := 1)
  )
);

WITH axes AS (
  SELECT
    method,
    suite,
    track,
    system,
    i.intelligence,
    c.calibration,
    s.speed,
    k.cost,
    @gate(i.intelligence, m.gate_threshold, m.gate_exponent) AS gate_intelligence,
    @gate(s.speed, m.gate_threshold, m.gate_exponent) AS gate_speed,
    @gate(k.cost, m.gate_threshold, m.gate_exponent) AS gate_cost,
    @harmonic_mean(
      (i.intelligence, c.calibration, s.speed, k.cost),
      (m.intelligence_weight, m.calibration_weight, m.speed_weight, m.cost_weight)
    ) AS harmonic_mean
  FROM axes.intelligence AS i
  INNER JOIN axes.calibration AS c USING (method, suite, track, system)
  INNER JOIN axes.speed AS s USING (method, suite, track, system)
  INNER JOIN axes.cost AS k USING (method, suite, track, system)
  INNER JOIN frozen.methods AS m USING (method)
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  intelligence, /* axis, points */
  calibration, /* axis, points */
  speed, /* axis, points */
  cost, /* axis, points */
  gate_intelligence, /* (axis / threshold) ^ exponent, at most 1, ratio */
  gate_speed, /* (axis / threshold) ^ exponent, at most 1, ratio */
  gate_cost, /* (axis / threshold) ^ exponent, at most 1, ratio */
  harmonic_mean, /* weighted harmonic mean of the axes, points */
  harmonic_mean * gate_intelligence * gate_speed * gate_cost AS composite /* harmonic mean x gates, points */
FROM axes
