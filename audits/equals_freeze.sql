/* Counts and hashes of the items per track, part, family and difficulty are those that were committed. It binds
   what is scored: a frozen suite on a board, and every suite that a system entered. A suite may be prepared before. */
AUDIT (name equals_freeze);

WITH bound AS (
  SELECT suite FROM frozen.boards WHERE suite IN (SELECT suite FROM frozen.freezes)
  UNION
  SELECT systems.suite
  FROM staging.systems AS systems
  LEFT JOIN frozen.boards AS boards ON systems.suite = boards.suite
  INNER JOIN staging.items AS items ON systems.suite = items.suite
  WHERE boards.suite IS NOT NULL OR items.task <> 'choice'
), found AS (
  SELECT
    suite, track, part, family, difficulty,
    COUNT(*) AS item_count,
    @sha256_of_lines(item_id || ':' || content_sha256, item_id) AS items_sha256
  FROM @this_model
  WHERE suite IN (SELECT suite FROM bound)
  GROUP BY suite, track, part, family, difficulty
), promised AS (
  SELECT suite, track, part, family, difficulty, item_count, items_sha256
  FROM frozen.freezes
  WHERE suite IN (SELECT suite FROM @this_model) AND suite IN (SELECT suite FROM bound)
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
