"""The board as one page that needs no network: data, code and style inside, downloads beside it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa

from ingest.project import Project
from reports import formats
from reports.leaderboard import WATERMARK
from reports.warehouse import Published, read_published

# Significant digits in the page, 7 unless said: all of the leaderboard's, few of what is only drawn. The
# downloads have every digit.
DIGITS = {"leaderboard": None, "latency_distribution": 4, "reliability": 5}
DATA_FOLDER = "data"


def export_site(project: Project, out: Path, unaudited: bool = False) -> Path:
    """Write ``index.html`` and ``data/`` (every board table as CSV and Parquet) to the folder ``out``.

    Raises:
        Refused: the latest audit failed, is absent or saw another state, unless ``unaudited``: then every
            view of the page is watermarked.
    """
    published = read_published(project, unaudited)
    sizes: dict[str, dict[str, int]] = {}
    for name, rows in published.boards.items():
        for form in ("csv", "parquet"):
            data = formats.encode(rows, form)
            formats.write(out / DATA_FOLDER / f"{name}.{form}", data)
            sizes.setdefault(name, {})[form] = len(data)
    index = out / "index.html"
    formats.write(index, page(published, sizes, WATERMARK if unaudited else "").encode())
    return index


def page(published: Published, sizes: dict[str, dict[str, int]], watermark: str) -> str:
    """Return the page. ``sizes`` is bytes by table and format of the downloads."""
    content = {
        "watermark": watermark,
        "state": published.state,
        "tables": {name: columnar(name, rows) for name, rows in published.boards.items()},
        "models": published.models,
        "columns": published.columns,
        "downloads": [
            {"table": name, "rows": len(rows), "bytes": sizes.get(name, {})}
            for name, rows in published.boards.items()
        ],
    }
    # "<" as an escape: no text of a board can end the data block.
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=str).replace("<", "\\u003c")
    here = files(__name__)
    script, style, frame = (
        here.joinpath(n).read_text("utf-8") for n in ("app.js", "style.css", "frame.html")
    )
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"POLICY": html.escape(policy, quote=True), "STYLE": style, "SCRIPT": script, "DATA": data}
    for name, text in parts.items():
        frame = frame.replace(f"{{{{{name}}}}}", text, 1)
    return frame


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def columnar(name: str, rows: pa.Table) -> dict[str, Any]:
    """Columns of a table, each in the shortest of three forms.

    ``{"v": values, "n": lengths}`` for runs of one value, ``{"d": distinct values, "i": places}`` for few
    distinct ones, else the list of the values.
    """
    digits = DIGITS.get(name, 7)
    columns = {}
    for column in rows.column_names:
        values = rows[column].to_pylist()
        if digits is not None:
            values = [float(f"{v:.{digits}g}") if isinstance(v, float) else v for v in values]
        values = [int(v) if isinstance(v, float) and v.is_integer() else v for v in values]
        runs = [(value, len(list(run))) for value, run in groupby(values)]
        distinct = list(dict.fromkeys(values))
        if len(runs) * 2 < len(values):
            columns[column] = {"v": [value for value, _ in runs], "n": [length for _, length in runs]}
        elif len(distinct) * 3 < len(values):
            place = {value: n for n, value in enumerate(distinct)}
            columns[column] = {"d": distinct, "i": [place[v] for v in values]}
        else:
            columns[column] = values
    return {"n": len(rows), "columns": columns}
