MODEL (
  name outcomes.entrants,
  kind FULL,
  description 'Systems that entered a suite by a current run, as their runs pinned them. Grain: suite, system.',
  depends_on (splits.board_items), /* read by the audits */
  grain (suite, system),
  audits (
    unique_grain(columns := (suite, system)),
    one_pinning_per_system(),
    suite_has_items()
  )
);

SELECT
  systems.suite, /* benchmark, with its version */
  systems.system, /* entrant */
  MAX(systems.display_name) AS display_name, /* name shown on a board */
  MAX(systems.endpoint_kind) AS endpoint_kind, /* hosted, self_hosted or demo */
  MAX(systems.probability_kind) AS probability_kind, /* categorical, label_only or entailment */
  MAX(systems.gpu_type) AS gpu_type, /* hardware of a self-hosted system */
  COUNT(*) AS current_runs /* current runs that are pooled, runs */
FROM staging.systems AS systems
INNER JOIN outcomes.run_standing AS standing
  ON systems.run_id = standing.run_id AND systems.system = standing.system
WHERE
  standing.standing = 'current' AND systems.suite IN (SELECT suite FROM frozen.boards)
GROUP BY
  systems.suite,
  systems.system
