"""Sealing: a journal, also that of a killed run, becomes evidence. Nothing is judged, nothing is lost."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta

import pyarrow as pa

from ingest.contract import TABLES
from ingest.engines.protocol import compact
from ingest.harness.journal import Recorded, Row, folder_of, held, read
from ingest.landing import land
from ingest.project import Project

CALL_FIELDS = (
    "status",
    "answer",
    "refused",
    "truncated",
    "needs_review",
    "confidence",
    "decision_ms",
    "wall_ms",
    "dispatched",
    "error_type",
    "error_code",
    "skip_reason",
    "usage_unknown",
    "request_count_complete",
    "reserved_cost_usd",
    "sent_options_sha256",
    "input_sha256",
)
REQUEST_FIELDS = (
    "provider",
    "model",
    "attempt",
    "status",
    "request_id",
    "error_code",
    "elapsed_ms",
    "input_tokens",
    "cached_input_tokens",
    "cache_write_tokens",
    "output_tokens",
    "reasoning_tokens",
    "billed_cost_usd",
    "recorded_cost_usd",
    "cost_status",
)


def seal(project: Project, run_id: str) -> list[str]:
    """Land a journal; return what is unfinished in it, one line each.

    Raises:
        Refused: there is no such run, it is still running, it has landed, or it is corrupt inside.
    """
    folder = folder_of(project, run_id)
    recorded = read(folder)
    with held(folder):
        rows = tables(recorded)
        land(
            project,
            run_id,
            # Two empty tables would be one file registered twice.
            {name: _table(name, run_id, data) for name, data in rows.items() if data},
            f"harness run of {recorded.manifest['config']['name']}",
        )
    return unfinished(recorded)


def unfinished(recorded: Recorded) -> list[str]:
    """What a reader must know: dispatches without an end, plans without a record, lines that were cut off."""
    ended = {row["observation_id"] for row in recorded.raw}
    unclosed = set(recorded.started) - ended
    never = [row for row in recorded.matrix if row["observation_id"] not in ended | set(recorded.started)]
    lines = [f"{name}: dispatched, no terminal record, its charge is unknown" for name in sorted(unclosed)]
    if never:
        lines.append(f"{len(never)} planned calls were never dispatched")
    cut = [
        n for n, is_cut in (("raw", recorded.raw_truncated), ("events", recorded.events_truncated)) if is_cut
    ]
    lines += [f"{name}.jsonl: the last line was cut off; the records before it are kept" for name in cut]
    return lines


def tables(recorded: Recorded) -> dict[str, list[Row]]:
    """Rows of the contract's tables, without ``run_id``."""
    manifest = recorded.manifest
    suite = manifest["config"]["suite"]
    plan = {row["observation_id"]: row for row in recorded.matrix}
    out: dict[str, list[Row]] = {
        name: []
        for name in (
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
            "gpu_usage",
            "prices",
        )
    }
    out["runs"].append(_run(recorded))
    for system in manifest["systems"]:
        fields = {name: value for name, value in system.items() if name != "address"}
        out["systems"].append({"suite": suite, "model_revision": _revision(recorded, system)} | fields)
    for row in recorded.matrix:
        out["observations"].append(
            _identity(suite, row)
            | {"sequence": row["sequence"], "reserved_cost_usd": row["reserved_cost_usd"]}
        )
    for event in recorded.started.values():
        out["dispatches"].append(
            {
                "observation_id": event["observation_id"],
                "event": "dispatch_started",
                "at": _time(event["at"]),
                "reserved_cost_usd": event["reserved_cost_usd"],
            }
        )
    for row in recorded.raw:
        _add_call(out, suite, plan[row["observation_id"]], row)
    out["preparations"] = [{"suite": suite} | row for row in manifest["preparations"]]
    out["gpu_usage"] = _gpu_usage(recorded, suite, plan)
    out["prices"] = [
        {
            "snapshot": price["snapshot"],
            "model": price["model"],
            "token_class": price["token_class"],
            "usd_per_million_tokens": float(price["usd_per_million_tokens"]),
            "dated_on": price["dated_on"],
            "source": price["source"],
        }
        for price in manifest["prices"]
    ]
    return out


def _run(recorded: Recorded) -> Row:
    manifest, config = recorded.manifest, recorded.manifest["config"]
    ended = {row["observation_id"] for row in recorded.raw}
    unclosed = set(recorded.started) - ended
    whole = not (
        unclosed or len(ended) < len(recorded.matrix) or recorded.raw_truncated or recorded.events_truncated
    )
    status = manifest["status"]
    if status == "running" or (status == "complete" and not whole):
        status = "incomplete"
    warmups = Counter((r["system"], r["task"]) for r in recorded.matrix if r["phase"] == "warmup")
    budget = manifest["budget"] or {"limit_usd": config["budget_usd"]}
    return {
        "suite": config["suite"],
        "started_at": _time(manifest["started_at"]),
        "finished_at": _time(manifest["finished_at"]),
        "status": status,
        "recorded_status": manifest["status"],
        "stop_code": manifest["stop_code"],
        "scope": config["scope"],
        "concurrency": config["concurrency"],
        "repeats": config["repeats"],
        "warmups": max(warmups.values(), default=0),
        "condition": config["condition"],
        "demo_set": config["demo_set"],
        "ocr_identity": manifest["parser"],
        "dependent_sample": config["dependent_sample"],
        "matrix_recorded": True,
        "seed": config["seed"],
        "code_revision": manifest["environment"]["code_revision"],
        "config_sha256": manifest["config_sha256"],
        "lock_sha256": manifest["lock_sha256"],
        "rules_sha256": manifest["rules_sha256"],
        "environment": compact(manifest["environment"]),
        "price_snapshot": config["price_snapshot"],
        "budget_limit_usd": budget["limit_usd"],
        "budget_known_usd": budget.get("known_usd"),
        "budget_unknown_reserved_usd": budget.get("unknown_reserved_usd"),
        "budget_committed_usd": budget.get("committed_usd"),
        "preparation_elapsed_s": manifest["preparation_elapsed_s"],
        "raw_truncated": recorded.raw_truncated,
        "events_truncated": recorded.events_truncated,
    }


def _revision(recorded: Recorded, system: Row) -> str | None:
    """The model that answered, when all answers name one."""
    own = {r["observation_id"] for r in recorded.matrix if r["system"] == system["system"]}
    named = {
        row.get("model_revision")
        for row in recorded.raw
        if row["observation_id"] in own and row["status"] == "ok"
    } - {None}
    return named.pop() if len(named) == 1 else None


def _identity(suite: str, planned: Row) -> Row:
    names = ("observation_id", "system", "item_id", "repeat", "phase")
    return {"suite": suite} | {name: planned[name] for name in names}


def _add_call(out: dict[str, list[Row]], suite: str, planned: Row, row: Row) -> None:
    key = {"observation_id": row["observation_id"]}
    out["calls"].append(
        _identity(suite, planned)
        | {name: row.get(name) for name in CALL_FIELDS}
        | {"terminal_sequence": 1, "started_at": _time(row.get("started_at")), "served_from_cache": False}
    )
    for option, probability in (row.get("probabilities") or {}).items():
        out["probabilities"].append(key | {"option": option, "probability": probability})
    for number, segment in enumerate(row.get("segments") or [], 1):
        said = {
            "segment": number,
            "category": segment["category"],
            "needs_review": segment["needs_review"],
        }
        out["page_predictions"] += [
            key | said | {"page_position": place, "page": page}
            for place, page in enumerate(segment["pages"], 1)
        ] or [key | said | {"page_position": 0, "page": None}]
    out["page_decisions"] += [key | decision for decision in row.get("page_decisions") or []]
    for number, request in enumerate(row["requests"], 1):
        out["requests"].append(
            key
            | {"request_sequence": number, "purpose": "decision"}
            | {name: request[name] for name in REQUEST_FIELDS}
        )


def _gpu_usage(recorded: Recorded, suite: str, plan: dict[str, Row]) -> list[Row]:
    """Time that self-hosted systems held their hardware: load (with warm-ups), inference by track, idle."""
    usage = []
    for system in recorded.manifest["systems"]:
        if system["endpoint_kind"] != "self_hosted" or not system["gpu_type"]:
            continue
        own = {"suite": suite, "system": system["system"], "gpu_type": system["gpu_type"]}
        spans: dict[tuple[str, str], list[tuple[datetime, datetime]]] = defaultdict(list)
        for row in recorded.raw:
            planned = plan[row["observation_id"]]
            if planned["system"] == system["system"] and row["status"] != "skipped":
                start = _time(row["started_at"])
                spans[planned["phase"], planned["track"]].append(
                    (start, start + timedelta(milliseconds=row["decision_ms"]))
                )
        loads = [
            e["seconds"]
            for e in recorded.events
            if e["event"] == "engine_loaded" and e["system"] == system["system"]
        ]
        loads += [_held_s(held_) for (phase, _), held_ in spans.items() if phase == "warmup"]
        for number, seconds in enumerate(loads, 1):
            usage.append(own | {"interval_kind": "load", "interval_sequence": number, "seconds": seconds})
        measured = {track: held_ for (phase, track), held_ in spans.items() if phase == "measured"}
        for number, (track, held_) in enumerate(sorted(measured.items()), 1):
            usage.append(
                own
                | {
                    "track": track,
                    "interval_kind": "inference",
                    "interval_sequence": number,
                    "seconds": _held_s(held_),
                    "calls": len(held_),
                }
            )
        everything = [span for held_ in measured.values() for span in held_]
        if everything:
            whole_s = (max(e for _, e in everything) - min(s for s, _ in everything)).total_seconds()
            idle_s = max(0.0, whole_s - _held_s(everything))
            usage.append(own | {"interval_kind": "idle", "interval_sequence": 1, "seconds": idle_s})
    return usage


def _held_s(spans: list[tuple[datetime, datetime]]) -> float:
    """Seconds covered by at least one of the spans: calls in flight together hold the hardware once."""
    total, reached = timedelta(), None
    for start, end in sorted(spans):
        begin = start if reached is None or start > reached else reached
        if end > begin:
            total += end - begin
        reached = end if reached is None else max(reached, end)
    return total.total_seconds()


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=None) if text else None


def _table(name: str, run_id: str, rows: list[Row]) -> pa.Table:
    return pa.Table.from_pylist([{"run_id": run_id} | row for row in rows], schema=TABLES[name].schema)
