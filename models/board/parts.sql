MODEL (
  name board.parts,
  kind FULL,
  description 'Size and chance rate of the parts that a board stands on. Grain: suite, track, part.',
  grain (suite, track, part),
  audits (
    no_item_columns(),
    unique_grain(columns := (suite, track, part)),
    no_null_anywhere()
  )
);

SELECT
  suite, /* benchmark, with its version */
  track, /* board track */
  part, /* public or sealed */
  item_count, /* frozen items, items */
  chance_rate /* mean probability of a right guess over the items, share */
FROM splits.part_sizes
