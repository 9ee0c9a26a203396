MODEL (
  name frozen.methods,
  kind FULL,
  description 'Scoring parameters, one column each. Grain: method.',
  grain (method),
  audits (
    unique_grain(columns := (method)),
    weights_sum_to_one(weights := (public_weight, sealed_weight)),
    weights_sum_to_one(weights := (intelligence_weight, calibration_weight, speed_weight, cost_weight)),
    no_null_anywhere()
  )
);

SELECT
  method, /* set of scoring parameters */
  @parameter(public_weight, DOUBLE) AS public_weight, /* weight of the public part, share */
  @parameter(sealed_weight, DOUBLE) AS sealed_weight, /* weight of the sealed part, share */
  @parameter(matched_family_min_items, BIGINT) AS matched_family_min_items, /* least items in both parts of a matched family, items */
  @parameter(gap_allowance_pp, DOUBLE) AS gap_allowance_pp, /* matched gap that costs nothing, pp */
  @parameter(gap_scale_pp, DOUBLE) AS gap_scale_pp, /* excess gap at which Intelligence reaches zero, pp */
  @parameter(ece_bins, BIGINT) AS ece_bins, /* equal-width bins of the ECE, bins */
  @parameter(bin_edges, TEXT) AS bin_edges, /* right_closed or left_closed bins of the ECE */
  @parameter(ece_worst, DOUBLE) AS ece_worst, /* ECE at which a part scores zero, share */
  @parameter(probability_sum_tolerance, DOUBLE) AS probability_sum_tolerance, /* how far an answer's probabilities may sum from 1, share */
  @parameter(tie_rule, TEXT) AS tie_rule, /* first_option or any_top_option may be the answer on a tie */
  @parameter(confidence_rule, TEXT) AS confidence_rule, /* normalised (divided by the answer's sum) or as_given */
  @parameter(percentile_rule, TEXT) AS percentile_rule, /* nearest_rank or linear, for the upper quantile */
  @parameter(upper_quantile, DOUBLE) AS upper_quantile, /* upper latency quantile, share */
  @parameter(latency_reference_s, DOUBLE) AS latency_reference_s, /* adjusted latency that earns 100 points, s */
  @parameter(latency_points_per_decade, DOUBLE) AS latency_points_per_decade, /* points lost per tenfold latency, points */
  @parameter(cost_reference_usd_per_1000, DOUBLE) AS cost_reference_usd_per_1000, /* unit cost that earns 100 points, USD per 1,000 decisions */
  @parameter(cost_points_per_decade, DOUBLE) AS cost_points_per_decade, /* points lost per tenfold cost, points */
  @parameter(intelligence_weight, DOUBLE) AS intelligence_weight, /* weight in the harmonic mean, share */
  @parameter(calibration_weight, DOUBLE) AS calibration_weight, /* weight in the harmonic mean, share */
  @parameter(speed_weight, DOUBLE) AS speed_weight, /* weight in the harmonic mean, share */
  @parameter(cost_weight, DOUBLE) AS cost_weight, /* weight in the harmonic mean, share */
  @parameter(gate_threshold, DOUBLE) AS gate_threshold, /* axis below which a gate bites, points */
  @parameter(gate_exponent, DOUBLE) AS gate_exponent /* gate = (axis / threshold) ^ exponent */
FROM frozen.method_parameters
WHERE
  method IN (SELECT method FROM frozen.boards)
GROUP BY
  method
