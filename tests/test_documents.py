"""Figures of document runs against what was published, and against cases worked out by hand."""

from __future__ import annotations

import csv
import json
import math
import shutil

import pytest

from ingest.project import Project
from tests import document_runs as runs
from tests.support import SHARED, make_project, needs_shared, plan, query, run

RUN01 = "real-small-v1-run01"


# A real run, and what was published of it


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("published") / "project")
    run(project, "jevhouse", "ingest", "documents", str(SHARED / "evidence" / "documents" / RUN01))
    plan(project)
    run(project, "jevhouse", "audit")
    run(project, "jevhouse", "export", "documents", RUN01, "--out", "out")
    return project


@pytest.fixture(scope="module")
def expected():
    return json.loads((SHARED / "evidence" / "documents" / RUN01 / "expected.json").read_text())


def agree(expected, found, path=""):
    """Every expected value is found, floats to 1e-12."""
    if isinstance(expected, dict):
        assert expected.keys() <= found.keys(), f"{path}: lacks {expected.keys() - found.keys()}"
        for key, value in expected.items():
            agree(value, found[key], f"{path}.{key}")
    elif isinstance(expected, float):
        assert math.isclose(expected, found, rel_tol=1e-12, abs_tol=1e-12), f"{path}: {expected} {found}"
    else:
        assert expected == found, path


@needs_shared
def test_every_published_figure_is_reproduced(published, expected):
    found = json.loads((published.root / "out" / "summary.json").read_text())
    assert len(found["groups"]) == len(expected["groups"]) == 4
    for want, have in zip(expected["groups"], found["groups"], strict=True):
        agree(want, have, f"{want['task']} {want['engine']}")
    # What only the run's manifest says is not in this evidence: it is unknown here.
    unknown = {"recorded_run_status": "complete"}
    assert {k: expected[k] for k in unknown} == unknown
    assert found["recorded_run_status"] is None
    for name in (
        "components",
        "unclosed_dispatches",
        "missing_terminal_calls",
        "cost_includes_warmups",
        "uncertainty_method",
        "quality_pass",
        "run_status",
        "truncated_final_records",
        "configured_warmups_per_engine_task",
        "budget",
        "accounting",
    ):
        agree(expected[name], found[name], name)
    assert found["execution_matrix"] == "inferred"


@needs_shared
def test_published_prose_is_reproduced(published, expected):
    report = (published.root / "out" / "report.md").read_text()
    for figure in expected["report_md"].values():
        assert figure in report
    assert "12.50 percentage points" in report
    assert "2.50 percentage points" in report
    assert "Intervals are withheld" in report
    groups = json.loads((published.root / "out" / "summary.json").read_text())["groups"]
    (jev_classify, luna_classify, jev_split, luna_split) = groups
    readme = expected["readme"]
    ratio = luna_classify["decision_p50_ms"] / jev_classify["decision_p50_ms"]
    assert f"{ratio:.2f}" == readme["classify_median_ratio"]
    ratio = luna_split["decision_p50_ms"] / jev_split["decision_p50_ms"]
    assert f"{ratio:.2f}" == readme["split_median_ratio"]
    for group, name in (((jev_classify, jev_split), "jev"), ((luna_classify, luna_split), "openai")):
        cost = sum(g["decision_cost_usd_known"] for g in group)
        assert f"{cost:.6f}" == readme[f"{name}_measured_cost"]


@needs_shared
def test_export_has_every_file_and_flat_metrics(published):
    out = published.root / "out"
    assert sorted(p.name for p in out.iterdir()) == [
        "latency.svg",
        "metrics.csv",
        "report.md",
        "summary.json",
    ]
    with (out / "metrics.csv").open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 4
    assert rows[2]["boundary_predicted"] == "33"
    assert rows[0]["boundary_predicted"] == ""
    svg = (out / "latency.svg").read_text()
    assert svg.startswith("<svg")
    assert "p50 138.6" in svg


@needs_shared
def test_export_needs_an_audit_of_this_state_and_a_run_that_exists(published, tmp_path):
    done = run(published, "jevhouse", "export", "documents", "other", "--out", str(tmp_path), check=False)
    assert done.returncode == 1
    assert RUN01 in done.stderr
    copy = Project(shutil.copytree(published.root, tmp_path / "copy"))
    shutil.rmtree(copy.warehouse / "audits")
    done = run(copy, "jevhouse", "export", "documents", RUN01, "--out", "new", check=False)
    assert done.returncode == 1
    assert "audit" in done.stderr
    run(copy, "jevhouse", "export", "documents", RUN01, "--out", "new", "--unaudited")
    assert "UNAUDITED" in (copy.root / "new" / "report.md").read_text()


# Hand-made runs, all in one warehouse


def interrupted(folder):
    """Killed during the second call of c1; the next start was later 'closed' by a placeholder."""
    of = runs.truth()
    rows = runs.plan(of)
    measured = [r for r in rows if r["phase"] == "measured"]
    done = [r for r in rows if r["phase"] == "warmup"] + measured[:1]
    records = [runs.answer(r, of) for r in done] + [runs.skip(measured[2], "interrupted")]
    starts = [runs.start(r) for r in [*done, measured[1], measured[2]]]
    return runs.write(folder, of, rows, records, starts, manifest={"status": "running"})


def cut_line(folder):
    of = runs.truth()
    rows = runs.plan(of)
    records = [runs.answer(r, of) for r in rows]
    starts = [runs.start(r) for r in rows]
    return runs.write(folder, of, rows, records[:-1], starts, tail=json.dumps(records[-1])[:99])


def all_failed(folder):
    of = runs.truth()
    rows = runs.plan(of)
    records = [runs.failure(r, "PaymentRequired", requests=[]) for r in rows]
    return runs.write(
        folder, of, rows, records, manifest={"status": "stopped", "stop_reason": {"code": "warmup"}}
    )


def absent_class(folder):
    """jev says tax for everything, openai an unknown label for c4; nobody predicts 'press'."""
    of = runs.truth()
    rows = runs.plan(of)
    said = {"jev": {}, "openai": {"c3": "other", "c4": "memo"}}
    records = []
    for r in rows:
        if r["task"] == "classify" and r["phase"] == "measured":
            label = said[r["engine"]].get(r["source_id"], "tax")
            records.append(runs.answer(r, of, label))
        else:
            records.append(runs.answer(r, of))
    records[4]["result"]["needs_review"] = True
    return runs.write(folder, of, rows, records)


BAD_PACKETS = {
    "overlap": [{"category": "tax", "pages": [1, 2, 3]}, {"category": "tax", "pages": [3, 4, 5]}],
    "reorder": [
        {"category": "tax", "pages": [3]},
        {"category": "tax", "pages": [1, 2]},
        {"category": "other", "pages": [4, 5]},
    ],
    "leave-out": [{"category": "tax", "pages": [1, 2]}, {"category": "other", "pages": [4, 5]}],
    "too-many": [{"category": "tax", "pages": [1, 2, 3, 4, 5, 6]}],
    "twice": [{"category": "tax", "pages": [1, 1, 2, 3, 4, 5]}],
    "empty-segment": [{"category": "tax", "pages": [1, 2, 3, 4, 5]}, {"category": "other", "pages": []}],
    "no-category": [{"pages": [1, 2, 3, 4, 5]}],
    "not-a-number": [{"category": "tax", "pages": [1, 2, 3, 4, "5"]}],
    "a-boolean": [{"category": "tax", "pages": [True, 2, 3, 4, 5]}],
    "no-list": "tax",
    "nothing": [],
}  # fmt: skip


def bad_packets(name):
    """jev splits p1 in a way that is no split; openai splits both packets right."""

    def make(folder):
        of = runs.truth()
        rows = runs.plan(of)
        records = [
            runs.answer(r, of, BAD_PACKETS[name] if (r["engine"], r["source_id"]) == ("jev", "p1") else None)
            for r in rows
        ]
        return runs.write(folder, of, rows, records)

    return make


def empty_log(folder):
    of = runs.truth()
    return runs.write(folder, of, runs.plan(of), [], manifest={"status": "interrupted"})


def missing_usage(folder):
    """openai: c1 has no token counts; c2 had a second request whose usage is lost, its first is priced."""
    of = runs.truth()
    rows = runs.plan(of)
    records = [runs.answer(r, of) for r in rows]
    for record in records:
        if record["observation_id"] == "measured:classify:c1:openai:0":
            lost = {"input_tokens": None, "output_tokens": None, "cost_usd": None, "cost_status": "unknown"}
            record["requests"] = [runs.request(record, **lost)]
        if record["observation_id"] == "measured:classify:c2:openai:0":
            lost = {"output_tokens": None, "cost_usd": None, "cost_status": "unknown", "attempt": 2}
            record["requests"].append(runs.request(record, **lost))
    return runs.write(folder, of, rows, records)


def three_repeats(folder):
    """jev: c1 fails first and is right twice; c2 is tax, press, tax; p1 is right, right, one document."""
    of = runs.truth()
    rows = runs.plan(of, repeats=3)
    one = runs.segments(("tax", 1, 5))
    special = {
        "measured:classify:c1:jev:0": lambda r: runs.failure(r, "Timeout", requests=[]),
        "measured:classify:c2:jev:1": lambda r: runs.answer(r, of, "press"),
        "measured:split:p1:jev:2": lambda r: runs.answer(r, of, one),
    }
    records = [special.get(r["observation_id"], lambda r: runs.answer(r, of))(r) for r in rows]
    return runs.write(folder, of, rows, records)


def skipped(folder):
    """c3 could not be prepared: both engines skip it."""
    of = runs.truth()
    rows = runs.plan(of)
    records = [
        runs.skip(r, "preparation_failed") if r["source_id"] == "c3" else runs.answer(r, of) for r in rows
    ]
    starts = [runs.start(r) for r in rows if r["source_id"] != "c3"]
    return runs.write(folder, of, rows, records, starts)


def one_document_packets(folder):
    """No inner boundary in the truth: jev finds none, openai cuts one packet."""
    of = runs.truth(
        "single-v1", split={"s1": runs.segments(("tax", 1, 2)), "s2": runs.segments(("tax", 1, 1))}
    )
    rows = runs.plan(of)
    cut = runs.segments(("tax", 1, 1), ("tax", 2, 2))
    records = [
        runs.answer(r, of, cut if (r["engine"], r["source_id"]) == ("openai", "s1") else None) for r in rows
    ]
    return runs.write(folder, of, rows, records)


def one_source(folder):
    of = runs.truth("one-v1", classify={"c1": "tax"})
    rows = runs.plan(of)
    return runs.write(folder, of, rows, [runs.answer(r, of) for r in rows])


HAND_MADE = {
    "interrupted": interrupted,
    "cut-line": cut_line,
    "all-failed": all_failed,
    "absent-class": absent_class,
    "empty-log": empty_log,
    "missing-usage": missing_usage,
    "three-repeats": three_repeats,
    "skipped": skipped,
    "one-document-packets": one_document_packets,
    "one-source": one_source,
    **{f"packet-{name}": bad_packets(name) for name in BAD_PACKETS},
}


@pytest.fixture(scope="module")
def hand_made(tmp_path_factory):
    root = tmp_path_factory.mktemp("hand-made")
    project = make_project(root / "project")
    # Several made-up runs answer with the same request ids; each run stands alone here.
    folders = [make(root / "runs" / name) for name, make in HAND_MADE.items()]
    run(project, "jevhouse", "ingest", "documents", *map(str, folders))
    plan(project)
    return project


def group(project, run_id, task, engine):
    (row,) = query(
        project,
        "FROM board.documents WHERE run_id = ? AND task = ? AND engine = ?",
        [run_id, task, engine],
    )
    return row


def total(project, run_id):
    (row,) = query(project, "FROM board.documents_runs WHERE run_id = ?", [run_id])
    return row


def holds(row, **figures):
    for name, value in figures.items():
        want = pytest.approx(value, abs=1e-12) if isinstance(value, float) else value
        assert row[name] == want, name


def test_interrupted_run_keeps_its_liability(hand_made):
    holds(
        total(hand_made, "interrupted"),
        run_status="incomplete",
        recorded_run_status="running",
        unclosed_dispatches=2,
        known_cost_is_lower_bound=True,
        unknown_cost_observations=2,
        # warm-ups 0.0001 x 2 + 0.00024 x 2, and one measured call of jev
        full_run_cost_usd_known=0.00078,
    )
    holds(
        group(hand_made, "interrupted", "classify", "jev"),
        planned_unique=4,
        completed_unique=1,
        accuracy=0.25,
        planned_calls=4,
        measured_calls=2,
        dispatched_calls=2,
        successful_calls=1,
        skipped_calls=1,
        missing_terminal_calls=2,
        unclosed_dispatches=1,
        unclosed_dispatch_reservations_usd=0.01,
        request_count=1,
        request_count_complete=False,
        unknown_cost_calls=1,
    )
    holds(
        group(hand_made, "interrupted", "classify", "openai"),
        accuracy=0.0,
        dispatched_calls=1,
        missing_terminal_calls=4,
        unclosed_dispatches=1,
        decision_p50_ms=None,
        latency_samples=0,
    )


def test_cut_off_line_is_incomplete_evidence(hand_made):
    holds(
        total(hand_made, "cut-line"),
        run_status="incomplete",
        recorded_run_status="complete",
        raw_truncated=True,
        events_truncated=False,
        missing_terminal_calls=1,
        unclosed_dispatches=1,
    )
    holds(group(hand_made, "cut-line", "split", "openai"), completed_unique=1, packet_exact_match=0.5)


def test_all_failed_is_all_wrong_and_has_no_latency(hand_made):
    for task, engine, wrong in (("classify", "jev", "accuracy"), ("split", "openai", "packet_exact_match")):
        row = group(hand_made, "all-failed", task, engine)
        holds(row, **{wrong: 0.0}, completed_unique=0, successful_calls=0, failed_calls=row["planned_calls"])
        holds(row, decision_p50_ms=None, wall_p95_ms=None, latency_samples=0, request_count_complete=False)
        holds(row, unknown_cost_calls=row["planned_calls"], decision_cost_usd_known=0.0)
    row = group(hand_made, "all-failed", "split", "jev")
    # No predicted boundary, two true ones: P 0, R 0, F1 0. No packet is covered.
    holds(row, boundary_precision=0.0, boundary_recall=0.0, boundary_f1=0.0, predicted_boundaries=0)
    holds(row, actual_boundaries=3, segment_f1=0.0, coverage_validity=0.0, page_accuracy=0.0)
    holds(row, same_category_boundary_recall=0.0)
    errors = query(hand_made, "FROM board.documents_failures WHERE run_id = 'all-failed'")
    assert {(e["kind"], e["reason"]) for e in errors} == {("error", "PaymentRequired")}
    # The guard keeps each reservation: 16 planned calls of 0.01.
    holds(total(hand_made, "all-failed"), guard_known_usd=0.0, guard_committed_usd=0.16, stop_code="warmup")


def test_absent_class_scores_zero_not_nothing(hand_made):
    # jev: tax 2 of 4 predicted and 2 true, F1 = 4/6; press and other F1 = 0.
    holds(group(hand_made, "absent-class", "classify", "jev"), accuracy=0.5, macro_f1=(2 / 3) / 3)
    # openai: c1, c2 tax; c3 other; c4 'memo'. tax F1 = 1; press 0; other predicted once, wrongly: 0.
    holds(group(hand_made, "absent-class", "classify", "openai"), accuracy=0.5, macro_f1=1 / 3)
    cells = query(
        hand_made,
        "SELECT true_category, predicted_category, unit_count FROM board.documents_confusion "
        "WHERE run_id = 'absent-class' AND task = 'classify' AND system LIKE 'openai%' AND unit_count > 0",
    )
    assert {tuple(c.values()) for c in cells} == {
        ("tax", "tax", 2),
        ("press", "other", 1),
        ("other", "__missing__", 1),
    }
    assert group(hand_made, "absent-class", "classify", "jev")["needs_review_rate"] == 0.25


@pytest.mark.parametrize("name", BAD_PACKETS)
def test_packet_that_is_no_split_earns_nothing(hand_made, name):
    row = group(hand_made, f"packet-{name}", "split", "jev")
    # Only p2 counts: 3 of 8 pages, 1 of 3 boundaries, 2 of 5 segments; none of it is wrong.
    holds(row, packet_exact_match=0.5, coverage_valid_packets=1, missed_items="p1", page_correct_count=3)
    holds(row, matched_boundaries=1, predicted_boundaries=1, actual_boundaries=3, boundary_precision=1.0)
    holds(row, matched_segments=2, predicted_segments=2, actual_segments=5, segment_f1=4 / 7)
    holds(row, failed_calls=1, invalid_calls=1, latency_samples=1, same_category_boundary_recall=0.0)
    reason = query(hand_made, "FROM board.documents_failures WHERE run_id = ?", [f"packet-{name}"])
    assert [(r["reason"], r["calls"]) for r in reason] == [("InvalidResult", 1)]
    holds(group(hand_made, f"packet-{name}", "split", "openai"), packet_exact_match=1.0, boundary_f1=1.0)


def test_empty_log_keeps_all_groups_on_the_board(hand_made):
    rows = query(hand_made, "FROM board.documents WHERE run_id = 'empty-log' ORDER BY task, engine")
    assert [(r["task"], r["engine"]) for r in rows] == [
        ("classify", "jev"),
        ("classify", "openai"),
        ("split", "jev"),
        ("split", "openai"),
    ]
    for row in rows:
        holds(row, right_count=0, measured_calls=0, missing_terminal_calls=row["planned_calls"])
        holds(row, decision_p50_ms=None, decision_cost_usd_known=0.0, unknown_cost_calls=0)
    run(hand_made, "jevhouse", "export", "documents", "empty-log", "--out", "empty", "--unaudited")
    assert "n/a" in (hand_made.root / "empty" / "latency.svg").read_text()
    assert "| n/a | n/a | n/a | n/a | 0 | 0 | 0 |" in (hand_made.root / "empty" / "report.md").read_text()


def test_missing_usage_stays_unknown_and_partial_cost_is_kept(hand_made):
    row = group(hand_made, "missing-usage", "classify", "openai")
    # c2's first request, c3 and c4: 3 x 0.00024; c1 and c2's second are unknown.
    holds(row, unknown_cost_calls=2, decision_cost_usd_known=0.00072, accuracy=1.0, request_count=5)
    holds(row, input_tokens_known=400, output_tokens_known=30)
    holds(total(hand_made, "missing-usage"), known_cost_is_lower_bound=True, unknown_cost_observations=2)
    run(hand_made, "jevhouse", "export", "documents", "missing-usage", "--out", "usage", "--unaudited")
    assert "≥ 0.000720" in (hand_made.root / "usage" / "report.md").read_text()


def test_repeats_neither_rescue_nor_dilute(hand_made):
    row = group(hand_made, "three-repeats", "classify", "jev")
    holds(row, planned_unique=4, planned_calls=12, right_count=3, accuracy=0.75, missed_items="c1")
    holds(row, latency_samples=11, failed_calls=1, repeat_disagreement_documents=1)
    holds(group(hand_made, "three-repeats", "split", "jev"), right_count=2, repeat_disagreement_documents=1)
    holds(group(hand_made, "three-repeats", "split", "openai"), repeat_disagreement_documents=0)
    holds(
        group(hand_made, "absent-class", "split", "jev"),
        repeat_disagreement_documents=None,
        repeat_disagreement_status="not_measured",
    )


def test_skipped_items_stay_in_the_denominator(hand_made):
    row = group(hand_made, "skipped", "classify", "openai")
    holds(row, accuracy=0.75, skipped_calls=1, dispatched_calls=3, missed_items="c3", unknown_cost_calls=0)
    reason = query(hand_made, "FROM board.documents_failures WHERE run_id = 'skipped'")
    assert {(r["kind"], r["reason"]) for r in reason} == {("skip", "preparation_failed")}


def test_conventions_without_boundaries(hand_made):
    row = group(hand_made, "one-document-packets", "split", "jev")
    holds(row, boundary_f1=1.0, boundary_precision=1.0, boundary_recall=1.0, actual_boundaries=0)
    holds(row, same_category_boundary_recall=None, packet_exact_match=1.0)
    row = group(hand_made, "one-document-packets", "split", "openai")
    holds(row, boundary_precision=0.0, boundary_recall=1.0, boundary_f1=0.0, page_accuracy=1.0)


def test_intervals_are_bootstrap_of_whole_sources(hand_made):
    from scipy.stats import binom

    row = group(hand_made, "three-repeats", "classify", "jev")
    # The number of right ones in a resample of 4 sources is binomial(4, 3/4); its quantiles are 1 and 4.
    assert [binom(4, 0.75).ppf(q) / 4 for q in (0.025, 0.975)] == [0.25, 1.0]
    holds(row, interval_low=0.25, interval_high=1.0)
    assert group(hand_made, "one-source", "classify", "jev")["interval_low"] is None
    assert group(hand_made, "all-failed", "classify", "jev")["interval_high"] == 0


def test_rows_of_different_condition_do_not_share_a_table(hand_made):
    rows = query(hand_made, "SELECT DISTINCT comparison, condition, scope, concurrency FROM board.documents")
    assert len({r["comparison"] for r in rows}) == len(rows)


# Planted faults: each breaks one table of a finished warehouse, and its expectation names the offender

FAULTS = {
    "planned_observation_in_one_state":
    "DELETE FROM documents.invocations WHERE item_id = 'c1' AND repeat = 0",
    "one_terminal_record": "INSERT INTO staging.calls FROM staging.calls LIMIT 1",
    "first_pass_covers_the_test_set": "DELETE FROM documents.invocations WHERE item_id = 'c1' AND repeat = 0",
    "complete_run_is_complete": "UPDATE board.documents_runs SET run_status = 'complete'",
    "engines_saw_the_same_pages":
    "UPDATE staging.calls SET input_sha256 = 'x' WHERE system LIKE 'jev%' AND item_id = 'c2'",
    "truth_unchanged_since_freeze":
    "UPDATE staging.items SET content_sha256 = 'x' WHERE item_id = 'c2'",
    "no_truth_in_recorded_inputs":
    "UPDATE staging.calls SET document_name = 'Press-release.pdf' WHERE item_id = 'c3'",
    "packets_are_whole_documents":
    "UPDATE staging.item_segments SET last_page = 1 WHERE item_id = 'p1' AND segment = 1",
    "no_answer_from_a_cache": "UPDATE staging.calls SET served_from_cache = TRUE",
    "truncated_input_is_counted": "UPDATE staging.calls SET truncated = TRUE",
    "denominator_is_the_freeze": "UPDATE board.documents SET planned_unique = 3 WHERE task = 'classify'",
    "no_item_is_not_zero_correct": "UPDATE board.documents SET accuracy = NULL WHERE task = 'classify'",
    "only_first_pass_earns_credit": "UPDATE documents.results SET is_right = TRUE",
    "one_coverage_decision": "UPDATE documents.packet_matches SET is_covered = FALSE",
    "latency_sample_is_measured_success": "UPDATE board.documents SET latency_samples = 99",
    "no_latency_without_sample": "UPDATE board.documents SET decision_p50_ms = 0 WHERE latency_samples = 0",
    "dependent_samples_have_no_interval": "UPDATE board.documents SET is_dependent_sample = TRUE",
    "conditions_do_not_share_a_table": "UPDATE board.documents SET concurrency = 4 WHERE run_id = 'skipped'",
    "every_group_is_on_the_board": "DELETE FROM board.documents WHERE run_id = 'empty-log'",
    "only_current_runs_are_on_the_board": "UPDATE outcomes.run_standing SET standing = 'rejected'",
    "identical_answers_are_reported": "UPDATE documents.label_pairs SET predicted_category = 'tax'",
    "ledgers_sum_their_requests": "UPDATE staging.requests SET purpose = 'ocr' WHERE run_id = 'skipped'",
    "groups_sum_to_the_measured_ledger": "UPDATE documents.call_counts SET planned_calls = planned_calls + 1",
    "full_run_is_the_sum_of_ledgers": "UPDATE board.documents_runs SET full_run_cost_usd_known = 1",
    "historical_ocr_not_billed_again": "UPDATE staging.requests SET purpose = 'ocr' WHERE run_id = 'skipped'",
    "recorded_cost_agrees": "UPDATE staging.requests SET recorded_cost_usd = 1",
    "unknown_charge_is_said": "UPDATE board.documents_runs SET known_cost_is_lower_bound = FALSE",
    "billed_failures_are_priced":
    "UPDATE outcomes.request_costs SET cost_usd = NULL WHERE observation_id LIKE '%c3:openai%'; "
    "UPDATE staging.requests SET status = 'invalid'",
    "document_tokens_lie_inside_their_totals": "UPDATE staging.requests SET cached_input_tokens = 999",
    "run_prices_have_date": "UPDATE staging.prices SET dated_on = NULL",
    "guard_balance_agrees": "UPDATE board.documents_runs SET budget_committed_usd = 1",
    "overcharge_is_kept": "UPDATE documents.call_costs SET known_cost_usd = 1",
    "request_priced_once":
    "INSERT INTO staging.requests FROM staging.requests WHERE request_id IS NOT NULL LIMIT 1",
}  # fmt: skip


@pytest.fixture(scope="module")
def planted(hand_made):
    """An in-memory copy of the warehouse whose every table can be changed."""
    import duckdb

    memory = duckdb.connect(":memory:")
    memory.execute(f"ATTACH '{hand_made.database}' AS jevhouse (READ_ONLY)")
    tables = memory.execute(
        "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'jevhouse' AND NOT internal "
        "AND schema_name IN ('board', 'documents', 'staging', 'outcomes', 'frozen', 'splits')"
    ).fetchall()
    memory.execute("USE jevhouse")
    for schema, table in tables:
        memory.execute(f"CREATE SCHEMA IF NOT EXISTS memory.{schema}")
        memory.execute(f"CREATE TABLE memory.{schema}.{table} AS FROM jevhouse.{schema}.{table}")
    memory.execute("USE memory")
    memory.execute("DETACH jevhouse")
    yield memory
    memory.close()


def expectations():
    from audits.documents import DOCUMENTS

    return DOCUMENTS


def test_every_expectation_has_a_planted_fault():
    assert {e.name for e in expectations()} == set(FAULTS)


@pytest.mark.parametrize("expectation", expectations(), ids=lambda e: e.name)
def test_expectation_finds_its_fault_and_nothing_else(planted, expectation):
    planted.execute("BEGIN")
    try:
        assert planted.execute(expectation.sql).fetchall() == []
        for statement in FAULTS[expectation.name].split("; "):
            planted.execute(statement)
        after = planted.execute(expectation.sql)
        assert [c[0] for c in after.description] == ["key", "expected", "found"]
        assert after.fetchall()
    finally:
        planted.execute("ROLLBACK")
