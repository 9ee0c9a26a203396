/* A suite that somebody entered has frozen items: no item is never zero correct. */
AUDIT (name suite_has_items);

SELECT suite, system
FROM @this_model
WHERE suite NOT IN (SELECT suite FROM splits.board_items);
