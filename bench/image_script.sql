-- The composites of one board in one script, straight from the Parquet files: what a careful analyst would write
-- by hand. It knows the method's numbers and audits nothing.
CREATE TABLE parts AS
SELECT i.item_id, i.track, i.family, i.gold, i.option_count,
  CASE WHEN e.item_id IS NULL THEN 'sealed' ELSE 'public' END AS part
FROM evidence.items AS i
LEFT JOIN (SELECT DISTINCT item_id FROM evidence.exposures) AS e USING (item_id);

CREATE TABLE tracked AS
SELECT *, track AS board_track FROM parts UNION ALL SELECT *, 'all' FROM parts;

CREATE TABLE firsts AS
SELECT system, item_id, run_id, observation_id, answer
FROM evidence.calls WHERE phase = 'measured' AND repeat = 0 AND status = 'ok';

CREATE TABLE tops AS
SELECT f.system, f.item_id, MAX(p.probability) / SUM(p.probability) AS confidence, COUNT(o.option) AS named,
  SUM(p.probability) AS total, COUNT(*) FILTER (WHERE p.probability NOT BETWEEN 0 AND 1) AS bad,
  FIRST(p.option ORDER BY p.probability DESC, o.position) AS top
FROM evidence.probabilities AS p
JOIN firsts AS f USING (run_id, observation_id)
LEFT JOIN evidence.item_options AS o ON o.item_id = f.item_id AND o.option = p.option
GROUP BY f.system, f.item_id;

CREATE TABLE judged AS
SELECT s.system, t.board_track, t.part, t.family, t.option_count,
  COALESCE(v.valid AND f.answer = t.gold, FALSE) AS hit, COALESCE(v.valid, FALSE) AS valid, tops.confidence
FROM evidence.systems AS s CROSS JOIN tracked AS t
LEFT JOIN firsts AS f ON f.system = s.system AND f.item_id = t.item_id
LEFT JOIN tops ON tops.system = s.system AND tops.item_id = t.item_id
LEFT JOIN LATERAL (SELECT tops.named = t.option_count AND tops.bad = 0 AND ABS(tops.total - 1) <= 0.005
  AND tops.top = f.answer AS valid) AS v ON TRUE;

CREATE TABLE part_scores AS
SELECT system, board_track, part, AVG(hit::INT) AS accuracy, AVG(1.0 / option_count) AS chance, AVG(valid::INT) AS coverage
FROM judged GROUP BY ALL;

CREATE TABLE ece AS
SELECT system, board_track, part, SUM(n * ABS(c - a)) / SUM(n) AS ece FROM (
  SELECT system, board_track, part, GREATEST(1, CEIL(confidence * 10)) AS bin, COUNT(*) AS n, AVG(confidence) AS c,
    AVG(hit::INT) AS a
  FROM judged WHERE valid GROUP BY ALL) GROUP BY ALL;

CREATE TABLE gaps AS
SELECT system, board_track, SUM(gap * w) / SUM(w) AS gap FROM (
  SELECT system, board_track, family, 100 * (AVG(hit::INT) FILTER (part = 'public') - AVG(hit::INT) FILTER (part = 'sealed')) AS gap,
    COUNT(*) FILTER (part = 'public') AS np, COUNT(*) FILTER (part = 'sealed') AS ns, np * ns / (np + ns) AS w
  FROM judged GROUP BY ALL HAVING np >= 10 AND ns >= 10) GROUP BY ALL;

CREATE TABLE latency AS
SELECT c.system, t.board_track, MEDIAN(c.wall_ms) / 1000 AS p50, QUANTILE_DISC(c.wall_ms, 0.95) / 1000 AS p95
FROM evidence.calls AS c JOIN tracked AS t USING (item_id)
WHERE c.phase = 'measured' AND c.status = 'ok' GROUP BY ALL;

CREATE TABLE receipts AS
WITH priced AS (SELECT run_id, observation_id, SUM(billed_cost_usd) AS usd, COUNT(*) = COUNT(billed_cost_usd) AS known
  FROM evidence.requests WHERE attempt = 1 AND purpose = 'decision' GROUP BY ALL)
SELECT c.system, t.board_track, 1000 * SUM(usd) / COUNT(*) AS usd, COUNT(*) FILTER (c.repeat = 0) AS covered
FROM evidence.calls AS c JOIN tracked AS t USING (item_id) JOIN priced USING (run_id, observation_id)
WHERE c.phase = 'measured' AND known GROUP BY ALL;

CREATE TABLE gpu AS
SELECT g.system, t.board_track, 1000 * SUM(g.seconds * r.usd_per_hour / 3600) / SUM(g.calls) AS usd
FROM evidence.gpu_usage AS g JOIN 'SEEDS/gpu_rates.csv' AS r USING (system, gpu_type)
JOIN (SELECT DISTINCT track, board_track FROM tracked) AS t USING (track)
WHERE g.interval_kind = 'inference' GROUP BY ALL;

CREATE TABLE axes AS
SELECT s.system, l.board_track,
  GREATEST(0, 0.35 * 100 * (p.accuracy - p.chance) / (1 - p.chance) + 0.65 * 100 * (q.accuracy - q.chance) / (1 - q.chance))
    * GREATEST(0, 1 - GREATEST(0, COALESCE(g.gap, 0) - 15) / 100) AS i,
  0.35 * GREATEST(0, 100 * (1 - ep.ece / 0.5)) * p.coverage + 0.65 * GREATEST(0, 100 * (1 - eq.ece / 0.5)) * q.coverage AS c,
  (GREATEST(0, LEAST(100, 100 - 20 * LOG10(k.f * l.p50 / 0.1 + k.a / 0.1)))
    + GREATEST(0, LEAST(100, 100 - 20 * LOG10(k.f * l.p95 / 0.1 + k.a / 0.1)))) / 2 AS v,
  GREATEST(0, LEAST(100, 100 - 30 * LOG10(COALESCE(r.usd, u.usd) / 0.001))) * CASE WHEN r.usd IS NULL THEN 1.0
    ELSE r.covered / (SELECT COUNT(*) FROM tracked WHERE board_track = l.board_track) END AS m
FROM evidence.systems AS s
JOIN latency AS l USING (system)
JOIN (VALUES ('hosted', 1.0, 0.0), ('self_hosted', 2.0, 0.15)) AS k(kind, f, a) ON k.kind = s.endpoint_kind
JOIN part_scores AS p ON p.system = s.system AND p.board_track = l.board_track AND p.part = 'public'
JOIN part_scores AS q ON q.system = s.system AND q.board_track = l.board_track AND q.part = 'sealed'
JOIN ece AS ep ON ep.system = s.system AND ep.board_track = l.board_track AND ep.part = 'public'
JOIN ece AS eq ON eq.system = s.system AND eq.board_track = l.board_track AND eq.part = 'sealed'
LEFT JOIN gaps AS g ON g.system = s.system AND g.board_track = l.board_track
LEFT JOIN receipts AS r ON r.system = s.system AND r.board_track = l.board_track
LEFT JOIN gpu AS u ON u.system = s.system AND u.board_track = l.board_track;

CREATE TABLE composites AS
SELECT system, board_track AS track,
  CASE WHEN LEAST(i, c, v, m) = 0 THEN 0 ELSE 4 / (1 / i + 1 / c + 1 / v + 1 / m) END
    * LEAST(1, i / 50) ** 2 * LEAST(1, v / 50) ** 2 * LEAST(1, m / 50) ** 2 AS composite
FROM axes;
