/* A cost is not negative, and says what it is computed from. One scan: the table is as long as the evidence. */
AUDIT (name request_costs_known_by_basis);

SELECT run_id, observation_id, request_sequence, cost_usd, cost_basis
FROM @this_model
WHERE cost_usd < 0 OR (cost_usd IS NULL) <> (cost_basis IS NULL);
