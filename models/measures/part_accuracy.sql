MODEL (
  name measures.part_accuracy,
  kind FULL,
  description 'Accuracy of an entrant on a part, over all its frozen items. Grain: method, suite, track, system, part.',
  depends_on (splits.part_sizes), /* read by the audits */
  grain (method, suite, track, system, part),
  audits (
    unique_grain(columns := (method, suite, track, system, part)),
    not_null(columns := (item_count, correct_count)),
    denominator_is_the_freeze(),
    probability_coverage_within_part()
  )
);

SELECT
  outcomes.method, /* set of scoring parameters */
  outcomes.suite, /* benchmark, with its version */
  items.track, /* board track */
  outcomes.system, /* entrant */
  outcomes.part, /* public or sealed */
  COUNT(*) AS item_count, /* frozen items: the denominator, items */
  COUNT(CASE WHEN outcomes.is_correct THEN 1 END) AS correct_count, /* right answers, items */
  COUNT(CASE WHEN outcomes.is_valid_probability THEN 1 END) AS valid_probability_count, /* valid probability answers, items */
  CAST(COUNT(CASE WHEN outcomes.is_correct THEN 1 END) AS DOUBLE) / COUNT(*) AS accuracy, /* right answers / frozen items, share */
  CAST(COUNT(CASE WHEN outcomes.is_valid_probability THEN 1 END) AS DOUBLE) / COUNT(*) AS probability_coverage /* valid probability answers / frozen items, share */
FROM outcomes.item_outcomes AS outcomes
INNER JOIN splits.board_items AS items
  ON outcomes.suite = items.suite AND outcomes.item_id = items.item_id
GROUP BY
  outcomes.method,
  outcomes.suite,
  items.track,
  outcomes.system,
  outcomes.part
