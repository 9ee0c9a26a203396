MODEL (
  name documents.coverage,
  kind FULL,
  description 'The one decision whether a split call covered its packet: every page once, in order. Grain: run_id, observation_id.',
  grain (run_id, observation_id),
  audits (
    unique_grain(columns := (run_id, observation_id)),
    not_null(columns := (is_covered))
  )
);

WITH returned_pages AS (
  SELECT
    run_id,
    observation_id,
    page,
    category,
    ROW_NUMBER() OVER (PARTITION BY run_id, observation_id ORDER BY segment, page_position) AS place
  FROM staging.page_predictions
), returned_packets AS (
  SELECT
    run_id,
    observation_id,
    COUNT(*) AS returned_places,
    COUNT(CASE WHEN page = place AND category IS NOT NULL THEN 1 END) AS places_in_order
  FROM returned_pages
  GROUP BY
    run_id,
    observation_id
)
SELECT
  observations.run_id, /* recorded execution */
  observations.observation_id, /* planned invocation of a split */
  items.page_count, /* pages of the packet, pages */
  COALESCE(packets.returned_places, 0) AS returned_places, /* pages returned, doubles and empty segments counted, pages */
  COALESCE(packets.places_in_order = items.page_count AND packets.returned_places = items.page_count, FALSE) AS is_covered /* every page exactly once, in order, with a category */
FROM staging.observations AS observations
INNER JOIN staging.items AS items
  ON observations.suite = items.suite AND observations.item_id = items.item_id AND items.task = 'split'
LEFT JOIN returned_packets AS packets
  ON observations.run_id = packets.run_id AND observations.observation_id = packets.observation_id
