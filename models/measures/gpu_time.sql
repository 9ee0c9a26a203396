MODEL (
  name measures.gpu_time,
  kind FULL,
  description 'Charged accelerator time of self-hosted systems: inference only, at the recorded rate of the hardware. Grain: suite, item_track, system.',
  grain (suite, item_track, system),
  audits (
    unique_grain(columns := (suite, item_track, system)),
    one_gpu_type_per_system(),
    accepted_range(column := inference_s, min_v := 0)
  )
);

SELECT
  usage.suite, /* benchmark, with its version */
  usage.track AS item_track, /* track that the intervals served; NULL when several */
  usage.system, /* entrant */
  MAX(usage.gpu_type) AS gpu_type, /* accelerator or processor */
  SUM(usage.seconds) AS inference_s, /* seconds of inference, without load, download, build and idle time, s */
  SUM(usage.calls) AS inference_calls, /* measured calls that they served, calls */
  SUM(usage.seconds * rates.usd_per_hour / 3600) AS inference_cost_usd /* NULL when no rate is on record, USD */
FROM staging.gpu_usage AS usage
INNER JOIN outcomes.run_standing AS standing
  ON usage.run_id = standing.run_id AND usage.system = standing.system
LEFT JOIN frozen.gpu_rates AS rates
  ON usage.system = rates.system AND usage.gpu_type = rates.gpu_type
WHERE
  standing.standing = 'current' AND usage.interval_kind = 'inference'
GROUP BY
  usage.suite,
  usage.track,
  usage.system
