"""Imports aggregates that others published: one CSV line per track and system.

The columns are those of the image board's own table. What the publication computed (axes, composite, rank) is
landed beside its ingredients for comparison; the board's figures are computed here, from the ingredients.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.contract import PROBABILITY_KINDS, TABLES
from ingest.errors import Refused
from ingest.freeze import read_freezes
from ingest.importers.reading import KEY, KEY_RULE, LINE_LENGTH, is_line, read_text, shown
from ingest.landing import land, read_register
from ingest.project import Project
from ingest.standing import rejected_runs

KINDS = {"gpu": "self_hosted", "api": "hosted", "demo": "demo"}


def _text(cell: str) -> str:
    if not cell.strip():
        raise ValueError("is empty")
    if not is_line(cell):
        raise ValueError(f"is not one line of at most {LINE_LENGTH} printable characters")
    return cell


def _key(cell: str) -> str:
    if not KEY.fullmatch(_text(cell)):
        raise ValueError(f"is not a key: {KEY_RULE}")
    return cell


def _kind(cell: str) -> str:
    if cell not in KINDS:
        raise ValueError(f"is '{shown(cell)}', not one of {', '.join(KINDS)}")
    return KINDS[cell]


def _probability_kind(cell: str) -> str:
    if cell not in PROBABILITY_KINDS:
        raise ValueError(f"is '{shown(cell)}', not one of {', '.join(PROBABILITY_KINDS)}")
    return cell


def _flag(cell: str) -> bool:
    if cell not in ("0", "1"):
        raise ValueError(f"is '{shown(cell)}', not 0 or 1")
    return cell == "1"


def _count(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError(f"is '{shown(cell)}', not a whole number")
    if len(cell) > 12:
        raise ValueError("is too large a number")
    return int(cell)


def _number(low: float = -math.inf, high: float = math.inf) -> Callable[[str], float]:
    def read(cell: str) -> float:
        try:
            value = float(cell)
        except ValueError:
            value = None
        # Python reads 1_0 as 10, and digits of every script.
        if value is None or "_" in cell or not cell.isascii():
            raise ValueError(f"is '{shown(cell)}', not a number")
        if not math.isfinite(value):
            raise ValueError(f"is '{shown(cell)}', not a finite number")
        if not low <= value <= high:
            raise ValueError(f"is '{shown(cell)}', outside {low:g} to {high:g}")
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
    "track": ("track", _key, True),
    "key": ("system", _key, True),
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
    "suite": ("suite", _key, False),
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
        Refused: a malformed cell, two lines for one system on one track, a system that has landed before, or
            a part of another size than the suite's.
    """
    if not KEY.fullmatch(suite):
        raise Refused("cannot name a suite", field="--suite", mend=KEY_RULE)
    content, text = read_text(file)
    run_id = f"published.{hashlib.sha256(suite.encode() + b'/' + content).hexdigest()[:16]}"
    if any(line.run_id == run_id for line in read_register(project)):
        return None
    rows = _read(text, file, suite)
    landed = landed_results(project)
    sizes = _part_sizes(project)
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
        _refuse_other_sizes(row, sizes, file, number)
    table = TABLES["published_results"]
    data = pa.Table.from_pylist([{"run_id": run_id} | row for _, row in rows], schema=table.schema)
    land(project, run_id, {"published_results": data}, f"published aggregates, {file.name}")
    return run_id


def _read(text: str, file: Path, suite: str) -> list[tuple[int, dict[str, Any]]]:
    """Rows with their line numbers (the header is row 1); blank lines are read over."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        lines = [(reader.line_num, cells) for cells in reader if cells[1:] or "".join(cells).strip()]
    except csv.Error as error:
        raise Refused(f"not CSV: {error}", file=file, row=reader.line_num, mend="quote it anew") from None
    if not lines:
        raise Refused("is empty", file=file, mend="add a header and one line per track and system")
    (header_number, header), *lines = lines
    _refuse_other_header(header, file, header_number)
    rows = []
    for number, cells in lines:
        if len(cells) != len(header):
            raise Refused(
                f"{len(cells)} cells under a header of {len(header)}",
                file=file,
                row=number,
                mend="complete the line",
            )
        rows.append((number, _row(dict(zip(header, cells, strict=True)), file, number, suite)))
    if not rows:
        raise Refused("holds no line", file=file, mend="add one line per track and system")
    return rows


def _refuse_other_header(header: list[str], file: Path, number: int) -> None:
    for mark, word in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and mark in header[0]:
            raise Refused(f"columns are parted by {word}", file=file, row=number, mend="save it with commas")
    known = COLUMNS | OPTIONAL
    for name in header:
        if name not in known and name not in DERIVED:
            mend = f"the columns are {', '.join([*COLUMNS, *OPTIONAL])}"
            raise Refused("unknown column", file=file, row=number, field=shown(name), mend=mend)
        if header.count(name) > 1:
            raise Refused("stands twice in the header", file=file, row=number, field=name, mend="keep one")
    for name in COLUMNS:
        if name not in header:
            raise Refused("column is absent", file=file, row=number, field=name, mend="add it to the header")


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
    for kind in ("", "adjusted_"):
        target = COLUMNS[f"{kind}p50_s"][0], COLUMNS[f"{kind}p95_s"][0]
        p50_s, p95_s = (row[name] for name in target)
        if p50_s is not None and p95_s is not None and p95_s < p50_s:
            raise Refused(
                f"{p95_s:g} s is below the p50 of {p50_s:g} s",
                file=file,
                row=number,
                field=f"{kind}p95_s",
                mend="correct the cell",
            )
    if row["probability_kind"] is None:
        covered = any(row[f"{part}_probability_coverage"] for part in ("public", "sealed"))
        row["probability_kind"] = "categorical" if covered else "label_only"
    return row


def published_parts(project: Project) -> dict[tuple[str, str, str], int]:
    """Items of each suite, track and part in ``seeds/published_parts.csv``."""
    with (project.seeds / "published_parts.csv").open(newline="", encoding="utf-8") as handle:
        return {(r["suite"], r["track"], r["part"]): int(r["item_count"]) for r in csv.DictReader(handle)}


def _part_sizes(project: Project) -> dict[tuple[str, str, str], int]:
    """Items of each suite, track and part that is known: as published, or as frozen here."""
    frozen: Counter[tuple[str, str, str]] = Counter()
    for freeze in read_freezes(project):
        for track in (freeze.track, "all"):
            frozen[freeze.suite, track, freeze.part] += freeze.item_count
    return {**published_parts(project), **frozen}


def _refuse_other_sizes(
    row: dict[str, Any], sizes: dict[tuple[str, str, str], int], file: Path, number: int
) -> None:
    """A row's denominators must be the sizes of its suite's parts, if the suite is known."""
    suite, track = row["suite"], row["track"]
    tracks = sorted({known[1] for known in sizes if known[0] == suite})
    if tracks and track not in tracks:
        raise Refused(
            f"suite {suite} has no such track",
            file=file,
            row=number,
            field="track",
            mend=f"one of {', '.join(tracks)}",
        )
    for part in ("public", "sealed"):
        size = sizes.get((suite, track, part), 0)
        if tracks and (row[f"{part}_n"] != size or not size):
            raise Refused(
                f"{row[f'{part}_n']} items, but the {part} part of {suite} on track {track} has {size}",
                file=file,
                row=number,
                field=f"{part}_n",
                mend="a right answer counts against every item of the part; other items are another suite",
            )


def landed_results(project: Project) -> dict[tuple[str, str, str], str]:
    """Run that brought each suite, track and system that has landed and is not rejected."""
    rejected = rejected_runs(project)
    landed = {}
    for line in read_register(project):
        if line.table_name == "published_results" and line.run_id not in rejected:
            keys = pq.read_table(project.warehouse / line.path, columns=["suite", "track", "system"])
            landed |= {tuple(key.values()): line.run_id for key in keys.to_pylist()}
    return landed
