/* Every exposure is of a known kind and of an item that exists. */
AUDIT (name exposures_known);

SELECT exposures.suite, exposures.item_id, exposures.kind
FROM staging.exposures AS exposures
LEFT JOIN frozen.exposure_kinds AS kinds
  ON exposures.kind = kinds.kind
LEFT JOIN staging.items AS items
  ON exposures.suite = items.suite AND exposures.item_id = items.item_id
WHERE kinds.kind IS NULL OR items.item_id IS NULL;
