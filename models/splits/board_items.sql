MODEL (
  name splits.board_items,
  kind FULL,
  description 'The frozen items that count, on every board track they belong to: their own, and all. Grain: suite, track, item_id.',
  grain (suite, track, item_id),
  audits (
    unique_grain(columns := (suite, track, item_id)),
    not_null(columns := (suite, track, item_id, part, option_count)),
    accepted_values(column := part, is_in := ('public', 'sealed'))
  )
);

WITH counted_items AS (
  SELECT
    items.suite,
    items.item_id,
    items.track AS item_track,
    items.family,
    items.difficulty,
    items.gold,
    items.option_count,
    items.options_sha256,
    parts.part
  FROM splits.item_parts AS parts
  INNER JOIN staging.items AS items
    ON parts.suite = items.suite AND parts.item_id = items.item_id
  WHERE
    parts.part IN ('public', 'sealed') AND items.suite IN (SELECT suite FROM frozen.boards)
), board_tracks AS (
  SELECT DISTINCT suite, item_track, item_track AS track FROM counted_items
  UNION
  SELECT DISTINCT suite, item_track, 'all' AS track FROM counted_items
)
SELECT
  items.suite, /* benchmark, with its version */
  tracks.track, /* board track */
  items.item_id, /* item */
  items.item_track, /* track that the item itself is in */
  items.part, /* public or sealed */
  items.family, /* kind of question */
  items.difficulty, /* difficulty level */
  items.gold, /* right option; NULL when it is not known */
  items.option_count, /* options offered, options */
  items.options_sha256, /* SHA-256 of the options in frozen order */
  1.0 / items.option_count AS chance_rate /* probability of a right guess, share */
FROM counted_items AS items
INNER JOIN board_tracks AS tracks
  ON items.suite = tracks.suite AND items.item_track = tracks.item_track
