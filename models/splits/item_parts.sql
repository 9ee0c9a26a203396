MODEL (
  name splits.item_parts,
  kind FULL,
  description 'Which part each test item is in, and why: decided by its exposures alone. Grain: suite, item_id.',
  depends_on (frozen.boards, staging.systems), /* read by the audits */
  grain (suite, item_id),
  audits (
    unique_grain(columns := (suite, item_id)),
    not_null(columns := (suite, item_id, part, reason)),
    accepted_values(column := part, is_in := ('public', 'sealed', 'retired')),
    exposures_known(),
    equals_freeze()
  )
);

WITH freeze_times AS (
  SELECT suite, MIN(frozen_at) AS frozen_at
  FROM frozen.freezes
  GROUP BY suite
), first_freezes AS (
  SELECT items.content_sha256, MIN(freeze_times.frozen_at) AS frozen_at
  FROM staging.items AS items
  INNER JOIN freeze_times
    ON items.suite = freeze_times.suite
  GROUP BY items.content_sha256
), judged_exposures AS (
  /* An exposure follows the content: under another name, in a pool or a later version, it is the same item. */
  SELECT
    items.suite,
    items.item_id,
    exposures.kind,
    exposures.place,
    exposures.seen_at,
    CASE
      WHEN kinds.effect = 'retired' THEN 1
      WHEN first_freezes.frozen_at IS NULL OR exposures.seen_at <= first_freezes.frozen_at THEN 2
      ELSE 3
    END AS precedence
  FROM staging.exposures AS exposures
  INNER JOIN frozen.exposure_kinds AS kinds
    ON exposures.kind = kinds.kind
  INNER JOIN staging.items AS exposed
    ON exposures.suite = exposed.suite AND exposures.item_id = exposed.item_id
  INNER JOIN staging.items AS items
    ON exposed.content_sha256 = items.content_sha256
  LEFT JOIN first_freezes
    ON items.content_sha256 = first_freezes.content_sha256
  WHERE
    kinds.effect <> 'disclosed'
), ranked_exposures AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY suite, item_id ORDER BY precedence, seen_at, kind, place) AS preference
  FROM judged_exposures
), deciding_exposures AS (
  SELECT * FROM ranked_exposures WHERE preference = 1
)
SELECT
  items.suite, /* benchmark, with its version */
  items.item_id, /* item */
  items.track, /* item track */
  items.family, /* kind of question */
  items.difficulty, /* difficulty level */
  items.content_sha256, /* SHA-256 of question, options, gold and source bytes */
  CASE deciding.precedence WHEN 2 THEN 'public' WHEN 1 THEN 'retired' WHEN 3 THEN 'retired' ELSE 'sealed' END AS part, /* public, sealed or retired */
  CASE deciding.precedence
    WHEN 1 THEN 'lay outside the sealed store while called sealed'
    WHEN 2 THEN 'exposed before the freeze'
    WHEN 3 THEN 'exposed after a freeze called it sealed'
    ELSE 'no exposure on record'
  END AS reason, /* why it is in that part */
  deciding.kind AS exposure_kind, /* kind of the deciding exposure */
  deciding.place AS exposure_place, /* place of the deciding exposure */
  deciding.seen_at AS exposed_at /* time of the deciding exposure, UTC */
FROM staging.items AS items
LEFT JOIN deciding_exposures AS deciding
  ON items.suite = deciding.suite AND items.item_id = deciding.item_id
WHERE
  items.partition = 'test'
