"""Imports a recorded run of the document benchmark: classification and splitting.

A run folder holds ``raw.jsonl`` (terminal records) and, where the run wrote them, ``manifest.json``,
``events.jsonl`` (dispatches), ``preparation.json`` (receipt), ``pricing.json`` and ``truth.json``. What a
folder lacks is inferred from the other files; each inference is reported. Evidence is kept as it is: what a
record means is decided in the models.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.contract import COST_STATUS, TABLES
from ingest.errors import Refused
from ingest.freeze import FreezeRow, read_freezes, write_freeze
from ingest.importers import values
from ingest.importers.document_truth import TASKS, freeze_of, landed_items, new_items, read_truth
from ingest.landing import Landing, land_all, read_register, sha256_of
from ingest.project import Project

FILES = ("manifest.json", "raw.jsonl", "events.jsonl", "preparation.json", "pricing.json")
PLAN_FIELDS = ("task", "source_id", "engine", "model", "scope", "concurrency", "repeat", "phase")
TOKEN_CLASSES = {
    "input_per_million": "input",
    "cached_input_per_million": "cached_input",
    "cache_write_per_million": "cache_write",
    "output_per_million": "output",
}

REQUEST_STATUSES = ("ok", "error", "incomplete", "invalid")

Row = dict[str, Any]


@dataclass
class Folder:
    """The files of a run, read and not yet judged."""

    path: Path
    manifest: Row | None
    receipt: Row | None
    pricing: Row | None
    truth: Row
    raw: list[tuple[int, Row]]  # line number, record
    events: list[tuple[int, Row]]
    raw_truncated: bool
    events_truncated: bool
    sha256: str  # over every file
    notes: list[str] = field(default_factory=list)

    def name(self, file: str) -> str:
        return f"{self.path.name}/{file}"


def import_runs(project: Project, paths: list[Path], truth_file: Path | None = None) -> list[str]:
    """Land run folders, all or none; return the lines to show: what landed, was inferred, or is unfinished.

    Args:
        project: where to land.
        paths: the run folders.
        truth_file: the frozen truth; default ``truth.json`` of a folder, else its manifest's datasets.

    Raises:
        Refused: corrupt, contradictory or unplanned records, a truth that differs from its freeze, or a run
            id that has landed with other content. Nothing has landed then.
    """
    register = read_register(project)
    landed = {line.run_id for line in register}
    known = landed_items(project, register)
    runs: list[Landing] = []
    items: dict[str, list[Row]] = {}  # new ones, by suite
    segments: dict[str, dict[tuple[str, int], Row]] = {}
    freezes: dict[tuple[str, ...], list[FreezeRow]] = {}
    lines = []
    for path in paths:
        folder = read_folder(path, truth_file)
        run_id = values.text((folder.manifest or {}).get("run_id")) or path.resolve().name
        if run_id in landed:
            lines.append(_already_landed(project, folder, run_id))
            continue
        suite = values.text(folder.truth.get("dataset"))
        if suite is None:
            raise Refused("the truth does not name its dataset", field="dataset", mend="give --truth FILE")
        truth_items, truth_segments = read_truth(folder.truth, suite)
        tables = read_run(folder, run_id, suite, truth_items, _profile(project, suite))
        runs.append(Landing(run_id, tables, f"document run {run_id}"))
        fresh = new_items(truth_items, known)
        known |= {(suite, item["item_id"]): item["content_sha256"] for item in fresh}
        items.setdefault(suite, []).extend(fresh)
        segments.setdefault(suite, {}).update({(s["item_id"], s["segment"]): s for s in truth_segments})
        freeze = freeze_of(suite, truth_items)
        freezes[suite, *(row.items_sha256 for row in freeze)] = freeze
        counts = ", ".join(
            f"{len(tables[t])} {t}" for t in ("observations", "dispatches", "calls", "requests")
        )
        lines.append(f"{run_id}: {tables['runs']['status'][0].as_py()}; {counts}")
        lines += [f"{run_id}: {note}" for note in folder.notes]
    if runs:
        # The freeze first: a crash after it leaves a promise that the next import keeps.
        for freeze in freezes.values():
            write_freeze(project, freeze)
        frozen_at = {row.suite: datetime.fromisoformat(row.frozen_at) for row in read_freezes(project)}
        truths = [
            _items_landing(suite, fresh, segments[suite], frozen_at[suite], landed)
            for suite, fresh in items.items()
            if fresh
        ]
        land_all(project, truths + runs)
    return lines


def _already_landed(project: Project, folder: Folder, run_id: str) -> str:
    path = project.warehouse / "evidence" / "runs" / f"{run_id}.parquet"
    if path.exists() and pq.read_table(path, columns=["source_sha256"])[0][0].as_py() == folder.sha256:
        return f"{run_id}: has landed already, unchanged; nothing to do"
    raise Refused(
        f"run {run_id} has landed with other content",
        file=folder.path,
        mend="evidence is append-only: land under a new run id",
    )


def _items_landing(
    suite: str, items: list[Row], segments: dict[tuple[str, int], Row], frozen_at: datetime, landed: set[str]
) -> Landing:
    """Items land once for all runs of a suite, with the record that their truth is public."""
    run_id = f"suite.{suite}"
    if run_id in landed:
        run_id += "." + values.digest([i["content_sha256"] for i in items])[:12]
    ids = {item["item_id"] for item in items}
    exposure = {
        "suite": suite,
        "kind": "distributed_with_run",
        "place": "truth of a recorded run",
        "seen_at": frozen_at,
    }
    rows = {
        "items": items,
        "item_segments": [s for s in segments.values() if s["item_id"] in ids],
        "exposures": [exposure | {"item_id": i} for i in sorted(ids)],
    }
    tables = {name: _table(name, data, run_id) for name, data in rows.items()}
    return Landing(run_id, tables, f"truth of document suite {suite}")


def _profile(project: Project, suite: str) -> Row:
    with (project.seeds / "document_profiles.csv").open(newline="", encoding="utf-8") as handle:
        return next((row for row in csv.DictReader(handle) if row["suite"] == suite), {})


# Reading the files


def read_folder(path: Path, truth_file: Path | None) -> Folder:
    """Read every file of a run folder, keeping line numbers and whether a last line was cut off."""
    if not path.is_dir():
        raise Refused("is not a run folder", file=path, mend="name the folder that holds raw.jsonl")
    if not (path / "raw.jsonl").is_file():
        raise Refused("has no raw.jsonl", file=path, mend="name the folder that holds raw.jsonl")
    documents = {
        name: _read_json(path / name) for name in ("manifest.json", "preparation.json", "pricing.json")
    }
    manifest = documents["manifest.json"]
    truth_path = truth_file or path / "truth.json"
    if truth_file is not None and not truth_file.is_file():
        raise Refused("does not exist", file=truth_file, mend="name the truth file")
    truth = _read_json(truth_path)
    if truth is None and manifest is not None and isinstance(manifest.get("datasets"), dict):
        truth = manifest["datasets"]
    if truth is None:
        raise Refused("there is no truth to score against", file=path, mend="give --truth FILE")
    raw, raw_truncated = _read_lines(path / "raw.jsonl")
    events, events_truncated = _read_lines(path / "events.jsonl")
    digest = hashlib.sha256()
    for file in [path / name for name in FILES] + [truth_path]:
        if file.is_file():
            digest.update(f"{file.name if file != truth_path else 'truth'} {sha256_of(file)}\n".encode())
    pricing = documents["pricing.json"]
    if pricing is None and manifest is not None and isinstance(manifest.get("pricing_snapshot"), dict):
        pricing = manifest["pricing_snapshot"]
    folder = Folder(
        path=path,
        manifest=manifest,
        receipt=documents["preparation.json"],
        pricing=pricing,
        truth=truth,
        raw=raw,
        events=events,
        raw_truncated=raw_truncated,
        events_truncated=events_truncated,
        sha256=digest.hexdigest(),
    )
    for cut, name in ((raw_truncated, "raw.jsonl"), (events_truncated, "events.jsonl")):
        if cut:
            folder.notes.append(f"{name}: the last line is cut off; the records before it are kept")
    return folder


def _read_json(path: Path) -> Row | None:
    if not path.is_file():
        return None
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError):
        raise Refused("is not JSON", file=path, mend="restore the file") from None
    if not isinstance(value, dict):
        raise Refused("is not a JSON object", file=path, mend="restore the file")
    return value


def _read_lines(path: Path) -> tuple[list[tuple[int, Row]], bool]:
    if not path.is_file():
        return [], False
    lines = [(n, line) for n, line in enumerate(path.read_bytes().split(b"\n"), 1) if line.strip()]
    records = []
    for place, (number, line) in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ValueError
        except ValueError:
            if place == len(lines):
                return records, True
            raise Refused(
                "is corrupt inside the file",
                file=f"{path.parent.name}/{path.name}",
                row=number,
                mend="restore the file; only a last line may be cut off",
            ) from None
        records.append((number, record))
    return records, False


# The run


def read_run(folder: Folder, run_id: str, suite: str, items: list[Row], profile: Row) -> dict[str, pa.Table]:
    """Return the contract's tables of one run.

    Raises:
        Refused: see ``import_run``.
    """
    by_id = {item["item_id"]: item for item in items}
    calls = _by_observation(folder, "raw.jsonl", folder.raw, "terminal record")
    starts = _by_observation(folder, "events.jsonl", folder.events, "dispatch start")
    plan, recorded = _plan(folder, items, [*starts.values(), *calls.values()])
    for file, records in (("events.jsonl", starts), ("raw.jsonl", calls)):
        for observation_id, (number, record) in records.items():
            _refuse_unplanned(folder, file, number, record, plan.get(observation_id))
    _check_hashes(folder, by_id, calls)
    manifest = folder.manifest or {}
    config = manifest.get("config") or (folder.receipt or {}).get("config") or {}
    budget = manifest.get("budget") or (folder.receipt or {}).get("budget_estimate") or {}
    condition = values.text(manifest.get("experiment_kind")) or profile.get("experiment_kind")
    if condition is None:
        condition = "unspecified"
        folder.notes.append(
            "experiment kind: not recorded and not in seeds/document_profiles.csv; unspecified"
        )
    measured = [row for row in plan.values() if row["phase"] == "measured"]
    warmups = Counter(
        (row["task"], row["engine"], row["model"]) for row in plan.values() if row["phase"] == "warmup"
    )
    status = _status(folder, plan, calls, starts)
    run = {
        "suite": suite,
        "started_at": _run_start(folder, calls, starts),
        "finished_at": values.time(manifest.get("finished_at")),
        "status": status,
        "recorded_status": values.code(manifest.get("status")),
        "stop_code": values.code((manifest.get("stop_reason") or {}).get("code")),
        "scope": _one(folder, plan, "scope"),
        "concurrency": _one(folder, plan, "concurrency"),
        "repeats": max((row["repeat"] for row in measured), default=0) + 1,
        "warmups": max(warmups.values(), default=0),
        "condition": condition,
        "demo_set": values.text(manifest.get("demo_set")),
        "ocr_identity": _ocr_identity(folder),
        "dependent_sample": profile.get("dependent_sample") == "1",
        "matrix_recorded": recorded,
        "seed": values.whole(config.get("seed")),
        "config_sha256": values.digest(config) if config else None,
        "lock_sha256": values.text(manifest.get("lock_sha256")),
        "rules_sha256": values.digest(manifest["rules_hashes"]) if manifest.get("rules_hashes") else None,
        "environment": values.compact_json({k: manifest[k] for k in ("system", "packages") if k in manifest})
        or None,
        "price_snapshot": values.text((folder.pricing or {}).get("date")),
        "budget_limit_usd": values.real(budget.get("limit_usd", budget.get("budget_usd"))),
        "budget_known_usd": values.real(budget.get("known_cost_usd")),
        "budget_unknown_reserved_usd": values.real(budget.get("unknown_cost_reservations_usd")),
        "budget_committed_usd": values.real(budget.get("committed_usd")),
        "preparation_elapsed_s": values.real((folder.receipt or {}).get("elapsed_seconds")),
        "raw_truncated": folder.raw_truncated,
        "events_truncated": folder.events_truncated,
        "source_sha256": folder.sha256,
    }
    rows: dict[str, list[Row]] = {name: [] for name in _RUN_TABLES}
    rows["runs"].append(run)
    rows["systems"] = _systems(suite, plan, calls)
    for sequence, (observation_id, row) in enumerate(plan.items(), 1):
        rows["observations"].append(
            _identity(suite, observation_id, row)
            | {"sequence": sequence, "reserved_cost_usd": values.real(row.get("reserved_cost_usd"))}
        )
    for observation_id, (number, event) in starts.items():
        at = values.time(event.get("timestamp"))
        if at is None:
            raise Refused(
                "the start has no time",
                file=folder.name("events.jsonl"),
                row=number,
                field="timestamp",
                mend="restore the file",
            )
        rows["dispatches"].append(
            {
                "observation_id": observation_id,
                "event": "dispatch_started",
                "at": at,
                "reserved_cost_usd": values.real(event.get("reserved_cost_usd")),
            }
        )
    for observation_id, (_, record) in calls.items():
        _add_call(rows, _identity(suite, observation_id, plan[observation_id]), record)
    rows["preparations"] = _preparations(folder, suite, by_id)
    rows["prices"] = _prices(folder)
    return {name: _table(name, data, run_id) for name, data in rows.items()}


_RUN_TABLES = (
    "runs",
    "systems",
    "observations",
    "dispatches",
    "calls",
    "probabilities",
    "page_predictions",
    "page_decisions",
    "requests",
    "preparations",
    "prices",
)


def _observation_id(record: Row) -> str:
    """The id of a record; runs older than the matrix do not write it."""
    source = record.get("source_id", record.get("id"))
    made = (
        f"{record.get('phase')}:{record.get('task')}:{source}:{record.get('engine')}:{record.get('repeat')}"
    )
    return values.text(record.get("observation_id")) or made


def _check_identity(record: Row, file: str, row: int | None = None) -> None:
    """Refuse a record or plan row whose identity is not complete."""
    good = {
        "task": record.get("task") in TASKS,
        "source_id": values.text(record.get("source_id", record.get("id"))) is not None,
        "engine": values.text(record.get("engine")) is not None,
        "model": values.text(record.get("model")) is not None,
        "scope": record.get("scope") in ("decision", "end-to-end"),
        "concurrency": values.whole(record.get("concurrency")) is not None,
        "repeat": values.whole(record.get("repeat")) is not None,
        "phase": record.get("phase") in ("measured", "warmup"),
    }
    for name, fits in good.items():
        if not fits:
            raise Refused(
                "does not name an observation", file=file, row=row, field=name, mend="restore the file"
            )


def _by_observation(
    folder: Folder, file: str, records: list[tuple[int, Row]], kind: str
) -> dict[str, tuple[int, Row]]:
    found: dict[str, tuple[int, Row]] = {}
    identities: dict[tuple, int] = {}
    for number, record in records:
        _check_identity(record, folder.name(file), number)
        observation_id = _observation_id(record)
        identity = tuple(record.get(k) for k in PLAN_FIELDS if k != "source_id")
        identity += (record.get("source_id", record.get("id")),)
        earlier = found.get(observation_id, (identities.get(identity),))[0]
        if earlier is not None:
            raise Refused(
                f"a second {kind} of {observation_id}; the first is row {earlier}",
                file=folder.name(file),
                row=number,
                mend="an observation ends once; restore the file",
            )
        if kind == "terminal record" and record.get("status") not in ("ok", "error", "skipped"):
            raise Refused(
                "unknown status",
                file=folder.name(file),
                row=number,
                field="status",
                mend="ok, error or skipped",
            )
        for request in record.get("requests") or []:
            if not isinstance(request, dict) or request.get("status") not in REQUEST_STATUSES:
                raise Refused(
                    "a request of unknown status",
                    file=folder.name(file),
                    row=number,
                    field="requests",
                    mend=", ".join(REQUEST_STATUSES),
                )
        found[observation_id] = (number, record)
        identities[identity] = number
    return found


def _plan(folder: Folder, items: list[Row], records: list[tuple[int, Row]]) -> tuple[dict[str, Row], bool]:
    """Return the execution matrix in its order, and whether the run recorded one.

    Without one, it is every test item x every system that a record names x every pass up to the last seen,
    and the warm-ups that were seen.
    """
    entries = (folder.manifest or {}).get("execution_plan") or (folder.receipt or {}).get("execution_plan")
    test = {(i["task"], i["item_id"]) for i in items if i["partition"] == "test"}
    known = {(i["task"], i["item_id"]) for i in items}
    if entries:
        plan = {}
        for entry in entries:
            _check_identity(entry, f"{folder.path.name}, execution plan")
            row = entry | {"source_id": entry.get("source_id", entry.get("id"))}
            observation_id = _observation_id(row)
            if observation_id in plan:
                raise Refused(
                    f"the plan names {observation_id} twice", file=folder.path.name, mend="restore it"
                )
            if (row["task"], row["source_id"]) not in known:
                raise Refused(
                    f"the plan names {row['source_id']}, which the truth does not know",
                    file=folder.path.name,
                    mend="give the truth of this run with --truth FILE",
                )
            plan[observation_id] = row
        first = {
            (r["task"], r["source_id"])
            for r in plan.values()
            if r["phase"] == "measured" and r["repeat"] == 0
        }
        if first != test:
            raise Refused(
                "the first pass of the plan is not the test set of the truth",
                file=folder.path.name,
                mend="give the truth of this run with --truth FILE",
            )
        return plan, True
    seen = {}
    for _, record in records:
        row = {k: record.get(k) for k in PLAN_FIELDS}
        row["source_id"] = record.get("source_id", record.get("id"))
        seen.setdefault(_observation_id(record), row)
    if not seen:
        raise Refused(
            "has neither a plan nor a record: its systems are unknown",
            file=folder.path,
            mend="a run without a record needs its manifest.json or full preparation.json",
        )
    shapes = {(r["engine"], r["model"], r["scope"], r["concurrency"]): None for r in seen.values()}
    repeats = max((r["repeat"] for r in seen.values() if r["phase"] == "measured"), default=0) + 1
    plan = dict(seen)
    for repeat in range(repeats):
        for task, source_id in [(i["task"], i["item_id"]) for i in items if i["partition"] == "test"]:
            for engine, model, scope, concurrency in shapes:
                row = dict(
                    zip(
                        PLAN_FIELDS,
                        (task, source_id, engine, model, scope, concurrency, repeat, "measured"),
                        strict=True,
                    )
                )
                plan.setdefault(_observation_id(row), row)
    folder.notes.append(
        f"execution matrix: not recorded; {len(plan)} observations inferred from truth and systems seen"
    )
    planned = values.whole(((folder.receipt or {}).get("budget_estimate") or {}).get("planned_task_calls"))
    if planned is not None and planned != len(plan):
        folder.notes.append(
            f"execution matrix: the receipt planned {planned} calls, {len(plan)} can be inferred"
        )
    return plan, False


def _refuse_unplanned(folder: Folder, file: str, number: int, record: Row, row: Row | None) -> None:
    if row is None:
        raise Refused(
            "the execution matrix does not know this record",
            file=folder.name(file),
            row=number,
            mend="a run holds what it planned; restore the file",
        )
    for name in PLAN_FIELDS:
        value = record.get(name, record.get("id") if name == "source_id" else None)
        if value != row[name]:
            raise Refused(
                "differs from the execution matrix",
                file=folder.name(file),
                row=number,
                field=name,
                mend="a run holds what it planned; restore the file",
            )


def _check_hashes(folder: Folder, by_id: dict[str, Row], calls: dict[str, tuple[int, Row]]) -> None:
    """Compare what records, receipt, manifest and truth say of the same bytes."""
    manifest, receipt = folder.manifest or {}, folder.receipt or {}
    if "identity" in receipt:  # a reduced receipt no longer hashes to what it says
        body = {k: v for k, v in receipt.items() if k != "receipt_sha256"}
        if values.digest(body) != receipt.get("receipt_sha256"):
            raise Refused(
                "does not hash to its receipt_sha256", file=folder.name("preparation.json"), mend="restore it"
            )
    claimed = manifest.get("preparation_receipt")
    claimed = claimed.get("receipt_sha256") if isinstance(claimed, dict) else claimed
    if claimed and receipt and claimed != receipt.get("receipt_sha256"):
        raise Refused(
            "is not the receipt that the manifest names",
            file=folder.name("preparation.json"),
            field="receipt_sha256",
            mend="restore the receipt of this run",
        )
    for item_id, digest in (manifest.get("source_hashes") or {}).items():
        if item_id in by_id and digest != by_id[item_id]["source_sha256"]:
            raise Refused(
                f"the source of {item_id} differs between manifest and truth",
                file=folder.name("manifest.json"),
                field="source_hashes",
                mend="give the truth of this run with --truth FILE",
            )
    prepared = {**(receipt.get("items") or {}), **(manifest.get("parsed_artifacts") or {})}
    for number, record in calls.values():
        item = by_id.get(record.get("source_id", record.get("id")))
        if item is None:
            raise Refused(
                "the truth does not know this item",
                file=folder.name("raw.jsonl"),
                row=number,
                field="source_id",
                mend="give the truth of this run with --truth FILE",
            )
        document = (record.get("result") or {}).get("document") or {}
        expected = {
            "parsed_pages_sha256": (
                record.get("parsed_pages_sha256"),
                # Runs older than the receipt hashed a page list that was written differently.
                (prepared.get(item["item_id"]) or {}).get("pages_sha256")
                if "observation_id" in record
                else None,
            ),
            "result.document.sha256": (document.get("sha256"), item["source_sha256"]),
        }
        for name, (found, frozen) in expected.items():
            if found is not None and frozen is not None and found != frozen:
                raise Refused(
                    "is not the hash of the prepared item",
                    file=folder.name("raw.jsonl"),
                    row=number,
                    field=name,
                    mend="every system of a run sees the same bytes; restore the file",
                )


def _status(folder: Folder, plan: Row, calls: Row, starts: Row) -> str:
    """The recorded status, unless the run's own files contradict that it is complete."""
    recorded = (folder.manifest or {}).get("status")
    unfinished = len(plan) - len(calls)
    unclosed = sum(
        1
        for o in starts
        if o not in calls or calls[o][1]["status"] == "skipped" or calls[o][1].get("dispatched") is False
    )
    if unfinished:
        folder.notes.append(f"unfinished: {unfinished} planned observations have no terminal record")
    if unclosed:
        folder.notes.append(f"unknown liability: {unclosed} dispatches have no trustworthy terminal record")
    broken = unfinished or unclosed or folder.raw_truncated or folder.events_truncated
    if folder.manifest is None:
        folder.notes.append(
            "manifest.json: absent; configuration, condition and plan come from the other files"
        )
    if recorded in ("stopped", "interrupted", "blocked"):
        return recorded
    if folder.manifest is not None and recorded != "complete":
        return "incomplete"
    return "incomplete" if broken else "complete"


def _run_start(folder: Folder, calls: Row, starts: Row) -> datetime:
    times = [
        (folder.manifest or {}).get("started_at"),
        *(event.get("timestamp") for _, event in starts.values()),
        *(record.get("started_at") for _, record in calls.values()),
        (folder.receipt or {}).get("started_at"),
    ]
    if times[0] is None:
        times = times[1:-1] or times[-1:]
    known = sorted(t for t in map(values.time, times) if t is not None)
    if not known:
        raise Refused("no file says when the run started", file=folder.path, mend="restore its manifest.json")
    return values.time((folder.manifest or {}).get("started_at")) or known[0]


def _one(folder: Folder, plan: Row, name: str) -> Any:
    values = sorted({row[name] for row in plan.values()}, key=str)
    if len(values) != 1:
        raise Refused(
            f"mixes {name} {' and '.join(map(str, values))}",
            file=folder.path,
            field=name,
            mend="one run has one condition; split the folder",
        )
    return values[0]


def _ocr_identity(folder: Folder) -> str | None:
    """Parser and options where recorded, else the digest of all page hashes: same text, same identity."""
    parser = ((folder.receipt or {}).get("identity") or {}).get("parser")
    if parser is None:
        for _, record in folder.raw:
            parser = ((record.get("result") or {}).get("document") or {}).get("parser")
            if parser:
                break
    if parser:
        return values.compact_json(parser)
    pages = {i: e.get("pages_sha256") for i, e in ((folder.receipt or {}).get("items") or {}).items()}
    return f"pages {values.digest(pages)[:16]}" if pages else None


def _system(row: Row) -> str:
    return f"{row['engine']}/{row['model']}"


def _identity(suite: str, observation_id: str, row: Row) -> Row:
    return {
        "observation_id": observation_id,
        "suite": suite,
        "system": _system(row),
        "item_id": row["source_id"],
        "repeat": row["repeat"],
        "phase": row["phase"],
    }


def _systems(suite: str, plan: Row, calls: Row) -> list[Row]:
    with_probabilities = {
        _system(r)
        for _, r in calls.values()
        if isinstance((r.get("result") or {}).get("probabilities"), dict)
    }
    return [
        {
            "suite": suite,
            "system": f"{engine}/{model}",
            "display_name": f"{engine} {model}",
            "engine": engine,
            "model": model,
            "model_revision": model,
            "endpoint_kind": "hosted",
            "probability_kind": "categorical" if f"{engine}/{model}" in with_probabilities else "label_only",
        }
        for engine, model in sorted({(r["engine"], r["model"]) for r in plan.values()})
    ]


def _add_call(rows: dict[str, list[Row]], identity: Row, record: Row) -> None:
    result = record.get("result") if isinstance(record.get("result"), dict) else {}
    key = {"observation_id": identity["observation_id"]}
    requests = record.get("requests") if isinstance(record.get("requests"), list) else []
    requests = [r for r in requests if isinstance(r, dict)]
    codes = [c for c in (values.code(r.get("error_code")) for r in requests) if c]
    rows["calls"].append(
        identity
        | {
            "terminal_sequence": 1,
            "status": record["status"],
            "answer": values.text(result.get("category")),
            "needs_review": values.flag(result.get("needs_review")),
            "confidence": values.real(result.get("provider_confidence")),
            "started_at": values.time(record.get("started_at")),
            "decision_ms": values.duration((result.get("metrics") or {}).get("decision_ms")),
            "wall_ms": values.duration(record.get("wall_ms")),
            "dispatched": values.flag(record.get("dispatched")),
            "error_type": values.code((record.get("error") or {}).get("type")),
            "error_code": codes[-1] if codes else None,
            "skip_reason": values.code(record.get("skip_reason")),
            "usage_unknown": values.flag(record.get("usage_unknown")),
            "request_count_complete": values.flag(record.get("request_count_complete")),
            "reserved_cost_usd": values.real(record.get("reserved_cost_usd")),
            "input_sha256": values.text(record.get("parsed_pages_sha256")),
            "document_name": values.text((result.get("document") or {}).get("name")),
        }
    )
    probabilities = result.get("probabilities")
    rows["probabilities"] += [
        key | {"option": option, "probability": values.real(p)}
        for option, p in (probabilities if isinstance(probabilities, dict) else {}).items()
    ]
    segments = result.get("segments") if isinstance(result.get("segments"), list) else []
    for number, entry in enumerate(segments, 1):
        segment = entry if isinstance(entry, dict) else {}
        pages = segment.get("pages") if isinstance(segment.get("pages"), list) else []
        said = {
            "segment": number,
            "category": values.text(segment.get("category")),
            "needs_review": values.flag(segment.get("needs_review")),
        }
        rows["page_predictions"] += [
            key | said | {"page_position": place, "page": values.whole(page)}
            for place, page in enumerate(pages, 1)
        ] or [key | said | {"page_position": 0, "page": None}]
    decisions = result.get("page_decisions") if isinstance(result.get("page_decisions"), list) else []
    rows["page_decisions"] += [
        key
        | {
            "page": d["page"],
            "category": values.text(d.get("category")),
            "category_probability": values.real(d.get("category_probability")),
            "starts_document": values.flag(d.get("starts_document")),
            "starts_document_probability": values.real(d.get("starts_document_probability")),
        }
        for d in decisions
        if isinstance(d, dict) and values.whole(d.get("page")) is not None
    ]
    for number, request in enumerate(requests, 1):
        reported = request.get("cost_status") == "reported"
        rows["requests"].append(
            key
            | {
                "request_sequence": number,
                "purpose": "ocr" if request.get("task") == "ocr" else "decision",
                "provider": values.text(request.get("provider")) or "unknown",
                "model": values.text(request.get("model")),
                "attempt": values.whole(request.get("attempt")) or 1,
                "status": request.get("status"),
                "request_id": values.code(request.get("request_id")),
                "error_code": values.code(request.get("error_code")),
                "elapsed_ms": values.duration(request.get("elapsed_ms")),
                **{
                    name: values.whole(request.get(name))
                    for name in (
                        "input_tokens",
                        "cached_input_tokens",
                        "cache_write_tokens",
                        "output_tokens",
                        "reasoning_tokens",
                    )
                },
                "billed_cost_usd": values.real(request.get("cost_usd")) if reported else None,
                "recorded_cost_usd": values.real(request.get("cost_usd")),
                "cost_status": request.get("cost_status")
                if request.get("cost_status") in COST_STATUS
                else "unknown",
            }
        )


def _preparations(folder: Folder, suite: str, by_id: dict[str, Row]) -> list[Row]:
    rows = []
    for item_id, entry in ((folder.receipt or {}).get("items") or {}).items():
        if item_id not in by_id:
            raise Refused(
                f"prepares {item_id}, which the truth does not know",
                file=folder.name("preparation.json"),
                mend="give the truth of this run with --truth FILE",
            )
        metrics = entry.get("preparation_metrics") or entry
        rows.append(
            {
                "suite": suite,
                "item_id": item_id,
                "status": "ok" if entry.get("status") == "ok" else "error",
                "error_type": values.code((entry.get("error") or {}).get("type")),
                "cache_hit": values.flag(entry.get("cache_hit")),
                "conversion_ms": values.duration(metrics.get("conversion_ms")),
                "ocr_ms": values.duration(metrics.get("ocr_ms")),
                "total_ms": values.duration(metrics.get("total_ms")),
                "wall_ms": values.duration(entry.get("wall_ms")),
                "pages_sha256": values.text(entry.get("pages_sha256")),
                "page_count": values.whole(entry.get("page_count")),
                "text_bytes": values.whole(entry.get("text_bytes")),
                "ocr_cost_usd": values.real(metrics.get("ocr_cost_usd")),
                "parser": values.compact_json(entry["parser"]) if entry.get("parser") else None,
            }
        )
    return rows


def _prices(folder: Folder) -> list[Row]:
    pricing = folder.pricing or {}
    if folder.pricing is None:
        folder.notes.append(
            "prices: no snapshot in the folder; costs are known only where a provider billed them"
        )
    return [
        {
            "snapshot": values.text(pricing.get("date")) or "undated",
            "model": model,
            "token_class": TOKEN_CLASSES[name],
            "usd_per_million_tokens": float(price),
            "dated_on": values.text(pricing.get("date")),
            "source": "price snapshot of the run",
        }
        for model, prices in pricing.items()
        if isinstance(prices, dict)
        for name, price in prices.items()
        if name in TOKEN_CLASSES and values.real(price) is not None
    ]


def _table(name: str, rows: list[Row], run_id: str) -> pa.Table:
    return pa.Table.from_pylist([row | {"run_id": run_id} for row in rows], schema=TABLES[name].schema)
