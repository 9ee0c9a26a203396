/* No entrant is lost between the measures and the board. */
AUDIT (name every_ingredient_row_is_shown);

SELECT i.method, i.suite, i.track, i.system
FROM measures.ingredients AS i
LEFT JOIN @this_model AS board USING (method, suite, track, system)
WHERE board.system IS NULL;
