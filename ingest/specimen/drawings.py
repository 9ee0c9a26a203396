"""The families of the specimen suite: each draws one picture and asks one question about it.

A family is a function of a random generator and a difficulty; everything it does follows from those two.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from ingest.specimen.canvas import COLOURS, HEIGHT, INK, LIGHT, PAPER, WHITE, WIDTH, Canvas, Colour

DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Drawing:
    """A picture with its question; the gold is one of the options."""

    image: Image.Image
    question: str
    options: tuple[str, ...]
    gold: str


Family = Callable[[random.Random, str], Drawing]


def _level(difficulty: str) -> int:
    return DIFFICULTIES.index(difficulty)


def _shade(colour: Colour, percent: int) -> Colour:
    return tuple(min(255, channel * percent // 100) for channel in colour)


def _shuffled(rng: random.Random, values: list[str]) -> tuple[str, ...]:
    values = list(values)
    rng.shuffle(values)
    return tuple(values)


def _numbers_around(rng: random.Random, gold: int, how_many: int) -> tuple[str, ...]:
    """Consecutive numbers that contain the gold at any place."""
    lowest = max(0, gold - rng.randrange(how_many))
    return tuple(str(lowest + step) for step in range(how_many))


def bar_charts(rng: random.Random, difficulty: str) -> Drawing:
    level = _level(difficulty)
    count = (3, rng.randint(4, 5), 6)[level]
    want = rng.choice(("tallest", "shortest"))
    margin = (22, 11, 5)[level]
    heights = [rng.randint(28, 74) for _ in range(count)]
    winner = rng.randrange(count)
    others = [h for i, h in enumerate(heights) if i != winner]
    heights[winner] = max(others) + margin if want == "tallest" else max(4, min(others) - margin)
    canvas = Canvas()
    canvas.rectangle(20, 10, 184, 122, WHITE)
    for step in range(1, 5):
        canvas.line(20, 122 - 24 * step, 184, 122 - 24 * step, LIGHT)
    names = list(COLOURS)
    single = rng.choice(names)
    slot = 164 / count
    for i, height in enumerate(heights):
        left = 20 + slot * i + slot * 0.18
        colour = COLOURS[single if level < 2 else rng.choice(names)]
        canvas.rectangle(left, 122 - height, left + slot * 0.64, 122, colour)
        canvas.text(round(20 + slot * (i + 0.5)) - 3, 126, "ABCDEF"[i])
    canvas.line(20, 122, 184, 122, INK)
    canvas.line(20, 10, 20, 122, INK)
    return Drawing(
        canvas.image(noise=level * 60, rng=rng),
        f"Which bar is the {want}?",
        tuple("ABCDEF"[:count]),
        "ABCDEF"[winner],
    )


def pie_charts(rng: random.Random, difficulty: str) -> Drawing:
    level = _level(difficulty)
    names = rng.sample(list(COLOURS), 3 + level)
    half = rng.random() < 0.4
    if half:
        share = rng.choice(((64, 32), (58, 42), (54, 46))[level])
        rest = 100 - share
    else:
        share = (56, 42, 32)[level]
        rest = 100 - share
    others = len(names) - 1
    weights = [rest // others] * others
    weights[0] += rest - sum(weights)
    degrees = [share * 360 // 100, *(w * 360 // 100 for w in weights)]
    degrees[-1] += 360 - sum(degrees)
    order = list(range(len(names)))
    rng.shuffle(order)
    canvas = Canvas()
    at = start = rng.randrange(360)
    for i in order:
        end = at + degrees[i]
        canvas.pie(42, 12, 162 - 12, 132 - 12, at, end, COLOURS[names[i]])
        at = end
    if rng.random() < 0.5:
        canvas.ellipse(74, 44, 118, 88, PAPER)
    assert at == start + 360
    image = canvas.image(noise=level * 80, rng=rng)
    if half:
        return Drawing(
            image,
            f"Is the {names[0]} share larger than one half?",
            ("yes", "no"),
            "yes" if share > 50 else "no",
        )
    return Drawing(image, "Which colour has the largest share?", _shuffled(rng, names), names[0])


def inventory(rng: random.Random, difficulty: str) -> Drawing:
    level = _level(difficulty)
    wanted, *others = rng.sample(list(COLOURS), 2 + level)
    gold = rng.randint(1, (5, 7, 9)[level])
    extra = rng.randint(2, (4, 7, 10)[level])
    places = [(column, row) for row in range(3) for column in range(8)]
    boxes = rng.sample(places, gold + extra)
    fills = [wanted] * gold + [rng.choice(others) for _ in range(extra)]
    canvas = Canvas((232, 224, 210))
    for row in range(3):
        canvas.rectangle(8, 44 + 42 * row, 184, 49 + 42 * row, (128, 98, 70))
    for side in (8, 180):
        canvas.rectangle(side, 8, side + 4, 138, (104, 78, 56))
    for (column, row), name in zip(boxes, fills, strict=True):
        width, height = rng.randint(12, 16), rng.randint(12, 26)
        left, bottom = 16 + column * 20.5 + rng.randint(0, 2), 44 + 42 * row
        colour = _shade(COLOURS[name], 100 - level * rng.randint(0, 8))
        canvas.rectangle(left, bottom - height, left + width, bottom, colour)
        canvas.rectangle(left, bottom - height, left + width, bottom - height + 2.5, _shade(colour, 80))
        canvas.rectangle(
            left + width / 2 - 2, bottom - height, left + width / 2 + 2, bottom - height + 6, LIGHT
        )
    return Drawing(
        canvas.image(noise=level * 40, rng=rng),
        f"How many {wanted} boxes stand on the shelves?",
        _numbers_around(rng, gold, (4, 4, 6)[level]),
        str(gold),
    )


def _draw_shape(canvas: Canvas, shape: str, x: float, y: float, r: float, turn: float, fill: Colour) -> None:
    def ring(corners: int, radius: float, offset: float = 0.0) -> list[tuple[float, float]]:
        angles = [turn + 2 * math.pi * (k + offset) / corners for k in range(corners)]
        return [(x + radius * math.sin(a), y - radius * math.cos(a)) for a in angles]

    if shape == "circle":
        canvas.ellipse(x - r * 0.86, y - r * 0.86, x + r * 0.86, y + r * 0.86, fill)
    elif shape == "cross":
        for dx, dy in ((r, r * 0.3), (r * 0.3, r)):
            canvas.polygon(
                [
                    (
                        x + sx * dx * math.cos(turn) - sy * dy * math.sin(turn),
                        y + sx * dx * math.sin(turn) + sy * dy * math.cos(turn),
                    )
                    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                ],
                fill,
            )
    elif shape == "star":
        outer, inner = ring(5, r), ring(5, r * 0.42, 0.5)
        canvas.polygon([p for pair in zip(outer, inner, strict=True) for p in pair], fill)
    elif shape == "bar":
        c, s = math.cos(turn), math.sin(turn)
        corners = ((-r, -r * 0.3), (r, -r * 0.3), (r, r * 0.3), (-r, r * 0.3))
        canvas.polygon([(x + a * c - b * s, y + a * s + b * c) for a, b in corners], fill)
    else:
        canvas.polygon(ring({"triangle": 3, "square": 4}[shape], r), fill)


SHAPES = ["circle", "square", "triangle", "star", "cross", "bar"]


def shapes(rng: random.Random, difficulty: str) -> Drawing:
    level = _level(difficulty)
    count = (1, 3, 5)[level]
    names = rng.sample(list(COLOURS), count)
    kinds = rng.sample(SHAPES, count)
    canvas = Canvas(rng.choice([PAPER, (232, 238, 244), (240, 236, 230)]))
    cells = rng.sample([(cx, cy) for cx in range(3) for cy in range(2)], count)
    for name, kind, (cx, cy) in zip(names, kinds, cells, strict=True):
        radius = rng.randint(*((20, 26), (16, 25), (12, 23))[level])
        x, y = 32 + 64 * cx + rng.randint(-4, 4), 36 + 72 * cy + rng.randint(-5, 5)
        turn = 0.0 if level == 0 else rng.uniform(-0.5, 0.5)
        _draw_shape(canvas, kind, x, y, radius, turn, COLOURS[name])
    image = canvas.image(noise=level * 120, rng=rng)
    asked = rng.randrange(count)
    wrong = [s for s in SHAPES if s != kinds[asked]]
    options = [kinds[asked], *rng.sample(wrong, (2, 3, 5)[level])]
    return Drawing(image, f"Which shape is drawn in {names[asked]}?", _shuffled(rng, options), kinds[asked])


TEXT = """
the river keeps its own time and nobody asks it why a lamp in every window small boats return with evening
light over old stone bridges where children count the slow barges and rain writes letters
"""
WORDS = TEXT.split()


def _sentence(rng: random.Random, width: int) -> str:
    words = rng.choice(WORDS)
    while len(words) < width - 5:
        words += " " + rng.choice(WORDS)
    return words[:width]


PAGES = ["letter", "form", "table", "poem", "receipt", "two-column article"]


def pages(rng: random.Random, difficulty: str) -> Drawing:
    level = _level(difficulty)
    kind = rng.choice(PAGES)
    canvas = Canvas((206, 204, 198))
    ink = (INK, (92, 96, 104), (140, 142, 146))[level]
    dx, dy = rng.randint(-4, 4) * level, rng.randint(-3, 3) * level
    left, top, right = (58, 4, 134) if kind == "receipt" else (20, 4, 172)
    left, top, right = left + dx, top + dy, right + dx
    canvas.rectangle(left + 2, top + 2, right + 2, 142, (176, 174, 168))
    canvas.rectangle(left, top, right, 140, WHITE)
    inner, y = left + 8, top + 6
    if kind == "letter":
        canvas.text(right - 62, y, "4 May 19" + str(rng.randint(10, 99)), ink)
        canvas.text(inner, y + 18, "Dear " + rng.choice(["Ada", "Noor", "Ivo", "Mila"]) + ",", ink)
        for row in range(5):
            canvas.text(inner, y + 36 + 12 * row, _sentence(rng, 22 if row < 4 else 12), ink)
        canvas.text(inner, y + 104, "Yours,", ink)
        canvas.text(inner, y + 116, rng.choice(["Tom", "Eva", "Lars"]), ink)
    elif kind == "form":
        canvas.text(inner, y, "FORM " + str(rng.randint(100, 999)), ink)
        for row, label in enumerate(rng.sample(["Name", "Street", "Town", "Born", "Phone", "Date"], 4)):
            canvas.text(inner, y + 20 + 22 * row, label, ink)
            canvas.rectangle(inner + 44, y + 17 + 22 * row, right - 8, y + 32 + 22 * row, None, outline=ink)
        for box in range(3):
            canvas.rectangle(inner + 46 * box, y + 110, inner + 46 * box + 9, y + 119, None, outline=ink)
            canvas.text(inner + 46 * box + 14, y + 109, rng.choice(["yes", "no", "n/a"]), ink)
    elif kind == "table":
        canvas.text(inner, y, "Table " + str(rng.randint(1, 20)), ink)
        rows, columns = rng.randint(6, 8), rng.randint(3, 4)
        wide = (right - inner - 8) / columns
        canvas.rectangle(inner, y + 14, right - 8, y + 27, LIGHT)
        for row in range(rows + 1):
            canvas.line(inner, y + 14 + 13 * row, right - 8, y + 14 + 13 * row, ink)
        for column in range(columns + 1):
            x = inner + wide * column
            canvas.line(x, y + 14, x, y + 14 + 13 * rows, ink)
            for row in range(rows if column < columns else 0):
                canvas.text(round(x) + 6, y + 15 + 13 * row, str(rng.randint(10, 999)), ink)
    elif kind == "poem":
        canvas.text(inner + 34, y, rng.choice(["Evening", "Harbour", "Rain"]), ink)
        row_y = y + 20
        for row in range(8):
            canvas.text(inner + 20, row_y, _sentence(rng, rng.randint(9, 15)), ink)
            row_y += 12 if row % 4 != 3 else 22
    elif kind == "receipt":
        canvas.text(inner + 6, y, rng.choice(["CAFE 12", "KIOSK 7", "BAKERY"]), ink)
        for row in range(6):
            canvas.text(inner, y + 18 + 12 * row, rng.choice(["tea", "bun", "soup", "cake", "jam"]), ink)
            price = f"{rng.randint(1, 9)}.{rng.randint(10, 99)}"
            canvas.text(right - 30, y + 18 + 12 * row, price, ink)
        canvas.line(inner, y + 93, right - 8, y + 93, ink)
        canvas.text(inner, y + 97, "SUM", ink)
        canvas.text(right - 36, y + 97, f"{rng.randint(10, 40)}.{rng.randint(10, 99)}", ink)
    else:
        canvas.text(inner, y, rng.choice(["NEWS", "REPORT", "TODAY"]), ink, size=2)
        for column in range(2):
            for row in range(8):
                canvas.text(inner + 72 * column, y + 30 + 12 * row, _sentence(rng, 10), ink)
    wrong = [p for p in PAGES if p != kind]
    options = [kind, *rng.sample(wrong, (2, 3, 5)[level])]
    return Drawing(
        canvas.image(noise=level * 250, rng=rng), "What kind of page is this?", _shuffled(rng, options), kind
    )


def street_scenes(rng: random.Random, difficulty: str) -> Drawing:
    level = _level(difficulty)
    night = rng.random() < 0.5
    weather = rng.choice(["clear", "rain", "snow", "fog"])
    dim = 55 if night else 100
    grey = (78, 84, 94) if night else (196, 202, 208)

    def tone(colour: Colour) -> Colour:
        """The colour in this light; fog draws it towards grey."""
        colour = _shade(colour, dim)
        veil = 62 - 10 * level if weather == "fog" else 0
        return tuple((c * (100 - veil) + g * veil) // 100 for c, g in zip(colour, grey, strict=True))

    blue = (
        [(30, 38, 68), (40, 50, 84), (54, 64, 98)]
        if night
        else [(134, 186, 226), (162, 204, 234), (192, 220, 240)]
    )
    cloud = [_shade((116, 124, 134), share * dim // 100) for share in (100, 108, 116)]
    sky = {"rain": cloud, "fog": [grey, grey, grey]}.get(weather, blue)
    canvas = Canvas(sky[0])
    for band in range(1, 3):
        canvas.rectangle(0, 28 * band, WIDTH, HEIGHT, sky[band])
    if weather in ("clear", "snow"):
        x = rng.randint(16, 160)
        canvas.ellipse(x, 8, x + 18, 26, (244, 236, 200) if night else (250, 214, 84))
        if night:
            canvas.ellipse(x + 6, 6, x + 22, 22, sky[0])
    canvas.rectangle(0, 98, WIDTH, HEIGHT, tone((236, 240, 244) if weather == "snow" else (112, 142, 92)))
    houses = rng.randint(2, 3)
    door = rng.choice(list(COLOURS))
    for i in range(houses):
        left = 6 + i * (182 // houses) + rng.randint(0, 6)
        width, top = rng.randint(42, 50), rng.randint(46, 60)
        wall = rng.choice([(214, 196, 170), (196, 178, 160), (222, 214, 200)])
        canvas.rectangle(left, top, left + width, 108, tone(wall))
        roof = WHITE if weather == "snow" else (132, 84, 70)
        canvas.polygon([(left - 4, top), (left + width / 2, top - 20), (left + width + 4, top)], tone(roof))
        for k in range(2):
            lit = night and rng.random() < 0.7
            glass = (250, 220, 120) if lit else tone((150, 190, 214))
            canvas.rectangle(left + 6 + 22 * k, top + 8, left + 17 + 22 * k, top + 20, glass)
        canvas.rectangle(left + width / 2 - 5, 88, left + width / 2 + 6, 108, tone(COLOURS[door]))
    canvas.rectangle(0, 112, WIDTH, 138, tone((98, 100, 106)))
    for x in range(4, WIDTH, 24):
        canvas.rectangle(x, 124, x + 12, 126, tone((230, 230, 220)))
    cars = rng.randint(0, 3)
    for slot in rng.sample(range(4), cars):
        x, y = 6 + 46 * slot + rng.randint(0, 8), 111 + rng.randint(0, 8)
        paint = tone(COLOURS[rng.choice(["red", "blue", "yellow", "green"])])
        canvas.polygon([(x + 6, y + 7), (x + 11, y), (x + 23, y), (x + 28, y + 7)], _shade(paint, 85))
        canvas.rectangle(x, y + 6, x + 34, y + 14, paint)
        for wheel in (x + 5, x + 22):
            canvas.ellipse(wheel, y + 11, wheel + 7, y + 18, (34, 34, 38))
    if weather == "rain":
        for _ in range(70 - 18 * level):
            x, y = rng.randint(0, WIDTH), rng.randint(0, 128)
            canvas.line(x, y, x - 3, y + 9, (176, 196, 220), 0.7)
    if weather == "snow":
        for _ in range(90 - 22 * level):
            x, y = rng.randint(0, WIDTH), rng.randint(0, 130)
            canvas.ellipse(x, y, x + 2.4, y + 2.4, WHITE)
    image = canvas.image(noise=level * 60, rng=rng)
    ask = rng.choice(["day", "weather", "cars", "door"])
    if ask == "day":
        return Drawing(
            image, "Is it day or night in this street?", ("day", "night"), "night" if night else "day"
        )
    if ask == "weather":
        options = _shuffled(rng, ["clear", "rain", "snow", "fog"])
        return Drawing(image, "What is the weather like?", options, weather)
    if ask == "cars":
        return Drawing(image, "How many cars are on the road?", ("0", "1", "2", "3"), str(cars))
    wrong = [name for name in COLOURS if name != door]
    options = [door, *rng.sample(wrong, (1, 2, 4)[level])]
    return Drawing(image, "What colour are the doors?", _shuffled(rng, options), door)


def _draw_fruit(canvas: Canvas, fruit: str, x: float, y: float) -> None:
    if fruit == "apple":
        canvas.ellipse(x - 9, y - 9, x + 9, y + 9, COLOURS["red"])
        canvas.line(x, y - 8, x + 2, y - 14, (96, 70, 50), 1.6)
    elif fruit == "orange":
        canvas.ellipse(x - 9, y - 9, x + 9, y + 9, COLOURS["orange"])
        canvas.ellipse(x - 2, y - 8, x + 2, y - 5, (96, 130, 60))
    elif fruit == "pear":
        canvas.ellipse(x - 8, y - 4, x + 8, y + 11, (172, 192, 82))
        canvas.ellipse(x - 5, y - 13, x + 5, y + 3, (172, 192, 82))
    elif fruit == "banana":
        outer = [(x + 14 * math.cos(a / 8), y - 4 + 13 * math.sin(a / 8)) for a in range(2, 24)]
        inner = [(x + 12 * math.cos(a / 8), y - 5 + 6 * math.sin(a / 8)) for a in range(23, 1, -1)]
        canvas.polygon(outer + inner, (222, 180, 40))
    else:
        for dx, dy in ((-6, -5), (1, -6), (7, -3), (-3, 1), (4, 2), (0, 8)):
            canvas.ellipse(x + dx - 4, y + dy - 4, x + dx + 4, y + dy + 4, COLOURS["purple"])


FRUIT = ["apple", "orange", "pear", "banana", "grapes"]


def table_scenes(rng: random.Random, difficulty: str) -> Drawing:
    level = _level(difficulty)
    wall = rng.choice([(222, 226, 220), (230, 220, 208), (208, 218, 228)])
    canvas = Canvas(wall)
    wood = rng.choice([(186, 142, 98), (160, 118, 82), (206, 170, 128)])
    canvas.polygon([(0, 62), (WIDTH, 62), (WIDTH, HEIGHT), (0, HEIGHT)], wood)
    for y in range(76, HEIGHT, 15):
        canvas.line(0, y, WIDTH, y, _shade(wood, 93))
    x, y = rng.randint(64, 128), rng.randint(92, 108)
    canvas.ellipse(x - 36, y - 14, x + 36, y + 18, _shade(wood, 80))
    canvas.ellipse(x - 36, y - 17, x + 36, y + 15, (244, 244, 240))
    canvas.ellipse(x - 25, y - 11, x + 25, y + 9, (228, 230, 230))
    fruit = rng.choice(FRUIT)
    count = rng.randint(1, 3)
    for i in range(count):
        _draw_fruit(canvas, fruit, x + 21 * (i - (count - 1) / 2), y - 6 + (i % 2) * 4)
    side = rng.choice(["left", "right"])
    cup = x - 58 if side == "left" else x + 42
    china = COLOURS[rng.choice(list(COLOURS))]
    canvas.ellipse(cup - 5, y - 18, cup + 5, y - 4, None, outline=china)
    canvas.rectangle(cup, y - 24, cup + 18, y, china)
    canvas.ellipse(cup, y - 28, cup + 18, y - 20, _shade(china, 75))
    for _ in range((0, 2, 5)[level]):
        cx, cy = rng.randint(10, 180), rng.randint(124, 136)
        canvas.rectangle(cx, cy, cx + rng.randint(4, 20), cy + 5, COLOURS[rng.choice(list(COLOURS))])
    image = canvas.image(noise=level * 120, rng=rng)
    ask = rng.choice(["fruit", "fruit", "side", "count"])
    if ask == "side":
        options = ("left", "right")
        return Drawing(image, "On which side of the plate is the cup?", options, side)
    if ask == "count":
        options = ("1", "2", "3")
        return Drawing(image, "How many pieces of fruit are on the plate?", options, str(count))
    wrong = [f for f in FRUIT if f != fruit]
    options = [fruit, *rng.sample(wrong, (2, 3, 4)[level])]
    return Drawing(image, "What lies on the plate?", _shuffled(rng, options), fruit)


FAMILIES: dict[str, Family] = {
    "bar_charts": bar_charts,
    "pie_charts": pie_charts,
    "inventory": inventory,
    "shapes": shapes,
    "pages": pages,
    "street_scenes": street_scenes,
    "table_scenes": table_scenes,
}
