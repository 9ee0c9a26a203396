MODEL (
  name staging.prices,
  kind VIEW,
  description 'The price snapshot that a run froze. Grain: run_id, model, token_class.',
  grain (run_id, model, token_class),
  audits (registered_rows(table_name := 'prices'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  snapshot, /* name of the snapshot */
  model, /* exact model */
  token_class, /* what is priced */
  usd_per_million_tokens, /* list price, USD per 1e6 tokens */
  dated_on, /* date of the snapshot */
  source /* where the price was read */
FROM evidence.prices
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'prices')
