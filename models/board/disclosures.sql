MODEL (
  name board.disclosures,
  kind FULL,
  description 'What a reader must know of an entrant. Grain: suite, system, kind, disclosure.',
  grain (suite, system, kind, disclosure),
  audits (
    no_item_columns(),
    unique_grain(columns := (suite, system, kind, disclosure)),
    no_null_anywhere()
  )
);

SELECT
  suite, /* benchmark, with its version */
  system, /* entrant */
  kind, /* api_saw_sealed, setting, authoring, simulated, retention, zero_price … */
  disclosure /* text */
FROM frozen.disclosures
UNION
SELECT
  suite,
  system,
  'api_saw_sealed' AS kind,
  'The publication flags that the provider saw sealed items' AS disclosure
FROM staging.published_results
WHERE
  api_flag
