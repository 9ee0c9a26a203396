"""The frozen truth of a document suite: its items, its freeze, and what is declared of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pyarrow.parquet as pq

from ingest.errors import Refused
from ingest.freeze import FreezeRow, FrozenItem, freeze_rows
from ingest.importers import values
from ingest.landing import Line
from ingest.project import Project

TASKS = ("classify", "split")
Row = dict[str, Any]


def read_truth(truth: Row, suite: str) -> tuple[list[Row], list[Row]]:
    """Return ``items`` and ``item_segments`` rows, without ``run_id``, test items first."""
    items, segments = [], []
    warmups = truth.get("excluded_warmups") or {}
    for task in TASKS:
        for entry in [*(truth.get(task) or []), *(warmups.get(task) or [])]:
            item_id = values.text(entry.get("id")) if isinstance(entry, dict) else None
            if item_id is None:
                raise Refused(f"a {task} item has no id", file="truth", field="id", mend="restore the truth")
            gold = values.text(entry.get("category"))
            parts = entry.get("segments") if task == "split" else None
            page_count = values.whole(entry.get("page_count"))
            if task == "classify" and gold is None:
                raise Refused(f"item {item_id} has no category", file="truth", mend="restore the truth")
            if task == "split":
                good = isinstance(parts, list) and all(
                    isinstance(s, dict)
                    and values.text(s.get("category"))
                    and isinstance(s.get("pages"), list)
                    for s in parts
                )
                pages = [p for s in parts for p in s["pages"]] if good else []
                if not pages or pages != list(range(1, (page_count or 0) + 1)):
                    raise Refused(
                        f"the segments of packet {item_id} do not cover its pages once, in order",
                        file="truth",
                        mend="restore the truth",
                    )
            content = {k: entry.get(k) for k in ("id", "category", "segments", "page_count", "sha256")}
            items.append(
                {
                    "suite": suite,
                    "item_id": item_id,
                    "task": task,
                    "track": task,
                    "family": gold or "packet",
                    "difficulty": "unrated",
                    "gold": gold,
                    "content_sha256": values.digest({"task": task, **content}),
                    "page_count": page_count,
                    "source_sha256": values.text(entry.get("sha256")),
                    "partition": "test" if entry.get("split", "test") == "test" else "dev",
                    "source_family_id": values.text(entry.get("source_family_id"))
                    or values.text(entry.get("template_family")),
                }
            )
            sources = entry.get("source_ids") or []
            segments += [
                {
                    "suite": suite,
                    "item_id": item_id,
                    "segment": number,
                    "category": segment["category"],
                    "first_page": segment["pages"][0],
                    "last_page": segment["pages"][-1],
                    "source_item_id": sources[number - 1] if number <= len(sources) else None,
                }
                for number, segment in enumerate(parts or [], 1)
            ]
    twice = [i for i, n in Counter(item["item_id"] for item in items).items() if n > 1]
    if twice:
        raise Refused(f"item {twice[0]} is in the truth twice", file="truth", mend="restore the truth")
    if not any(item["partition"] == "test" for item in items):
        raise Refused("has no test item", file="truth", mend="restore the truth")
    return items, segments


def freeze_of(suite: str, items: list[Row]) -> list[FreezeRow]:
    """The composition of the test items. Their truth is handed out in the clear: every item is public."""
    frozen = [
        FrozenItem(i["item_id"], "public", i["track"], i["family"], i["difficulty"], i["content_sha256"])
        for i in items
        if i["partition"] == "test"
    ]
    return freeze_rows(suite, frozen, datetime.now(UTC))


def landed_items(project: Project, register: list[Line]) -> dict[tuple[str, str], str]:
    """Content hash of every item that has landed, by suite and item."""
    known = {}
    for line in register:
        if line.table_name == "items":
            data = pq.read_table(
                project.warehouse / line.path, columns=["suite", "item_id", "content_sha256"]
            )
            known |= {(i["suite"], i["item_id"]): i["content_sha256"] for i in data.to_pylist()}
    return known


def new_items(items: list[Row], known: Mapping[tuple[str, str], str]) -> list[Row]:
    """Return the items that have not landed; refuse one that landed otherwise."""
    for item in items:
        if known.get((item["suite"], item["item_id"]), item["content_sha256"]) != item["content_sha256"]:
            raise Refused(
                f"item {item['item_id']} differs from the one that landed before",
                file="truth",
                mend="restore the truth; a new truth is a new dataset name",
            )
    return [item for item in items if (item["suite"], item["item_id"]) not in known]
