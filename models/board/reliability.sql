MODEL (
  name board.reliability,
  kind FULL,
  description 'Reliability diagram: confidence against accuracy in bins, with counts. Grain: method, suite, track, system, part, bin.',
  grain (method, suite, track, system, part, bin),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, part, bin)),
    not_null(columns := (bin, suppressed))
  )
);

WITH decided AS (
  SELECT
    bins.*,
    bins.part = 'sealed' AND (withheld.cell IS NOT NULL OR COALESCE(groups.is_withheld, FALSE)) AS suppressed
  FROM measures.reliability_bins AS bins
  LEFT JOIN splits.track_groups AS groups
    ON bins.suite = groups.suite AND bins.track = groups.track
  LEFT JOIN measures.withheld_cells AS withheld
    ON withheld.kind = 'bin'
    AND bins.method = withheld.method
    AND bins.suite = withheld.suite
    AND bins.system = withheld.system
    AND CAST(bins.bin AS TEXT) = withheld.cell
)
SELECT
  bins.method, /* set of scoring parameters */
  bins.suite, /* benchmark, with its version */
  bins.track, /* board track */
  bins.system, /* entrant */
  bins.part, /* public or sealed */
  bins.bin, /* bin of confidence, from 1 */
  (bins.bin - 1.0) / methods.ece_bins AS low_confidence, /* lower edge, share */
  CAST(bins.bin AS DOUBLE) / methods.ece_bins AS high_confidence, /* upper edge, share */
  CASE WHEN NOT bins.suppressed THEN bins.answer_count END AS answer_count, /* valid probability answers; NULL when withheld, items */
  CASE WHEN NOT bins.suppressed THEN bins.mean_confidence END AS mean_confidence, /* mean probability of the chosen option; NULL when withheld, share */
  CASE WHEN NOT bins.suppressed THEN bins.accuracy END AS accuracy, /* right answers / answers of the bin; NULL when withheld, share */
  bins.suppressed /* the bin holds too few sealed items, or covers one that does */
FROM decided AS bins
INNER JOIN frozen.methods AS methods
  ON bins.method = methods.method
