MODEL (
  name staging.systems,
  kind VIEW,
  description 'An entrant as a run pinned it. Grain: run_id, system.',
  grain (run_id, system),
  audits (registered_rows(table_name := 'systems'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  system, /* entrant */
  display_name, /* name shown on a board */
  engine, /* adapter that made the calls */
  model, /* model requested */
  model_revision, /* exact model that answered */
  prompt_sha256, /* SHA-256 of prompt and question templates */
  settings, /* settings, as compact key-sorted JSON */
  code_revision, /* revision of the code that made the calls */
  endpoint_kind, /* decides the latency adjustment and the cost rule */
  probability_kind, /* what the probabilities are */
  gpu_type, /* accelerator (or processor) of a self-hosted system */
  supersedes_run_id /* earlier run of the same system that this one replaces on the board */
FROM evidence.systems
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'systems')
