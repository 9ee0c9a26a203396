"""Freezes: the committed composition of a suite version, written once and never changed."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import datetime

from ingest import merkle
from ingest.errors import Refused
from ingest.project import Project, write_atomically

COMMITS_TO = (
    "SHA-256 of the lines item_id:content_sha256 sorted by item_id and joined by line feeds; "
    "Merkle root (RFC 9162) over the same lines"
)


@dataclass(frozen=True)
class FrozenItem:
    """What a freeze needs to know of an item."""

    item_id: str
    part: str  # public, sealed or retired
    track: str  # the item's own track
    family: str
    difficulty: str
    content_sha256: str


@dataclass(frozen=True, order=True)
class FreezeRow:
    """One line of ``seeds/freezes.csv``; text as it stands there, but for the count."""

    suite: str
    track: str
    part: str
    family: str
    difficulty: str
    item_count: int
    items_sha256: str
    frozen_at: str  # UTC, YYYY-MM-DD HH:MM:SS
    commits_to: str
    merkle_root: str = ""  # blank in freezes written without one


HEADER = [f.name for f in fields(FreezeRow)]


def items_sha256(hashes: dict[str, str]) -> str:
    """SHA-256 (hex) of the lines ``item_id:content_sha256``, sorted by item_id, joined by line feeds."""
    return hashlib.sha256("\n".join(_lines(hashes)).encode()).hexdigest()


def merkle_root(hashes: dict[str, str]) -> str:
    """Merkle root (hex, RFC 9162) over the lines of ``items_sha256``."""
    return merkle.root(merkle_leaves(hashes)).hex()


def merkle_leaves(hashes: dict[str, str]) -> list[bytes]:
    """Leaf hashes of the lines of ``items_sha256``, in their order."""
    return [merkle.leaf_hash(line.encode()) for line in _lines(hashes)]


def _lines(hashes: dict[str, str]) -> list[str]:
    return [f"{item_id}:{hashes[item_id]}" for item_id in sorted(hashes)]


def freeze_rows(suite: str, items: Iterable[FrozenItem], frozen_at: datetime) -> list[FreezeRow]:
    """Return one row per track, part, family and difficulty, sorted."""
    groups: dict[tuple[str, str, str, str], dict[str, str]] = defaultdict(dict)
    for item in items:
        groups[item.track, item.part, item.family, item.difficulty][item.item_id] = item.content_sha256
    at = frozen_at.strftime("%Y-%m-%d %H:%M:%S")
    return sorted(
        FreezeRow(suite, *group, len(hashes), items_sha256(hashes), at, COMMITS_TO, merkle_root(hashes))
        for group, hashes in groups.items()
    )


def read_freezes(project: Project) -> list[FreezeRow]:
    """Return the committed freezes of every suite."""
    path = project.seeds / "freezes.csv"
    with path.open(newline="", encoding="utf-8") as handle:
        reader = csv.DictReader(handle)
        if reader.fieldnames != HEADER:
            raise Refused("unknown header", file=path, row=1, mend=f"the header is {','.join(HEADER)}")
        try:
            return [FreezeRow(**row | {"item_count": int(row["item_count"])}) for row in reader]
        except (TypeError, ValueError):
            raise Refused(
                "not a freeze line", file=path, row=reader.line_num, mend="restore it from version control"
            ) from None


def write_freeze(project: Project, rows: list[FreezeRow]) -> bool:
    """Add one suite's freeze to ``seeds/freezes.csv``; return whether anything was added.

    A suite that is frozen already keeps its freeze and its time.

    Raises:
        Refused: the suite is frozen with another composition or other contents.
    """
    with project.lock():
        freezes = read_freezes(project)
        if agrees_with_freeze(project, rows, freezes):
            return False
        text = io.StringIO()
        writer = csv.DictWriter(text, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in sorted(freezes + rows))
        write_atomically(project.seeds / "freezes.csv", text.getvalue().encode())
        return True


def agrees_with_freeze(project: Project, rows: list[FreezeRow], freezes: list[FreezeRow]) -> bool:
    """Whether one suite is among ``freezes`` already.

    Raises:
        Refused: it is, with another composition or other contents.
    """
    (suite,) = {row.suite for row in rows}
    frozen = {_promise(row) for row in freezes if row.suite == suite}
    if frozen and (differing := sorted(frozen ^ {_promise(row) for row in rows})):
        raise Refused(
            f"suite {suite} is frozen otherwise ({', '.join(differing[0][1:5])})",
            file=project.seeds / "freezes.csv",
            mend="a later change is a new suite version, with a name of its own",
        )
    return bool(frozen)


def _promise(row: FreezeRow) -> tuple[str, str, str, str, str, int, str]:
    """What a freeze binds: everything but when it was made and how it says so."""
    return row.suite, row.track, row.part, row.family, row.difficulty, row.item_count, row.items_sha256
