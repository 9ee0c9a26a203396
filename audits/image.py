"""Expectations of the evidence, the splits, the outcomes, the costs and the board of choice and image suites."""

from __future__ import annotations

from audits.expectations import Expectation

CURRENT_CALLS = """
  SELECT calls.*
  FROM staging.calls AS calls
  INNER JOIN outcomes.run_standing AS standing USING (run_id, suite, system)
  WHERE standing.standing = 'current' AND calls.suite IN (SELECT suite FROM frozen.boards)
"""
CURRENT_OBSERVATIONS = CURRENT_CALLS.replace("staging.calls AS calls", "staging.observations AS calls")
OBSERVATION_KEY = "run_id || ' ' || observation_id"
# What two runs must share to count as one entrant; the accelerator as well, for self-hosted ones.
PINNED = (
    "code_revision", "model_revision", "prompt_sha256", "settings", "model", "engine", "display_name",
    "endpoint_kind", "probability_kind", "gpu_type",
)  # fmt: skip
# As landed, whatever a plan made of it: runs that do not join stop the plan before the warehouse knows of them.
LANDED_CURRENT_SYSTEMS = """
  SELECT systems.*
  FROM (FROM evidence.systems ANTI JOIN frozen.rejections USING (run_id)) AS systems
  ANTI JOIN (
    SELECT supersedes_run_id AS run_id, suite, system
    FROM evidence.systems ANTI JOIN frozen.rejections USING (run_id)
  ) AS successors USING (run_id, suite, system)
  SEMI JOIN frozen.boards USING (suite)
"""
BOARD_KEY = "method || ' ' || suite || ' ' || track || ' ' || system"

EVIDENCE = [
    Expectation(
        "register_equals_disk",
        "Every registered file is on disk with its hash, and no other file lies in the evidence",
        "SELECT path AS key, 'as registered' AS expected, finding AS found FROM disk",
    ),
    Expectation(
        "warehouse_stands_on_the_register",
        "The scores were computed from exactly the files in seeds/evidence.csv",
        """
        SELECT
          COALESCE(register.path, computed.path) AS key,
          COALESCE(register.sha256, 'not in the register') AS expected,
          COALESCE(computed.sha256, 'not in the warehouse: run sqlmesh plan') AS found
        FROM register
        FULL JOIN frozen.evidence AS computed USING (path)
        WHERE register.sha256 IS DISTINCT FROM computed.sha256
        """,
    ),
    Expectation(
        "no_file_registered_twice",
        "The same bytes are registered once",
        """
        SELECT MIN(path) AS key, 1 AS expected, COUNT(*) AS found
        FROM register GROUP BY table_name, sha256 HAVING COUNT(*) > 1
        """,
    ),
    Expectation(
        "probabilities_belong_to_calls",
        "Every probability joins to a call",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'a call' AS expected, 'none' AS found
        FROM (SELECT DISTINCT run_id, observation_id FROM staging.probabilities)
        ANTI JOIN staging.calls USING (run_id, observation_id)
        """,
    ),
    Expectation(
        "requests_belong_to_observations",
        "Every request joins to a planned observation",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'an observation' AS expected, 'none' AS found
        FROM (SELECT DISTINCT run_id, observation_id FROM staging.requests)
        ANTI JOIN staging.observations USING (run_id, observation_id)
        """,
    ),
    Expectation(
        "observations_are_of_known_items",
        "Every planned observation is of an item that exists",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'an item of ' || suite AS expected, item_id AS found
        FROM staging.observations ANTI JOIN staging.items USING (suite, item_id)
        """,
    ),
]

SPLITS = [
    Expectation(
        "items_equal_the_freeze",
        "Counts and hashes of the items per track, part, family and difficulty are those of the freeze",
        """
        WITH bound AS (
          SELECT suite FROM frozen.boards SEMI JOIN frozen.freezes USING (suite)
          UNION
          SELECT systems.suite FROM staging.systems AS systems
          LEFT JOIN frozen.boards AS boards USING (suite)
          WHERE boards.suite IS NOT NULL OR systems.suite IN (SELECT suite FROM staging.items WHERE task <> 'choice')
        ), found AS (
          SELECT
            suite, track, part, family, difficulty, COUNT(*) AS item_count,
            SHA256(STRING_AGG(item_id || ':' || content_sha256, CHR(10) ORDER BY item_id)) AS items_sha256
          FROM splits.item_parts SEMI JOIN bound USING (suite) GROUP BY ALL
        )
        SELECT
          CONCAT_WS(' / ', suite, track, part, family, difficulty) AS key,
          COALESCE(frozen.item_count || ' items, ' || frozen.items_sha256[:12], 'no such items') AS expected,
          COALESCE(found.item_count || ' items, ' || found.items_sha256[:12], 'no such items') AS found
        FROM (
          FROM frozen.freezes SEMI JOIN bound USING (suite) WHERE suite IN (SELECT suite FROM splits.item_parts)
        ) AS frozen
        FULL JOIN found USING (suite, track, part, family, difficulty)
        WHERE frozen.items_sha256 IS DISTINCT FROM found.items_sha256
          OR frozen.item_count IS DISTINCT FROM found.item_count
        """,
    ),
    Expectation(
        "parts_follow_exposures",
        "No item whose content is exposed anywhere is sealed, and none without an exposure is public or retired",
        """
        WITH exposed AS (
          SELECT DISTINCT items.suite, items.item_id
          FROM staging.exposures AS exposures
          INNER JOIN frozen.exposure_kinds AS kinds USING (kind)
          INNER JOIN staging.items AS seen USING (suite, item_id)
          INNER JOIN staging.items AS items ON seen.content_sha256 = items.content_sha256
          WHERE kinds.effect IN ('public', 'retired')
        )
        SELECT
          parts.suite || ' ' || parts.item_id AS key,
          CASE WHEN exposed.item_id IS NULL THEN 'sealed' ELSE 'public or retired' END AS expected,
          parts.part AS found
        FROM splits.item_parts AS parts
        LEFT JOIN exposed USING (suite, item_id)
        WHERE (exposed.item_id IS NOT NULL) = (parts.part = 'sealed')
        """,
    ),
    Expectation(
        "scored_part_is_the_split",
        "Every outcome carries the part that the exposures give its item",
        """
        SELECT outcomes.suite || ' ' || outcomes.item_id AS key, parts.part AS expected, outcomes.part AS found
        FROM outcomes.item_outcomes AS outcomes
        LEFT JOIN splits.item_parts AS parts USING (suite, item_id)
        WHERE outcomes.part IS DISTINCT FROM parts.part
        """,
    ),
    Expectation(
        "retired_items_absent",
        "No retired item is scored",
        """
        SELECT outcomes.suite || ' ' || outcomes.item_id AS key, 'absent' AS expected, 'scored' AS found
        FROM outcomes.item_outcomes AS outcomes
        SEMI JOIN (FROM splits.item_parts WHERE part = 'retired') USING (suite, item_id)
        """,
    ),
    Expectation(
        "frozen_before_first_sealed_call",
        "The freeze precedes the first call on a sealed item; an item kept from an earlier freeze was frozen by that",
        """
        WITH freezes AS (
          SELECT suite, MAX(frozen_at) AS frozen_at FROM frozen.freezes GROUP BY suite
        )
        SELECT DISTINCT
          calls.run_id || ' ' || calls.observation_id AS key,
          parts.suite || ' after ' || freezes.frozen_at AS expected,
          COALESCE(CAST(calls.started_at AS TEXT), 'unknown') AS found
        FROM staging.calls AS calls
        INNER JOIN staging.items AS called USING (suite, item_id)
        INNER JOIN (FROM splits.item_parts WHERE part = 'sealed') AS parts
          ON called.content_sha256 = parts.content_sha256
        INNER JOIN freezes ON parts.suite = freezes.suite
        LEFT JOIN freezes AS earlier ON called.suite = earlier.suite
        WHERE COALESCE(calls.started_at < freezes.frozen_at, TRUE)
          AND (calls.started_at >= earlier.frozen_at) IS NOT TRUE
        """,
    ),
    Expectation(
        "no_item_rows_on_the_board",
        "No table of the board has a row per item or per call",
        """
        SELECT table_name || '.' || column_name AS key, 'no such column' AS expected, 'exists' AS found
        FROM information_schema.columns
        WHERE table_schema = 'board' AND column_name IN ('item_id', 'observation_id', 'gold', 'answer')
        """,
    ),
    Expectation(
        "sealed_documents_are_enough",
        "A document suite that a system entered has no sealed item or enough of them: its misses are listed by item",
        """
        SELECT items.suite AS key,
          '0 or at least ' || MAX(CAST(rule.value AS BIGINT)) || ' sealed items' AS expected,
          COUNT(DISTINCT items.item_id) AS found
        FROM staging.items AS items
        INNER JOIN (FROM splits.item_parts WHERE part = 'sealed') AS parts USING (suite, item_id)
        INNER JOIN (FROM frozen.method_parameters WHERE parameter = 'suppress_below_items') AS rule ON TRUE
        WHERE items.task <> 'choice' AND items.suite IN (SELECT suite FROM staging.systems)
        GROUP BY items.suite
        HAVING COUNT(DISTINCT items.item_id) < MAX(CAST(rule.value AS BIGINT))
        """,
    ),
    Expectation(
        "versions_differ_by_enough",
        "Two frozen suites that share sealed items differ by none or by enough of them, in every figure that boards show",
        """
        SELECT CONCAT_WS(' ', suite, 'and', frozen_suite, 'on', scope, name) AS key,
          '0 or at least ' || rules.suppress_below_items || ' sealed items apart' AS expected,
          differing_count AS found
        FROM splits.version_differences INNER JOIN splits.withholding_rules AS rules USING (suite)
        WHERE differing_count BETWEEN 1 AND rules.suppress_below_items - 1
          AND suite IN (SELECT suite FROM frozen.freezes)
        """,
    ),
]

OUTCOMES = [
    Expectation(
        "one_outcome_per_item_and_system",
        "Each frozen item has exactly one outcome for each entrant",
        """
        WITH roster AS (
          SELECT entrants.suite, entrants.system, items.item_id
          FROM outcomes.entrants AS entrants
          INNER JOIN splits.board_items AS items ON entrants.suite = items.suite AND items.track = 'all'
        ), found AS (
          SELECT suite, system, item_id, COUNT(*) / COUNT(DISTINCT method) AS outcomes
          FROM outcomes.item_outcomes GROUP BY ALL
        )
        SELECT CONCAT_WS(' ', suite, system, item_id) AS key, 1 AS expected, COALESCE(outcomes, 0) AS found
        FROM roster FULL JOIN found USING (suite, system, item_id)
        WHERE roster.item_id IS NULL OR found.outcomes IS DISTINCT FROM 1
        """,
    ),
    Expectation(
        "each_observation_called_once",
        "An entrant has one call per item and measured pass over all its current runs",
        f"""
        SELECT CONCAT_WS(' ', suite, system, item_id, 'pass', repeat) AS key, 1 AS expected, COUNT(*) AS found
        FROM ({CURRENT_CALLS}) WHERE phase = 'measured'
        GROUP BY suite, system, item_id, repeat HAVING COUNT(*) > 1
        """,
    ),
    Expectation(
        "calls_and_missing_equal_planned",
        "Measured calls and missing calls add up to the planned observations of each run and system",
        """
        WITH planned AS (
          SELECT run_id, system, COUNT(*) AS planned FROM staging.observations
          WHERE phase = 'measured' AND suite IN (SELECT suite FROM frozen.boards) GROUP BY ALL
        ), called AS (
          SELECT calls.run_id, calls.system, COUNT(*) AS recorded,
            COUNT(DISTINCT calls.observation_id) AS called
          FROM staging.calls AS calls WHERE phase = 'measured'
            AND suite IN (SELECT suite FROM frozen.boards) GROUP BY ALL
        ), missing AS (
          SELECT run_id, system, COUNT(*) AS missing
          FROM (FROM staging.observations WHERE phase = 'measured')
          ANTI JOIN staging.calls USING (run_id, observation_id) GROUP BY ALL
        )
        SELECT
          run_id || ' ' || system AS key,
          COALESCE(planned, 0) || ' planned' AS expected,
          COALESCE(recorded, 0) || ' calls + ' || COALESCE(missing, 0) || ' missing' AS found
        FROM planned FULL JOIN called USING (run_id, system) LEFT JOIN missing USING (run_id, system)
        WHERE planned IS DISTINCT FROM COALESCE(recorded, 0) + COALESCE(missing, 0)
        """,
    ),
    Expectation(
        "every_dispatch_has_ended",
        "Every invocation that began has a terminal record; one without it may have been charged",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'a terminal record' AS expected, 'none' AS found
        FROM (
          SELECT DISTINCT run_id, observation_id FROM staging.dispatches
          SEMI JOIN ({CURRENT_OBSERVATIONS}) USING (run_id, observation_id)
        )
        ANTI JOIN staging.calls USING (run_id, observation_id)
        """,
        severity="warning",
    ),
    Expectation(
        "calls_agree_with_the_matrix",
        "Every call is planned, and names the system, item, pass and phase of its observation",
        """
        SELECT
          calls.run_id || ' ' || calls.observation_id AS key,
          COALESCE(CONCAT_WS(' ', plan.system, plan.item_id, plan.repeat, plan.phase), 'a plan') AS expected,
          CONCAT_WS(' ', calls.system, calls.item_id, calls.repeat, calls.phase) AS found
        FROM staging.calls AS calls
        LEFT JOIN staging.observations AS plan USING (run_id, observation_id)
        WHERE (plan.system, plan.item_id, plan.repeat, plan.phase)
          IS DISTINCT FROM (calls.system, calls.item_id, calls.repeat, calls.phase)
        """,
    ),
    Expectation(
        "every_planned_item_of_a_pass",
        "A current run that skips frozen items is seen: planned first-pass items and unplanned ones fill the freeze",
        """
        WITH planned AS (
          SELECT observations.suite, observations.system, COUNT(DISTINCT observations.item_id) AS items
          FROM staging.observations AS observations
          INNER JOIN outcomes.run_standing AS standing USING (run_id, suite, system)
          SEMI JOIN splits.board_items USING (suite, item_id)
          WHERE standing.standing = 'current' AND observations.phase = 'measured' AND observations.repeat = 0
          GROUP BY ALL
        ), frozen_items AS (
          SELECT suite, COUNT(*) AS items FROM splits.board_items WHERE track = 'all' GROUP BY suite
        )
        SELECT planned.suite || ' ' || planned.system AS key,
          frozen_items.items || ' items planned' AS expected, planned.items || ' items planned' AS found
        FROM planned INNER JOIN frozen_items USING (suite)
        WHERE planned.items <> frozen_items.items
        """,
        severity="warning",
    ),
    Expectation(
        "denominators_equal_the_freeze",
        "The denominator of every part on every track is its frozen number of items",
        """
        WITH sizes AS (
          SELECT suite, track, part, SUM(item_count) AS items
          FROM (
            SELECT suite, track, part, item_count FROM frozen.freezes
            UNION ALL SELECT suite, 'all', part, item_count FROM frozen.freezes
          ) GROUP BY ALL
          UNION ALL SELECT suite, track, part, item_count FROM frozen.published_parts
        )
        SELECT CONCAT_WS(' ', method, suite, track, system, part) AS key,
          sizes.items AS expected, measured.item_count AS found
        FROM measures.part_ingredients AS measured LEFT JOIN sizes USING (suite, track, part)
        WHERE sizes.items IS DISTINCT FROM measured.item_count
        """,
    ),
    Expectation(
        "states_fill_the_part",
        "The states add up to the frozen items of the part, and the board shows or withholds each as it is",
        """
        WITH states AS (
          SELECT method, suite, track, system, part, SUM(item_count) AS items
          FROM outcomes.outcome_counts GROUP BY ALL
        )
        SELECT CONCAT_WS(' ', method, suite, track, system, part) AS key,
          parts.item_count AS expected, states.items AS found
        FROM states LEFT JOIN board.parts AS parts USING (suite, track, part)
        WHERE parts.item_count IS DISTINCT FROM states.items
        UNION ALL
        SELECT CONCAT_WS(' ', method, suite, track, system, part, outcome),
          'the count of the outcomes', 'another count'
        FROM board.outcomes AS shown
        FULL JOIN outcomes.outcome_counts AS counted USING (method, suite, track, system, part, outcome)
        WHERE counted.item_count IS NULL OR shown.outcome IS NULL
          OR (shown.item_count IS NOT NULL AND shown.item_count <> counted.item_count)
          OR (shown.item_count IS NULL AND NOT shown.suppressed)
        """,
    ),
    Expectation(
        "correct_on_the_board_are_correct_calls",
        "Right answers on the board are as many as calls whose answer is the gold, recounted from the evidence",
        """
        WITH recounted AS (
          SELECT calls.suite, calls.system, COUNT(DISTINCT calls.item_id) AS hits
          FROM staging.calls AS calls
          INNER JOIN outcomes.run_standing AS standing USING (run_id, suite, system)
          INNER JOIN staging.items AS items USING (suite, item_id)
          SEMI JOIN splits.board_items USING (suite, item_id)
          WHERE standing.standing = 'current' AND calls.phase = 'measured' AND calls.repeat = 0
            AND calls.status = 'ok' AND calls.answer = items.gold
          GROUP BY ALL
        )
        SELECT CONCAT_WS(' ', board.method, board.suite, board.system) AS key,
          'at most ' || COALESCE(recounted.hits, 0) AS expected,
          COALESCE(public_correct, 0) + COALESCE(sealed_correct, 0) AS found
        FROM board.leaderboard AS board LEFT JOIN recounted USING (suite, system)
        WHERE board.evidence_level = 'calls' AND board.track = 'all'
          AND COALESCE(public_correct, 0) + COALESCE(sealed_correct, 0) > COALESCE(recounted.hits, 0)
        """,
    ),
    Expectation(
        "only_current_runs_score",
        "No outcome stands on a superseded or rejected run",
        """
        SELECT DISTINCT outcomes.run_id || ' ' || outcomes.system AS key,
          'current' AS expected, standing.standing AS found
        FROM outcomes.item_outcomes AS outcomes
        INNER JOIN outcomes.run_standing AS standing USING (run_id, suite, system)
        WHERE standing.standing <> 'current'
        """,
    ),
    Expectation(
        "latency_sample_is_the_measured_calls",
        "The latency sample is the answered measured calls of the current runs: no warm-up, no cache hit, none twice",
        f"""
        WITH recounted AS (
          SELECT calls.suite, calls.system, COUNT(*) AS calls
          FROM ({CURRENT_CALLS}) AS calls SEMI JOIN splits.board_items USING (suite, item_id)
          WHERE phase = 'measured' AND status = 'ok' AND wall_ms IS NOT NULL
            AND served_from_cache IS NOT TRUE
          GROUP BY ALL
        )
        SELECT suite || ' ' || system AS key, recounted.calls AS expected, latency_samples AS found
        FROM board.leaderboard LEFT JOIN recounted USING (suite, system)
        WHERE evidence_level = 'calls' AND track = 'all' AND latency_samples IS DISTINCT FROM recounted.calls
        """,
    ),
    Expectation(
        "answers_of_two_systems_differ",
        "No two systems gave identical answers with identical confidences throughout",
        """
        WITH vectors AS (
          SELECT method, suite, system,
            MD5(STRING_AGG(item_id || outcome || COALESCE(CAST(confidence AS TEXT), ''), '|' ORDER BY item_id)) AS vector
          FROM outcomes.item_outcomes GROUP BY ALL
          HAVING COUNT(confidence) > 0
        )
        SELECT CONCAT_WS(' ', method, suite, STRING_AGG(system, ' = ' ORDER BY system)) AS key,
          'different answers' AS expected, 'identical answers' AS found
        FROM vectors GROUP BY method, suite, vector HAVING COUNT(*) > 1
        """,
        severity="warning",
    ),
    Expectation(
        "runs_of_one_system_join",
        "Current runs of one system agree in code, model, prompt and settings, and on the accelerator of self-hosted ones",
        f"""
        SELECT suite || ' ' || system AS key, 'equal in every current run' AS expected,
          CONCAT_WS(', ', {", ".join(f"CASE WHEN COUNT(DISTINCT COALESCE({c}, '')) > 1 THEN '{c}' END" for c in PINNED)})
            || ' of ' || STRING_AGG(run_id, ', ' ORDER BY run_id) AS found
        FROM ({LANDED_CURRENT_SYSTEMS}) GROUP BY suite, system
        HAVING {" OR ".join(f"COUNT(DISTINCT COALESCE({c}, '')) > 1" for c in PINNED)}
        """,
    ),
    Expectation(
        "joined_runs_say_what_they_pinned",
        "Where several current runs make up one entrant, each says its code, model, prompt and settings",
        f"""
        SELECT suite || ' ' || system AS key, 'recorded in every run' AS expected,
          CONCAT_WS(', ', {", ".join(f"CASE WHEN COUNT({c}) < COUNT(*) THEN '{c}' END" for c in PINNED[:4])}) AS found
        FROM ({LANDED_CURRENT_SYSTEMS}) GROUP BY suite, system
        HAVING COUNT(*) > 1 AND LEAST({", ".join(f"COUNT({c})" for c in PINNED[:4])}) < COUNT(*)
        """,
        severity="warning",
    ),
]

COSTS = [
    Expectation(
        "receipts_within_requests",
        "No more receipted calls than calls with a request, and no more than measured calls",
        f"""
        WITH requested AS (
          SELECT calls.suite, calls.system, COUNT(*) AS calls
          FROM ({CURRENT_CALLS}) AS calls
          SEMI JOIN (FROM staging.requests WHERE purpose = 'decision') USING (run_id, observation_id)
          WHERE phase = 'measured' GROUP BY ALL
        )
        SELECT costs.suite || ' ' || costs.system AS key,
          'at most ' || COALESCE(requested.calls, 0) AS expected, costs.costed_calls AS found
        FROM board.costs AS costs LEFT JOIN requested USING (suite, system)
        WHERE costs.track = 'all' AND costs.endpoint_kind <> 'self_hosted'
          AND costs.costed_calls > COALESCE(requested.calls, 0)
        """,
    ),
    Expectation(
        "no_request_priced_twice",
        "A provider's request id stands in one request of the current runs",
        """
        SELECT requests.provider || ' ' || requests.request_id AS key, 1 AS expected, COUNT(*) AS found
        FROM staging.requests AS requests
        INNER JOIN staging.calls AS calls USING (run_id, observation_id)
        INNER JOIN outcomes.run_standing AS standing USING (run_id, suite, system)
        WHERE standing.standing = 'current' AND requests.request_id IS NOT NULL
        GROUP BY requests.provider, requests.request_id HAVING COUNT(*) > 1
        """,
    ),
    Expectation(
        "unit_cost_is_the_sum_of_receipts",
        "The receipted total on the board is the sum over the priced first requests, recomputed from the evidence",
        f"""
        WITH calls AS (
          SELECT calls.suite, calls.system, calls.run_id, calls.observation_id,
            SUM(costs.cost_usd) AS cost_usd, COUNT(*) = COUNT(costs.cost_usd) AS is_priced
          FROM ({CURRENT_CALLS}) AS calls
          INNER JOIN outcomes.request_costs AS costs USING (run_id, observation_id)
          SEMI JOIN splits.board_items USING (suite, item_id)
          WHERE phase = 'measured' AND status <> 'skipped' AND served_from_cache IS NOT TRUE
            AND costs.purpose = 'decision' AND costs.attempt = 1
          GROUP BY ALL
        ), recounted AS (
          SELECT suite, system, SUM(cost_usd) FILTER (WHERE is_priced) AS cost_usd FROM calls GROUP BY ALL
        )
        SELECT suite || ' ' || system AS key, recounted.cost_usd AS expected, receipted_cost_usd AS found
        FROM board.costs FULL JOIN recounted USING (suite, system)
        WHERE track = 'all'
          AND ABS(COALESCE(recounted.cost_usd, 0) - COALESCE(receipted_cost_usd, 0)) > 1e-9
        """,
    ),
    Expectation(
        "tokens_lie_inside_their_totals",
        "Cached tokens lie inside the input tokens, reasoning tokens inside the output tokens",
        """
        SELECT CONCAT_WS(' ', run_id, observation_id, request_sequence) AS key,
          'within the total' AS expected, 'more than the total' AS found
        FROM staging.requests
        WHERE COALESCE(cached_input_tokens, 0) + COALESCE(cache_write_tokens, 0) > input_tokens
          OR reasoning_tokens > output_tokens
        """,
    ),
    Expectation(
        "charges_are_inference_of_measured_calls",
        "Charged accelerator intervals served exactly the measured calls that began, per run, system and track",
        """
        WITH charged AS (
          SELECT run_id, system, track, SUM(calls) AS calls FROM staging.gpu_usage
          WHERE interval_kind = 'inference' GROUP BY ALL
        ), called AS (
          SELECT calls.run_id, calls.system, GROUPING_ID(items.track) = 1 AS is_total, items.track, COUNT(*) AS calls
          FROM staging.calls AS calls INNER JOIN staging.items AS items USING (suite, item_id)
          WHERE calls.phase = 'measured' AND calls.status <> 'skipped'
          GROUP BY GROUPING SETS ((calls.run_id, calls.system), (calls.run_id, calls.system, items.track))
        )
        SELECT CONCAT_WS(' ', charged.run_id, charged.system, charged.track) AS key,
          called.calls AS expected, charged.calls AS found
        FROM charged LEFT JOIN called
          ON charged.run_id = called.run_id AND charged.system = called.system
          AND COALESCE(charged.track, '') = COALESCE(called.track, '')
        WHERE charged.calls IS DISTINCT FROM called.calls
        """,
    ),
    Expectation(
        "zero_price_has_a_reason",
        "A price of zero states its reason",
        """
        SELECT CONCAT_WS(' ', snapshot, model, token_class) AS key, 'a reason' AS expected, 'none' AS found
        FROM frozen.prices WHERE usd_per_million_tokens = 0 AND zero_price_reason IS NULL
        """,
    ),
    Expectation(
        "prices_have_source_and_date",
        "Every price and every hourly rate has a source and a date, and is marked when it stands in for another model",
        """
        SELECT CONCAT_WS(' ', snapshot, model, token_class) AS key,
          'source, date and proxy mark' AS expected, 'absent' AS found
        FROM frozen.prices WHERE source IS NULL OR dated_on IS NULL OR is_proxy IS NULL
        UNION ALL
        SELECT system || ' ' || gpu_type, 'source and date', 'absent'
        FROM frozen.gpu_rates WHERE source IS NULL OR dated_on IS NULL
        """,
    ),
]

BOARD = [
    Expectation(
        "unknown_cost_is_never_scored",
        "Without a unit cost there is no cost axis, no composite and no rank",
        f"""
        SELECT {BOARD_KEY} AS key, 'no cost axis' AS expected, cost AS found
        FROM board.leaderboard
        WHERE usd_per_1000 IS NULL AND (cost IS NOT NULL OR composite IS NOT NULL OR ranked)
        """,
    ),
    Expectation(
        "missing_part_makes_the_axis_unknown",
        "A suite without a part that the method weighs has no intelligence and no calibration",
        f"""
        SELECT {BOARD_KEY} AS key, 'no axis' AS expected, 'an axis' AS found
        FROM board.leaderboard
        WHERE (public_n IS NULL OR sealed_n IS NULL)
          AND (intelligence IS NOT NULL OR calibration IS NOT NULL OR composite IS NOT NULL)
        """,
    ),
    Expectation(
        "coverage_scales_calibration",
        "Calibration is at most 100 x the probability coverage, weighted over the parts",
        f"""
        SELECT {BOARD_KEY} AS key, 100 * coverage AS expected, calibration AS found
        FROM (
          SELECT board.*, m.public_weight * public_probability_coverage
            + m.sealed_weight * sealed_probability_coverage AS coverage
          FROM board.leaderboard AS board INNER JOIN frozen.methods AS m USING (method)
        )
        WHERE calibration > 100 * coverage + 1e-9
        """,
    ),
    Expectation(
        "adjustment_follows_endpoint_kind",
        "Adjusted latency is the one that the endpoint kind asks for, recomputed from the raw one",
        """
        SELECT CONCAT_WS(' ', board.method, suite, track, system) AS key,
          a.latency_factor * p50_s + a.latency_addend_s AS expected, adjusted_p50_s AS found
        FROM board.leaderboard AS board
        LEFT JOIN frozen.latency_adjustments AS a
          ON board.method = a.method AND board.endpoint_kind = a.endpoint_kind
        WHERE p50_s IS NOT NULL AND (
          ABS(adjusted_p50_s - (a.latency_factor * p50_s + a.latency_addend_s)) > 1e-9
          OR ABS(adjusted_p95_s - (a.latency_factor * p95_s + a.latency_addend_s)) > 1e-9
          OR a.method IS NULL)
        """,
    ),
    Expectation(
        "published_adjustment_agrees",
        "Where a publication shows adjusted latency, it is the one that the endpoint kind asks for",
        """
        SELECT CONCAT_WS(' ', suite, track, system) AS key,
          published_adjusted_p50_s AS expected, board.adjusted_p50_s AS found
        FROM staging.published_results INNER JOIN board.leaderboard AS board USING (suite, track, system)
        WHERE ABS(published_adjusted_p50_s - board.adjusted_p50_s) > 1e-6
          OR ABS(published_adjusted_p95_s - board.adjusted_p95_s) > 1e-6
        """,
    ),
    Expectation(
        "equal_composites_share_a_rank",
        "On one board, equal composites share a rank and a better composite has the better rank",
        f"""
        SELECT {BOARD_KEY} AS key, right_rank AS expected, rank AS found
        FROM (
          SELECT *, RANK() OVER (PARTITION BY method, suite, track ORDER BY composite DESC) AS right_rank
          FROM board.leaderboard WHERE ranked
        ) WHERE rank <> right_rank
        """,
    ),
    Expectation(
        "weights_sum_to_one",
        "The weights of parts and of axes add up to 1 in every method",
        """
        SELECT method AS key, '1 and 1' AS expected,
          (public_weight + sealed_weight) || ' and '
          || (intelligence_weight + calibration_weight + speed_weight + cost_weight) AS found
        FROM frozen.methods
        WHERE ABS(public_weight + sealed_weight - 1) > 1e-12
          OR ABS(intelligence_weight + calibration_weight + speed_weight + cost_weight - 1) > 1e-12
        """,
    ),
    Expectation(
        "every_entrant_is_on_the_board",
        "Every system with a current run or a published result has its row on every track",
        """
        WITH entered AS (
          SELECT DISTINCT suite, track, system FROM outcomes.entrants INNER JOIN board.parts USING (suite)
          UNION SELECT suite, track, system FROM staging.published_results
        )
        SELECT CONCAT_WS(' ', suite, track, system) AS key, 'a row' AS expected, 'none' AS found
        FROM entered ANTI JOIN board.leaderboard USING (suite, track, system)
        WHERE suite IN (SELECT suite FROM frozen.boards)
        """,
    ),
    Expectation(
        "small_sealed_figures_are_withheld",
        "No table of the board shows a sealed figure over too few items, nor one that follows from what it shows",
        """
        WITH shown AS (
          SELECT suite, CONCAT_WS(' ', method, track, system, 'family', family) AS cell, sealed_n AS items
          FROM board.families
          UNION ALL
          SELECT suite, CONCAT_WS(' ', method, track, system, outcome), item_count
          FROM board.outcomes WHERE part = 'sealed'
          UNION ALL
          SELECT suite, CONCAT_WS(' ', method, track, system, 'bin', bin), answer_count
          FROM board.reliability WHERE part = 'sealed'
          UNION ALL
          SELECT suite, CONCAT_WS(' ', track, family, difficulty), item_count
          FROM board.composition WHERE part = 'sealed'
          UNION ALL
          SELECT suite, CONCAT_WS(' ', method, track, system, 'sealed part'), sealed_n
          FROM board.leaderboard WHERE evidence_level = 'calls'
            AND COALESCE(sealed_correct, sealed_ece, sealed_probability_coverage) IS NOT NULL
          UNION ALL
          SELECT suite, CONCAT_WS(' ', method, track, system, 'rest of the families'), rest
          FROM (
            SELECT families.method, families.suite, families.track, families.system,
              MAX(board.sealed_n) - COALESCE(SUM(families.sealed_n), 0) AS rest
            FROM board.families AS families
            INNER JOIN board.leaderboard AS board USING (method, suite, track, system)
            WHERE board.sealed_correct IS NOT NULL GROUP BY ALL
          )
          UNION ALL
          SELECT suite, CONCAT_WS(' ', method, track, system, 'rest of the bins'), rest
          FROM (
            SELECT bins.method, bins.suite, bins.track, bins.system,
              MAX(parts.valid_n) - COALESCE(SUM(bins.answer_count), 0) AS rest, MAX(parts.valid_n) AS valid
            FROM board.reliability AS bins
            INNER JOIN measures.part_ingredients AS parts USING (method, suite, track, system, part)
            WHERE part = 'sealed' GROUP BY ALL
          ) INNER JOIN splits.withholding_rules AS rules USING (suite) WHERE valid >= rules.suppress_below_items
        )
        SELECT suite || ' ' || cell AS key, 'withheld' AS expected, 'shown' AS found
        FROM shown INNER JOIN splits.withholding_rules AS rules USING (suite)
        WHERE items BETWEEN 1 AND rules.suppress_below_items - 1
        """,
    ),
]
