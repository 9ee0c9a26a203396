"""Suites of choice items: read from a file, checked, landed in the sealed store, hashed again from there."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from PIL import Image

from ingest.errors import Refused
from ingest.freeze import read_freezes
from ingest.items import content_sha256, options_sha256
from ingest.landing import RUN_ID_RULE, land, read_register, sha256_of
from ingest.project import Project, write_atomically

OPTIONS = (2, 26)
TEXTS = ("item_id", "track", "family", "difficulty", "question", "gold")
FIELDS = {*TEXTS, "options", "image"}
ITEM_ID_RULE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


@dataclass(frozen=True)
class Item:
    """One item as its file states it; its content never appears in an error."""

    item_id: str
    track: str
    family: str
    difficulty: str
    question: str
    options: tuple[str, ...]
    gold: str
    image: bytes | None
    row: int  # in the file, from 1

    @property
    def image_sha256(self) -> str | None:
        return None if self.image is None else hashlib.sha256(self.image).hexdigest()

    @property
    def content_sha256(self) -> str:
        return content_sha256(self.question, self.options, self.gold, self.image_sha256)

    @property
    def substance(self) -> tuple:
        """What makes two items the same question, whatever the order of the options and the gold."""
        return self.question, tuple(sorted(self.options)), self.image_sha256


def import_suite(project: Project, file: Path, suite: str) -> str | None:
    """Land the items of a file as part of a suite; return the run_id, or None when it has landed before.

    Raises:
        Refused: an item breaks a rule, repeats another, or the suite is frozen; nothing is landed then.
    """
    if not RUN_ID_RULE.fullmatch(suite) or len(suite) > 80:
        raise Refused(
            f"{suite!r} cannot name a suite", mend="letters, digits, dot, dash, underscore; at most 80"
        )
    if not file.is_file():
        raise Refused("is not there", file=file, mend="name a JSON lines or Parquet file")
    run_id = f"suite.{suite}.{sha256_of(file)[:12]}"
    if any(line.run_id == run_id for line in read_register(project)):
        return None
    refuse_frozen(project, suite)
    items = list(read_items(file))
    if not items:
        raise Refused("holds no item", file=file, mend="one item a line")
    _refuse_repeated(items, landed_items(project, suite), file)
    rows = [
        {
            "item_id": i.item_id,
            "task": "choice",
            "track": i.track,
            "family": i.family,
            "difficulty": i.difficulty,
            "question": i.question,
            "gold": i.gold,
            "option_count": len(i.options),
            "options_sha256": options_sha256(i.options),
            "content_sha256": i.content_sha256,
            "image_sha256": i.image_sha256,
            "image_path": None if i.image is None else _store_image(project, suite, i.image),
            "partition": "test",
        }
        for i in items
    ]
    land_items(project, run_id, suite, rows, {i.item_id: i.options for i in items}, f"items of {file.name}")
    return run_id


def land_items(
    project: Project,
    run_id: str,
    suite: str,
    rows: list[dict[str, Any]],
    options: dict[str, Iterable[str]],
    source: str,
    exposures: list[dict[str, Any]] | None = None,
) -> None:
    """Land items with their options in order, and exposures that they bring along."""
    own = {"run_id": run_id, "suite": suite}
    tables = {
        "items": pa.Table.from_pylist([row | own for row in rows]),
        "item_options": pa.Table.from_pylist(
            [
                own | {"item_id": row["item_id"], "position": n, "option": option}
                for row in rows
                for n, option in enumerate(options[row["item_id"]], 1)
            ]
        ),
    }
    if exposures:
        tables["exposures"] = pa.Table.from_pylist([row | own for row in exposures])
    land(project, run_id, tables, source)


def refuse_frozen(project: Project, suite: str) -> None:
    if any(row.suite == suite for row in read_freezes(project)):
        raise Refused(
            f"suite {suite} is frozen: no item joins it",
            file="seeds/freezes.csv",
            mend="a change is a new suite version, with a name of its own",
        )


def read_items(file: Path) -> Iterator[Item]:
    """Items of a JSON lines or Parquet file, each checked by itself.

    Raises:
        Refused: names file, row and field, never what stands there.
    """
    records = _parquet_records(file) if file.suffix == ".parquet" else _json_records(file)
    for row, record in records:
        yield _item(record, file, row)


def _json_records(file: Path) -> Iterator[tuple[int, Any]]:
    for row, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if line.strip():
            try:
                yield row, json.loads(line)
            except ValueError:
                raise Refused("is not JSON", file=file, row=row, mend="one object a line") from None


def _parquet_records(file: Path) -> Iterator[tuple[int, Any]]:
    try:
        data = pq.read_table(file)
    except (pa.ArrowException, OSError):
        raise Refused("is not Parquet", file=file, mend="write it anew") from None
    yield from enumerate(data.to_pylist(), 1)


def _item(record: Any, file: Path, row: int) -> Item:
    def refuse(problem: str, field: str = "", mend: str = "see docs/suites.md") -> Refused:
        return Refused(problem, file=file, row=row, field=field, mend=mend)

    if not isinstance(record, dict):
        raise refuse("is not an object")
    if not record.keys() <= FIELDS:
        raise refuse("an item has no such field", next(f for f in record if f not in FIELDS)[:40])
    for field in TEXTS:
        if not isinstance(record.get(field), str) or not record[field].strip() or _broken(record[field]):
            raise refuse("is not a text", field)
    if not ITEM_ID_RULE.fullmatch(record["item_id"]):
        raise refuse("cannot name an item", "item_id", "letters, digits, dot, dash, underscore; at most 120")
    for field in ("track", "family", "difficulty"):
        if not record[field].isprintable() or len(record[field]) > 80:
            raise refuse("is not a short name", field)
    if record["track"] == "all":
        raise refuse("is the name of the board over all tracks", "track")
    options = record.get("options")
    if not isinstance(options, list) or not all(
        isinstance(o, str) and o.strip() and not _broken(o) for o in options
    ):
        raise refuse("is not a list of texts", "options")
    if not OPTIONS[0] <= len(options) <= OPTIONS[1]:
        raise refuse(f"holds {len(options)} options", "options", f"an item has {OPTIONS[0]} to {OPTIONS[1]}")
    if len(set(options)) < len(options):
        raise refuse("names an option twice", "options")
    if record["gold"] not in options:
        raise refuse("is none of the options", "gold")
    image = record.get("image")
    if image is not None and not isinstance(image, str):
        raise refuse("is not a path", "image")
    return Item(
        **{field: record[field] for field in TEXTS},
        options=tuple(options),
        image=None if image is None else _image_bytes(file, row, image),
        row=row,
    )


def _broken(text: str) -> bool:
    """Whether the text holds half a character, which JSON can write and UTF-8 cannot."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def _image_bytes(file: Path, row: int, name: str) -> bytes:
    folder = file.resolve().parent
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise Refused(
            "leads out of the folder", file=file, row=row, field="image", mend="keep images beside the file"
        )
    try:
        data = path.read_bytes()
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Refused(
            "is not a readable image", file=file, row=row, field="image", mend="a path beside the file"
        ) from None
    return data


def _refuse_repeated(items: list[Item], landed: dict[str, LandedItem], file: Path) -> None:
    ids = dict.fromkeys(landed, "the suite")
    substances = {i.substance: f"item {i.item_id} of the suite" for i in landed.values()}
    for item in items:
        if item.item_id in ids:
            raise Refused(
                f"item {item.item_id} stands in {ids[item.item_id]} already",
                file=file, row=item.row, field="item_id", mend="ids are unique within a suite",
            )  # fmt: skip
        if item.substance in substances:
            raise Refused(
                f"item {item.item_id} asks what {substances[item.substance]} asks",
                file=file, row=item.row, mend="keep one; question, options and image make an item",
            )  # fmt: skip
        ids[item.item_id] = f"row {item.row}"
        substances[item.substance] = f"item {item.item_id} in row {item.row}"


def _store_image(project: Project, suite: str, data: bytes) -> str:
    """Keep an image in the sealed store, named by its hash; return its path relative to the warehouse."""
    folder = project.warehouse / "sealed" / "images" / suite
    folder.mkdir(parents=True, exist_ok=True)
    for private in (folder.parent.parent, folder.parent, folder):
        private.chmod(0o700)
    path = folder / hashlib.sha256(data).hexdigest()
    if not path.exists():
        write_atomically(path, data)
    return path.relative_to(project.warehouse).as_posix()


@dataclass(frozen=True)
class LandedItem:
    """One item as it lies in the sealed store."""

    row: dict[str, Any]  # of the table items
    options: tuple[str, ...]

    @property
    def item_id(self) -> str:
        return self.row["item_id"]

    @property
    def substance(self) -> tuple:
        return self.row["question"], tuple(sorted(self.options)), self.row["image_sha256"]


def landed_items(project: Project, suite: str) -> dict[str, LandedItem]:
    """The items of a suite by id, read from the registered files of the sealed store."""
    rows: dict[str, list[dict[str, Any]]] = {"items": [], "item_options": []}
    for line in read_register(project):
        if line.table_name in rows:
            try:
                data = pq.read_table(project.warehouse / line.path)
            except (pa.ArrowException, OSError):
                raise Refused(
                    "registered evidence cannot be read",
                    file=f"warehouse/{line.path}",
                    mend="restore the file; see every finding with: jevhouse ingest verify",
                ) from None
            rows[line.table_name] += data.filter(pc.equal(data["suite"], suite)).to_pylist()
    options: dict[str, list[tuple[int, str]]] = {}
    for row in rows["item_options"]:
        options.setdefault(row["item_id"], []).append((row["position"], row["option"]))
    return {
        row["item_id"]: LandedItem(row, tuple(o for _, o in sorted(options.get(row["item_id"], []))))
        for row in rows["items"]
    }


def altered(project: Project, item: LandedItem) -> str | None:
    """What of a landed choice item no longer agrees with its content hash; None when all does.

    The content of a document item is its source file, which the importer hashed; it is not hashed again here.
    """
    row = item.row
    if row["task"] != "choice":
        return None
    image_sha256 = row["image_sha256"]
    if row["image_path"] is not None:
        path = project.warehouse / row["image_path"]
        if not path.is_file():
            return "its image is missing"
        image_sha256 = sha256_of(path)
    if content_sha256(row["question"], item.options, row["gold"], image_sha256) != row["content_sha256"]:
        return "its content is another" if image_sha256 == row["image_sha256"] else "its image is another"
    return None
