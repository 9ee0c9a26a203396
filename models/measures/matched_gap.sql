MODEL (
  name measures.matched_gap,
  kind FULL,
  description 'Gap over matched families, weighted by their size on both sides; no row where a track has none. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    accepted_range(column := matched_gap_pp, min_v := -100, max_v := 100)
  )
);

SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  COUNT(*) AS matched_families, /* families with enough items in both parts, families */
  SUM(gap_pp * gap_weight) / SUM(gap_weight) AS matched_gap_pp /* weighted mean of the family gaps, pp */
FROM measures.family_gaps
WHERE
  is_matched
GROUP BY
  method,
  suite,
  track,
  system
