MODEL (
  name board.costs,
  kind FULL,
  description 'Cost of every entrant: unit cost, how many items it is known for, retries and totals apart. Grain: method, suite, track, system.',
  grain (method, suite, track, system),
  audits (
    no_item_columns(),
    unique_grain(columns := (method, suite, track, system)),
    not_null(columns := (endpoint_kind))
  )
);

SELECT
  i.method, /* set of scoring parameters */
  i.suite, /* benchmark, with its version */
  i.track, /* board track */
  i.system, /* entrant */
  i.endpoint_kind, /* decides whether receipts or accelerator time count */
  i.cost_source, /* what the unit cost stands on */
  i.usd_per_1000, /* unit cost; NULL when unknown, USD per 1,000 decisions */
  i.receipt_coverage, /* items with a known cost / frozen items, share */
  c.costed_calls, /* calls that the unit cost stands on; NULL when not published, calls */
  c.receipted_cost_usd, /* total of the receipted calls, USD */
  c.partial_cost_usd, /* known part of calls with unknown charges; a lower bound, USD */
  c.retry_cost_usd, /* known cost of retries, never part of the unit cost, USD */
  c.inference_s, /* charged accelerator seconds, s */
  c.inference_cost_usd, /* cost of the charged seconds, USD */
  k.cost_points, /* points of the unit cost, points */
  k.cost /* axis: points x receipt coverage, points */
FROM measures.ingredients AS i
INNER JOIN axes.cost AS k
  ON i.method = k.method AND i.suite = k.suite AND i.track = k.track AND i.system = k.system
LEFT JOIN measures.unit_cost AS c
  ON i.suite = c.suite AND i.track = c.track AND i.system = c.system
