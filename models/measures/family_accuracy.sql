MODEL (
  name measures.family_accuracy,
  kind FULL,
  description 'Accuracy of an entrant on a family within a part. Grain: method, suite, track, system, family, part.',
  grain (method, suite, track, system, family, part),
  audits (
    unique_grain(columns := (method, suite, track, system, family, part)),
    no_null_anywhere()
  )
);

SELECT
  outcomes.method, /* set of scoring parameters */
  outcomes.suite, /* benchmark, with its version */
  items.track, /* board track */
  outcomes.system, /* entrant */
  outcomes.family, /* kind of question */
  outcomes.part, /* public or sealed */
  COUNT(*) AS item_count, /* frozen items: the denominator, items */
  COUNT(CASE WHEN outcomes.is_correct THEN 1 END) AS correct_count, /* right answers, items */
  CAST(COUNT(CASE WHEN outcomes.is_correct THEN 1 END) AS DOUBLE) / COUNT(*) AS accuracy /* right answers / frozen items, share */
FROM outcomes.item_outcomes AS outcomes
INNER JOIN splits.board_items AS items
  ON outcomes.suite = items.suite AND outcomes.item_id = items.item_id
GROUP BY
  outcomes.method,
  outcomes.suite,
  items.track,
  outcomes.system,
  outcomes.family,
  outcomes.part
