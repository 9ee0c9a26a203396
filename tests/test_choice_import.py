from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from ingest.contract import TABLES
from ingest.errors import Refused
from ingest.freeze import freeze_rows, read_freezes, write_freeze
from ingest.importers.choice import Entrant, _frozen_items, _suite_tables, import_choice, read_lines
from ingest.importers.published import import_published
from ingest.landing import read_register, verify
from ingest.project import Project
from tests.support import SHARED, needs_shared, run
from tests.test_published_import import ROW
from tests.test_published_import import write as write_published

DE_1 = SHARED / "evidence" / "choice" / "de-1-public.jsonl"
SUITE = "made-up-v1"


def call(number: int, **changes) -> dict:
    return {
        "task_id": f"t{number}", "tier": "easy", "family": "intent", "split": "public",
        "question_type": "choice",
        "group": None, "labels": ["zeta", "alpha", "mid"], "gold": "alpha", "predicted": "alpha",
        "probs": {"zeta": 0.25, "alpha": 0.5, "mid": 0.25}, "status": "ok", "probs_source": "native",
        "model": "org/model-1", "latency_s": 0.125, "usage": {"input_tokens": 100, "output_tokens": 1},
        "cost_usd": None, "cost_basis": "local",
    } | changes  # fmt: skip


def write(path: Path, *calls: dict) -> Path:
    path.write_text("".join(json.dumps(c) + "\n" for c in calls), encoding="utf-8")
    return path


def entrant(system: str = "sys", kind: str = "self_hosted", method: str = "choice-v1") -> Entrant:
    return Entrant(SUITE, system, system.title(), kind, method)


def rows(project: Project, table: str, run_id: str | None = None) -> list[dict]:
    return [
        row
        for line in read_register(project)
        if line.table_name == table and run_id in (None, line.run_id)
        for row in pq.read_table(project.warehouse / line.path).to_pylist()
    ]


def test_fields_land_as_documented(project, tmp_path):
    file = write(
        tmp_path / "calls.jsonl",
        call(0, group="g"),
        call(1, group="g", gold=None, tier="hard", predicted="mid"),
        call(2, status="error", predicted=None, probs=None, latency_s=None, usage=None),
        call(3, status="skipped", predicted=None, probs=None, latency_s=None, usage=None),
        call(4, probs={"zeta": "much", "alpha": 0.5}),
    )
    run_id = import_choice(project, file, entrant())
    assert run_id == f"choice.{SUITE}.sys.{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
    items = rows(project, "items")
    assert [(i["item_id"], i["track"], i["difficulty"], i["gold"]) for i in items][:2] == [
        ("t0", "easy", "easy", "alpha"),
        ("t1", "hard", "hard", None),
    ]
    first = items[0]
    assert (first["question"], first["option_count"], first["source_family_id"]) == (None, 3, "g")
    assert first["content_sha256"] == (
        hashlib.sha256(b'[null,["zeta","alpha","mid"],"alpha",null]').hexdigest()
    )
    sent = hashlib.sha256(b'["zeta","alpha","mid"]').hexdigest()
    assert first["options_sha256"] == sent
    options = rows(project, "item_options")
    assert [o["option"] for o in options if o["item_id"] == "t0"] == ["zeta", "alpha", "mid"]
    assert {(e["kind"], e["place"]) for e in rows(project, "exposures")} == {("in_repository", "calls.jsonl")}
    calls = {c["observation_id"]: c for c in rows(project, "calls")}
    assert [c["status"] for c in calls.values()] == ["ok", "ok", "error", "skipped", "ok"]
    assert (calls["t0"]["wall_ms"], calls["t0"]["decision_ms"]) == (125, 125)
    assert calls["t0"]["sent_options_sha256"] == sent and calls["t3"]["sent_options_sha256"] is None
    assert calls["t0"]["started_at"] is None and calls["t2"]["usage_unknown"] is True
    assert [
        (p["option"], p["probability"]) for p in rows(project, "probabilities") if p["observation_id"] == "t4"
    ] == [
        ("alpha", 0.5),
        ("zeta", None),
    ]
    requests = {r["observation_id"]: r for r in rows(project, "requests")}
    assert set(requests) == {"t0", "t1", "t2", "t4"}
    assert (requests["t0"]["input_tokens"], requests["t0"]["cost_status"]) == (100, "not_applicable")
    (recorded,) = rows(project, "runs")
    assert recorded["dependent_sample"] is True
    (system,) = rows(project, "systems")
    assert (system["probability_kind"], system["model"], system["supersedes_run_id"]) == (
        "categorical", "org/model-1", None
    )  # fmt: skip
    assert len(rows(project, "observations")) == 5
    assert verify(project) == []


def test_hosted_costs(project, tmp_path):
    file = write(tmp_path / "c.jsonl", call(0, cost_usd=0.002), call(1))
    import_choice(project, file, entrant(kind="hosted"))
    assert [(r["billed_cost_usd"], r["cost_status"]) for r in rows(project, "requests")] == [
        (0.002, "reported"),
        (None, "unknown"),
    ]


def state(project: Project) -> dict[str, bytes]:
    """Every file of the seeds and of the warehouse, but for the lock."""
    files = [*project.seeds.rglob("*"), *project.warehouse.rglob("*")]
    return {str(f): f.read_bytes() for f in files if f.is_file() and f.name != ".lock"}


def test_times_are_in_order(project, tmp_path):
    """Exposed at the latest when frozen, frozen at the latest when the run began."""
    import_choice(project, write(tmp_path / "c.jsonl", call(0)), entrant())
    (freeze,) = [f for f in read_freezes(project) if f.suite == SUITE]
    (exposure,) = rows(project, "exposures")
    (recorded,) = rows(project, "runs")
    assert str(exposure["seen_at"]) <= freeze.frozen_at <= str(recorded["started_at"])


def test_an_import_killed_after_its_freeze_goes_on(project, tmp_path):
    file = write(tmp_path / "c.jsonl", call(0), call(1))
    lines = read_lines(file.read_text(), file)
    early = datetime(2026, 9, 1)
    facts = _suite_tables("x", SUITE, lines, file.name, early)
    write_freeze(project, freeze_rows(SUITE, _frozen_items(facts["items"]), early))
    import_choice(project, file, entrant())
    assert {str(e["seen_at"]) for e in rows(project, "exposures")} == {"2026-09-01 00:00:00"}


def test_an_import_killed_before_its_freeze_is_completed_by_repeating_it(project, tmp_path):
    file = write(tmp_path / "c.jsonl", call(0), call(1))
    seeds = [project.seeds / "freezes.csv", project.seeds / "boards.csv"]
    before = [seed.read_bytes() for seed in seeds]
    import_choice(project, file, entrant())
    after = state(project)
    for seed, content in zip(seeds, before, strict=True):
        seed.write_bytes(content)
    assert import_choice(project, file, entrant()) is None
    assert state(project) == after
    assert import_choice(project, file, entrant(method="image-v0.1")) is None
    assert state(project) == after


def test_the_board_is_entered_once(project, tmp_path):
    boards = project.seeds / "boards.csv"
    before = boards.read_text()
    import_choice(project, write(tmp_path / "a.jsonl", call(0)), entrant("a"))
    import_choice(project, write(tmp_path / "b.jsonl", call(0, predicted="mid")), entrant("b"))
    assert boards.read_text() == before + f"{SUITE},choice-v1\n"


def test_a_second_system_adds_only_its_run(project, tmp_path):
    import_choice(project, write(tmp_path / "a.jsonl", call(0), call(1)), entrant("a"))
    freezes = (project.seeds / "freezes.csv").read_bytes()
    second = write(tmp_path / "b.jsonl", call(1, predicted="mid"), call(0))
    run_id = import_choice(project, second, entrant("b"))
    assert {line.table_name for line in read_register(project) if line.run_id == run_id} == {
        "runs", "systems", "observations", "calls", "probabilities", "requests"
    }  # fmt: skip
    assert len(rows(project, "items")) == 2
    assert (project.seeds / "freezes.csv").read_bytes() == freezes


def test_a_newer_run_of_a_system_replaces_the_earlier(project, tmp_path):
    first = import_choice(project, write(tmp_path / "a.jsonl", call(0)), entrant())
    second = import_choice(project, write(tmp_path / "b.jsonl", call(0, latency_s=0.5)), entrant())
    (system,) = rows(project, "systems", second)
    assert system["supersedes_run_id"] == first


OTHER_SUITES = {
    "gold": (call(0), call(1, gold="mid")),
    "labels in another order": (call(0), call(1, labels=["alpha", "zeta", "mid"])),
    "tier": (call(0), call(1, tier="hard")),
    "another task": (call(0), call(2)),
    "a task more": (call(0), call(1), call(2)),
    "a task fewer": (call(0),),
}


@pytest.mark.parametrize("calls", OTHER_SUITES.values(), ids=OTHER_SUITES)
def test_other_content_under_the_same_name_is_refused(project, tmp_path, calls):
    import_choice(project, write(tmp_path / "a.jsonl", call(0), call(1)), entrant("a"))
    before = state(project)
    with pytest.raises(Refused, match=r"b\.jsonl"):
        import_choice(project, write(tmp_path / "b.jsonl", *calls), entrant("b"))
    assert state(project) == before


def test_a_suite_frozen_otherwise_is_refused_before_anything_lands(project, tmp_path):
    before = state(project)
    with pytest.raises(Refused, match="suite specimen-v1 is frozen otherwise"):
        import_choice(
            project,
            write(tmp_path / "c.jsonl", call(0)),
            Entrant("specimen-v1", "sys", "Sys", "demo", "choice-v1"),
        )
    assert state(project) == before


def test_a_suite_of_published_results_is_refused(project, tmp_path):
    file = write(tmp_path / "c.jsonl", call(0))
    import_published(project, write_published(tmp_path / "p.csv", ROW), "board-v9")
    before = state(project)
    for suite in ("image-v0.1", "board-v9"):
        with pytest.raises(Refused, match=rf"--suite: suite {suite} is one that others published results of"):
            import_choice(project, file, Entrant(suite, "sys", "Sys", "demo", "choice-v1"))
    assert state(project) == before


BAD_ENTRANTS = {
    "suite": ["", "my suite", "../x", ".", "s" * 121],
    "system": ["", "my system", "a/b", "o'b\"x", "système", "s" * 300],
    "display_name": ["a\nb", "\x1b[31m", "\udcff", "n" * 201],
}


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, values in BAD_ENTRANTS.items() for v in values])
def test_a_bad_name_is_refused_before_anything_lands(project, tmp_path, field, value):
    before = state(project)
    file = write(tmp_path / "c.jsonl", call(0))
    with pytest.raises(Refused, match=f"^field --{field.replace('_', '-')}: ") as refusal:
        import_choice(project, file, replace(entrant(), **{field: value}))
    assert len(str(refusal.value).splitlines()) == 1 and len(str(refusal.value)) < 200
    assert state(project) == before


def test_names_too_long_together(project, tmp_path):
    before = state(project)
    file = write(tmp_path / "c.jsonl", call(0))
    with pytest.raises(Refused, match="too long together"):
        import_choice(project, file, Entrant("s" * 60, "t" * 60, "T", "demo", "choice-v1"))
    assert state(project) == before
    assert import_choice(project, file, Entrant("s" * 50, "t" * 49, "T", "demo", "choice-v1"))


BAD_LINES = {
    "truncated": (json.dumps(call(1))[:60], "row 2: truncated or not JSON"),
    "not an object": ("[1]", "row 2: not a JSON object"),
    "blank": ("\n" + json.dumps(call(1)), "row 2: truncated"),
    "deep": (
        json.dumps(call(1))[:-1] + ', "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "row 2: nested too deeply",
    ),
    "task of half a character": (json.dumps(call(1, task_id="\ud800")), "row 2, field task_id"),
    "long task": (json.dumps(call(1, task_id="t" * 201)), "row 2, field task_id"),
    "group a number": (json.dumps(call(1, group=5)), "row 2, field group"),
    "group a list": (json.dumps(call(1, group=["a"])), "row 2, field group"),
    "tier of every tier": (json.dumps(call(1, tier="all")), "row 2, field tier"),
    "label of half a character": (json.dumps(call(1, labels=["alpha", "\ud800"])), "row 2, field labels"),
    "answer of half a character": (json.dumps(call(1, predicted="\ud800")), "row 2, field predicted"),
    "option of half a character": (json.dumps(call(1, probs={"\ud800": 1})), "row 2, field probs"),
    "probability": (json.dumps(call(1, probs={"zeta": 10**400})), "row 2, field probs: a number too large"),
    "long latency": (json.dumps(call(1, latency_s=10**400)), "row 2, field latency_s"),
    "latency beyond milliseconds": (json.dumps(call(1, latency_s=1e308)), "row 2, field latency_s"),
    "many tokens": (json.dumps(call(1, usage={"input_tokens": 10**30})), "row 2, field usage.input_tokens"),
    "cost basis": (json.dumps(call(1, cost_basis=["a"])), "row 2, field cost_basis"),
    "no task": (json.dumps(call(1, task_id="")), "row 2, field task_id"),
    "task twice": (json.dumps(call(0)), "row 2, field task_id: a second line of this task, after row 1"),
    "tier": (json.dumps(call(1, tier=3)), "row 2, field tier"),
    "labels": (json.dumps(call(1, labels=["a", "a"])), "row 2, field labels"),
    "one label": (json.dumps(call(1, labels=["alpha"])), "row 2, field labels"),
    "sealed": (json.dumps(call(1, split="sealed")), "row 2, field split: not public"),
    "gold": (json.dumps(call(1, gold="omega")), "row 2, field gold"),
    "status": (json.dumps(call(1, status="fine")), "row 2, field status"),
    "answer": (json.dumps(call(1, predicted=7)), "row 2, field predicted"),
    "probs": (json.dumps(call(1, probs=[0.5])), "row 2, field probs"),
    "latency": (json.dumps(call(1, latency_s=-1)), "row 2, field latency_s"),
    "no latency": (json.dumps(call(1, latency_s=None)), "row 2, field latency_s: absent"),
    "latency NaN": (json.dumps(call(1, latency_s=float("nan"))), "row 2, field latency_s"),
    "tokens": (json.dumps(call(1, usage={"input_tokens": 1.5})), "row 2, field usage.input_tokens"),
    "cost": (json.dumps(call(1, cost_usd="free")), "row 2, field cost_usd"),
    "two models": (json.dumps(call(1, model="org/model-2")), "row 2, field model"),
}


@pytest.mark.parametrize(("line", "words"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_malformed_line_is_named(project, tmp_path, line, words):
    file = tmp_path / "c.jsonl"
    file.write_text(json.dumps(call(0)) + "\n" + line + "\n")
    before = state(project)
    with pytest.raises(Refused) as refusal:
        import_choice(project, file, entrant())
    assert words in str(refusal.value) and "c.jsonl" in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1 and len(str(refusal.value)) < 400
    assert state(project) == before


def test_blank_lines_at_the_end_are_no_lines(project, tmp_path):
    file = write(tmp_path / "c.jsonl", call(0), call(1, predicted="a\u2028b"))
    file.write_text(file.read_text().replace("\\u2028", "\u2028") + "\n \r\n\n", encoding="utf-8-sig")
    import_choice(project, file, entrant())
    assert [c["answer"] for c in rows(project, "calls")] == ["alpha", "a\u2028b"]


@pytest.mark.parametrize(
    ("encode", "words"),
    [
        (lambda text: text.encode("utf-16"), "looks like UTF-16"),
        (lambda text: text.encode("utf-16-le"), "looks like UTF-16"),
        (lambda text: text.replace("zeta", "zêta").encode("latin-1"), "looks like Latin-1"),
        (lambda text: gzip.compress(text.encode()), "binary"),
    ],
)
def test_another_encoding_is_named(project, tmp_path, encode, words):
    file = write(tmp_path / "c.jsonl", call(0))
    file.write_bytes(encode(file.read_text()))
    before = state(project)
    with pytest.raises(Refused, match=rf"c\.jsonl: is not UTF-8 but {words}"):
        import_choice(project, file, entrant())
    assert state(project) == before


def test_refusals_of_the_command(project, tmp_path):
    file = str(write(tmp_path / "c.jsonl", call(0)))
    for arguments, words in (
        (["--method", "choice-v9"], "unknown method choice-v9"),
        (["--endpoint-kind", "orbital"], "unknown endpoint kind orbital"),
        (["--system", "my system"], "field --system: cannot be a key"),
    ):
        command = ["jevhouse", "ingest", "choice", file, "--suite", SUITE, "--system", "s", *arguments]
        done = run(project, *command, check=False)
        assert done.returncode == 1 and done.stdout == ""
        assert len(done.stderr.splitlines()) == 1 and words in done.stderr
    assert read_register(project) == []
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(Refused, match=r"empty\.jsonl: holds no line"):
        import_choice(project, tmp_path / "empty.jsonl", entrant())


@needs_shared
def test_the_real_calls(project):
    """Accuracy and quantiles by tier, straight from the landed Parquet, against what the author published."""
    command = ["ingest", "choice", str(DE_1), "--suite", "choice-de-1", "--system", "de_1"]
    first = run(project, "jevhouse", *command)
    assert first.stdout.startswith("landed as choice.choice-de-1.de_1.")
    again = run(project, "jevhouse", *command)
    assert again.stdout == "de-1-public.jsonl has landed already: nothing to do\n"
    expected = json.loads((SHARED / "evidence" / "choice" / "de-1-expected.json").read_text())["tiers"]
    place = {
        name: f"'{project.warehouse / TABLES[name].folder}/*.parquet'"
        for name in ("calls", "items", "requests")
    }
    with duckdb.connect() as connection:
        found = connection.execute(
            f"""
            SELECT track, COUNT(*), COUNT(*) FILTER (answer = gold),
              QUANTILE_CONT(wall_ms, 0.5) / 1000, QUANTILE_CONT(wall_ms, 0.95) / 1000, AVG(input_tokens)
            FROM {place["calls"]} INNER JOIN {place["items"]} USING (suite, item_id)
            INNER JOIN (SELECT observation_id, input_tokens FROM {place["requests"]}) USING (observation_id)
            GROUP BY track
            """
        ).fetchall()
        (unknown,) = connection.execute(
            f"SELECT COUNT(*) FROM {place['items']} WHERE gold IS NULL"
        ).fetchone()
    assert unknown == 26
    assert {row[0] for row in found} == set(expected)
    for tier, count, correct, p50_s, p95_s, tokens in found:
        assert (count, correct) == (expected[tier]["n"], expected[tier]["correct"])
        assert p50_s == pytest.approx(expected[tier]["p50_s"], rel=1e-9)
        assert p95_s == pytest.approx(expected[tier]["p95_s"], rel=1e-9)
        assert tokens == pytest.approx(expected[tier]["mean_input_tokens"], abs=0.006)
