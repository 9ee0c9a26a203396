MODEL (
  name documents.disagreement,
  kind FULL,
  description 'Items whose successful repeats do not all give the same answer; NULL in a run of one pass. Grain: run_id, task, system.',
  grain (run_id, task, system),
  audits (
    unique_grain(columns := (run_id, task, system)),
    accepted_values(column := repeat_disagreement_status, is_in := ('measured', 'not_measured'))
  )
);

WITH segments AS (
  SELECT
    run_id,
    observation_id,
    segment,
    CONCAT_WS(' ', MAX(category), MIN(page), MAX(page)) AS said
  FROM staging.page_predictions
  GROUP BY run_id, observation_id, segment
), packet_answers AS (
  SELECT run_id, observation_id, STRING_AGG(said, ', ' ORDER BY segment) AS answer
  FROM segments
  GROUP BY run_id, observation_id
), item_answers AS (
  SELECT
    calls.run_id,
    calls.task,
    calls.system,
    calls.item_id,
    COUNT(DISTINCT CASE WHEN calls.task = 'split' THEN packets.answer ELSE calls.answer END) AS answers
  FROM documents.invocations AS calls
  LEFT JOIN packet_answers AS packets
    ON calls.run_id = packets.run_id AND calls.observation_id = packets.observation_id
  WHERE calls.phase = 'measured' AND calls.state = 'successful'
  GROUP BY calls.run_id, calls.task, calls.system, calls.item_id
)
SELECT
  groups.run_id, /* recorded execution */
  groups.task, /* classify or split */
  groups.system, /* entrant */
  CASE WHEN groups.repeats > 1 THEN COUNT(CASE WHEN item_answers.answers > 1 THEN 1 END) END AS repeat_disagreement_documents, /* items with different answers; NULL when not measured */
  CASE WHEN groups.repeats > 1 THEN 'measured' ELSE 'not_measured' END AS repeat_disagreement_status /* measured only where there were repeats */
FROM documents.groups AS groups
LEFT JOIN item_answers
  ON groups.run_id = item_answers.run_id
  AND groups.task = item_answers.task
  AND groups.system = item_answers.system
GROUP BY
  groups.run_id,
  groups.task,
  groups.system,
  groups.repeats
