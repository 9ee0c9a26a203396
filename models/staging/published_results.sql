MODEL (
  name staging.published_results,
  kind VIEW,
  description 'Aggregates that others published, for boards whose evidence per item is private. Grain: source, system, track.',
  grain (source, system, track),
  audits (registered_rows(table_name := 'published_results'))
);

SELECT
  run_id, /* landing that brought the row: one recorded execution, or one import of facts */
  source, /* publication */
  suite, /* benchmark, with its version in the name */
  track, /* board track */
  system, /* entrant */
  display_name, /* name shown on the board */
  endpoint_kind, /* decides the latency adjustment */
  probability_kind, /* what the probabilities are */
  api_flag, /* the provider saw sealed items */
  ranked, /* the publication ranks the system */
  public_n, /* frozen public items, items */
  public_correct, /* right answers among them, items */
  public_ece, /* expected calibration error on public items, share */
  public_probability_coverage, /* valid probability answers / frozen public items, share */
  sealed_n, /* frozen sealed items, items */
  sealed_correct, /* right answers among them, items */
  sealed_ece, /* expected calibration error on sealed items, share */
  sealed_probability_coverage, /* valid probability answers / frozen sealed items, share */
  matched_gap_pp, /* gap over matched families; NULL when the track has none, pp */
  p50_s, /* median whole-call latency as measured, s */
  p95_s, /* p95 whole-call latency as measured, s */
  usd_per_1000, /* unit cost over receipted calls, USD per 1,000 decisions */
  receipt_coverage, /* receipted calls / frozen items, share */
  cost_source, /* what the cost was computed from */
  note, /* remark of the publication */
  published_rank, /* rank in the publication; for comparison only */
  published_composite, /* composite in the publication; for comparison only, points */
  published_intelligence, /* axis in the publication; for comparison only, points */
  published_calibration, /* axis in the publication; for comparison only, points */
  published_speed, /* axis in the publication; for comparison only, points */
  published_cost, /* axis in the publication; for comparison only, points */
  published_adjusted_p50_s, /* adjusted p50 in the publication; for comparison only, s */
  published_adjusted_p95_s /* adjusted p95 in the publication; for comparison only, s */
FROM evidence.published_results
WHERE
  evidence_path IN (SELECT path FROM frozen.evidence WHERE table_name = 'published_results')
