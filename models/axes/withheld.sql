MODEL (
  name axes.withheld,
  kind FULL,
  description 'Which figures of a board row would tell of too few sealed items, and are not shown. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    no_null_anywhere()
  )
);

WITH gaps AS (
  SELECT DISTINCT method, suite
  FROM measures.withheld_cells
  WHERE kind = 'family' AND is_in_gap
), answers AS (
  SELECT
    parts.method,
    parts.suite,
    parts.track,
    parts.system,
    parts.valid_n > 0 AND parts.valid_n < rules.suppress_below_items AS is_too_few
  FROM measures.part_ingredients AS parts
  INNER JOIN splits.withholding_rules AS rules
    ON parts.suite = rules.suite
  WHERE
    parts.part = 'sealed'
)
SELECT
  i.method, /* set of scoring parameters */
  i.suite, /* benchmark, with its version */
  i.track, /* board track */
  i.system, /* entrant */
  COALESCE(groups.is_withheld, FALSE) AS withholds_part, /* every figure of the sealed part */
  COALESCE(groups.is_withheld OR answers.is_too_few, FALSE) AS withholds_calibration, /* calibration error, and the axis made of it */
  COALESCE(groups.is_withheld OR gaps.suite IS NOT NULL, FALSE) AS withholds_gap, /* matched gap and its factor */
  COALESCE(groups.is_withheld OR (gaps.suite IS NOT NULL AND n.overfit_factor < 1), FALSE) AS withholds_intelligence /* the axis: with the hits it would give away the gap */
FROM measures.ingredients AS i
INNER JOIN axes.intelligence AS n
  ON i.method = n.method AND i.suite = n.suite AND i.track = n.track AND i.system = n.system
LEFT JOIN splits.track_groups AS groups
  ON i.suite = groups.suite AND i.track = groups.track
LEFT JOIN gaps
  ON i.method = gaps.method AND i.suite = gaps.suite
LEFT JOIN answers
  ON i.method = answers.method AND i.suite = answers.suite AND i.track = answers.track AND i.system = answers.system
