"""From the run to the board: calls over HTTP, plan, audit, export, with the commands a user types."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest

from tests.harness import KEYS, landed
from tests.provider import Provider
from tests.support import REPOSITORY, make_project, plan, query, run


def test_from_the_run_to_the_board(tmp_path):
    project = make_project(tmp_path / "project")
    provider = Provider()
    url = provider.url()
    environment = KEYS | {
        "TYPESAFE_BASE_URL": url,
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENROUTER_BASE_URL": url,
    }
    config = str(REPOSITORY / "configs" / "specimen.yaml")
    done = run(project, "jevhouse", "ingest", "run", "--config", config, "--yes", **environment)
    assert ": complete; 963 ok;" in done.stdout  # 3 systems x (1 warm-up + 320 items that are not retired)
    documents = str(REPOSITORY / "configs" / "docs-synthetic.yaml")
    done = run(project, "jevhouse", "ingest", "run", "--config", documents, "--yes", **environment)
    assert ": complete; 56 ok;" in done.stdout  # 2 systems x (2 warm-ups + 20 documents + 6 packets)
    document_run = done.stdout.split(":")[0]
    plan(project)
    run(project, "jevhouse", "audit")
    board = run(project, "jevhouse", "export", "leaderboard", "--suite", "specimen-v1", "--format", "csv")
    rows = [row for row in csv.DictReader(io.StringIO(board.stdout)) if row["track"] == "all"]
    assert {row["system"] for row in rows} == {"jev-1.13.0", "gpt-5.6-luna", "openrouter-gpt-4o-mini"}
    cost = {row["system"]: float(row["usd_per_1000"]) for row in rows}
    assert cost["openrouter-gpt-4o-mini"] == pytest.approx(0.123)  # billed 0.000123 USD a call
    assert cost["jev-1.13.0"] == pytest.approx(0.042)  # 1,000 tokens at 0.042 USD per million

    # Documents: the ledgers hold what the guard knew, and quality is what the calls and the truth say.
    (spent,) = query(project, "SELECT SUM(decision_cost_usd_known) AS usd FROM documents.ledgers")
    assert spent["usd"] == pytest.approx(landed(project, "runs", document_run)[0]["budget_known_usd"])
    golds = {i["item_id"]: i["gold"] for i in landed(project, "items", "items-docs-synthetic-v1")}
    right = Counter()
    for call in landed(project, "calls", document_run):
        if ":classify:" in call["observation_id"] and call["phase"] == "measured":
            right[call["system"]] += call["answer"] == golds[call["item_id"]]
    scored = query(
        project, "SELECT system, right_count, source_count FROM documents.quality WHERE task = 'classify'"
    )
    assert {row["system"]: row["right_count"] for row in scored} == right
    assert {row["source_count"] for row in scored} == {20}
