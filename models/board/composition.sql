MODEL (
  name board.composition,
  kind FULL,
  description 'Family and difficulty mix of the parts of every board, retired items included: parts differ, and so do their scores. Grain: suite, track, part, family, difficulty.',
  grain (suite, track, part, family, difficulty),
  audits (
    no_item_columns(),
    unique_grain(columns := (suite, track, part, family, difficulty)),
    not_null(columns := (suite, track, part, family, difficulty, suppressed))
  )
);

WITH families AS (
  SELECT
    mix.suite,
    mix.track,
    mix.part,
    mix.family,
    SUM(mix.item_count) AS item_count,
    SUM(SUM(mix.item_count)) OVER (PARTITION BY mix.suite, mix.track, mix.part) AS part_count,
    MAX(rules.suppress_below_items) AS suppress_below_items,
    mix.part = 'sealed' AND MIN(mix.item_count) < MAX(rules.suppress_below_items) AS has_small
  FROM splits.composition AS mix
  INNER JOIN splits.withholding_rules AS rules
    ON mix.suite = rules.suite
  GROUP BY mix.suite, mix.track, mix.part, mix.family
), covered AS (
  SELECT
    *,
    SUM(CASE WHEN has_small THEN item_count ELSE 0 END) OVER (PARTITION BY suite, track, part) AS withheld_count,
    ROW_NUMBER() OVER (PARTITION BY suite, track, part, has_small ORDER BY item_count, family) AS place
  FROM families
), decided AS (
  SELECT
    *,
    has_small OR (withheld_count BETWEEN 1 AND suppress_below_items - 1 AND place = 1) AS suppressed
  FROM covered
)
SELECT
  mix.suite, /* benchmark, with its version */
  mix.track, /* item track */
  mix.part, /* public, sealed or retired */
  mix.family, /* kind of question */
  mix.difficulty, /* difficulty level */
  CASE WHEN NOT decided.suppressed THEN mix.item_count END AS item_count, /* frozen items; NULL when withheld, items */
  CASE WHEN NOT decided.suppressed THEN CAST(mix.item_count AS DOUBLE) / decided.part_count END AS share_of_part, /* items / items of the part on the track; NULL when withheld, share */
  decided.suppressed /* a sealed family with a cell of too few items, or cover for one */
FROM splits.composition AS mix
INNER JOIN decided
  ON mix.suite = decided.suite AND mix.track = decided.track AND mix.part = decided.part AND mix.family = decided.family
