/* Every scored call is of an item that exists: a join on a wrong id must not lose rows silently. */
AUDIT (name calls_are_of_frozen_items);

SELECT calls.run_id, calls.observation_id, calls.item_id
FROM @this_model AS calls
LEFT JOIN splits.item_parts AS parts
  ON calls.suite = parts.suite AND calls.item_id = parts.item_id
WHERE parts.item_id IS NULL;
