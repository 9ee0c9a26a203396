"""Writes run folders of the document benchmark by hand: a truth, a plan, records and what went wrong."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

PRICES = {
    "date": "2026-01-01",
    "jev-1": {"input_per_million": 1.0, "output_per_million": 0},
    "luna-1": {
        "input_per_million": 2.0,
        "cached_input_per_million": 0.5,
        "cache_write_per_million": 3.0,
        "output_per_million": 4.0,
    },
}
ENGINES = {"jev": "jev-1", "openai": "luna-1"}


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def segments(*parts: tuple[str, int, int]) -> list[dict]:
    return [{"category": c, "pages": list(range(first, last + 1))} for c, first, last in parts]


def truth(dataset: str = "hand-v1", classify: dict | None = None, split: dict | None = None) -> dict:
    """Four sources of three categories; two packets, one boundary of which lies between equal categories."""
    if classify is None:
        classify = {"c1": "tax", "c2": "tax", "c3": "press", "c4": "other"}
    if split is None:
        split = {
            "p1": segments(("tax", 1, 2), ("tax", 3, 3), ("other", 4, 5)),
            "p2": segments(("press", 1, 1), ("tax", 2, 3)),
        }

    def packet(id_: str, parts: list[dict], part: str) -> dict:
        pages = parts[-1]["pages"][-1]
        return {"id": id_, "split": part, "page_count": pages, "sha256": sha(id_), "segments": parts}

    def source(id_: str, category: str, part: str) -> dict:
        return {"id": id_, "category": category, "split": part, "page_count": 1, "sha256": sha(id_)}

    return {
        "dataset": dataset,
        "classify": [source(i, c, "test") for i, c in classify.items()],
        "split": [packet(i, s, "test") for i, s in split.items()],
        "excluded_warmups": {
            "classify": [source("dev-c", "tax", "dev")],
            "split": [packet("dev-p", segments(("tax", 1, 1)), "dev")],
        },
    }


def plan(of: dict, repeats: int = 1, engines: dict[str, str] = ENGINES) -> list[dict]:
    rows = []
    for task in ("classify", "split"):
        for entry in of["excluded_warmups"][task]:
            rows += [_plan_row("warmup", task, entry["id"], engine, -1) for engine in engines]
    for repeat in range(repeats):
        for task in ("classify", "split"):
            for entry in of[task]:
                rows += [_plan_row("measured", task, entry["id"], engine, repeat) for engine in engines]
    return rows


def _plan_row(phase: str, task: str, source_id: str, engine: str, repeat: int) -> dict:
    return {
        "observation_id": f"{phase}:{task}:{source_id}:{engine}:{repeat}",
        "task": task,
        "source_id": source_id,
        "engine": engine,
        "model": ENGINES[engine],
        "scope": "decision",
        "concurrency": 1,
        "repeat": repeat,
        "phase": phase,
        "reserved_cost_usd": 0.01,
    }


def request(row: dict, **changes: Any) -> dict:
    """100 input and 10 output tokens: 0.0001 USD for jev; 0.00024 USD for openai."""
    cache = 0 if row["engine"] == "openai" else None
    return {
        "provider": row["engine"],
        "model": row["model"],
        "task": row["task"],
        "request_id": f"req-{sha(row['observation_id'] + str(changes))[:12]}",
        "attempt": 1,
        "status": "ok",
        "elapsed_ms": 9.0,
        "input_tokens": 100,
        "output_tokens": 10,
        "cached_input_tokens": cache,
        "cache_write_tokens": cache,
        "reasoning_tokens": cache,
        "cost_usd": {"jev": 0.0001, "openai": 0.00024}[row["engine"]],
        "cost_status": "estimated",
        "error_code": None,
        **changes,
    }


def answer(row: dict, of: dict, said: Any = None, **changes: Any) -> dict:
    """A terminal record: ``said`` (default: the truth) as category or as segments."""
    known = {e["id"]: e for t in ("classify", "split") for e in of[t] + of["excluded_warmups"][t]}
    if said is None:
        said = known[row["source_id"]].get("category") or known[row["source_id"]]["segments"]
    body = {"category": said} if row["task"] == "classify" else {"segments": said}
    return {
        **{k: v for k, v in row.items() if k != "reserved_cost_usd"},
        "id": row["source_id"],
        "reserved_cost_usd": 0.01,
        "started_at": "2026-01-01T00:00:01+00:00",
        "status": "ok",
        "requests": [request(row)],
        "dispatched": True,
        "request_count_complete": True,
        "usage_unknown": False,
        "wall_ms": 12.0,
        "parsed_pages_sha256": sha("pages of " + row["source_id"]),
        "result": {
            "task": row["task"],
            "needs_review": False,
            "document": {"name": f"{row['source_id']}.pdf", "sha256": sha(row["source_id"])},
            "metrics": {"decision_ms": 10.0},
            **body,
        },
        **changes,
    }


def failure(row: dict, kind: str = "ProviderError", **changes: Any) -> dict:
    record = answer(row, EMPTY | {row["task"]: [{"id": row["source_id"], "category": "-"}]}, "-")
    del record["result"], record["parsed_pages_sha256"]
    return record | {"status": "error", "error": {"type": kind, "message": "not kept"}} | changes


def _of_this_run(record: dict, run_id: str) -> dict:
    """A provider gives each request an id of its own."""
    named = [r | {"request_id": f"{run_id}-{r['request_id']}"} for r in record["requests"]]
    return record | {"requests": named}


EMPTY = {"classify": [], "split": [], "excluded_warmups": {"classify": [], "split": []}}


def skip(row: dict, reason: str, **changes: Any) -> dict:
    record = failure(row)
    del record["error"]
    changes = {"wall_ms": None, "requests": [], "dispatched": False} | changes
    return record | {"status": "skipped", "skip_reason": reason} | changes


def start(row: dict) -> dict:
    return row | {
        "id": row["source_id"],
        "event": "dispatch_started",
        "timestamp": "2026-01-01T00:00:01+00:00",
    }


def write(
    folder: Path,
    of: dict,
    rows: list[dict],
    records: list[dict],
    starts: list[dict] | None = None,
    manifest: dict | None = None,
    tail: str = "",
) -> Path:
    """Write a run folder; no ``manifest`` stands for a complete one, ``{}`` for none."""
    folder.mkdir(parents=True)
    records = [_of_this_run(record, folder.name) for record in records]
    if manifest is None:
        manifest = {"status": "complete"}
    if manifest:
        manifest = {
            "run_id": folder.name,
            "started_at": "2026-01-01T00:00:00+00:00",
            "experiment_kind": "synthetic",
            "execution_plan": rows,
            **manifest,
        }
        (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "truth.json").write_text(json.dumps(of))
    (folder / "pricing.json").write_text(json.dumps(PRICES))
    (folder / "raw.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records) + tail)
    if starts is None:
        starts = [start(r) for r in rows if any(r["observation_id"] == x["observation_id"] for x in records)]
    (folder / "events.jsonl").write_text("".join(json.dumps(s) + "\n" for s in starts))
    return folder
