"""The demo as a newcomer runs it, twice; and the board it leaves, recomputed without jevhouse."""

from __future__ import annotations

import csv
import math
from collections import defaultdict

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.support import make_project, plan, query, run

METHOD = {"public": 0.35, "sealed": 0.65}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("demo") / "project")
    run(project, "jevhouse", "demo")
    return project, run(project, "jevhouse", "demo")


def test_two_demos_leave_two_runs_and_one_board(demo):
    project, second = demo
    assert "Clerk" in second.stdout and "out/leaderboard.csv" in second.stdout
    runs = query(project, "SELECT run_id FROM staging.runs ORDER BY started_at")
    assert len(runs) == 2
    standing = query(
        project, "SELECT run_id, ANY_VALUE(standing) AS standing FROM outcomes.run_standing GROUP BY 1"
    )
    assert {r["run_id"]: r["standing"] for r in standing} == {
        runs[0]["run_id"]: "superseded",
        runs[1]["run_id"]: "current",
    }
    with (project.root / "out" / "leaderboard.csv").open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 18 and {r["track"] for r in rows} == {"all", "core", "everyday_photo"}
    assert (project.root / "out" / "axes.png").stat().st_size > 10_000


def test_without_new_evidence_a_plan_does_nothing(demo):
    project, _ = demo
    assert "No changes" in plan(project).stdout


def test_the_penalty_bites_the_memoriser(demo):
    project, _ = demo
    (row,) = query(project, "FROM board.leaderboard WHERE system = 'memoriser' AND track = 'all'")
    assert (
        row["public_correct"] == row["public_n"] and row["matched_gap_pp"] > 15 and row["overfit_factor"] < 1
    )


@pytest.mark.parametrize("system", ["clerk", "cloud", "flaky"])
def test_the_board_follows_from_the_parquet_files(demo, system):
    """Every figure again, in plain Python, from the files of the current run."""
    project, _ = demo

    def read(folder: str, name: str) -> list[dict]:
        return pq.read_table(next((project.warehouse / folder).glob(name))).to_pylist()

    (current,) = query(
        project, "SELECT DISTINCT run_id FROM outcomes.run_standing WHERE standing = 'current'"
    )
    evidence = {
        name: read(f"evidence/{name}", f"{current['run_id']}.parquet")
        for name in ("calls", "probabilities", "requests", "gpu_usage")
    }
    items = {i["item_id"]: i for i in read("sealed/items", "*.parquet")}
    options = defaultdict(list)
    for row in sorted(read("sealed/item_options", "*.parquet"), key=lambda r: r["position"]):
        options[row["item_id"]].append(row["option"])
    exposed = {
        e["item_id"]: e["kind"]
        for e in read("evidence/exposures", "*.parquet")
        if e["kind"] != "sent_without_gold"
    }
    part = {
        i: "sealed" if i not in exposed else "retired" if exposed[i] == "outside_sealed_store" else "public"
        for i in items
    }
    probabilities = defaultdict(dict)
    for row in evidence["probabilities"]:
        probabilities[row["observation_id"]][row["option"]] = row["probability"]
    calls = {
        c["item_id"]: c
        for c in evidence["calls"]
        if c["system"] == system and c["phase"] == "measured" and not c["served_from_cache"]
    }

    hits, sure = defaultdict(dict), defaultdict(list)
    for item_id, item in items.items():
        call, names = calls.get(item_id), options[item_id]
        hits[part[item_id]][item_id] = False
        if call is None or call["status"] != "ok" or call["refused"] or call["answer"] not in names:
            continue
        given = probabilities[call["observation_id"]]
        if set(given) != set(names) or any(p is None or not 0 <= p <= 1 for p in given.values()):
            continue
        total = sum(given.values())
        if abs(total - 1) > 0.005 + 1e-12 or max(names, key=lambda o: given[o]) != call["answer"]:
            continue
        hits[part[item_id]][item_id] = call["answer"] == item["gold"]
        sure[part[item_id]].append((given[call["answer"]] / total, call["answer"] == item["gold"]))

    base = calibration = 0.0
    for name, weight in METHOD.items():
        accuracy = np.mean(list(hits[name].values()))
        chance = np.mean([1 / len(options[i]) for i in hits[name]])
        base += weight * 100 * (accuracy - chance) / (1 - chance)
        bins = defaultdict(list)
        for confidence, hit in sure[name]:
            bins[max(1, math.ceil(confidence * 10))].append((confidence, hit))
        valid = len(sure[name])
        ece = sum(abs(sum(c - h for c, h in b)) for b in bins.values()) / valid
        calibration += weight * max(0, 100 * (1 - ece / 0.5)) * valid / len(hits[name])
    gaps = []
    for family in {i["family"] for i in items.values()}:
        sides = [[h for i, h in hits[name].items() if items[i]["family"] == family] for name in METHOD]
        if min(map(len, sides)) >= 10:
            n, m = map(len, sides)
            gaps.append((100 * (np.mean(sides[0]) - np.mean(sides[1])), n * m / (n + m)))
    gap = sum(g * w for g, w in gaps) / sum(w for _, w in gaps)
    intelligence = max(0, base) * max(0, 1 - max(0, gap - 15) / 100)

    seconds = sorted(
        c["wall_ms"] / 1000 for i, c in calls.items() if c["status"] == "ok" and part[i] != "retired"
    )
    p50, p95 = float(np.median(seconds)), seconds[math.ceil(round(0.95 * len(seconds), 9)) - 1]
    (row,) = query(project, "FROM board.leaderboard WHERE track = 'all' AND system = ?", [system])
    factor, addend = {"self_hosted": (2, 0.15), "hosted": (1, 0), "demo": (2, 0)}[row["endpoint_kind"]]
    points = [min(100, max(0, 100 - 20 * math.log10((factor * s + addend) / 0.1))) for s in (p50, p95)]

    frozen = sum(len(h) for h in hits.values()) - len(hits["retired"])
    if row["endpoint_kind"] == "self_hosted":
        used = [
            g for g in evidence["gpu_usage"] if g["system"] == system and g["interval_kind"] == "inference"
        ]
        usd = 1000 * sum(g["seconds"] for g in used) * 0.04 / 3600 / sum(g["calls"] for g in used)
        coverage = sum(c["status"] != "skipped" for c in calls.values()) / frozen
    else:
        first = {r["observation_id"]: r["billed_cost_usd"] for r in evidence["requests"] if r["attempt"] == 1}
        known = [
            first[c["observation_id"]] for c in calls.values() if first.get(c["observation_id"]) is not None
        ]
        usd = 1000 * sum(known) / len(known) if known else None
        coverage = len(known) / frozen
    ours = {
        "intelligence": intelligence,
        "calibration": calibration,
        "matched_gap_pp": gap,
        "p50_s": p50,
        "p95_s": p95,
        "speed": sum(points) / 2,
        "usd_per_1000": usd,
        "receipt_coverage": coverage,
    }
    for name, value in ours.items():
        assert row[name] == (None if value is None else pytest.approx(value, rel=1e-9)), name
    if usd is None:
        assert row["cost"] is None and row["composite"] is None
        return
    cost = min(100, max(0, 100 - 30 * math.log10(usd / 0.001))) * coverage
    axes = (intelligence, calibration, sum(points) / 2, cost)
    composite = 4 / sum(1 / a for a in axes)
    for axis in (intelligence, sum(points) / 2, cost):
        composite *= min(1, axis / 50) ** 2
    assert row["composite"] == pytest.approx(composite, rel=1e-9)
