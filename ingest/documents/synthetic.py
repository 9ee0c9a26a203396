"""Makes the synthetic document set: five categories, packets with neighbours of one category.

Everything follows from the seed, to the byte, so that a newcomer has documents without a download. Whoever
has this code has the golds: the set shows how the house works and measures no provider.
"""

from __future__ import annotations

import io
import json
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from ingest.project import write_atomically

SUITE = "docs-synthetic-v1"
SEED = 20260926
FROZEN_AT = "2026-09-26 12:00:00"
TEST_PER_CATEGORY = 4
PACKETS = 6

CATEGORIES = {
    "tax_form": "a form that reports taxable amounts to a tax office",
    "financial_report": "a report of revenue, costs and profit over a period",
    "press_release": "an announcement for the press",
    "legal_notice": "a formal notice with legal effect",
    "other": "none of these",
}
PLACES = ("Aldermoor", "Brackwell", "Castlebridge", "Dunmere", "Eastholm", "Farrowby")
TRADES = ("Copper Works", "Ferry Company", "Grain Exchange", "Lantern Makers", "Seed Merchants")
LINES = {
    "tax_form": (
        "Form {n}-T  Annual return of taxable income",
        "Taxpayer: {name}",
        "Line 1  Gross receipts ........ {a}",
        "Line 2  Deductions allowed .... {b}",
        "Line 3  Tax withheld .......... {c}",
        "Sign here under penalty of perjury. Keep a copy for the tax office.",
    ),
    "financial_report": (
        "{name}: quarterly report",
        "Revenue for the quarter was {a} and operating costs were {b}.",
        "Net profit came to {c}, compared with {b} a year earlier.",
        "Balance sheet: assets {a}, liabilities {b}, equity {c}.",
        "Cash flow from operations improved. Auditors raised no objection.",
    ),
    "press_release": (
        "FOR IMMEDIATE RELEASE",
        "{place}: {name} announced today that it will open a hall in {place}.",
        '"We are delighted," said the head of {name}.',
        "The opening is planned with {n} guests.",
        "Media contact: press office of {name}.",
    ),
    "legal_notice": (
        "PUBLIC NOTICE",
        "Notice is hereby given under section {n} of the Harbour Act",
        "that {name} has applied to the court at {place} for an order.",
        "Any objection must be lodged in writing within {n} days.",
        "By order of the clerk of the court.",
    ),
    "other": (
        "Soup of the week at {place}",
        "Peel {n} carrots and slice two onions.",
        "Simmer gently and season to taste.",
        "Serves {n}. Keep a jar for the neighbours of {name}.",
    ),
}


def _page_lines(rng: random.Random, category: str, page: int, pages: int) -> list[str]:
    facts = {
        "n": rng.randint(4, 40),
        "name": f"{rng.choice(PLACES)} {rng.choice(TRADES)}",
        "place": rng.choice(PLACES),
        "a": f"{rng.randint(400, 900)},{rng.randint(100, 999)}",
        "b": f"{rng.randint(100, 399)},{rng.randint(100, 999)}",
        "c": f"{rng.randint(10, 99)},{rng.randint(100, 999)}",
    }
    first, *rest = (line.format(**facts) for line in LINES[category])
    head = first if page == 1 else f"(continued) {first}"
    return [head, *rng.sample(rest, len(rest)), f"Page {page} of {pages}"]


def _document(rng: random.Random, category: str) -> list[list[str]]:
    pages = rng.randint(1, 3)
    return [_page_lines(rng, category, page, pages) for page in range(1, pages + 1)]


def pdf_bytes(pages: list[list[str]]) -> bytes:
    """A PDF with one text block a page; the same bytes for the same lines."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1, pageCompression=0)
    for lines in pages:
        text = canvas.beginText(72, 760)
        text.setFont("Helvetica", 12)
        text.setLeading(22)
        for line in lines:
            text.textLine(line)
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def make_set(folder: Path, seed: int = SEED) -> None:
    """Write ``set.json`` and the PDFs into ``folder``, unless it holds a set already.

    Two development items (one a task) serve warm-ups; the rest is the test partition.
    """
    if (folder / "set.json").is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    originals: list[tuple[str, list[list[str]]]] = []
    items: list[dict[str, Any]] = []

    def add(item_id: str, task: str, partition: str, pages: list[list[str]], **truth: Any) -> None:
        data = pdf_bytes(pages)
        # The name says nothing, so that nothing can leak through it.
        name = f"{sha256(data).hexdigest()[:16]}.pdf"
        write_atomically(folder / name, data)
        items.append(
            {
                "id": item_id,
                "task": task,
                "partition": partition,
                "file": name,
                "sha256": sha256(data).hexdigest(),
                "pages": len(pages),
                **truth,
            }
        )

    for _ in range(TEST_PER_CATEGORY):
        for category in CATEGORIES:
            originals.append((category, _document(rng, category)))
    for number, (category, pages) in enumerate(originals, 1):
        add(f"d{number:03d}", "classify", "test", pages, category=category, family=f"template-{category}")
    for number in range(1, PACKETS + 1):
        chosen = rng.sample(range(len(originals)), 4)
        # Each packet holds two neighbours of one category.
        twin = next(
            place
            for place in range(len(originals))
            if originals[place][0] == originals[chosen[0]][0] and place not in chosen
        )
        add_packet(add, f"p{number:03d}", "test", [chosen[0], twin, *chosen[1:]], originals)
    dev = [(category, _document(rng, category)) for category in ("press_release", "tax_form", "tax_form")]
    add("dev-classify", "classify", "dev", dev[0][1], category=dev[0][0], family="template-press_release")
    add_packet(add, "dev-split", "dev", [0, 1, 2], dev)
    document_set = {
        "suite": SUITE if seed == SEED else f"{SUITE}-seed-{seed}",
        "frozen_at": FROZEN_AT,
        "exposure": {
            "kind": "in_repository",
            "place": "ingest/documents/synthetic.py",
            "seen_at": "2026-09-25 12:00:00",
        },
        "categories": CATEGORIES,
        "items": items,
    }
    write_atomically(folder / "set.json", (json.dumps(document_set, indent=1) + "\n").encode())


def add_packet(add: Any, item_id: str, partition: str, chosen: list[int], originals: list) -> None:
    pages: list[list[str]] = []
    segments = []
    for place in chosen:
        category, document = originals[place]
        first = len(pages) + 1
        pages += document
        source = f"d{place + 1:03d}" if partition == "test" else None
        segments.append({"category": category, "pages": [first, len(pages)], "source": source})
    add(item_id, "split", partition, pages, segments=segments, family="packet")
