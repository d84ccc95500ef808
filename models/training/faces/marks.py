"""Faces of sets that nobody has seen: whatever a family draws on its pieces, most of it no character.

What is on such a face has no name. A set has some marks, all drawn one way, that differ from each other in shape, in
colour, or in both; from many sets an embedding learns what makes two faces the same and two different.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces.art import FaceArt
from models.training.faces.canvas import Canvas, Colour, Surface, face_size
from models.training.faces.glyphs import GlyphBank
from models.training.faces.lettering import stroked
from models.training.faces.palette import (
    BACKS,
    BLACKS,
    BLUES,
    GOLDS,
    GREENS,
    IVORIES,
    LIGHTS,
    REDS,
    WOODS,
    legible,
    pick,
    vary,
)
from models.training.materials import blend

INKS = REDS + BLUES + GREENS + BLACKS + GOLDS + ((130, 40, 110), (30, 120, 235), (150, 140, 30), (180, 120, 230))
WAYS = ("characters", "figures", "things", "outlines", "pictures", "shapes", "dots", "fields")
_WEIGHTS = (0.14, 0.12, 0.16, 0.1, 0.12, 0.18, 0.1, 0.08)
LIKE = 5.0  # mean difference of two small pictures, grey levels, below which nobody tells them apart
_FIGURES = "ABCDEFGHJKLMNPQRSTUVWXYZabdefghknpqrtuy0123456789?!&#@%$+*"


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """The look of one set of marks. `way` is one of `WAYS`; `kinds` are pairs of a mark's seed and its ink, a code's
    kind is its number; colours are BGR, lengths shares of the face's shorter side."""

    aspect: float
    round: bool
    body: Colour
    back: Colour
    thickness: float
    ground: Colour
    surface: Surface
    way: str
    kinds: tuple[tuple[int, int], ...]
    inks: tuple[Colour, ...]
    size: float
    font: int  # OpenCV's number of a stroke font
    weight: int  # thickness of its strokes
    glyphs: str  # the font of characters
    frame: float  # thickness of a line around the face, 0 for none

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its kinds."""
        return tuple(str(k) for k in range(len(self.kinds)))


def sample_style(bank: GlyphBank, things: NDArray[np.uint8] | None, rng: np.random.Generator) -> MarkStyle:
    """A set of at most 16 kinds, no two alike however they are turned; `things` as for `draw`."""
    way = str(rng.choice(WAYS, p=_WEIGHTS))
    if things is None and way in ("things", "outlines", "pictures"):
        way = "shapes"
    is_round = bool(rng.random() < 0.5)
    low, high = ((0.42, 0.6), (0.65, 0.9), (1.0, 1.8))[int(rng.integers(3))]
    aspect = 1.0 if is_round else float(rng.uniform(low, high))
    ground = pick(rng, LIGHTS + IVORIES + WOODS + BLACKS[:2] + BACKS[:4], 25)
    inks = tuple(legible(pick(rng, INKS, 18), ground, 40.0) for _ in range(int(rng.integers(1, 5))))
    kinds: list[tuple[int, int]] = []
    count = int(rng.integers(6, 17))
    # the same mark in several inks, as both sides of a set have it
    both = len(inks) > 1 and way not in ("pictures", "fields") and rng.random() < 0.5
    while len(kinds) < count:
        seed = int(rng.integers(1 << 30))
        chosen = range(len(inks)) if both else (int(rng.integers(len(inks))),)
        kinds += [(seed, ink) for ink in chosen]
    body = vary(rng, ground, 20) if rng.random() < 0.6 else pick(rng, BACKS + WOODS, 20)
    style = MarkStyle(
        aspect=aspect,
        round=is_round,
        body=body,
        back=body if rng.random() < 0.5 else pick(rng, BACKS + WOODS, 20),
        thickness=float(rng.uniform(0.1, 0.6)),
        ground=ground,
        surface=Surface(
            ground,
            mottle=float(rng.uniform(0, 0.08)),
            grain=float(rng.choice([0.0, rng.uniform(0.02, 0.1)])),
            wear=float(rng.choice([0.0, rng.uniform(0, 0.12)])),
            unsteady=float(rng.uniform(0, 0.015)),
        ),
        way=way,
        kinds=tuple(kinds),
        inks=inks,
        size=float(rng.uniform(0.5, 0.85)),
        font=int(rng.integers(8)),
        weight=int(rng.integers(5, 26)),
        glyphs=bank.fonts[int(rng.integers(len(bank.fonts)))],
        frame=float(rng.choice([0.0, 0.0, rng.uniform(0.01, 0.04)])),
    )
    return _distinct(style, bank, things)


def _distinct(style: MarkStyle, bank: GlyphBank, things: NDArray[np.uint8] | None) -> MarkStyle:
    """The style less the kinds that look like an earlier one, also when turned by quarters."""
    kept: list[tuple[int, int]] = []
    seen: list[NDArray[np.float32]] = []
    for code in style.codes:
        art = draw(code, replace(style, surface=Surface(style.ground)), bank, things, np.random.default_rng(0))
        small = cv2.resize(art.colour, (24, 24), interpolation=cv2.INTER_AREA).astype(np.float32)
        if all(np.abs(np.rot90(small, k) - other).mean() > LIKE for k in range(4) for other in seen):
            kept.append(style.kinds[int(code)])
            seen.append(small)
    return replace(style, kinds=tuple(kept))


def draw(
    code: str, style: MarkStyle, bank: GlyphBank, things: NDArray[np.uint8] | None, rng: np.random.Generator
) -> FaceArt:
    """One piece of that set; `things` are (N, S, S, 4) uint8 BGRA cutouts, needed where the `way` shows some."""
    seed, ink = style.kinds[int(code)]
    of_mark = np.random.default_rng(seed)
    colour = style.inks[ink]
    width, height = face_size(style.aspect)
    canvas = Canvas(width, height, style.ground)
    short = float(min(width, height))
    if style.frame:
        line = style.frame * short
        if style.round:
            canvas.ring(width / 2, height / 2, 0.47 * short, line, colour)
        else:
            canvas.rectangle(3, 3, width - 3, height - 3, 6, colour)
            canvas.rectangle(3 + line, 3 + line, width - 3 - line, height - 3 - line, 5, None)
    side = style.size * short * (0.8 if style.round else 1.0)
    middle = (width / 2, height / 2)
    if style.way in ("things", "outlines", "pictures") and things is not None:
        thing = np.asarray(things[int(of_mark.integers(len(things)))])
        if style.way == "pictures":
            return _pictured(canvas.finish(style.surface, rng), thing, side)
        mask: NDArray[np.float32] = thing[..., 3].astype(np.float32) / np.float32(255)
        if style.way == "outlines":
            grey = cv2.GaussianBlur(cv2.cvtColor(np.ascontiguousarray(thing[..., :3]), cv2.COLOR_BGR2GRAY), (0, 0), 2)
            inner = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / 60
            edge = cv2.dilate(mask, np.ones((7, 7))) - cv2.erode(mask, np.ones((3, 3)))
            mask = np.clip(edge + inner * mask, 0, 1).astype(np.float32)
        canvas.glyph(mask, *middle, (side, side), colour)
    elif style.way == "characters":
        present = [c for c in bank.characters if bank.has(c, style.glyphs)]
        mark = bank.mask(present[int(of_mark.integers(len(present)))], style.glyphs, 96)
        canvas.glyph(mark, *middle, (side, side), colour)
    elif style.way == "figures":
        text = "".join(_FIGURES[int(i)] for i in of_mark.integers(0, len(_FIGURES), int(of_mark.integers(1, 3))))
        canvas.glyph(stroked(text, style.font, style.weight), *middle, (side, side), colour)
    elif style.way == "shapes":
        _shapes(canvas, middle, side, colour, of_mark)
    elif style.way == "dots":
        _dots(canvas, colour, style.inks, of_mark)
    else:
        _fields(canvas, style, of_mark)
    return canvas.finish(style.surface, rng)


def _pictured(art: FaceArt, thing: NDArray[np.uint8], side: float) -> FaceArt:
    """The cutout, in its own colours, on a finished face."""
    size = max(8, round(side))
    small = cv2.resize(np.ascontiguousarray(thing), (size, size), interpolation=cv2.INTER_AREA)
    height, width = art.ink.shape
    y, x = (height - size) // 2, (width - size) // 2
    colour, ink = art.colour.copy(), art.ink.copy()
    cover: NDArray[np.float32] = small[..., 3].astype(np.float32) / np.float32(255)
    blend(colour[y : y + size, x : x + size], small[..., :3], cover)
    ink[y : y + size, x : x + size] = np.maximum(ink[y : y + size, x : x + size], cover)
    return FaceArt(colour, ink)


def _shapes(canvas: Canvas, middle: tuple[float, float], side: float, colour: Colour, rng: np.random.Generator) -> None:
    """One to four polygons, stars, ovals and strokes, some of them cut out of the others."""
    for k in range(int(rng.integers(1, 5))):
        cut = k > 0 and rng.random() < 0.35
        paint = None if cut else colour
        reach = side / 2 * (1.0 if k == 0 else rng.uniform(0.2, 0.7))
        x, y = middle if k == 0 else (m + rng.uniform(-0.3, 0.3) * side for m in middle)
        kind = int(rng.integers(4))
        if kind == 0:
            radii = (reach * rng.uniform(0.4, 1), reach * rng.uniform(0.4, 1))
            canvas.ellipse(x, y, radii, rng.uniform(0, 180), paint, line=float(rng.choice([0.0, reach * 0.3])))
        elif kind == 3:
            turns = rng.uniform(0, 2 * np.pi, int(rng.integers(2, 6)))
            far = reach * rng.uniform(0.4, 1, len(turns))
            points = [(x + r * np.cos(a), y + r * np.sin(a)) for a, r in zip(turns, far, strict=True)]
            canvas.stroke(points, reach * rng.uniform(0.12, 0.4), paint, closed=bool(rng.random() < 0.3))
        else:
            corners = int(rng.integers(3, 9)) * kind
            a = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 2 * np.pi)
            r = reach * np.where(np.arange(corners) % 2, rng.uniform(0.3, 0.9) if kind == 2 else 1.0, 1.0)
            squeeze = rng.uniform(0.5, 1, 2)
            ring = np.stack([x + r * np.cos(a) * squeeze[0], y + r * np.sin(a) * squeeze[1]], axis=1)
            canvas.polygon(ring.astype(np.float32), paint)


def _dots(canvas: Canvas, colour: Colour, inks: tuple[Colour, ...], rng: np.random.Generator) -> None:
    """One to nine dots, rings or bars in a raster."""
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    radius = 0.3 * min(canvas.width / columns, canvas.height / rows) * rng.uniform(0.5, 1)
    ring, bar, varied = rng.random() < 0.3, rng.random() < 0.25, rng.random() < 0.3
    for i in range(columns):
        for j in range(rows):
            if columns * rows > 2 and rng.random() < 0.25:
                continue
            x, y = canvas.width * (0.15 + 0.7 * (i + 0.5) / columns), canvas.height * (0.15 + 0.7 * (j + 0.5) / rows)
            paint = inks[int(rng.integers(len(inks)))] if varied else colour
            if bar:
                canvas.rectangle(x - radius * 0.4, y - radius, x + radius * 0.4, y + radius, radius * 0.3, paint)
            elif ring:
                canvas.ring(x, y, radius, radius * 0.4, paint)
            else:
                canvas.disc(x, y, radius, paint)


def _fields(canvas: Canvas, style: MarkStyle, rng: np.random.Generator) -> None:
    """Fields of colour: all of the face, halves, stripes, a coloured middle."""
    paints = [vary(rng, INKS[int(i)], 15) for i in rng.permutation(len(INKS))[:4]]
    canvas.fill(paints[0])
    parts = int(rng.integers(1, 5))
    upright = rng.random() < 0.5
    for k in range(1, parts):
        start = k / parts
        if upright:
            canvas.rectangle(canvas.width * start, 0, canvas.width, canvas.height, 0, paints[k])
        else:
            canvas.rectangle(0, canvas.height * start, canvas.width, canvas.height, 0, paints[k])
    if rng.random() < 0.35:
        radius = rng.uniform(0.15, 0.35) * min(canvas.width, canvas.height)
        canvas.disc(canvas.width / 2, canvas.height / 2, radius, style.ground)
