MODEL (
  name outcomes.probability_answers,
  kind FULL,
  description 'What each first call said in probabilities, held against the options of its item. Grain: suite, system, item_id.',
  grain (suite, system, item_id),
  audits (
    unique_grain(columns := (suite, system, item_id)),
    not_null(columns := (named_options, foreign_options, bad_values))
  )
);

WITH answers AS (
  SELECT
    calls.suite,
    calls.system,
    calls.item_id,
    probabilities.probability,
    options.option,
    options.option = calls.answer AS is_answer,
    ROW_NUMBER() OVER (
      PARTITION BY calls.suite, calls.system, calls.item_id
      ORDER BY probabilities.probability DESC NULLS LAST, options.position NULLS LAST
    ) AS preference /* the first option in frozen order wins a tie */
  FROM staging.probabilities AS probabilities
  INNER JOIN outcomes.first_calls AS calls
    ON probabilities.run_id = calls.run_id AND probabilities.observation_id = calls.observation_id
  LEFT JOIN staging.item_options AS options
    ON calls.suite = options.suite
    AND calls.item_id = options.item_id
    AND probabilities.option = options.option
)
SELECT
  suite, /* benchmark, with its version */
  system, /* entrant */
  item_id, /* item */
  COUNT(option) AS named_options, /* options of the item that were named, options */
  COUNT(*) - COUNT(option) AS foreign_options, /* names that are no option of the item, options */
  COUNT(*) - COUNT(CASE WHEN probability BETWEEN 0 AND 1 THEN 1 END) AS bad_values, /* values not finite or outside 0 to 1 */
  SUM(probability) AS probability_sum, /* sum over the names, share */
  MAX(probability) AS top_probability, /* largest value, share */
  MAX(CASE WHEN preference = 1 THEN option END) AS top_option, /* option of the largest value */
  MAX(CASE WHEN is_answer THEN probability END) AS answer_probability /* value of the answer, share */
FROM answers
GROUP BY
  suite,
  system,
  item_id
