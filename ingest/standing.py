"""Which landed run of a system counts now, so that a newer one can say which it replaces."""

from __future__ import annotations

import csv

import pyarrow.parquet as pq

from ingest.landing import read_register
from ingest.project import Project


def rejected_runs(project: Project) -> set[str]:
    """Runs in ``seeds/rejections.csv``."""
    with (project.seeds / "rejections.csv").open(newline="", encoding="utf-8") as handle:
        return {row["run_id"] for row in csv.DictReader(handle)}


def latest_current_run(project: Project, suite: str, system: str) -> str | None:
    """The latest landed run of a system on a suite that is neither rejected nor superseded, if any."""
    rejected = rejected_runs(project)
    landed, superseded = [], set()
    for line in read_register(project):
        if line.table_name != "systems" or line.run_id in rejected:
            continue
        for row in pq.read_table(project.warehouse / line.path).to_pylist():
            if (row["suite"], row["system"]) == (suite, system):
                landed.append(line.run_id)
                superseded.add(row["supersedes_run_id"])
    current = [run_id for run_id in landed if run_id not in superseded]
    return current[-1] if current else None
