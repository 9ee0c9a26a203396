MODEL (
  name documents.intervals,
  kind FULL,
  description 'Bootstrap interval of a share of right sources. A mean of resampled outcomes depends on how many are right, not on which, so one row serves every group of equal counts. Grain: source_count, right_count.',
  grain (source_count, right_count),
  audits (
    unique_grain(columns := (source_count, right_count)),
    accepted_range(column := interval_low, min_v := 0, max_v := 1),
    accepted_range(column := interval_high, min_v := 0, max_v := 1)
  )
);

WITH asked AS (
  SELECT DISTINCT quality.source_count, quality.right_count
  FROM documents.quality AS quality
  INNER JOIN documents.groups AS groups
    ON quality.run_id = groups.run_id AND quality.task = groups.task AND quality.system = groups.system
  CROSS JOIN frozen.document_methods AS m
  WHERE
    NOT groups.is_dependent_sample AND quality.source_count >= m.bootstrap_min_sources
), sizes AS (
  SELECT DISTINCT source_count, bootstrap_seed, UNNEST(RANGE(bootstrap_resamples)) AS resample
  FROM asked
  CROSS JOIN frozen.document_methods
), draws AS (
  SELECT source_count, bootstrap_seed, resample, UNNEST(RANGE(source_count)) AS draw
  FROM sizes
), resampled AS (
  SELECT
    asked.source_count,
    asked.right_count,
    draws.resample,
    COUNT(
      CASE WHEN @drawn_index(draws.bootstrap_seed, draws.resample, draws.draw, draws.source_count) < asked.right_count THEN 1 END
    ) / CAST(asked.source_count AS DOUBLE) AS right_share
  FROM draws
  INNER JOIN asked
    ON draws.source_count = asked.source_count
  GROUP BY
    asked.source_count,
    asked.right_count,
    draws.resample
), sorted AS (
  SELECT source_count, right_count, LIST_SORT(LIST(right_share)) AS shares
  FROM resampled
  GROUP BY source_count, right_count
)
SELECT
  source_count, /* sources that are resampled */
  right_count, /* sources that are right */
  @quantile_linear(shares, m.interval_lower_quantile) AS interval_low, /* lower end, share */
  @quantile_linear(shares, m.interval_upper_quantile) AS interval_high /* upper end, share */
FROM sorted
CROSS JOIN frozen.document_methods AS m
