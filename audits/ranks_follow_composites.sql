/* A rank is one more than the number of better composites on the same board. */
AUDIT (name ranks_follow_composites);

SELECT row_.method, row_.suite, row_.track, row_.system, row_.rank, COUNT(better.system) + 1 AS right_rank
FROM @this_model AS row_
LEFT JOIN @this_model AS better
  ON row_.method = better.method AND row_.suite = better.suite AND row_.track = better.track
  AND better.ranked AND better.composite > row_.composite
WHERE row_.ranked
GROUP BY row_.method, row_.suite, row_.track, row_.system, row_.rank
HAVING row_.rank <> COUNT(better.system) + 1;
