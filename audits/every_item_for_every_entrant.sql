/* As many rows per method and entrant as the suite has frozen items. */
AUDIT (name every_item_for_every_entrant);

WITH promised AS (
  SELECT boards.method, entrants.suite, entrants.system, COUNT(*) AS item_count
  FROM outcomes.entrants AS entrants
  INNER JOIN frozen.boards AS boards ON entrants.suite = boards.suite
  INNER JOIN splits.board_items AS items ON entrants.suite = items.suite AND items.track = 'all'
  GROUP BY boards.method, entrants.suite, entrants.system
), found AS (
  SELECT method, suite, system, COUNT(*) AS item_count
  FROM @this_model
  GROUP BY method, suite, system
)
SELECT method, suite, system, promised.item_count AS promised_items, found.item_count AS found_items
FROM promised
FULL JOIN found USING (method, suite, system)
WHERE promised.item_count IS DISTINCT FROM found.item_count;
