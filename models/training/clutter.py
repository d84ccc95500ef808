"""Things on a table that are no tiles: coins, cups, cards, pens, dice, boxes, printed lines, stones, fingers."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces.glyphs import GlyphBank
from models.training.materials import blend, hsv, surface

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Thing = Callable[[Picture, float, GlyphBank, np.random.Generator], None]


def _place(picture: Picture, rng: np.random.Generator) -> tuple[int, int]:
    height, width = picture.shape[:2]
    return int(rng.uniform(-0.05, 1.05) * width), int(rng.uniform(-0.05, 1.05) * height)


def _any(rng: np.random.Generator) -> tuple[float, float, float]:
    return hsv(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.05, 1.0))


def _quad(x: float, y: float, w: float, h: float, angle: float) -> NDArray[np.int32]:
    return np.round(cv2.boxPoints(((x, y), (w, h), angle))).astype(np.int32)


def coin(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """Coins struck alike, one or some, in rows or as they fell."""
    r = max(3, int(scale * rng.uniform(0.25, 0.7)))
    metal = np.array(hsv(rng.uniform(15, 50), rng.uniform(0.0, 0.6), rng.uniform(0.4, 0.9)))
    relief = _relief(r, rng)
    squash = rng.uniform(0.6, 1.0)
    light = rng.uniform(0, 2 * np.pi)
    x, y = _place(picture, rng)
    columns = int(rng.integers(1, 6))
    gap = r * rng.uniform(2.05, 3.2)
    loose = r * rng.choice((0.05, 0.15, 1.5))
    for k in range(int(rng.choice((1, 1, int(rng.integers(2, 14)))))):
        turn = cv2.getRotationMatrix2D((r, r), rng.normal(0, 1) * rng.choice((5, 120)), 1.0)
        worn = np.asarray(cv2.warpAffine(relief, turn, relief.shape[::-1]), np.float32)
        at = (x + k % columns * gap + rng.normal(0, loose), y + k // columns * gap * squash + rng.normal(0, loose))
        _lay_coin(picture, worn, metal * rng.uniform(0.75, 1.1), at, squash, light)


HIGH = 200  # grey level that stands for what is struck in full


def _relief(r: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """(2r + 1, 2r + 1) heights of what is struck on a coin: a rim, beads or words along it, a head or a figure."""
    size = 2 * r + 1
    height = np.zeros((size, size), np.uint8)
    if rng.random() < 0.7:
        words = "".join(rng.choice(list("ABCDEFGHILMNOPRSTUVX0123456789  "), max(4, int(rng.integers(8, 30)))))
        along = np.zeros((r + 1, max(8, int(2 * np.pi * r))), np.uint8)
        tall = r * rng.uniform(0.006, 0.011)
        font, bold = cv2.FONT_HERSHEY_COMPLEX, max(1, r // 25)
        cv2.putText(along, words, (0, int(r * 0.86)), font, tall, HIGH, bold, cv2.LINE_AA)
        flags = cv2.WARP_INVERSE_MAP | cv2.WARP_FILL_OUTLIERS | cv2.INTER_LINEAR
        height = np.asarray(cv2.warpPolar(along.T.copy(), (size, size), (r, r), r, flags), np.uint8)
    for angle in np.linspace(0, 2 * np.pi, int(rng.choice((0, 40, 70))), endpoint=False):
        bead = (int(r + 0.9 * r * np.cos(angle)), int(r + 0.9 * r * np.sin(angle)))
        cv2.circle(height, bead, max(1, r // 30), HIGH, -1)
    if rng.random() < 0.65:
        a = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        waves = sum(rng.normal(0, 0.16 / k) * np.cos(k * a + rng.uniform(0, 2 * np.pi)) for k in range(1, 7))
        far = r * rng.uniform(0.4, 0.6) * (1 + waves)
        head = np.stack([r + far * np.cos(a) * rng.uniform(0.6, 1.0), r + far * np.sin(a)], 1).astype(np.int32)
        cv2.fillPoly(height, [head], 0.8 * HIGH, cv2.LINE_AA)
        for _ in range(int(rng.integers(2, 9))):
            points = (r + np.cumsum(rng.normal(0, r * 0.14, (5, 2)), axis=0)).astype(np.int32)
            cv2.polylines(height, [points], False, HIGH * rng.uniform(0.3, 1.2), max(1, r // 16), cv2.LINE_AA)
    else:
        figure = str(rng.choice(("1", "2", "5", "10", "20", "50", "100")))
        tall = r * rng.uniform(0.02, 0.045) / len(figure) ** 0.5
        (w, h), _ = cv2.getTextSize(figure, cv2.FONT_HERSHEY_DUPLEX, tall, max(1, r // 8))
        at = (r - w // 2, r + h // 2)
        cv2.putText(height, figure, at, cv2.FONT_HERSHEY_DUPLEX, tall, HIGH, max(1, r // 8), cv2.LINE_AA)
    cv2.circle(height, (r, r), int(r * 0.96), 1.2 * HIGH, max(1, r // 14), cv2.LINE_AA)
    worn = cv2.GaussianBlur(height.astype(np.float32), (0, 0), max(0.6, r * rng.uniform(0.01, 0.05)))
    return np.asarray(worn / HIGH, np.float32)


def _lay_coin(
    picture: Picture, relief: NDArray[np.float32], metal: Floats, at: tuple[float, float], squash: float, light: float
) -> None:
    """Draw one coin about `at`, lit from the angle `light`, its shadow under it."""
    r = len(relief) // 2
    slope = cv2.Sobel(relief, cv2.CV_32F, 1, 0) * np.cos(light) + cv2.Sobel(relief, cv2.CV_32F, 0, 1) * np.sin(light)
    lit = np.clip(1 + 0.09 * r**0.5 * slope, 0.35, 1.7)[..., None] * metal
    face = cv2.resize(np.clip(lit, 0, 255).astype(np.uint8), None, fx=1, fy=squash, interpolation=cv2.INTER_AREA)
    mask = np.zeros(face.shape[:2], np.uint8)
    cv2.ellipse(mask, (r, len(face) // 2), (r, int(r * squash)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    x, y = int(at[0]) - r, int(at[1]) - len(face) // 2
    shadow = (int(at[0]), int(at[1]) + max(1, r // 10))
    cv2.ellipse(picture, shadow, (r, int(r * squash)), 0, 0, 360, (metal * 0.3).tolist(), -1, cv2.LINE_AA)
    left, top = max(0, x), max(0, y)
    right, bottom = min(picture.shape[1], x + face.shape[1]), min(picture.shape[0], y + face.shape[0])
    if left < right and top < bottom:
        seen = np.s_[top - y : bottom - y, left - x : right - x]
        blend(picture[top:bottom, left:right], face[seen], mask[seen].astype(np.float32) / np.float32(255))


def cup(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """A cup, bowl, plate or bottle cap seen from above: rings of a few tones."""
    x, y = _place(picture, rng)
    r = scale * rng.uniform(0.5, 3.0)
    squash = rng.uniform(0.5, 1.0)
    base = np.array(_any(rng))
    for share in sorted(rng.uniform(0.2, 1.0, int(rng.integers(2, 5))), reverse=True):
        axes = (max(1, int(r * share)), max(1, int(r * share * squash)))
        cv2.ellipse(picture, (x, y), axes, 0, 0, 360, (base * rng.uniform(0.5, 1.3)).tolist(), -1, cv2.LINE_AA)


def stone(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """Go stones, buttons, draughts without a face: domed discs in one tone, a few together."""
    base = np.array(hsv(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.choice([0.1, 0.95]) * rng.uniform(0.7, 1)))
    r = max(3, int(scale * rng.uniform(0.25, 0.5)))
    for _ in range(int(rng.integers(1, 8))):
        x, y = _place(picture, rng)
        for k in range(5):
            shift = int(r * 0.07 * k)
            tone = np.clip(base * (0.8 + 0.12 * k) + 6 * k, 0, 255).tolist()
            cv2.circle(picture, (x - shift, y - shift), max(1, int(r * (1 - 0.19 * k))), tone, -1, cv2.LINE_AA)


def card(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """A playing card, note, phone or booklet: a large plain rectangle with a few marks."""
    x, y = _place(picture, rng)
    w, h = scale * rng.uniform(1.6, 5.0), scale * rng.uniform(2.2, 7.0)
    angle = rng.uniform(0, 180)
    cv2.fillConvexPoly(picture, _quad(x + 2, y + 3, w, h, angle), (30, 30, 30), cv2.LINE_AA)
    cv2.fillConvexPoly(picture, _quad(x, y, w, h, angle), _any(rng), cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.polylines(picture, [_quad(x, y, w * 0.85, h * 0.88, angle)], True, _any(rng), 1, cv2.LINE_AA)
    ink = _any(rng)
    for _ in range(int(rng.integers(0, 10))):
        dx, dy = rng.normal(0, w * 0.2), rng.normal(0, h * 0.2)
        r = max(1, int(scale * rng.uniform(0.05, 0.25)))
        cv2.circle(picture, (int(x + dx), int(y + dy)), r, ink, -1, cv2.LINE_AA)


def pen(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """A pen, chopstick, ruler or cable."""
    x, y = _place(picture, rng)
    length, angle = scale * rng.uniform(3, 12), rng.uniform(0, 2 * np.pi)
    end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
    width = max(1, int(scale * rng.uniform(0.04, 0.35)))
    base = np.array(_any(rng))
    cv2.line(picture, (x + 2, y + width // 2 + 2), (end[0] + 2, end[1] + width // 2 + 2), (base * 0.3).tolist(), width)
    cv2.line(picture, (x, y), end, base.tolist(), width, cv2.LINE_AA)
    cv2.line(picture, (x, y), end, np.clip(base * 1.4 + 20, 0, 255).tolist(), max(1, width // 3), cv2.LINE_AA)


def die(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """A die: a small cube with pips on the upper side."""
    x, y = _place(picture, rng)
    s, angle = scale * rng.uniform(0.25, 0.6), rng.uniform(0, 90)
    base = np.array(rng.choice([[240, 240, 240], [40, 40, 200], [30, 30, 30], [200, 120, 40]]), float)
    cv2.fillConvexPoly(picture, _quad(x, y + s * 0.4, s, s, angle), (base * 0.6).tolist(), cv2.LINE_AA)
    cv2.fillConvexPoly(picture, _quad(x, y, s, s, angle), base.tolist(), cv2.LINE_AA)
    ink = (255 - base).tolist() if base.mean() < 128 else (40, 40, int(rng.choice([40, 220])))
    turn = cv2.getRotationMatrix2D((0, 0), -angle, 1)[:, :2]
    for _ in range(int(rng.integers(1, 7))):
        dx, dy = turn @ (rng.integers(-1, 2, 2) * s * 0.28)
        cv2.circle(picture, (int(x + dx), int(y + dy)), max(1, int(s * 0.09)), ink, -1, cv2.LINE_AA)


def box(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """A box, bag or cloth: a patch of another surface."""
    x, y = _place(picture, rng)
    height, width = picture.shape[:2]
    points = _quad(x, y, scale * rng.uniform(2, 9), scale * rng.uniform(2, 9), rng.uniform(0, 180))
    where = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(where, points, 255, cv2.LINE_AA)
    other = cv2.resize(surface(128, rng), (width, height), interpolation=cv2.INTER_LINEAR)
    cv2.copyTo(other, where, picture)
    cv2.polylines(picture, [points], True, _any(rng), int(rng.integers(1, 4)), cv2.LINE_AA)


def writing(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """Characters or words printed on the table, as boards and cloths have them."""
    x, y = _place(picture, rng)
    height, width = picture.shape[:2]
    ink = np.array(_any(rng), np.float32)
    size = max(6, int(scale * rng.uniform(0.3, 1.2)))
    if rng.random() < 0.4:
        word = str(rng.choice(["DOUBLE", "GAME", "1234567", "SCORE", "DOMINO", "CLUB", "28"]))
        cv2.putText(
            picture, word, (x, y), int(rng.integers(8)), size / 24, ink.tolist(), max(1, size // 12), cv2.LINE_AA
        )
        return
    font = glyphs.fonts[int(rng.integers(len(glyphs.fonts)))]
    for k in range(int(rng.integers(1, 5))):
        char = glyphs.characters[int(rng.integers(len(glyphs.characters)))]
        cover = glyphs.mask(char, font, size)
        left, top = x + int(k * size * 1.2), y
        if left < 0 or top < 0 or left + size > width or top + size > height:
            continue
        blend(picture[top : top + size, left : left + size], ink, cover)


def lattice(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """A printed board without pieces, a keypad, squared paper: lines in two directions, some squares filled."""
    x, y = _place(picture, rng)
    step = scale * rng.uniform(0.5, 1.6)
    angle = rng.choice([0.0, rng.uniform(-0.5, 0.5)])
    across = step * np.array([np.cos(angle), np.sin(angle)])
    down = rng.uniform(0.6, 1.2) * step * np.array([-np.sin(angle) + rng.normal(0, 0.1), np.cos(angle)])
    columns, rows = int(rng.integers(3, 14)), int(rng.integers(3, 14))
    corner = np.array([x, y]) - across * columns / 2 - down * rows / 2
    ink, width = _any(rng), int(rng.integers(1, 4))

    def at(i: float, j: float) -> tuple[int, int]:
        point = corner + i * across + j * down
        return int(point[0]), int(point[1])

    for _ in range(int(rng.integers(0, 12)) if rng.random() < 0.5 else 0):
        i, j = int(rng.integers(columns)), int(rng.integers(rows))
        square = np.array([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], np.int32)
        cv2.fillConvexPoly(picture, square, _any(rng), cv2.LINE_AA)
    for i in range(columns + 1):
        cv2.line(picture, at(i, 0), at(i, rows), ink, width, cv2.LINE_AA)
    for j in range(rows + 1):
        cv2.line(picture, at(0, j), at(columns, j), ink, width, cv2.LINE_AA)
    star = _any(rng)
    for _ in range(int(rng.integers(0, 16))):
        centre = np.array(at(int(rng.integers(columns + 1)), int(rng.integers(rows + 1))))
        a = np.linspace(0, 2 * np.pi, 8, endpoint=False) + angle
        radius = np.where(np.arange(8) % 2, 0.12, 0.45) * step
        points = centre + np.stack([radius * np.cos(a), radius * np.sin(a)], axis=1)
        cv2.fillPoly(picture, [points.astype(np.int32)], star, cv2.LINE_AA)


def figures(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """Printed circles, squares, stars and grids."""
    ink = _any(rng)
    fill = int(rng.choice([-1, 1, 2, 3]))
    for _ in range(int(rng.integers(1, 12))):
        x, y = _place(picture, rng)
        r = max(2, int(scale * rng.uniform(0.1, 0.8)))
        kind = rng.integers(3)
        if kind == 0:
            cv2.circle(picture, (x, y), r, ink, fill, cv2.LINE_AA)
        elif kind == 1:
            points = _quad(x, y, 2 * r, r * rng.uniform(0.5, 2), rng.uniform(0, 90))
            if fill < 0:
                cv2.fillConvexPoly(picture, points, ink, cv2.LINE_AA)
            else:
                cv2.polylines(picture, [points], True, ink, fill, cv2.LINE_AA)
        else:
            n = int(rng.integers(3, 9))
            a = np.linspace(0, 2 * np.pi, 2 * n, endpoint=False)
            radius = np.where(np.arange(2 * n) % 2, r * 0.4, r)
            star = np.stack([x + radius * np.cos(a), y + radius * np.sin(a)], 1).astype(np.int32)
            cv2.fillPoly(picture, [star], ink, cv2.LINE_AA)


THINGS: tuple[tuple[Thing, float], ...] = (
    (coin, 0.14),
    (cup, 0.12),
    (stone, 0.1),
    (card, 0.14),
    (pen, 0.12),
    (die, 0.08),
    (box, 0.12),
    (writing, 0.1),
    (figures, 0.08),
    (lattice, 0.12),
)


def under(picture: Picture, scale: float, glyphs: GlyphBank, rng: np.random.Generator, *, always: bool = False) -> None:
    """Put a few things on the table; half of the tables stay empty unless `always`."""
    if not always and rng.random() < 0.5:
        return
    weights = np.array([w for _, w in THINGS])
    for _ in range(int(rng.integers(1, 6))):
        THINGS[int(rng.choice(len(THINGS), p=weights / weights.sum()))][0](picture, scale, glyphs, rng)


def over(picture: Picture, ids: NDArray[np.int16], quads: list[Floats], rng: np.random.Generator) -> None:
    """A finger, sleeve or cable that covers some pieces; `ids` is cleared where it lies."""
    height, width = picture.shape[:2]
    target = quads[int(rng.integers(len(quads)))].mean(axis=0)
    span = float(np.ptp(quads[0][:, 0]))
    angle = rng.uniform(0, 2 * np.pi)
    far = target + np.array([np.cos(angle), np.sin(angle)]) * max(height, width)
    near = target + rng.normal(0, 0.5, 2) * span
    skin = np.array(hsv(rng.uniform(8, 28), rng.uniform(0.2, 0.6), rng.uniform(0.35, 0.95)))
    thick = max(3, int(span * rng.uniform(0.3, 0.9)))
    ends = [(int(p[0]), int(p[1])) for p in (near, far)]
    cv2.line(picture, ends[0], ends[1], (skin * 0.75).tolist(), thick, cv2.LINE_AA)
    cv2.line(picture, ends[0], ends[1], skin.tolist(), max(1, int(thick * 0.75)), cv2.LINE_AA)
    cv2.line(ids, ends[0], ends[1], 0, thick)
