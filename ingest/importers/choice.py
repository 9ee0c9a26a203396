"""Imports the calls of one system on a public suite of text choices: one JSON object a line.

The mapping of every field is in ``docs/import-choice.md``.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.contract import ENDPOINT_KINDS, TABLES
from ingest.errors import Refused
from ingest.freeze import FreezeRow, FrozenItem, agrees_with_freeze, freeze_rows, read_freezes, write_freeze
from ingest.importers.published import landed_results, published_parts
from ingest.importers.reading import KEY, KEY_RULE, LINE_LENGTH, is_line, is_text, read_text, shown
from ingest.items import content_sha256, options_sha256
from ingest.landing import RUN_ID_RULE, Landing, land_all, read_register
from ingest.project import Project, write_atomically
from ingest.standing import latest_current_run

STATUSES = ("ok", "error", "skipped")


@dataclass(frozen=True)
class Entrant:
    """What the file does not say of the system and of the board it enters."""

    suite: str
    system: str
    display_name: str
    endpoint_kind: str
    method: str


def import_choice(project: Project, file: Path, entrant: Entrant) -> str | None:
    """Land the file's calls, and the suite's items unless they have landed; freeze the suite if it is new.

    Everything is checked first, and lands together. Freeze and board are written last: an import that was
    killed before them is completed by repeating it.

    Returns:
        The run id, or None when exactly this file has landed already for this system and suite.

    Raises:
        Refused: a name that cannot be a key, a truncated or corrupt line, an unknown method or endpoint kind,
            a suite that others published results of, a suite with other contents.
    """
    _refuse_bad_entrant(project, entrant)
    content, text = read_text(file)
    digest = hashlib.sha256(content).hexdigest()
    run_id = f"choice.{entrant.suite}.{entrant.system}.{digest[:12]}"
    if not RUN_ID_RULE.fullmatch(run_id):
        raise Refused("too long together", field="--suite, --system", mend="shorten one of them")
    lines = read_lines(text, file)
    registered = {line.run_id for line in read_register(project)}
    imported_at = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
    suite_run_id = f"suite.{entrant.suite}"
    freezes = read_freezes(project)
    frozen_at = _frozen_at(project, freezes, entrant.suite, suite_run_id in registered) or imported_at
    facts = _suite_tables(suite_run_id, entrant.suite, lines, file.name, frozen_at)
    freeze = freeze_rows(entrant.suite, _frozen_items(facts["items"]), frozen_at)
    landings = []
    if suite_run_id in registered:
        _refuse_other_items(project, suite_run_id, facts["items"], file)
    else:
        landings.append(Landing(suite_run_id, facts, f"items of {file.name}"))
    agrees_with_freeze(project, freeze, freezes)
    if run_id not in registered:
        supersedes = latest_current_run(project, entrant.suite, entrant.system)
        tables = _run_tables(run_id, entrant, lines, imported_at, digest, supersedes)
        landings.append(Landing(run_id, tables, f"calls of {file.name}"))
        land_all(project, landings)
    write_freeze(project, freeze)
    _enter_board(project, entrant, repeated=run_id in registered)
    return None if run_id in registered else run_id


def _refuse_bad_entrant(project: Project, entrant: Entrant) -> None:
    for option, key in (("--suite", entrant.suite), ("--system", entrant.system)):
        if not KEY.fullmatch(key):
            raise Refused("cannot be a key", field=option, mend=KEY_RULE)
    if not is_line(entrant.display_name):
        raise Refused(
            "is not one line of printable text",
            field="--display-name",
            mend=f"at most {LINE_LENGTH} characters",
        )
    if entrant.endpoint_kind not in ENDPOINT_KINDS:
        raise Refused(
            f"unknown endpoint kind {shown(entrant.endpoint_kind)}",
            mend=f"one of {', '.join(ENDPOINT_KINDS)}",
        )
    _refuse_unknown_method(project, entrant.method)
    if entrant.suite in {suite for suite, _, _ in [*landed_results(project), *published_parts(project)]}:
        raise Refused(
            f"suite {entrant.suite} is one that others published results of",
            field="--suite",
            mend="give the suite of these tasks a name of its own",
        )


def _frozen_at(project: Project, freezes: list[FreezeRow], suite: str, landed: bool) -> datetime | None:
    """When the suite was frozen; else, if an import was killed in between, when its items landed."""
    for row in freezes:
        if row.suite == suite:
            return datetime.fromisoformat(row.frozen_at)
    if not landed:
        return None
    path = project.warehouse / TABLES["exposures"].folder / f"suite.{suite}.parquet"
    return pq.read_table(path, columns=["seen_at"])["seen_at"][0].as_py()


def read_lines(text: str, file: Path) -> list[dict[str, Any]]:
    """Parse and check every line; blank ones at the end are no lines.

    Raises:
        Refused: names the file, the line and the field that is not as documented.
    """
    lines: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    # Not str.splitlines: it would also split at separators that may stand inside a JSON text.
    for number, raw in enumerate(io.StringIO(text.rstrip(), newline=None), 1):
        try:
            line = json.loads(raw)
        except RecursionError:
            raise Refused(
                "nested too deeply", file=file, row=number, mend="see docs/import-choice.md"
            ) from None
        except ValueError:
            raise Refused(
                "truncated or not JSON", file=file, row=number, mend="restore the file from its source"
            ) from None
        if not isinstance(line, dict):
            raise Refused("not a JSON object", file=file, row=number, mend="one object a line")
        if problem := _problem(line):
            field, why = problem
            raise Refused(why, file=file, row=number, field=field, mend="see docs/import-choice.md")
        if (task_id := line["task_id"]) in seen:
            raise Refused(
                f"a second line of this task, after row {seen[task_id]}",
                file=file,
                row=number,
                field="task_id",
                mend="keep one call per task",
            )
        seen[task_id] = number
        lines.append(line)
    for number, line in enumerate(lines, 1):
        if line["model"] != lines[0]["model"]:
            raise Refused(
                "another model than row 1", file=file, row=number, field="model", mend="one file per system"
            )
    if not lines:
        raise Refused("holds no line", file=file, mend="one JSON object per call")
    return lines


def _problem(line: dict[str, Any]) -> tuple[str, str] | None:
    """The first field that is not as documented, and why."""
    for name in ("task_id", "tier", "family", "model"):
        if not is_line(line.get(name)):
            return name, f"not one line of text of at most {LINE_LENGTH} printable characters"
    if line["tier"] == "all":
        return "tier", "the name of the track that holds every tier"
    if line.get("group") is not None and not is_line(line["group"]):
        return "group", f"neither null nor one line of text of at most {LINE_LENGTH} printable characters"
    labels = line.get("labels")
    if not isinstance(labels, list) or not all(is_text(label) for label in labels):
        return "labels", "not a list of texts"
    if len(labels) < 2 or len(set(labels)) < len(labels):
        return "labels", "fewer than two, or one of them twice"
    if line.get("split") != "public":
        return "split", "not public: only public tasks may be imported by file"
    if "gold" not in line or (line["gold"] is not None and line["gold"] not in labels):
        return "gold", "neither one of the labels nor null"
    if line.get("status") not in STATUSES:
        return "status", f"not one of {', '.join(STATUSES)}"
    for name in ("predicted", "probs_source", "cost_basis"):
        if line.get(name) is not None and not is_text(line[name]):
            return name, "neither a text nor null"
    if why := _problem_of_probabilities(line.get("probs")):
        return "probs", why
    for name in ("latency_s", "cost_usd"):
        if line.get(name) is not None and not _is_amount(line[name]):
            return name, "neither a number of at least 0 nor null"
    if line["status"] == "ok" and line.get("latency_s") is None:
        return "latency_s", "absent from an answered call"
    usage = line.get("usage")
    if usage is not None and not isinstance(usage, dict):
        return "usage", "neither an object nor null"
    for name in ("input_tokens", "output_tokens"):
        tokens = (usage or {}).get(name)
        if tokens is not None and (type(tokens) is not int or not 0 <= tokens < 2**63):
            return f"usage.{name}", "not a number of tokens"
    return None


def _problem_of_probabilities(probs: Any) -> str | None:
    if probs is None:
        return None
    if not isinstance(probs, dict):
        return "neither an object nor null"
    if not all(is_text(option) for option in probs):
        return "an option is not text"
    if any(type(p) is int and abs(p) > sys.float_info.max for p in probs.values()):
        return "a number too large"
    return None


def _is_amount(value: Any) -> bool:
    """Whether it is a number of at least 0 that is finite also in thousandths."""
    try:
        return type(value) in (int, float) and value >= 0 and math.isfinite(float(value) * 1000)
    except OverflowError:
        return False


def _refuse_unknown_method(project: Project, method: str) -> None:
    with (project.seeds / "methods.csv").open(newline="", encoding="utf-8") as handle:
        methods = sorted({row["method"] for row in csv.DictReader(handle)})
    if method not in methods:
        raise Refused(
            f"unknown method {shown(method)}",
            file=project.seeds / "methods.csv",
            mend=f"one of {', '.join(methods)}",
        )


def _table(name: str, rows: Iterable[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=TABLES[name].schema)


def _suite_tables(
    run_id: str, suite: str, lines: list[dict[str, Any]], place: str, seen_at: datetime
) -> dict[str, pa.Table]:
    own = {"run_id": run_id, "suite": suite}
    return {
        "items": _table(
            "items",
            (
                own
                | {
                    "item_id": line["task_id"],
                    "task": "choice",
                    "track": line["tier"],
                    "family": line["family"],
                    "difficulty": line["tier"],
                    "gold": line["gold"],
                    "option_count": len(line["labels"]),
                    "options_sha256": options_sha256(line["labels"]),
                    "content_sha256": content_sha256(None, line["labels"], line["gold"], None),
                    "partition": "test",
                    "source_family_id": line.get("group"),
                }
                for line in lines
            ),
        ),
        "item_options": _table(
            "item_options",
            (
                own | {"item_id": line["task_id"], "position": position, "option": label}
                for line in lines
                for position, label in enumerate(line["labels"], 1)
            ),
        ),
        "exposures": _table(
            "exposures",
            (
                own
                | {
                    "item_id": line["task_id"],
                    "kind": "in_repository",
                    "place": place,
                    "seen_at": seen_at,
                    "note": "time of the import: seen at the latest then",
                }
                for line in lines
            ),
        ),
    }


def _frozen_items(items: pa.Table) -> list[FrozenItem]:
    return [
        FrozenItem(
            row["item_id"], "public", row["track"], row["family"], row["difficulty"], row["content_sha256"]
        )
        for row in items.to_pylist()
    ]


def _refuse_other_items(project: Project, suite_run_id: str, items: pa.Table, file: Path) -> None:
    """The landed items of the suite must be exactly the file's."""
    columns = ["item_id", "track", "family", "content_sha256"]
    path = project.warehouse / TABLES["items"].folder / f"{suite_run_id}.parquet"
    landed = {row["item_id"]: row for row in pq.read_table(path, columns=columns).to_pylist()}
    rows = items.select(columns).to_pylist()
    for number, row in enumerate(rows, 1):
        if landed.get(row["item_id"]) != row:
            raise Refused(
                "not an item of the suite as it landed",
                file=file,
                row=number,
                field="task_id",
                mend="other tasks, labels or golds are another suite: give it a name of its own",
            )
    if len(rows) < len(landed):
        raise Refused(
            f"{len(rows)} of the suite's {len(landed)} tasks",
            file=file,
            mend="complete it: a task without a call is a line with status skipped",
        )


def _enter_board(project: Project, entrant: Entrant, repeated: bool) -> None:
    """Add ``suite,method`` to ``seeds/boards.csv``; a repeated import only a suite that is on no board."""
    path = project.seeds / "boards.csv"
    row = [entrant.suite, entrant.method]
    with project.lock():
        with path.open(newline="", encoding="utf-8") as handle:
            rows = list(csv.reader(handle))
        if row in rows or (repeated and any(other[:1] == row[:1] for other in rows)):
            return
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*rows, row])
        write_atomically(path, text.getvalue().encode())


def _run_tables(
    run_id: str,
    entrant: Entrant,
    lines: list[dict[str, Any]],
    imported_at: datetime,
    digest: str,
    supersedes: str | None,
) -> dict[str, pa.Table]:
    own = {"run_id": run_id}
    groups = Counter(line["group"] for line in lines if line.get("group"))
    settings = {
        name: sorted({line[name] for line in lines if line.get(name) is not None})
        for name in ("probs_source", "cost_basis")
    }
    numbered = list(enumerate(lines, 1))
    call_key = [
        own
        | {
            "observation_id": line["task_id"],
            "suite": entrant.suite,
            "system": entrant.system,
            "item_id": line["task_id"],
            "repeat": 0,
            "phase": "measured",
        }
        for line in lines
    ]
    return {
        "runs": _table(
            "runs",
            [
                own
                | {
                    "suite": entrant.suite,
                    "started_at": imported_at,
                    "status": "complete",
                    "scope": "decision",
                    "concurrency": 1,
                    "repeats": 1,
                    "warmups": 0,
                    "condition": "imported",
                    "dependent_sample": max(groups.values(), default=0) > 1,
                    "matrix_recorded": False,
                    "raw_truncated": False,
                    "events_truncated": False,
                    "source_sha256": digest,
                }
            ],
        ),
        "systems": _table(
            "systems",
            [
                own
                | {
                    "suite": entrant.suite,
                    "system": entrant.system,
                    "display_name": entrant.display_name,
                    "model": lines[0]["model"],
                    "settings": json.dumps(settings, sort_keys=True, separators=(",", ":")),
                    "endpoint_kind": entrant.endpoint_kind,
                    "probability_kind": "categorical"
                    if any(line.get("probs") for line in lines)
                    else "label_only",
                    "supersedes_run_id": supersedes,
                }
            ],
        ),
        "observations": _table(
            "observations",
            (key | {"sequence": number} for key, (number, _) in zip(call_key, numbered, strict=True)),
        ),
        "calls": _table("calls", (key | _call(line) for key, line in zip(call_key, lines, strict=True))),
        "probabilities": _table(
            "probabilities",
            (
                own
                | {
                    "observation_id": line["task_id"],
                    "option": option,
                    "probability": float(p) if type(p) in (int, float) and math.isfinite(p) else None,
                }
                for line in lines
                for option, p in (line.get("probs") or {}).items()
            ),
        ),
        "requests": _table(
            "requests",
            (
                own | {"observation_id": line["task_id"]} | _request(line, entrant.endpoint_kind)
                for line in lines
                if line["status"] != "skipped"
            ),
        ),
    }


def _call(line: dict[str, Any]) -> dict[str, Any]:
    sent = line["status"] != "skipped"
    latency_s = line.get("latency_s")
    milliseconds = None if latency_s is None else latency_s * 1000
    return {
        "terminal_sequence": 1,
        "status": line["status"],
        "answer": line.get("predicted"),
        "decision_ms": milliseconds,
        "wall_ms": milliseconds,
        "dispatched": sent,
        "usage_unknown": sent and not line.get("usage"),
        "request_count_complete": True,
        "sent_options_sha256": options_sha256(line["labels"]) if sent else None,
    }


def _request(line: dict[str, Any], endpoint_kind: str) -> dict[str, Any]:
    usage = line.get("usage") or {}
    latency_s, cost = line.get("latency_s"), line.get("cost_usd")
    local = endpoint_kind == "self_hosted"
    return {
        "request_sequence": 1,
        "purpose": "decision",
        "provider": "local" if local else "not recorded",
        "model": line["model"],
        "attempt": 1,
        "status": line["status"],
        "elapsed_ms": None if latency_s is None else latency_s * 1000,
        "input_tokens": usage.get("input_tokens"),
        "output_tokens": usage.get("output_tokens"),
        "billed_cost_usd": cost,
        "cost_status": "reported" if cost is not None else "not_applicable" if local else "unknown",
    }
