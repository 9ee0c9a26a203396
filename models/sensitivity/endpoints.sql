MODEL (
  name sensitivity.endpoints,
  kind FULL,
  description 'How latency and unit cost count for where a system runs, under every variant. Grain: method, variant, endpoint_kind.',
  grain (method, variant, endpoint_kind),
  audits (
    unique_grain(columns := (method, variant, endpoint_kind)),
    no_null_anywhere()
  )
);

SELECT
  method, /* set of scoring parameters */
  variant, /* what-if variant */
  applies_to AS endpoint_kind, /* hosted, self_hosted or demo */
  @parameter(latency_factor, DOUBLE) AS latency_factor, /* adjusted = factor x seconds + addend, ratio */
  @parameter(latency_addend_s, DOUBLE) AS latency_addend_s, /* adjusted = factor x seconds + addend, s */
  @parameter(price_factor, DOUBLE) AS price_factor /* unit cost under the variant / unit cost, ratio */
FROM sensitivity.parameters
WHERE
  applies_to IS NOT NULL
GROUP BY
  method,
  variant,
  applies_to
