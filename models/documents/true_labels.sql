MODEL (
  name documents.true_labels,
  kind FULL,
  description 'The true category of everything that is labelled: a source as a whole (unit 0), a packet page by page. Grain: suite, item_id, unit.',
  grain (suite, item_id, unit),
  audits (
    unique_grain(columns := (suite, item_id, unit)),
    not_null(columns := (category))
  )
);

WITH test_items AS (
  SELECT suite, item_id, task, gold FROM staging.items
  WHERE task IN ('classify', 'split') AND partition = 'test'
)
SELECT
  suite, /* benchmark, with its version */
  task, /* classify or split */
  item_id, /* source or packet */
  0 AS unit, /* 0 for a source; page of a packet, from 1 */
  gold AS category /* true category */
FROM test_items
WHERE
  task = 'classify'
UNION ALL
SELECT
  segments.suite,
  test_items.task,
  segments.item_id,
  UNNEST(RANGE(segments.first_page, segments.last_page + 1)) AS unit,
  segments.category
FROM staging.item_segments AS segments
INNER JOIN test_items
  ON segments.suite = test_items.suite AND segments.item_id = test_items.item_id
