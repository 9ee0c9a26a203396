MODEL (
  name frozen.latency_adjustments,
  kind FULL,
  description 'How measured latency is adjusted for where a system runs. Grain: method, endpoint_kind.',
  grain (method, endpoint_kind),
  audits (
    unique_grain(columns := (method, endpoint_kind)),
    no_null_anywhere()
  )
);

SELECT
  method, /* set of scoring parameters */
  applies_to AS endpoint_kind, /* hosted, self_hosted or demo */
  @parameter(latency_factor, DOUBLE) AS latency_factor, /* adjusted = factor x seconds + addend, ratio */
  @parameter(latency_addend_s, DOUBLE) AS latency_addend_s /* adjusted = factor x seconds + addend, s */
FROM frozen.method_parameters
WHERE
  applies_to IS NOT NULL
GROUP BY
  method,
  applies_to
