MODEL (
  name documents.split_quality,
  kind FULL,
  description 'Boundaries and segments pooled over all frozen packets. Grain: run_id, system.',
  grain (run_id, system),
  audits (
    unique_grain(columns := (run_id, system)),
    accepted_range(column := boundary_f1, min_v := 0, max_v := 1),
    accepted_range(column := segment_f1, min_v := 0, max_v := 1)
  )
);

WITH pooled AS (
  SELECT
    run_id,
    system,
    COUNT(*) AS total_packets,
    COUNT(CASE WHEN is_exact THEN 1 END) AS exact_packets,
    COUNT(CASE WHEN is_covered THEN 1 END) AS covered_packets,
    SUM(matched_boundaries)::BIGINT AS matched_boundaries,
    SUM(predicted_boundaries)::BIGINT AS predicted_boundaries,
    SUM(actual_boundaries)::BIGINT AS actual_boundaries,
    SUM(matched_segments)::BIGINT AS matched_segments,
    SUM(predicted_segments)::BIGINT AS predicted_segments,
    SUM(actual_segments)::BIGINT AS actual_segments,
    SUM(same_category_found)::BIGINT AS same_category_found,
    SUM(same_category_actual)::BIGINT AS same_category_actual
  FROM documents.packet_matches
  GROUP BY run_id, system
)
SELECT
  run_id, /* recorded execution */
  system, /* entrant */
  total_packets, /* frozen packets: the denominator */
  exact_packets, /* packets with every document right and none more */
  exact_packets / CAST(total_packets AS DOUBLE) AS packet_exact_match, /* exact_packets / total_packets, share */
  covered_packets, /* packets with each page once, in order */
  covered_packets / CAST(total_packets AS DOUBLE) AS coverage_validity, /* covered_packets / total_packets, share */
  matched_boundaries, /* boundaries both true and predicted */
  predicted_boundaries, /* boundaries predicted, page one never counted */
  actual_boundaries, /* true boundaries, page one never counted */
  @precision_of(matched_boundaries, predicted_boundaries, actual_boundaries) AS boundary_precision, /* matched / predicted boundaries, share */
  @recall_of(matched_boundaries, actual_boundaries) AS boundary_recall, /* matched / true boundaries, share */
  @f1_of(matched_boundaries, predicted_boundaries, actual_boundaries) AS boundary_f1, /* 2 matched / (predicted + true), share */
  matched_segments, /* documents with the true pages and category */
  predicted_segments, /* documents predicted */
  actual_segments, /* true documents */
  @precision_of(matched_segments, predicted_segments, actual_segments) AS segment_precision, /* matched / predicted segments, share */
  @recall_of(matched_segments, actual_segments) AS segment_recall, /* matched / true segments, share */
  @f1_of(matched_segments, predicted_segments, actual_segments) AS segment_f1, /* 2 matched / (predicted + true), share */
  same_category_found, /* same-category boundaries predicted */
  same_category_actual, /* true boundaries between two documents of one category */
  same_category_found / CAST(NULLIF(same_category_actual, 0) AS DOUBLE) AS same_category_boundary_recall /* found / true; NULL where the truth has none, share */
FROM pooled
