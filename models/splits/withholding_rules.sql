MODEL (
  name splits.withholding_rules,
  kind FULL,
  description 'When sealed figures of a suite are withheld: the strictest of its methods, so that two boards of one suite withhold the same. Grain: suite.',
  grain (suite),
  audits (
    unique_grain(columns := (suite)),
    no_null_anywhere()
  )
);

SELECT
  boards.suite, /* benchmark, with its version */
  MAX(methods.suppress_below_items) AS suppress_below_items, /* sealed figures over fewer items are withheld, items */
  MIN(methods.matched_family_min_items) AS matched_family_min_items /* least items in both parts of a matched family, items */
FROM frozen.boards AS boards
INNER JOIN frozen.methods AS methods
  ON boards.method = methods.method
GROUP BY
  boards.suite
