/* A run replaces only an earlier run of the same system on the same suite. */
AUDIT (name superseded_run_exists);

SELECT systems.run_id, systems.system, systems.supersedes_run_id
FROM staging.systems AS systems
LEFT JOIN staging.systems AS earlier
  ON systems.supersedes_run_id = earlier.run_id
  AND systems.suite = earlier.suite
  AND systems.system = earlier.system
WHERE systems.supersedes_run_id IS NOT NULL
  AND (earlier.run_id IS NULL OR earlier.run_id = systems.run_id);
