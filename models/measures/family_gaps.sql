MODEL (
  name measures.family_gaps,
  kind FULL,
  description 'Public minus sealed accuracy of each family that has items in both parts. Grain: method, suite, track, system, family.',
  grain (method, suite, track, system, family),
  audits (
    unique_grain(columns := (method, suite, track, system, family)),
    no_null_anywhere()
  )
);

SELECT
  public.method, /* set of scoring parameters */
  public.suite, /* benchmark, with its version */
  public.track, /* board track */
  public.system, /* entrant */
  public.family, /* kind of question */
  public.item_count AS public_n, /* frozen public items of the family, items */
  sealed.item_count AS sealed_n, /* frozen sealed items of the family, items */
  100.0 * (public.accuracy - sealed.accuracy) AS gap_pp, /* public minus sealed accuracy, pp */
  CAST(public.item_count AS DOUBLE) * sealed.item_count / (public.item_count + sealed.item_count) AS gap_weight, /* n_public x n_sealed / (n_public + n_sealed), items */
  LEAST(public.item_count, sealed.item_count) >= methods.matched_family_min_items AS is_matched /* enough items in both parts to count */
FROM measures.family_accuracy AS public
INNER JOIN measures.family_accuracy AS sealed
  USING (method, suite, track, system, family)
INNER JOIN frozen.methods AS methods
  ON public.method = methods.method
WHERE
  public.part = 'public' AND sealed.part = 'sealed'
