MODEL (
  name documents.results,
  kind FULL,
  description 'Whether each frozen test item is right: the category of a source, every segment of a packet. Grain: run_id, system, item_id.',
  grain (run_id, system, item_id),
  audits (
    unique_grain(columns := (run_id, system, item_id)),
    not_null(columns := (is_right))
  )
);

SELECT
  first_passes.run_id, /* recorded execution */
  first_passes.suite, /* benchmark, with its version */
  first_passes.task, /* classify or split */
  first_passes.system, /* entrant */
  first_passes.item_id, /* source or packet */
  first_passes.state, /* how the first pass ended */
  first_passes.is_flagged, /* a successful answer that the system flagged for review */
  COALESCE(matches.is_exact, first_passes.answer = first_passes.gold, FALSE) AS is_right /* earns credit */
FROM documents.first_passes AS first_passes
LEFT JOIN documents.packet_matches AS matches
  ON first_passes.run_id = matches.run_id
  AND first_passes.system = matches.system
  AND first_passes.item_id = matches.item_id
