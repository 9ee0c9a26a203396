MODEL (
  name documents.guard,
  kind FULL,
  description 'Balance of the local spending guard, replayed: an invocation with an unknown charge keeps its reservation. Grain: run_id.',
  grain (run_id),
  audits (
    unique_grain(columns := (run_id)),
    accepted_range(column := committed_usd, min_v := 0)
  )
);

WITH settled AS (
  SELECT
    calls.run_id,
    calls.reserved_cost_usd,
    COALESCE(costs.known_cost_usd, 0.0) AS known_usd,
    CASE
      WHEN costs.keeps_reservation AND calls.reserved_cost_usd > COALESCE(costs.known_cost_usd, 0.0)
      THEN calls.reserved_cost_usd
      ELSE COALESCE(costs.known_cost_usd, 0.0)
    END AS retained_usd
  FROM documents.invocations AS calls
  INNER JOIN documents.call_costs AS costs
    ON calls.run_id = costs.run_id AND calls.observation_id = costs.observation_id
)
SELECT
  run_id, /* recorded execution */
  @kahan_sum(known_usd) AS known_usd, /* known charges of all requests, USD */
  @kahan_sum(retained_usd - known_usd) AS unknown_reserved_usd, /* kept for charges that are unknown, USD */
  @kahan_sum(retained_usd) AS committed_usd /* charges and kept reservations; an estimate, no billing cap, USD */
FROM settled
GROUP BY
  run_id
