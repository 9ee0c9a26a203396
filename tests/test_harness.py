"""The harness from configuration to evidence: matrix, guard, journal, kills, receipts, documents."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.documents.prepare import Parser, normalise, prepare, tessdata
from ingest.documents.synthetic import make_set, pdf_bytes
from ingest.engines.jev import Jev
from ingest.engines.openai import OpenAI
from ingest.engines.pages import segments_of
from ingest.engines.pricing import Prices, request_cost
from ingest.engines.protocol import Option, OverLimit, Page, PageDecision, Request, Task
from ingest.errors import Refused
from ingest.harness import run as harness
from ingest.harness.budget import Guard
from ingest.harness.config import load
from ingest.harness.journal import folder_of, read
from ingest.harness.matrix import Entry, build
from ingest.harness.seal import seal, unfinished
from ingest.project import Project
from tests.harness import GOLD_MARK, KEYS, SUITE, journal, land_tiny, landed, system, write_config
from tests.provider import Provider
from tests.support import REPOSITORY, SHARED, make_project, needs_shared, run

RUN01 = SHARED / "evidence" / "documents" / "real-small-v1-run01"


@pytest.fixture(scope="module")
def provider():
    return Provider()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("harness") / "project")
    land_tiny(project, count=13)
    return project


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def go(project, path, prepared=None, resume=None, **overrides):
    return harness.run(project, load(path, **overrides), prepared, resume, lambda plan: True)


# Matrix


@needs_shared
def test_the_matrix_is_the_recorded_order_of_a_real_run():
    truth = json.loads((RUN01 / "truth.json").read_text())
    recorded = [json.loads(line) for line in (RUN01 / "raw.jsonl").read_text().splitlines()]
    items = [Entry(i["id"], t, "test") for t in ("classify", "split") for i in truth[t]]
    items += [Entry(i["id"], t, "dev") for t in ("classify", "split") for i in truth["excluded_warmups"][t]]
    cells = build(20260919, items, ["jev", "openai"], warmups=1, repeats=1, reuse=False)
    assert [c.observation_id for c in cells] == [r["observation_id"] for r in recorded]


def test_the_same_seed_gives_the_same_matrix_on_any_machine():
    items = [Entry(f"i{n}", "choice", "test") for n in range(20)]
    cells = build(7, items, ["a", "b", "c"], warmups=1, repeats=3, reuse=True)
    text = "\n".join(c.observation_id for c in cells)
    assert (
        hashlib.sha256(text.encode()).hexdigest()
        == "f48a8fb166b91b63c3fcb668ab8cf12329c2c485fff63cad7f6a5a56080cfbf9"
    )
    assert len(cells) == 3 + 20 * 3 * 3


# Guard

RESERVATIONS = st.lists(st.tuples(st.floats(0, 2), st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


@given(limit=st.floats(0.1, 10), calls=RESERVATIONS, order=st.randoms(use_true_random=False))
def test_eight_calls_in_flight_never_exceed_the_budget(limit, calls, order):
    """Charges at most their reservation, in any order of ends: the balance stays within the limit."""
    guard, flying, reserved_by_hand = Guard(limit), [], 0.0
    for reserved, share, unknown in calls:
        while len(flying) == 8 or (flying and order.random() < 0.4):
            guard.settle(*flying.pop(order.randrange(len(flying))))
        if guard.reserve(reserved):
            flying.append((reserved, reserved * share, unknown))
            reserved_by_hand += reserved
        assert guard.committed_usd <= limit + 1e-9
        assert guard.in_flight == len(flying)
    for call in flying:
        guard.settle(*call)
    assert -1e-9 <= guard.known_usd <= guard.committed_usd + 1e-9 <= limit + 2e-9
    assert guard.committed_usd == pytest.approx(guard.known_usd + guard.unknown_reserved_usd, abs=1e-9)


def test_guard_by_hand():
    guard = Guard(1.0)
    assert guard.reserve(0.6) and not guard.reserve(0.5) and guard.reserve(0.4)  # equality passes
    guard.settle(0.6, 0.1, False)  # 0.5 given back
    guard.settle(0.4, 0.05, True)  # unknown keeps its 0.4
    assert (guard.committed_usd, guard.known_usd) == (pytest.approx(0.5), pytest.approx(0.15))
    assert guard.unknown_reserved_usd == pytest.approx(0.35)
    assert guard.reserve(0.5)
    guard.settle(0.5, 0.9, False)  # above its reservation: recorded in full, nothing more is admitted
    assert guard.committed_usd == pytest.approx(1.4) and not guard.reserve(0.01)


@needs_shared
def test_costs_and_reservations_of_a_real_run():
    """Every recorded cost follows from its tokens, every reservation from pages and bytes of the text."""
    prices = Prices.load(Project(REPOSITORY), "2026-09-18")
    for line in (RUN01 / "raw.jsonl").read_text().splitlines():
        row = json.loads(line)
        for r in row["requests"]:
            names = ("provider", "model", "input_tokens", "output_tokens", "cached_input_tokens")
            request = Request(**{n: r[n] for n in names}, cache_write_tokens=r["cache_write_tokens"])
            usd, status = request_cost(request, prices)
            assert (usd, status) == (pytest.approx(r["cost_usd"], rel=1e-9), r["cost_status"])
        if row["engine"] == "jev":
            page = Page(1, "text", False)
            task = Task("split", None, (Option("a"), Option("b")), pages=(page,) * row["page_count"])
            jev = Jev(row["model"], "http://127.0.0.1", "k", {}, 0, 30)
            assert jev.reservation_usd(task, prices) == pytest.approx(row["reserved_cost_usd"])


# Choice items, with and without an image


@pytest.mark.parametrize("image", [False, True])
def test_options_are_sent_in_frozen_order_and_answers_recorded(tmp_path, provider, image):
    project = make_project(tmp_path / "project")
    land_tiny(project, count=3, image=image)
    engines = ("jev", "openai", "openrouter", "local")
    outcome = go(project, write_config(project, [system(e, provider.url()) for e in engines]))
    assert outcome.status == "complete" and outcome.counts == {"ok": 8}
    frozen = {row["item_id"]: row for row in landed_sealed(project, "items", f"items-{SUITE}")}
    for call in landed(project, "calls", outcome.run_id):
        item = frozen[call["item_id"]]
        assert call["sent_options_sha256"] == item["options_sha256"]
        if image:
            assert call["input_sha256"] == item["image_sha256"]
    if image:
        sent = [b for _, _, b in provider.requests if b"PNG 1" in b]
        assert sent, "the image itself is sent"


def landed_sealed(project, table, run_id):
    return landed(project, table, run_id)


def test_score_noul_and_decisions(tiny, provider):
    systems = [
        system("jev", provider.url(), system="score", settings={"primitive": "score"}),
        system(
            "openrouter",
            provider.url(),
            system="decisions",
            model="typesafe/jev-1.13",
            settings={"mode": "decisions", "price_model": "jev-1.13.0"},
        ),
        system("jev", provider.url(), system="noul", settings={"primitive": "noul"}),
    ]
    outcome = go(tiny, write_config(tiny, systems), limit=2)
    calls = landed(tiny, "calls", outcome.run_id)
    shares = {}
    for row in landed(tiny, "probabilities", outcome.run_id):
        shares.setdefault(row["observation_id"], {})[row["option"]] = row["probability"]
    for call in calls:
        if call["system"] == "noul.pilot":  # three options cannot be a yes or no question
            assert call["skip_reason"] == "context_preflight_error"
        else:
            own = shares[call["observation_id"]]
            assert len(own) == 3 and call["answer"] == max(own, key=own.get)
    billed = [r for r in landed(tiny, "requests", outcome.run_id) if r["provider"] == "openrouter"]
    assert {r["billed_cost_usd"] for r in billed} == {0.000042}
    routes = [json.loads(b)["provider"] for p, _, b in provider.requests if p.endswith("decisions")]
    assert routes[0] == {"allow_fallbacks": False, "data_collection": "deny", "zdr": True}


def test_sequential_and_concurrent_runs_give_the_same_outcomes(tiny):
    provider = Provider(delay_s=0.01)

    def outcomes(concurrency):
        provider.most_in_flight = 0
        systems = [system(e, provider.url()) for e in ("jev", "openai")]
        path = write_config(tiny, systems, concurrency=concurrency, repeats=2, budget_usd=0.05)
        run_id = go(tiny, path).run_id
        assert provider.most_in_flight <= concurrency
        calls = landed(tiny, "calls", run_id)
        return {c["observation_id"]: (c["status"], c["answer"]) for c in calls}, provider.most_in_flight

    one, _ = outcomes(1)
    eight, most = outcomes(8)
    assert one == eight and len(one) == 48
    assert most > 1


# Commands


def test_commands(tiny, provider, tmp_path):
    path = write_config(tiny, [system("jev", provider.url())], warmups=1)
    environment = dict.fromkeys(KEYS, "")
    before = len(provider.requests)
    dry = run(tiny, "jevhouse", "ingest", "run", "--config", str(path), "--dry-run", **environment)
    assert "13 calls, at most 0.069888 USD" in dry.stdout  # 13 x 0.005376
    refused = run(
        tiny, "jevhouse", "ingest", "run", "--config", str(path), "--yes", check=False, **environment
    )
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "TYPESAFE_API_KEY" in refused.stderr
    unconfirmed = run(tiny, "jevhouse", "ingest", "run", "--config", str(path), check=False)
    assert unconfirmed.returncode == 1 and "nothing was sent" in unconfirmed.stderr
    assert len(provider.requests) == before
    done = run(tiny, "jevhouse", "ingest", "run", "--config", str(path), "--yes", "--limit", "3")
    assert "complete; 4 ok" in done.stdout and "calling: 4 of 4, 0 failed" in done.stderr
    run_id = done.stdout.split(":")[0]
    assert landed(tiny, "runs", run_id)[0]["condition"] == "test-pilot"
    again = run(tiny, "jevhouse", "ingest", "seal", run_id, check=False)
    assert again.returncode == 1 and "landed already" in again.stderr
    phases = [row["phase"] for row in journal(tiny, run_id, "matrix.jsonl")]
    assert phases == ["warmup", "measured", "measured", "measured"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"concurrency": 0}, "concurrency"),
        ({"budget_usd": -1}, "budget_usd"),
        ({"surprise": 1}, "surprise"),
        ({"price_snapshot": "2020-01-01"}, "snapshot"),
        ({"warmups": 3}, "warmups"),
        ({"suite": "unknown-v1"}, "suite"),
        ({"scope": "end-to-end"}, "scope"),
    ],
)
def test_a_wrong_configuration_is_refused(tiny, provider, changes, field):
    path = write_config(tiny, [system("jev", provider.url())], **changes)
    with pytest.raises(Refused, match=field):
        harness.dry_run(tiny, load(path))


@pytest.mark.parametrize(
    "entry",
    [
        {"base_url": "http://192.0.2.1:80"},
        {"base_url": "http://user:secret@127.0.0.1:80"},
        {"base_url": None},
    ],
)
def test_a_local_server_is_on_this_machine(tiny, entry):
    path = write_config(tiny, [system("local", "http://127.0.0.1:9") | entry])
    with pytest.raises(Refused) as refusal:
        harness.dry_run(tiny, load(path))
    assert "secret" not in str(refusal.value)


def test_a_model_without_a_price_is_refused(tiny, provider):
    path = write_config(tiny, [system("openai", provider.url(), model="gpt-unpriced")])
    with pytest.raises(Refused, match="gpt-unpriced has no input and output price"):
        harness.dry_run(tiny, load(path))


def test_the_hardware_of_a_self_hosted_system_is_recorded_by_kind(tiny, provider):
    path = write_config(tiny, [system("local", provider.url())], warmups=1, concurrency=4)
    run_id = go(tiny, path).run_id
    usage = {u["interval_kind"]: u for u in landed(tiny, "gpu_usage", run_id)}
    assert set(usage) == {"load", "inference", "idle"}
    calls = [c for c in landed(tiny, "calls", run_id) if c["phase"] == "measured"]
    summed_s = sum(c["decision_ms"] for c in calls) / 1000
    assert usage["inference"]["calls"] == 12
    # Four calls at a time hold the machine once.
    assert 0 < usage["inference"]["seconds"] <= summed_s + 1e-3


# Interrupts and kills


def test_an_interrupt_stops_cleanly_seals_and_can_be_resumed(tiny):
    slow = Provider(delay_s=0.1)
    path = write_config(tiny, [system("jev", slow.url())])
    command = [Path(sys.executable).with_name("jevhouse"), "ingest", "run", "--config", path, "--yes"]
    child = subprocess.Popen(command, cwd=tiny.root, text=True, stdout=-1, stderr=-1)
    while len(slow.requests) < 3:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 1 and "interrupted (interrupted)" in out and "Traceback" not in err
    run_id = out.split(":")[0]
    calls = landed(tiny, "calls", run_id)
    assert len(calls) == 12
    assert {c["skip_reason"] for c in calls} == {None, "interrupted"}
    sent = sum(c["status"] == "ok" for c in calls)
    assert 3 <= sent == len(slow.requests)
    resumed = go(tiny, path, resume=run_id)
    assert resumed.counts == {"ok": 12}
    assert len(slow.requests) == 12, "nothing was sent twice"
    assert landed(tiny, "systems", resumed.run_id)[0]["supersedes_run_id"] == run_id
    (spent,) = landed(tiny, "runs", resumed.run_id)
    assert spent["budget_known_usd"] == pytest.approx(12 * 0.000042)


def _child(root: str, path: str) -> None:
    os.environ |= KEYS
    harness.run(Project(Path(root)), load(Path(path)), None, None, lambda plan: True)


def test_kill_9_at_twenty_random_moments(tmp_path):
    """Whatever reached the provider is in the evidence, once; what has no end is named."""
    project = make_project(tmp_path / "project")
    land_tiny(project, count=81)
    provider = Provider(delay_s=0.004)
    path = write_config(
        project, [system("jev", provider.url()), system("openai", provider.url())], concurrency=4
    )
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ingest.harness.run", "typesafe_sdk", "openai"])
    rng = random.Random(20260926)
    root = project.warehouse / "journal"
    killed = 0
    for _ in range(20):
        before = set(root.iterdir()) if root.exists() else set()
        provider.requests.clear()
        child = context.Process(target=_child, args=(str(project.root), str(path)))
        child.start()
        while not provider.requests and child.is_alive():
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.45))
        with suppress(ProcessLookupError):  # it may have ended
            os.kill(child.pid, signal.SIGKILL)
        child.join()
        (folder,) = set(root.iterdir()) - before
        if (project.warehouse / "evidence" / "runs" / f"{folder.name}.parquet").exists():
            continue  # it had ended and sealed itself
        killed += 1
        said = seal(project, folder.name)
        recorded = read(folder)
        dispatched = [row["observation_id"] for row in landed(project, "dispatches", folder.name)]
        calls = [row["observation_id"] for row in landed(project, "calls", folder.name)]
        assert len(set(dispatched)) == len(dispatched) and len(set(calls)) == len(calls)
        assert set(calls) <= set(dispatched)
        assert len(landed(project, "observations", folder.name)) == 160
        reached = sorted(
            f"measured:choice:q{int(str(body).split('goes with ')[1].split('?')[0]):03d}:"
            f"{'jev' if where.endswith('systemone') else 'openai'}:0"
            for where, _, body in provider.requests
        )
        assert set(reached) <= set(dispatched) and len(set(reached)) == len(reached)
        for observation_id in set(dispatched) - set(calls):
            assert any(line.startswith(observation_id) for line in said)
        (row,) = landed(project, "runs", folder.name)
        assert (row["status"], row["recorded_status"]) == ("incomplete", "running")
        assert said == unfinished(recorded)
    assert killed >= 10
    resumed = go(project, path, resume=folder.name)
    assert resumed.counts["ok"] + len(set(dispatched) - set(calls)) == 160


def test_a_cut_line_is_dropped_and_an_inner_one_refused(tiny, provider):
    path = write_config(tiny, [system("jev", provider.url())])
    run_id = go(tiny, path).run_id
    copy = folder_of(tiny, "cut-by-hand")
    copy.mkdir()
    source = folder_of(tiny, run_id)
    for name in ("manifest.json", "matrix.jsonl", "events.jsonl"):
        (copy / name).write_bytes((source / name).read_bytes())
    whole = (source / "raw.jsonl").read_bytes()
    (copy / "raw.jsonl").write_bytes(whole[:-30])
    recorded = read(copy)
    assert recorded.raw_truncated and len(recorded.raw) == 11
    assert any("the last line was cut off" in line for line in seal(tiny, "cut-by-hand"))
    (row,) = landed(tiny, "runs", "cut-by-hand")
    assert (row["status"], row["raw_truncated"]) == ("incomplete", True)
    (copy / "raw.jsonl").write_bytes(b"{broken\n" + whole)
    with pytest.raises(Refused, match="corrupt inside the file"):
        read(copy)
    (copy / "raw.jsonl").write_bytes(whole + whole.splitlines(keepends=True)[0])
    with pytest.raises(Refused, match="stands twice"):
        read(copy)


# Documents

DOCUMENTS = {
    "suite": "docs-synthetic-v1",
    "warmups": 1,
    "documents": {"folder": "documents/synthetic", "generate": True},
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("library") / "project")


def test_the_generator_is_seeded_to_the_byte(tmp_path):
    make_set(tmp_path / "one")
    make_set(tmp_path / "two")
    files = {p.name: p.read_bytes() for p in (tmp_path / "one").iterdir()}
    assert files == {p.name: p.read_bytes() for p in (tmp_path / "two").iterdir()}
    assert (
        hashlib.sha256(files["set.json"]).hexdigest()
        == "59eedaa3e5816d5b26fc160225aa713869a733fdade1350cb0df2e2539d1cac8"
    )
    items = json.loads(files["set.json"])["items"]
    for packet in (item for item in items if item["task"] == "split"):
        segments = packet["segments"]
        pairs = list(pairwise(segments))
        assert any(a["category"] == b["category"] for a, b in pairs), "same-category neighbours"
        pages = [n for s in segments for n in range(s["pages"][0], s["pages"][1] + 1)]
        assert pages == list(range(1, packet["pages"] + 1))


def test_documents_from_receipt_to_evidence(library, provider):
    provider.requests.clear()
    systems = [system(e, provider.url(), system=f"{e}/m") for e in ("jev", "openai")]
    path = write_config(library, systems, **DOCUMENTS)
    config = load(path)
    receipt = harness.prepare_only(library, config)
    assert not provider.requests
    body = json.loads(receipt.read_text())
    assert body["status"] == "ready" and body["remote_calls"] == 0
    assert {row["status"] for row in body["items"].values()} == {"ok"}
    outcome = go(library, path, prepared=receipt)
    assert (outcome.status, outcome.counts) == ("complete", {"ok": 56})
    with pytest.raises(Refused, match="used already"):
        go(library, path, prepared=receipt)
    run_id = outcome.run_id
    preparations = landed(library, "preparations", run_id)
    assert {p["pages_sha256"] for p in preparations} == {
        c["input_sha256"] for c in landed(library, "calls", run_id)
    }
    by_item = {}
    for call in landed(library, "calls", run_id):
        by_item.setdefault(call["item_id"], set()).add(call["input_sha256"])
    assert all(len(hashes) == 1 for hashes in by_item.values()), "both engines get the same pages"
    (row,) = landed(library, "runs", run_id)
    assert row["warmups"] == 1 and json.loads(row["ocr_identity"])["name"] == "liteparse"
    sent = b"".join(body for _, _, body in provider.requests)
    truth = json.loads((library.warehouse / "documents/synthetic/set.json").read_text())
    for item in truth["items"]:
        assert item["file"].encode() not in sent and item["sha256"].encode() not in sent
        assert f'"{item["id"]}"'.encode() not in sent
    assert b"template-" not in sent and b'segments":[{"category":"' not in sent
    # What the provider chose is what stands in the evidence.
    decided = {d["observation_id"] for d in landed(library, "page_decisions", run_id)}
    predicted = {d["observation_id"] for d in landed(library, "page_predictions", run_id)}
    assert len(predicted) == 14 and {o for o in predicted if ":jev/m:" in o} == decided


def test_a_changed_source_or_configuration_refuses_a_receipt(library, provider):
    path = write_config(library, [system("jev", provider.url())], **DOCUMENTS)
    receipt = harness.prepare_only(library, load(path))
    other = write_config(library, [system("jev", provider.url())], **DOCUMENTS | {"seed": 8})
    with pytest.raises(Refused, match="changed since the preparation"):
        go(library, other, prepared=receipt)
    path = write_config(library, [system("jev", provider.url())], **DOCUMENTS)
    forged = receipt.with_name("forged.json")
    forged.write_text(receipt.read_text().replace('"ready"', '"ready "'))
    with pytest.raises(Refused, match="does not hash"):
        go(library, path, prepared=forged)
    document = next((library.warehouse / "documents/synthetic").glob("*.pdf"))
    data = document.read_bytes()
    document.write_bytes(data + b" ")
    with pytest.raises(Refused, match="not the frozen file"):
        go(library, path, prepared=receipt)
    document.write_bytes(data)
    blocked = harness.prepare_only(
        library, load(write_config(library, [system("jev", provider.url())], **DOCUMENTS, budget_usd=0.01))
    )
    assert json.loads(blocked.read_text())["blockers"] == ["estimated_budget_exceeded"]


def test_end_to_end_parses_each_time_and_counts_it(library, provider):
    systems = [system("jev", provider.url())]
    path = write_config(library, systems, **DOCUMENTS)
    run_id = go(library, path, scope="end-to-end", limit=2).run_id
    calls = landed(library, "calls", run_id)
    assert len(calls) == 6 and {c["status"] for c in calls} == {"ok"}
    # A parser process of its own costs tens of milliseconds; the call to loopback does not.
    assert all(c["wall_ms"] > c["decision_ms"] + 20 for c in calls)
    assert landed(library, "preparations", run_id) == []
    assert landed(library, "runs", run_id)[0]["scope"] == "end-to-end"


def test_an_unreadable_document_stays_in_the_plan(tmp_path, provider):
    project = make_project(tmp_path / "project")
    folder = project.warehouse / "documents" / "synthetic"
    make_set(folder)
    truth = json.loads((folder / "set.json").read_text())
    item = next(i for i in truth["items"] if i["id"] == "d001")
    (folder / item["file"]).write_bytes(b"%PDF-1.4 broken")
    item["sha256"] = hashlib.sha256(b"%PDF-1.4 broken").hexdigest()
    truth["suite"] = "docs-broken-v1"
    (folder / "set.json").write_text(json.dumps(truth))
    path = write_config(project, [system("jev", provider.url())], **DOCUMENTS | {"suite": "docs-broken-v1"})
    outcome = go(project, path)
    assert outcome.counts == {"ok": 27, "skipped": 1}
    (skipped,) = [c for c in landed(project, "calls", outcome.run_id) if c["status"] == "skipped"]
    assert (skipped["item_id"], skipped["skip_reason"]) == ("d001", "preparation_error")
    (failed,) = [p for p in landed(project, "preparations", outcome.run_id) if p["status"] == "error"]
    assert failed["item_id"] == "d001" and failed["pages_sha256"] is None


def test_recovery_from_the_providers_own_limit_is_visible(library, provider):
    settings = {"context_recovery": True}
    systems = [
        system("jev", provider.url("over-limit-above-2"), system="recovers", settings=settings),
        system("jev", provider.url("over-limit-above-2"), system="fails"),
    ]
    path = write_config(library, systems, **DOCUMENTS | {"warmups": 0})
    run_id = go(library, path).run_id
    calls = [c for c in landed(library, "calls", run_id) if c["observation_id"].startswith("measured:split")]
    assert {(c["system"], c["status"], c["error_type"]) for c in calls if c["system"] == "fails"} == {
        ("fails", "error", "OverLimit")
    }
    requests = [r for r in landed(library, "requests", run_id) if ":split:" in r["observation_id"]]
    refused = [r for r in requests if r["error_code"] == "400" and ":recovers:" in r["observation_id"]]
    assert refused, "the request that was too large stays on record"


def _pages(count, text="words ", blank=()):
    return tuple(Page(n, "" if n in blank else text, n in blank) for n in range(1, count + 1))


LABELS = (Option("tax_form", "a form"), Option("other", "none"))


def test_windows_cover_every_page_once_and_fit():
    jev = Jev("jev-1.13.0", "http://127.0.0.1", "k", {}, 0, 30)
    assert jev.preflight(Task("split", None, LABELS, pages=_pages(20))) == 1
    task = Task("split", None, LABELS, pages=_pages(20, "y" * 9_000, blank=(3,)))
    windows = jev._windows(task)
    targets = [page.number for window in windows for page in window.targets]
    assert targets == list(range(1, 21)) and len(windows) >= 3
    for window in windows:
        assert len(window.targets) <= 8
        assert window.shown[0].number in (1, window.targets[0].number - 1)
    with pytest.raises(OverLimit):
        jev.preflight(Task("split", None, LABELS, pages=_pages(2, "y" * 100_000)))
    assert jev.preflight(Task("classify", None, LABELS, pages=_pages(2, blank=(1, 2)))) == 0
    with pytest.raises(OverLimit):
        OpenAI("gpt-5.6-luna", "http://127.0.0.1", "k", {}, 0, 30).preflight(
            Task("classify", None, LABELS, pages=_pages(6, "y" * 100_000))
        )


def test_segments_by_hand():
    def page(n, category, starts, probability=0.9):
        return PageDecision(n, category, probability, starts, 0.5)

    decisions = [
        page(1, "a", True),
        page(2, "a", False),
        page(3, "a", True),  # a start inside one category
        page(4, "b", False),  # a change overrides "continues": flagged
        page(5, "other", True, None),  # blank
        page(6, "other", False, None),  # blank, of the same run
        page(7, "other", False, 0.9),  # after a blank a new document opens
    ]
    segments = segments_of(decisions, {5, 6}, 0.7)
    assert [(s.category, s.pages, s.needs_review) for s in segments] == [
        ("a", (1, 2), False),
        ("a", (3,), False),
        ("b", (4,), True),
        ("other", (5, 6), True),
        ("other", (7,), True),
    ]


def test_normalised_pages():
    assert normalise("cafe\u0301  \r\n\r\n  two\t\n\n") == "caf\u00e9\n\n  two"


def test_the_parser_is_killed_at_its_deadline_and_holds_no_key(tmp_path):
    document = tmp_path / "one.pdf"
    document.write_bytes(pdf_bytes([["first"], ["second"]]))
    late = prepare(document, Parser(), 0.001, None)
    assert late.error_type == "PreparationTimeout" and late.pages == ()
    done = prepare(document, Parser(), 60, tmp_path / "cache")
    assert [p.text for p in done.pages] == ["first", "second"]
    again = prepare(document, Parser(), 0.001, tmp_path / "cache")
    assert again.cache_hit and again.pages_sha256 == done.pages_sha256


def _ocr_missing() -> bool:
    try:
        tessdata("eng")
    except Refused:
        return True
    return False


@pytest.mark.skipif(_ocr_missing(), reason="tesseract-ocr-eng is not installed")
def test_ocr_reads_a_scanned_page(tmp_path):
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (1200, 400), "white")
    ImageDraw.Draw(image).text((60, 140), "HARBOUR NOTICE 42", fill="black", font=ImageFont.load_default(90))
    document = tmp_path / "scan.pdf"
    image.save(document)
    assert "HARBOUR" in prepare(document, Parser(ocr=True), 120, None).pages[0].text
    assert prepare(document, Parser(), 60, None).pages[0].blank


def test_no_gold_reaches_a_task_or_a_prompt(tmp_path, provider):
    """A gold that no option carries: where it is found, it leaked."""
    assert not hasattr(Task("choice", "q", LABELS), "gold")
    project = make_project(tmp_path / "project")
    folder = project.warehouse / "documents" / "synthetic"
    make_set(folder)
    truth = json.loads((folder / "set.json").read_text())
    for item in truth["items"]:
        item["family"] = GOLD_MARK
    truth["suite"] = "docs-marked-v1"
    (folder / "set.json").write_text(json.dumps(truth))
    provider.requests.clear()
    systems = [system(e, provider.url()) for e in ("jev", "openai", "openrouter", "local")]
    outcome = go(project, write_config(project, systems, **DOCUMENTS | {"suite": "docs-marked-v1"}), limit=3)
    assert outcome.counts == {"ok": 32}
    assert not any(GOLD_MARK.encode() in body for _, _, body in provider.requests)
