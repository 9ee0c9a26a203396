MODEL (
  name measures.receipts,
  kind FULL,
  description 'What the usage receipts of hosted calls add up to, over all measured passes of the current runs. Grain: suite, item_track, system.',
  grain (suite, item_track, system),
  audits (
    unique_grain(columns := (suite, item_track, system)),
    receipts_within_calls(),
    accepted_range(column := receipted_cost_usd, min_v := 0)
  )
);

WITH call_receipts AS (
  SELECT
    run_id,
    observation_id,
    SUM(CASE WHEN attempt = 1 THEN cost_usd END) AS cost_usd,
    SUM(CASE WHEN attempt > 1 THEN cost_usd END) AS retry_cost_usd,
    COUNT(CASE WHEN attempt = 1 THEN 1 END) AS requests,
    COUNT(CASE WHEN attempt = 1 THEN cost_usd END) AS priced_requests
  FROM outcomes.request_costs
  WHERE
    purpose = 'decision'
  GROUP BY
    run_id,
    observation_id
)
SELECT
  calls.suite, /* benchmark, with its version */
  items.item_track, /* track that the items are in */
  calls.system, /* entrant */
  COUNT(*) AS measured_calls, /* measured calls that began, calls */
  COUNT(CASE WHEN calls.repeat = 0 THEN 1 END) AS called_items, /* frozen items whose first call began, items */
  COUNT(CASE WHEN receipts.priced_requests = receipts.requests THEN 1 END) AS receipted_calls, /* calls whose every first request is priced, calls */
  COUNT(CASE WHEN calls.repeat = 0 AND receipts.priced_requests = receipts.requests THEN 1 END) AS receipted_items, /* frozen items whose first call is receipted, items */
  SUM(CASE WHEN receipts.priced_requests = receipts.requests THEN receipts.cost_usd END) AS receipted_cost_usd, /* cost of the receipted calls without retries; NULL without a receipt, USD */
  SUM(CASE WHEN receipts.priced_requests < receipts.requests THEN receipts.cost_usd END) AS partial_cost_usd, /* known part of calls with unknown charges; a lower bound, USD */
  SUM(receipts.retry_cost_usd) AS retry_cost_usd /* known cost of retries, a figure of its own, USD */
FROM staging.calls AS calls
INNER JOIN outcomes.run_standing AS standing
  ON calls.run_id = standing.run_id AND calls.system = standing.system
INNER JOIN splits.board_items AS items
  ON calls.suite = items.suite AND calls.item_id = items.item_id AND items.track = 'all'
LEFT JOIN call_receipts AS receipts
  ON calls.run_id = receipts.run_id AND calls.observation_id = receipts.observation_id
WHERE
  calls.phase = 'measured'
  AND calls.status <> 'skipped'
  AND calls.served_from_cache IS NOT TRUE
  AND standing.standing = 'current'
GROUP BY
  calls.suite,
  items.item_track,
  calls.system
