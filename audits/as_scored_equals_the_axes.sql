/* The variant that changes nothing comes to the board's own composite, known or unknown, to the last digits. */
AUDIT (name as_scored_equals_the_axes);

SELECT scored.*
FROM axes.composite AS scored
LEFT JOIN @this_model AS variant
  ON variant.variant = 'as_scored'
  AND scored.method = variant.method
  AND scored.suite = variant.suite
  AND scored.track = variant.track
  AND scored.system = variant.system
WHERE
  (scored.composite IS NULL) <> (variant.composite IS NULL)
  OR @differs_by_more_than(scored.composite, variant.composite, 1e-9);
