"""What is wrong with a picture, said before anyone trusts what was read from it.

Measured on the tiles that were found, as the namer sees them, and not on the table around them; where no tile was
found, on those squares of the picture that show most. Every fault comes with its measure and the limit that it passed.
The limits lie where reading a picture that is made worse step by step begins to fail (tests/vision/test_quality.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.patches import PATCH
from scoring.tiles import Family
from vision.frames import Frame, Pixels
from vision.locate import LONG_SIDE
from vision.name import Look
from vision.reading import Fault, FaultCode, Quad, Sighting

# Of 255: what the lightest tenth of a tile reaches at least.
DARK: Final = 30.0
# The share of the light parts' light by which the dark parts of a tile differ from them.
FLAT: Final = 0.25
BRIGHT: Final = 225.0
# Detail of one patch pixel over detail of one to three (standard deviations): a sharp edge has about 0.8.
SOFT: Final = 0.25
# The least slope along any direction over the finest detail: a hand that shook leaves no edges across its way.
SHAKEN: Final = 1.1
# A tile's side, in pixels of the photo and of the locator's picture, whose long side has `LONG_SIDE`.
LEAST_SIDE: Final = 18.0
LEAST_LOCATED: Final = 16.0
# The share of a tile that lies outside the picture.
OUTSIDE: Final = 0.12
# How much longer a tile seems along one direction than along the other: the cosine of the camera's lean.
STEEP: Final = 0.55

_MARGIN: Final = 10
_ENOUGH_TILES: Final = 24
_LENGTH: Final = {Family.XIANGQI: 1.0, Family.JUNQI: 1.5, Family.PAIGOW: 2.2, Family.MAHJONG: 1.35}
"""Length over breadth of a family's tiles, about."""

_WORDS: Final[dict[FaultCode, tuple[str, str]]] = {
    "too_dark": (
        "the tiles are dark: their light parts reach {measure:.0f} of 255, and {limit:.0f} are needed",
        "add light, or let the camera meter on the tiles",
    ),
    "blown_out": (
        "the tiles are washed out: figures differ by {measure:.0%} from their ground, and {limit:.0%} are needed",
        "take the lamp or the flash away, wipe the lens, or expose less",
    ),
    "blurred": (
        "the picture is blurred: sharpness {measure:.2f}, and {limit:.2f} is needed",
        "let the camera focus on the tiles; wipe the lens; a little more distance helps a phone",
    ),
    "shaken": (
        "the camera moved: sharpness across its way {measure:.2f}, and {limit:.2f} is needed",
        "hold the camera still with both hands, or add light",
    ),
    "tiles_too_small": (
        "the tiles are small: {measure:.0f} pixels a side, and {limit:.0f} are needed",
        "come closer, or read only the part with the hand",
    ),
    "cut_off": (
        "tiles at the edge are cut off: {measure:.0f}",
        "take the whole hand into the picture, or draw the region wider",
    ),
    "too_steep": (
        "the camera leans: tiles look {measure:.0%} as deep as they are wide, and {limit:.0%} are needed",
        "hold the camera above the tiles",
    ),
}


def _fault(code: FaultCode, measure: float, limit: float) -> Fault:
    words, hint = _WORDS[code]
    return Fault(code, measure, limit, words.format(measure=measure, limit=limit), hint)


def faults(frame: Frame, seen: Look, hand: Sequence[Sighting], family: Family | None) -> tuple[Fault, ...]:
    """What is wrong with a picture, the gravest first; nothing where it can be read well.

    `seen` are all tiles found; `hand` the sightings that must lie in the picture as a whole.
    """
    shown = [n for n, quad in enumerate(seen.quads) if quad.face == "up"]
    if not shown:
        return tuple(_light(_busiest(frame.image), whole=True))
    quads = [seen.quads[n] for n in shown]
    found = list(_size(frame, quads))
    found += _light(seen.patches[shown[:_ENOUGH_TILES]], small=bool(found), square=family is not Family.PAIGOW)
    found += _cut_off(frame, hand)
    if family is not None:
        found += _lean([tile for tile in hand if tile.quad.face == "up"], family)
    return tuple(found)


def _light(patches: Pixels, whole: bool = False, small: bool = False, square: bool = True) -> Iterable[Fault]:
    """Light, contrast and sharpness of N×64×64×3 patches; small tiles are soft for want of pixels, and not called so.

    Of the `whole` picture only too much light can be said, not that nothing stands out from it: it may show nothing.
    A domino's patch is not `square` but drawn out to it, and along that way every edge is soft.
    """
    grey, fine, coarse = detail(patches)
    dark, light, lightest = np.percentile(grey[:, ::2, ::2], (5, 90, 95), axis=(1, 2))
    bright = float(np.median(light))
    if bright < DARK:
        yield _fault("too_dark", bright, DARK)
        return
    contrast = float(np.median((lightest - dark) / np.maximum(lightest, 1)))
    if contrast < FLAT and (not whole or bright >= BRIGHT):
        yield _fault("blown_out", contrast, FLAT)
        return
    if small:
        return
    # Where there is no detail at all, rounding to whole levels (0.3 of one) is no sharpness.
    scale = np.maximum(coarse, 2)
    sharpness = float(np.median(fine / scale))
    if sharpness < SOFT:
        yield _fault("blurred", sharpness, SOFT)
    elif square and not whole:
        across = min(float(np.median(_slope(grey, *way) / scale)) for way in ((0, 1), (1, 0), (1, 1), (1, -1)))
        if across < SHAKEN * sharpness:
            yield _fault("shaken", across / sharpness, SHAKEN)


def detail(patches: Pixels) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Of N×64×64×3 patches the grey middles (N, 44, 44), float32 of 0 to 255, and how much detail they have (N,), as
    standard deviations in grey levels: of one pixel, and of one to three."""
    column = cv2.cvtColor(patches.reshape(-1, PATCH, 3), cv2.COLOR_BGR2GRAY).astype(np.float32)
    softer, softest = (cv2.GaussianBlur(column, (0, 0), sigma) for sigma in (1.0, 3.0))
    fine, coarse = (_middles(part).std(axis=(1, 2)) for part in (column - softer, softer - softest))
    return _middles(column), fine, coarse


def _middles(column: NDArray[Any]) -> NDArray[Any]:
    """What lies within the margins of each of N patches one below the other."""
    return column.reshape(-1, PATCH, PATCH)[:, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN]


def _slope(grey: NDArray[Any], down: int, right: int) -> NDArray[Any]:
    """Root mean square of the differences between neighbours in a direction, of each N×H×W patch."""
    height, width = grey.shape[1:]
    here = grey[:, : height - down, max(0, -right) : width - max(0, right)]
    there = grey[:, down:, max(0, right) : width - max(0, -right)]
    slope: NDArray[Any] = np.sqrt(np.square(there - here).mean(axis=(1, 2)))
    return slope


def _busiest(image: Pixels) -> Pixels:
    """The tenth of the picture's squares, N×64×64×3 at the locator's scale, whose light varies most."""
    scale = LONG_SIDE / max(image.shape[:2])
    size = [max(PATCH, round(side * scale)) for side in image.shape[1::-1]]
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    rows, columns = (side // PATCH for side in small.shape[:2])
    squares = small[: rows * PATCH, : columns * PATCH].reshape(rows, PATCH, columns, PATCH, 3).swapaxes(1, 2)
    squares = np.ascontiguousarray(squares).reshape(-1, PATCH, PATCH, 3)
    busy = np.argsort(-squares.std(axis=(1, 2, 3)), kind="stable")
    return squares[busy[: max(1, len(squares) // 10)]]


def _sides(quads: Sequence[Quad]) -> NDArray[np.float64]:
    """The two sides of each quad as vectors (N, 2, 2), opposite ones averaged: from corner 0 to 1, from 1 to 2."""
    corners = np.array([quad.corners for quad in quads], np.float64)
    return np.stack(
        [
            (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2,
            (corners[:, 2] - corners[:, 1] + corners[:, 3] - corners[:, 0]) / 2,
        ],
        axis=1,
    )


def _size(frame: Frame, quads: Sequence[Quad]) -> Iterable[Fault]:
    sides = _sides(quads)
    areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    side = float(np.sqrt(np.median(areas)))
    limit = max(LEAST_SIDE, LEAST_LOCATED * frame.span / LONG_SIDE)
    if side < limit:
        yield _fault("tiles_too_small", side, limit)


def _cut_off(frame: Frame, hand: Sequence[Sighting]) -> Iterable[Fault]:
    height, width = frame.image.shape[:2]
    picture = frame.to_photo(np.array([[0, 0], [width, 0], [width, height], [0, height]])).astype(np.float32)
    count = 0
    for tile in hand:
        outline = cv2.convexHull(np.array(tile.quad.corners, np.float32))
        inside, _ = cv2.intersectConvexConvex(outline, picture)
        count += inside < (1 - OUTSIDE) * cv2.contourArea(outline)
    if count:
        yield _fault("cut_off", float(count), 0.0)


def _lean(hand: Sequence[Sighting], family: Family) -> Iterable[Fault]:
    """From how much the tiles are shortened along one direction of the picture: the ratio of the singular values of the
    map from a flat tile to its outline.

    Which side of a rectangle is its long one is told by its face where faces stand upright, of mahjong tiles; of other
    blocks the milder of both answers holds.
    """
    if not hand:
        return
    sides = _sides([tile.quad for tile in hand])
    if sum(tile.quad.round for tile in hand) * 2 > len(hand):
        # A disc's outline is its upright bounding box.
        extent = np.abs(sides).sum(axis=1)
        depth = extent.min(axis=1) / np.maximum(extent.max(axis=1), 1e-6)
    else:
        length = _LENGTH[family]
        depths = np.stack([_flatness(sides / np.array(long)[:, None]) for long in ((length, 1.0), (1.0, length))])
        depth = depths.max(axis=0)
        if family is Family.MAHJONG:
            turns = np.radians([tile.turn or 0.0 for tile in hand])
            upward = np.stack([np.sin(turns), -np.cos(turns)], axis=1)
            along = np.abs(np.einsum("nsk,nk->ns", sides, upward)) / np.maximum(
                np.hypot(*sides.transpose(2, 0, 1)), 1e-6
            )
            depth = depths[along.argmax(axis=1), np.arange(len(hand))]
    measure = float(np.median(depth))
    if measure < STEEP:
        yield _fault("too_steep", measure, STEEP)


def _flatness(sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """The smaller over the larger singular value of N 2×2 matrices."""
    values = np.linalg.svd(sides, compute_uv=False)
    ratio: NDArray[np.float64] = values[:, 1] / np.maximum(values[:, 0], 1e-6)
    return ratio
