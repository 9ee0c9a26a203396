"""What the local systems see of a picture: numbers made of its pixels, and nothing else."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
from PIL import Image
from scipy import ndimage

from ingest.specimen.canvas import COLOURS

_NAMES = list(COLOURS)


def _nearest_names() -> np.ndarray:
    """For every colour at 5 bits a channel: place of the named colour of the nearest chroma, -1 for greys."""
    steps = np.arange(32) * 8 + 4.0
    values = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=3).reshape(-1, 3)
    light, dark = values.max(axis=1), values.min(axis=1)
    chroma = values / values.sum(axis=1, keepdims=True)
    named = np.array([np.array(c, float) / sum(c) for c in COLOURS.values()])
    nearest = ((chroma[:, None, :] - named) ** 2).sum(axis=2).argmin(axis=1)
    return np.where((light - dark > 0.35 * light) & (light > 50), nearest, -1).astype(np.int8)


_NEAREST = _nearest_names()


def pixels(png: bytes) -> np.ndarray:
    """RGB values of a picture, height x width x 3, 0 to 255."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def thumbnail(rgb: np.ndarray, block: int) -> np.ndarray:
    """Mean colour of square blocks, flattened, 0 to 1; ``block`` divides both sides."""
    height, width = rgb.shape[:2]
    blocks = rgb.reshape(height // block, block, width // block, block, 3)
    return blocks.mean(axis=(1, 3)).ravel() / 255


def named_colours(rgb: np.ndarray) -> np.ndarray:
    """Place of the nearest named colour for each pixel, -1 where the pixel is too grey to have one."""
    codes = rgb.astype(np.uint16) >> 3
    return _NEAREST[codes[..., 0] << 10 | codes[..., 1] << 5 | codes[..., 2]]


def focus_of(question: str) -> str | None:
    """The colour that a question names, if any."""
    words = question.lower().replace("?", " ").split()
    return next((name for name in _NAMES if name in words), None)


def features(rgb: np.ndarray, question: str, option_count: int) -> np.ndarray:
    """Hand-made features: colours and their blobs, profiles, ink, and the blob that the question names."""
    colour = named_colours(rgb)
    grey = rgb.mean(axis=2)
    out: list[float] = [option_count]
    for place in range(len(_NAMES)):
        mask = colour == place
        sizes = _blob_sizes(mask)
        out += [mask.mean(), len(sizes), max(sizes, default=0) / mask.size]
    out += _focus(colour, focus_of(question))
    out += _slots(colour >= 0, option_count)
    vivid = (colour >= 0).astype(float)
    out += list(vivid.reshape(144, 16, 12).mean(axis=(0, 2))) + list(
        vivid.reshape(12, 12, 192).mean(axis=(1, 2))
    )
    dark = grey < 0.75 * np.median(grey)
    rows, columns = dark.mean(axis=1), dark.mean(axis=0)
    out += [grey.mean() / 255, grey[:40].mean() / 255, grey.std() / 255]
    out += list(rgb[:30].mean(axis=(0, 1)) / 255) + list(rgb[98:110].mean(axis=(0, 1)) / 255)
    out += [rows.max(), columns.max(), float((rows > 0.5).sum()), float((columns > 0.5).sum())]
    out += list(rows.reshape(16, 9).mean(axis=1)) + list(columns.reshape(16, 12).mean(axis=1))
    white = (rgb.min(axis=2) > 235).astype(float)
    out += list(white.reshape(9, 16, 12, 16).mean(axis=(1, 3)).ravel())
    out += [len(_blob_sizes(white > 0, 3)), len(_blob_sizes(grey < 45, 6))]
    road = grey[112:138] < 45
    out += [len(_blob_sizes(road, 6)), road.mean()]
    plate = colour[76:118]
    for place in range(len(_NAMES)):
        out.append((plate == place).mean())
    return np.array(out, float)


def _blob_sizes(mask: np.ndarray, smallest: int = 14) -> list[int]:
    labels, _ = ndimage.label(mask)
    sizes = np.bincount(labels.ravel())[1:]
    return [int(s) for s in sizes if s >= smallest]


def _focus(colour: np.ndarray, name: str | None) -> list[float]:
    """Form of the largest blob of a colour: size, box, filling, 16 radii from its centre, longest first."""
    nothing = [0.0] * 24
    if name is None:
        return nothing
    labels, count = ndimage.label(colour == _NAMES.index(name))
    if not count:
        return nothing
    sizes = np.bincount(labels.ravel())[1:]
    y, x = np.nonzero(labels == sizes.argmax() + 1)
    height, width = np.ptp(y) + 1, np.ptp(x) + 1
    cy, cx = y.mean(), x.mean()
    angle, radius = np.arctan2(y - cy, x - cx), np.hypot(y - cy, x - cx)
    sector = ((angle + np.pi) / (2 * np.pi) * 16).astype(int) % 16
    reach = np.array([radius[sector == s].max(initial=0) for s in range(16)])
    reach = np.sort(reach)[::-1] / max(reach.max(), 1)
    spread = np.sort(np.linalg.eigvalsh(np.cov(np.vstack([y, x])))) if len(y) > 2 else np.ones(2)
    return [
        float((sizes >= 14).sum()),
        float((colour == _NAMES.index(name)).sum()) / colour.size,
        len(y) / colour.size,
        len(y) / (height * width),
        min(height, width) / max(height, width),
        float(spread[0] / max(spread[1], 1e-9)),
        len(y) / max(np.pi * radius.max() ** 2, 1),
        float(reach.std()),
        *reach,
    ]


def _slots(vivid: np.ndarray, count: int) -> list[float]:
    """Height of the vivid pixels in each of ``count`` equal slots of the plot area, against the highest."""
    plot = vivid[10:122, 20:184]
    edges = np.linspace(0, plot.shape[1], count + 1).astype(int)
    heights = [float((plot[:, a:b].mean(axis=1) > 0.3).sum()) for a, b in pairwise(edges)]
    heights += [0.0] * (6 - count)
    top, low = max(*heights, 1.0), max(min(heights[:count]), 1.0)
    return [h / top for h in heights] + [h / low for h in heights]
