"""Runs the local systems on the specimen suite, call by call, and lands what happened."""

from __future__ import annotations

import hashlib
import json
import platform
import random
import secrets
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.progress import track

from ingest.contract import TABLES
from ingest.errors import Refused
from ingest.items import options_sha256
from ingest.landing import land
from ingest.project import Project
from ingest.specimen.suite import RUN_ID as SUITE_RUN_ID
from ingest.specimen.suite import SUITE, exposure_effects, land_suite, parts
from ingest.specimen.systems import (
    Asked,
    Decision,
    Example,
    ProviderError,
    Receipt,
    Skipped,
    System,
    WorkerLost,
    load_systems,
)
from ingest.standing import latest_current_run

PROMPT = "{question}\n{options}"
SHUFFLE_SEED = 20260926
T = TypeVar("T")


@dataclass(frozen=True)
class Planned:
    """One planned call."""

    observation_id: str
    system: System
    item: Asked
    repeat: int
    phase: str
    sequence: int


@dataclass
class Recorded:
    """Rows of the evidence tables, gathered while the run goes on."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    inference_s: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))


def demo(project: Project) -> str:
    """Land the suite unless it is there, run every system on it once, land the run; return the run's id."""
    land_suite(project)
    return run_systems(project)


def run_systems(project: Project, per_family: int = 120) -> str:
    """Run every system on every item that is not retired, one measured pass, and land it.

    Args:
        project: whose landed suite to run on.
        per_family: training pictures of each family, drawn from a seed of their own.

    Returns:
        The run id.
    """
    started_at = _now()
    run_id = f"specimen-{started_at:%Y%m%dT%H%M%S}-{secrets.token_hex(2)}"
    items, golds, part_of, track_of = read_suite(project)
    public = [Example(item, golds[item.item_id]) for item in items if part_of[item.item_id] == "public"]
    del golds  # from here on nobody knows the answers
    scored = [item for item in items if part_of[item.item_id] != "retired"]
    loaded = load_systems(public, per_family)
    systems = [system for system, _ in loaded]
    plan = _plan(systems, scored)
    recorded = Recorded()
    for planned in _shown(plan):
        _invoke(planned, track_of[planned.item.item_id], recorded)
    tables = dict(recorded.rows)
    tables["observations"] = [_observation(planned) for planned in plan]
    tables["systems"] = [
        _system(system, latest_current_run(project, SUITE, system.key)) for system in systems
    ]
    tables["gpu_usage"] = list(_gpu_usage(loaded, recorded))
    tables["runs"] = [_run(started_at, systems, len(tables["calls"]) == len(plan))]
    land(
        project,
        run_id,
        {name: _table(name, run_id, rows) for name, rows in tables.items()},
        "local systems on the specimen suite",
    )
    return run_id


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _table(name: str, run_id: str, rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist([{"run_id": run_id, **row} for row in rows], schema=TABLES[name].schema)


def _read(project: Project, table: str, run_id: str) -> list[dict[str, Any]]:
    return pq.read_table(project.warehouse / TABLES[table].folder / f"{run_id}.parquet").to_pylist()


def read_suite(project: Project) -> tuple[list[Asked], dict[str, str], dict[str, str], dict[str, str]]:
    """Return the landed items without golds, and by item: gold, part and track.

    Raises:
        Refused: a picture is not the one that was frozen.
    """
    options: dict[str, list[str]] = defaultdict(list)
    for row in _read(project, "item_options", SUITE_RUN_ID):  # sorted by item and position
        options[row["item_id"]].append(row["option"])
    rows = _read(project, "items", SUITE_RUN_ID)
    items = []
    for row in rows:
        path = project.warehouse / row["image_path"]
        png = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(png).hexdigest() != row["image_sha256"]:
            raise Refused(
                "is not the frozen picture",
                file=f"warehouse/{row['image_path']}",
                mend="restore it, or empty warehouse/ and seeds/evidence.csv to begin again",
            )
        items.append(Asked(row["item_id"], row["question"], tuple(options[row["item_id"]]), png))
    exposures = [(row["item_id"], row["kind"]) for row in _read(project, "exposures", SUITE_RUN_ID)]
    ids = [row["item_id"] for row in rows]
    return (
        items,
        {row["item_id"]: row["gold"] for row in rows},
        parts(ids, exposures, exposure_effects(project)),
        {row["item_id"]: row["track"] for row in rows},
    )


def _plan(systems: Sequence[System], items: Sequence[Asked]) -> list[Planned]:
    """One warm-up per system, then every item once; items and the systems' turns are shuffled."""
    rng = random.Random(SHUFFLE_SEED)
    turns = [(system, items[0], -1, "warmup") for system in systems]
    for item in rng.sample(list(items), len(items)):
        turns += [(system, item, 0, "measured") for system in rng.sample(list(systems), len(systems))]
    return [
        Planned(f"{system.key}.{item.item_id}.{phase}", system, item, repeat, phase, sequence)
        for sequence, (system, item, repeat, phase) in enumerate(turns, 1)
    ]


def _shown(plan: Sequence[T]) -> Iterable[T]:
    """The plan, with a progress bar on a terminal and a line each quarter elsewhere."""
    console = Console(stderr=True)
    if console.is_terminal:
        return track(plan, "asking the systems", console=console, transient=True)
    return _lines(plan)


def _lines(plan: Sequence[T]) -> Iterator[T]:
    for done, planned in enumerate(plan, 1):
        yield planned
        if done * 4 // len(plan) > (done - 1) * 4 // len(plan):
            print(f"asked {done} of {len(plan)}", file=sys.stderr)


def _invoke(planned: Planned, item_track: str, recorded: Recorded) -> None:
    """Make one call, time it, record what came of it."""
    system, item = planned.system, planned.item
    called_at = _now()
    call: dict[str, Any] = {"status": "ok", "dispatched": True, "request_count_complete": True}
    decision = Decision(None)
    receipts: tuple[Receipt, ...] = ()
    lost = False
    start = perf_counter()
    try:
        decision = system.decide(item)
        receipts = decision.receipts
    except Skipped as skip:
        call |= {"status": "skipped", "skip_reason": str(skip), "dispatched": False}
    except WorkerLost:
        lost = True
    except Exception as error:  # whatever a system raises is its answer to this item
        call |= {"status": "error", "error_type": type(error).__name__}
        if isinstance(error, ProviderError):
            call["error_code"], receipts = error.code, error.receipts
    wall_s = perf_counter() - start
    key = {"observation_id": planned.observation_id}
    if call["status"] != "skipped":
        recorded.rows["dispatches"].append(key | {"event": "dispatch_started", "at": called_at})
    if lost:
        return
    if call["status"] != "skipped":
        call |= {"started_at": called_at, "wall_ms": wall_s * 1000, "decision_ms": wall_s * 1000}
        call["sent_options_sha256"] = options_sha256(item.options)
        call["input_sha256"] = hashlib.sha256(item.png).hexdigest()
        if planned.phase == "measured":
            recorded.inference_s[system.key, item_track].append(wall_s)
    call["refused"], call["truncated"] = decision.refused, decision.truncated
    call["served_from_cache"] = decision.served_from_cache
    recorded.rows["calls"].append(
        key
        | {
            "terminal_sequence": 1,
            "suite": SUITE,
            "system": system.key,
            "item_id": item.item_id,
            "repeat": planned.repeat,
            "phase": planned.phase,
            "answer": decision.answer,
            "usage_unknown": any(receipt.billed_cost_usd is None for receipt in receipts),
        }
        | call
    )
    for option, probability in (decision.probabilities or {}).items():
        known = probability if isfinite(probability) else None
        recorded.rows["probabilities"].append(key | {"option": option, "probability": known})
    for sequence, receipt in enumerate(receipts, 1):
        recorded.rows["requests"].append(
            key
            | vars(receipt)
            | {
                "request_sequence": sequence,
                "purpose": "decision",
                "provider": "simulated",
                "model": f"specimen-{system.key}",
                "cost_status": "unknown" if receipt.billed_cost_usd is None else "reported",
            }
        )


def _observation(planned: Planned) -> dict[str, Any]:
    return {
        "observation_id": planned.observation_id,
        "suite": SUITE,
        "system": planned.system.key,
        "item_id": planned.item.item_id,
        "repeat": planned.repeat,
        "phase": planned.phase,
        "sequence": planned.sequence,
    }


def _system(system: System, supersedes: str | None) -> dict[str, Any]:
    return {
        "suite": SUITE,
        "system": system.key,
        "display_name": system.display_name,
        "engine": "in process",
        "model": f"specimen-{system.key}",
        "model_revision": _code_revision(),
        "prompt_sha256": hashlib.sha256(PROMPT.encode()).hexdigest(),
        "settings": _compact(system.settings),
        "code_revision": _code_revision(),
        "endpoint_kind": system.endpoint_kind,
        "probability_kind": system.probability_kind,
        "gpu_type": "cpu" if system.endpoint_kind == "self_hosted" else None,
        "supersedes_run_id": supersedes,
    }


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _code_revision() -> str:
    """Version of the package and a hash of the specimen's own sources."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return f"jevhouse-{version('jevhouse')}+{digest.hexdigest()[:12]}"


def _gpu_usage(loaded: Sequence[tuple[System, float]], recorded: Recorded) -> Iterator[dict[str, Any]]:
    """Loading, and inference per track, of the systems that run on this machine's own processor."""
    for system, load_s in loaded:
        if system.endpoint_kind != "self_hosted":
            continue
        own = {"suite": SUITE, "system": system.key, "gpu_type": "cpu"}
        yield own | {"interval_kind": "load", "interval_sequence": 1, "seconds": load_s}
        tracks = sorted(t for key, t in recorded.inference_s if key == system.key)
        for sequence, item_track in enumerate(tracks, 1):
            seconds = recorded.inference_s[system.key, item_track]
            yield own | {
                "track": item_track,
                "interval_kind": "inference",
                "interval_sequence": sequence,
                "seconds": sum(seconds),
                "calls": len(seconds),
            }


def _run(started_at: datetime, systems: Sequence[System], complete: bool) -> dict[str, Any]:
    configuration = _compact({system.key: system.settings for system in systems})
    packages = ("numpy", "pillow", "scikit-learn", "scipy")
    environment = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "system": platform.system(),
        **{name: version(name) for name in packages},
    }
    return {
        "suite": SUITE,
        "started_at": started_at,
        "finished_at": _now(),
        "status": "complete" if complete else "incomplete",
        "recorded_status": "complete",
        "scope": "decision",
        "concurrency": 1,
        "repeats": 1,
        "warmups": 1,
        "condition": "demo",
        "demo_set": SUITE,
        "dependent_sample": False,
        "matrix_recorded": True,
        "seed": SHUFFLE_SEED,
        "code_revision": _code_revision(),
        "config_sha256": hashlib.sha256(configuration.encode()).hexdigest(),
        "environment": _compact(environment),
        "raw_truncated": False,
        "events_truncated": False,
    }
