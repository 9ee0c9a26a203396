/* Current runs of one system ran on one kind of hardware. */
AUDIT (name one_gpu_type_per_system);

SELECT usage.suite, usage.system
FROM staging.gpu_usage AS usage
INNER JOIN outcomes.run_standing AS standing
  ON usage.run_id = standing.run_id AND usage.system = standing.system
WHERE standing.standing = 'current' AND usage.interval_kind = 'inference'
GROUP BY usage.suite, usage.system
HAVING COUNT(DISTINCT usage.gpu_type) > 1;
