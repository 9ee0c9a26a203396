"""From the run to the board: calls over HTTP, plan, audit, export, with the commands a user types."""

from __future__ import annotations

import csv
import io

import pytest

from tests.harness import KEYS
from tests.provider import Provider
from tests.support import REPOSITORY, make_project, plan, run


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
    plan(project)
    run(project, "jevhouse", "audit")
    board = run(project, "jevhouse", "export", "leaderboard", "--suite", "specimen-v1", "--format", "csv")
    rows = [row for row in csv.DictReader(io.StringIO(board.stdout)) if row["track"] == "all"]
    assert {row["system"] for row in rows} == {"jev-1.13.0", "gpt-5.6-luna", "openrouter-gpt-4o-mini"}
    cost = {row["system"]: float(row["usd_per_1000"]) for row in rows}
    assert cost["openrouter-gpt-4o-mini"] == pytest.approx(0.123)  # billed 0.000123 USD a call
    assert cost["jev-1.13.0"] == pytest.approx(0.042)  # 1,000 tokens at 0.042 USD per million
