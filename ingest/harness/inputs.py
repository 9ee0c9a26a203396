"""What a run works on: tasks without their golds, systems behind engines, and what was prepared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import pyarrow.parquet as pq

from ingest.documents.prepare import Parser, Prepared, cached, check_system, prepare
from ingest.documents.sets import DocumentSet, land_set, read_set
from ingest.engines.jev import Jev
from ingest.engines.local import InProcess, LoopbackServer
from ingest.engines.openai import OpenAI
from ingest.engines.openrouter import OpenRouter
from ingest.engines.pricing import Prices
from ingest.engines.protocol import Engine, Option, OverLimit, Page, Task
from ingest.errors import Refused
from ingest.harness.config import Config, SystemConfig, address, key
from ingest.harness.matrix import Cell, Entry, build
from ingest.items import options_sha256
from ingest.landing import read_register, sha256_of
from ingest.project import Project

HOSTED = {"jev": Jev, "openai": OpenAI, "openrouter": OpenRouter}
CATEGORICAL = ("jev",)
ASSUMED_PAGE_BYTES = 12_000  # of a page that nobody has parsed yet


@dataclass
class Item:
    """An item as the harness handles it. There is no gold here."""

    entry: Entry
    track: str
    content_sha256: str
    options: tuple[Option, ...]
    question: str | None = None
    image: bytes | None = None
    file: Path | None = None
    page_count: int | None = None
    source_sha256: str | None = None
    prepared: Prepared | None = None
    wall_ms: float | None = None

    def task(self, pages: tuple[Page, ...] | None = None) -> Task:
        """The task as an engine sees it."""
        shown = pages if pages is not None else self.prepared.pages if self.prepared else ()
        return Task(self.entry.task, self.question, self.options, self.image, shown)

    def assumed(self, page_bytes: int = ASSUMED_PAGE_BYTES) -> Task:
        """A stand-in for a document that has not been parsed."""
        if self.file is None or self.prepared is not None:
            return self.task()
        text = "x" * page_bytes
        return self.task(tuple(Page(n, text, False) for n in range(1, (self.page_count or 1) + 1)))


@dataclass
class Inputs:
    """Everything that a run is made of, before anything is sent."""

    config: Config
    project: Project
    prices: Prices
    items: dict[str, Item]
    cells: list[Cell]
    parser: Parser | None
    engines: dict[str, Engine] = field(default_factory=dict)
    load_s: dict[str, float] = field(default_factory=dict)

    @property
    def planned_items(self) -> list[Item]:
        wanted = dict.fromkeys(cell.item_id for cell in self.cells)
        return [self.items[item_id] for item_id in wanted]

    @property
    def cache(self) -> Path:
        return self.project.warehouse / "cache" / "pages"

    def reservation(self, cell: Cell, exact: bool) -> float | None:
        """USD that the cell's call reserves; None when it cannot be sent at all."""
        item, engine = self.items[cell.item_id], self.engines[cell.system]
        try:
            return engine.reservation_usd(item.task() if exact else item.assumed(), self.prices)
        except OverLimit:
            if exact or not item.page_count:
                return None
        try:  # as much text as one window carries
            assumed = item.assumed(min(ASSUMED_PAGE_BYTES, 80_000 // item.page_count))
            return engine.reservation_usd(assumed, self.prices)
        except OverLimit:
            return None


def load_inputs(project: Project, config: Config) -> Inputs:
    """Read the suite, check the hashes of its sources, build the matrix.

    The items of a document set or of the specimen suite are landed unless they have landed.

    Raises:
        Refused: a source is missing or not the frozen one, or the configuration does not fit the suite.
    """
    prices = Prices.load(project, config.price_snapshot)
    parser = None
    if config.documents is not None:
        documents = _document_set(project, config)
        parser = Parser(config.documents.ocr, config.documents.language, config.documents.dpi)
        check_system(parser, [source.file for source in documents.sources])
        items = _document_items(documents)
    else:
        items = _choice_items(project, config)
    entries = [item.entry for item in items]
    if config.limit is not None:
        seen: dict[str, int] = defaultdict(int)
        kept = []
        for entry in entries:
            seen[entry.task] += entry.partition == "test"
            if entry.partition == "dev" or seen[entry.task] <= config.limit:
                kept.append(entry)
        entries = kept
    cells = build(
        config.seed,
        entries,
        [system.system for system in config.systems],
        config.warmups,
        config.repeats,
        config.warmup_items == "reuse",
    )
    return Inputs(config, project, prices, {i.entry.item_id: i for i in items}, cells, parser)


def _document_set(project: Project, config: Config) -> DocumentSet:
    folder = project.warehouse / config.documents.folder
    if not folder.resolve().is_relative_to(project.warehouse.resolve()):
        raise Refused(
            "lies outside the warehouse", field="documents.folder", mend="a folder below warehouse/"
        )
    if config.documents.generate:
        from ingest.documents.synthetic import make_set

        make_set(folder)
    documents = read_set(folder)
    if documents.suite != config.suite:
        raise Refused(
            f"holds suite {documents.suite}", file=folder.name, field="suite", mend="name that suite"
        )
    land_set(project, documents)
    return documents


def _document_items(documents: DocumentSet) -> list[Item]:
    page_counts = {entry["id"]: entry["pages"] for entry in documents.truth["items"]}
    return [
        Item(
            Entry(source.item_id, source.task, source.partition),
            source.task,
            source.sha256,
            documents.options,
            file=source.file,
            page_count=page_counts[source.item_id],
            source_sha256=source.sha256,
        )
        for source in documents.sources
    ]


def _choice_items(project: Project, config: Config) -> list[Item]:
    from ingest.specimen.suite import SUITE as SPECIMEN
    from ingest.specimen.suite import exposure_effects, land_suite

    if config.suite == SPECIMEN:
        land_suite(project)
    rows = _rows(project, "items", config.suite)
    if not rows:
        raise Refused(
            f"suite {config.suite} has not landed",
            field="suite",
            mend="land its items first",
        )
    options: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(project, "item_options", config.suite):
        options[row["item_id"]].append(row)
    effects = exposure_effects(project)
    retired = {
        row["item_id"]
        for row in _rows(project, "exposures", config.suite)
        if effects.get(row["kind"]) == "retired"
    }
    items = []
    for row in rows:
        if row["item_id"] in retired:
            continue
        own = sorted(options[row["item_id"]], key=lambda option: option["position"])
        labels = [option["option"] for option in own]
        if row["options_sha256"] is not None and options_sha256(labels) != row["options_sha256"]:
            raise Refused(f"options of {row['item_id']} are not the frozen ones", file="item_options")
        image = None
        if row["image_path"] is not None:
            path = project.warehouse / row["image_path"]
            if not path.is_file() or sha256_of(path) != row["image_sha256"]:
                raise Refused(
                    "is missing or not the frozen image",
                    file=f"warehouse/{row['image_path']}",
                    mend="restore it",
                )
            image = path.read_bytes()
        items.append(
            Item(
                Entry(row["item_id"], row["task"], row["partition"]),
                row["track"],
                row["content_sha256"],
                tuple(Option(option["option"], option["description"]) for option in own),
                question=row["question"],
                image=image,
            )
        )
    return items


GOLD_COLUMNS = ("gold",)


def _rows(project: Project, table: str, suite: str) -> list[dict[str, Any]]:
    """Registered rows of a suite, without the columns that hold an answer."""
    found = []
    for line in read_register(project):
        if line.table_name != table:
            continue
        path = project.warehouse / line.path
        if not path.is_file() or sha256_of(path) != line.sha256:
            raise Refused("registered evidence is missing or changed", file=f"warehouse/{line.path}")
        names = [name for name in pq.read_schema(path).names if name not in GOLD_COLUMNS]
        found += pq.read_table(path, columns=names, filters=[("suite", "=", suite)]).to_pylist()
    return found


# Engines


def make_engines(inputs: Inputs, with_keys: bool) -> None:
    """Build the engine of each system.

    Args:
        with_keys: False plans without keys; nothing can be called then.

    Raises:
        Refused: a key is not in the environment, a price is missing, a setting is unknown.
    """
    config = inputs.config
    local = [s for s in config.systems if s.in_process is not None]
    trained = _in_process(inputs.project, {s.in_process for s in local}) if local and with_keys else {}
    for system in config.systems:
        request_s, retries = config.deadlines_s.request, config.max_retries
        if system.in_process is not None:
            if not with_keys:
                inputs.engines[system.system] = _Untrained()
                continue
            learnt, seconds = trained[system.in_process]
            inputs.engines[system.system] = InProcess(learnt)
            inputs.load_s[system.system] = seconds
        elif system.engine == "local":
            inputs.engines[system.system] = LoopbackServer(
                system.model, address(system), system.settings, retries, request_s
            )
        else:
            secret = key(system) if with_keys else "absent"
            inputs.engines[system.system] = HOSTED[system.engine](
                system.model, address(system), secret, system.settings, retries, request_s
            )


class _Untrained(InProcess):
    """Plans the calls of an in-process system without loading it."""

    def __init__(self) -> None:
        self.model = "in process"


def _in_process(project: Project, wanted: set[str]) -> dict[str, tuple[Any, float]]:
    """Load the project's own systems; the memoriser is the one that may see public golds."""
    from ingest.specimen.run import read_suite
    from ingest.specimen.systems import Example, load_systems

    items, golds, part_of, _ = read_suite(project)
    public = [Example(item, golds[item.item_id]) for item in items if part_of[item.item_id] == "public"]
    loaded = {system.key: (system, seconds) for system, seconds in load_systems(public, per_family=120)}
    if missing := sorted(wanted - set(loaded)):
        raise Refused(
            f"there is no in-process system {missing[0]}",
            field="in_process",
            mend=f"one of {', '.join(loaded)}",
        )
    return loaded


def endpoint_kind(system: SystemConfig) -> str:
    return system.endpoint_kind or ("self_hosted" if system.engine == "local" else "hosted")


def probability_kind(system: SystemConfig) -> str:
    if system.probability_kind:
        return system.probability_kind
    decisions = system.engine == "openrouter" and system.settings.get("mode") == "decisions"
    known = system.engine in CATEGORICAL or system.in_process is not None or decisions
    return "categorical" if known else "label_only"


# Preparation


def prepare_documents(inputs: Inputs, show: Callable[[Item], None]) -> float:
    """Parse each planned document once, or take its pages from the cache; return the seconds it took.

    An item that fails stays in the plan: its calls are skipped, and it stays in every denominator.

    Args:
        show: called with each item done.
    """
    start = monotonic()
    limits = inputs.config.deadlines_s
    for item in inputs.planned_items:
        if item.file is None or item.prepared is not None:
            continue
        begun = perf_counter()
        left = limits.preparation - (monotonic() - start)
        if left <= 0:
            item.prepared = Prepared((), "PreparationDeadline", False, 0.0)
        else:
            item.prepared = prepare(item.file, inputs.parser, min(limits.file, left), inputs.cache)
        item.wall_ms = (perf_counter() - begun) * 1000
        show(item)
    return monotonic() - start


def restore_documents(inputs: Inputs, rows: dict[str, dict[str, Any]]) -> None:
    """Take the pages that a receipt froze; nothing is parsed again.

    Args:
        rows: item id to its row in the receipt.

    Raises:
        Refused: the pages are gone or not the prepared ones.
    """
    for item in inputs.planned_items:
        if item.file is None:
            continue
        row = rows[item.entry.item_id]
        pages = () if row["error_type"] else cached(item.file, inputs.parser, inputs.cache)
        item.prepared = Prepared(pages, row["error_type"], True, row["total_ms"])
        item.wall_ms = row["wall_ms"]
        if item.prepared.pages_sha256 != row["pages_sha256"]:
            raise Refused(
                f"the prepared pages of {item.entry.item_id} are gone or changed",
                file="warehouse/cache/pages",
                mend="prepare again",
            )


def preparation_rows(items: Iterable[Item], parser: Parser | None) -> list[dict[str, Any]]:
    """What the manifest keeps of the preparation; no text."""
    return [
        {
            "item_id": item.entry.item_id,
            "status": "error" if item.prepared.error_type else "ok",
            "error_type": item.prepared.error_type,
            "cache_hit": item.prepared.cache_hit,
            "conversion_ms": None,
            "ocr_ms": None if item.prepared.cache_hit else item.prepared.total_ms,
            "total_ms": item.prepared.total_ms,
            "wall_ms": item.wall_ms,
            "pages_sha256": item.prepared.pages_sha256,
            "page_count": len(item.prepared.pages) or None,
            "text_bytes": item.prepared.text_bytes,
            "ocr_cost_usd": 0.0,
            "parser": parser.identity,
        }
        for item in items
        if item.prepared is not None
    ]
