"""Times the harness itself: what a call costs beside the provider, against a server on loopback.

Run ``python -m bench.harness``. The server answers at once, from a process of its own. Three figures a call:

- cycle: from the beginning of one call to the beginning of the next, at concurrency 1;
- bare: the same SDK making the same request to the same server in a plain loop: the provider's share;
- overhead: cycle minus the median bare call.

Throughput is calls over the wall time of the dispatch at concurrency 16.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from ingest.engines.protocol import Trace
from ingest.harness import run as harness
from ingest.harness.config import load
from ingest.harness.inputs import load_inputs, make_engines
from tests.harness import KEYS, land_tiny, system, write_config
from tests.support import make_project

ITEMS = 401
ENGINES = ("jev", "openai", "openrouter", "local")


def p95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1]


def main() -> None:
    os.environ |= KEYS
    server = subprocess.Popen([sys.executable, "-m", "tests.provider"], stdout=subprocess.PIPE, text=True)
    try:
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/success"
        with tempfile.TemporaryDirectory() as folder:
            project = make_project(Path(folder) / "project")
            land_tiny(project, count=ITEMS)
            print("engine       bare p50  cycle p50  cycle p95  overhead p50  overhead p95  calls/s at 16")
            for engine in ENGINES:
                measure(project, engine, url)
    finally:
        server.terminate()
        server.wait()


def measure(project, engine: str, url: str) -> None:
    path = write_config(project, [system(engine, url)], budget_usd=1000.0)
    config = load(path)
    bare = bare_ms(project, config)
    cycles = cycle_ms(project, harness.run(project, config, None, None, lambda plan: True).run_id)
    overheads = [cycle - median(bare) for cycle in cycles]
    config = load(path, concurrency=16)
    done = harness.run(project, config, None, None, lambda plan: True).run_id
    starts = times(project, done, "events.jsonl", "at")
    ends = [
        start.timestamp() + row["wall_ms"] / 1000
        for row, start in zip(
            rows(project, done, "raw.jsonl"), times(project, done, "raw.jsonl", "started_at"), strict=True
        )
    ]
    per_s = len(ends) / (max(ends) - min(start.timestamp() for start in starts))
    print(
        f"{engine:11} {median(bare):7.2f} ms {median(cycles):7.2f} ms {p95(cycles):7.2f} ms "
        f"{median(overheads):10.2f} ms {p95(overheads):10.2f} ms {per_s:11.0f}",
        flush=True,
    )


def bare_ms(project, config) -> list[float]:
    inputs = load_inputs(project, config)
    make_engines(inputs, with_keys=True)
    (engine,) = inputs.engines.values()

    async def loop() -> list[float]:
        await engine.open()
        taken = []
        for item in inputs.planned_items:
            start = perf_counter()
            await engine.decide(item.task(), Trace())
            taken.append((perf_counter() - start) * 1000)
        await engine.close()
        return taken

    return asyncio.run(loop())


def rows(project, run_id: str, file: str) -> list[dict]:
    path = project.warehouse / "journal" / run_id / file
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [row for row in found if row.get("event") != "engine_loaded"]


def times(project, run_id: str, file: str, field: str) -> list[datetime]:
    return [datetime.fromisoformat(row[field]) for row in rows(project, run_id, file)]


def cycle_ms(project, run_id: str) -> list[float]:
    """From one dispatch to the next; warm from the tenth on."""
    starts = times(project, run_id, "raw.jsonl", "started_at")
    gaps = [(b - a).total_seconds() * 1000 for a, b in pairwise(starts)]
    return gaps[10:]


if __name__ == "__main__":
    main()
