"""Sheets to print, cut and glue: faces of a family at true size, and the racks (牌尺) that hold round pieces.

All lengths are millimetres on the paper. What lies where is worked out first, as values, and drawn afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import Final

from calibration.captions import CAPTIONS
from calibration.drawing import PAPERS, TEXT, Drawing, Paper, PaperName
from calibration.faces import HEIGHTS, Ink, Point, face
from scoring.ruleset import RuleSet
from scoring.tiles import Family, Tile, tiles_of

DEFAULT_WIDTHS: Final = {Family.XIANGQI: 30.0, Family.JUNQI: 32.0, Family.PAIGOW: 25.0, Family.MAHJONG: 25.0}
"""Width of a face where none is asked for."""

LEAST_WIDTH, MOST_WIDTH = 12.0, 80.0
DEFAULT_THICKNESS: Final = 8.0
DEFAULT_PLACES: Final = 8  # the tiles of a winning hand in most rules for discs

_GAP: Final = 2.6  # between two faces, for scissors and crop marks
_MARK: Final = 1.2  # length of a crop mark
_HEAD: Final = 12.0  # for the lines of text above the faces
_FOOT: Final = 9.0  # for the bar below them
_HAIR: Final = 0.12
_CUT: Final = 0.25
_VALLEY: Final = (0.4, 1.6)
_MOUNTAIN: Final = (3.0, 1.5)


class SheetError(ValueError):
    """Something that cannot be laid out; the message is one line and says how to mend it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A face on a page, its middle at (x, y) from the page's top left corner."""

    tile: Tile
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class FacePages:
    """The faces of a set on upright pages; each is `width` × `height`, a disc where `round`."""

    family: Family
    rules: RuleSet | None
    paper: Paper
    width: float
    height: float
    pages: tuple[tuple[Placed, ...], ...]

    @property
    def round(self) -> bool:
        """Whether the faces are discs."""
        return self.family is Family.XIANGQI


def pieces(family: Family, rules: RuleSet | None) -> tuple[Tile, ...]:
    """Every piece of the rule set's set, each as often as the set holds it; without rules one of each kind."""
    if rules is None:
        return tiles_of(family)
    return tuple(tile for tile, number in zip(rules.tiles, rules.number, strict=True) for _ in range(number))


def lay_out(family: Family, rules: RuleSet | None, paper: PaperName, width: float | None = None) -> FacePages:
    """Where each face goes. `width` is that of a face, the family's usual one where None.

    Raises SheetError where the rules are another family's or the faces are too small to read or too large for a page.
    """
    if rules is not None and rules.family is not family:
        raise SheetError(f"{rules.id} is played with {rules.family}; print {rules.family}, or leave --rules out")
    width = DEFAULT_WIDTHS[family] if width is None else width
    if not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise SheetError(f"faces {width:g} mm wide: give a width of {LEAST_WIDTH:g} to {MOST_WIDTH:g} mm")
    sheet, height = PAPERS[paper], width * HEIGHTS[family]
    free = (sheet.width - 2 * sheet.margin, sheet.height - 2 * sheet.margin - _HEAD - _FOOT)
    columns, rows = (int((room + _GAP) // (size + _GAP)) for room, size in zip(free, (width, height), strict=True))
    left = (sheet.width - columns * (width + _GAP) + _GAP) / 2
    top = sheet.margin + _HEAD
    places = [
        (left + width / 2 + column * (width + _GAP), top + height / 2 + row * (height + _GAP))
        for row in range(rows)
        for column in range(columns)
    ]
    queue = pieces(family, rules)
    pages = tuple(
        tuple(Placed(tile, *place) for tile, place in zip(queue[start:], places, strict=False))
        for start in range(0, len(queue), len(places))
    )
    return FacePages(family, rules, sheet, width, height, pages)


PANELS: Final = ("lip", "ledge", "back", "strut", "base")
"""The parts of a rack's strip from the front: the pieces stand on the ledge behind the lip and lean against the back;
the strut holds it up, and the base runs from the strut's foot forward under the ledge and is glued to it."""

_LEAN: Final = 20.0  # degrees
_PLAY: Final = 0.5  # room beside each piece
_BEHIND: Final = 0.15  # how far behind the back's top the strut stands, in widths of a piece


@dataclass(frozen=True, slots=True)
class Rack:
    """A strip of card folded along its `length`. `profile` is its cross-section, from the lip's top edge: distance
    from the front and height of the end of each panel. At both ends the lip and the ledge have ears that are glued."""

    length: float
    profile: tuple[Point, ...]

    @property
    def depths(self) -> tuple[float, ...]:
        """How far the strip is from fold to fold, a panel each."""
        return tuple(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(self.profile))

    @property
    def depth(self) -> float:
        """Of the whole strip, unfolded."""
        return sum(self.depths)

    @property
    def ear(self) -> float:
        """How far the ears reach beyond the strip: as far as the lip is high."""
        return self.depths[0]

    @property
    def valleys(self) -> tuple[bool, ...]:
        """Whether each fold between two panels turns the printed sides towards each other."""
        turns = zip(self.profile, self.profile[1:], self.profile[2:], strict=False)
        return tuple((b[0] - a[0]) * (c[1] - b[1]) > (b[1] - a[1]) * (c[0] - b[0]) for a, b, c in turns)


def rack(places: int, width: float, thickness: float) -> Rack:
    """A rack for so many discs `width` across and `thickness` thick."""
    lip, ledge, back = 0.27 * width, thickness + 1.5, 0.8 * width
    top = (ledge + back * sin(radians(_LEAN)), back * cos(radians(_LEAN)))
    foot = (top[0] + _BEHIND * width, 0.0)
    profile = ((0.0, lip), (0.0, 0.0), (ledge, 0.0), top, foot, (0.0, 0.0))
    return Rack(places * (width + _PLAY) + 2 * _PLAY, profile)


@dataclass(frozen=True, slots=True)
class RackPages:
    """Racks that lie along the page; `lefts` are the left edges of those on one page."""

    rack: Rack
    places: int
    count: int
    paper: Paper
    lefts: tuple[float, ...]

    @property
    def pages(self) -> int:
        """How many pages they take."""
        return -(-self.count // len(self.lefts))


def lay_out_racks(players: int, places: int, width: float, thickness: float, paper: PaperName) -> RackPages:
    """Racks for so many players with so many discs each, split in two where the page is too short.

    Raises SheetError where not even one rack of two places fits.
    """
    sheet = PAPERS[paper]
    long, wide = sheet.height - 2 * sheet.margin, sheet.width - 2 * sheet.margin
    most = next((n for n in range(places, 0, -1) if _long(rack(n, width, thickness)) <= long), 0)
    side_by_side = int((wide + _GAP) // (rack(1, width, thickness).depth + _GAP))
    if most < 2 or not side_by_side:
        raise SheetError(f"no rack for discs of {width:g} × {thickness:g} mm fits on the paper: give smaller ones")
    parts = -(-places // most)
    strip = rack(-(-places // parts), width, thickness)
    left = (sheet.width - side_by_side * (strip.depth + _GAP) + _GAP) / 2
    lefts = tuple(left + n * (strip.depth + _GAP) for n in range(side_by_side))
    return RackPages(strip, -(-places // parts), players * parts, sheet, lefts)


def _long(strip: Rack) -> float:
    """Length of a strip with its ears."""
    return strip.length + 2 * strip.ear


def draw(faces: FacePages, racks: RackPages | None = None) -> bytes:
    """The PDF of the faces and, after them, of the racks."""
    which = (faces.rules.id, faces.rules.name.zh) if faces.rules else CAPTIONS["one_of_each"]
    family = CAPTIONS[faces.family]
    title = [CAPTIONS["set"][n].format(family=family[n], which=which[n]) for n in (0, 1)]
    drawing = Drawing(faces.paper, f"hupai: {title[0]}")
    total = len(faces.pages) + (racks.pages if racks else 0)
    for number, page in enumerate(faces.pages, 1):
        drawing.page()
        where = _page(number, total)
        numbered = [CAPTIONS["numbered"][n].format(title=title[n], page=where[n]) for n in (0, 1)]
        drawing.head(numbered, ("true_size", "cut"))
        drawing.bar(drawing.margin, drawing.height - drawing.margin - 1.5)
        for placed in page:
            drawing.shapes(face(placed.tile), placed.x, placed.y, faces.width)
            _cut_lines(drawing, faces, placed)
    if racks:
        _draw_racks(drawing, racks, len(faces.pages), total)
    return drawing.bytes()


def _cut_lines(drawing: Drawing, faces: FacePages, placed: Placed) -> None:
    """A hair line round a disc; crop marks at the corners of anything else."""
    if faces.round:
        drawing.circle(placed.x, placed.y, faces.width / 2, Ink.CUT, _HAIR)
        return
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = placed.x + sx * faces.width / 2, placed.y + sy * faces.height / 2
            drawing.line([(x + sx * 0.3, y), (x + sx * _MARK, y)], _HAIR, Ink.CUT)
            drawing.line([(x, y + sy * 0.3), (x, y + sy * _MARK)], _HAIR, Ink.CUT)


def _page(number: int, total: int) -> tuple[str, ...]:
    return tuple(text.format(page=number, pages=total) for text in CAPTIONS["page"])


def _draw_racks(drawing: Drawing, racks: RackPages, before: int, total: int) -> None:
    """The nets of the racks, those of one page beside each other; they take the whole page and carry its text."""
    for number in range(racks.pages):
        drawing.page()
        for x in racks.lefts[: racks.count - number * len(racks.lefts)]:
            _draw_net(drawing, racks, x, (before + number + 1, total))


def _draw_net(drawing: Drawing, racks: RackPages, left: float, page: tuple[int, int]) -> None:
    """One net, its panels from left to right; outline and cuts solid, folds dashed (away) or dotted (towards)."""
    strip = racks.rack
    middle = drawing.height / 2
    top, foot, ear = middle - strip.length / 2, middle + strip.length / 2, strip.ear
    edges = [left + sum(strip.depths[:n]) for n in range(len(PANELS) + 1)]
    lip, ledge, right = edges[1], edges[2], edges[-1]
    front = [
        (ledge, foot),
        (ledge, foot + ear),
        (left, foot + ear),
        (left, top - ear),
        (ledge, top - ear),
        (ledge, top),
    ]
    drawing.line([(ledge, top), (right, top), (right, foot), *front], _CUT, Ink.BLACK)
    for y, end in ((top, top - ear), (foot, foot + ear)):
        drawing.line([(lip, y), (lip, end)], _CUT, Ink.BLACK)
        drawing.line([(left, y), (ledge, y)], _CUT, Ink.BLACK, _VALLEY)
    for x, valley in zip(edges[1:-1], strip.valleys, strict=True):
        drawing.line([(x, top), (x, foot)], _CUT, Ink.BLACK, _VALLEY if valley else _MOUNTAIN)
    glue = right - strip.depths[PANELS.index("ledge")]
    drawing.line([(glue, top), (glue, foot)], _HAIR, Ink.CUT)

    def write(lines: Sequence[str], start: float, end: float) -> None:
        for n, words in enumerate(lines):
            x = (start + end) / 2 + TEXT * (0.35 + 1.5 * (n - (len(lines) - 1) / 2))
            drawing.text(words, x, middle, TEXT, middle=True, turn=90)

    hints = {key: " ".join(CAPTIONS[key]) for key in (*PANELS, "glue")}
    sizes = [text.format(places=racks.places) for text in CAPTIONS["racks"]]
    pages = _page(*page)
    for name, start, end in zip(PANELS[:3], edges, edges[1:], strict=False):
        write([hints[name]], start, end)
    write([hints["strut"], *CAPTIONS["fold"]], edges[3], edges[4])
    write([" ".join([hints["base"], *sizes]), " ".join(pages)], edges[4], glue)
    write([hints["glue"]], glue, right)
