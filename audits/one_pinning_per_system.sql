/* Current runs of one system on one suite combine only when they pinned the same thing. */
AUDIT (name one_pinning_per_system);

SELECT systems.suite, systems.system, COUNT(*) AS current_runs
FROM staging.systems AS systems
INNER JOIN outcomes.run_standing AS standing
  ON systems.run_id = standing.run_id AND systems.system = standing.system
WHERE standing.standing = 'current' AND systems.suite IN (SELECT suite FROM frozen.boards)
GROUP BY systems.suite, systems.system
HAVING COUNT(DISTINCT (
  systems.display_name, systems.engine, systems.model, systems.model_revision, systems.prompt_sha256,
  systems.settings, systems.code_revision, systems.endpoint_kind, systems.probability_kind, systems.gpu_type
)) > 1;
