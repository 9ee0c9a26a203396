MODEL (
  name documents.packet_matches,
  kind FULL,
  description 'What a packet and its first-pass prediction have in common: boundaries without page one, and exact segments. Grain: run_id, system, item_id.',
  grain (run_id, system, item_id),
  audits (
    unique_grain(columns := (run_id, system, item_id)),
    not_null(columns := (is_covered, is_exact))
  )
);

WITH true_segments AS (
  SELECT
    suite,
    item_id,
    category,
    first_page,
    last_page,
    first_page > 1 AS is_boundary,
    category = LAG(category) OVER (PARTITION BY suite, item_id ORDER BY segment) AS is_same_category
  FROM staging.item_segments
), matched AS (
  SELECT
    packets.run_id,
    packets.system,
    packets.item_id,
    COUNT(*) AS actual_segments,
    COUNT(CASE WHEN truth.category = predicted.category AND truth.last_page = predicted.last_page THEN 1 END) AS matched_segments,
    COUNT(CASE WHEN truth.is_boundary THEN 1 END) AS actual_boundaries,
    COUNT(CASE WHEN truth.is_boundary THEN predicted.segment END) AS matched_boundaries,
    COUNT(CASE WHEN truth.is_same_category THEN 1 END) AS same_category_actual,
    COUNT(CASE WHEN truth.is_same_category THEN predicted.segment END) AS same_category_found
  FROM documents.first_passes AS packets
  INNER JOIN true_segments AS truth
    ON packets.suite = truth.suite AND packets.item_id = truth.item_id
  LEFT JOIN documents.predicted_segments AS predicted
    ON packets.run_id = predicted.run_id
    AND packets.system = predicted.system
    AND packets.item_id = predicted.item_id
    AND truth.first_page = predicted.first_page
  WHERE packets.task = 'split'
  GROUP BY packets.run_id, packets.system, packets.item_id
), predictions AS (
  SELECT run_id, system, item_id, COUNT(*) AS predicted_segments
  FROM documents.predicted_segments
  GROUP BY run_id, system, item_id
)
SELECT
  matched.run_id, /* recorded execution */
  matched.system, /* entrant */
  matched.item_id, /* packet */
  matched.actual_boundaries, /* true boundaries inside the packet */
  COALESCE(predictions.predicted_segments - 1, 0) AS predicted_boundaries, /* boundaries predicted inside it */
  matched.matched_boundaries, /* boundaries that are both, whatever the categories */
  matched.same_category_actual, /* true boundaries between two documents of one category */
  matched.same_category_found, /* those among the predicted boundaries */
  matched.actual_segments, /* true documents in the packet */
  COALESCE(predictions.predicted_segments, 0) AS predicted_segments, /* documents predicted */
  matched.matched_segments, /* documents with the same pages and category */
  predictions.run_id IS NOT NULL AS is_covered, /* covered in the first pass */
  matched.matched_segments = matched.actual_segments AND COALESCE(predictions.predicted_segments, 0) = matched.actual_segments AS is_exact /* every document right and none more */
FROM matched
LEFT JOIN predictions
  ON matched.run_id = predictions.run_id
  AND matched.system = predictions.system
  AND matched.item_id = predictions.item_id
