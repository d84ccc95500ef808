"""Surfaces: wood, cloth, felt, marble, card, printed boards and pages, as tileable-enough square pictures.

All return (side, side, 3) uint8 BGR. Noise is made small and enlarged, so that a 512 px surface costs a few
milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Colour = tuple[float, float, float]


def cloud(side: int, cells: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """(side, side) float32 smooth noise of zero mean and about unit spread, `cells` bumps across."""
    small = rng.normal(0.0, 1.0, (cells + 2, cells + 2)).astype(np.float32)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def blend(place: Picture, colour: NDArray[Any], cover: NDArray[np.float32]) -> None:
    """Lay a colour (3,), or a picture (h, w, 3), over a part (h, w, 3) of a picture, as far as `cover` (h, w) says."""
    share = cover[..., None]
    place[:] = (place * (1 - share) + colour * share).astype(np.uint8)


def _paint(base: Colour, light: NDArray[np.float32]) -> Picture:
    """The colour scaled by a (side, side) map around 1."""
    return np.clip(light[..., None] * np.array(base, np.float32), 0, 255).astype(np.uint8)


def hsv(h: float, s: float, v: float) -> Colour:
    """BGR in 0..255 of a hue in degrees, saturation and value in 0..1."""
    pixel = np.array([[[h % 360.0, s, v]]], np.float32)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b) * 255, float(g) * 255, float(r) * 255


def wood(side: int, rng: np.random.Generator, base: Colour | None = None) -> Picture:
    """Planks or veneer with grain along one side."""
    base = base or hsv(rng.uniform(8, 38), rng.uniform(0.25, 0.75), rng.uniform(0.25, 0.95))
    y = np.linspace(0, 1, side, dtype=np.float32)[:, None]
    bend = cloud(side, int(rng.integers(2, 5)), rng) * rng.uniform(0.01, 0.06)
    rings = np.sin((y + bend) * rng.uniform(20, 120) + 2 * cloud(side, 4, rng))
    fibre = cv2.resize(rng.normal(0, 1, (side, 8)).astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    light = 1 + rng.uniform(0.02, 0.12) * rings + rng.uniform(0.01, 0.06) * fibre + 0.04 * cloud(side, 3, rng)
    planks = int(rng.integers(0, 6))
    if planks:
        tones = rng.normal(1.0, 0.06, planks)
        light *= np.repeat(tones, -(-side // planks))[:side, None].astype(np.float32)
        for k in range(1, planks):
            light[side * k // planks, :] *= 0.6
    out = _paint(base, light.astype(np.float32))
    return np.ascontiguousarray(np.rot90(out)) if rng.random() < 0.5 else out


def felt(side: int, rng: np.random.Generator, base: Colour | None = None) -> Picture:
    """Felt, cloth, leather or lino: one colour with fine grain and slow shade."""
    base = base or hsv(rng.uniform(0, 360), 0.9 * rng.beta(1.0, 1.6), rng.uniform(0.08, 0.97))
    grain = rng.normal(0, 1, (side, side)).astype(np.float32)
    soft = float(rng.uniform(0, 1.2))
    if soft > 0.3:
        grain = cv2.GaussianBlur(grain, (0, 0), soft) * (1 + 2 * soft)
    return _paint(base, 1 + rng.uniform(0.0, 0.07) * grain + rng.uniform(0.0, 0.08) * cloud(side, 4, rng))


def weave(side: int, rng: np.random.Generator) -> Picture:
    """A table cloth: checks or stripes, with a faint weave."""
    a, b = (np.array(hsv(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.2, 1.0)), np.float32) for _ in "ab")
    period = int(rng.integers(24, 140))
    t = (np.arange(side) // (period // 2)) % 2
    x, y = t[None, :], t[:, None]
    kind = rng.integers(3)
    mix = ((x + y) / 2 if kind == 0 else (x ^ y) if kind == 1 else np.broadcast_to(x, (side, side))).astype(np.float32)
    out = a * mix[..., None] + b * (1 - mix[..., None])
    thread = 1 + 0.05 * np.sin(np.arange(side) * rng.uniform(1.0, 2.5))
    return np.asarray(np.clip(out * thread[:, None, None] * thread[None, :, None], 0, 255), np.uint8)


def marble(side: int, rng: np.random.Generator) -> Picture:
    """Stone or laminate with veins."""
    base = hsv(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.2, 0.98))
    turbulence = sum(cloud(side, 3 * 2**k, rng) / 2**k for k in range(4))
    veins = 1 - np.exp(-np.abs(turbulence) * rng.uniform(2, 9))
    return _paint(base, (1 - rng.uniform(0.05, 0.4) * (1 - veins)).astype(np.float32))


def speckle(side: int, rng: np.random.Generator) -> Picture:
    """Terrazzo, concrete, carpet: several scales of blotches in two or three colours."""
    out = np.empty((side, side, 3), np.float32)
    out[:] = hsv(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.2, 0.9))
    for _ in range(int(rng.integers(1, 4))):
        where = cloud(side, int(rng.integers(6, 90)), rng) > rng.uniform(0.5, 1.5)
        out[where] = hsv(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0.1, 1.0))
    return np.clip(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.5, 2.0)), 0, 255).astype(np.uint8)


def flowers(side: int, rng: np.random.Generator) -> Picture:
    """A cloth printed with small figures: flowers, stars, dots, polygons."""
    out = felt(side, rng)
    palette = [hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.9), rng.uniform(0.3, 1)) for _ in range(4)]
    size = rng.uniform(5, 26)
    for _ in range(int(rng.integers(12, 70))):
        x, y = rng.uniform(0, side, 2)
        petals = int(rng.integers(3, 9))
        colour = palette[int(rng.integers(4))]
        r = size * rng.uniform(0.6, 1.4)
        for k in range(petals):
            a = 2 * np.pi * k / petals
            centre = (int(x + r * np.cos(a)), int(y + r * np.sin(a)))
            cv2.circle(out, centre, max(1, int(r * 0.6)), colour, -1, cv2.LINE_AA)
        cv2.circle(out, (int(x), int(y)), max(1, int(r * 0.5)), palette[int(rng.integers(4))], -1, cv2.LINE_AA)
    return out


def page(side: int, rng: np.random.Generator, stamp: Callable[[int], NDArray[np.float32]]) -> Picture:
    """A printed page: columns of characters. `stamp(size)` gives one character's coverage, (size, size) in 0..1."""
    out = _paint(hsv(rng.uniform(30, 60), rng.uniform(0, 0.2), rng.uniform(0.7, 1)), 1 + 0.02 * cloud(side, 5, rng))
    ink = np.array(hsv(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0, 0.4)), np.float32)
    y = 4
    while y < side - 12:
        size = int(rng.choice([9, 12, 12, 12, 18, 40]))
        if y + size >= side:
            break
        marks = [stamp(size) for _ in range(6)]
        for x in range(int(rng.integers(0, 40)), side - size, int(size * 1.15)):
            if rng.random() < 0.06:
                continue
            blend(out[y : y + size, x : x + size], ink, marks[int(rng.integers(6))])
        y += int(size * rng.uniform(1.2, 1.8))
    return out


def text(side: int, rng: np.random.Generator) -> Picture:
    """A page of Latin text: words in lines, a heading now and then."""
    out = _paint(hsv(rng.uniform(30, 60), rng.uniform(0, 0.2), rng.uniform(0.6, 1)), 1 + 0.03 * cloud(side, 5, rng))
    ink = hsv(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0, 0.35))
    face, size = int(rng.integers(8)), rng.uniform(0.3, 1.1)
    y = 0
    while y < side:
        large = size * (1.8 if rng.random() < 0.1 else 1.0)
        y += int(30 * large * rng.uniform(1.0, 1.3))
        x = int(rng.uniform(0, 30))
        while x < side:
            word = "".join(chr(97 + int(k)) for k in rng.integers(0, 26, int(rng.integers(1, 10))))
            (width, _), _ = cv2.getTextSize(word, face, large, 1)
            cv2.putText(out, word, (x, y), face, large, ink, max(1, round(large * 1.6)), cv2.LINE_AA)
            x += width + int(12 * large)
        if rng.random() < 0.1:
            y += int(30 * size)
    return out


def beads(side: int, rng: np.random.Generator) -> Picture:
    """Rows of dots, squares or scales in tones of one colour, as tiled walls, lace and screens have them."""
    out = felt(side, rng)
    base = np.array(hsv(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.2, 1)))
    step, spread = rng.uniform(7, 40), rng.uniform(0.0, 0.4)
    size, shape, odd = step * rng.uniform(0.25, 0.5), int(rng.integers(3)), bool(rng.random() < 0.5)
    for j, y in enumerate(np.arange(0, side, step)):
        for x in np.arange(step / 2 * (j % 2) * odd, side, step):
            tone = np.clip(base * max(0.0, 1 + spread * rng.normal()), 0, 255).tolist()
            at = (int(x), int(y))
            if shape == 0:
                cv2.circle(out, at, max(1, int(size)), tone, -1, cv2.LINE_AA)
            elif shape == 1:
                far = (int(x + 2 * size), int(y + 2 * size))
                cv2.rectangle(out, at, far, tone, -1)
            else:
                cv2.ellipse(out, at, (max(1, int(size)), max(1, int(size * 1.4))), 0, 0, 180, tone, -1, cv2.LINE_AA)
    return out


SURFACES: tuple[tuple[Callable[[int, np.random.Generator], Picture], float], ...] = (
    (wood, 0.32),
    (felt, 0.30),
    (weave, 0.10),
    (marble, 0.12),
    (speckle, 0.08),
    (flowers, 0.08),
    (text, 0.03),
    (beads, 0.03),
)


def surface(side: int, rng: np.random.Generator) -> Picture:
    """Any table top."""
    weights = np.array([w for _, w in SURFACES])
    return SURFACES[int(rng.choice(len(SURFACES), p=weights / weights.sum()))][0](side, rng)
