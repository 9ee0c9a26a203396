MODEL (
  name board.sensitivity,
  kind FULL,
  description 'How composite and rank of every ranked entrant change under what-if variants of the method. Grain: method, suite, track, system, variant.',
  grain (method, suite, track, system, variant),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, variant)),
    not_null(columns := (meaning, rank, composite, rank_change))
  )
);

WITH ranked AS (
  SELECT
    c.*,
    b.rank AS scored_rank,
    b.composite AS scored_composite,
    RANK() OVER (PARTITION BY c.method, c.variant, c.suite, c.track ORDER BY c.composite DESC) AS rank
  FROM sensitivity.composites AS c
  INNER JOIN board.leaderboard AS b
    ON c.method = b.method AND c.suite = b.suite AND c.track = b.track AND c.system = b.system
  WHERE
    b.ranked
    AND (
      b.suppressed IS NOT TRUE
      OR c.variant NOT IN (SELECT variant FROM frozen.sensitivity_changes WHERE parameter LIKE 'gap_%') /* would give away the withheld gap */
    )
)
SELECT
  ranked.method, /* set of scoring parameters */
  ranked.suite, /* benchmark, with its version */
  ranked.track, /* board track */
  ranked.system, /* entrant */
  ranked.variant, /* what-if variant; as_scored changes nothing */
  variants.meaning, /* what the variant asks */
  ranked.composite, /* composite under the variant, points */
  ranked.composite - ranked.scored_composite AS composite_change, /* less the composite as scored, points */
  ranked.rank, /* place under the variant; equal composites share it */
  ranked.scored_rank - ranked.rank AS rank_change /* places gained under the variant; negative: lost, places */
FROM ranked
INNER JOIN sensitivity.variants AS variants
  ON ranked.variant = variants.variant
