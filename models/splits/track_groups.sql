MODEL (
  name splits.track_groups,
  kind FULL,
  description 'Board tracks with sealed items, and whether their sealed figures may be shown. A track that is too small is withheld together with the next smallest, until the group is large enough: what is withheld must not be a difference of what is shown. Grain: suite, track.',
  grain (suite, track),
  audits (
    unique_grain(columns := (suite, track)),
    no_null_anywhere()
  )
);

WITH smallest_first AS (
  SELECT
    items.suite,
    items.item_track AS track,
    COUNT(*) AS item_count,
    MAX(rules.suppress_below_items) AS suppress_below_items,
    ROW_NUMBER() OVER (PARTITION BY items.suite ORDER BY COUNT(*), items.item_track) AS place,
    SUM(COUNT(*)) OVER (PARTITION BY items.suite ORDER BY COUNT(*), items.item_track) AS running_count
  FROM splits.board_items AS items
  INNER JOIN splits.withholding_rules AS rules
    ON items.suite = rules.suite
  WHERE items.track = 'all' AND items.part = 'sealed'
  GROUP BY items.suite, items.item_track
), cuts AS (
  SELECT
    suite,
    SUM(item_count) AS item_count,
    SUM(item_count) < MAX(suppress_below_items) AS is_all_withheld,
    CASE
      WHEN MIN(item_count) >= MAX(suppress_below_items) THEN 0
      ELSE GREATEST(
        MAX(CASE WHEN item_count < suppress_below_items THEN place END),
        COALESCE(MIN(CASE WHEN running_count >= suppress_below_items THEN place END), MAX(place))
      )
    END AS last_withheld_place
  FROM smallest_first
  GROUP BY suite
)
SELECT
  tracks.suite, /* benchmark, with its version */
  tracks.track, /* board track */
  tracks.item_count, /* sealed items, items */
  tracks.place <= cuts.last_withheld_place AS is_withheld, /* sealed figures of the track are not shown */
  CASE WHEN tracks.place <= cuts.last_withheld_place THEN '(withheld)' ELSE tracks.track END AS track_group /* the track itself, or what all withheld tracks share */
FROM smallest_first AS tracks
INNER JOIN cuts
  ON tracks.suite = cuts.suite
UNION ALL
SELECT suite, 'all', item_count, is_all_withheld, 'all' FROM cuts
