"""A small audited board with all that a page must show: gates, penalties, unranked rows, disclosures."""

from __future__ import annotations

from pathlib import Path

from ingest.project import Project
from tests.imagesuite import SUITE, freeze, land_rows, run_of, suite_facts
from tests.support import make_project, plan, run

CROWD = 200  # systems of the published suite


def make_board(root: Path) -> Project:
    """Plan and audit a suite with four called systems, and one of published aggregates of many systems."""
    project = make_project(root)
    freeze(project)
    land_rows(project, suite_facts())
    land_rows(project, run_of("sys"))
    gapped = run_of("gapped", "run-gapped")
    for call in gapped["calls"]:
        if call["item_id"] in {f"s{n:02}" for n in range(1, 10)}:
            call["answer"] = "b"  # its probabilities still prefer a: no valid probability answer
    land_rows(project, gapped)
    land_rows(project, run_of("mute", "run-mute", probability_kind="label_only", display_name="Mute <b>"))
    unpriced = run_of("unpriced", "run-unpriced", endpoint_kind="demo")
    unpriced.pop("requests")
    land_rows(project, unpriced)
    land_rows(project, {"published_results": [_published(n) for n in range(CROWD)]})
    with (project.seeds / "boards.csv").open("a") as boards:
        boards.write("crowd-v1,image-v0.1\n")
    with (project.seeds / "published_parts.csv").open("a") as parts:
        parts.write("crowd-v1,all,public,100,0.25,test\ncrowd-v1,all,sealed,200,0.25,test\n")
    with (project.seeds / "disclosures.csv").open("a") as disclosures:
        disclosures.write(f"{SUITE},sys,api_saw_sealed,Saw sealed items without gold\n")
    plan(project)
    run(project, "jevhouse", "audit")
    return project


def _published(n: int) -> dict:
    return {
        "run_id": "crowd", "source": "test", "suite": "crowd-v1", "track": "all", "system": f"system_{n:03}",
        "display_name": f"System {n:03}", "endpoint_kind": ("hosted", "self_hosted")[n % 2],
        "probability_kind": "categorical", "public_n": 100, "public_correct": 95 - n // 5,
        "public_ece": 0.05, "public_probability_coverage": 1.0, "sealed_n": 200,
        "sealed_correct": 180 - n // 2, "sealed_ece": 0.1,
        "sealed_probability_coverage": 1.0, "matched_gap_pp": float(n % 30), "p50_s": 0.1 + n / 100,
        "p95_s": 0.4 + n / 50, "usd_per_1000": 0.01 * (1 + n), "receipt_coverage": 1.0 - (n % 5) / 100,
        "cost_source": "receipts",
    }  # fmt: skip
