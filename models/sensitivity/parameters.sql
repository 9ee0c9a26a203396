MODEL (
  name sensitivity.parameters,
  kind FULL,
  description 'Parameters of every method under every variant, one a row. Grain: method, variant, parameter, applies_to.',
  grain (method, variant, parameter, applies_to),
  audits (
    unique_grain(columns := (method, variant, parameter, applies_to)),
    not_null(columns := (method, variant, parameter)),
    changes_are_of_parameters()
  )
);

WITH stated AS (
  SELECT method, parameter, applies_to, value
  FROM frozen.method_parameters
  WHERE method IN (SELECT method FROM frozen.boards)
  UNION ALL
  SELECT method, 'price_factor', endpoint_kind, '1'
  FROM frozen.latency_adjustments
  WHERE method IN (SELECT method FROM frozen.boards)
)
SELECT
  stated.method, /* set of scoring parameters */
  variants.variant, /* what-if variant */
  stated.parameter, /* name of the parameter */
  stated.applies_to, /* endpoint kind that it is for; NULL for all */
  CASE changes.operation
    WHEN 'set' THEN CAST(changes.value AS TEXT)
    WHEN 'scale' THEN CAST(CAST(stated.value AS DOUBLE) * changes.value AS TEXT)
    ELSE stated.value
  END AS value /* number or word under the variant */
FROM stated
CROSS JOIN sensitivity.variants AS variants
LEFT JOIN frozen.sensitivity_changes AS changes
  ON variants.variant = changes.variant
  AND stated.parameter = changes.parameter
  AND stated.applies_to IS NOT DISTINCT FROM changes.applies_to
