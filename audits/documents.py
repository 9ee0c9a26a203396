"""Expectations of document runs: matrix, inputs, truth, denominators, latency and money."""

from __future__ import annotations

from audits.expectations import Expectation

OBSERVATION_KEY = "run_id || ' ' || observation_id"
GROUP_KEY = "CONCAT_WS(' ', run_id, task, system)"
DOCUMENT_RUNS = "(SELECT DISTINCT run_id FROM documents.groups)"

MATRIX = [
    Expectation(
        "planned_observation_in_one_state",
        "Every planned observation is in exactly one state, and every record is of a planned observation",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'one state' AS expected, COUNT(state) || ' states' AS found
        FROM (FROM staging.observations SEMI JOIN staging.runs USING (run_id)
          WHERE run_id IN {DOCUMENT_RUNS}) AS planned
        LEFT JOIN documents.invocations USING (run_id, observation_id)
        GROUP BY run_id, observation_id HAVING COUNT(state) <> 1
        UNION ALL
        SELECT {OBSERVATION_KEY}, 'in the plan', 'a record alone'
        FROM (SELECT run_id, observation_id FROM staging.calls
          UNION SELECT run_id, observation_id FROM staging.dispatches
          UNION SELECT run_id, observation_id FROM staging.requests)
        ANTI JOIN staging.observations USING (run_id, observation_id)
        WHERE run_id IN {DOCUMENT_RUNS}
        """,
    ),
    Expectation(
        "one_terminal_record",
        "An observation has one terminal record and one dispatch start at most",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'one' AS expected, COUNT(*) AS found
        FROM staging.calls WHERE run_id IN {DOCUMENT_RUNS}
        GROUP BY run_id, observation_id HAVING COUNT(*) > 1
        UNION ALL
        SELECT {OBSERVATION_KEY}, 'one', COUNT(*)
        FROM staging.dispatches WHERE run_id IN {DOCUMENT_RUNS}
        GROUP BY run_id, observation_id HAVING COUNT(*) > 1
        """,
    ),
    Expectation(
        "first_pass_covers_the_test_set",
        "The first measured pass plans every frozen test item for every system",
        f"""
        SELECT {GROUP_KEY} AS key, planned_unique AS expected, COUNT(DISTINCT invocations.item_id) AS found
        FROM documents.groups LEFT JOIN (
          FROM documents.invocations WHERE phase = 'measured' AND repeat = 0
        ) AS invocations USING (run_id, task, system)
        GROUP BY ALL HAVING COUNT(DISTINCT invocations.item_id) <> planned_unique
        """,
    ),
    Expectation(
        "complete_run_is_complete",
        "A run that counts as complete has a terminal record for each dispatch and plan row, and no cut-off file",
        """
        SELECT run_id AS key, 'complete' AS expected,
          CONCAT_WS(', ', missing_terminal_calls || ' missing', unclosed_dispatches || ' unclosed',
            'cut off: ' || (raw_truncated OR events_truncated)) AS found
        FROM board.documents_runs
        WHERE run_status = 'complete'
          AND (missing_terminal_calls > 0 OR unclosed_dispatches > 0 OR raw_truncated OR events_truncated)
        """,
    ),
]

INPUTS = [
    Expectation(
        "engines_saw_the_same_pages",
        "Within a run, every engine got the same normalised pages of an item, and they are the prepared ones",
        f"""
        WITH seen AS (
          SELECT run_id, item_id, input_sha256 AS pages_sha256 FROM staging.calls
          WHERE input_sha256 IS NOT NULL
          UNION
          SELECT run_id, item_id, pages_sha256 FROM staging.preparations WHERE pages_sha256 IS NOT NULL
        )
        SELECT run_id || ' ' || item_id AS key, 'one text' AS expected, COUNT(*) || ' texts' AS found
        FROM seen WHERE run_id IN {DOCUMENT_RUNS} GROUP BY run_id, item_id HAVING COUNT(*) > 1
        """,
    ),
    Expectation(
        "truth_unchanged_since_freeze",
        "The test items are those of the freeze: count and hash per task and family",
        """
        WITH found AS (
          SELECT suite, track, family, difficulty, COUNT(*) AS item_count,
            SHA256(STRING_AGG(item_id || ':' || content_sha256, CHR(10) ORDER BY item_id)) AS items_sha256
          FROM staging.items WHERE task IN ('classify', 'split') AND partition = 'test' GROUP BY ALL
        ), promised AS (
          SELECT suite, track, family, difficulty, SUM(item_count) AS item_count,
            STRING_AGG(items_sha256, ' ') AS items_sha256
          FROM frozen.freezes WHERE suite IN (SELECT suite FROM found) GROUP BY ALL
        )
        SELECT CONCAT_WS(' / ', suite, track, family) AS key,
          COALESCE(promised.item_count || ' items, ' || promised.items_sha256[:12], 'not frozen') AS expected,
          COALESCE(found.item_count || ' items, ' || found.items_sha256[:12], 'no items') AS found
        FROM promised FULL JOIN found USING (suite, track, family, difficulty)
        WHERE promised.items_sha256 IS DISTINCT FROM found.items_sha256
        """,
    ),
    Expectation(
        "no_truth_in_recorded_inputs",
        "No ground truth, file name or assembly map in anything recorded of an engine's input: the document name "
        "and the system's settings carry no category and no source of a packet, and requests carry no answer key",
        f"""
        WITH secrets AS (
          SELECT suite, item_id, LOWER(gold) AS secret FROM staging.items
          WHERE task IN ('classify', 'split') AND gold IS NOT NULL
          UNION SELECT suite, item_id, LOWER(category) FROM staging.item_segments
          UNION SELECT suite, item_id, LOWER(source_item_id) FROM staging.item_segments
          WHERE source_item_id IS NOT NULL
        )
        SELECT DISTINCT {OBSERVATION_KEY} AS key, 'a neutral name' AS expected, 'names its truth' AS found
        FROM staging.calls AS calls INNER JOIN secrets USING (suite, item_id)
        WHERE calls.run_id IN {DOCUMENT_RUNS} AND LENGTH(secret) > 3
          AND CONTAINS(REPLACE(REPLACE(LOWER(document_name), '-', '_'), ' ', '_'), secret)
        UNION ALL
        SELECT DISTINCT CONCAT_WS(' ', systems.run_id, system), 'settings without items', 'names an item'
        FROM staging.systems AS systems INNER JOIN staging.items AS items USING (suite)
        WHERE systems.run_id IN {DOCUMENT_RUNS}
          AND (CONTAINS(settings, items.source_sha256) OR CONTAINS(settings, '"' || items.item_id || '"'))
        """,
    ),
    Expectation(
        "packets_are_whole_documents",
        "The true segments of a packet cover its pages once, in order",
        """
        SELECT suite || ' ' || item_id AS key, 'pages 1 to ' || page_count AS expected,
          COALESCE(MIN(first_page) || ' to ' || MAX(last_page), 'no segment') AS found
        FROM (FROM staging.items WHERE task = 'split') AS items
        LEFT JOIN staging.item_segments AS segments USING (suite, item_id)
        GROUP BY suite, item_id, page_count
        HAVING MIN(first_page) IS DISTINCT FROM 1 OR MAX(last_page) IS DISTINCT FROM page_count
          OR SUM(last_page - first_page + 1) IS DISTINCT FROM page_count
        """,
    ),
    Expectation(
        "no_answer_from_a_cache",
        "A call that a result cache answered is not an observation and is never successful",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'not successful' AS expected, state AS found
        FROM documents.invocations INNER JOIN staging.calls USING (run_id, observation_id)
        WHERE served_from_cache AND state = 'successful'
        """,
    ),
    Expectation(
        "truncated_input_is_counted",
        "A call whose input was cut says so, and its document has all its pages in the truth",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'whole input' AS expected, 'cut' AS found
        FROM staging.calls WHERE truncated AND run_id IN {DOCUMENT_RUNS}
        """,
        severity="warning",
    ),
]

FIGURES = [
    Expectation(
        "denominator_is_the_freeze",
        "Quality is over every frozen test item, whatever happened to its calls",
        f"""
        SELECT {GROUP_KEY} AS key, frozen.item_count AS expected, planned_unique AS found
        FROM board.documents AS board LEFT JOIN (
          SELECT suite, track, SUM(item_count) AS item_count FROM frozen.freezes GROUP BY ALL
        ) AS frozen ON board.suite = frozen.suite AND board.task = frozen.track
        WHERE board.planned_unique IS DISTINCT FROM frozen.item_count
        UNION ALL
        SELECT {GROUP_KEY}, MAX(planned_unique), SUM(support)
        FROM board.documents INNER JOIN board.documents_classes USING (run_id, task, system)
        WHERE task = 'classify' GROUP BY run_id, task, system HAVING MAX(planned_unique) <> SUM(support)
        """,
    ),
    Expectation(
        "no_item_is_not_zero_correct",
        "A group without frozen items has no accuracy; one with items has one",
        f"""
        SELECT {GROUP_KEY} AS key, 'an accuracy of frozen items' AS expected, planned_unique || ' items' AS found
        FROM board.documents
        WHERE planned_unique = 0 OR COALESCE(accuracy, packet_exact_match) IS NULL
        """,
    ),
    Expectation(
        "only_first_pass_earns_credit",
        "What was not a valid answer in the first pass is wrong, whatever a repeat said",
        """
        SELECT CONCAT_WS(' ', run_id, system, item_id) AS key, 'wrong' AS expected, state AS found
        FROM documents.results WHERE is_right AND state <> 'successful'
        UNION ALL
        SELECT CONCAT_WS(' ', run_id, system, results.item_id), 'a valid first pass', COALESCE(first.state, 'none')
        FROM documents.results AS results LEFT JOIN (
          FROM documents.invocations WHERE phase = 'measured' AND repeat = 0
        ) AS first USING (run_id, system, item_id)
        WHERE results.is_right AND first.state IS DISTINCT FROM 'successful'
        """,
    ),
    Expectation(
        "one_coverage_decision",
        "Exact packets are covered packets, and the packets that are not right are exactly the misses",
        f"""
        SELECT CONCAT_WS(' ', run_id, system, item_id) AS key, 'covered' AS expected, 'exact yet not covered' AS found
        FROM documents.packet_matches WHERE is_exact AND NOT is_covered
        UNION ALL
        SELECT {GROUP_KEY}, exact_packets, right_count
        FROM board.documents INNER JOIN documents.split_quality USING (run_id, system)
        WHERE task = 'split' AND exact_packets <> right_count
        UNION ALL
        SELECT {GROUP_KEY}, planned_unique - right_count, LEN(STRING_SPLIT(missed_items, ' '))
        FROM board.documents
        WHERE LEN(STRING_SPLIT(missed_items, ' ')) > planned_unique - right_count AND missed_items <> ''
        """,
    ),
    Expectation(
        "latency_sample_is_measured_success",
        "No warm-up, failure or skip is in a latency sample or a measured figure",
        f"""
        WITH recounted AS (
          SELECT calls.run_id, items.task, calls.system,
            COUNT(*) AS measured, COUNT(*) FILTER (WHERE calls.status = 'ok' AND decision_ms >= 0) AS most_samples
          FROM staging.calls AS calls INNER JOIN staging.items AS items USING (suite, item_id)
          WHERE calls.phase = 'measured' AND items.partition = 'test' GROUP BY ALL
        )
        SELECT {GROUP_KEY} AS key, COALESCE(recounted.measured, 0) AS expected, measured_calls AS found
        FROM board.documents LEFT JOIN recounted USING (run_id, task, system)
        WHERE measured_calls <> COALESCE(recounted.measured, 0)
        UNION ALL
        SELECT {GROUP_KEY}, 'at most ' || COALESCE(recounted.most_samples, 0), latency_samples
        FROM board.documents LEFT JOIN recounted USING (run_id, task, system)
        WHERE latency_samples > COALESCE(recounted.most_samples, 0) OR latency_samples > successful_calls
        """,
    ),
    Expectation(
        "no_latency_without_sample",
        "Without a successful call a latency is unknown, never zero",
        f"""
        SELECT {GROUP_KEY} AS key, 'no latency' AS expected, decision_p50_ms AS found
        FROM board.documents
        WHERE (latency_samples = 0) <> (decision_p50_ms IS NULL) OR (wall_latency_samples = 0) <> (wall_p50_ms IS NULL)
        """,
    ),
    Expectation(
        "dependent_samples_have_no_interval",
        "A dependent convenience sample, or fewer than two sources, has no interval",
        f"""
        SELECT {GROUP_KEY} AS key, 'no interval' AS expected, interval_low || ' to ' || interval_high AS found
        FROM board.documents WHERE (is_dependent_sample OR planned_unique < 2) AND interval_low IS NOT NULL
        """,
    ),
    Expectation(
        "conditions_do_not_share_a_table",
        "Rows of one comparison have one condition, scope, concurrency and OCR identity",
        """
        SELECT comparison AS key, 'one condition' AS expected,
          COUNT(DISTINCT CONCAT_WS('|', condition, scope, concurrency, ocr_identity)) AS found
        FROM board.documents GROUP BY comparison
        HAVING COUNT(DISTINCT CONCAT_WS('|', condition, scope, concurrency, COALESCE(ocr_identity, '?'))) > 1
        """,
    ),
    Expectation(
        "every_group_is_on_the_board",
        "Every task and system of a current run has its row, also when the log is empty",
        f"""
        SELECT {GROUP_KEY} AS key, 'a row' AS expected, 'none' AS found
        FROM documents.groups INNER JOIN outcomes.run_standing USING (run_id, system)
        ANTI JOIN board.documents USING (run_id, task, system)
        WHERE standing = 'current'
        """,
    ),
    Expectation(
        "only_current_runs_are_on_the_board",
        "A superseded or rejected run is not on the board",
        f"""
        SELECT {GROUP_KEY} AS key, 'current' AS expected, standing AS found
        FROM board.documents INNER JOIN outcomes.run_standing USING (run_id, system) WHERE standing <> 'current'
        """,
    ),
    Expectation(
        "identical_answers_are_reported",
        "Two systems of one run with the same answers to every item, wrong ones among them, are worth a look",
        """
        WITH vectors AS (
          SELECT run_id, task, system,
            STRING_AGG(CONCAT_WS('=', item_id, unit, predicted_category), ' ' ORDER BY item_id, unit) AS vector
          FROM documents.label_pairs GROUP BY run_id, task, system
          HAVING COUNT(*) FILTER (WHERE predicted_category NOT IN (true_category, '__missing__')) > 0
        )
        SELECT CONCAT_WS(' ', run_id, task) AS key, 'different answers' AS expected,
          STRING_AGG(system, ' = ' ORDER BY system) AS found
        FROM vectors GROUP BY run_id, task, vector HAVING COUNT(*) > 1
        """,
        severity="warning",
    ),
]

MONEY = [
    Expectation(
        "ledgers_sum_their_requests",
        "A ledger is the sum over its requests, recounted from the evidence; each request is in one ledger",
        """
        WITH recounted AS (
          SELECT requests.run_id, observations.phase AS ledger, SUM(costs.cost_usd) AS cost_usd, COUNT(*) AS requests
          FROM staging.requests AS requests
          INNER JOIN staging.observations AS observations USING (run_id, observation_id)
          INNER JOIN outcomes.request_costs AS costs USING (run_id, observation_id, request_sequence)
          WHERE requests.purpose = 'decision' GROUP BY ALL
        )
        SELECT CONCAT_WS(' ', run_id, ledger) AS key,
          CONCAT_WS(' ', COALESCE(recounted.requests, 0), 'requests', recounted.cost_usd, 'USD') AS expected,
          CONCAT_WS(' ', request_count, 'requests', decision_cost_usd_known, 'USD') AS found
        FROM board.documents_ledgers LEFT JOIN recounted USING (run_id, ledger)
        WHERE request_count <> COALESCE(recounted.requests, 0)
          OR ABS(decision_cost_usd_known - COALESCE(recounted.cost_usd, 0)) > 1e-12
        """,
    ),
    Expectation(
        "groups_sum_to_the_measured_ledger",
        "The measured costs and calls of the groups add up to the measured ledger; warm-ups are in none",
        """
        SELECT run_id AS key, MAX(ledgers.decision_cost_usd_known) AS expected, SUM(counts.decision_cost_usd_known) AS found
        FROM documents.call_counts AS counts
        INNER JOIN (FROM board.documents_ledgers WHERE ledger = 'measured') AS ledgers USING (run_id)
        GROUP BY run_id
        HAVING ABS(MAX(ledgers.decision_cost_usd_known) - SUM(counts.decision_cost_usd_known)) > 1e-12
          OR SUM(counts.planned_calls) <> MAX(ledgers.planned_calls)
          OR SUM(counts.request_count) <> MAX(ledgers.request_count)
        """,
    ),
    Expectation(
        "full_run_is_the_sum_of_ledgers",
        "The total of a run is preparation, warm-ups, measured decisions and OCR inside tasks, each once",
        """
        SELECT run_id AS key, parts.total AS expected, full_run_cost_usd_known AS found
        FROM board.documents_runs INNER JOIN (
          SELECT run_id, SUM(decision_cost_usd_known) + MAX(preparations.cost_usd_known) AS total
          FROM board.documents_ledgers INNER JOIN board.documents_preparations AS preparations USING (run_id)
          GROUP BY run_id
        ) AS parts USING (run_id)
        WHERE ABS(full_run_cost_usd_known - parts.total - task_ocr_cost_usd_known) > 1e-12
        """,
    ),
    Expectation(
        "historical_ocr_not_billed_again",
        "Text from an earlier parse is charged to nobody: not in preparation, not inside a task",
        f"""
        WITH allowed AS (
          SELECT run_id, SUM(CASE WHEN cache_hit THEN 0 ELSE COALESCE(ocr_cost_usd, 0) END) AS cost_usd
          FROM staging.preparations GROUP BY run_id
        )
        SELECT run_id AS key, allowed.cost_usd AS expected, board.cost_usd_known AS found
        FROM board.documents_preparations AS board INNER JOIN allowed USING (run_id)
        WHERE board.cost_usd_known > allowed.cost_usd + 1e-12
        UNION ALL
        SELECT requests.run_id || ' ' || requests.observation_id, 'no OCR request', 'one that costs'
        FROM staging.requests AS requests INNER JOIN staging.runs AS runs USING (run_id)
        WHERE requests.purpose = 'ocr' AND runs.scope = 'decision' AND runs.run_id IN {DOCUMENT_RUNS}
          AND COALESCE(requests.billed_cost_usd, requests.recorded_cost_usd, 1) > 0
        """,
    ),
    Expectation(
        "recorded_cost_agrees",
        "The cost that a run recorded of a request is the one computed from its tokens",
        f"""
        SELECT CONCAT_WS(' ', run_id, observation_id, request_sequence) AS key,
          costs.cost_usd AS expected, requests.recorded_cost_usd AS found
        FROM staging.requests AS requests
        INNER JOIN outcomes.request_costs AS costs USING (run_id, observation_id, request_sequence)
        WHERE requests.run_id IN {DOCUMENT_RUNS} AND requests.purpose = 'decision'
          AND ABS(costs.cost_usd - requests.recorded_cost_usd) > 1e-12
        """,
    ),
    Expectation(
        "request_priced_once",
        "A provider's request id stands in one request of one run",
        f"""
        SELECT provider || ' ' || request_id AS key, 1 AS expected, COUNT(*) AS found
        FROM staging.requests WHERE request_id IS NOT NULL AND run_id IN {DOCUMENT_RUNS}
        GROUP BY provider, request_id HAVING COUNT(*) > 1
        """,
    ),
    Expectation(
        "unknown_charge_is_said",
        "A request without a known cost, or a dispatch without a trustworthy end, makes the total a lower bound",
        """
        WITH unknown AS (
          SELECT requests.run_id FROM staging.requests AS requests
          INNER JOIN outcomes.request_costs AS costs USING (run_id, observation_id, request_sequence)
          WHERE costs.cost_usd IS NULL
          UNION
          SELECT run_id FROM staging.dispatches ANTI JOIN (
            FROM staging.calls WHERE status <> 'skipped' AND dispatched IS NOT FALSE
          ) USING (run_id, observation_id)
        )
        SELECT run_id AS key, 'a lower bound' AS expected, 'a total' AS found
        FROM board.documents_runs SEMI JOIN unknown USING (run_id) WHERE NOT known_cost_is_lower_bound
        """,
    ),
    Expectation(
        "billed_failures_are_priced",
        "A request with usage is priced, whether or not its answer could be read",
        f"""
        SELECT CONCAT_WS(' ', run_id, observation_id, request_sequence) AS key,
          'priced' AS expected, 'not priced' AS found
        FROM staging.requests AS requests
        INNER JOIN outcomes.request_costs AS costs USING (run_id, observation_id, request_sequence)
        INNER JOIN staging.prices AS prices
          ON requests.run_id = prices.run_id AND requests.model = prices.model AND prices.token_class = 'input'
        WHERE requests.run_id IN {DOCUMENT_RUNS} AND requests.purpose = 'decision'
          AND requests.status <> 'ok' AND costs.cost_usd IS NULL
          AND requests.input_tokens IS NOT NULL AND requests.output_tokens IS NOT NULL
          AND COALESCE(requests.cached_input_tokens, 0) + COALESCE(requests.cache_write_tokens, 0) = 0
          AND requests.cached_input_tokens IS NOT NULL AND requests.cache_write_tokens IS NOT NULL
        """,
    ),
    Expectation(
        "document_tokens_lie_inside_their_totals",
        "Cached and written tokens lie inside the input, reasoning tokens inside the output",
        f"""
        SELECT CONCAT_WS(' ', run_id, observation_id, request_sequence) AS key,
          'within the total' AS expected, 'more than the total' AS found
        FROM staging.requests
        WHERE run_id IN {DOCUMENT_RUNS} AND (
          COALESCE(cached_input_tokens, 0) + COALESCE(cache_write_tokens, 0) > input_tokens
          OR reasoning_tokens > output_tokens)
        """,
    ),
    Expectation(
        "run_prices_have_date",
        "Every price of a run's own snapshot has a date and a source",
        """
        SELECT CONCAT_WS(' ', run_id, model, token_class) AS key, 'date and source' AS expected, 'absent' AS found
        FROM staging.prices WHERE dated_on IS NULL OR source IS NULL
        """,
    ),
    Expectation(
        "guard_balance_agrees",
        "The guard's balance as recorded is the one replayed from reservations and charges",
        """
        SELECT run_id AS key, guard_committed_usd AS expected, budget_committed_usd AS found
        FROM board.documents_runs
        WHERE ABS(guard_committed_usd - budget_committed_usd) > 1e-9
        """,
        severity="warning",
    ),
    Expectation(
        "overcharge_is_kept",
        "A charge above its reservation is recorded, and worth a look",
        f"""
        SELECT {OBSERVATION_KEY} AS key, 'at most ' || reserved_cost_usd AS expected, known_cost_usd AS found
        FROM documents.invocations INNER JOIN documents.call_costs USING (run_id, observation_id)
        WHERE known_cost_usd > reserved_cost_usd + 1e-12
        """,
        severity="warning",
    ),
]

DOCUMENTS = [*MATRIX, *INPUTS, *FIGURES, *MONEY]
