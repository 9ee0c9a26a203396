MODEL (
  name board.latency_distribution,
  kind FULL,
  description 'Distribution of whole-call latency at fixed shares of the calls (nearest rank; share 0 is the fastest call), raw and adjusted. Grain: method, suite, track, system, share.',
  grain (method, suite, track, system, share),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, share)),
    no_null_anywhere()
  )
);

WITH points AS (
  SELECT
    method,
    suite,
    track,
    system,
    UNNEST(@offered_quantiles()) AS share,
    UNNEST(distribution_ms) / 1000 AS latency_s
  FROM measures.latency
)
SELECT
  points.method, /* set of scoring parameters */
  points.suite, /* benchmark, with its version */
  points.track, /* board track */
  points.system, /* entrant */
  CAST(points.share AS DOUBLE) AS share, /* share of the answered calls that took at most so long, share */
  points.latency_s, /* whole call as measured, s */
  a.latency_factor * points.latency_s + a.latency_addend_s AS adjusted_latency_s /* factor x seconds + addend, s */
FROM points
INNER JOIN measures.ingredients AS i
  ON points.method = i.method AND points.suite = i.suite AND points.track = i.track AND points.system = i.system
INNER JOIN frozen.latency_adjustments AS a
  ON points.method = a.method AND i.endpoint_kind = a.endpoint_kind
