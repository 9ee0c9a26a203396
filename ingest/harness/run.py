"""``jevhouse ingest run``: plan, prepare, dispatch, seal."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ingest.engines.protocol import compact
from ingest.errors import Refused
from ingest.harness import receipt as receipts
from ingest.harness.budget import Guard
from ingest.harness.config import Config, address
from ingest.harness.dispatch import Dispatcher, now
from ingest.harness.environment import code_revision, environment, lock_sha256
from ingest.harness.inputs import (
    Inputs,
    endpoint_kind,
    load_inputs,
    make_engines,
    preparation_rows,
    prepare_documents,
    probability_kind,
)
from ingest.harness.journal import Recorded, Row, create, folder_of, held, read, write_manifest
from ingest.harness.matrix import Cell
from ingest.harness.progress import Progress
from ingest.harness.seal import seal
from ingest.landing import read_register
from ingest.project import Project
from ingest.standing import latest_current_run


@dataclass(frozen=True)
class Plan:
    """What a dry run shows: calls and estimated reservation by task and system."""

    calls: dict[tuple[str, str], int]
    reserved_usd: dict[tuple[str, str], float]
    unsendable: int
    budget_usd: float

    @property
    def total_usd(self) -> float:
        return sum(self.reserved_usd.values())

    def lines(self) -> list[str]:
        out = [
            f"{task:9} {system:32} {count:6} calls  {self.reserved_usd[task, system]:10.6f} USD reserved"
            for (task, system), count in sorted(self.calls.items())
        ]
        out.append(
            f"{sum(self.calls.values())} calls, at most {self.total_usd:.6f} USD by estimate, "
            f"budget {self.budget_usd:.6f} USD"
            + (f"; {self.unsendable} calls cannot be sent" if self.unsendable else "")
        )
        if self.total_usd > self.budget_usd:
            out.append("the estimate exceeds the budget: the run would stop when the next call does not fit")
        return out


def estimate(inputs: Inputs) -> Plan:
    """Plan without sending, from parsed text where there is some, else from an assumed size."""
    calls: Counter = Counter()
    usd: dict[tuple[str, str], float] = defaultdict(float)
    unsendable = 0
    for cell in inputs.cells:
        reserved = inputs.reservation(cell, exact=False)
        calls[cell.task, cell.system] += 1
        usd[cell.task, cell.system] += reserved or 0.0
        unsendable += reserved is None
    return Plan(dict(calls), dict(usd), unsendable, inputs.config.budget_usd)


def dry_run(project: Project, config: Config) -> Plan:
    """Validate configuration and sources and plan the run: no call, no key."""
    inputs = load_inputs(project, config)
    make_engines(inputs, with_keys=False)
    return estimate(inputs)


def prepare_only(project: Project, config: Config) -> Path:
    """Parse what is planned and write a receipt; return its path. No call, no key."""
    inputs = load_inputs(project, config)
    make_engines(inputs, with_keys=False)
    elapsed_s = 0.0
    if config.scope == "decision":
        with Progress("preparing", len(inputs.planned_items)) as progress:
            elapsed_s = prepare_documents(inputs, lambda item: progress.advance())
    return receipts.write_receipt(inputs, elapsed_s)


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    run_id: str
    status: str
    stop_code: str | None
    counts: dict[str, int]
    committed_usd: float


def run(
    project: Project,
    config: Config,
    prepared: Path | None,
    resume: str | None,
    confirm: Callable[[Plan], bool],
) -> Outcome:
    """Make the calls of a configuration and seal them.

    Args:
        prepared: receipt whose one admitted attempt this is.
        resume: run whose observations that were never dispatched are made up for, under a new run id.
        confirm: asked with the plan before anything is sent.

    Raises:
        Refused: before anything is sent.
    """
    inputs = load_inputs(project, config)
    receipt = None
    if prepared is not None:
        make_engines(inputs, with_keys=False)
        receipt = receipts.admit(inputs, prepared)
    make_engines(inputs, with_keys=True)
    earlier = _earlier(project, inputs, resume)
    preparation_s = receipt["elapsed_s"] if receipt else 0.0
    if receipt is None and config.scope == "decision":
        with Progress("preparing", len(inputs.planned_items)) as progress:
            preparation_s = prepare_documents(inputs, lambda item: progress.advance())
    if not confirm(estimate(inputs)):
        raise Refused("nothing was sent", mend="confirm the plan, or give --yes")
    if receipt is not None:
        receipts.claim(inputs, receipt)
    run_id = _run_id(project, config, resume)
    manifest = _manifest(inputs, run_id, preparation_s, receipt, resume)
    folder = create(project, run_id, manifest, [_matrix_row(inputs, cell) for cell in inputs.cells])
    guard = Guard(config.budget_usd)
    left = inputs.cells
    if earlier is not None:
        left = _carry_over(folder, earlier, inputs.cells, guard)
    with held(folder):
        _dispatch(inputs, folder, manifest, guard, left)
    seal(project, run_id)
    counts = Counter(row["status"] for row in read(folder).raw)
    return Outcome(run_id, manifest["status"], manifest["stop_code"], dict(counts), guard.committed_usd)


def _dispatch(inputs: Inputs, folder: Path, manifest: Row, guard: Guard, cells: list[Cell]) -> None:
    async def all_cells() -> Dispatcher:
        with Progress("calling", len(cells)) as progress:

            def show(row: Row) -> None:
                progress.advance(row["status"] != "ok", guard.committed_usd)

            dispatcher = Dispatcher(inputs, guard, show)
            await dispatcher.run(folder, cells)
        return dispatcher

    code: str | None = "initialization_or_recording_failure"
    try:
        code = asyncio.run(all_cells()).stop_code
    except OSError as error:
        raise Refused(
            f"the journal cannot be written ({type(error).__name__})",
            file=f"journal/{folder.name}",
            mend=f"make room, then: jevhouse ingest seal {folder.name}",
        ) from None
    finally:
        manifest |= {
            "status": "complete" if code is None else "interrupted" if code == "interrupted" else "stopped",
            "stop_code": code,
            "finished_at": now(),
            "budget": {
                "limit_usd": guard.limit_usd,
                "known_usd": guard.known_usd,
                "unknown_reserved_usd": guard.unknown_reserved_usd,
                "committed_usd": guard.committed_usd,
            },
        }
        write_manifest(folder, manifest)


def _run_id(project: Project, config: Config, resume: str | None) -> str:
    if resume is None:
        return f"{config.name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"
    base = resume.partition(".resumed-")[0]
    number = 1
    while folder_of(project, f"{base}.resumed-{number}").exists():
        number += 1
    return f"{base}.resumed-{number}"


def _earlier(project: Project, inputs: Inputs, resume: str | None) -> Recorded | None:
    if resume is None:
        return None
    folder = folder_of(project, resume)
    earlier = read(folder)
    if earlier.manifest["config_sha256"] != inputs.config.sha256:
        raise Refused("was made with another configuration", file=f"journal/{resume}", mend="give that one")
    frozen = {row["item_id"]: row["input_sha256"] for row in earlier.matrix}
    if frozen != {cell.item_id: inputs.items[cell.item_id].content_sha256 for cell in inputs.cells}:
        raise Refused("an input has changed since", file=f"journal/{resume}", mend="begin a new run")
    with held(folder):
        pass  # it is not running
    if not _has_landed(project, resume):
        seal(project, resume)  # so that the new run can supersede it
    return earlier


def _has_landed(project: Project, run_id: str) -> bool:
    return any(line.run_id == run_id for line in read_register(project))


def _carry_over(folder: Path, earlier: Recorded, cells: list[Cell], guard: Guard) -> list[Cell]:
    """Copy what was ever dispatched into the new journal, charge the guard for it, return what is left."""
    started = earlier.started
    ended = {row["observation_id"]: row for row in earlier.raw if row["observation_id"] in started}
    for name, rows in (("events.jsonl", started.values()), ("raw.jsonl", ended.values())):
        (folder / name).write_text("".join(compact(row) + "\n" for row in rows), encoding="utf-8")
    for observation_id, event in started.items():
        reserved = event["reserved_cost_usd"]
        guard.committed_usd += reserved
        guard.in_flight += 1
        row = ended.get(observation_id)
        known = sum(r["recorded_cost_usd"] or 0.0 for r in row["requests"]) if row else 0.0
        guard.settle(reserved, known, charge_unknown=row is None or row["usage_unknown"])
    return [cell for cell in cells if cell.observation_id not in started]


def _matrix_row(inputs: Inputs, cell: Cell) -> Row:
    item = inputs.items[cell.item_id]
    return cell.row() | {
        "track": item.track,
        "input_sha256": item.content_sha256,
        "reserved_cost_usd": inputs.reservation(cell, exact=False),
    }


def _manifest(
    inputs: Inputs, run_id: str, preparation_s: float, receipt: Row | None, resume: str | None
) -> Row:
    config, project = inputs.config, inputs.project
    rules = [(option.label, option.description) for option in inputs.planned_items[0].options]
    return {
        "schema_version": "1",
        "run_id": run_id,
        "status": "running",
        "stop_code": None,
        "started_at": now(),
        "finished_at": None,
        "config": config.model_dump(mode="json"),
        "config_sha256": config.sha256,
        "environment": environment(),
        "lock_sha256": lock_sha256(project),
        "rules_sha256": _digest(rules) if config.documents else None,
        "source_hashes": {item.entry.item_id: item.content_sha256 for item in inputs.planned_items},
        "prices": [dict(row) for row in inputs.prices.rows],
        "parser": inputs.parser.identity if inputs.parser else None,
        "preparation_elapsed_s": preparation_s,
        "preparations": preparation_rows(inputs.planned_items, inputs.parser),
        "receipt_sha256": receipt["receipt_sha256"] if receipt else None,
        "resumes": resume,
        "budget": None,
        "systems": [
            {
                "system": system.system,
                "display_name": system.display_name or system.system,
                "engine": system.engine,
                "model": system.model,
                "address": address(system) if system.in_process is None else None,
                "prompt_sha256": _digest(inputs.engines[system.system].prompts),
                "settings": compact(system.settings | {"max_retries": config.max_retries}),
                "code_revision": code_revision(),
                "endpoint_kind": endpoint_kind(system),
                "probability_kind": probability_kind(system),
                "gpu_type": system.gpu_type,
                "supersedes_run_id": resume or _superseded(project, config, system.system),
            }
            for system in config.systems
        ],
    }


def _superseded(project: Project, config: Config, system: str) -> str | None:
    """A choice suite has one current run per system; documents keep a board per run."""
    return None if config.documents else latest_current_run(project, config.suite, system)


def _digest(value: Any) -> str:
    return hashlib.sha256(compact(value).encode()).hexdigest()
