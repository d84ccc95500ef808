"""Rows of tiles that touch: they tell the rest of a tile that was found in part, and where a wall goes on.

Tiles of one set are of one size, so that the corners of those that lie side by side on one plane are those of a strip
of squares seen in perspective: one homography (Hartley and Zisserman, "Multiple View Geometry", 2004, chapter 4) places
them all, and those that were found well tell it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.patches import enlarged
from vision.frames import Frame
from vision.reading import Point, Quad

Array = NDArray[np.float64]

# Lengths are shares of a tile (the side of the square that covers as much).
FEWEST: Final = 4  # tiles that make a row
REACH: Final = 0.4  # a tile lies so near to where the one beside it says
BESIDE: Final = 0.3  # and so near if it is to say where the next one is
AS_LONG: Final = 1.3  # its sides are longer or shorter than that one's by less than this
ALONG: Final = 0.9  # cosine of the angle between the two
STRANGE: Final = 2  # so many on end may be otherwise
EXACT: Final = 0.13  # corners that agree with a row lie so near to where it has them
AGREES: Final = 0.2  # and all four of a tile's so near
AGREEING: Final = 0.6  # the share of a row's tiles that must agree
IN_LINE: Final = 0.8  # and that of a wall's
TONE: Final = 0.25  # how far its backs' colours lie apart, in logarithms
DARK: Final = 8.0  # grey levels, in which all that is dark looks alike
ELSEWHERE: Final = 0.25  # a corner of what was found in part lies so far from where the row has it
PART: Final = 0.75  # and it covers less than this share of the tile
SURE: Final = 0.8  # what was found so surely is as it was found


@dataclass(frozen=True, slots=True)
class _Tiles:
    """Quads as arrays: corners (N, 4, 2), clockwise, middles (N, 2) and sizes (N,), px; and which seem to be discs."""

    corners: Array
    centres: Array
    sizes: Array
    round: NDArray[np.bool_]

    @classmethod
    def of(cls, quads: Sequence[Quad]) -> _Tiles:
        corners = np.array([quad.corners for quad in quads], np.float64).reshape(-1, 4, 2)
        discs = np.array([quad.round for quad in quads], np.bool_)
        return cls(corners, corners.mean(axis=1), np.array([quad.size for quad in quads], np.float64), discs)

    def sides(self, tile: int, way: Array) -> tuple[Array, Array]:
        """The mean of the two sides that run along `way`, and of the two across it."""
        a, b, c, d = _turned(self.corners[tile], way)
        return (b - a + c - d) / 2, (d - a + c - b) / 2


def mended(quads: Sequence[Quad]) -> list[Quad]:
    """The quads, with those that are but a part of a tile in a row as large as the row has them; order is kept.

    Discs make no rows, but what seems to be one among blocks is a mark on one of them.
    """
    tiles, result = _Tiles.of(quads), list(quads)
    if not any(quad.score < SURE and quad.size**2 < PART * tiles.sizes.max() ** 2 for quad in quads):
        return result
    for row in _rows(tiles, [quad.score for quad in quads]):
        told, off = _told(row, tiles)
        if (off < AGREES).sum() < max(FEWEST - 1, AGREEING * len(row)):
            continue
        for place, whole, strayed in zip(row.values(), told, off, strict=True):
            found = quads[place]
            area = cv2.contourArea(whole.astype(np.float32))
            if strayed > ELSEWHERE and found.score < SURE and found.size**2 < PART * area:
                result[place] = replace(found, corners=_points(whole), round=False)
    return result


def walled(quads: Sequence[Quad], faint: Sequence[Quad], frame: Frame) -> list[Quad]:
    """The quads, and then the `faint` finds that are in line with a wall in the frame, a row of backs that were found,
    and of its colour.

    Where one back ends and the next begins is hardly to be seen, but the others tell where it is. What goes on from
    them in line, without a gap, is as sure as the least sure of them.
    """
    backs = [quad for quad in (*quads, *faint) if quad.face == "down"]
    sure = sum(quad.face == "down" for quad in quads)
    result = list(quads)
    if not FEWEST <= sure < len(backs):
        return result
    tiles = _Tiles.of(backs)
    for row in _rows(tiles, [quad.score for quad in backs]):
        off = _told(row, tiles)[1]
        known = np.array([*row.values()]) < sure
        if known.all() or known.sum() < FEWEST or (off[known] < AGREES).mean() < IN_LINE:
            continue
        least = min(backs[place].score for place in row.values() if place < sure)
        tones = _tones(frame, [backs[place] for place in row.values()])
        strange = np.abs(tones - np.median(tones[known], axis=0)).max(axis=1)
        fitting = [slot for slot, fits in zip(row, ~known & (off < AGREES) & (strange < TONE), strict=True) if fits]
        joined = {slot for slot, place in row.items() if place < sure}
        for slot in [*fitting, *reversed(fitting)]:
            if slot not in joined and not joined.isdisjoint((slot - 1, slot + 1)):
                joined.add(slot)
                result.append(replace(backs[row[slot]], score=least))
    return result


def _tones(frame: Frame, quads: Sequence[Quad]) -> Array:
    """The mean colour of the middle of each of N quads, (N, 3): logarithms, BGR."""
    middles = enlarged(frame.to_image(np.array([quad.corners for quad in quads])), 0.5)
    tones = np.zeros((len(quads), 3))
    for tone, middle in zip(tones, np.round(middles).astype(np.int32), strict=True):
        mask = cv2.fillConvexPoly(np.zeros(frame.image.shape[:2], np.uint8), middle, 1)
        tone[:] = np.log(np.array(cv2.mean(frame.image, mask)[:3]) + DARK)
    return tones


def _rows(tiles: _Tiles, scores: Sequence[float]) -> list[dict[int, int]]:
    """The rows of tiles that touch, those with the surest tiles first: tiles by their numbers in the row, in order."""
    free = set(np.flatnonzero(tiles.sizes > 0).tolist())
    rows = []
    for start in sorted(free, key=lambda place: -scores[place]):
        if start not in free or tiles.round[start]:
            continue
        row = max((_row(start, side, tiles, free) for side in (0, 1)), key=len)
        if len(row) >= FEWEST:
            free -= set(row.values())
            rows.append(dict(sorted(row.items())))
    return rows


def _row(start: int, side: int, tiles: _Tiles, free: Collection[int]) -> dict[int, int]:
    """The tiles that lie in a row with one, along one of its sides, by their numbers in the row; its own is 0."""
    a, b, c, d = np.roll(tiles.corners[start], -side, axis=0)
    way = (b - a + c - d) / 2
    row = {0: start}
    for sign in (1, -1):
        row |= {sign * slot: place for slot, place in _onward(start, sign * way, tiles, set(free) - set(row.values()))}
    return row


def _onward(start: int, way: Array, tiles: _Tiles, free: set[int]) -> list[tuple[int, int]]:
    """The tiles that follow on one in a direction, each with its number; one that is found badly is passed over."""
    found: list[tuple[int, int]] = []
    along, across = tiles.sides(start, way)
    at, step, slot, strange, alike = tiles.centres[start], way, 0, 0, 0
    while strange <= STRANGE and free:
        at, slot, strange = at + step, slot + 1, strange + 1
        others = np.array(sorted(free))
        apart = np.linalg.norm(tiles.centres[others] - at, axis=1)
        place, off = int(others[apart.argmin()]), float(apart.min())
        length = float(np.linalg.norm(step))
        if off > REACH * min(length, float(tiles.sizes[start])):
            continue
        free.discard(place)
        found.append((slot, place))
        own_along, own_across = tiles.sides(place, step)
        beside = off < BESIDE * length and not tiles.round[place]
        if beside and _alike(along, own_along, ALONG) and _alike(across, own_across, -1.0):
            # Midway between how far it is and how wide: neither is exact.
            step = (own_along + (tiles.centres[place] - at + step)) / 2
            at, along, across, strange, alike = tiles.centres[place], own_along, own_across, 0, len(found)
    # What follows on the last one that is alike is of the row only if nothing lies between.
    last = found[alike - 1][0] if alike else 0
    return found[:alike] + [one for number, one in enumerate(found[alike:], last + 1) if one[0] == number]


def _alike(before: Array, now: Array, cosine: float) -> bool:
    """Whether two sides are about as long, and turned against each other by no more than that cosine says."""
    lengths = float(np.linalg.norm(before)), float(np.linalg.norm(now))
    if min(lengths) <= 0 or max(lengths) > AS_LONG * min(lengths):
        return False
    return float(before @ now) > cosine * lengths[0] * lengths[1]


def _told(row: Mapping[int, int], tiles: _Tiles) -> tuple[Array, Array]:
    """Where a row of R tiles has them, (R, 4, 2), and by how much of a tile the corner of each that lies furthest off
    lies elsewhere, (R,): infinitely far off what seems to be a disc, and all where they make no row."""
    slots, places = np.array([*row]), [*row.values()]
    way = tiles.centres[places[-1]] - tiles.centres[places[0]]
    found = np.array([_turned(tiles.corners[place], way) for place in places])
    unit = float(np.median(tiles.sizes[places]))
    strip = slots[:, None, None] + np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    strip[..., 1] -= slots[:, None]
    matrix, _ = cv2.findHomography(strip.reshape(-1, 1, 2), found.reshape(-1, 1, 2), cv2.RANSAC, EXACT * unit)
    if matrix is None:
        return found, np.full(len(row), np.inf)
    told = np.asarray(cv2.perspectiveTransform(strip.reshape(-1, 1, 2), matrix), np.float64).reshape(found.shape)
    off = np.linalg.norm(told - found, axis=2).max(axis=1) / unit
    return told, np.where(tiles.round[places], np.inf, off)


def _turned(corners: Array, way: Array) -> Array:
    """Corners (4, 2) from the one on which the side follows that runs most nearly along `way`."""
    sides = np.roll(corners, -1, axis=0) - corners
    along = sides @ way / np.maximum(np.linalg.norm(sides, axis=1), 1e-9)
    return np.roll(corners, -int(along.argmax()), axis=0)


def _points(corners: Array) -> tuple[Point, Point, Point, Point]:
    first = int(corners.sum(axis=1).argmin())
    a, b, c, d = ((float(x), float(y)) for x, y in np.roll(corners, -first, axis=0))
    return a, b, c, d
