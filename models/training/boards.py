"""Printed boards that lie on the table under the pieces: a grid, stars and figures on it, words along its edges.

What is printed looks much like pieces: seals with a character, framed words, stars with a number, a large title.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces.glyphs import GlyphBank
from models.training.materials import Colour, blend, felt, hsv, wood

Picture = NDArray[np.uint8]

WORDS = ("DOUBLE", "DOMINOES", "GAME", "CO TUONG", "XIANGQI", "CLUB", "PLAYER", "12345678", "www.board.com", "SCORE")


def board(side: int, glyphs: GlyphBank, rng: np.random.Generator, pale: Colour | None = None) -> Picture:
    """(side, side, 3) uint8 BGR. `pale` is a colour that its ground often has, such as that of the pieces."""
    out = _ground(side, rng, pale)
    ink = hsv(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0, 0.5))
    if out.mean() < 70:
        ink = hsv(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.6, 1.0))
    margin = int(side * rng.uniform(0.03, 0.12))
    cells = int(rng.integers(6, 18))
    step = (side - 2 * margin) / cells
    if rng.random() < 0.75:
        thick = int(rng.integers(1, 3))
        for k in range(cells + 1):
            at = int(margin + k * step)
            cv2.line(out, (at, margin), (at, side - margin), ink, thick, cv2.LINE_AA)
            cv2.line(out, (margin, at), (side - margin, at), ink, thick, cv2.LINE_AA)
    if rng.random() < 0.35:
        _stations(out, margin, step, cells, ink, glyphs, rng)
    if rng.random() < 0.5:
        _stars(out, margin, step, cells, rng)
    if rng.random() < 0.6:
        _edges(out, margin, glyphs, rng)
    if rng.random() < 0.35:
        _title(out, rng)
    if rng.random() < 0.5:
        rim = hsv(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.05, 0.9))
        cv2.rectangle(out, (0, 0), (side - 1, side - 1), rim, int(side * rng.uniform(0.005, 0.03)))
    return out


def _ground(side: int, rng: np.random.Generator, pale: Colour | None) -> Picture:
    kind = rng.random()
    if pale is not None and kind < 0.4:
        tone = rng.uniform(0.85, 1.12) * np.exp(rng.normal(0, 0.04, 3))
        return felt(side, rng, (pale[0] * tone[0], pale[1] * tone[1], pale[2] * tone[2]))
    if kind < 0.55:
        return felt(side, rng, hsv(rng.uniform(20, 70), rng.uniform(0, 0.15), rng.uniform(0.85, 1.0)))
    return wood(side, rng) if kind < 0.7 else felt(side, rng)


def _stars(out: Picture, margin: int, step: float, cells: int, rng: np.random.Generator) -> None:
    """Diamonds, stars or circles on some crossings, the same in all four quarters, with a figure in each."""
    shape = int(rng.integers(3))
    palette = [hsv(rng.uniform(0, 360), rng.uniform(0.2, 1), rng.uniform(0.15, 1)) for _ in range(3)]
    radius = step * rng.uniform(0.3, 0.75)
    edge = _contrast(palette[0])
    half = cells // 2
    for _ in range(int(rng.integers(3, 14))):
        i, j, tone = int(rng.integers(half + 1)), int(rng.integers(half + 1)), palette[int(rng.integers(3))]
        figure = str(int(rng.integers(1, 10)))
        for x, y in {(i, j), (cells - i, j), (i, cells - j), (cells - i, cells - j)}:
            centre = np.array([margin + x * step, margin + y * step])
            if shape == 2:
                at = (int(centre[0]), int(centre[1]))
                cv2.circle(out, at, int(radius * 0.7), tone, -1, cv2.LINE_AA)
                cv2.circle(out, at, int(radius * 0.7), edge, 1, cv2.LINE_AA)
            else:
                a = np.linspace(0, 2 * np.pi, 8, endpoint=False)
                r = radius * np.where(np.arange(8) % 2, 0.35 if shape else 0.71, 1.0)
                star = (centre + np.stack([r * np.cos(a), r * np.sin(a)], axis=1)).astype(np.int32)
                cv2.fillPoly(out, [star], tone, cv2.LINE_AA)
                cv2.polylines(out, [star], True, edge, 1, cv2.LINE_AA)
            if radius > 9:
                foot = (int(centre[0] - radius * 0.2), int(centre[1] + radius * 0.22))
                cv2.putText(out, figure, foot, 0, radius / 40, _contrast(tone), 1, cv2.LINE_AA)


def _stations(
    out: Picture, margin: int, step: float, cells: int, ink: Colour, glyphs: GlyphBank, rng: np.random.Generator
) -> None:
    """Framed words on some crossings, as on a junqi board, of two characters or one, lying or upright."""
    names = [glyphs.characters[int(i)] for i in rng.integers(0, len(glyphs.characters), 4)]
    font = glyphs.fonts[int(rng.integers(len(glyphs.fonts)))]
    count, upright = int(rng.integers(1, 3)), bool(rng.random() < 0.3)
    height = max(8, int(step * rng.uniform(0.3, 0.9) / (count if upright else 1)))
    fill = hsv(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.6, 1.0)) if rng.random() < 0.5 else None
    every = int(rng.integers(1, 4))
    for i in range(0, cells + 1, every):
        for j in range(0, cells + 1, every):
            if rng.random() < 0.25:
                continue
            across, down = (1, count) if upright else (count, 1)
            low = np.array([margin + i * step - across * height / 2, margin + j * step - down * height / 2]).astype(int)
            high = low + np.array([across, down]) * height
            if low.min() < 2 or high.max() > out.shape[0] - 3:
                continue
            pen = _contrast(fill) if fill else ink
            if fill:
                cv2.rectangle(out, low.tolist(), high.tolist(), fill, -1)
            cv2.rectangle(out, low.tolist(), high.tolist(), pen, 1, cv2.LINE_AA)
            for k in range(count):
                x, y = (int(low[0]), int(low[1]) + k * height) if upright else (int(low[0]) + k * height, int(low[1]))
                cover = glyphs.mask(names[k if (i + j) % 2 else k + 2], font, height)
                blend(out[y : y + height, x : x + height], np.array(pen), cover)


def _edges(out: Picture, margin: int, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """Words, characters and seals along all four edges."""
    side = out.shape[0]
    band = max(10, int(margin * rng.uniform(0.6, 1.6)))
    ink = hsv(rng.choice([0.0, 230.0, 45.0]) + rng.uniform(-15, 15), rng.uniform(0.3, 1), rng.uniform(0.2, 0.9))
    if rng.random() < 0.4:
        strip = hsv(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.2, 1))
        for y in (0, side - band):
            cv2.rectangle(out, (0, y), (side, y + band), strip, -1)
        ink = _contrast(strip)
    for _ in range(4):
        x = int(rng.uniform(0, 0.4) * side)
        while x < side - 2 * band:
            kind = rng.random()
            if kind < 0.4:
                word = str(rng.choice(WORDS))
                scale = band / 36
                cv2.putText(out, word, (x, int(band * 0.8)), int(rng.integers(8)), scale, ink, 2, cv2.LINE_AA)
                x += int(len(word) * 20 * scale)
            else:
                font = glyphs.fonts[int(rng.integers(len(glyphs.fonts)))]
                cover = glyphs.mask(glyphs.characters[int(rng.integers(len(glyphs.characters)))], font, band)
                place = out[0:band, x : x + band]
                if kind < 0.6:
                    cv2.circle(out, (x + band // 2, band // 2), int(band * 0.48), ink, 1 + band // 20, cv2.LINE_AA)
                    cover = np.asarray(cv2.resize(cover, None, fx=0.6, fy=0.6), np.float32)
                    low = int(0.2 * band)
                    place = out[low : low + cover.shape[0], x + low : x + low + cover.shape[1]]
                blend(place, np.array(ink), cover)
                x += int(band * 1.1)
            x += int(band * rng.uniform(0.1, 3))
        out[:] = np.rot90(out).copy()


def _title(out: Picture, rng: np.random.Generator) -> None:
    """Large letters across the middle, with an outline."""
    side = out.shape[0]
    word, scale = str(rng.choice(WORDS)), side / rng.uniform(200, 420)
    ink = hsv(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.1, 1))
    face = int(rng.integers(8))
    at = (int(side * rng.uniform(0.15, 0.4)), int(side * rng.uniform(0.4, 0.65)))
    thick = max(2, int(scale * rng.uniform(1.5, 5)))
    cv2.putText(out, word, at, face, scale, _contrast(ink), thick + 3, cv2.LINE_AA)
    cv2.putText(out, word, at, face, scale, ink, thick, cv2.LINE_AA)


def _contrast(colour: Colour) -> Colour:
    return (20.0, 20.0, 20.0) if sum(colour) > 330 else (240.0, 240.0, 240.0)
