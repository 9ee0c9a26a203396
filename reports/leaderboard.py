"""The leaderboard as data and as tables for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pyarrow as pa
from rich import box
from rich.markup import escape
from rich.table import Table

from ingest.errors import Refused
from ingest.project import Project
from reports.formats import rounded, significant
from reports.warehouse import read_board

WATERMARK = "UNAUDITED"


def leaderboard(
    project: Project, method: str | None, suite: str | None, track: str | None, unaudited: bool = False
) -> pa.Table:
    """Return ``board.leaderboard`` in its own column order, best first on each board.

    Args:
        project: whose board.
        method: only this method, if given; likewise ``suite`` and ``track``.
        unaudited: export whatever the audit says, with a column ``watermark``.
    """
    watermark = f", '{WATERMARK}' AS watermark" if unaudited else ""
    rows = read_board(
        project,
        f"SELECT *{watermark} FROM board.leaderboard WHERE method = COALESCE(?, method) "
        "AND suite = COALESCE(?, suite) AND track = COALESCE(?, track) "
        "ORDER BY method, suite, track, rank NULLS LAST, composite DESC NULLS LAST, system",
        [method, suite, track],
        unaudited,
    )
    if not len(rows):
        asked = [f"{k} {v}" for k, v in (("method", method), ("suite", suite), ("track", track)) if v]
        raise Refused(
            f"no board row{' for ' + ', '.join(asked) if asked else ''}",
            mend="see: jevhouse sql 'SELECT DISTINCT method, suite, track FROM board.leaderboard'",
        )
    return rows


def _boards(rows: pa.Table) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for key, group in groupby(rows.to_pylist(), lambda r: (r["method"], r["suite"], r["track"])):
        yield f"{key[1]} · track {key[2]} · method {key[0]}", list(group)


HEADINGS = (
    "#",
    "system",
    "composite",
    "intelligence",
    "calibration",
    "speed",
    "cost",
    "gates",
    "gap pp",
    "public",
    "sealed",
    "p50 s",
    "p95 s",
    "$/1000",
    "receipts",
    "evidence",
)


def _cells(row: dict[str, Any]) -> list[str]:
    gates = [
        f"{name} ×{row[column]:.2f}"
        for name, column in (("I", "gate_intelligence"), ("S", "gate_speed"), ("C", "gate_cost"))
        if row[column] is not None and row[column] < 1
    ]
    return [
        rounded(row["rank"], 0) if row["ranked"] else "–",
        row["display_name"],
        rounded(row["composite"], 2),
        *(rounded(row[axis], 1) for axis in ("intelligence", "calibration", "speed", "cost")),
        ", ".join(gates),
        rounded(row["matched_gap_pp"], 1),
        _hits(row["public_correct"], row["public_n"]),
        _hits(row["sealed_correct"], row["sealed_n"]),
        significant(row["p50_s"]),
        significant(row["p95_s"]),
        significant(row["usd_per_1000"]),
        "" if row["receipt_coverage"] in (None, 1.0) else rounded(row["receipt_coverage"], 3),
        row["evidence_level"],
    ]


def _hits(correct: int | None, count: int | None) -> str:
    """Right answers of frozen items; n/a where the suite has no such part."""
    return "n/a" if count is None else f"{rounded(correct, 0)}/{count}"


def _unranked(records: list[dict[str, Any]]) -> list[str]:
    return [f"{r['display_name']} is not ranked: {r['unranked_reason']}" for r in records if not r["ranked"]]


# What a narrow terminal shows: rank, system, composite, axes, hits; the rest is in the data formats.
NARROW = {
    0: "#",
    1: "system",
    2: "comp.",
    3: "intel.",
    4: "calib.",
    5: "speed",
    6: "cost",
    9: "public",
    10: "sealed",
}
WIDE_FROM = 150


def terminal_tables(rows: pa.Table, width: int) -> list[Table]:
    """One table a board; boards of different suites or methods never share one.

    Args:
        rows: as ``leaderboard`` returns them.
        width: columns of the terminal; below 150 only the main figures are shown.
    """
    shown = dict(enumerate(HEADINGS)) if width >= WIDE_FROM else NARROW
    tables = []
    for title, records in _boards(rows):
        table = Table(
            title=escape(_marked(title, records)),
            title_justify="left",
            caption=escape("\n".join(_unranked(records) + _disclosed(records))) or None,
            caption_justify="left",
            box=box.SIMPLE_HEAD if width < WIDE_FROM else box.HEAVY_HEAD,
            padding=(0, 1) if width >= WIDE_FROM else (0, 0, 0, 1),
        )
        for number, heading in shown.items():
            table.add_column(
                heading,
                justify="left" if number in (1, 7, 15) else "right",
                overflow="fold",
                no_wrap=number != 1,
            )
        for record in records:
            cells = _cells(record)
            table.add_row(*(escape(cells[number]) for number in shown))
        tables.append(table)
    return tables


def markdown(rows: pa.Table) -> str:
    blocks = []
    for title, records in _boards(rows):
        lines = [
            f"### {_marked(title, records)}",
            "",
            f"| {' | '.join(HEADINGS)} |",
            "|" + " --- |" * len(HEADINGS),
        ]
        cells = ([cell.replace("|", "\\|") for cell in _cells(record)] for record in records)
        lines += [f"| {' | '.join(row)} |" for row in cells]
        lines += [line for reason in _unranked(records) for line in ("", reason)]
        lines += ["", *(f"- {line}" for line in _disclosed(records))] if _disclosed(records) else []
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _disclosed(records: list[dict[str, Any]]) -> list[str]:
    """What a reader must know of the entrants, one line each, and of what is withheld."""
    lines = [f"{r['display_name']}: {r['disclosures']}" for r in records if r["disclosures"]]
    if any(r["suppressed"] for r in records):
        lines.append("n/a: unknown, or withheld because it would tell of too few sealed items")
    return lines


def _marked(title: str, records: list[dict[str, Any]]) -> str:
    return f"{WATERMARK} · {title}" if "watermark" in records[0] else title
