"""Exposure records: where and when an item was seen outside the sealed store. They alone decide its part."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.errors import Refused
from ingest.freeze import read_freezes
from ingest.landing import land, read_register
from ingest.project import Project

FIELDS = ("item_id", "kind", "place", "seen_at", "note")
KEY = ("item_id", "kind", "place", "seen_at")


def exposure_effects(project: Project) -> dict[str, str]:
    """Kind of exposure to its effect on the part, from ``seeds/exposure_kinds.csv``."""
    with (project.seeds / "exposure_kinds.csv").open(newline="", encoding="utf-8") as handle:
        return {row["kind"]: row["effect"] for row in csv.DictReader(handle)}


def add_exposures(project: Project, suite: str, records: list[dict[str, Any]], file: object) -> str | None:
    """Land exposure records of a suite; return the run_id, or None when these very records have landed.

    Args:
        project: where to land.
        suite: suite of the items.
        records: ``FIELDS`` each, as text; ``note`` may be absent.
        file: what to call the records in an error.

    Raises:
        Refused: an unknown item or kind, a time that is not UTC or in the future, a record twice.
    """
    rows = [_checked(record, file, row) for row, record in enumerate(records, 1)]
    if not rows:
        raise Refused("holds no exposure", file=file, mend="one exposure a line")
    text = json.dumps([suite, rows], default=str, sort_keys=True)
    run_id = f"exposure.{suite}.{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    register = read_register(project)
    if any(line.run_id == run_id for line in register):
        return None
    known = _column(project, register, "items", suite, ("item_id",))
    if not known:
        raise Refused(f"there is no suite {suite}", mend="bring it in with: jevhouse suite import")
    effects = exposure_effects(project)
    recorded = _column(project, register, "exposures", suite, KEY)
    for number, row in enumerate(rows, 1):
        if (row["item_id"],) not in known:
            raise Refused(
                f"suite {suite} has no such item", file=file, row=number, field="item_id", mend="check the id"
            )
        if row["kind"] not in effects:
            raise Refused(
                "unknown kind", file=file, row=number, field="kind", mend=f"one of {', '.join(effects)}"
            )
        key = tuple(row[name] for name in KEY)
        if key in recorded:
            raise Refused("is on record already", file=file, row=number, mend="an exposure is recorded once")
        recorded.add(key)
    land(
        project,
        run_id,
        {"exposures": pa.Table.from_pylist([row | {"run_id": run_id, "suite": suite} for row in rows])},
        f"exposures of {suite}",
    )
    return run_id


def moves_a_frozen_item(project: Project, suite: str, kinds: set[str]) -> bool:
    """Whether exposures of these kinds take a frozen suite off its freeze."""
    effects = exposure_effects(project)
    return any(effects[kind] != "disclosed" for kind in kinds) and any(
        row.suite == suite for row in read_freezes(project)
    )


def read_exposures(file: Path) -> Iterator[dict[str, Any]]:
    """Records of a CSV (with a header) or JSON lines file."""
    if not file.is_file():
        raise Refused("is not there", file=file, mend="name a CSV or JSON lines file")
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".csv":
        yield from csv.DictReader(text.splitlines())
        return
    for row, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError:
                raise Refused("is not JSON", file=file, row=row, mend="one object a line") from None


def _checked(record: Any, file: object, row: int) -> dict[str, Any]:
    if not isinstance(record, dict) or not record.keys() <= set(FIELDS):
        raise Refused("has another field", file=file, row=row, mend=f"the fields are {', '.join(FIELDS)}")
    for field in KEY:
        if not isinstance(record.get(field), str) or not record[field].strip():
            raise Refused("is not a text", file=file, row=row, field=field, mend="fill it in")
    return {
        "item_id": record["item_id"],
        "kind": record["kind"],
        "place": " ".join(record["place"].split()),
        "seen_at": _utc(record["seen_at"], file, row),
        "note": record.get("note") or None,
    }


def _utc(text: str, file: object, row: int) -> datetime:
    """A time without a zone is UTC; a later one than now cannot have been seen."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Refused(
            "is not a time", file=file, row=row, field="seen_at", mend="as in 2026-09-21T14:00:00Z"
        ) from None
    at = at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
    if at > datetime.now(UTC).replace(tzinfo=None):
        raise Refused(
            "lies in the future", file=file, row=row, field="seen_at", mend="record it when it is seen"
        )
    return at


def _column(project: Project, register: list, table: str, suite: str, names: tuple[str, ...]) -> set[tuple]:
    found = set()
    for line in register:
        if line.table_name == table:
            for row in pq.read_table(project.warehouse / line.path, columns=["suite", *names]).to_pylist():
                if row["suite"] == suite:
                    found.add(tuple(row[name] for name in names))
    return found
