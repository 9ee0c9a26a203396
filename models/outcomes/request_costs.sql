MODEL (
  name outcomes.request_costs,
  kind VIEW,
  description 'placeholder. Grain: run_id, observation_id, request_sequence.',
  grain (run_id, observation_id, request_sequence),
  audits (accepted_range(column := cost_usd, min_v := 0))
);
SELECT run_id, observation_id, request_sequence, purpose, attempt, billed_cost_usd AS cost_usd FROM staging.requests
