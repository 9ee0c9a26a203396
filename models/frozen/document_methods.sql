MODEL (
  name frozen.document_methods,
  kind FULL,
  description 'Parameters of the document method, one column each; one method is in force. Grain: method.',
  grain (method),
  audits (
    unique_grain(columns := (method)),
    number_of_rows(threshold := 0),
    no_null_anywhere()
  )
);

SELECT
  method, /* set of scoring parameters */
  @parameter(quality_pass, BIGINT) AS quality_pass, /* measured pass that quality is judged on, pass */
  @parameter(median_quantile, DOUBLE) AS median_quantile, /* middle latency quantile, share */
  @parameter(upper_quantile, DOUBLE) AS upper_quantile, /* upper latency quantile, share */
  @parameter(bootstrap_seed, BIGINT) AS bootstrap_seed, /* seed of the resampling */
  @parameter(bootstrap_resamples, BIGINT) AS bootstrap_resamples, /* resamples of whole sources, resamples */
  @parameter(bootstrap_min_sources, BIGINT) AS bootstrap_min_sources, /* fewer have no interval, sources */
  @parameter(interval_lower_quantile, DOUBLE) AS interval_lower_quantile, /* lower end of the interval, share */
  @parameter(interval_upper_quantile, DOUBLE) AS interval_upper_quantile, /* upper end of the interval, share */
  @parameter(unbilled_parser, TEXT) AS unbilled_parser /* parser without an API charge */
FROM frozen.method_parameters
WHERE
  method IN (SELECT method FROM frozen.method_parameters WHERE parameter = 'bootstrap_resamples')
GROUP BY
  method
