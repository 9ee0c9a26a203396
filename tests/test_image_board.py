"""The image method end to end: real landing, real plan, figures that others published."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from tests.support import SHARED, make_project, needs_shared, plan, query, run

PUBLISHED = SHARED / "evidence" / "image-board" / "published.csv"
CHOICE = SHARED / "evidence" / "choice"

COMPARED = {
    "score": "composite", "intelligence": "intelligence", "calibration": "calibration", "speed": "speed",
    "cost": "cost", "gate_i": "gate_intelligence", "gate_s": "gate_speed", "gate_c": "gate_cost",
    "matched_gap_pp": "matched_gap_pp", "penalty_multiplier": "overfit_factor",
    "adjusted_p50_s": "adjusted_p50_s", "adjusted_p95_s": "adjusted_p95_s",
}  # fmt: skip


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("published") / "project")
    run(project, "jevhouse", "ingest", "published", str(PUBLISHED))
    plan(project)
    return project


@needs_shared
def test_every_published_row_is_reproduced(published):
    board = {(r["system"], r["track"]): r for r in query(published, "FROM board.leaderboard")}
    with PUBLISHED.open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == len(board) == 105
    for row in rows:
        ours = board[row["key"], row["track"]]
        for theirs, name in COMPARED.items():
            assert ours[name] == pytest.approx(float(row[theirs]), rel=0, abs=1e-9), (
                row["key"],
                row["track"],
                name,
            )


@needs_shared
def test_published_order_is_kept_and_flagged(published):
    board = query(published, "FROM board.leaderboard WHERE track = 'all' ORDER BY rank")
    with PUBLISHED.open(newline="") as handle:
        theirs = sorted((r for r in csv.DictReader(handle) if r["rank"]), key=lambda r: int(r["rank"]))
    assert [r["system"] for r in board] == [r["key"] for r in theirs]
    assert {r["evidence_level"] for r in board} == {"published"}
    assert all(r["ranked"] and len(r["evidence_fingerprint"]) == 64 for r in board)


@needs_shared
def test_published_board_passes_its_audit_and_exports(published, tmp_path):
    audited = run(published, "jevhouse", "audit")
    assert "expectations hold" in audited.stdout
    run(
        published,
        "jevhouse",
        "export",
        "leaderboard",
        "--format",
        "csv",
        "--out",
        str(tmp_path / "board.csv"),
    )
    with (tmp_path / "board.csv").open(newline="") as handle:
        exported = {(r["system"], r["track"]): r for r in csv.DictReader(handle)}
    for row in query(published, "FROM board.leaderboard"):
        assert float(exported[row["system"], row["track"]]["composite"]) == row["composite"]


@pytest.fixture(scope="module")
def choice(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("choice") / "project")
    calls = str(CHOICE / "de-1-public.jsonl")
    run(project, "jevhouse", "ingest", "choice", calls, "--suite", "text-v1", "--system", "de-1")
    plan(project)
    return project


@needs_shared
def test_published_figures_of_the_real_calls(choice):
    expected = json.loads((CHOICE / "de-1-expected.json").read_text())
    for tier, figures in expected["tiers"].items():
        (row,) = query(choice, "FROM board.leaderboard WHERE track = ?", [tier])
        assert (row["public_n"], row["public_correct"]) == (figures["n"], figures["correct"])
        assert row["public_ece"] == pytest.approx(figures["ece"], abs=1e-12)
        assert row["p50_s"] == pytest.approx(figures["p50_s"], abs=1e-12)
        assert row["p95_s"] == pytest.approx(figures["p95_s"], abs=1e-12)
        # No sealed part: what needs one is unknown, and the row says why it is not ranked.
        assert row["sealed_n"] is None and row["intelligence"] is None and row["composite"] is None
        assert not row["ranked"] and "part is missing" in row["unranked_reason"]
    families = {r["family"]: [r["public_correct"], r["public_n"]]
                for r in query(choice, "FROM board.families WHERE track = 'hard'")}  # fmt: skip
    assert families == expected["hard_families_correct_of"]
    counts = {
        r["bin"]: r["answer_count"] for r in query(choice, "FROM board.reliability WHERE track = 'hard'")
    }
    assert [counts.get(bin_, 0) for bin_ in range(1, 11)] == expected["hard_bin_counts"]


@needs_shared
def test_quantiles_agree_with_numpy(choice):
    calls = [json.loads(line) for line in (CHOICE / "de-1-public.jsonl").read_text().splitlines()]
    seconds = [c["latency_s"] for c in calls]
    (row,) = query(choice, "FROM board.leaderboard WHERE track = 'all'")
    assert row["latency_samples"] == len(seconds) == 231
    assert row["p50_s"] == pytest.approx(float(np.quantile(seconds, 0.5)), abs=1e-12)
    assert row["p95_s"] == pytest.approx(float(np.quantile(seconds, 0.95)), abs=1e-12)


@needs_shared
def test_real_calls_pass_their_audit(choice):
    run(choice, "jevhouse", "audit")
