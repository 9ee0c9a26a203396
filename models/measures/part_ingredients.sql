MODEL (
  name measures.part_ingredients,
  kind FULL,
  description 'What the axes need of each part, counted from calls or taken as published. Grain: method, suite, track, system, part.',
  grain (method, suite, track, system, part),
  audits (
    unique_grain(columns := (method, suite, track, system, part)),
    not_null(columns := (item_count, correct_count, chance_rate)),
    denominator_is_the_freeze(),
    accepted_range(column := ece, min_v := 0, max_v := 1),
    accepted_range(column := probability_coverage, min_v := 0, max_v := 1)
  )
);

WITH published AS (
  SELECT suite, track, system, 'public' AS part, public_n AS item_count, public_correct AS correct_count, public_ece AS ece, public_probability_coverage AS probability_coverage
  FROM staging.published_results
  UNION ALL
  SELECT suite, track, system, 'sealed', sealed_n, sealed_correct, sealed_ece, sealed_probability_coverage
  FROM staging.published_results
), combined AS (
  SELECT
    accuracy.method,
    accuracy.suite,
    accuracy.track,
    accuracy.system,
    accuracy.part,
    accuracy.item_count,
    accuracy.correct_count,
    calibration.valid_n,
    calibration.ece,
    accuracy.probability_coverage
  FROM measures.part_accuracy AS accuracy
  LEFT JOIN measures.calibration_error AS calibration
    USING (method, suite, track, system, part)
  UNION ALL
  SELECT
    boards.method,
    published.suite,
    published.track,
    published.system,
    published.part,
    published.item_count,
    published.correct_count,
    NULL,
    published.ece,
    published.probability_coverage
  FROM published
  INNER JOIN frozen.boards AS boards
    ON published.suite = boards.suite
)
SELECT
  combined.method, /* set of scoring parameters */
  combined.suite, /* benchmark, with its version */
  combined.track, /* board track */
  combined.system, /* entrant */
  combined.part, /* public or sealed */
  combined.item_count, /* frozen items: the denominator, items */
  combined.correct_count, /* right answers, items */
  CAST(combined.correct_count AS DOUBLE) / combined.item_count AS accuracy, /* right answers / frozen items, share */
  sizes.chance_rate, /* mean probability of a right guess, share */
  combined.valid_n, /* valid probability answers behind ece; NULL when not published, items */
  combined.ece, /* expected calibration error; NULL without a valid answer, share */
  combined.probability_coverage /* valid probability answers / frozen items, share */
FROM combined
LEFT JOIN splits.part_sizes AS sizes
  ON combined.suite = sizes.suite AND combined.track = sizes.track AND combined.part = sizes.part
