"""Each fault that real boards had, planted in a small suite, is caught: by the plan, the audit, or both."""

from __future__ import annotations

import json
import shutil

import pytest

from ingest.project import Project
from tests.imagesuite import Rows, changed, freeze, land_rows, run_of, suite_facts
from tests.support import make_project, plan, query, run


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A project with the suite and one sound run, planned and audited."""
    project = make_project(tmp_path_factory.mktemp("sound") / "project")
    freeze(project)
    land_rows(project, suite_facts())
    land_rows(project, run_of())
    plan(project)
    run(project, "jevhouse", "audit")
    return project


@pytest.fixture
def spoiled(sound, tmp_path):
    """A copy of the sound project, to plant a fault in."""
    root = tmp_path / "project"
    shutil.copytree(sound.root, root)
    return Project(root)


def failures(project: Project) -> dict[str, dict]:
    """Failed expectations of the latest audit, by name."""
    latest = sorted((project.warehouse / "audits").glob("*.json"))[-1]
    record = json.loads(latest.read_text())
    return {e["expectation"]: e for e in record["expectations"] if not e["success"]}


def audited(project: Project, *options: str) -> dict[str, dict]:
    done = run(project, "jevhouse", "audit", *options, check=False)
    failed = failures(project)
    errors = {name for name, e in failed.items() if e["severity"] == "error"}
    assert done.returncode == (1 if errors else 0), done.stdout + done.stderr
    for name in failed:
        assert name in done.stdout
    return failed


def board(project: Project) -> list[dict]:
    return query(project, "FROM board.leaderboard WHERE track = 'all' ORDER BY system")


def test_sound_run_by_hand(sound):
    """11/12 public, 13/14 sealed, chance 1/4, 0.8 sure; latencies 101..126 ms; 0.01 USD per 1,000."""
    (row,) = board(sound)
    assert (row["public_correct"], row["public_n"], row["sealed_correct"], row["sealed_n"]) == (
        11,
        12,
        13,
        14,
    )
    # the matched family f: 11/12 against 13/14
    assert row["matched_gap_pp"] == pytest.approx(100 * (11 / 12 - 13 / 14))
    public, sealed = (100 * (a - 0.25) / 0.75 for a in (11 / 12, 13 / 14))
    assert row["intelligence"] == pytest.approx(0.35 * public + 0.65 * sealed)
    ece = (11 / 12 - 0.8, 13 / 14 - 0.8)
    assert (row["public_ece"], row["sealed_ece"]) == pytest.approx(ece)
    assert row["calibration"] == pytest.approx(100 - 200 * (0.35 * ece[0] + 0.65 * ece[1]))
    # median of 26 calls: between ranks 13 and 14; p95: rank ceil(24.7) = 25
    assert (row["p50_s"], row["p95_s"]) == pytest.approx((0.1135, 0.125))
    assert (row["adjusted_p50_s"], row["adjusted_p95_s"]) == (row["p50_s"], row["p95_s"])
    assert row["usd_per_1000"] == pytest.approx(0.01) and row["receipt_coverage"] == 1
    assert row["cost"] == pytest.approx(70)  # one decade above the reference
    assert row["ranked"] and row["rank"] == 1


def second_run(**changes) -> Rows:
    return run_of(system="other", run_id="run-2", **changes)


def test_dropped_call_is_missing_and_wrong(spoiled):
    rows = second_run()
    dropped = rows["calls"].pop()
    rows["requests"].pop()
    rows["probabilities"] = [
        p for p in rows["probabilities"] if p["observation_id"] != dropped["observation_id"]
    ]
    land_rows(spoiled, rows)
    plan(spoiled)
    other, sound = board(spoiled)
    assert (other["sealed_correct"], other["sealed_n"]) == (12, 14)
    assert other["sealed_correct"] == sound["sealed_correct"] - 1
    missing = "WHERE system = 'other' AND outcome = 'missing' AND track = 'all'"
    assert query(spoiled, f"FROM outcomes.outcome_counts {missing}")[0]["item_count"] == 1
    (shown,) = query(spoiled, f"FROM board.outcomes {missing}")
    assert shown["suppressed"] and shown["item_count"] is None  # one sealed item: withheld
    assert set(audited(spoiled)) == set()  # counted, not hidden: a board with it may be published


def test_call_dropped_from_matrix_and_log_is_seen(spoiled):
    rows = second_run()
    for table in ("observations", "calls", "requests"):
        rows[table].pop()
    rows["probabilities"] = rows["probabilities"][:-4]
    land_rows(spoiled, rows)
    plan(spoiled)
    other, _ = board(spoiled)
    assert other["sealed_n"] == 14 and other["sealed_correct"] == 12
    assert "every_planned_item_of_a_pass" in audited(spoiled)


def test_doubled_call_stops_the_plan_and_keeps_the_old_board(spoiled):
    before = board(spoiled)
    rows = second_run()
    rows["calls"].append(rows["calls"][-1] | {"terminal_sequence": 2})
    land_rows(spoiled, rows)
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "unique_grain" in done.stdout + done.stderr
    assert board(spoiled) == before
    assert "warehouse_stands_on_the_register" in audited(spoiled)
    refused = run(spoiled, "jevhouse", "export", "leaderboard", check=False)
    assert refused.returncode == 1 and "audit failed" in refused.stderr


def test_run_averaged_in_twice_stops_the_plan(spoiled):
    again = run_of(run_id="run-1-again")
    for row in again["requests"]:
        row["request_id"] = row["request_id"].replace("run-1-again", "run-1")
    land_rows(spoiled, again)
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "unique_grain" in done.stdout + done.stderr


def test_later_pass_called_twice_is_caught(spoiled):
    rows = second_run()
    extra = rows["calls"][-1] | {"repeat": 1, "observation_id": "measured:s13:other:1"}
    plan_row = rows["observations"][-1] | {"repeat": 1, "observation_id": extra["observation_id"]}
    rows["observations"].append(plan_row | {"sequence": 99})
    rows["calls"] += [extra, extra | {"terminal_sequence": 2}]
    land_rows(spoiled, rows)
    plan(spoiled)
    assert {"each_observation_called_once", "calls_and_missing_equal_planned"} <= set(audited(spoiled))


def test_superseding_run_replaces_the_old_one(spoiled):
    rows = run_of(run_id="run-2", supersedes_run_id="run-1")
    for call in rows["calls"]:
        call["answer"] = "a"
    for p in rows["probabilities"]:
        p["probability"] = 0.8 if p["option"] == "a" else 0.2 / 3
    land_rows(spoiled, rows)
    plan(spoiled)
    (row,) = board(spoiled)
    assert (row["public_correct"], row["sealed_correct"], row["latency_samples"]) == (12, 14, 26)
    assert audited(spoiled) == {}


def test_runs_pinned_differently_do_not_combine(spoiled):
    rows = run_of(run_id="run-2", model_revision="newer")
    land_rows(spoiled, rows)
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "one_pinning_per_system" in done.stdout + done.stderr


def test_item_moved_between_parts(spoiled):
    exposure = suite_facts()["exposures"][0] | {"run_id": "late", "item_id": "s05"}
    before = board(spoiled)
    land_rows(spoiled, {"exposures": [exposure]})
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "equals_freeze" in done.stdout + done.stderr
    assert board(spoiled) == before


def test_public_item_scored_as_sealed(spoiled):
    with _writing(spoiled) as tables:
        tables("UPDATE {} SET part = 'sealed' WHERE item_id = 'p03'", "outcomes", "item_outcomes")
    failed = audited(spoiled)
    assert failed["scored_part_is_the_split"]["first"] == [
        {"key": "tiny-v1 p03", "expected": "public", "found": "sealed"}
    ]


def test_retired_item_scored(spoiled):
    with _writing(spoiled) as tables:
        tables("UPDATE {} SET item_id = 'r00' WHERE item_id = 's03'", "outcomes", "item_outcomes")
    assert {"retired_items_absent", "one_outcome_per_item_and_system"} <= set(audited(spoiled))


def test_changed_file(spoiled):
    path = spoiled.warehouse / "evidence" / "calls" / "run-1.parquet"
    path.write_bytes(path.read_bytes() + b"x")
    failed = audited(spoiled)
    assert failed["register_equals_disk"]["first"][0]["found"] == "changed"
    land_rows(spoiled, second_run())
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "registered evidence is changed" in done.stdout + done.stderr


def test_dispatch_without_a_terminal_record_is_reported(spoiled):
    rows = second_run()
    call = rows["calls"].pop()
    rows["requests"].pop()
    rows["probabilities"] = rows["probabilities"][:-4]
    key = {"run_id": "run-2", "observation_id": call["observation_id"]}
    rows["dispatches"] = [key | {"event": "dispatch_started", "at": call["started_at"]}]
    land_rows(spoiled, rows)
    plan(spoiled)
    failed = audited(spoiled)
    assert [o["key"] for o in failed["every_dispatch_has_ended"]["first"]] == ["run-2 measured:s13:other:0"]


def test_item_rows_never_reach_the_board(spoiled):
    models = spoiled.root / "models" / "board"
    assert all("no_item_columns()" in path.read_text() for path in models.glob("*.sql"))
    parts = models / "parts.sql"
    parts.write_text(parts.read_text().replace("SELECT\n", "SELECT\n  'p01' AS item_id, /* leak */\n"))
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "no_item_columns" in done.stdout + done.stderr


def test_missing_file_fails_the_audit_and_ends_the_old_one(spoiled):
    (spoiled.warehouse / "evidence" / "calls" / "run-1.parquet").unlink()
    refused = run(spoiled, "jevhouse", "export", "leaderboard", check=False)
    assert refused.returncode == 1 and "evidence is missing" in refused.stderr
    failed = audited(spoiled)
    assert failed["register_equals_disk"]["first"][0]["found"] == "missing"


def test_damaged_register_is_one_line(spoiled):
    whole = spoiled.register.read_bytes()
    first = whole.splitlines()[1]
    rows = b"," + first.split(b",")[3] + b","
    damages = {
        "negative": whole.replace(first, first.replace(rows, b",-3,", 1)),
        "table": whole.replace(first, b"weird_" + first),
        "bytes": whole + b"\xff\n",
        "twice": whole + first + b"\n",
        "gone": None,
    }
    for name, damage in damages.items():
        spoiled.register.unlink(missing_ok=True)
        if damage is not None:
            spoiled.register.write_bytes(damage)
        done = run(spoiled, "jevhouse", "ingest", "verify", check=False)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, name
        assert "evidence.csv" in done.stderr and "Traceback" not in done.stderr
    spoiled.register.write_bytes(whole.replace(first, first.replace(rows, b",999,", 1)))
    done = run(spoiled, "jevhouse", "ingest", "verify", check=False)
    assert done.returncode == 1 and "miscounted" in done.stdout


def test_unregistered_file_never_scores(spoiled):
    rows = second_run()
    land_rows(spoiled, rows)
    register = spoiled.register.read_text().splitlines()
    spoiled.register.write_text("\n".join(line for line in register if ",run-2," not in line) + "\n")
    done = plan(spoiled)
    assert "No changes" in done.stdout
    assert [r["system"] for r in board(spoiled)] == ["sys"]
    assert {f["found"] for f in audited(spoiled)["register_equals_disk"]["first"]} == {"unregistered"}


def test_missing_receipt_is_unknown_not_free(spoiled):
    rows = second_run()
    for request in rows["requests"][:13]:
        request |= {"billed_cost_usd": None, "cost_status": "unknown"}
    land_rows(spoiled, rows)
    plan(spoiled)
    other, sound = board(spoiled)
    assert other["usd_per_1000"] == pytest.approx(sound["usd_per_1000"])
    assert other["receipt_coverage"] == 0.5 and other["cost"] == pytest.approx(sound["cost"] / 2)


def test_no_receipt_at_all_leaves_cost_and_composite_unknown(spoiled):
    rows = second_run()
    rows.pop("requests")
    land_rows(spoiled, rows)
    plan(spoiled)
    other, _ = board(spoiled)
    assert (other["usd_per_1000"], other["cost"], other["composite"], other["rank"]) == (None,) * 4
    assert not other["ranked"] and "cost unknown" in other["unranked_reason"]


def test_request_priced_twice(spoiled):
    rows = second_run()
    rows["requests"].append(rows["requests"][-1] | {"request_sequence": 2})
    land_rows(spoiled, rows)
    plan(spoiled)
    assert "no_request_priced_twice" in audited(spoiled)


def test_options_sent_in_reversed_order(spoiled):
    land_rows(spoiled, changed(second_run(), "calls", sent_options_sha256="dcba"))
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "options_sent_in_frozen_order" in done.stdout + done.stderr


def test_call_of_an_unknown_item(spoiled):
    land_rows(spoiled, changed(second_run(), "calls", item_id="no-such-item"))
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "calls_are_of_frozen_items" in done.stdout + done.stderr


def test_call_that_disagrees_with_the_matrix(spoiled):
    rows = second_run()
    rows["observations"][-1] |= {"repeat": 1}
    land_rows(spoiled, rows)
    plan(spoiled)
    assert "calls_agree_with_the_matrix" in audited(spoiled)


def test_freeze_after_the_first_sealed_call(spoiled):
    from datetime import datetime

    land_rows(spoiled, changed(second_run(), "calls", started_at=datetime(2026, 1, 15)))
    plan(spoiled)
    assert "frozen_before_first_sealed_call" in audited(spoiled)


def test_warm_ups_and_cache_hits_are_not_measured(spoiled):
    rows = second_run()
    warm = {"observation_id": "warmup:p01:other:-1", "repeat": -1, "phase": "warmup", "item_id": "p01"}
    rows["observations"].append(rows["observations"][-1] | warm | {"sequence": 0})
    rows["calls"].append(rows["calls"][-1] | warm | {"wall_ms": 60_000.0})
    rows["calls"][0] |= {"served_from_cache": True, "wall_ms": 0.01}
    land_rows(spoiled, rows)
    plan(spoiled)
    other, _ = board(spoiled)
    assert other["latency_samples"] == 25 and other["p95_s"] < 1
    assert other["public_correct"] == 11  # p00 was wrong anyway; as a cache hit it is missing
    assert "answers_of_two_systems_differ" not in audited(spoiled)


def test_cached_tokens_beyond_the_input(spoiled):
    land_rows(spoiled, changed(second_run(), "requests", input_tokens=10, cached_input_tokens=20))
    plan(spoiled)
    assert "tokens_lie_inside_their_totals" in audited(spoiled)


def test_identical_answers_are_reported_and_do_not_fail(spoiled):
    land_rows(spoiled, second_run())
    plan(spoiled)
    failed = audited(spoiled)
    assert set(failed) == {"answers_of_two_systems_differ"}
    first, second = board(spoiled)
    assert first["rank"] == second["rank"] == 1  # equal composites share a rank


def test_charged_time_serves_exactly_the_measured_calls(spoiled):
    rows = second_run(endpoint_kind="self_hosted", gpu_type="cpu")
    rows.pop("requests")
    rows["gpu_usage"] = [{"run_id": "run-2", "suite": "tiny-v1", "system": "other", "track": "core",
                          "interval_kind": "inference", "interval_sequence": 1, "gpu_type": "cpu",
                          "seconds": 2.6, "calls": 52}]  # fmt: skip
    land_rows(spoiled, rows)
    with (spoiled.seeds / "gpu_rates.csv").open("a") as rates:
        rates.write("other,cpu,0.36,2026-01-01,test\n")
    plan(spoiled)
    other, _ = board(spoiled)
    assert other["adjusted_p50_s"] == pytest.approx(2 * other["p50_s"] + 0.15)
    assert other["usd_per_1000"] == pytest.approx(1000 * 2.6 * 0.36 / 3600 / 52)
    assert audited(spoiled)["charges_are_inference_of_measured_calls"]["first"] == [
        {"key": "run-2 other core", "expected": "26", "found": "52"}
    ]


def test_tampered_figures_on_the_board(spoiled):
    with _writing(spoiled) as tables:
        tables("UPDATE {} SET adjusted_p50_s = p50_s / 2", "board", "leaderboard")
        tables("UPDATE {} SET usd_per_1000 = NULL", "board", "leaderboard")
        tables("UPDATE {} SET item_count = item_count + 1", "board", "outcomes")
        tables("UPDATE {} SET costed_calls = 99, receipted_cost_usd = 1", "board", "costs")
    assert {
        "adjustment_follows_endpoint_kind", "unknown_cost_is_never_scored", "states_fill_the_part",
        "receipts_within_requests", "unit_cost_is_the_sum_of_receipts",
    } <= set(audited(spoiled))  # fmt: skip


def test_weights_that_do_not_sum_to_one_stop_the_plan(spoiled):
    methods = spoiled.seeds / "methods.csv"
    methods.write_text(methods.read_text().replace("public_weight,,0.35", "public_weight,,0.45"))
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "weights_sum_to_one" in done.stdout + done.stderr


def test_parameter_left_out_stops_the_plan(spoiled):
    methods = spoiled.seeds / "methods.csv"
    lines = methods.read_text().splitlines()
    methods.write_text("\n".join(line for line in lines if "image-v0.1,gate_exponent" not in line) + "\n")
    done = plan(spoiled, check=False)
    assert done.returncode != 0 and "no_null_anywhere" in done.stdout + done.stderr


def test_export_wants_the_audit_of_this_state(spoiled, tmp_path):
    out = str(tmp_path / "board.csv")
    run(spoiled, "jevhouse", "export", "leaderboard", "--format", "csv", "--out", out)
    land_rows(spoiled, second_run())
    stale = run(spoiled, "jevhouse", "export", "leaderboard", "--format", "csv", "--out", out, check=False)
    assert stale.returncode == 1 and "after the latest audit" in stale.stderr
    marked = run(spoiled, "jevhouse", "export", "leaderboard", "--format", "csv", "--unaudited")
    header, first, *_ = marked.stdout.splitlines()
    assert header.endswith(",watermark") and first.endswith(",UNAUDITED")
    plan(spoiled)
    run(spoiled, "jevhouse", "audit", "--suite", "costs")  # a partial audit confirms nothing
    assert run(spoiled, "jevhouse", "export", "leaderboard", check=False).returncode == 1
    run(spoiled, "jevhouse", "audit")
    run(spoiled, "jevhouse", "export", "leaderboard")


def test_data_docs_are_written(spoiled):
    run(spoiled, "jevhouse", "audit", "--docs")
    index = spoiled.root / "out" / "data-docs" / "index.html"
    assert "Data Docs" in index.read_text()


def test_unknown_audit_suite_is_one_line(spoiled):
    done = run(spoiled, "jevhouse", "audit", "--suite", "nonsense", check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "one of evidence" in done.stderr


class _writing:
    """Change computed tables behind the back of the plan, as a bug or a hand would."""

    def __init__(self, project: Project):
        self.project = project

    def __enter__(self):
        import duckdb

        self.connection = duckdb.connect(str(self.project.database))

        def tables(statement: str, schema: str, name: str) -> None:
            (sql,) = self.connection.execute(
                "SELECT sql FROM duckdb_views() WHERE schema_name = ? AND view_name = ?", [schema, name]
            ).fetchone()
            physical = sql.split("FROM ")[1].rstrip("; ")
            self.connection.execute(statement.format(physical))

        return tables

    def __exit__(self, *_):
        self.connection.close()
