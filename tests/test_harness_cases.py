"""Every way a provider can answer or fail, over real HTTP with the vendors' SDKs: state and liability."""

from __future__ import annotations

import pytest

from ingest.harness import run as harness
from ingest.harness.config import load
from ingest.landing import read_register
from tests.harness import (
    KEYS,
    everything_written,
    land_tiny,
    landed,
    system,
    write_config,
)
from tests.provider import LEAK, Provider
from tests.support import make_project

ENGINES = ("jev", "openai", "openrouter", "local")


@pytest.fixture(scope="module")
def provider():
    return Provider()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("cases") / "project")
    land_tiny(project, count=3)
    return project


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def make_run(project, systems, **changes):
    config = load(write_config(project, systems, **changes))
    return harness.run(project, config, None, None, lambda plan: True).run_id


def by_engine(project, run_id):
    """Engine to its calls (in order) with their requests."""
    requests = {}
    for request in landed(project, "requests", run_id):
        requests.setdefault(request["observation_id"], []).append(request)
    out = {}
    for call in sorted(landed(project, "calls", run_id), key=lambda c: c["item_id"]):
        out.setdefault(call["system"], []).append(
            call | {"requests": requests.get(call["observation_id"], [])}
        )
    return out


# case -> (call status, request status, error code); "ok" cases carry None
CASES = {
    "success": ("ok", "ok", None),
    "missing-usage": ("ok", "ok", None),
    "partial-usage": ("ok", "ok", None),
    "unknown-option": ("ok", "ok", None),
    "big-valid": ("ok", "ok", None),
    "401": ("error", "error", "401"),
    "403": ("error", "error", "403"),
    "422": ("error", "error", "422"),
    "429": ("error", "error", "429"),
    "500": ("error", "error", "500"),
    "503": ("error", "error", "503"),
    "over-limit": ("error", "error", "400"),
    "timeout-before": ("error", "error", "timeout"),
    "timeout-after": ("error", "error", "timeout"),
    "drip": ("error", "error", "timeout"),
    "reset": ("error", "error", "connection"),
    "malformed": ("error", "invalid", "invalid_response"),
    "empty": ("error", "invalid", "invalid_response"),
    "big": ("error", "invalid", "invalid_response"),
}
KNOWN_COST = {"success", "unknown-option", "big-valid"}
# 1,000 tokens at 0.042 USD per million; 3 + 997 written + 14 out; the cost that OpenRouter returned.
COST = {
    "jev": pytest.approx(1000 * 0.042e-6),
    "openai": pytest.approx((3 * 0.20 + 997 * 0.25 + 14 * 1.20) / 1e6),
    "openrouter": 0.000123,
    "local": None,
}


@pytest.mark.parametrize("case", CASES)
def test_each_case_ends_in_its_state_with_its_liability(tiny, provider, case):
    call_status, request_status, code = CASES[case]
    limits = {"request": 1.0, "task": 30, "stage": 300} if code == "timeout" else {}
    run_id = make_run(tiny, [system(e, provider.url(case)) for e in ENGINES], limit=1, deadlines_s=limits)
    calls = by_engine(tiny, run_id)
    assert sorted(calls) == sorted(ENGINES)
    for engine, (call,) in calls.items():
        (request,) = call["requests"]
        assert (call["status"], request["status"], request["error_code"]) == (
            call_status,
            request_status,
            code,
        )
        assert call["error_code"] == code
        assert call["dispatched"] and call["request_count_complete"]
        assert request["elapsed_ms"] > 0 and call["wall_ms"] >= request["elapsed_ms"]
        if call_status == "ok":
            assert call["answer"] and call["sent_options_sha256"]
        if engine == "local":
            assert request["cost_status"] == "not_applicable" and not call["usage_unknown"]
        elif case in KNOWN_COST:
            assert request["recorded_cost_usd"] == COST[engine]
            assert not call["usage_unknown"]
        else:
            assert request["cost_status"] == "unknown" and request["recorded_cost_usd"] is None
            assert call["usage_unknown"]
    (run,) = landed(tiny, "runs", run_id)
    kept = sum(c["reserved_cost_usd"] for (c,) in calls.values() if c["usage_unknown"])
    assert run["budget_unknown_reserved_usd"] == pytest.approx(kept)
    assert run["budget_committed_usd"] == pytest.approx(kept + run["budget_known_usd"])
    assert run["status"] == "complete"


def test_partial_usage_keeps_the_counts_that_came(tiny, provider):
    run_id = make_run(tiny, [system(e, provider.url("partial-usage")) for e in ENGINES[:3]], limit=1)
    calls = by_engine(tiny, run_id)
    assert calls["jev"][0]["requests"][0]["output_tokens"] == 57
    assert calls["jev"][0]["requests"][0]["input_tokens"] is None
    assert calls["openai"][0]["requests"][0]["input_tokens"] == 1000
    assert calls["openai"][0]["requests"][0]["cached_input_tokens"] is None


def test_an_unknown_option_and_a_wrong_sum_are_recorded_as_returned(tiny, provider):
    systems = [
        system("jev", provider.url("unknown-option"), system="jev-unknown"),
        system("jev", provider.url("bad-sum"), system="jev-sum"),
    ]
    run_id = make_run(tiny, systems, limit=1)
    calls = by_engine(tiny, run_id)
    assert calls["jev-unknown"][0]["answer"] == "none of your options"
    shares = [
        row["probability"]
        for row in landed(tiny, "probabilities", run_id)
        if row["observation_id"] == calls["jev-sum"][0]["observation_id"]
    ]
    assert sum(shares) == pytest.approx(0.5)


@pytest.mark.parametrize("case", ["refusal", "cut", "malformed-answer"])
def test_refused_cut_and_unreadable_answers_are_billed(tiny, provider, case):
    run_id = make_run(tiny, [system(e, provider.url(case)) for e in ("openai", "openrouter")], limit=1)
    for engine, (call,) in by_engine(tiny, run_id).items():
        (request,) = call["requests"]
        assert request["recorded_cost_usd"] == COST[engine]
        assert not call["usage_unknown"]
        assert call["refused"] is (case == "refusal")
        assert call["truncated"] is (case == "cut")
        assert call["answer"] is None
        assert (
            request["status"] == {"refusal": "ok", "cut": "incomplete", "malformed-answer": "invalid"}[case]
        )


def test_mismatched_answer_keys_fail_and_are_billed(tiny, provider):
    run_id = make_run(tiny, [system("jev", provider.url("missing-answer"))], limit=1)
    ((call,),) = by_engine(tiny, run_id).values()
    assert (call["status"], call["error_type"]) == ("error", "MismatchedAnswers")
    assert call["requests"][0]["status"] == "invalid"
    assert call["requests"][0]["recorded_cost_usd"] == COST["jev"]


def test_connection_refused(tiny):
    run_id = make_run(tiny, [system(e, "http://127.0.0.1:9") for e in ENGINES], limit=1)
    for (call,) in by_engine(tiny, run_id).values():
        assert (call["status"], call["error_code"]) == ("error", "connection")


def test_a_failure_loses_no_earlier_record(tiny, provider):
    systems = [
        system("jev", provider.url("success"), system="good"),
        system("jev", provider.url("reset"), system="bad"),
    ]
    run_id = make_run(tiny, systems)
    calls = by_engine(tiny, run_id)
    assert [c["status"] for c in calls["good"]] == ["ok", "ok"]
    assert [c["status"] for c in calls["bad"]] == ["error", "error"]


@pytest.mark.parametrize(("case", "code"), [("503", "service_failure"), ("over-limit", None)])
def test_a_service_failure_stops_the_run_and_an_item_over_the_limit_does_not(tiny, provider, case, code):
    run_id = make_run(tiny, [system("jev", provider.url(case))], stop_on_service_failure=True)
    (run,) = landed(tiny, "runs", run_id)
    assert run["stop_code"] == code
    calls = landed(tiny, "calls", run_id)
    assert len(calls) == 2, "every planned call has a terminal record"
    assert [c["skip_reason"] for c in calls].count("service_failure") == (1 if code else 0)


def test_a_failed_warmup_stops_the_run(tiny, provider):
    run_id = make_run(tiny, [system("jev", provider.url("500"))], warmups=1)
    (run,) = landed(tiny, "runs", run_id)
    assert (run["status"], run["stop_code"]) == ("stopped", "warmup_failed")
    measured = [c for c in landed(tiny, "calls", run_id) if c["phase"] == "measured"]
    assert {c["skip_reason"] for c in measured} == {"warmup_failed"}


def test_retries_are_off_and_where_allowed_each_is_a_request(tiny, provider):
    before = len(provider.requests)
    make_run(tiny, [system(e, provider.url("503")) for e in ENGINES], limit=1)
    assert len(provider.requests) - before == len(ENGINES)
    provider.seen.clear()
    run_id = make_run(tiny, [system("jev", provider.url("503-once"))], limit=1, max_retries=1)
    ((call,),) = by_engine(tiny, run_id).values()
    assert call["status"] == "ok"
    assert [(r["attempt"], r["status"]) for r in call["requests"]] == [(1, "error"), (2, "ok")]
    assert call["usage_unknown"], "what the failed attempt cost is unknown"


def test_the_budget_stops_the_run_and_it_is_still_reportable(tiny, provider):
    # One reservation: 64,000 tokens x 0.042e-6 x 2 = 0.005376 USD; what an unknown charge keeps.
    run_id = make_run(tiny, [system("jev", provider.url("missing-usage"))], budget_usd=0.006)
    (run,) = landed(tiny, "runs", run_id)
    assert (run["status"], run["stop_code"]) == ("stopped", "budget_stop")
    assert run["budget_committed_usd"] == pytest.approx(0.005376)
    calls = landed(tiny, "calls", run_id)
    assert sorted(c["status"] for c in calls) == ["ok", "skipped"]
    assert {c["skip_reason"] for c in calls} == {None, "budget_stop"}


def test_a_stage_deadline_skips_the_rest(tiny, provider):
    limits = {"request": 1.0, "task": 5.0, "stage": 0.5}
    run_id = make_run(tiny, [system("jev", provider.url("drip"))], deadlines_s=limits)
    (run,) = landed(tiny, "runs", run_id)
    assert (run["status"], run["stop_code"]) == ("stopped", "paid_deadline")
    first, second = sorted(landed(tiny, "calls", run_id), key=lambda c: c["status"])
    assert (first["status"], first["error_type"], first["usage_unknown"]) == ("error", "TaskTimeout", True)
    assert first["request_count_complete"] is False
    assert second["skip_reason"] == "paid_deadline"


def test_no_key_no_provider_text_and_no_gold_is_written_or_sent(tiny, provider):
    """Runs last in this module: it searches what all of the runs above wrote and sent."""
    make_run(tiny, [system(e, provider.url("401")) for e in ENGINES], limit=1)
    written = everything_written(tiny)
    assert b"made_up_error" in written, "the search sees what was written"
    for secret in (*KEYS.values(), LEAK):
        assert secret.encode() not in written
    for path, _, body in provider.requests:
        assert b"q00" not in body and b"gold" not in body.lower(), path
    assert len({line.run_id for line in read_register(tiny)}) > 30
