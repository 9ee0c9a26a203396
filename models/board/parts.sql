MODEL (
  name board.parts,
  kind FULL,
  description 'Size and chance rate of the parts that a board stands on. Grain: suite, track, part.',
  grain (suite, track, part),
  audits (
    no_item_columns(),
    unique_grain(columns := (suite, track, part)),
    not_null(columns := (item_count, suppressed))
  )
);

SELECT
  sizes.suite, /* benchmark, with its version */
  sizes.track, /* board track */
  sizes.part, /* public or sealed */
  sizes.item_count, /* frozen items, as the freeze commits to them, items */
  CASE WHEN sizes.part <> 'sealed' OR groups.is_withheld IS NOT TRUE THEN sizes.chance_rate END AS chance_rate, /* mean probability of a right guess over the items; NULL when withheld, share */
  sizes.part = 'sealed' AND COALESCE(groups.is_withheld, FALSE) AS suppressed /* the chance rate would tell of too few sealed items, and is withheld */
FROM splits.part_sizes AS sizes
LEFT JOIN splits.track_groups AS groups
  ON sizes.suite = groups.suite AND sizes.track = groups.track
