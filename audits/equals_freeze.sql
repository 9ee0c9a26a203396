/* Counts and hashes of the items per track, part, family and difficulty are those that were committed. */
AUDIT (name equals_freeze);

WITH found AS (
  SELECT
    suite, track, part, family, difficulty,
    COUNT(*) AS item_count,
    @sha256_of_lines(item_id || ':' || content_sha256, item_id) AS items_sha256
  FROM @this_model
  GROUP BY suite, track, part, family, difficulty
), promised AS (
  SELECT suite, track, part, family, difficulty, item_count, items_sha256
  FROM frozen.freezes
  WHERE suite IN (SELECT suite FROM @this_model)
)
SELECT
  suite, track, part, family, difficulty,
  promised.item_count AS promised_items,
  found.item_count AS found_items
FROM promised
FULL JOIN found
  USING (suite, track, part, family, difficulty)
WHERE promised.items_sha256 IS DISTINCT FROM found.items_sha256
  OR promised.item_count IS DISTINCT FROM found.item_count;
