MODEL (
  name staging.gpu_usage,
  kind VIEW,
  description 'Seconds that a self-hosted system held its accelerator (or processor), by kind. Grain: run_id, system, interval_kind, interval_sequence.',
  grain (run_id, system, interval_kind, interval_sequence),
  audits (registered_rows(table_name := 'gpu_usage'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  system, /* entrant */
  track, /* item track that the interval served; NULL when it served several */
  interval_kind, /* what the time was spent on; only inference is charged */
  interval_sequence, /* place among the intervals of its kind, from 1 */
  gpu_type, /* accelerator or processor, as in seeds/gpu_rates.csv */
  seconds, /* length of the interval, s */
  calls /* measured calls that the interval served, calls */
FROM evidence.gpu_usage
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'gpu_usage')
