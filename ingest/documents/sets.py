"""A document set: a folder with ``set.json`` (the truth) and the files, landed once as the items of a suite.

``set.json`` holds ``suite``, ``frozen_at``, ``exposure`` {kind, place, seen_at}, ``categories`` (label to
description) and ``items``: ``id``, ``task`` (classify or split), ``partition`` (test or dev), ``file``,
``sha256``, ``pages``, ``family`` and ``category``, or for a packet ``segments`` of {category, pages: [first,
last], source}.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from ingest.contract import TABLES
from ingest.engines.protocol import Option, compact
from ingest.errors import Refused
from ingest.freeze import FrozenItem, freeze_rows, write_freeze
from ingest.items import options_sha256
from ingest.landing import land, read_register, sha256_of
from ingest.project import Project

PART = "public"  # whoever holds the folder holds the golds


@dataclass(frozen=True)
class Source:
    """A document of a set, without its truth."""

    item_id: str
    task: str
    partition: str
    file: Path
    sha256: str


@dataclass(frozen=True)
class DocumentSet:
    """A set as its folder describes it; golds stay in ``truth``."""

    suite: str
    options: tuple[Option, ...]
    sources: tuple[Source, ...]
    truth: dict[str, Any]


def read_set(folder: Path) -> DocumentSet:
    """Read a set and check every file against its hash.

    Raises:
        Refused: no ``set.json``, a field is missing, a file is missing or is not the frozen one.
    """
    path = folder / "set.json"
    if not path.is_file():
        raise Refused(
            "does not exist", file=path, mend="see docs/harness.md for the format of a document set"
        )
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        options = tuple(Option(label, text) for label, text in truth["categories"].items())
        sources = tuple(
            Source(i["id"], i["task"], i["partition"], folder / i["file"], i["sha256"])
            for i in truth["items"]
        )
        suite = truth["suite"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"is no document set ({error})", file=path, mend="see docs/harness.md") from None
    for source in sources:
        if not source.file.is_file() or sha256_of(source.file) != source.sha256:
            raise Refused(
                "is missing or not the frozen file",
                file=source.file.name,
                mend="restore it, or make the set anew under another suite name",
            )
    return DocumentSet(suite, options, sources, truth)


def land_set(project: Project, documents: DocumentSet) -> bool:
    """Land the items and exposures of a set unless they have landed; return whether they were landed now."""
    run_id = f"items-{documents.suite}"
    if any(line.run_id == run_id for line in read_register(project)):
        return False
    truth, labels = documents.truth, [option.label for option in documents.options]
    items, options, segments, exposures, frozen = [], [], [], [], []
    for entry in truth["items"]:
        own = {"run_id": run_id, "suite": documents.suite, "item_id": entry["id"]}
        content = {k: entry.get(k) for k in ("task", "id", "category", "segments", "pages", "sha256")}
        digest = hashlib.sha256(compact(content).encode()).hexdigest()
        family = entry.get("category") or "packet"
        items.append(
            own
            | {
                "task": entry["task"],
                "track": entry["task"],
                "family": family,
                "difficulty": "unrated",
                "gold": entry.get("category"),
                "option_count": len(labels) if entry["task"] == "classify" else None,
                "options_sha256": options_sha256(labels),
                "content_sha256": digest,
                "page_count": entry["pages"],
                "source_sha256": entry["sha256"],
                "partition": entry["partition"],
                "source_family_id": entry.get("family"),
            }
        )
        options += [
            own | {"position": place, "option": option.label, "description": option.description}
            for place, option in enumerate(documents.options, 1)
        ]
        segments += [
            own
            | {
                "segment": place,
                "category": segment["category"],
                "first_page": segment["pages"][0],
                "last_page": segment["pages"][1],
                "source_item_id": segment.get("source"),
            }
            for place, segment in enumerate(entry.get("segments") or [], 1)
        ]
        seen = truth["exposure"]
        exposures.append(
            own
            | {
                "kind": seen["kind"],
                "place": seen["place"],
                "seen_at": datetime.fromisoformat(seen["seen_at"]),
            }
        )
        if entry["partition"] == "test":
            frozen.append(FrozenItem(entry["id"], PART, entry["task"], family, "unrated", digest))
    write_freeze(project, freeze_rows(documents.suite, frozen, datetime.fromisoformat(truth["frozen_at"])))
    rows = {
        "items": items,
        "item_options": options,
        "item_segments": segments,
        "exposures": exposures,
    }
    tables = {name: pa.Table.from_pylist(data, schema=TABLES[name].schema) for name, data in rows.items()}
    land(project, run_id, tables, f"document set {documents.suite}")
    return True
