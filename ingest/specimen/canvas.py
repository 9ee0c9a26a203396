"""A small canvas whose PNG bytes are the same on every machine.

Shapes are drawn by Pillow at three times the size with integer coordinates and averaged down in integer
arithmetic; text uses Pillow's built-in bitmap font, which needs no font engine. The file is written here, in
stored (uncompressed) deflate blocks: zlib implementations compress the same pixels to different bytes, and a
hash in a freeze must not depend on which one is installed.
"""

from __future__ import annotations

import binascii
import random
import struct
import zlib

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 192, 144
_SCALE = 3

COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (214, 69, 65),
    "blue": (58, 110, 200),
    "green": (66, 152, 84),
    "yellow": (238, 190, 62),
    "purple": (136, 86, 168),
    "orange": (232, 126, 48),
}
INK = (52, 56, 66)
PAPER = (250, 248, 242)
GREY = (168, 172, 180)
LIGHT = (226, 226, 222)
WHITE = (255, 255, 255)

Colour = tuple[int, int, int]


class Canvas:
    """Draws in pixels of the final 192 x 144 image; fractions of a third of a pixel count."""

    def __init__(self, background: Colour = PAPER):
        self._image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), background)
        self._draw = ImageDraw.Draw(self._image)
        self._texts: list[tuple[int, int, str, Colour, int]] = []

    def rectangle(
        self, left: float, top: float, right: float, bottom: float, fill: Colour | None, outline=None
    ):
        box = [_up(left), _up(top), max(_up(left), _up(right) - 1), max(_up(top), _up(bottom) - 1)]
        self._draw.rectangle(box, fill=fill, outline=outline, width=_SCALE)

    def ellipse(
        self, left: float, top: float, right: float, bottom: float, fill: Colour | None, outline=None
    ):
        self._draw.ellipse(
            [_up(left), _up(top), _up(right), _up(bottom)], fill=fill, outline=outline, width=_SCALE
        )

    def pie(self, left: float, top: float, right: float, bottom: float, start: int, end: int, fill: Colour):
        """A slice between whole degrees, clockwise from three o'clock."""
        self._draw.pieslice([_up(left), _up(top), _up(right), _up(bottom)], start, end, fill=fill)

    def polygon(self, points: list[tuple[float, float]], fill: Colour):
        self._draw.polygon([(_up(x), _up(y)) for x, y in points], fill=fill)

    def line(self, x0: float, y0: float, x1: float, y1: float, fill: Colour, width: float = 1):
        self._draw.line([(_up(x0), _up(y0)), (_up(x1), _up(y1))], fill=fill, width=max(1, _up(width)))

    def text(self, x: int, y: int, words: str, fill: Colour = INK, size: int = 1):
        """ASCII words with the top left corner at x, y; ``size`` doubles or trebles the 6 x 11 letters."""
        self._texts.append((x, y, words, fill, size))

    def image(self, noise: int = 0, rng: random.Random | None = None) -> Image.Image:
        """The finished picture, with ``noise`` grey specks placed by ``rng``."""
        large = np.asarray(self._image)
        total = np.zeros((HEIGHT, WIDTH, 3), np.uint16)
        for row in range(_SCALE):
            for column in range(_SCALE):
                total += large[row::_SCALE, column::_SCALE]
        small = Image.fromarray((total // _SCALE**2).astype(np.uint8))
        font = ImageFont.load_default_imagefont()
        for x, y, words, fill, size in self._texts:
            mask = font.getmask(words, mode="1")
            stencil = Image.new("1", mask.size)
            stencil.im.paste(mask, (0, 0, *mask.size))
            stencil = stencil.resize((mask.size[0] * size, mask.size[1] * size), Image.Resampling.NEAREST)
            small.paste(fill, (x, y), stencil)
        if noise and rng is not None:
            pixels = small.load()
            for _ in range(noise):
                shade = rng.choice((96, 144, 192))
                pixels[rng.randrange(WIDTH), rng.randrange(HEIGHT)] = (shade, shade, shade)
        return small


def _up(pixels: float) -> int:
    return round(pixels * _SCALE)


def png_bytes(image: Image.Image) -> bytes:
    """An indexed PNG of at most 256 colours; the same bytes for the same pixels, on every machine."""
    pixels = np.asarray(image.convert("RGB"), dtype=np.uint32)
    codes = pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]
    for lost_bits in range(8):  # few pictures have more than 256 shades: those lose low bits
        kept = 0x010101 * (0xFF << lost_bits & 0xFF)
        colours, index = np.unique(codes & kept, return_inverse=True)
        if len(colours) <= 256:
            break
    height, width = codes.shape
    palette = np.stack([colours >> 16, colours >> 8 & 0xFF, colours & 0xFF], axis=1)
    rows = np.zeros((height, width + 1), np.uint8)  # each row starts with filter type 0
    rows[:, 1:] = index.reshape(height, width)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data)
        for kind, data in (
            (b"IHDR", header),
            (b"PLTE", palette.astype(np.uint8).tobytes()),
            (b"IDAT", _stored(rows.tobytes())),
            (b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))


def _stored(data: bytes) -> bytes:
    """A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4)."""
    out = [b"\x78\x01"]
    for start in range(0, len(data), 65535):
        block = data[start : start + 65535]
        last = start + 65535 >= len(data)
        out.append(struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF) + block)
    return b"".join(out) + struct.pack(">I", zlib.adler32(data))
