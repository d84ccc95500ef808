"""Shapes on the pages of a PDF, in millimetres from the top left corner, and the font for their characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import Final, Literal

from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.enums import TextMode

from calibration.captions import CAPTIONS
from calibration.faces import Area, Box, Character, Ink, Oval, Point, Shape, Stroke

FONT: Final = Path(__file__).with_name("fonts") / "hupai-kai.ttf"
"""The characters that sheets need; see fonts/OFL.txt and `calibration.fonts.subset`."""

TEXT: Final = 3.2
"""Size of the captions' letters, mm."""

_NAME: Final = "hupai-kai"
_MM: Final = 72 / 25.4  # points

PaperName = Literal["a4", "letter"]


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, upright, in millimetres; printers leave `margin` blank."""

    width: float
    height: float
    margin: float = 8.0


PAPERS: Final[dict[PaperName, Paper]] = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}


class Drawing:
    """A PDF that is drawn page by page, each of the paper's own size, so that it prints at true size unless scaled."""

    def __init__(self, paper: Paper, title: str, *, wide: bool = False) -> None:
        self.width, self.height = (paper.height, paper.width) if wide else (paper.width, paper.height)
        self.margin = paper.margin
        self._pdf = FPDF(unit="mm", format=(self.width, self.height))
        self._pdf.set_auto_page_break(False)
        self._pdf.add_font(_NAME, fname=FONT)
        self._pdf.set_title(title)
        self._pdf.set_creator("hupai")

    def page(self) -> None:
        """Begin a new page."""
        self._pdf.add_page()

    def bytes(self) -> bytes:
        """The PDF."""
        return bytes(self._pdf.output())

    def shapes(self, shapes: Iterable[Shape], x: float, y: float, scale: float) -> None:
        """Draw shapes around (x, y), one of their units being `scale` mm."""
        for shape in shapes:
            match shape:
                case Oval():
                    self._oval(shape, x, y, scale)
                case Box():
                    self._box(shape, x, y, scale)
                case Stroke():
                    self._stroke(
                        [(x + px * scale, y + py * scale) for px, py in shape.points], shape.width * scale, shape.ink
                    )
                case Area():
                    self.area([(x + px * scale, y + py * scale) for px, py in shape.points], shape.ink)
                case Character():
                    self._character(shape, x, y, scale)

    def area(self, points: Sequence[Point], ink: Ink) -> None:
        """Fill a polygon."""
        self._fill(ink)
        self._pdf.polygon(points, style="F")

    def line(self, points: Sequence[Point], width: float, ink: Ink, dash: tuple[float, float] | None = None) -> None:
        """A line through points; `dash` is the length of a dash and of the gap after it."""
        self._outline(ink, width)
        if dash:
            self._pdf.set_dash_pattern(dash[0], dash[1])
        self._pdf.polyline(points)
        self._pdf.set_dash_pattern()

    def circle(self, x: float, y: float, radius: float, ink: Ink, width: float) -> None:
        """A circle's outline around (x, y)."""
        self._ring(x, y, radius, radius, ink, width)

    def text(self, text: str, x: float, y: float, size: float, *, middle: bool = False, turn: float = 0.0) -> None:
        """Write a line in letters of `size` mm, its base line beginning at (x, y) or, with `middle`, centred there.

        `turn` turns it counter-clockwise about that point, in degrees.
        """
        self._letters(Ink.BLACK, size)
        start = x - self._pdf.get_string_width(text) / 2 if middle else x
        with self._pdf.rotation(turn, x, y):
            self._pdf.text(start, y, text)

    def head(self, title: Sequence[str], hints: Sequence[str]) -> None:
        """The page's title and, after it, the captions of those keys: a line in English and one in Chinese."""
        for language, (name, join) in enumerate(zip(title, (". ", "。"), strict=True)):
            hint = (" " if language == 0 else "").join(CAPTIONS[key][language] for key in hints)
            self.text(name + join + hint, self.margin, self.margin + (1 + 1.5 * language) * TEXT, TEXT)

    def bar(self, x: float, y: float) -> None:
        """A line of 50 mm from (x, y) to the right, which shows whether the printer kept the size."""
        self.line([(x, y), (x + 50, y)], 0.3, Ink.BLACK)
        for k in range(6):
            tick = 1.5 if k % 5 == 0 else 0.8
            self.line([(x + 10 * k, y - tick), (x + 10 * k, y + tick)], 0.2, Ink.BLACK)
        self.text("  ".join(CAPTIONS["bar"]), x, y - 2.5, TEXT)

    def _oval(self, oval: Oval, x: float, y: float, scale: float) -> None:
        x, y, rx, ry = x + oval.x * scale, y + oval.y * scale, oval.rx * scale, oval.ry * scale
        if oval.turn:
            c, s = cos(radians(oval.turn)), sin(radians(oval.turn))
            ring = [(rx * cos(radians(6 * k)), ry * sin(radians(6 * k))) for k in range(60)]
            self.area([(x + u * c - v * s, y + u * s + v * c) for u, v in ring], oval.ink)
        elif oval.line:
            self._ring(x, y, rx, ry, oval.ink, oval.line * scale)
        else:
            self._fill(oval.ink)
            self._pdf.ellipse(x - rx, y - ry, 2 * rx, 2 * ry, style="F")

    def _ring(self, x: float, y: float, rx: float, ry: float, ink: Ink, width: float) -> None:
        # The library's own ellipse shows a notch where its outline ends.
        self._outline(ink, width)
        angles = [radians(5 * k) for k in range(72)]
        self._pdf.polygon([(x + rx * cos(angle), y + ry * sin(angle)) for angle in angles], style="D")

    def _box(self, box: Box, x: float, y: float, scale: float) -> None:
        width, height = box.width * scale, box.height * scale
        left, top = x + box.x * scale - width / 2, y + box.y * scale - height / 2
        self._outline(box.ink, box.line * scale)
        self._pdf.rect(left, top, width, height, style="D", round_corners=True, corner_radius=box.bend * scale)

    def _stroke(self, points: Sequence[Point], width: float, ink: Ink) -> None:
        # The ends and corners are round because a disc lies on each.
        self.line(points, width, ink)
        self._fill(ink)
        for x, y in points:
            self._pdf.ellipse(x - width / 2, y - width / 2, width, width, style="F")

    def _character(self, letter: Character, x: float, y: float, scale: float) -> None:
        left, bottom, right, top = _bounds()[letter.text]
        bold = letter.weight * scale
        size = min((letter.width * scale - bold) / (right - left), (letter.height * scale - bold) / (top - bottom))
        with self._pdf.local_context(text_mode=TextMode.FILL_STROKE if bold else TextMode.FILL):
            self._letters(letter.ink, size)
            self._outline(letter.ink, bold)
            middle = size * (left + right) / 2, size * (bottom + top) / 2
            self._pdf.text(x + letter.x * scale - middle[0], y + letter.y * scale + middle[1], letter.text)

    def _fill(self, ink: Ink) -> None:
        self._pdf.set_fill_color(*ink.value)

    def _outline(self, ink: Ink, width: float) -> None:
        self._pdf.set_draw_color(*ink.value)
        self._pdf.set_line_width(width)

    def _letters(self, ink: Ink, size: float) -> None:
        self._pdf.set_font(_NAME, size=size * _MM)
        self._pdf.set_text_color(*ink.value)


@cache
def _bounds() -> dict[str, tuple[float, float, float, float]]:
    """Left, bottom, right and top of each character's ink, in em from its origin on the base line; y runs up."""
    with TTFont(FONT) as font:
        glyphs, em = font.getGlyphSet(), font["head"].unitsPerEm
        found = {}
        for code, name in font.getBestCmap().items():
            pen = BoundsPen(glyphs)
            glyphs[name].draw(pen)
            if pen.bounds:
                left, bottom, right, top = (edge / em for edge in pen.bounds)
                found[chr(code)] = (left, bottom, right, top)
        return found
