/* Weights of one mean add up to 1. */
AUDIT (name weights_sum_to_one);

SELECT method, @REDUCE(@EACH(@weights, w -> w), (x, y) -> x + y) AS weight_sum
FROM @this_model
WHERE ABS(@REDUCE(@EACH(@weights, w -> w), (x, y) -> x + y) - 1) > 1e-12
  OR @REDUCE(@EACH(@weights, w -> w), (x, y) -> x + y) IS NULL;
