MODEL (
  name staging.items,
  kind VIEW,
  description 'One question with its gold answer; for documents one source (classify) or one packet (split). Grain: suite, item_id.',
  grain (suite, item_id),
  audits (registered_rows(table_name := 'items'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  suite, /* benchmark, with its version in the name */
  item_id, /* item, unique within the suite */
  task, /* what is asked */
  track, /* board track that the item belongs to */
  family, /* kind of question; the unit of the matched-family gap */
  difficulty, /* difficulty level as authored */
  question, /* text of the question */
  gold, /* right option; NULL when it is not public (then no answer can be right) */
  option_count, /* number of options offered; NULL for packets, options */
  options_sha256, /* SHA-256 of the options in frozen order, as a compact JSON array of strings */
  content_sha256, /* SHA-256 of question, options in order, gold and image or source bytes */
  image_sha256, /* SHA-256 of the image bytes */
  image_path, /* image, relative to the warehouse */
  page_count, /* pages of the document or packet, pages */
  source_sha256, /* SHA-256 of the source document */
  partition, /* development or test item */
  source_family_id /* issuer or origin that several items may share */
FROM evidence.items
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'items')
