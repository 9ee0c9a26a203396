MODEL (
  name measures.ingredients,
  kind FULL,
  description 'What the axes need of each board row beside its parts, measured from calls or taken as published. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    unique_grain(columns := (method, suite, track, system)),
    not_null(columns := (display_name, endpoint_kind, probability_kind, evidence_level)),
    accepted_values(column := endpoint_kind, is_in := ('hosted', 'self_hosted', 'demo')),
    accepted_range(column := receipt_coverage, min_v := 0, max_v := 1)
  )
);

WITH measured AS (
  SELECT DISTINCT method, suite, track, system FROM measures.part_accuracy
)
SELECT
  measured.method, /* set of scoring parameters */
  measured.suite, /* benchmark, with its version */
  measured.track, /* board track */
  measured.system, /* entrant */
  entrants.display_name, /* name shown on the board */
  entrants.endpoint_kind, /* hosted, self_hosted or demo */
  entrants.probability_kind, /* categorical, label_only or entailment */
  'calls' AS evidence_level, /* calls, or published aggregates */
  NULL::BOOLEAN AS published_ranked, /* the publication ranks the system; NULL for calls */
  gap.matched_gap_pp, /* gap over matched families; NULL when the track has none, pp */
  latency.sample_count AS latency_samples, /* calls behind the quantiles; NULL when not published, calls */
  latency.p50_s, /* median as measured, s */
  latency.upper_s, /* upper quantile as measured, s */
  cost.cost_source, /* what the unit cost stands on */
  cost.usd_per_1000, /* unit cost; NULL when unknown, USD per 1,000 decisions */
  cost.receipt_coverage /* items with a known cost / frozen items, share */
FROM measured
INNER JOIN outcomes.entrants AS entrants
  ON measured.suite = entrants.suite AND measured.system = entrants.system
LEFT JOIN measures.matched_gap AS gap
  USING (method, suite, track, system)
LEFT JOIN measures.latency AS latency
  USING (method, suite, track, system)
LEFT JOIN measures.unit_cost AS cost
  ON measured.suite = cost.suite AND measured.track = cost.track AND measured.system = cost.system
UNION ALL
SELECT
  boards.method,
  published.suite,
  published.track,
  published.system,
  published.display_name,
  published.endpoint_kind,
  published.probability_kind,
  'published',
  published.ranked,
  published.matched_gap_pp,
  NULL,
  published.p50_s,
  published.p95_s,
  published.cost_source,
  published.usd_per_1000,
  published.receipt_coverage
FROM staging.published_results AS published
INNER JOIN frozen.boards AS boards
  ON published.suite = boards.suite
