MODEL (
  name axes.calibration,
  kind FULL,
  description 'How well probabilities match hits, scaled by the share of items with a valid probability answer; 0 without categorical probabilities. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    accepted_range(column := calibration, min_v := 0, max_v := 100)
  )
);

WITH part_scores AS (
  SELECT
    p.method,
    p.suite,
    p.track,
    p.system,
    p.part,
    @calibration_points(i.probability_kind, p.ece, m.ece_worst, p.probability_coverage) AS score
  FROM measures.part_ingredients AS p
  INNER JOIN frozen.methods AS m
    ON p.method = m.method
  INNER JOIN measures.ingredients AS i
    ON p.method = i.method AND p.suite = i.suite AND p.track = i.track AND p.system = i.system
), by_part AS (
  SELECT
    method,
    suite,
    track,
    system,
    MAX(CASE WHEN part = 'public' THEN score END) AS public_calibration,
    MAX(CASE WHEN part = 'sealed' THEN score END) AS sealed_calibration
  FROM part_scores
  GROUP BY
    method,
    suite,
    track,
    system
)
SELECT
  s.method, /* set of scoring parameters */
  s.suite, /* benchmark, with its version */
  s.track, /* board track */
  s.system, /* entrant */
  s.public_calibration, /* (1 - ECE / worst ECE) x coverage of the public part, points */
  s.sealed_calibration, /* (1 - ECE / worst ECE) x coverage of the sealed part, points */
  m.public_weight * s.public_calibration + m.sealed_weight * s.sealed_calibration AS calibration /* weighted mean of the parts, points */
FROM by_part AS s
INNER JOIN frozen.methods AS m
  ON s.method = m.method
