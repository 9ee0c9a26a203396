"""Imports aggregates that others published: one CSV line per track and system.

The columns are those of the image board's own table. What the publication computed (axes, composite, rank) is
landed beside its ingredients for comparison; the board's figures are computed here, from the ingredients.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.contract import PROBABILITY_KINDS, TABLES
from ingest.errors import Refused
from ingest.landing import land, read_register
from ingest.project import Project
from ingest.standing import rejected_runs

KINDS = {"gpu": "self_hosted", "api": "hosted", "demo": "demo"}


def _text(cell: str) -> str:
    if not cell.strip():
        raise ValueError("is empty")
    return cell


def _kind(cell: str) -> str:
    if cell not in KINDS:
        raise ValueError(f"is {cell!r}, not one of {', '.join(KINDS)}")
    return KINDS[cell]


def _probability_kind(cell: str) -> str:
    if cell not in PROBABILITY_KINDS:
        raise ValueError(f"is {cell!r}, not one of {', '.join(PROBABILITY_KINDS)}")
    return cell


def _flag(cell: str) -> bool:
    if cell not in ("0", "1"):
        raise ValueError(f"is {cell!r}, not 0 or 1")
    return cell == "1"


def _count(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError(f"is {cell!r}, not a whole number")
    return int(cell)


def _number(low: float = -math.inf, high: float = math.inf) -> Callable[[str], float]:
    def read(cell: str) -> float:
        try:
            value = float(cell)
        except ValueError:
            raise ValueError(f"is {cell!r}, not a number") from None
        if not math.isfinite(value):
            raise ValueError(f"is {cell!r}, not a finite number")
        if not low <= value <= high:
            raise ValueError(f"is {cell}, outside {low:g} to {high:g}")
        return value

    return read


def _positive(cell: str) -> float:
    value = _number(0)(cell)
    if not value:
        raise ValueError("is zero; an unknown value is a blank cell")
    return value


_SHARE, _POINTS = _number(0, 1), _number(0, 100)

# CSV column -> field of published_results, how to read it, whether a blank is refused.
COLUMNS: dict[str, tuple[str, Callable[[str], Any], bool]] = {
    "track": ("track", _text, True),
    "key": ("system", _text, True),
    "name": ("display_name", _text, True),
    "kind": ("endpoint_kind", _kind, True),
    "api_flag": ("api_flag", _flag, False),
    "ranked": ("ranked", _flag, False),
    "rank": ("published_rank", _count, False),
    "score": ("published_composite", _POINTS, False),
    "intelligence": ("published_intelligence", _POINTS, False),
    "calibration": ("published_calibration", _POINTS, False),
    "speed": ("published_speed", _POINTS, False),
    "cost": ("published_cost", _POINTS, False),
    "public_n": ("public_n", _count, True),
    "public_correct": ("public_correct", _count, True),
    "public_ece": ("public_ece", _SHARE, False),
    "public_prob_cov": ("public_probability_coverage", _SHARE, False),
    "sealed_n": ("sealed_n", _count, True),
    "sealed_correct": ("sealed_correct", _count, True),
    "sealed_ece": ("sealed_ece", _SHARE, False),
    "sealed_prob_cov": ("sealed_probability_coverage", _SHARE, False),
    "matched_gap_pp": ("matched_gap_pp", _number(-100, 100), False),
    "p50_s": ("p50_s", _positive, False),
    "p95_s": ("p95_s", _positive, False),
    "adjusted_p50_s": ("published_adjusted_p50_s", _positive, False),
    "adjusted_p95_s": ("published_adjusted_p95_s", _positive, False),
    "usd_per_1000": ("usd_per_1000", _positive, False),
    "receipt_coverage": ("receipt_coverage", _SHARE, False),
    "cost_source": ("cost_source", _text, False),
    "note": ("note", _text, False),
    "source": ("source", _text, True),
}
# Follow from the others, so they are read over.
DERIVED = (
    "board",
    "capability",
    "public_accuracy",
    "sealed_accuracy",
    "gap_screenspot_pp",
    "gap_everyday_pp",
    "penalty_multiplier",
    "gate_i",
    "gate_s",
    "gate_c",
)
OPTIONAL: dict[str, tuple[str, Callable[[str], Any], bool]] = {
    "probability_kind": ("probability_kind", _probability_kind, False),
    "suite": ("suite", _text, False),
}


def import_published(project: Project, file: Path, suite: str) -> str | None:
    """Land the lines of a CSV as ``published_results``.

    Args:
        project: where to land.
        file: CSV with the columns of ``COLUMNS`` (those of ``DERIVED`` and ``OPTIONAL`` may be there too).
        suite: benchmark of the lines that name none.

    Returns:
        The run id, or None when exactly this file has landed already.

    Raises:
        Refused: a malformed cell, two lines for one system on one track, or a system that has landed before.
    """
    try:
        content = file.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise Refused("cannot be read", file=file, mend=error.strerror or "check the path") from None
    except UnicodeDecodeError:
        raise Refused("is not UTF-8 text", file=file, mend="save it as UTF-8") from None
    run_id = f"published.{hashlib.sha256(suite.encode() + b'/' + content).hexdigest()[:16]}"
    if any(line.run_id == run_id for line in read_register(project)):
        return None
    rows = _read(text, file, suite)
    landed = _landed(project)
    first: dict[tuple[str, str, str], int] = {}
    for number, row in rows:
        key = (row["suite"], row["track"], row["system"])
        if key in landed:
            raise Refused(
                f"{row['system']} on track {row['track']} has landed already, with {landed[key]}",
                file=file,
                row=number,
                field="key",
                mend="to replace that publication, reject its run in seeds/rejections.csv first",
            )
        if key in first:
            raise Refused(
                f"a second line for {row['system']} on track {row['track']}, after row {first[key]}",
                file=file,
                row=number,
                field="key",
                mend="keep one",
            )
        first[key] = number
    table = TABLES["published_results"]
    data = pa.Table.from_pylist([{"run_id": run_id} | row for _, row in rows], schema=table.schema)
    land(project, run_id, {"published_results": data}, f"published aggregates, {file.name}")
    return run_id


def _read(text: str, file: Path, suite: str) -> list[tuple[int, dict[str, Any]]]:
    """Rows with their line numbers (the header is row 1)."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = next(reader, [])
    known = COLUMNS | OPTIONAL
    for name in header:
        if header.count(name) > 1:
            raise Refused("stands twice in the header", file=file, row=1, field=name, mend="keep one")
        if name not in known and name not in DERIVED:
            mend = f"the columns are {', '.join([*COLUMNS, *OPTIONAL])}"
            raise Refused("unknown column", file=file, row=1, field=name, mend=mend)
    for name in COLUMNS:
        if name not in header:
            raise Refused("column is absent", file=file, row=1, field=name, mend="add it to the header")
    rows = []
    try:
        for cells in reader:
            if len(cells) != len(header):
                raise Refused(
                    f"{len(cells)} cells under a header of {len(header)}",
                    file=file,
                    row=reader.line_num,
                    mend="complete the line",
                )
            by_name = dict(zip(header, cells, strict=True))
            rows.append((reader.line_num, _row(by_name, file, reader.line_num, suite)))
    except csv.Error as error:
        raise Refused(f"not CSV: {error}", file=file, row=reader.line_num, mend="quote it anew") from None
    if not rows:
        raise Refused("holds no line", file=file, mend="add one line per track and system")
    return rows


def _row(cells: dict[str, str], file: Path, number: int, suite: str) -> dict[str, Any]:
    row: dict[str, Any] = {"suite": suite}
    for name, (target, read, required) in (COLUMNS | OPTIONAL).items():
        cell = cells.get(name, "")
        if not cell and not required:
            row.setdefault(target, None)
            continue
        try:
            row[target] = read(cell)
        except ValueError as error:
            raise Refused(str(error), file=file, row=number, field=name, mend="correct the cell") from None
    for part in ("public", "sealed"):
        if row[f"{part}_correct"] > row[f"{part}_n"]:
            raise Refused(
                f"{row[f'{part}_correct']} right answers of {row[f'{part}_n']} items",
                file=file,
                row=number,
                field=f"{part}_correct",
                mend="correct the cell",
            )
    if row["probability_kind"] is None:
        covered = any(row[f"{part}_probability_coverage"] for part in ("public", "sealed"))
        row["probability_kind"] = "categorical" if covered else "label_only"
    return row


def _landed(project: Project) -> dict[tuple[str, str, str], str]:
    """Run that brought each suite, track and system that has landed and is not rejected."""
    rejected = rejected_runs(project)
    landed = {}
    for line in read_register(project):
        if line.table_name == "published_results" and line.run_id not in rejected:
            keys = pq.read_table(project.warehouse / line.path, columns=["suite", "track", "system"])
            landed |= {tuple(key.values()): line.run_id for key in keys.to_pylist()}
    return landed
