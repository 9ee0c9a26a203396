"""Writes an Arrow table in the formats that data people and other people read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.errors import Refused
from ingest.project import write_atomically

DATA_FORMATS = ("csv", "json", "parquet")


def encode(rows: pa.Table, form: str) -> bytes:
    """Return ``rows`` as csv, json (a list of objects) or parquet, in full precision, columns as given."""
    if form == "parquet":
        sink = io.BytesIO()
        pq.write_table(rows, sink, compression="zstd")
        return sink.getvalue()
    records = rows.to_pylist()
    if form == "json":
        return (json.dumps(records, indent=1, ensure_ascii=False, default=str) + "\n").encode()
    text = io.StringIO()
    writer = csv.DictWriter(text, rows.column_names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().encode()


def write(path: Path, data: bytes) -> None:
    """Write ``data`` where the user says: a file whole or not at all, a pipe or a device as it comes.

    Raises:
        Refused: the path is a folder, or cannot be written.
    """
    if path.is_dir():
        raise Refused("is a folder", file=path, mend="name a file")
    try:
        path = path.resolve()  # what a link points to is replaced, not the link
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    except OSError as error:
        raise Refused(f"cannot be written: {error.strerror}", file=path, mend="name another place") from None


def rounded(value: object, digits: int) -> str:
    """A number for people; unknown is n/a."""
    if value is None:
        return "n/a"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def significant(value: float | None) -> str:
    """Three significant digits, for figures that span decades; unknown is n/a."""
    return "n/a" if value is None else f"{value:.3g}"
