MODEL (
  name splits.composition,
  kind FULL,
  description 'Family and difficulty mix of the parts, retired items included. Grain: suite, track, part, family, difficulty.',
  grain (suite, track, part, family, difficulty),
  audits (
    unique_grain(columns := (suite, track, part, family, difficulty)),
    no_null_anywhere()
  )
);

SELECT
  suite, /* benchmark, with its version */
  track, /* item track */
  part, /* public, sealed or retired */
  family, /* kind of question */
  difficulty, /* difficulty level */
  COUNT(*) AS item_count /* items */
FROM splits.item_parts
GROUP BY
  suite,
  track,
  part,
  family,
  difficulty
