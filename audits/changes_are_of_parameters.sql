/* A change of a parameter that no method has would silently change nothing. */
AUDIT (name changes_are_of_parameters);

SELECT changes.*
FROM frozen.sensitivity_changes AS changes
LEFT JOIN @this_model AS known
  ON changes.variant = known.variant
  AND changes.parameter = known.parameter
  AND changes.applies_to IS NOT DISTINCT FROM known.applies_to
WHERE
  changes.parameter IS NOT NULL
  AND (known.parameter IS NULL OR changes.value IS NULL OR changes.operation NOT IN ('set', 'scale'));
