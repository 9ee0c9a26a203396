MODEL (
  name sensitivity.methods,
  kind FULL,
  description 'The parameters that the axes and the composite use, under every variant. Grain: method, variant.',
  grain (method, variant),
  audits (
    unique_grain(columns := (method, variant)),
    weights_sum_to_one(weights := (public_weight, sealed_weight)),
    weights_sum_to_one(weights := (intelligence_weight, calibration_weight, speed_weight, cost_weight)),
    no_null_anywhere()
  )
);

SELECT
  method, /* set of scoring parameters */
  variant, /* what-if variant */
  @parameter(public_weight, DOUBLE) AS public_weight, /* weight of the public part, share */
  @parameter(sealed_weight, DOUBLE) AS sealed_weight, /* weight of the sealed part, share */
  @parameter(gap_allowance_pp, DOUBLE) AS gap_allowance_pp, /* matched gap that costs nothing, pp */
  @parameter(gap_scale_pp, DOUBLE) AS gap_scale_pp, /* excess gap at which Intelligence reaches zero, pp */
  @parameter(ece_worst, DOUBLE) AS ece_worst, /* ECE at which a part scores zero, share */
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
FROM sensitivity.parameters
GROUP BY
  method,
  variant
