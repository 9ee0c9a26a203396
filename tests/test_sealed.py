"""Nothing sealed leaves: in exports, charts, queries and refusals, nor by what follows from them."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime, timedelta
from itertools import combinations

import numpy as np
import pyarrow.parquet as pq
import pytest

from ingest.errors import Refused
from ingest.exposures import add_exposures
from ingest.freeze import FrozenItem, freeze_rows, write_freeze
from ingest.suites import import_suite, landed_items
from reports.comparable import comparable
from reports.warehouse import run_sql
from tests.imagesuite import land_rows
from tests.support import make_project, plan, query, run

SUITE = "guarded-v1"
LEAST = 5  # suppress_below_items of the method
# track, family: public and sealed items. On core, lone has 1 sealed item; photo is a track of 3.
CELLS = {
    ("core", "alpha"): (12, 12), ("core", "beta"): (0, 8), ("core", "lone"): (0, 1), ("core", "pair"): (0, 3),
    ("core", "gamma"): (0, 20), ("photo", "snap"): (4, 3), ("maps", "map"): (3, 6),
}  # fmt: skip
SECRET = "zq7x"  # stands in every question, option and gold of a sealed item
SYSTEMS = ("steady", "shaky")


def names() -> list[tuple[str, str, str, str]]:
    return [
        (f"{part[0]}-{family}-{n}", track, family, part)
        for (track, family), counts in CELLS.items()
        for part, count in zip(("public", "sealed"), counts, strict=True)
        for n in range(count)
    ]


def run_of(system: str, started_at: datetime) -> dict:
    """Steady is wrong on every seventh item; shaky fails in several ways and is of every confidence."""
    run_id = f"run-{system}"
    rows = {name: [] for name in ("observations", "calls", "probabilities", "requests")}
    rows["runs"] = [{
        "run_id": run_id, "suite": SUITE, "started_at": started_at, "status": "complete", "scope": "decision",
        "concurrency": 1, "repeats": 1, "warmups": 0, "condition": "test", "dependent_sample": False,
        "matrix_recorded": True, "raw_truncated": False, "events_truncated": False,
    }]  # fmt: skip
    rows["systems"] = [{"run_id": run_id, "suite": SUITE, "system": system, "display_name": system.title(),
                        "endpoint_kind": "hosted", "probability_kind": "categorical"}]  # fmt: skip
    for n, (item, *_) in enumerate(names(), 1):
        key = {"run_id": run_id, "observation_id": f"m:{item}"}
        common = key | {"suite": SUITE, "system": system, "item_id": item, "repeat": 0, "phase": "measured"}
        wrong = n % 7 == 0 or (system == "shaky" and n % 3 == 0)
        answer = f"{SECRET} b {item}" if wrong else f"{SECRET} a {item}"
        failed = system == "shaky" and n % 11 == 0
        rows["observations"].append(common | {"sequence": n})
        rows["calls"].append(common | {
            "terminal_sequence": 1, "status": "error" if failed else "ok", "wall_ms": 90.0 + n,
            "answer": None if failed else answer, "error_type": "timeout" if failed else None,
            "truncated": system == "shaky" and n % 13 == 0,
            "started_at": started_at + timedelta(milliseconds=n), "dispatched": True,
        })  # fmt: skip
        sure = 0.55 + 0.04 * (n % 11) if system == "shaky" else 0.9
        if not failed:
            for o in "ab":
                share = sure if wrong == (o == "b") else 1 - sure
                rows["probabilities"].append(key | {"option": f"{SECRET} {o} {item}", "probability": share})
        rows["requests"].append(key | {
            "request_sequence": 1, "purpose": "decision", "provider": "p", "attempt": 1, "status": "ok",
            "request_id": f"{run_id}-{item}", "billed_cost_usd": 1e-5, "cost_status": "reported",
        })  # fmt: skip
    return rows


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    root = tmp_path_factory.mktemp("guarded")
    project = make_project(root / "project")
    records = [
        {"item_id": item, "track": track, "family": family, "difficulty": "easy",
         "question": f"{SECRET} question {item}?", "options": [f"{SECRET} a {item}", f"{SECRET} b {item}"],
         "gold": f"{SECRET} a {item}"}
        for item, track, family, _ in names()
    ]  # fmt: skip
    file = root / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    import_suite(project, file, SUITE)
    seen = {"kind": "shown_publicly", "place": "a page", "seen_at": "2026-01-01T00:00:00Z"}
    public = [seen | {"item_id": item} for item, *_, part in names() if part == "public"]
    add_exposures(project, SUITE, public, "exposures")
    contents = {name: item.row["content_sha256"] for name, item in landed_items(project, SUITE).items()}
    frozen_at = datetime.now(UTC).replace(tzinfo=None, microsecond=0) - timedelta(hours=1)
    write_freeze(project, freeze_rows(SUITE, [
        FrozenItem(item, part, track, family, "easy", contents[item]) for item, track, family, part in names()
    ], frozen_at))  # fmt: skip
    with (project.seeds / "boards.csv").open("a") as boards:
        boards.write(f"{SUITE},image-v0.1\n")
    with (project.seeds / "disclosures.csv").open("a") as disclosures:
        disclosures.write(f"{SUITE},shaky,setting,Low effort\n")
        disclosures.write(f"{SUITE},shaky,api_saw_sealed,Label checks without gold\n")
    for system in SYSTEMS:
        land_rows(project, run_of(system, frozen_at + timedelta(minutes=5)))
    plan(project)
    run(project, "jevhouse", "audit", "--docs")
    return project


def rows(project, table: str, where: str = "TRUE") -> list[dict]:
    return query(project, f"FROM {table} WHERE suite = '{SUITE}' AND {where}")


def test_small_tracks_and_families_are_withheld(guarded):
    board = {(r["track"], r["system"]): r for r in rows(guarded, "board.leaderboard")}
    for system in SYSTEMS:
        for track in ("photo", "maps"):  # maps is the cover of photo: all less core less maps would be photo
            row = board[track, system]
            assert row["suppressed"] and not row["ranked"] and row["unranked_reason"].startswith("withheld")
            for figure in ("sealed_correct", "sealed_ece", "sealed_probability_coverage", "overall_gap_pp",
                           "matched_gap_pp", "overfit_factor", "intelligence", "calibration", "composite",
                           "gate_intelligence", "rank"):  # fmt: skip
                assert row[figure] is None, figure
            assert row["public_correct"] is not None and row["speed"] is not None
        for track in ("all", "core"):
            row = board[track, system]
            assert row["ranked"] and not row["suppressed"] and row["sealed_correct"] is not None
    families = rows(guarded, "board.families", "sealed_n IS NOT NULL")
    assert {(f["track"], f["family"], f["sealed_n"]) for f in families} == {
        ("all", "alpha", 12), ("core", "alpha", 12), ("all", "gamma", 20), ("core", "gamma", 20)
    }  # fmt: skip
    assert all(f["gap_pp"] is None for f in rows(guarded, "board.families", "suppressed"))
    parts = {(p["track"], p["part"]): p for p in rows(guarded, "board.parts")}
    assert parts["photo", "sealed"]["chance_rate"] is None and parts["core", "sealed"]["chance_rate"] == 0.5
    mix = rows(guarded, "board.composition", "part = 'sealed' AND NOT suppressed")
    assert all(m["item_count"] >= LEAST for m in mix)


def test_published_equations_determine_no_small_sum(guarded):
    """An attacker solves all linear relations between the published counts of right sealed answers.

    Unknown: right answers of every track and family. Known: each figure that a board table shows, the matched
    gap included. A set of cells with fewer than five items must not have a determined sum.
    """
    cells = [cell for cell, (_, sealed) in CELLS.items() if sealed]
    place = {cell: n for n, cell in enumerate(cells)}
    for system in SYSTEMS:
        known = []
        for row in rows(guarded, "board.leaderboard", f"system = '{system}'"):
            inside = [c for c in cells if row["track"] in ("all", c[0])]
            if row["sealed_correct"] is not None:
                known.append(inside)
            if row["matched_gap_pp"] is not None:
                known.append([("core", "alpha")])  # the one matched family
        for row in rows(guarded, "board.families", f"system = '{system}' AND sealed_correct IS NOT NULL"):
            known.append([c for c in cells if c[1] == row["family"] and row["track"] in ("all", c[0])])
        matrix = np.zeros((len(known), len(cells)))
        for n, inside in enumerate(known):
            for cell in inside:
                matrix[n, place[cell]] = 1
        rank = np.linalg.matrix_rank(matrix)
        for size in range(1, len(cells) + 1):
            for chosen in combinations(cells, size):
                if sum(CELLS[cell][1] for cell in chosen) < LEAST:
                    asked = np.zeros(len(cells))
                    asked[[place[cell] for cell in chosen]] = 1
                    assert np.linalg.matrix_rank(np.vstack([matrix, asked])) > rank, chosen


@pytest.mark.parametrize(
    ("table", "cell", "count", "other"),
    [("outcomes", "outcome", "item_count", "outcomes.outcome_counts"),
     ("reliability", "bin", "answer_count", "measures.reliability_bins")],
)  # fmt: skip
def test_small_states_and_bins_hide_each_other(guarded, table, cell, count, other):
    for system in SYSTEMS:
        shown = rows(guarded, f"board.{table}", f"system = '{system}' AND part = 'sealed'")
        true = rows(guarded, other, f"system = '{system}' AND part = 'sealed'")
        assert {(r["track"], r[cell]) for r in shown} == {(r["track"], r[cell]) for r in true}
        size = {(r["track"], r[cell]): r[count] for r in true}
        for row in shown:
            if not row["suppressed"]:
                assert row[count] == size[row["track"], row[cell]] >= LEAST
                assert row["track"] not in ("photo", "maps")
            elif table == "reliability":
                assert row[count] is row["accuracy"] is row["mean_confidence"] is None
        for track in ("all", "core"):
            # Right answers stand on the leaderboard; what is left of the part is none or enough items,
            # unless nothing but right answers is left to hide it.
            others = [r for r in shown if r["track"] == track and r[cell] != "correct"]
            hidden = [r[cell] for r in others if r[count] is None]
            left = sum(size[track, name] for name in hidden)
            assert left == 0 or left >= LEAST or len(hidden) == len(others)
    if table == "outcomes":
        assert any(r["suppressed"] for r in rows(guarded, "board.outcomes", "outcome = 'timeout'"))


def exported(project, tmp_path) -> dict[str, bytes]:
    """Everything that leaves: exports in every format, page, charts, Data Docs, audits, logs, derivations."""
    texts = {}
    for form in ("csv", "json", "md", "table", "parquet"):
        out = tmp_path / f"board.{form}"
        command = ("jevhouse", "export", "leaderboard", "--suite", SUITE, "--format", form)
        run(project, *command, "--out", str(out))
    run(project, "jevhouse", "export", "site", "--out", str(tmp_path / "site"))
    run(project, "jevhouse", "export", "charts", "--suite", SUITE, "--out", str(tmp_path / "charts"))
    for folder in (tmp_path, project.root / "out", project.warehouse / "audits", project.root / "logs"):
        texts |= {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for path in tmp_path.rglob("*.parquet"):  # its pages are compressed
        texts[f"{path} rows"] = str(pq.read_table(path).to_pylist()).encode()
    for track in ("all", "photo"):
        for form in ((), ("--json",)):
            done = run(project, "jevhouse", "explain", SUITE, "shaky", "--track", track, *form)
            texts[f"explain {track} {form}"] = done.stdout.encode()
    return texts


def test_no_export_holds_an_item(guarded, tmp_path):
    texts = exported(guarded, tmp_path)
    assert len(texts) > 20 and any("index.html" in name for name in texts)
    contents = [item.row["content_sha256"] for item in landed_items(guarded, SUITE).values()]
    for name, data in texts.items():
        assert SECRET.encode() not in data, name
        assert not any(content.encode() in data for content in contents), name
        assert b"s-lone-0" not in data or "/audits/" in name, name
    metadata = pq.read_schema(tmp_path / "board.parquet").metadata or {}
    assert not any(key in metadata for key in (b"table", b"meaning"))
    for field in pq.read_schema(tmp_path / "board.parquet"):
        assert not field.metadata or b"allowed" not in field.metadata
    # A withheld figure is in no derivation either.
    text = texts["explain photo ('--json',)"].decode()
    photo = "track = 'photo' AND system = 'shaky'"
    (true,) = rows(guarded, "measures.part_ingredients", f"{photo} AND part = 'sealed'")
    (axes,) = rows(guarded, "axes.intelligence", photo)
    assert "withheld" in text
    for figure in (true["ece"], axes["sealed_score"], axes["base"]):
        assert figure is None or str(figure) not in text
    # Disclosures travel with the board.
    for form in ("csv", "json", "md"):
        assert b"Label checks without gold" in texts[str(tmp_path / f"board.{form}")]


SEALED_STORE = "warehouse/sealed/items/*.parquet"
ATTACKS = [
    f"FROM read_parquet('{SEALED_STORE}')", f"FROM parquet_scan('{SEALED_STORE}')", f"FROM '{SEALED_STORE}'",
    f"FROM parquet_metadata('{SEALED_STORE}')", f"FROM parquet_schema('{SEALED_STORE}')",
    f"FROM parquet_kv_metadata('{SEALED_STORE}')", f"FROM read_text('{SEALED_STORE}')",
    f"FROM read_blob('{SEALED_STORE}')", "FROM glob('warehouse/**')", "FROM read_csv('seeds/evidence.csv')",
    "FROM read_json('warehouse/audits/*.json')", "FROM 'seeds/methods.csv'",
    "FROM sniff_csv('seeds/evidence.csv')",
    "ATTACH 'warehouse/jevhouse.duckdb' AS w",
    "ATTACH 'warehouse/jevhouse.duckdb' AS w; FROM w.staging.items",
    "COPY (FROM board.leaderboard) TO 'stolen.csv'", "EXPORT DATABASE 'stolen'",
    "INSTALL httpfs", "LOAD httpfs",
    "SET enable_external_access = true", "RESET lock_configuration", "PRAGMA enable_profiling",
    "CREATE TABLE t AS FROM board.leaderboard",
    "CREATE MACRO m() AS TABLE FROM read_text('seeds/methods.csv')",
    "FROM staging.items", "FROM evidence.items", "FROM outcomes.item_outcomes", "FROM splits.board_items",
    "FROM measures.family_accuracy", "FROM sqlmesh__outcomes.outcomes__item_outcomes__1",
    "SELECT 1; FROM read_text('seeds/methods.csv')", "SELECT getenv('HOME')", "CALL pragma_database_size()",
    "SELECT * FROM query('FROM staging.items')", "SELECT * FROM query_table('staging.items')",
    f"EXPLAIN ANALYZE SELECT * FROM read_parquet('{SEALED_STORE}')", "FROM duckdb_secrets(which := 'x')",
    "UPDATE board.leaderboard SET rank = 1", "DELETE FROM board.leaderboard", "VACUUM", "CHECKPOINT",
    "WITH x AS MATERIALIZED (FROM read_text('warehouse/sealed/**')) FROM x",
]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_reader_gets_nothing_but_published_tables(guarded, monkeypatch, attack):
    monkeypatch.chdir(guarded.root)
    before = sorted(p for p in guarded.root.rglob("*") if "warehouse" not in p.parts)
    with pytest.raises(Refused) as refused:
        run_sql(guarded, attack, maintainer=False)
    assert "\n" not in str(refused.value) and SECRET not in str(refused.value)
    assert sorted(p for p in guarded.root.rglob("*") if "warehouse" not in p.parts) == before


def test_what_a_reader_can_read_is_free_of_items_and_small_figures(guarded):
    tables = run_sql(
        guarded, "SELECT table_schema, table_name FROM information_schema.tables", maintainer=False
    ).to_pylist()
    assert {t["table_schema"] for t in tables} == {"board", "axes", "frozen"}
    contents = {item.row["content_sha256"] for item in landed_items(guarded, SUITE).values()}
    for table in tables:
        name = f'"{table["table_schema"]}"."{table["table_name"]}"'
        data = run_sql(guarded, f"FROM {name}", maintainer=False)
        text = str(data.to_pylist())
        assert SECRET not in text and not any(content in text for content in contents)
        assert "item_id" not in data.column_names and "observation_id" not in data.column_names
        if table["table_schema"] == "axes":
            hidden = [r for r in data.to_pylist() if r["suite"] == SUITE and r["track"] in ("photo", "maps")]
            assert not hidden, name
    access = "SELECT value FROM duckdb_settings() WHERE name = 'enable_external_access'"
    settings = run_sql(guarded, access, maintainer=False)
    assert settings.to_pylist() == [{"value": "false"}]
    paths = run_sql(guarded, "SELECT path FROM duckdb_databases()", maintainer=False).to_pylist()
    assert {row["path"] for row in paths} == {None}


def test_a_maintainers_error_shows_no_value(guarded):
    """A cast that fails names the value it failed on; the line must not."""
    for failing in ("CAST(question AS INTEGER)", "error(gold)"):
        with pytest.raises(Refused) as refused:
            run_sql(guarded, f"SELECT {failing} FROM staging.items", maintainer=True)
        assert SECRET not in str(refused.value)


def test_the_sealed_store_is_the_owners_alone(guarded):
    for folder in (guarded.warehouse / "sealed", *(guarded.warehouse / "sealed").glob("**/")):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for line in guarded.register.read_text().splitlines()[1:]:
        table, path = line.split(",")[:2]
        assert path.startswith("sealed/") == (table in ("items", "item_options")), path


def test_rows_compare_only_on_one_freeze_and_method(guarded):
    steady, shaky = rows(guarded, "board.leaderboard", "track = 'all'")
    assert comparable(steady, shaky) is None
    (core,) = rows(guarded, "board.leaderboard", "track = 'core' AND system = 'steady'")
    assert "tracks" in comparable(steady, core)
    for column, said in (("freeze_fingerprint", "freezes"), ("method_fingerprint", "parameters"),
                         ("suite", "suites"), ("method", "methods")):  # fmt: skip
        assert said in comparable(steady, shaky | {column: "other"})
    assert "not frozen" in comparable(steady, shaky | {"freeze_fingerprint": None})


def test_runs_that_do_not_join_are_named_with_the_field(guarded, tmp_path):
    """The plan is stopped, and the audit of the landed evidence says what differs. Last: it spoils all."""
    later = run_of("steady", datetime.now(UTC).replace(tzinfo=None))
    for table in later.values():
        for row in table:
            row["run_id"] = "run-steady-fresh"
    later["systems"][0] |= {"model_revision": "newer", "prompt_sha256": "f00"}
    land_rows(guarded, {name: later[name] for name in ("runs", "systems")})
    done = plan(guarded, check=False)
    assert done.returncode != 0 and "one_pinning_per_system" in done.stdout + done.stderr
    audited = run(guarded, "jevhouse", "audit", "--suite", "outcomes", check=False)
    record = json.loads(sorted((guarded.warehouse / "audits").glob("*.json"))[-1].read_text())
    failed = {e["expectation"]: e for e in record["expectations"] if not e["success"]}
    assert audited.returncode == 1
    assert failed["runs_of_one_system_join"]["first"] == [{
        "key": f"{SUITE} steady", "expected": "equal in every current run",
        "found": "model_revision, prompt_sha256 of run-steady, run-steady-fresh",
    }]  # fmt: skip
    assert "joined_runs_say_what_they_pinned" in failed
