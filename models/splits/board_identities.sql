MODEL (
  name splits.board_identities,
  kind FULL,
  description 'What a board stands on, as two hashes: scores are comparable only where both are equal. Grain: suite, method.',
  grain (suite, method),
  audits (
    unique_grain(columns := (suite, method)),
    not_null(columns := (suite, method, method_fingerprint))
  )
);

WITH freezes AS (
  SELECT
    suite,
    @sha256_of_lines(
      CONCAT_WS('|', track, part, family, difficulty, item_count, items_sha256),
      CONCAT_WS('|', track, part, family, difficulty, item_count, items_sha256)
    ) AS fingerprint
  FROM frozen.freezes
  GROUP BY suite
), published AS (
  SELECT
    suite,
    @sha256_of_lines(
      CONCAT_WS('|', track, part, item_count, chance_rate, source),
      CONCAT_WS('|', track, part, item_count, chance_rate, source)
    ) AS fingerprint
  FROM frozen.published_parts
  GROUP BY suite
), methods AS (
  SELECT
    method,
    @sha256_of_lines(
      CONCAT_WS('|', parameter, COALESCE(applies_to, ''), value),
      CONCAT_WS('|', parameter, COALESCE(applies_to, ''), value)
    ) AS fingerprint
  FROM frozen.method_parameters
  GROUP BY method
)
SELECT
  boards.suite, /* benchmark, with its version */
  boards.method, /* set of scoring parameters */
  COALESCE(freezes.fingerprint, published.fingerprint) AS freeze_fingerprint, /* SHA-256 over the frozen cells, or over the published parts; NULL before the freeze */
  methods.fingerprint AS method_fingerprint /* SHA-256 over the parameters of the method */
FROM frozen.boards AS boards
LEFT JOIN freezes
  ON boards.suite = freezes.suite
LEFT JOIN published
  ON boards.suite = published.suite
LEFT JOIN methods
  ON boards.method = methods.method
