"""Plan against hand-written script on generated call evidence of an image board.

    python -m bench.image [--calls 1000000 --calls 10000000] [--systems 200]

Prints, for each size and in one run: time and peak memory of ``sqlmesh plan``, of one DuckDB script that
computes the same composites straight from the Parquet files, their ratio, and SQLMesh's start-up (the same
plan on a project without evidence) apart. Exits 1 when the two disagree on a composite.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from ingest.landing import evidence_views, land
from ingest.project import Project
from tests.support import make_project

SUITE = "bench-v1"
PARTS = {"public": 228, "sealed": 456}
OPTIONS = 4


@dataclass(frozen=True)
class Cost:
    seconds: float
    peak_gib: float


def new_project(root: Path) -> Project:
    project = make_project(root)
    (project.seeds / "boards.csv").write_text(f"suite,method\n{SUITE},image-v0.1\n")
    return project


def land_suite(project: Project) -> None:
    items = []
    for part, count in PARTS.items():
        for n in range(count):
            items.append(
                {
                    "run_id": "suite",
                    "suite": SUITE,
                    "item_id": f"{part}-{n:04}",
                    "task": "choice",
                    "track": "core" if n % 3 else "photo",
                    "family": f"family-{n % 6}",
                    "difficulty": "medium",
                    "gold": f"o{n % OPTIONS}",
                    "option_count": OPTIONS,
                    "content_sha256": f"{part}-{n}",
                    "partition": "test",
                }
            )
    options = [
        {"run_id": "suite", "suite": SUITE, "item_id": i["item_id"], "position": p + 1, "option": f"o{p}"}
        for i in items
        for p in range(OPTIONS)
    ]
    exposures = [
        {
            "run_id": "suite",
            "suite": SUITE,
            "item_id": i["item_id"],
            "kind": "shown_publicly",
            "place": "page",
            "seen_at": datetime(2026, 1, 1),
        }
        for i in items
        if i["item_id"].startswith("public")
    ]
    land(
        project,
        "suite",
        {
            "items": pa.Table.from_pylist(items),
            "item_options": pa.Table.from_pylist(options),
            "exposures": pa.Table.from_pylist(exposures),
        },
        "generated",
    )
    memory = duckdb.connect()
    memory.register("items", pa.Table.from_pylist(items))
    memory.execute(
        "COPY (SELECT suite, track, SPLIT_PART(item_id, '-', 1) AS part, family, difficulty, "
        "COUNT(*) AS item_count, "
        "SHA256(STRING_AGG(item_id || ':' || content_sha256, CHR(10) ORDER BY item_id)) AS items_sha256, "
        "TIMESTAMP '2026-02-01' AS frozen_at, 'bench' AS commits_to FROM items GROUP BY ALL "
        f"ORDER BY ALL) TO '{project.seeds}/freezes.csv' (HEADER)"
    )


def land_system(project: Project, number: int, repeats: int) -> None:
    """Land one run of one system: every item, ``repeats`` passes; odd systems are hosted with receipts."""
    rng = np.random.default_rng(number)
    run, system = f"run-{number:03}", f"system-{number:03}"
    names = [f"{part}-{n:04}" for part, count in PARTS.items() for n in range(count)]
    gold = np.array([n % OPTIONS for count in PARTS.values() for n in range(count)])
    passes = np.repeat(np.arange(repeats), len(names))
    item = np.tile(np.arange(len(names)), repeats)
    count = len(item)
    hit = rng.random(count) < 0.5 + number / 500
    answer = np.where(hit, gold[item], (gold[item] + 1) % OPTIONS)
    top = 0.4 + 0.6 * rng.random(count)
    observation = pa.array([f"measured:{names[i]}:{system}:{r}" for i, r in zip(item, passes, strict=True)])
    text = lambda value: pa.array([value]).take(pa.array(np.zeros(count, dtype=int)))  # noqa: E731
    item_id = pa.array(names).take(pa.array(item))
    common = {
        "run_id": text(run),
        "observation_id": observation,
        "suite": text(SUITE),
        "system": text(system),
        "item_id": item_id,
        "repeat": passes,
        "phase": text("measured"),
    }
    hosted = number % 2 == 1
    tables = {
        "runs": pa.Table.from_pylist(
            [
                {
                    "run_id": run,
                    "suite": SUITE,
                    "started_at": datetime(2026, 3, 1),
                    "status": "complete",
                    "scope": "decision",
                    "concurrency": 1,
                    "repeats": repeats,
                    "warmups": 0,
                    "condition": "bench",
                    "dependent_sample": False,
                    "matrix_recorded": True,
                    "raw_truncated": False,
                    "events_truncated": False,
                }
            ]
        ),
        "systems": pa.Table.from_pylist(
            [
                {
                    "run_id": run,
                    "suite": SUITE,
                    "system": system,
                    "display_name": system,
                    "endpoint_kind": "hosted" if hosted else "self_hosted",
                    "probability_kind": "categorical",
                }
            ]
        ),
        "observations": pa.table(common | {"sequence": np.arange(1, count + 1)}),
        "calls": pa.table(
            common
            | {
                "terminal_sequence": np.ones(count, dtype=int),
                "status": text("ok"),
                "answer": pa.array([f"o{o}" for o in range(OPTIONS)]).take(pa.array(answer)),
                "wall_ms": 80 + 200 * rng.random(count),
                "decision_ms": 80 + 200 * rng.random(count),
            }
        ),
        "probabilities": pa.concat_tables(
            [
                pa.table(
                    {
                        "run_id": text(run),
                        "observation_id": observation,
                        "option": text(f"o{o}"),
                        "probability": np.where(answer == o, top, (1 - top) / (OPTIONS - 1)),
                    }
                )
                for o in range(OPTIONS)
            ]
        ),
    }
    if hosted:
        tables["requests"] = pa.table(
            {
                "run_id": text(run),
                "observation_id": observation,
                "request_sequence": np.ones(count, dtype=int),
                "purpose": text("decision"),
                "provider": text("bench"),
                "attempt": np.ones(count, dtype=int),
                "status": text("ok"),
                "billed_cost_usd": 1e-5 * (1 + rng.random(count)),
                "cost_status": text("reported"),
            }
        )
    else:
        tracks = np.array([0 if int(name[-4:]) % 3 else 1 for name in names])[item]
        tables["gpu_usage"] = pa.Table.from_pylist(
            [
                {
                    "run_id": run,
                    "suite": SUITE,
                    "system": system,
                    "track": track,
                    "interval_kind": "inference",
                    "interval_sequence": n + 1,
                    "gpu_type": "bench",
                    "seconds": 0.1 * int((tracks == n).sum()),
                    "calls": int((tracks == n).sum()),
                }
                for n, track in enumerate(("core", "photo"))
            ]
        )
    land(project, run, tables, "generated")


SCRIPT = Path(__file__).with_name("image_script.sql")


def measure(command: list[str], cwd: Path, log: Path) -> Cost:
    """Run a command; return its wall time and peak resident memory."""
    began = time.perf_counter()
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed:\n{log.read_text()[-3000:]}")
    return Cost(time.perf_counter() - began, usage.ru_maxrss / 2**20)


def run(calls: int, systems: int) -> tuple[Cost, Cost, Cost]:
    repeats = max(1, round(calls / systems / sum(PARTS.values())))
    with tempfile.TemporaryDirectory(prefix="jevhouse-bench-") as folder:
        root = Path(folder) / "project"
        project = new_project(root)
        plan = [str(Path(sys.executable).with_name("sqlmesh")), "plan", "--auto-apply", "--no-prompts"]
        startup = measure(plan, root, Path(folder) / "startup.log")
        land_suite(project)
        with (project.seeds / "gpu_rates.csv").open("w") as rates:
            rates.write("system,gpu_type,usd_per_hour,dated_on,source\n")
            rates.writelines(f"system-{n:03},bench,1.19,2026-01-01,bench\n" for n in range(0, systems, 2))
        for number in range(systems):
            land_system(project, number, repeats)
            if sys.stderr.isatty():
                print(f"\rlanded {number + 1}/{systems} runs", end="", file=sys.stderr)
        size = sum(p.stat().st_size for p in project.warehouse.glob("*/*/*.parquet"))
        print(
            f"\n{repeats * systems * sum(PARTS.values()):,} calls, {size / 2**20:,.0f} MiB of Parquet",
            flush=True,
        )
        planned = measure(plan, root, Path(folder) / "plan.log")
        views = Path(folder) / "views.sql"
        views.write_text(";\n".join(evidence_views(project)) + ";\n")
        program = (
            "import duckdb; c = duckdb.connect(); c.execute(\"SET memory_limit = '3GB'\"); "
            f"c.execute(\"SET temp_directory = '{folder}/spill'\"); "
            "c.execute('SET preserve_insertion_order = false'); "
            f"c.execute(open('{views}').read()); "
            f"c.execute(open('{SCRIPT}').read().replace('SEEDS', '{project.seeds}')); "
            f"c.execute(\"COPY composites TO '{folder}/script.parquet'\")"
        )
        scripted = measure([sys.executable, "-c", program], root, Path(folder) / "script.log")
        with duckdb.connect(str(project.database), read_only=True) as board:
            differ = board.execute(
                "SELECT COUNT(*), COUNT(*) FILTER (WHERE ABS(a.composite - b.composite) > 1e-9 "
                "OR a.composite IS NULL OR b.composite IS NULL) FROM board.leaderboard AS a "
                f"FULL JOIN '{folder}/script.parquet' AS b USING (track, system)"
            ).fetchone()
        print(f"{differ[0]} composites, {differ[1]} differ between plan and script")
        if differ[1]:
            sys.exit(1)
    return startup, planned, scripted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, action="append", help="size; may be given several times")
    parser.add_argument("--systems", type=int, default=200)
    arguments = parser.parse_args()
    print(
        "| calls | start-up s | plan s | plan peak GiB | script s | script peak GiB "
        "| (plan - start-up) / script |"
    )
    for calls in arguments.calls or [1_000_000, 10_000_000]:
        startup, planned, scripted = run(calls, arguments.systems)
        ratio = (planned.seconds - startup.seconds) / scripted.seconds
        print(
            f"| {calls:,} | {startup.seconds:.1f} | {planned.seconds:.1f} | {planned.peak_gib:.2f} | "
            f"{scripted.seconds:.1f} | {scripted.peak_gib:.2f} | {ratio:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
