MODEL (
  name documents.invocations,
  kind FULL,
  description 'Every planned invocation of a document task, in exactly one state. Grain: run_id, observation_id.',
  grain (run_id, observation_id),
  audits (
    unique_grain(columns := (run_id, observation_id)),
    not_null(columns := (state, is_dispatched, is_unclosed)),
    accepted_values(column := state, is_in := ('successful', 'invalid', 'failed', 'skipped', 'missing_terminal'))
  )
);

WITH starts AS (
  SELECT run_id, observation_id, MAX(reserved_cost_usd) AS reserved_cost_usd
  FROM staging.dispatches
  GROUP BY run_id, observation_id
), states AS (
  SELECT
    observations.run_id,
    observations.observation_id,
    items.task,
    CASE
      WHEN calls.status IS NULL THEN 'missing_terminal'
      WHEN calls.status = 'skipped' THEN 'skipped'
      WHEN calls.status = 'error' THEN 'failed'
      WHEN calls.served_from_cache THEN 'invalid'
      WHEN items.task = 'classify' AND calls.answer IS NOT NULL THEN 'successful'
      WHEN coverage.is_covered THEN 'successful'
      ELSE 'invalid'
    END AS state
  FROM staging.observations AS observations
  INNER JOIN staging.items AS items
    ON observations.suite = items.suite
    AND observations.item_id = items.item_id
    AND items.task IN ('classify', 'split')
  LEFT JOIN staging.calls AS calls
    ON observations.run_id = calls.run_id AND observations.observation_id = calls.observation_id
  LEFT JOIN documents.coverage AS coverage
    ON observations.run_id = coverage.run_id AND observations.observation_id = coverage.observation_id
)
SELECT
  observations.run_id, /* recorded execution */
  observations.observation_id, /* planned invocation */
  observations.suite, /* benchmark, with its version */
  states.task, /* classify or split */
  observations.system, /* entrant */
  observations.item_id, /* source or packet */
  observations.repeat, /* measured pass from 0; -1 for a warm-up */
  observations.phase, /* measured or warmup */
  states.state, /* how it ended; only successful earns credit */
  starts.run_id IS NOT NULL OR COALESCE(calls.dispatched, FALSE) AS is_dispatched, /* a provider call may have begun */
  starts.run_id IS NOT NULL AND (states.state IN ('missing_terminal', 'skipped') OR calls.dispatched IS FALSE) AS is_unclosed, /* started, and no trustworthy record ends it: a charge may exist */
  calls.answer, /* category returned by a classification */
  calls.needs_review, /* the system flagged its own answer */
  CASE states.state WHEN 'failed' THEN COALESCE(calls.error_type, 'unknown') WHEN 'invalid' THEN 'InvalidResult' END AS error_type, /* class of the failure; NULL unless failed or invalid */
  calls.skip_reason, /* why nothing was sent */
  calls.decision_ms, /* time of the inference requests, ms */
  calls.wall_ms, /* whole call as the client sees it, ms */
  COALESCE(calls.usage_unknown, FALSE) AS is_usage_unknown, /* tokens may have been spent unseen */
  COALESCE(calls.request_count_complete, TRUE) AS is_request_count_complete, /* the record names every request */
  COALESCE(calls.reserved_cost_usd, starts.reserved_cost_usd) AS reserved_cost_usd /* reservation taken before the dispatch, USD */
FROM staging.observations AS observations
INNER JOIN states
  ON observations.run_id = states.run_id AND observations.observation_id = states.observation_id
LEFT JOIN staging.calls AS calls
  ON observations.run_id = calls.run_id AND observations.observation_id = calls.observation_id
LEFT JOIN starts
  ON observations.run_id = starts.run_id AND observations.observation_id = starts.observation_id
