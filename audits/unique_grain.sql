/* Rows that share a grain. NULL counts as a value. */
AUDIT (name unique_grain);

SELECT @EACH(@columns, c -> c), COUNT(*) AS row_count
FROM @this_model
GROUP BY @EACH(@columns, c -> c)
HAVING COUNT(*) > 1;
