MODEL (
  name board.leaderboard,
  kind FULL,
  description 'The leaderboard: composite, axes and their main ingredients of every entrant on every track of every suite. Grain: method, suite, track, system.',
  depends_on (frozen.latency_adjustments), /* read by the audits */
  grain (method, suite, track, system),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system)),
    not_null(columns := (display_name, endpoint_kind, probability_kind, evidence_level, public_n, ranked, evidence_fingerprint)),
    unranked_has_reason(),
    ranks_follow_composites(),
    adjustment_follows_endpoint_kind(),
    every_ingredient_row_is_shown()
  )
);

WITH parts AS (
  SELECT
    method,
    suite,
    track,
    system,
    MAX(CASE WHEN part = 'public' THEN correct_count END) AS public_correct,
    MAX(CASE WHEN part = 'public' THEN item_count END) AS public_n,
    MAX(CASE WHEN part = 'public' THEN ece END) AS public_ece,
    MAX(CASE WHEN part = 'public' THEN probability_coverage END) AS public_probability_coverage,
    MAX(CASE WHEN part = 'sealed' THEN correct_count END) AS sealed_correct,
    MAX(CASE WHEN part = 'sealed' THEN item_count END) AS sealed_n,
    MAX(CASE WHEN part = 'sealed' THEN ece END) AS sealed_ece,
    MAX(CASE WHEN part = 'sealed' THEN probability_coverage END) AS sealed_probability_coverage
  FROM measures.part_ingredients
  GROUP BY method, suite, track, system
), disclosures AS (
  SELECT suite, system, STRING_AGG(kind || ': ' || disclosure, ' | ' ORDER BY kind, disclosure) AS disclosures
  FROM board.disclosures
  GROUP BY suite, system
), rows_ AS (
  SELECT
    i.* EXCLUDE (matched_gap_pp),
    p.* EXCLUDE (method, suite, track, system, sealed_correct, sealed_ece, sealed_probability_coverage),
    CASE WHEN NOT w.withholds_part THEN p.sealed_correct END AS sealed_correct,
    CASE WHEN NOT w.withholds_calibration THEN p.sealed_ece END AS sealed_ece,
    CASE WHEN NOT w.withholds_part THEN p.sealed_probability_coverage END AS sealed_probability_coverage,
    CASE WHEN NOT w.withholds_gap THEN i.matched_gap_pp END AS matched_gap_pp,
    CASE WHEN NOT w.withholds_gap THEN n.overfit_factor END AS overfit_factor,
    CASE WHEN NOT w.withholds_intelligence THEN x.intelligence END AS intelligence,
    CASE WHEN NOT w.withholds_calibration THEN x.calibration END AS calibration,
    x.speed,
    x.cost,
    CASE WHEN NOT w.withholds_intelligence THEN x.gate_intelligence END AS gate_intelligence,
    x.gate_speed,
    x.gate_cost,
    CASE WHEN NOT (w.withholds_intelligence OR w.withholds_calibration) THEN x.composite END AS composite,
    w.withholds_gap OR w.withholds_calibration AS suppressed,
    s.adjusted_p50_s,
    s.adjusted_p95_s,
    f.evidence_fingerprint,
    d.disclosures,
    b.freeze_fingerprint,
    b.method_fingerprint,
    CASE
      WHEN r.ranked = 0 THEN COALESCE(r.unranked_reason, 'ruled out')
      WHEN i.published_ranked IS FALSE THEN 'not ranked by its publication'
      WHEN w.withholds_intelligence OR w.withholds_calibration THEN 'withheld: it would tell of too few sealed items'
      WHEN x.intelligence IS NULL THEN 'a part is missing: intelligence unknown'
      WHEN x.calibration IS NULL THEN 'calibration unknown'
      WHEN x.speed IS NULL THEN 'no latency on record: speed unknown'
      WHEN x.cost IS NULL THEN 'no price or receipt on record: cost unknown'
    END AS unranked_reason
  FROM measures.ingredients AS i
  INNER JOIN parts AS p ON i.method = p.method AND i.suite = p.suite AND i.track = p.track AND i.system = p.system
  INNER JOIN axes.composite AS x ON i.method = x.method AND i.suite = x.suite AND i.track = x.track AND i.system = x.system
  INNER JOIN axes.intelligence AS n ON i.method = n.method AND i.suite = n.suite AND i.track = n.track AND i.system = n.system
  INNER JOIN axes.speed AS s ON i.method = s.method AND i.suite = s.suite AND i.track = s.track AND i.system = s.system
  INNER JOIN axes.withheld AS w ON i.method = w.method AND i.suite = w.suite AND i.track = w.track AND i.system = w.system
  INNER JOIN splits.board_identities AS b ON i.method = b.method AND i.suite = b.suite
  LEFT JOIN disclosures AS d ON i.suite = d.suite AND i.system = d.system
  LEFT JOIN measures.fingerprints AS f ON i.suite = f.suite AND i.system = f.system
  LEFT JOIN frozen.system_rulings AS r ON i.system = r.system
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  track, /* board track */
  system, /* entrant */
  display_name, /* name shown on the board */
  endpoint_kind, /* hosted, self_hosted or demo */
  probability_kind, /* categorical, label_only or entailment */
  evidence_level, /* calls, or published aggregates */
  unranked_reason IS NULL AS ranked, /* whether the row is ranked */
  CASE WHEN unranked_reason IS NULL THEN RANK() OVER (PARTITION BY method, suite, track, unranked_reason IS NULL ORDER BY composite DESC) END AS rank, /* place by composite; equal composites share it */
  unranked_reason, /* why the row is not ranked */
  composite, /* harmonic mean of the axes x gates; NULL when an axis is unknown, points */
  intelligence, /* axis, points */
  calibration, /* axis, points */
  speed, /* axis, points */
  cost, /* axis, points */
  gate_intelligence, /* gate, ratio */
  gate_speed, /* gate, ratio */
  gate_cost, /* gate, ratio */
  matched_gap_pp, /* public minus sealed accuracy over matched families, pp */
  overfit_factor, /* factor on intelligence for the matched gap, ratio */
  public_correct, /* right answers on public items, items */
  public_n, /* frozen public items, items */
  sealed_correct, /* right answers on sealed items, items */
  sealed_n, /* frozen sealed items, items */
  100 * (CAST(public_correct AS DOUBLE) / public_n - CAST(sealed_correct AS DOUBLE) / sealed_n) AS overall_gap_pp, /* raw public minus sealed accuracy; changes nothing, pp */
  public_ece, /* expected calibration error of the public part, share */
  sealed_ece, /* expected calibration error of the sealed part, share */
  public_probability_coverage, /* valid probability answers / frozen public items, share */
  sealed_probability_coverage, /* valid probability answers / frozen sealed items, share */
  latency_samples, /* calls behind the quantiles; NULL when not published, calls */
  p50_s, /* median whole-call latency as measured, s */
  upper_s AS p95_s, /* upper quantile as measured, s */
  adjusted_p50_s, /* median after the adjustment, s */
  adjusted_p95_s, /* upper quantile after the adjustment, s */
  usd_per_1000, /* unit cost; NULL when unknown, USD per 1,000 decisions */
  receipt_coverage, /* items with a known cost / frozen items, share */
  cost_source, /* what the unit cost stands on */
  evidence_fingerprint, /* SHA-256 over the files that the row stands on */
  freeze_fingerprint, /* SHA-256 over the frozen parts; scores of different ones are not comparable */
  method_fingerprint, /* SHA-256 over the parameters of the method; scores of different ones are not comparable */
  suppressed, /* a figure of the row would tell of too few sealed items and is NULL */
  disclosures /* what a reader must know of the entrant, as kind: text, a bar between them; NULL when nothing */
FROM rows_
