MODEL (
  name board.methods,
  kind FULL,
  description 'Parameters of every method that scores a board, one a row. Grain: method, parameter, applies_to.',
  grain (method, parameter, applies_to),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, parameter, applies_to)),
    not_null(columns := (method, parameter, value, meaning))
  )
);

SELECT
  method, /* set of scoring parameters */
  parameter, /* name of the parameter */
  applies_to, /* endpoint kind that it is for; NULL for all */
  value, /* number or word */
  unit, /* unit of the value */
  meaning /* what it does */
FROM frozen.method_parameters
