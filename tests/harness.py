"""What the tests of the harness share: a small choice suite, configurations, reading what was recorded."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from ingest.contract import TABLES
from ingest.freeze import FrozenItem, freeze_rows, write_freeze
from ingest.items import content_sha256, options_sha256
from ingest.landing import land
from ingest.project import Project

SUITE = "tiny-v1"
KEYS = {
    "TYPESAFE_API_KEY": "planted-key-typesafe-5f1c",
    "OPENAI_API_KEY": "planted-key-openai-77ab",
    "OPENROUTER_API_KEY": "planted-key-openrouter-09de",
}
MODELS = {
    "jev": ("jev-1.13.0", {}),
    "openai": ("gpt-5.6-luna", {}),
    "openrouter": ("openai/gpt-4o-mini", {"mode": "chat", "price_model": "gpt-4o-mini"}),
    "local": ("served", {}),
}
PATHS = {"openai": "/v1"}
GOLD_MARK = "SECRET-GOLD"


def land_tiny(project: Project, count: int = 12, image: bool = False) -> None:
    """Land a suite of text (or image) choices."""
    own = {"run_id": f"items-{SUITE}", "suite": SUITE}
    items, options, exposures, frozen = [], [], [], []
    for number in range(count):
        item_id, question = f"q{number:03d}", f"Which word goes with {number}?"
        labels = [f"alpha {number}", f"beta {number}", f"gamma {number}"]
        data = f"PNG {number}".encode()
        if image:
            path = project.warehouse / "sealed" / "images" / SUITE / f"{item_id}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        digest = hashlib.sha256(data).hexdigest() if image else None
        content = content_sha256(question, labels, labels[0], digest)
        items.append(
            own
            | {
                "item_id": item_id,
                "task": "choice",
                "track": "core",
                "family": "words",
                "difficulty": "easy",
                "question": question,
                "gold": labels[0],
                "option_count": 3,
                "options_sha256": options_sha256(labels),
                "content_sha256": content,
                "image_sha256": digest,
                "image_path": f"sealed/images/{SUITE}/{item_id}.png" if image else None,
                "partition": "test" if number else "dev",
            }
        )
        options += [own | {"item_id": item_id, "position": p, "option": o} for p, o in enumerate(labels, 1)]
        exposures.append(
            own
            | {
                "item_id": item_id,
                "kind": "in_repository",
                "place": "tests",
                "seen_at": datetime(2026, 1, 1),
            }
        )
        frozen.append(FrozenItem(item_id, "public", "core", "words", "easy", content))
    write_freeze(project, freeze_rows(SUITE, frozen, datetime(2026, 1, 2)))
    rows = {"items": items, "item_options": options, "exposures": exposures}
    land(
        project,
        f"items-{SUITE}",
        {n: pa.Table.from_pylist(r, schema=TABLES[n].schema) for n, r in rows.items()},
        "hand-made",
    )


def system(engine: str, url: str, **changes: Any) -> dict[str, Any]:
    model, settings = MODELS[engine]
    entry = {
        "system": engine,
        "engine": engine,
        "model": model,
        "base_url": url + PATHS.get(engine, ""),
        "settings": settings,
    }
    return entry | ({"gpu_type": "cpu"} if engine == "local" else {}) | changes


def write_config(project: Project, systems: list[dict[str, Any]], **changes: Any) -> Path:
    config = {
        "name": "tiny",
        "suite": SUITE,
        "condition": "test",
        "seed": 7,
        "warmups": 0,
        "budget_usd": 5.0,
        "price_snapshot": "2026-09-18",
        "stop_on_service_failure": False,
        "deadlines_s": {"request": 20, "task": 30, "stage": 300},
        "systems": systems,
    } | changes
    path = project.root / "run.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


def landed(project: Project, table: str, run_id: str) -> list[dict[str, Any]]:
    path = project.warehouse / TABLES[table].folder / f"{run_id}.parquet"
    return pq.read_table(path).to_pylist() if path.exists() else []


def journal(project: Project, run_id: str, file: str) -> list[dict[str, Any]]:
    path = project.warehouse / "journal" / run_id / file
    return [json.loads(line) for line in path.read_text().splitlines()]


def everything_written(project: Project) -> bytes:
    """All bytes of what a run wrote, sealed items aside."""
    folders = [project.warehouse / name for name in ("journal", "receipts", "evidence")]
    data = b"".join(p.read_bytes() for f in folders for p in sorted(f.rglob("*")) if p.is_file())
    # Parquet is compressed: decoded values belong to the search too.
    for path in sorted((project.warehouse / "evidence").rglob("*.parquet")):
        data += str(pq.read_table(path).to_pylist()).encode()
    return data + (project.seeds / "evidence.csv").read_bytes()
