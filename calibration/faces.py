"""The faces of homemade pieces as shapes, for sheets that are printed, cut out and glued.

A face is drawn in units of its own width around its middle: x runs right from -0.5 to 0.5, y runs down. Colour is never
the only thing that tells two faces apart: the sides of xiangqi and junqi differ by their rings and frames too, dominoes
by their numbers, mahjong tiles by their shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import cos, pi, radians, sin
from typing import Final

from scoring.tiles import Colour, Family, Tile, tiles_of

Point = tuple[float, float]


class Ink(Enum):
    """A printed colour as (red, green, blue), 0–255.

    Lightness tells the inks apart where hue does not: to the eyes of the colour-blind, too, red is lighter than black
    and yellower than blue (after Okabe and Ito, Color Universal Design, 2008).
    """

    BLACK = (20, 20, 24)
    RED = (213, 62, 20)
    BLUE = (0, 98, 178)
    GREEN = (0, 122, 84)
    PAPER = (255, 255, 255)
    CUT = (150, 150, 150)
    LIGHT_GREY = (190, 190, 190)
    MIDDLE_GREY = (130, 130, 130)
    DARK_GREY = (75, 75, 75)


@dataclass(frozen=True, slots=True)
class Oval:
    """An ellipse with half axes `rx`, `ry`, turned clockwise by `turn` degrees; an outline of width `line` unless 0."""

    x: float
    y: float
    rx: float
    ry: float
    ink: Ink
    line: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of some width through points, with round ends and corners."""

    points: tuple[Point, ...]
    width: float
    ink: Ink


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    points: tuple[Point, ...]
    ink: Ink


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle around (x, y) with rounded corners; an outline of width `line` unless 0."""

    x: float
    y: float
    width: float
    height: float
    bend: float
    ink: Ink
    line: float = 0.0


@dataclass(frozen=True, slots=True)
class Character:
    """A character whose ink, centred on (x, y), is as large as fits into `width` × `height`; `weight` thickens it."""

    text: str
    x: float
    y: float
    width: float
    height: float
    ink: Ink
    weight: float = 0.0


Shape = Oval | Stroke | Area | Box | Character
Face = tuple[Shape, ...]

HEIGHTS: Final = {Family.XIANGQI: 1.0, Family.JUNQI: 0.62, Family.PAIGOW: 2.0, Family.MAHJONG: 1.35}
"""Height of a family's faces in their widths; xiangqi's are discs."""


def face(tile: Tile) -> Face:
    """The face of a tile."""
    return {
        Family.XIANGQI: _xiangqi,
        Family.JUNQI: _junqi,
        Family.PAIGOW: _paigow,
        Family.MAHJONG: _mahjong,
    }[tile.family](tile)


def characters() -> frozenset[str]:
    """Every character that stands on some face."""
    faces = (face(tile) for family in Family for tile in tiles_of(family))
    return frozenset(shape.text for shapes in faces for shape in shapes if isinstance(shape, Character))


def _disc(x: float, y: float, radius: float, ink: Ink, line: float = 0.0) -> Oval:
    return Oval(x, y, radius, radius, ink, line)


_SIDES: Final = {Colour.RED: Ink.RED, Colour.BLACK: Ink.BLACK, Colour.BLUE: Ink.BLUE}

# Rings of a disc by side, as radius and line: red has one, black two, 天地人 a thin and a thick one.
_RINGS: Final = {
    Colour.RED: ((0.425, 0.034),),
    Colour.BLACK: ((0.44, 0.022), (0.395, 0.022)),
    Colour.BLUE: ((0.44, 0.012), (0.40, 0.034)),
}


def _xiangqi(tile: Tile) -> Face:
    """The character in its side's rings."""
    ink = _SIDES[tile.colour]
    rings = (_disc(0, 0, radius, ink, line) for radius, line in _RINGS[tile.colour])
    return (*rings, Character(tile.zh, 0, 0, 0.56, 0.56, ink, 0.012))


# Frames of a block by side, as distance from the edge and line: red has one, black two.
_FRAMES: Final = {Colour.RED: ((0.045, 0.022),), Colour.BLACK: ((0.03, 0.014), (0.062, 0.014))}


def _junqi(tile: Tile) -> Face:
    """The two characters side by side in their side's frames."""
    ink = _SIDES[tile.colour]
    height = HEIGHTS[Family.JUNQI]
    frames = (Box(0, 0, 1 - 2 * inset, height - 2 * inset, 0.06, ink, line) for inset, line in _FRAMES[tile.colour])
    letters = (Character(char, x, 0, 0.37, 0.40, ink, 0.01) for char, x in zip(tile.zh, (-0.205, 0.205), strict=True))
    return (*frames, *letters)


# Pips of a half: across in column widths, along in row heights from the half's middle.
_PIPS: Final[dict[str, tuple[Point, ...]]] = {
    "1": ((0, 0),),
    "2": ((-1, 0), (1, 0)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -0.6), (1, -0.6), (-1, 0.6), (1, 0.6)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_COLUMN: Final = 0.25
_ROW: Final = 0.29
_PIP: Final = 0.13
_FOUR: Final = 0.12  # how much nearer to the end a four stands, as on Chinese sets: less like a six


def _paigow(tile: Tile) -> Face:
    """The pips of both halves; those of 1 and 4, and half of those of 66, are red (rules, section 1)."""
    shapes: list[Shape] = [Stroke(((-0.4, 0), (0.4, 0)), 0.02, Ink.BLACK)]
    for number, middle in zip(tile.code, (-0.48, 0.48), strict=True):
        for across, along in _PIPS[number]:
            outward = _FOUR * (1 if middle > 0 else -1) if number == "4" else 0.0
            x, y = across * _COLUMN, middle + along * _ROW + outward
            red = number in "14" or (tile.code == "66" and across * middle > 0)
            radius = _PIP * (1.25 if number == "1" else 1.0)
            shapes.append(_disc(x, y, radius, Ink.RED if red else Ink.BLACK))
    return tuple(shapes)


def _mahjong(tile: Tile) -> Face:
    number = int(tile.code.strip("mpszf"))
    match tile.code.strip("0123456789"):
        case "m":
            numeral = Character(tile.zh[0], 0, -0.35, 0.6, 0.36, Ink.BLUE)
            return (numeral, Character("萬", 0, 0.22, 0.66, 0.6, Ink.RED))
        case "p":
            return tuple(_dots(number))
        case "s":
            return tuple(_bird() if number == 1 else _bamboos(number))
        case "z":
            return tuple(_honour(number))
        case _:
            return tuple(_bonus(number, tile.zh))


_MAIN: Final = {"A": Ink.BLUE, "G": Ink.GREEN, "R": Ink.RED}

# Dots by number: ink, and place in widths.
_DOTS: Final[dict[int, tuple[str, tuple[Point, ...]]]] = {
    2: ("GA", ((0, -0.3), (0, 0.3))),
    3: ("ARG", ((-0.27, -0.4), (0, 0), (0.27, 0.4))),
    4: ("AGGA", ((-0.22, -0.3), (0.22, -0.3), (-0.22, 0.3), (0.22, 0.3))),
    5: ("AGRGA", ((-0.27, -0.4), (0.27, -0.4), (0, 0), (-0.27, 0.4), (0.27, 0.4))),
    6: ("GGRRRR", ((-0.2, -0.4), (0.2, -0.4), (-0.2, 0.07), (0.2, 0.07), (-0.2, 0.43), (0.2, 0.43))),
    7: (
        "GGGRRRR",
        ((-0.29, -0.47), (0, -0.35), (0.29, -0.23), (-0.18, 0.13), (0.18, 0.13), (-0.18, 0.45), (0.18, 0.45)),
    ),
    8: ("AAAAAAAA", tuple((x, y) for y in (-0.45, -0.15, 0.15, 0.45) for x in (-0.2, 0.2))),
    9: ("GGGRRRAAA", tuple((x, y) for y in (-0.39, 0, 0.39) for x in (-0.3, 0, 0.3))),
}
_DOT: Final = {2: 0.21, 3: 0.17, 4: 0.17, 5: 0.165, 6: 0.155, 7: 0.135, 8: 0.14, 9: 0.135}


def _dots(number: int) -> Iterator[Shape]:
    """Dots as rings around a heart; the one is a great wheel."""
    if number == 1:
        yield _disc(0, 0, 0.37, Ink.BLUE)
        for k in range(12):
            angle = k * pi / 6
            yield _disc(0.295 * cos(angle), 0.295 * sin(angle), 0.046, Ink.PAPER)
        for radius, ink in ((0.225, Ink.PAPER), (0.185, Ink.GREEN), (0.1, Ink.PAPER), (0.06, Ink.RED)):
            yield _disc(0, 0, radius, ink)
        return
    inks, places = _DOTS[number]
    radius = _DOT[number]
    for letter, (x, y) in zip(inks, places, strict=True):
        yield _disc(x, y, 0.86 * radius, _MAIN[letter], 0.28 * radius)
        yield _disc(x, y, 0.42 * radius, _MAIN[letter])


# Bamboos by number: ink, place of the middle and length in widths.
_STICKS: Final[dict[int, tuple[str, tuple[tuple[float, float, float], ...]]]] = {
    2: ("GG", ((0, -0.3, 0.52), (0, 0.3, 0.52))),
    3: ("GGG", ((0, -0.3, 0.52), (-0.2, 0.3, 0.52), (0.2, 0.3, 0.52))),
    4: ("GGGG", ((-0.2, -0.3, 0.52), (0.2, -0.3, 0.52), (-0.2, 0.3, 0.52), (0.2, 0.3, 0.52))),
    5: ("GGRGG", ((-0.27, -0.3, 0.52), (0.27, -0.3, 0.52), (0, 0, 0.52), (-0.27, 0.3, 0.52), (0.27, 0.3, 0.52))),
    6: ("GGGGGG", tuple((x, y, 0.52) for y in (-0.3, 0.3) for x in (-0.27, 0, 0.27))),
    7: ("RGGGGGG", ((0, -0.41, 0.34), *((x, y, 0.34) for y in (0, 0.41) for x in (-0.27, 0, 0.27)))),
    9: ("GRGGRGGRG", tuple((x, y, 0.34) for y in (-0.41, 0, 0.41) for x in (-0.27, 0, 0.27))),
}
_STICK: Final = 0.15


def _bamboos(number: int) -> Iterator[Shape]:
    """Bamboos as jointed sticks; eight are an M over a W."""
    if number == 8:
        for way in (-1, 1):
            high, low = way * 0.56, way * 0.09
            for side in (-1, 1):
                yield from _stick((side * 0.3, high), (side * 0.3, low), Ink.GREEN)
                yield from _stick((side * 0.2, high), (side * 0.06, low + way * 0.12), Ink.GREEN)
        return
    inks, places = _STICKS[number]
    for letter, (x, y, length) in zip(inks, places, strict=True):
        yield from _stick((x, y - length / 2), (x, y + length / 2), _MAIN[letter])


def _stick(start: Point, end: Point, ink: Ink) -> Iterator[Shape]:
    """A bamboo between two points: a bar with knots at its ends and middle, and a light line along each half."""

    def at(t: float) -> Point:
        return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])

    yield Stroke((at(0.06), at(0.94)), 0.6 * _STICK, ink)
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    knot = 0.5 * _STICK / length
    across = (-(end[1] - start[1]) / length * 0.26 * _STICK, (end[0] - start[0]) / length * 0.26 * _STICK)
    for t in (knot / 2, 0.5, 1 - knot / 2):
        x, y = at(t)
        yield Stroke(((x - across[0], y - across[1]), (x + across[0], y + across[1])), 0.48 * _STICK, ink)
    for t0, t1 in ((1.3 * knot, 0.5 - 0.9 * knot), (0.5 + 0.9 * knot, 1 - 1.3 * knot)):
        yield Stroke((at(t0), at(t1)), 0.16 * _STICK, Ink.PAPER)


def _bird() -> Iterator[Shape]:
    """The one of bamboos: a sparrow on a twig, its tail hanging to the lower right."""
    for tip, ink in (((0.33, 0.44), Ink.GREEN), ((0.24, 0.5), Ink.BLUE), ((0.38, 0.34), Ink.BLUE)):
        yield Stroke(_curve((0.06, 0.08), (0.2, 0.2), tip), 0.06, ink)
    for x in (-0.08, 0.06):
        yield Stroke(((x, 0.12), (x - 0.03, 0.4)), 0.035, Ink.RED)
    yield Stroke(_curve((-0.38, 0.4), (-0.05, 0.47), (0.2, 0.4)), 0.05, Ink.GREEN)
    yield Oval(-0.01, 0.0, 0.25, 0.17, Ink.GREEN, turn=40)
    yield Stroke(_curve((-0.1, -0.08), (-0.22, -0.16), (-0.16, -0.3)), 0.14, Ink.GREEN)
    yield _disc(-0.16, -0.34, 0.12, Ink.GREEN)
    yield _disc(-0.17, -0.35, 0.06, Ink.PAPER)
    yield _disc(-0.18, -0.35, 0.032, Ink.BLACK)
    yield Area(((-0.25, -0.39), (-0.42, -0.32), (-0.25, -0.29)), Ink.RED)
    for dx in (0.0, 0.09):
        yield Stroke(_curve((-0.13 + dx / 2, -0.44), (-0.1 + dx, -0.54), (-0.02 + dx, -0.54)), 0.035, Ink.RED)
    for k in range(3):
        y = -0.06 + 0.075 * k
        yield Stroke(_curve((-0.1 + 0.03 * k, y), (0.05, y), (0.15, y + 0.1)), 0.03, Ink.PAPER)


def _curve(start: Point, bend: Point, end: Point) -> tuple[Point, ...]:
    """Points along the quadratic curve that `bend` pulls on."""
    steps = [k / 12 for k in range(13)]
    return tuple(
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * bend[0] + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * bend[1] + t * t * end[1],
        )
        for t in steps
    )


# Winds and dragons by number: character and ink; the white dragon (5) is a frame.
_HONOURS: Final = {
    1: ("東", Ink.BLUE),
    2: ("南", Ink.BLUE),
    3: ("西", Ink.BLUE),
    4: ("北", Ink.BLUE),
    6: ("發", Ink.GREEN),
    7: ("中", Ink.RED),
}


def _honour(number: int) -> Iterator[Shape]:
    if number == 5:
        yield Box(0, 0, 0.66, 0.98, 0.03, Ink.BLUE, 0.05)
        yield Box(0, 0, 0.5, 0.82, 0.02, Ink.BLUE, 0.02)
    else:
        char, ink = _HONOURS[number]
        yield Character(char, 0, 0, 0.74, 0.86, ink, 0.012)


def _bonus(number: int, name: str) -> Iterator[Shape]:
    """A season (1–4) with a wanderer or a flower (5–8) with its plant, their character and number above."""
    season = number <= 4
    x, size, ink = (-0.22, 0.45, Ink.RED) if season else (0.22, 0.4, Ink.GREEN)
    yield Character(name, x, -0.4, size, size, ink, 0.012)
    yield Character(str((number - 1) % 4 + 1), -1.2 * x, -0.42, 0.24, 0.26, Ink.BLUE, 0.012)
    yield from (_WANDERER if season else _PLANTS[number])


def _blossom(x: float, y: float, radius: float, petals: int, ink: Ink, heart: Ink) -> tuple[Shape, ...]:
    """A flower seen from above."""
    step = 2 * pi / petals
    across = radius * min(0.42, 1.5 / petals)
    leaves = (
        Oval(
            x + 0.6 * radius * sin(k * step),
            y - 0.6 * radius * cos(k * step),
            0.42 * radius,
            across,
            ink,
            turn=360 * k / petals + 90,
        )
        for k in range(petals)
    )
    return (*leaves, _disc(x, y, 0.24 * radius, heart))


def _leaf(foot: Point, length: float, turn: float, ink: Ink) -> Oval:
    """A leaf that grows from its foot, `turn` degrees clockwise from straight up."""
    angle = radians(turn)
    x, y = foot[0] + length / 2 * sin(angle), foot[1] - length / 2 * cos(angle)
    return Oval(x, y, length / 2, 0.16 * length, ink, turn=turn + 90)


_WANDERER: Final[Face] = (
    _disc(0, 0, 0.1, Ink.BLACK, 0.03),
    Area(((-0.08, -0.09), (0.1, -0.12), (0.02, -0.2)), Ink.BLACK),
    Area(((-0.1, 0.12), (0.1, 0.12), (0.26, 0.55), (-0.26, 0.55)), Ink.BLUE),
    Stroke(((-0.08, 0.15), (-0.3, 0.3), (-0.2, 0.36)), 0.06, Ink.BLUE),
    Stroke(((0.08, 0.15), (0.3, 0.28), (0.36, 0.14)), 0.06, Ink.BLUE),
    Stroke(((-0.1, 0.58), (-0.18, 0.6)), 0.06, Ink.RED),
    Stroke(((0.1, 0.58), (0.18, 0.6)), 0.06, Ink.RED),
    Stroke(((0.36, 0.6), (0.36, 0.0)), 0.03, Ink.RED),
)
_PLANTS: Final[dict[int, Face]] = {
    5: (  # plum
        Stroke(_curve((-0.32, 0.6), (0.1, 0.5), (0.1, -0.1)), 0.05, Ink.BLACK),
        Stroke(_curve((-0.05, 0.46), (0.2, 0.45), (0.36, 0.3)), 0.035, Ink.BLACK),
        *_blossom(-0.05, 0.3, 0.17, 5, Ink.RED, Ink.BLUE),
        *_blossom(0.3, 0.3, 0.14, 5, Ink.RED, Ink.BLUE),
        *_blossom(0.1, -0.02, 0.15, 5, Ink.RED, Ink.BLUE),
    ),
    6: (  # orchid
        *(
            Stroke(_curve((0.0, 0.6), (x * 0.3, 0.1), (x, y)), 0.04, Ink.GREEN)
            for x, y in ((-0.4, 0.25), (-0.25, -0.05), (0.12, -0.08), (0.32, 0.1), (0.42, 0.35))
        ),
        *(_leaf((0.0, 0.22), 0.2, turn, Ink.RED) for turn in (-100, -50, 0, 50, 100)),
    ),
    7: (  # chrysanthemum
        Stroke(_curve((0.0, 0.6), (0.08, 0.4), (0.0, 0.15)), 0.04, Ink.GREEN),
        _leaf((0.03, 0.52), 0.28, 65, Ink.GREEN),
        _leaf((0.03, 0.55), 0.28, -70, Ink.GREEN),
        *_blossom(0.0, 0.12, 0.3, 14, Ink.RED, Ink.BLUE),
    ),
    8: (  # bamboo
        *(
            Stroke(((-0.06 + 0.02 * k, 0.6 - 0.2 * k), (-0.05 + 0.02 * k, 0.44 - 0.2 * k)), 0.07, Ink.GREEN)
            for k in range(4)
        ),
        *(_leaf((-0.02, 0.3), 0.26, turn, Ink.GREEN) for turn in (-110, 60, 110)),
        *(_leaf((0.0, 0.1), 0.26, turn, Ink.GREEN) for turn in (-70, 80)),
        _leaf((-0.05, 0.42), 0.26, -60, Ink.GREEN),
    ),
}
