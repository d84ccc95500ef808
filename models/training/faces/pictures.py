"""The pictures on mahjong tiles: the bird of the one of bamboos, flowers, plants, figures and landscapes.

Each is drawn into the box (x0, y0, x1, y1) of face pixels; `rng` decides the drawing, so that the same seed gives the
same picture on every piece of a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from models.training.faces.canvas import Canvas, Colour, curve

Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Inks:
    """The paints of a set, BGR. `main` is the blue or black of its numbers and winds."""

    main: Colour
    green: Colour
    red: Colour
    black: Colour

    def any(self, rng: np.random.Generator) -> Colour:
        """One of them."""
        return (self.main, self.green, self.red, self.black)[int(rng.integers(4))]


class _Pen:
    """Draws in a unit box: (0, 0) top left, (1, 1) bottom right; lengths are shares of the box's width."""

    def __init__(self, canvas: Canvas, box: Box, *, mirrored: bool) -> None:
        self._canvas = canvas
        self._x0, self._y0, x1, y1 = box
        self._w, self._h = x1 - self._x0, y1 - self._y0
        self._mirrored = mirrored

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self._x0 + (1 - x if self._mirrored else x) * self._w, self._y0 + y * self._h

    def line(self, points: Sequence[tuple[float, float]], width: float, colour: Colour | None) -> None:
        self._canvas.stroke([self.at(*p) for p in points], width * self._w, colour)

    def bend(self, points: Sequence[tuple[float, float]], width: float, colour: Colour | None) -> None:
        self._canvas.stroke(curve(*(self.at(*p) for p in points)), width * self._w, colour)

    def leaf(self, tail: tuple[float, float], tip: tuple[float, float], width: float, colour: Colour | None) -> None:
        self._canvas.leaf(self.at(*tail), self.at(*tip), width * self._w, colour)

    def oval(
        self,
        x: float,
        y: float,
        radii: tuple[float, float],
        angle: float,
        colour: Colour | None,
        *,
        line: float = 0.0,
        span: tuple[float, float] = (0.0, 360.0),
    ) -> None:
        px, py = self.at(x, y)
        turn = 180 - angle if self._mirrored else angle
        if self._mirrored:
            span = (-span[1], -span[0])
        size = (radii[0] * self._w, radii[1] * self._w)
        self._canvas.ellipse(px, py, size, turn, colour, line=line * self._w, span=span)

    def dot(self, x: float, y: float, radius: float, colour: Colour | None) -> None:
        px, py = self.at(x, y)
        self._canvas.disc(px, py, radius * self._w, colour)

    def shape(self, points: Sequence[tuple[float, float]], colour: Colour | None) -> None:
        self._canvas.polygon([self.at(*p) for p in points], colour)


def bird(canvas: Canvas, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A sparrow, peacock, crane or rooster-like bird, in outline or filled."""
    pen = _Pen(canvas, box, mirrored=bool(rng.random() < 0.5))
    kind = str(
        rng.choice(("sparrow", "peacock", "crane", "plump", "spread", "train"), p=(0.3, 0.2, 0.12, 0.14, 0.12, 0.12))
    )
    if rng.random() < 0.15:
        one = inks.any(rng)
        inks = Inks(one, one, one, one)
    if kind == "spread":
        _spread(pen, inks, rng)
        return
    body = (inks.green, inks.main, inks.red, inks.green)[int(rng.integers(4))]
    wing, tail, crest = inks.any(rng), inks.any(rng), inks.red if rng.random() < 0.7 else inks.any(rng)
    hollow = rng.random() < 0.45
    line = rng.uniform(0.03, 0.055)
    # the bird looks to the left; its tail hangs to the lower right, its feet below
    bx, by = rng.uniform(0.4, 0.52), rng.uniform(0.4, 0.54)
    lean = rng.uniform(15, 70)
    ra, rb = rng.uniform(0.2, 0.3), rng.uniform(0.13, 0.19)
    head_r = rng.uniform(0.085, 0.13)
    hx, hy = rng.uniform(0.2, 0.34), rng.uniform(0.12, 0.22)
    if kind == "plump":
        ra, rb, hx, hy, head_r = 0.3, 0.24, 0.36, 0.22, 0.15
    if kind == "crane":
        hx, hy, head_r = rng.uniform(0.24, 0.4), 0.07, 0.07
    rad = np.deg2rad(lean)
    cos, sin = float(np.cos(rad)), float(np.sin(rad))
    tx, ty = bx + ra * cos, by + ra * sin * 0.75
    feathers = int(rng.integers(3, 8)) if kind == "peacock" else int(rng.integers(2, 6))
    reach = rng.uniform(0.32, 0.5)
    fan = np.linspace(lean - rng.uniform(12, 45), lean + rng.uniform(10, 40), feathers)
    plume = rng.uniform(0.025, 0.075)
    sag = rng.uniform(-0.15, 0.15)
    eyed = kind == "peacock" or rng.random() < 0.2
    for i, angle in enumerate(np.deg2rad(fan).tolist()):
        ex = min(0.98, tx + reach * float(np.cos(angle)))
        ey = min(0.98, ty + reach * float(np.sin(angle)))
        colour = tail if i % 2 == 0 or not eyed else wing
        if rng.random() < 0.4:
            pen.leaf((tx - 0.05, ty - 0.05), (ex, ey), plume * 1.6, colour)
        else:
            pen.bend(((tx - 0.06, ty - 0.05), ((tx + ex) / 2 + sag, (ty + ey) / 2), (ex, ey)), plume, colour)
        if eyed:
            pen.dot(ex, ey, 0.05, colour)
            pen.dot(ex, ey, 0.022, None if i % 2 else inks.red)
    if kind == "train":
        _train(pen, (tx, ty), tail, wing, rng)
    # legs and what it stands on
    foot = min(0.97, by + rng.uniform(0.34, 0.46))
    leg_colour = inks.any(rng)
    for dx in (-0.06, 0.07):
        pen.line(((bx + dx, by + rb), (bx + dx - 0.03, foot)), line, leg_colour)
        pen.line(((bx + dx - 0.1, foot), (bx + dx + 0.04, foot)), line, leg_colour)
    if rng.random() < 0.3:
        pen.bend(((0.02, foot), (0.4, foot + 0.05), (0.75, foot)), line * 1.6, inks.green)
        pen.leaf((0.1, foot), (0.02, foot - 0.12), 0.08, inks.green)
    # neck, body, head
    neck = rng.uniform(0.08, 0.15) if kind != "crane" else 0.06
    pen.bend(((bx - ra * cos * 0.7, by - ra * sin * 0.6), (hx - 0.05, (hy + by) / 2), (hx, hy)), neck, body)
    pen.oval(bx, by, (ra, rb), lean, body)
    if hollow:
        pen.oval(bx, by, (ra - line, rb - line), lean, None)
    pen.dot(hx, hy, head_r, body)
    if hollow or rng.random() < 0.6:
        pen.dot(hx, hy, head_r * 0.62, None)
    pen.dot(hx - 0.01, hy - 0.005, head_r * 0.3, inks.black)
    beak = rng.uniform(0.1, 0.2)
    tip = (hx - head_r - beak, hy + rng.uniform(-0.02, 0.06))
    pen.shape(((hx - head_r * 0.7, hy - 0.05), tip, (hx - head_r * 0.7, hy + 0.05)), crest)
    for _ in range(int(rng.integers(0, 4))):
        dx, dy = rng.uniform(-0.05, 0.16), rng.uniform(0.08, 0.16)
        pen.bend(((hx, hy - head_r * 0.6), (hx + dx / 2, hy - head_r - dy), (hx + dx, hy - head_r - dy)), line, crest)
    if rng.random() < 0.2:
        for i in range(3):
            end = (bx + 0.1 + 0.12 * i, by - 0.42 + 0.08 * i)
            pen.leaf((bx - 0.04 + 0.06 * i, by), (min(0.98, end[0]), max(0.02, end[1])), 0.09, wing)
    # wing and scales
    for i in range(int(rng.integers(2, 5))):
        t = i / 4
        start = (bx - ra * 0.4 * cos + 0.05 * t, by - rb * 0.3 + 0.08 * t)
        end = (bx + ra * 0.9 * cos + 0.05, by + ra * 0.7 * sin - 0.1 + 0.14 * t)
        pen.bend((start, (end[0], start[1]), end), line * rng.uniform(0.8, 1.5), wing)
    if rng.random() < 0.35:
        for _ in range(6):
            pen.dot(bx + rng.uniform(-0.5, 0.5) * ra, by + rng.uniform(-0.5, 0.5) * rb, 0.018, None)


def _train(pen: _Pen, start: tuple[float, float], colour: Colour, other: Colour, rng: np.random.Generator) -> None:
    """The long drooping tail of a peacock: one great feather shape with rows of eyes or scales."""
    x, y = start
    tip = (min(0.97, x + rng.uniform(0.25, 0.45)), 0.97)
    line = rng.uniform(0.025, 0.045)
    wide = rng.uniform(0.22, 0.36)
    pen.leaf((x - 0.08, y - 0.1), tip, wide, colour)
    filled = rng.random() < 0.4
    if not filled:
        pen.leaf((x - 0.07, y - 0.07), (tip[0] - line, tip[1] - line), wide - 2 * line, None)
    for k in range(1, 6):
        t = k / 6
        px, py = x - 0.08 + (tip[0] - x + 0.08) * t, y - 0.1 + (tip[1] - y + 0.1) * t
        for side in (-1, 1) if k in (2, 3, 4) else (0,):
            pen.dot(px + side * 0.18 * wide, py - side * 0.12 * wide, 0.034, None if filled else other)
            pen.dot(px + side * 0.18 * wide, py - side * 0.12 * wide, 0.015, other if filled else None)


def _spread(pen: _Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A peacock seen from the front, its tail raised as a wheel of eyes."""
    body, eye, line = inks.any(rng), inks.any(rng), rng.uniform(0.025, 0.045)
    rows = int(rng.integers(2, 4))
    top = rng.uniform(0.1, 0.2)
    for row in range(rows):
        radius = 0.44 - 0.13 * row
        count = int(rng.integers(6, 10)) - row
        for angle in np.linspace(-2.9, -0.24, count).tolist():
            x, y = 0.5 + radius * float(np.cos(angle)), 0.5 + (0.5 - top) * (radius / 0.44) * float(np.sin(angle))
            if row == 0:
                pen.line(((0.5, 0.55), (x, y)), line, body)
            pen.dot(x, y, 0.06, eye)
            pen.dot(x, y, 0.034, None)
            pen.dot(x, y, 0.016, body)
    pen.oval(0.5, 0.68, (0.14, 0.19), 0, body)
    if rng.random() < 0.6:
        pen.oval(0.5, 0.69, (0.14 - line, 0.19 - line), 0, None)
        for y in (0.62, 0.7, 0.78):
            pen.bend(((0.4, y), (0.5, y + 0.05), (0.6, y)), line * 0.8, inks.any(rng))
    pen.bend(((0.5, 0.62), (0.4, 0.52), (0.46, 0.42)), 0.08, body)
    pen.dot(0.46, 0.4, 0.065, body)
    pen.shape(((0.42, 0.37), (0.3, 0.42), (0.42, 0.44)), inks.red)
    for side in (-1, 1):
        if rng.random() < 0.6:
            pen.leaf((0.5 + side * 0.1, 0.62), (0.5 + side * 0.4, 0.78), 0.12, inks.any(rng))
        pen.line(((0.5 + side * 0.06, 0.86), (0.5 + side * 0.08, 0.97), (0.5 + side * 0.2, 0.97)), line, inks.red)


def shoot(canvas: Canvas, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A thick bamboo shoot with leaves: the one of bamboos of some sets."""
    pen = _Pen(canvas, box, mirrored=bool(rng.random() < 0.5))
    wide = rng.uniform(0.16, 0.3)
    for i in range(4):
        low = 0.96 - 0.22 * i
        pen.shape(
            (
                (0.5 - wide / 2, low),
                (0.5 + wide / 2, low),
                (0.5 + wide * 0.42, low - 0.19),
                (0.5 - wide * 0.42, low - 0.19),
            ),
            inks.red if i == 2 and rng.random() < 0.4 else inks.green,
        )
        pen.line(((0.5, low - 0.03), (0.5, low - 0.16)), 0.04, None)
    for side in (-1, 1):
        for y in (0.3, 0.55):
            end = (0.5 + side * rng.uniform(0.35, 0.48), y - rng.uniform(-0.05, 0.2))
            pen.leaf((0.5 + side * wide / 2, y), end, 0.12, inks.green)


def blossom(
    canvas: Canvas,
    x: float,
    y: float,
    radius: float,
    petals: int,
    colours: tuple[Colour, Colour],
    line: float,
    turn: float = 0.0,
) -> None:
    """A flower seen from above: petals (outlines of that stroke width, or filled where it is 0) round a heart."""
    step = 360.0 / petals
    across = radius * min(0.5, 1.7 / petals)
    for i in range(petals):
        angle = np.deg2rad(turn + i * step)
        px, py = x + 0.58 * radius * float(np.cos(angle)), y + 0.58 * radius * float(np.sin(angle))
        canvas.ellipse(px, py, (0.46 * radius, across), turn + i * step, colours[0], line=line)
    canvas.disc(x, y, radius * 0.26, colours[1])
    if line > 0:
        canvas.disc(x, y, radius * 0.12, None)


def plant(canvas: Canvas, box: Box, number: int, inks: Inks, rng: np.random.Generator) -> None:
    """One of the four noble plants: 1 plum, 2 orchid, 3 chrysanthemum, 4 bamboo."""
    pen = _Pen(canvas, box, mirrored=bool(rng.random() < 0.5))
    line = rng.uniform(0.022, 0.045)
    hollow = line * (box[2] - box[0]) if rng.random() < 0.55 else 0.0
    petal = inks.red if rng.random() < 0.8 else inks.main
    stem = inks.green if rng.random() < 0.75 else inks.main
    scale = box[2] - box[0]
    if number == 1:
        path = ((0.1, 0.95), (0.75, 0.8), (0.25, 0.4), (0.8, 0.04))
        pen.bend(path, line * 1.8, stem)
        pen.bend(((0.42, 0.6), (0.65, 0.55), (0.9, 0.6)), line * 1.2, stem)
        pen.bend(((0.4, 0.4), (0.25, 0.3), (0.12, 0.3)), line * 1.2, stem)
        spots = ((0.42, 0.62), (0.82, 0.56), (0.2, 0.28), (0.7, 0.2), (0.3, 0.84))
        for x, y in spots[: int(rng.integers(3, 6))]:
            px, py = pen.at(x + rng.uniform(-0.04, 0.04), y + rng.uniform(-0.04, 0.04))
            blossom(canvas, px, py, scale * rng.uniform(0.12, 0.2), 5, (petal, inks.main), hollow, rng.uniform(0, 72))
    elif number == 2:
        root = (rng.uniform(0.4, 0.6), 0.96)
        for _ in range(int(rng.integers(5, 10))):
            tip = (rng.uniform(0.02, 0.98), rng.uniform(0.05, 0.6))
            middle = (root[0] + (tip[0] - root[0]) * 0.3, tip[1] - 0.02)
            pen.bend((root, middle, tip), line * rng.uniform(1.2, 2.2), stem)
        for _ in range(int(rng.integers(1, 4))):
            x, y = rng.uniform(0.2, 0.8), rng.uniform(0.25, 0.75)
            for angle in rng.uniform(0, 6.28, 4).tolist():
                tip = (x + 0.12 * float(np.cos(angle)), y + 0.09 * float(np.sin(angle)))
                pen.leaf((x, y), tip, 0.06, petal)
        pen.bend(((0.25, 0.97), (0.5, 0.9), (0.75, 0.97)), line * 2, inks.main)
    elif number == 3:
        pen.bend(((0.45, 0.97), (0.6, 0.7), (0.5, 0.45)), line * 1.6, stem)
        for side, y in ((-1, 0.85), (1, 0.78), (-1, 0.66), (1, 0.6)):
            pen.leaf((0.5, y), (0.5 + side * rng.uniform(0.3, 0.45), y - rng.uniform(-0.05, 0.15)), 0.14, stem)
        px, py = pen.at(0.5, rng.uniform(0.3, 0.5))
        petals = int(rng.integers(9, 17))
        blossom(canvas, px, py, scale * rng.uniform(0.28, 0.36), petals, (petal, inks.main), hollow)
        if rng.random() < 0.5:
            px, py = pen.at(0.75, 0.15)
            blossom(canvas, px, py, scale * 0.13, 8, (petal, inks.main), hollow)
    else:
        for x in rng.uniform(0.3, 0.7, int(rng.integers(1, 4))).tolist():
            lean = rng.uniform(-0.08, 0.08)
            for k in range(4):
                y = 0.97 - 0.23 * k
                pen.line(((x + lean * k, y), (x + lean * (k + 0.8), y - 0.19)), line * 2.2, stem)
        for _ in range(int(rng.integers(6, 13))):
            x, y = rng.uniform(0.25, 0.75), rng.uniform(0.1, 0.85)
            tip = (x + rng.uniform(-0.28, 0.28), y + rng.uniform(0.04, 0.16))
            pen.leaf((x, y), tip, rng.uniform(0.05, 0.1), inks.green)


def bouquet(canvas: Canvas, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A large flower with leaves and a winding stem, as most sets put on their seasons."""
    pen = _Pen(canvas, box, mirrored=bool(rng.random() < 0.5))
    line = rng.uniform(0.025, 0.045)
    scale = box[2] - box[0]
    x, y = rng.uniform(0.38, 0.62), rng.uniform(0.5, 0.68)
    pen.bend(((x, y), (x - 0.3, y - 0.3), (x + rng.uniform(-0.2, 0.3), 0.03)), line * 1.5, inks.green)
    pen.bend(((x, y), (x + 0.1, 0.9), (x + rng.uniform(-0.2, 0.2), 0.98)), line * 1.5, inks.green)
    for _ in range(int(rng.integers(4, 9))):
        angle = rng.uniform(0, 6.28)
        tail = (x + 0.22 * float(np.cos(angle)), y + 0.2 * float(np.sin(angle)))
        tip = (x + 0.48 * float(np.cos(angle + 0.2)), min(0.98, y + 0.42 * float(np.sin(angle + 0.2))))
        pen.leaf(tail, tip, rng.uniform(0.1, 0.18), inks.green)
        if rng.random() < 0.5:
            pen.line((tail, tip), line * 0.7, None)
    px, py = pen.at(x, y)
    hollow = line * scale if rng.random() < 0.7 else 0.0
    radius = scale * rng.uniform(0.2, 0.3)
    canvas.disc(px, py, radius * 0.8, None)
    petal = inks.red if rng.random() < 0.85 else inks.main
    blossom(canvas, px, py, radius, int(rng.integers(5, 10)), (petal, petal), hollow, rng.uniform(0, 60))
    if rng.random() < 0.5:
        pen.line(((0.1, 0.93), (0.35, 0.98), (0.5, 0.9), (0.7, 0.98), (0.92, 0.93)), line * 1.8, inks.main)


def person(canvas: Canvas, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A person in a robe with something in hand."""
    pen = _Pen(canvas, box, mirrored=bool(rng.random() < 0.5))
    robe, other = inks.any(rng), inks.any(rng)
    x, line = rng.uniform(0.42, 0.55), rng.uniform(0.025, 0.045)
    wide = rng.uniform(0.22, 0.34)
    pen.shape(((x - 0.1, 0.3), (x + 0.1, 0.3), (x + wide, 0.95), (x - wide, 0.95)), robe)
    if rng.random() < 0.6:
        pen.shape(((x - 0.06, 0.36), (x + 0.06, 0.36), (x + wide - 0.1, 0.9), (x - wide + 0.1, 0.9)), None)
        pen.line(((x, 0.36), (x + rng.uniform(-0.1, 0.1), 0.9)), line, other)
    pen.line(((x - 0.18, 0.62), (x, 0.66), (x + 0.18, 0.62)), line * 1.6, other)
    pen.bend(((x - 0.08, 0.34), (x - 0.35, 0.4), (x - 0.3, 0.6)), line * 2.4, robe)
    pen.bend(((x + 0.08, 0.34), (x + 0.3, 0.42), (x + 0.34, 0.52)), line * 2.4, robe)
    pen.dot(x, 0.2, 0.11, inks.black)
    pen.dot(x, 0.21, 0.085, None)
    pen.oval(x, 0.16, (0.11, 0.07), 0, inks.black, span=(180, 360))
    pen.line(((x - 0.03, 0.21), (x - 0.03, 0.22)), line, inks.black)
    if rng.random() < 0.6:
        pen.line(((x + 0.36, 0.12), (x + 0.34, 0.95)), line, other)
    else:
        pen.oval(x - 0.32, 0.62, (0.1, 0.07), 20, other)
    if rng.random() < 0.5:
        px, py = pen.at(0.85, 0.4)
        blossom(canvas, px, py, (box[2] - box[0]) * 0.1, 5, (inks.red, inks.main), 0.0)


def landscape(canvas: Canvas, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """Hills, a roof or a boat, water and a sun."""
    pen = _Pen(canvas, box, mirrored=bool(rng.random() < 0.5))
    line = rng.uniform(0.025, 0.045)
    top = rng.uniform(0.2, 0.4)
    pen.line(((0.02, 0.65), (0.3, top), (0.5, 0.55), (0.72, top + 0.08), (0.98, 0.65)), line, inks.green)
    pen.dot(rng.uniform(0.6, 0.9), 0.14, 0.09, inks.red)
    for y in (0.78, 0.87, 0.96)[: int(rng.integers(1, 4))]:
        pen.line(((0.05, y), (0.25, y - 0.03), (0.5, y), (0.75, y - 0.03), (0.95, y)), line, inks.main)
    x = rng.uniform(0.3, 0.6)
    if rng.random() < 0.5:
        pen.shape(((x - 0.2, 0.5), (x + 0.2, 0.5), (x, 0.36)), inks.red)
        for dx in (-0.13, 0.13):
            pen.line(((x + dx, 0.5), (x + dx, 0.72)), line * 1.3, inks.black)
    else:
        pen.shape(((x - 0.22, 0.68), (x + 0.24, 0.68), (x + 0.14, 0.78), (x - 0.14, 0.78)), inks.black)
        pen.shape(((x, 0.64), (x + 0.16, 0.6), (x, 0.34)), inks.red)


def potted(canvas: Canvas, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A plant in a pot on a stand."""
    x0, y0, x1, y1 = box
    height = y1 - y0
    plant(canvas, (x0, y0, x1, y0 + 0.62 * height), int(rng.integers(1, 5)), inks, rng)
    pen = _Pen(canvas, (x0, y0 + 0.55 * height, x1, y1), mirrored=False)
    pot, other = inks.any(rng), inks.any(rng)
    top, foot = rng.uniform(0.26, 0.36), rng.uniform(0.16, 0.3)
    pen.shape(((0.5 - top, 0.05), (0.5 + top, 0.05), (0.5 + foot, 0.78), (0.5 - foot, 0.78)), pot)
    if rng.random() < 0.6:
        inner = ((0.56 - top, 0.14), (0.44 + top, 0.14), (0.45 + foot, 0.7), (0.55 - foot, 0.7))
        pen.shape(inner, None)
        pen.line(((0.6 - top, 0.35), (0.4 + top, 0.35)), 0.04, other)
    pen.line(((0.48 - foot, 0.86), (0.52 + foot, 0.86)), 0.05, other)
    for x in (0.5 - foot, 0.5 + foot):
        pen.line(((x, 0.86), (x, 0.98)), 0.04, other)
