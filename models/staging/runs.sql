MODEL (
  name staging.runs,
  kind VIEW,
  description 'One recorded execution: configuration, environment, seed and condition. Grain: run_id.',
  grain (run_id),
  audits (registered_rows(table_name := 'runs'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  started_at, /* start of the run, UTC */
  finished_at, /* end of the run; NULL when it was killed, UTC */
  status, /* how the run ended, judged from its own files */
  recorded_status, /* status that the run itself recorded */
  stop_code, /* why the run stopped early */
  scope, /* what is timed */
  concurrency, /* calls in flight at most, calls */
  repeats, /* measured passes planned, passes */
  warmups, /* warm-up calls planned per engine and task, excluded from every measure, calls */
  condition, /* experiment kind; boards of different condition do not share a table */
  demo_set, /* set that the run was made on */
  ocr_identity, /* parser and options that made the text the systems saw */
  dependent_sample, /* items are a dependent convenience sample: intervals are withheld */
  matrix_recorded, /* the execution matrix was written before the first dispatch */
  seed, /* seed of every shuffle */
  code_revision, /* revision of the harness */
  config_sha256, /* SHA-256 of the configuration */
  lock_sha256, /* SHA-256 of the dependency lock */
  rules_sha256, /* SHA-256 of the category rules or prompts */
  environment, /* OS, Python and SDK versions, as JSON */
  price_snapshot, /* price snapshot that costs are computed with */
  budget_limit_usd, /* local guard of the run, USD */
  budget_known_usd, /* charges known to the guard at its end, USD */
  budget_unknown_reserved_usd, /* reservations retained for unknown charges, USD */
  budget_committed_usd, /* balance of the guard at its end, USD */
  preparation_elapsed_s, /* time of the whole preparation of the items, s */
  raw_truncated, /* the last terminal record was cut off */
  events_truncated, /* the last dispatch event was cut off */
  source_sha256 /* SHA-256 over the imported files, for idempotent imports */
FROM evidence.runs
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'runs')
