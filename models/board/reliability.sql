MODEL (
  name board.reliability,
  kind FULL,
  description 'Reliability diagram: confidence against accuracy in bins, with counts. Grain: method, suite, track, system, part, bin.',
  grain (method, suite, track, system, part, bin),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system, part, bin)),
    no_null_anywhere()
  )
);

SELECT
  bins.method, /* set of scoring parameters */
  bins.suite, /* benchmark, with its version */
  bins.track, /* board track */
  bins.system, /* entrant */
  bins.part, /* public or sealed */
  bins.bin, /* bin of confidence, from 1 */
  (bins.bin - 1.0) / methods.ece_bins AS low_confidence, /* lower edge, share */
  CAST(bins.bin AS DOUBLE) / methods.ece_bins AS high_confidence, /* upper edge, share */
  bins.answer_count, /* valid probability answers, items */
  bins.mean_confidence, /* mean probability of the chosen option, share */
  bins.accuracy /* right answers / answers of the bin, share */
FROM measures.reliability_bins AS bins
INNER JOIN frozen.methods AS methods
  ON bins.method = methods.method
