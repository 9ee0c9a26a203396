MODEL (
  name measures.unit_cost,
  kind FULL,
  description 'What 1,000 decisions of an entrant cost, and for how many frozen items that is known: usage receipts for hosted systems, accelerator time for self-hosted ones. Grain: suite, track, system.',
  grain (suite, track, system),
  audits (
    unique_grain(columns := (suite, track, system)),
    accepted_range(column := receipt_coverage, min_v := 0, max_v := 1),
    accepted_range(column := usd_per_1000, min_v := 0)
  )
);

WITH board_tracks AS (
  SELECT suite, track, item_track, COUNT(*) AS item_count
  FROM splits.board_items
  GROUP BY suite, track, item_track
), roster AS (
  SELECT
    entrants.suite,
    tracks.track,
    entrants.system,
    entrants.endpoint_kind,
    SUM(tracks.item_count) AS item_count,
    COALESCE(SUM(receipts.called_items), 0) AS called_items,
    SUM(receipts.receipted_calls) AS receipted_calls,
    COALESCE(SUM(receipts.receipted_items), 0) AS receipted_items,
    SUM(receipts.receipted_cost_usd) AS receipted_cost_usd,
    SUM(receipts.partial_cost_usd) AS partial_cost_usd,
    SUM(receipts.retry_cost_usd) AS retry_cost_usd
  FROM outcomes.entrants AS entrants
  INNER JOIN board_tracks AS tracks
    ON entrants.suite = tracks.suite
  LEFT JOIN measures.receipts AS receipts
    ON entrants.suite = receipts.suite
    AND entrants.system = receipts.system
    AND tracks.item_track = receipts.item_track
  GROUP BY
    entrants.suite,
    tracks.track,
    entrants.system,
    entrants.endpoint_kind
), gpu AS (
  SELECT
    roster.suite,
    roster.track,
    roster.system,
    SUM(gpu_time.inference_s) AS inference_s,
    SUM(gpu_time.inference_calls) AS inference_calls,
    SUM(gpu_time.inference_cost_usd) AS inference_cost_usd
  FROM roster
  INNER JOIN measures.gpu_time AS gpu_time
    ON roster.suite = gpu_time.suite
    AND roster.system = gpu_time.system
    AND (roster.track = 'all' OR roster.track = gpu_time.item_track)
  GROUP BY
    roster.suite,
    roster.track,
    roster.system
)
SELECT
  roster.suite, /* benchmark, with its version */
  roster.track, /* board track */
  roster.system, /* entrant */
  CASE roster.endpoint_kind WHEN 'self_hosted' THEN 'accelerator seconds x hourly rate' ELSE 'usage receipts' END AS cost_source, /* what the unit cost stands on */
  CASE roster.endpoint_kind
    WHEN 'self_hosted' THEN 1000 * gpu.inference_cost_usd / gpu.inference_calls
    ELSE 1000 * roster.receipted_cost_usd / roster.receipted_calls
  END AS usd_per_1000, /* cost / calls that it is known for x 1,000; NULL when unknown, USD per 1,000 decisions */
  CASE roster.endpoint_kind
    WHEN 'self_hosted' THEN CASE WHEN gpu.inference_cost_usd IS NULL THEN 0 ELSE roster.called_items END
    ELSE roster.receipted_items
  END / CAST(roster.item_count AS DOUBLE) AS receipt_coverage, /* items with a known cost / frozen items, share */
  CASE roster.endpoint_kind WHEN 'self_hosted' THEN gpu.inference_calls ELSE roster.receipted_calls END AS costed_calls, /* calls that the unit cost stands on, calls */
  roster.receipted_cost_usd, /* total of the receipted calls, USD */
  roster.partial_cost_usd, /* known part of calls with unknown charges; a lower bound, USD */
  roster.retry_cost_usd, /* known cost of retries, never part of the unit cost, USD */
  gpu.inference_s, /* charged seconds, s */
  gpu.inference_cost_usd /* cost of the charged seconds, USD */
FROM roster
LEFT JOIN gpu
  USING (suite, track, system)
