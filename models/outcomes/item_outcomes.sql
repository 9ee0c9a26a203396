MODEL (
  name outcomes.item_outcomes,
  kind FULL,
  description 'What each frozen item counts as for each entrant, under each method of the suite; an item without a call is a row. Grain: method, suite, system, item_id.',
  grain (method, suite, system, item_id),
  audits (
    unique_grain(columns := (method, suite, system, item_id)),
    not_null(columns := (outcome, is_correct, is_valid_probability)),
    every_item_for_every_entrant(),
    options_sent_in_frozen_order(),
    accepted_range(column := confidence, min_v := 0, max_v := 1)
  )
);

WITH roster AS (
  SELECT
    boards.method,
    items.suite,
    entrants.system,
    entrants.probability_kind,
    methods.probability_sum_tolerance,
    methods.confidence_rule,
    methods.tie_rule,
    items.item_id,
    items.item_track,
    items.part,
    items.family,
    items.difficulty,
    items.gold,
    items.option_count,
    items.options_sha256
  FROM splits.board_items AS items
  INNER JOIN frozen.boards AS boards
    ON items.suite = boards.suite
  INNER JOIN frozen.methods AS methods
    ON boards.method = methods.method
  INNER JOIN outcomes.entrants AS entrants
    ON items.suite = entrants.suite
  WHERE
    items.track = 'all'
), judged AS (
  SELECT
    roster.*,
    calls.run_id,
    calls.observation_id,
    calls.answer,
    calls.truncated,
    calls.sent_options_sha256,
    answers.answer_probability / CASE roster.confidence_rule WHEN 'normalised' THEN answers.probability_sum WHEN 'as_given' THEN 1 END AS confidence,
    CASE
      WHEN calls.status IS NULL THEN 'missing'
      WHEN calls.status = 'skipped' THEN 'skipped'
      WHEN calls.status = 'error' THEN @failure_state(calls.error_type, calls.error_code)
      WHEN calls.refused THEN 'refused'
      WHEN COALESCE(calls.answer, '') = '' THEN 'empty_answer'
      WHEN options.option IS NULL THEN 'invalid_answer'
      WHEN roster.probability_kind <> 'categorical' THEN 'valid'
      WHEN COALESCE(answers.named_options, 0) <> roster.option_count OR answers.foreign_options > 0
      THEN 'invalid_probability_keys'
      WHEN answers.bad_values > 0 THEN 'invalid_probability_values'
      WHEN @differs_by_more_than(answers.probability_sum, 1, roster.probability_sum_tolerance)
      THEN 'invalid_probability_sum'
      WHEN roster.tie_rule = 'first_option' AND answers.top_option <> calls.answer THEN 'answer_not_argmax'
      WHEN answers.answer_probability < answers.top_probability THEN 'answer_not_argmax'
      ELSE 'valid'
    END AS verdict
  FROM roster
  LEFT JOIN outcomes.first_calls AS calls
    ON roster.suite = calls.suite AND roster.system = calls.system AND roster.item_id = calls.item_id
  LEFT JOIN outcomes.probability_answers AS answers
    ON roster.suite = answers.suite AND roster.system = answers.system AND roster.item_id = answers.item_id
  LEFT JOIN staging.item_options AS options
    ON roster.suite = options.suite AND roster.item_id = options.item_id AND calls.answer = options.option
)
SELECT
  method, /* set of scoring parameters */
  suite, /* benchmark, with its version */
  system, /* entrant */
  item_id, /* item */
  item_track, /* track that the item itself is in */
  part, /* public or sealed */
  family, /* kind of question */
  difficulty, /* difficulty level */
  run_id, /* run of the call; NULL without a call */
  observation_id, /* invocation of the call; NULL without a call */
  CASE WHEN verdict <> 'valid' THEN verdict WHEN answer = gold THEN 'correct' ELSE 'wrong' END AS outcome, /* what the item counts as */
  verdict = 'valid' AND COALESCE(answer = gold, FALSE) AS is_correct, /* right answer; an unknown gold makes no answer right */
  verdict = 'valid' AND probability_kind = 'categorical' AS is_valid_probability, /* counts towards probability coverage */
  CASE WHEN verdict = 'valid' AND probability_kind = 'categorical' THEN LEAST(1.0, confidence) END AS confidence, /* probability of the chosen option by the confidence rule of the method, share */
  COALESCE(truncated, FALSE) AS is_truncated, /* the input or output was cut */
  sent_options_sha256, /* SHA-256 of the options in the order sent */
  options_sha256 /* SHA-256 of the options in frozen order */
FROM judged
