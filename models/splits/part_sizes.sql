MODEL (
  name splits.part_sizes,
  kind FULL,
  description 'Size and chance rate of each part: from the items where we have them, else as published. Grain: suite, track, part.',
  grain (suite, track, part),
  audits (
    unique_grain(columns := (suite, track, part)),
    no_null_anywhere(),
    accepted_range(column := chance_rate, min_v := 0, max_v := 1)
  )
);

WITH counted AS (
  SELECT
    suite,
    track,
    part,
    COUNT(*) AS item_count,
    AVG(chance_rate) AS chance_rate
  FROM splits.board_items
  GROUP BY
    suite,
    track,
    part
), published AS (
  SELECT
    suite,
    track,
    part,
    item_count,
    chance_rate
  FROM frozen.published_parts
  WHERE
    suite NOT IN (SELECT suite FROM counted)
)
SELECT
  suite, /* benchmark, with its version */
  track, /* board track */
  part, /* public or sealed */
  item_count, /* frozen items, items */
  chance_rate /* mean probability of a right guess over the items, share */
FROM counted
UNION ALL
SELECT suite, track, part, item_count, chance_rate FROM published
