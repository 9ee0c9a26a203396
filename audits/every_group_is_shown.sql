/* Every task of every system of a current run is on the board, also when nothing was recorded of it. */
AUDIT (name every_group_is_shown);

SELECT groups.run_id, groups.task, groups.system
FROM documents.groups AS groups
INNER JOIN outcomes.run_standing AS standing
  ON groups.run_id = standing.run_id AND groups.system = standing.system AND standing.standing = 'current'
LEFT JOIN @this_model AS shown
  ON groups.run_id = shown.run_id AND groups.task = shown.task AND groups.system = shown.system
WHERE shown.run_id IS NULL;
