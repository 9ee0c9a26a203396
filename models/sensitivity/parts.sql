MODEL (
  name sensitivity.parts,
  kind FULL,
  description 'Intelligence before its penalty, and calibration, of every entrant under every variant. Grain: method, variant, suite, track, system.',
  grain (method, variant, suite, track, system),
  audits (
    unique_grain(columns := (method, variant, suite, track, system)),
    accepted_range(column := calibration, min_v := 0, max_v := 100)
  )
);

WITH part_points AS (
  SELECT
    m.method,
    m.variant,
    p.suite,
    p.track,
    p.system,
    p.part,
    CASE p.part WHEN 'public' THEN m.public_weight WHEN 'sealed' THEN m.sealed_weight END AS weight,
    @chance_corrected(p.accuracy, p.chance_rate) AS intelligence_points,
    @calibration_points(i.probability_kind, p.ece, m.ece_worst, p.probability_coverage) AS calibration_points
  FROM measures.part_ingredients AS p
  INNER JOIN measures.ingredients AS i
    ON p.method = i.method AND p.suite = i.suite AND p.track = i.track AND p.system = i.system
  INNER JOIN sensitivity.methods AS m
    ON p.method = m.method
), weighted AS (
  SELECT
    method,
    variant,
    suite,
    track,
    system,
    SUM(weight) AS weights,
    SUM(weight * intelligence_points) AS weighted_score,
    CASE WHEN COUNT(calibration_points) = COUNT(*) THEN SUM(weight * calibration_points) END AS calibration
  FROM part_points
  GROUP BY
    method,
    variant,
    suite,
    track,
    system
)
SELECT
  method, /* set of scoring parameters */
  variant, /* what-if variant */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  CASE WHEN ROUND(weights, 9) = 1 THEN @clamp_points(weighted_score) END AS base, /* weighted mean of the part scores; NULL when a part is missing, points */
  CASE WHEN ROUND(weights, 9) = 1 THEN calibration END AS calibration /* axis; NULL when a part is missing, points */
FROM weighted
