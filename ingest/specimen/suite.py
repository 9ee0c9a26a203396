"""The suite ``specimen-v1``: 340 drawn items, their exposures, and their landing.

Every item follows from the suite's name, its family and its number, so the suite is the same wherever it is
made. That also means that it measures nobody: whoever has the code can draw the sealed items. It shows how
the house works; the sealed items of a real suite exist in one store only.
"""

from __future__ import annotations

import csv
import hashlib
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import pyarrow as pa

from ingest.freeze import FrozenItem, freeze_rows, write_freeze
from ingest.items import content_sha256, options_sha256
from ingest.landing import land, read_register
from ingest.project import Project
from ingest.specimen.canvas import png_bytes
from ingest.specimen.drawings import DIFFICULTIES, FAMILIES, Drawing

SUITE = "specimen-v1"
RUN_ID = f"suite.{SUITE}"
FROZEN_AT = datetime(2026, 9, 26, 12, 0, 0)


@dataclass(frozen=True)
class Mix:
    """How many items of a family stand in each part."""

    track: str
    public: int
    sealed: int
    retired: int

    @property
    def total(self) -> int:
        return self.public + self.sealed + self.retired


# The parts differ in mix, as on real boards: pie charts are public only, pages never public.
MIXES = {
    "bar_charts": Mix("core", 22, 34, 4),
    "pie_charts": Mix("core", 20, 0, 0),
    "inventory": Mix("core", 18, 38, 4),
    "shapes": Mix("core", 16, 34, 4),
    "pages": Mix("core", 0, 46, 4),
    "street_scenes": Mix("everyday_photo", 20, 36, 4),
    "table_scenes": Mix("everyday_photo", 4, 32, 0),
}

# Kind of the exposure that made an item public, and where it happened.
PUBLIC_PLACES = (
    ("in_repository", "docs/images/specimen.png"),
    ("training_overlap", "picture memory of the system memoriser"),
    ("shown_publicly", "slides of the specimen's first showing"),
    ("source_row_public", "table of drawing parameters, printed with the slides"),
    ("sent_with_gold", "labelling trial"),
)
SENT_WITHOUT_GOLD = 12


@dataclass(frozen=True)
class Item:
    """One drawn item with its gold; stays on this machine."""

    item_id: str
    family: str
    difficulty: str
    question: str
    options: tuple[str, ...]
    gold: str
    png: bytes

    @property
    def track(self) -> str:
        return MIXES[self.family].track

    @property
    def image_sha256(self) -> str:
        return hashlib.sha256(self.png).hexdigest()

    @property
    def content_sha256(self) -> str:
        return content_sha256(self.question, self.options, self.gold, self.image_sha256)


@dataclass(frozen=True)
class Exposure:
    """One time that an item was seen outside the sealed store."""

    item_id: str
    kind: str
    place: str
    seen_at: datetime
    note: str | None = None


def draw(seed: str, family: str, number: int) -> tuple[str, Drawing]:
    """Draw one picture of a family; return its difficulty with it. Equal arguments, equal pixels."""
    difficulty = DIFFICULTIES[number % len(DIFFICULTIES)]
    return difficulty, FAMILIES[family](random.Random(f"{seed}/{family}/{number}"), difficulty)


def make_items() -> list[Item]:
    """Draw the whole suite."""
    items = []
    for family, mix in MIXES.items():
        for number in range(mix.total):
            difficulty, drawing = draw(SUITE, family, number)
            item_id = f"{family.replace('_', '-')}-{number:03d}"
            items.append(
                Item(
                    item_id,
                    family,
                    difficulty,
                    drawing.question,
                    drawing.options,
                    drawing.gold,
                    png_bytes(drawing.image),
                )
            )
    return items


def make_exposures(items: list[Item]) -> list[Exposure]:
    """Return the exposure records: they, and nothing else, make an item public or retired."""
    rng = random.Random(f"{SUITE}/exposures")
    by_family: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_family[item.family].append(item)
    exposures = []
    sealed = []
    for family, members in by_family.items():
        mix = MIXES[family]
        rng.shuffle(members)
        for place, item in enumerate(members[: mix.public]):
            kind, where = PUBLIC_PLACES[place % len(PUBLIC_PLACES)]
            exposures.append(Exposure(item.item_id, kind, where, _before_freeze(rng)))
        for item in members[mix.public : mix.public + mix.retired]:
            exposures.append(
                Exposure(
                    item.item_id,
                    "outside_sealed_store",
                    "shared scratch folder",
                    _before_freeze(rng),
                    "picture and predictions lay there while the item was called sealed",
                )
            )
        sealed += members[mix.public + mix.retired :]
    for item in rng.sample(sealed, SENT_WITHOUT_GOLD):
        exposures.append(
            Exposure(item.item_id, "sent_without_gold", "label check at a provider", _before_freeze(rng))
        )
    return exposures


def _before_freeze(rng: random.Random) -> datetime:
    return FROZEN_AT - timedelta(hours=rng.randint(24, 24 * 60))


def parts(item_ids: list[str], exposures: list[tuple[str, str]], effects: dict[str, str]) -> dict[str, str]:
    """Return the part of each item: retired before public before sealed.

    Args:
        item_ids: all items.
        exposures: item and kind of each exposure before the freeze.
        effects: kind to effect, as in ``seeds/exposure_kinds.csv``.
    """
    seen: dict[str, set[str]] = defaultdict(set)
    for item_id, kind in exposures:
        seen[item_id].add(effects[kind])
    return {
        item_id: next((part for part in ("retired", "public") if part in seen[item_id]), "sealed")
        for item_id in item_ids
    }


def exposure_effects(project: Project) -> dict[str, str]:
    """Kind to effect, from ``seeds/exposure_kinds.csv``."""
    with (project.seeds / "exposure_kinds.csv").open(newline="", encoding="utf-8") as handle:
        return {row["kind"]: row["effect"] for row in csv.DictReader(handle)}


def frozen_items(
    items: list[Item], exposures: list[Exposure], effects: dict[str, str]
) -> Iterator[FrozenItem]:
    """The items as the freeze commits to them."""
    part_of = parts([i.item_id for i in items], [(e.item_id, e.kind) for e in exposures], effects)
    for i in items:
        yield FrozenItem(i.item_id, part_of[i.item_id], i.track, i.family, i.difficulty, i.content_sha256)


def land_suite(project: Project) -> bool:
    """Draw and land the suite unless it has landed; return whether it was landed now.

    Raises:
        Refused: the drawings made here are not the frozen ones.
    """
    if any(line.run_id == RUN_ID for line in read_register(project)):
        return False
    items = make_items()
    exposures = make_exposures(items)
    write_freeze(
        project, freeze_rows(SUITE, frozen_items(items, exposures, exposure_effects(project)), FROZEN_AT)
    )
    folder = project.warehouse / "sealed" / "images" / SUITE
    folder.mkdir(parents=True, exist_ok=True)
    for private in (folder.parent.parent, folder.parent, folder):
        private.chmod(0o700)
    for item in items:
        (folder / f"{item.item_id}.png").write_bytes(item.png)
    land(project, RUN_ID, suite_tables(items, exposures), "drawn by ingest/specimen/suite.py")
    return True


def suite_tables(items: list[Item], exposures: list[Exposure]) -> dict[str, pa.Table]:
    """The suite's facts as evidence: items, item_options, exposures."""
    own = {"run_id": RUN_ID, "suite": SUITE}
    return {
        "items": pa.Table.from_pylist(
            [
                own
                | {
                    "item_id": item.item_id,
                    "task": "choice",
                    "track": item.track,
                    "family": item.family,
                    "difficulty": item.difficulty,
                    "question": item.question,
                    "gold": item.gold,
                    "option_count": len(item.options),
                    "options_sha256": options_sha256(item.options),
                    "content_sha256": item.content_sha256,
                    "image_sha256": item.image_sha256,
                    "image_path": f"sealed/images/{SUITE}/{item.item_id}.png",
                    "partition": "test",
                }
                for item in items
            ]
        ),
        "item_options": pa.Table.from_pylist(
            [
                own | {"item_id": item.item_id, "position": position, "option": option}
                for item in items
                for position, option in enumerate(item.options, 1)
            ]
        ),
        "exposures": pa.Table.from_pylist([own | vars(exposure) for exposure in exposures]),
    }
