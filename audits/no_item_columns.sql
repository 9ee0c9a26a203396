/* A published table has no row per item or per call: none of its columns is one of theirs. */
AUDIT (name no_item_columns);

WITH columns AS (
  SELECT DISTINCT UNNEST(JSON_KEYS(TO_JSON(row_))) AS column_name
  FROM (SELECT * FROM @this_model LIMIT 1) AS row_
)
SELECT column_name
FROM columns
WHERE column_name IN ('item_id', 'observation_id', 'gold', 'answer', 'prediction');
