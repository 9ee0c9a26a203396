"""Exports and the SQL command, on a small sound project, as a user calls them."""

from __future__ import annotations

import csv
import io
import json
import os
import struct
import subprocess

import duckdb
import pyarrow.parquet as pq
import pytest

from tests.imagesuite import freeze, land_rows, run_of, suite_facts
from tests.support import make_project, plan, query, run

# The order that consumers rely on; additions go to the end of a group on purpose only.
COLUMNS = [
    "method",
    "suite",
    "track",
    "system",
    "display_name",
    "endpoint_kind",
    "probability_kind",
    "evidence_level",
    "ranked",
    "rank",
    "unranked_reason",
    "composite",
    "intelligence",
    "calibration",
    "speed",
    "cost",
    "gate_intelligence",
    "gate_speed",
    "gate_cost",
    "matched_gap_pp",
    "overfit_factor",
    "public_correct",
    "public_n",
    "sealed_correct",
    "sealed_n",
    "overall_gap_pp",
    "public_ece",
    "sealed_ece",
    "public_probability_coverage",
    "sealed_probability_coverage",
    "latency_samples",
    "p50_s",
    "p95_s",
    "adjusted_p50_s",
    "adjusted_p95_s",
    "usd_per_1000",
    "receipt_coverage",
    "cost_source",
    "evidence_fingerprint",
    "freeze_fingerprint",
    "method_fingerprint",
    "suppressed",
    "disclosures",
]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("reports") / "project")
    freeze(project)
    land_rows(project, suite_facts())
    rows = run_of()
    for request in rows["requests"]:
        request |= {"model": "listed-later", "input_tokens": 100, "output_tokens": 0}
    land_rows(project, rows)
    rows = run_of(system="un|priced", run_id="run-2", display_name="Un|priced [x]")
    rows.pop("requests")
    rows["calls"][3] |= {"answer": "c"}
    land_rows(project, rows)
    plan(project)
    run(project, "jevhouse", "audit")
    return project


def export(project, *options: str) -> str:
    return run(project, "jevhouse", "export", "leaderboard", *options).stdout


def test_column_order_is_stable(project):
    assert next(csv.reader(io.StringIO(export(project, "--format", "csv")))) == COLUMNS


def test_data_formats_carry_every_bit(project, tmp_path):
    warehouse = query(project, "FROM board.leaderboard ORDER BY track, system")
    key = lambda row: (row["track"], row["system"])  # noqa: E731
    as_json = sorted(json.loads(export(project, "--format", "json")), key=key)
    assert as_json == warehouse
    path = tmp_path / "new" / "board.parquet"
    export(project, "--format", "parquet", "--out", str(path))
    assert sorted(pq.read_table(path).to_pylist(), key=key) == warehouse
    from_csv = duckdb.sql(
        f"FROM '{_written(tmp_path, export(project, '--format', 'csv'))}' ORDER BY track, system"
    )
    assert [r[11] for r in from_csv.fetchall()] == [r["composite"] for r in warehouse]


def _written(folder, text: str):
    path = folder / "board.csv"
    path.write_text(text)
    return path


def test_tables_for_people(project):
    table = export(project, "--track", "core")
    assert "tiny-v1 · track core · method image-v0.1" in table and "track all" not in table
    assert all(word in table for word in ("Un|priced", "[x]", "unknown", "n/a"))
    narrow = run(project, "jevhouse", "export", "leaderboard", "--track", "core", COLUMNS="80").stdout
    assert max(len(line) for line in narrow.splitlines()) <= 80 and "Sys" in narrow
    markdown = export(project, "--format", "md", "--track", "core").splitlines()
    assert markdown[0].startswith("### ") and "Un\\|priced" in markdown[-3]
    assert all(line.replace("\\|", "").count("|") == 17 for line in markdown[2:-2])
    assert "is not ranked: no price or receipt" in markdown[-1]


def test_filters_that_match_nothing_are_one_line(project):
    done = run(project, "jevhouse", "export", "leaderboard", "--track", "nope", check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "track nope" in done.stderr
    assert done.stdout == ""


def test_charts_as_svg_and_png(project, tmp_path):
    run(project, "jevhouse", "export", "charts", "--suite", "tiny-v1", "--out", str(tmp_path))
    names = {"axes", "public-sealed", "cost-intelligence", "latency", "reliability", "sensitivity"}
    assert {p.name for p in tmp_path.iterdir()} == {f"{n}.{form}" for n in names for form in ("svg", "png")}
    for name in ("axes", "public-sealed", "latency", "reliability"):
        assert "Un|priced" in (tmp_path / f"{name}.svg").read_text(), name
    # What has no price is not drawn at a cost of zero, and not ranked under any variant.
    for name in ("cost-intelligence", "sensitivity"):
        assert "Un|priced" not in (tmp_path / f"{name}.svg").read_text(), name
    png = (tmp_path / "axes.png").read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG") and width > 1000 and height > 100


def test_out_may_be_a_pipe_or_a_link_and_says_where_it_wrote(project, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        export(project, "--format", "csv", "--out", str(pipe))
        assert reader.communicate(timeout=60)[0].startswith("method,suite,track") and pipe.is_fifo()
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    said = export(project, "--format", "csv", "--out", str(tmp_path / "link.csv"))
    assert "link.csv" in said and (tmp_path / "link.csv").is_symlink() and (tmp_path / "target.csv").exists()


@pytest.mark.parametrize("out", ["/proc/no/board.csv", "seeds/methods.csv/board.csv", "x" * 300, "."])
def test_impossible_out_is_one_line(project, out):
    done = run(project, "jevhouse", "export", "leaderboard", "--format", "csv", "--out", out, check=False)
    assert done.returncode == 1 and done.stderr.startswith("jevhouse: ") and done.stderr.count("\n") == 1


def explained(project, *options: str) -> dict:
    return json.loads(run(project, "jevhouse", "explain", "tiny-v1", "sys", "--json", *options).stdout)


def nodes(node: dict) -> list[dict]:
    return [node, *(below for part in node["made_of"] for below in nodes(part))]


def test_explanation_adds_up_and_is_the_warehouse(project):
    found = nodes(explained(project))
    by_name = {n["column"]: n for n in found}
    for node in found:
        schema, _, rest = node["column"].partition(".")
        if schema == "axes":
            table, column = rest.split(".")
            (row,) = query(
                project, f"SELECT {column} AS v FROM axes.{table} WHERE track = 'all' AND system = 'sys'"
            )
            assert row["v"] == node["value"] and node["formula"], node["column"]

    def value(column: str) -> float:
        return by_name[column]["value"]

    gates = [value(f"axes.composite.gate_{a}") for a in ("intelligence", "speed", "cost")]
    assert value("axes.composite.composite") == pytest.approx(
        value("axes.composite.harmonic_mean") * gates[0] * gates[1] * gates[2]
    )
    base = by_name["axes.intelligence.base"]
    scores = [n["value"] for n in base["made_of"]]
    weights = [base["parameters"][name] for name in ("public_weight", "sealed_weight")]
    assert base["value"] == pytest.approx(sum(s * w for s, w in zip(scores, weights, strict=True)))
    counts = {n["name"]: n["value"] for n in base["made_of"][0]["made_of"][0]["made_of"]}
    assert counts == {"correct_count": 11, "item_count": 12}
    files = {n["name"]: n["value"] for n in found if n["column"] == "board.evidence.sha256"}
    register = {r["path"]: r["sha256"] for r in query(project, "FROM frozen.evidence")}
    assert files and files.items() <= register.items()
    assert not any("item_id" in n["column"] or n["name"] in ("p00", "s00") for n in found)


def test_explanation_of_one_axis_and_of_nothing(project):
    (axis, evidence) = explained(project, "--axis", "cost")["made_of"]
    assert (axis["name"], evidence["name"]) == ("cost", "evidence_fingerprint")
    tree = run(project, "jevhouse", "explain", "tiny-v1", "sys", "--axis", "cost").stdout
    assert str(axis["value"]) in tree and "cost_reference_usd_per_1000 0.001" in tree
    done = run(project, "jevhouse", "explain", "tiny-v1", "nobody", check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "nobody" in done.stderr


def sql(project, statement: str, *options: str):
    return run(project, "jevhouse", "sql", statement, *options, check=False)


def test_sql_reads(project):
    done = sql(
        project,
        "SELECT system, rank FROM board.leaderboard WHERE track = 'all' ORDER BY system",
        "--format",
        "csv",
    )
    assert done.stdout == "system,rank\nsys,1\nun|priced,\n"
    assert json.loads(sql(project, "SELECT 1 AS one, NULL AS none", "--format", "json").stdout) == [
        {"one": 1, "none": None}
    ]
    table = sql(project, "DESCRIBE board.leaderboard")
    assert table.returncode == 0 and "evidence_fingerprint" in table.stdout
    counted = sql(
        project, "SELECT COUNT(*) AS n FROM outcomes.item_outcomes", "--format", "csv", "--role", "maintainer"
    )
    assert counted.stdout == "n\n52\n"


@pytest.mark.parametrize("role", ["reader", "maintainer"])
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM board.leaderboard",
        "CREATE TABLE t AS SELECT 1",
        "INSERT INTO frozen.boards VALUES ('a', 'b')",
        "COPY (SELECT 1) TO 'stolen.csv'",
        "ATTACH 'other.duckdb'",
        "SET memory_limit = '1GB'",
        "INSTALL httpfs",
        "SELECT 1; DROP TABLE t",
        "",
    ],
)
def test_sql_refuses_what_does_not_only_read(project, statement, role):
    before = project.database.read_bytes()
    done = sql(project, statement, "--role", role)
    assert done.returncode == 1 and done.stderr.startswith("jevhouse: ") and done.stderr.count("\n") == 1
    assert project.database.read_bytes() == before and not (project.root / "stolen.csv").exists()


def test_sql_errors_are_one_line(project):
    for statement in (
        "SELEC 1",
        "SELECT nothing FROM board.leaderboard",
        "FROM no.such_table",
        "SELECT 1 / 'a'",
    ):
        done = sql(project, statement)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_a_maintainer_reads_the_warehouse_and_no_other_file(project):
    assert sql(project, "SELECT COUNT(*) AS n FROM staging.calls", "--role", "maintainer").returncode == 0
    for statement in ("FROM read_text('/etc/hostname')", "FROM read_csv('seeds/methods.csv')"):
        done = sql(project, statement, "--role", "maintainer")
        assert done.returncode == 1 and "disabled" in done.stderr


def test_a_file_of_evidence_that_is_gone_is_named_as_such(project):
    (path,) = (project.warehouse / "evidence" / "requests").glob("run-1*")
    away = path.rename(path.with_suffix(".away"))
    try:
        done = sql(project, "FROM staging.requests", "--role", "maintainer")
    finally:
        away.rename(path)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "could not read a file" in done.stderr and "jevhouse audit" in done.stderr


def test_held_warehouse_is_one_line(project):
    with duckdb.connect(str(project.database)):
        for command in (["sql", "SELECT 1"], ["audit"], ["export", "leaderboard"]):
            done = run(project, "jevhouse", *command, check=False)
            assert done.returncode == 1 and "held by another process" in done.stderr


def test_commands_outside_and_before_a_warehouse_are_one_line(project, tmp_path):
    empty = make_project(tmp_path / "empty")
    for command in (["sql", "SELECT 1"], ["audit"], ["export", "leaderboard"]):
        done = run(empty, "jevhouse", *command, check=False)
        assert done.returncode == 1 and "run: sqlmesh plan" in done.stderr
    (tmp_path / "elsewhere").mkdir()
    outside = run(type(empty)(tmp_path / "elsewhere"), "jevhouse", "audit", check=False)
    assert outside.returncode == 1 and "not inside a jevhouse project" in outside.stderr


def test_method_change_in_an_environment_shows_who_would_move(project, tmp_path):
    run(project, "jevhouse", "export", "site", "--out", str(tmp_path / "before"))
    seed = project.seeds / "methods.csv"
    before = seed.read_text()
    # A reference ten times as dear: the unit cost of 0.01 earns 100 points instead of 70.
    line = "image-v0.1,cost_reference_usd_per_1000,,0.001,"
    assert line in before
    seed.write_text(before.replace(line, "image-v0.1,cost_reference_usd_per_1000,,0.01,"))
    try:
        run(project, "sqlmesh", "plan", "dev", "--auto-apply", "--no-prompts")
    finally:
        seed.write_text(before)
    shown = run(project, "jevhouse", "diff", "prod", "dev").stdout
    assert "cost_reference_usd_per_1000 0.001 → 0.01" in shown
    (row,) = [line for line in shown.splitlines() if "│ all " in line]
    assert "Sys" in row and "1 → 1" in row and "+30.00" in row and row.rstrip(" │").endswith("method")
    assert "no system moved" in run(project, "jevhouse", "diff", "prod", "prod").stdout
    kept = run(project, "jevhouse", "diff", "--evidence", str(tmp_path / "before"), str(tmp_path / "before"))
    assert "no system moved" in kept.stdout
    done = run(project, "jevhouse", "diff", "prod", "nowhere", check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "dev, prod" in done.stderr


def test_a_further_price_snapshot_is_a_variant_of_its_own(project):
    seed = project.seeds / "prices.csv"
    before = seed.read_text()
    # 100 tokens at 1 USD per million: 1e-4 USD a call, ten times what was billed, so 30 points of cost less.
    seed.write_text(
        before
        + "2027-01-01,listed-later,input,1,2027-01-01,0,,a page\n"
        + "2027-01-01,listed-later,output,2,2027-01-01,0,,a page\n"
    )
    try:
        run(project, "sqlmesh", "plan", "dearer", "--auto-apply", "--no-prompts")
    finally:
        seed.write_text(before)
    rows = query(
        project,
        "SELECT s.variant, s.rank, s.composite, i.cost, i.intelligence, i.calibration, i.speed, s.meaning "
        "FROM board__dearer.sensitivity AS s "
        "JOIN board__dearer.leaderboard AS i USING (suite, track, system) "
        "WHERE s.suite = 'tiny-v1' AND s.track = 'all' AND s.system = 'sys' "
        "AND (s.variant = 'as_scored' OR s.variant LIKE 'prices%')",
    )
    found = {row["variant"]: row for row in rows}
    assert set(found) == {"as_scored", "prices_2026-09-18", "prices_2027-01-01"}
    scored, dearer = found["as_scored"], found["prices_2027-01-01"]
    assert found["prices_2026-09-18"]["composite"] == pytest.approx(scored["composite"], abs=1e-9)
    assert scored["cost"] == pytest.approx(70) and scored["rank"] == 1
    rest = sum(0.25 / scored[axis] for axis in ("intelligence", "calibration", "speed"))
    assert scored["composite"] == pytest.approx(1 / (rest + 0.25 / 70))
    assert dearer["composite"] == pytest.approx((40 / 50) ** 2 / (rest + 0.25 / 40))
    assert "2027-01-01" in dearer["meaning"]


def test_boards_of_another_freeze_are_not_compared(project, tmp_path):
    for name in ("old", "new"):
        run(project, "jevhouse", "export", "site", "--out", str(tmp_path / name), "--unaudited")
    parts = tmp_path / "new" / "data" / "parts.parquet"
    duckdb.sql(
        f"COPY (SELECT * REPLACE (item_count + 1 AS item_count) FROM '{parts}') TO '{tmp_path}/p.parquet'"
    )
    (tmp_path / "p.parquet").replace(parts)
    folders = [str(tmp_path / name) for name in ("old", "new")]
    done = run(project, "jevhouse", "diff", "--evidence", *folders, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "another freeze" in done.stderr
