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
    m.intelligence_weight / NULLIF(i.intelligence, 0)
    + m.calibration_weight / NULLIF(c.calibration, 0)
    + m.speed_weight / NULLIF(s.speed, 0)
    + m.cost_weight / NULLIF(k.cost, 0) AS weighted_reciprocals,
    POWER(LEAST(1, i.intelligence / m.gate_threshold), m.gate_exponent) AS gate_intelligence,
    POWER(LEAST(1, s.speed / m.gate_threshold), m.gate_exponent) AS gate_speed,
    POWER(LEAST(1, k.cost / m.gate_threshold), m.gate_exponent) AS gate_cost
  FROM axes.intelligence AS i
  INNER JOIN axes.calibration AS c USING (method, suite, track, system)
  INNER JOIN axes.speed AS s USING (method, suite, track, system)
  INNER JOIN axes.cost AS k USING (method, suite, track, system)
  INNER JOIN frozen.methods AS m USING (method)
), means AS (
  SELECT
    *,
    CASE
      WHEN intelligence * calibration * speed * cost IS NULL THEN NULL
      WHEN LEAST(intelligence, calibration, speed, cost) = 0 THEN 0
      ELSE 1 / weighted_reciprocals
    END AS harmonic_mean
  FROM axes
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
  CASE WHEN intelligence IS NOT NULL THEN gate_intelligence END AS gate_intelligence, /* (axis / threshold) ^ exponent, at most 1, ratio */
  CASE WHEN speed IS NOT NULL THEN gate_speed END AS gate_speed, /* (axis / threshold) ^ exponent, at most 1, ratio */
  CASE WHEN cost IS NOT NULL THEN gate_cost END AS gate_cost, /* (axis / threshold) ^ exponent, at most 1, ratio */
  harmonic_mean, /* weighted harmonic mean of the axes, points */
  harmonic_mean * gate_intelligence * gate_speed * gate_cost AS composite /* harmonic mean x gates, points */
FROM means
