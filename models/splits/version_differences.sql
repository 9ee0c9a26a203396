MODEL (
  name splits.version_differences,
  kind FULL,
  description 'How the sealed items of a suite differ from those of a frozen suite that shares some: two boards of them show the difference. Grain: suite, frozen_suite, scope, name.',
  grain (suite, frozen_suite, scope, name),
  audits (
    unique_grain(columns := (suite, frozen_suite, scope, name)),
    no_null_anywhere()
  )
);

WITH once_sealed AS (
  SELECT suite, content_sha256, track, family, part = 'sealed' AS is_sealed
  FROM splits.item_parts
  WHERE part = 'sealed' OR reason = 'exposed after a freeze called it sealed'
), scoped AS (
  SELECT suite, content_sha256, is_sealed, 'part' AS scope, 'all' AS name FROM once_sealed
  UNION ALL
  SELECT suite, content_sha256, is_sealed, 'track', track FROM once_sealed
  UNION ALL
  SELECT suite, content_sha256, is_sealed, 'family', family FROM once_sealed
), pairs AS (
  SELECT DISTINCT newer.suite, older.suite AS frozen_suite
  FROM once_sealed AS newer
  INNER JOIN once_sealed AS older
    ON newer.content_sha256 = older.content_sha256 AND newer.suite <> older.suite
  WHERE
    older.suite IN (SELECT suite FROM frozen.freezes)
), sides AS (
  SELECT pairs.suite, pairs.frozen_suite, scoped.scope, scoped.name, scoped.content_sha256, scoped.is_sealed, 1 AS in_suite, 0 AS in_frozen
  FROM pairs
  INNER JOIN scoped
    ON pairs.suite = scoped.suite
  UNION ALL
  SELECT pairs.suite, pairs.frozen_suite, scoped.scope, scoped.name, scoped.content_sha256, scoped.is_sealed, 0, 1
  FROM pairs
  INNER JOIN scoped
    ON pairs.frozen_suite = scoped.suite
), items AS (
  SELECT
    suite,
    frozen_suite,
    scope,
    name,
    content_sha256,
    MAX(CASE WHEN is_sealed THEN 1 ELSE 0 END) AS is_sealed,
    MAX(in_suite) AS in_suite,
    MAX(in_frozen) AS in_frozen
  FROM sides
  GROUP BY suite, frozen_suite, scope, name, content_sha256
)
SELECT
  suite, /* benchmark, with its version */
  frozen_suite, /* frozen suite that it shares sealed items with */
  scope, /* part, track or family: where a board shows a figure */
  name, /* the track or family; all for the part */
  SUM(in_suite * in_frozen) AS shared_count, /* items that both call or called sealed, items */
  SUM(CASE WHEN in_suite + in_frozen = 1 THEN is_sealed ELSE 0 END) AS differing_count /* sealed items that only one of them has, items */
FROM items
GROUP BY
  suite,
  frozen_suite,
  scope,
  name
HAVING
  SUM(in_suite * in_frozen) > 0
