MODEL (
  name sensitivity.variants,
  kind FULL,
  description 'What-if variants: those of the seed, and one for every price snapshot. Grain: variant.',
  grain (variant),
  audits (
    unique_grain(columns := (variant)),
    not_null(columns := (variant, meaning))
  )
);

SELECT DISTINCT
  variant, /* name; as_scored changes nothing */
  meaning, /* what the variant asks */
  NULL::TEXT AS price_snapshot /* snapshot that requests are priced by; NULL: costs as recorded */
FROM frozen.sensitivity_changes
UNION ALL
SELECT DISTINCT
  'prices_' || snapshot,
  'tokens of models that the price snapshot ' || snapshot || ' lists cost what it says, whatever was billed',
  snapshot
FROM frozen.prices
