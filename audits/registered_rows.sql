/* The table shows exactly as many rows as the register promises. */
AUDIT (name registered_rows);

WITH promised AS (
  SELECT COALESCE(SUM(row_count), 0) AS row_count FROM frozen.evidence WHERE table_name = @table_name
), found AS (
  SELECT COUNT(*) AS row_count FROM @this_model
)
SELECT promised.row_count AS promised_rows, found.row_count AS found_rows
FROM promised, found
WHERE promised.row_count <> found.row_count;
