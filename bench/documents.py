"""Import and plan of many recorded document runs: is the time linear in their number?

    python bench/documents.py [--runs 250 --runs 500 --runs 1000]

Each run has 100 calls: 40 sources and 8 packets for two engines, and 4 warm-ups. For each size, in a fresh
project: seconds of ``jevhouse ingest documents`` and of ``sqlmesh plan``, by the clock and of the processor.
Exits 1 when the board lacks a group.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from tests import document_runs as runs  # noqa: E402
from tests.support import make_project, plan, query, run  # noqa: E402

LABELS = ("financial", "legal", "other", "press", "tax")
SOURCES, PACKETS = 40, 8


def write_runs(folder: Path, count: int) -> list[Path]:
    classify = {f"c{n}": LABELS[n % len(LABELS)] for n in range(SOURCES)}
    split = {
        f"p{n}": runs.segments(*((LABELS[(n + k) % len(LABELS)], 3 * k + 1, 3 * k + 3) for k in range(5)))
        for n in range(PACKETS)
    }
    of = runs.truth("bench-v1", classify, split)
    rows = runs.plan(of)
    records = [runs.answer(row, of) for row in rows]
    return [runs.write(folder / f"run-{n:04}", of, rows, records) for n in range(count)]


@dataclass(frozen=True)
class Cost:
    seconds: float
    cpu_seconds: float  # of the processes; other work on the machine disturbs it less


def timed(action: Callable[[], object]) -> Cost:
    def cpu() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    began, began_cpu = time.perf_counter(), cpu()
    action()
    return Cost(time.perf_counter() - began, cpu() - began_cpu)


def measure(count: int) -> tuple[Cost, Cost]:
    """Return the cost of import and plan of ``count`` runs in a fresh project."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        folders = write_runs(root / "runs", count)
        project = make_project(root / "project")
        imported = timed(lambda: run(project, "jevhouse", "ingest", "documents", *map(str, folders)))
        planned = timed(lambda: plan(project))
        (board,) = query(
            project, "SELECT COUNT(*) AS groups, MIN(right_count) AS fewest FROM board.documents"
        )
        if board != {"groups": 4 * count, "fewest": PACKETS}:
            sys.exit(f"wrong board: {board}")
    return imported, planned


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--runs", type=int, action="append", help="number of runs; may be given several times"
    )
    print("| runs | calls | import s | import CPU s | CPU ms/run | plan s | plan CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for count in parser.parse_args().runs or [250, 500, 1000]:
        imported, planned = measure(count)
        print(
            f"| {count} | {count * 100} | {imported.seconds:.1f} | {imported.cpu_seconds:.1f} "
            f"| {1000 * imported.cpu_seconds / count:.1f} "
            f"| {planned.seconds:.1f} | {planned.cpu_seconds:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
