MODEL (
  name axes.intelligence,
  kind FULL,
  description 'Chance-corrected accuracy of both parts, less the penalty for a gap over matched families. A part that the suite lacks makes it unknown. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    accepted_range(column := intelligence, min_v := 0, max_v := 100),
    accepted_range(column := overfit_factor, min_v := 0, max_v := 1)
  )
);

WITH part_scores AS (
  SELECT
    method,
    suite,
    track,
    system,
    MAX(CASE WHEN part = 'public' THEN @chance_corrected(accuracy, chance_rate) END) AS public_score,
    MAX(CASE WHEN part = 'sealed' THEN @chance_corrected(accuracy, chance_rate) END) AS sealed_score
  FROM measures.part_ingredients
  GROUP BY
    method,
    suite,
    track,
    system
), combined AS (
  SELECT
    s.method,
    s.suite,
    s.track,
    s.system,
    s.public_score,
    s.sealed_score,
    i.matched_gap_pp,
    m.public_weight * s.public_score + m.sealed_weight * s.sealed_score AS weighted_score,
    @overfit_factor(i.matched_gap_pp, m.gap_allowance_pp, m.gap_scale_pp) AS overfit_factor
  FROM part_scores AS s
  INNER JOIN frozen.methods AS m
    ON s.method = m.method
  INNER JOIN measures.ingredients AS i
    ON s.method = i.method AND s.suite = i.suite AND s.track = i.track AND s.system = i.system
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  public_score, /* 100 x (accuracy - chance) / (1 - chance) of the public part, points */
  sealed_score, /* 100 x (accuracy - chance) / (1 - chance) of the sealed part, points */
  matched_gap_pp, /* mean of the matched families' gaps, weighted by n_public x n_sealed / (n_public + n_sealed); NULL when the track has none, pp */
  overfit_factor, /* 1 - (matched gap - allowance) / scale, between 0 and 1; 1 without a matched family, ratio */
  @clamp_points(weighted_score) AS base, /* weighted mean of the part scores, not below 0, points */
  @clamp_points(weighted_score) * overfit_factor AS intelligence /* base x overfit factor, points */
FROM combined
