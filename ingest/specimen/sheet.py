"""The contact sheet for people: twenty specimens that are on record as shown in this repository."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from ingest.specimen.canvas import HEIGHT, WIDTH
from ingest.specimen.suite import make_exposures, make_items

SHEET = "docs/images/specimen.png"
COLUMNS = 6
GAP = 6


def write_sheet(root: Path) -> None:
    """Write ``docs/images/specimen.png``: every item whose exposure record says that it is shown there."""
    items = make_items()
    shown = {e.item_id for e in make_exposures(items) if e.place == SHEET}
    pictures = [item.png for item in items if item.item_id in shown]
    rows = -(-len(pictures) // COLUMNS)
    size = (COLUMNS * (WIDTH + GAP) + GAP, rows * (HEIGHT + GAP) + GAP)
    sheet = Image.new("RGB", size, (236, 236, 232))
    for place, png in enumerate(pictures):
        row, column = divmod(place, COLUMNS)
        sheet.paste(Image.open(io.BytesIO(png)), (GAP + column * (WIDTH + GAP), GAP + row * (HEIGHT + GAP)))
    path = root / SHEET
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    write_sheet(Path(__file__).resolve().parent.parent.parent)
