"""A small hand-made choice suite with one system, for tests that plant faults in it."""

from __future__ import annotations

from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from ingest.contract import TABLES
from ingest.landing import land
from ingest.project import Project

SUITE = "tiny-v1"
FROZEN_AT = datetime(2026, 2, 1)
CALLED_AT = datetime(2026, 3, 1)
PUBLIC, SEALED = 12, 14  # of one matched family, f

Rows = dict[str, list[dict[str, Any]]]


def suite_facts() -> Rows:
    """12 public and 14 sealed items with options a, b, c, d and gold a, and one retired item."""
    names = [f"p{n:02}" for n in range(PUBLIC)] + [f"s{n:02}" for n in range(SEALED)] + ["r00"]
    items, options, exposures = [], [], []
    for name in names:
        items.append({
            "run_id": "tiny-suite", "suite": SUITE, "item_id": name, "task": "choice", "track": "core",
            "family": "f", "difficulty": "easy", "question": "Which?",
            "gold": "a", "option_count": 4, "options_sha256": "abcd", "content_sha256": f"content-{name}",
            "partition": "test",
        })  # fmt: skip
        options += [{"run_id": "tiny-suite", "suite": SUITE, "item_id": name, "position": n, "option": o}
                    for n, o in enumerate("abcd", 1)]  # fmt: skip
        kind = {"p": "shown_publicly", "r": "outside_sealed_store"}.get(name[0])
        if kind:
            exposures.append({"run_id": "tiny-suite", "suite": SUITE, "item_id": name, "kind": kind,
                              "place": "page", "seen_at": datetime(2026, 1, 1)})  # fmt: skip
    return {"items": items, "item_options": options, "exposures": exposures}


def run_of(system: str = "sys", run_id: str = "run-1", **pinned: Any) -> Rows:
    """One measured pass of one hosted system: wrong on p00 and s00 alone, 0.8 sure, 1e-5 USD a call."""
    facts = suite_facts()
    rows: Rows = {name: [] for name in ("observations", "calls", "probabilities", "requests")}
    rows["runs"] = [{
        "run_id": run_id, "suite": SUITE, "started_at": CALLED_AT, "status": "complete", "scope": "decision",
        "concurrency": 1, "repeats": 1, "warmups": 0, "condition": "test", "dependent_sample": False,
        "matrix_recorded": True, "raw_truncated": False, "events_truncated": False,
    }]  # fmt: skip
    rows["systems"] = [{
        "run_id": run_id, "suite": SUITE, "system": system, "display_name": system.title(),
        "endpoint_kind": "hosted", "probability_kind": "categorical",
    } | pinned]  # fmt: skip
    scored = [i["item_id"] for i in facts["items"] if i["item_id"] != "r00"]
    for n, item in enumerate(scored, 1):
        key = {"run_id": run_id, "observation_id": f"measured:{item}:{system}:0"}
        common = key | {"suite": SUITE, "system": system, "item_id": item, "repeat": 0, "phase": "measured"}
        answer = "b" if item in ("p00", "s00") else "a"
        rows["observations"].append(common | {"sequence": n})
        rows["calls"].append(common | {
            "terminal_sequence": 1, "status": "ok", "answer": answer,
            "wall_ms": 100.0 + n, "decision_ms": 99.0 + n,
            "started_at": CALLED_AT + timedelta(seconds=n), "sent_options_sha256": "abcd", "dispatched": True,
        })  # fmt: skip
        rows["probabilities"] += [
            key | {"option": o, "probability": 0.8 if o == answer else 0.2 / 3} for o in "abcd"
        ]
        rows["requests"].append(key | {
            "request_sequence": 1, "purpose": "decision", "provider": "p", "attempt": 1, "status": "ok",
            "request_id": f"{run_id}-{system}-{item}", "billed_cost_usd": 1e-5, "cost_status": "reported",
        })  # fmt: skip
    return rows


def land_rows(project: Project, rows: Rows) -> None:
    """Land hand-made rows, each table under the run_id of its rows."""
    tables = {name: pa.Table.from_pylist(r, schema=_subset(name, r)) for name, r in rows.items() if r}
    run_id = next(iter(rows.values()))[0]["run_id"]
    land(project, run_id, tables, "hand-made")


def _subset(name: str, rows: list[dict[str, Any]]) -> pa.Schema:
    known = {key for row in rows for key in row}
    return pa.schema([f for f in TABLES[name].schema if f.name in known])


def freeze(project: Project) -> None:
    """Write the freeze of the suite and enter it on the board of the image method."""
    import duckdb

    facts = suite_facts()
    part = {"p": "public", "s": "sealed", "r": "retired"}
    items = pa.Table.from_pylist([i | {"part": part[i["item_id"][0]]} for i in facts["items"]])
    cells = duckdb.sql(
        "SELECT suite, track, part, family, difficulty, COUNT(*) AS n, "
        "SHA256(STRING_AGG(item_id || ':' || content_sha256, CHR(10) ORDER BY item_id)) AS digest "
        "FROM items GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    assert len(items) == PUBLIC + SEALED + 1
    header = (project.seeds / "freezes.csv").read_text().splitlines()[0]
    blank = "," * (header.count(",") - 8)
    lines = [",".join(map(str, cell)) + f",{FROZEN_AT},test{blank}" for cell in cells]
    (project.seeds / "freezes.csv").write_text("\n".join([header, *lines]) + "\n")
    with (project.seeds / "boards.csv").open("a") as boards:
        boards.write(f"{SUITE},image-v0.1\n")


def changed(rows: Rows, table: str, **changes: Any) -> Rows:
    """A deep copy of ``rows`` with the last row of ``table`` changed."""
    copy = deepcopy(rows)
    copy[table][-1] |= changes
    return copy
