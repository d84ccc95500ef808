"""What has changed from one frame of a camera to the next, told cheaply from a small grey picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Pixels

LONG_SIDE: Final = 320
# Grey levels by which a place of the small picture (an average of some hundred pixels of the frame) must differ: more
# than a sensor's noise and a lamp's flicker, less than the edge of a tile.
CHANGED: Final = 18.0
# A shadow that falls or goes makes a place darker or lighter, by less than so many grey levels, and keeps its colour:
# the shares that blue, green and red have in it, but for so much.
SHADOW: Final = 70.0
COLOUR: Final = 0.025
DARK: Final = 30.0  # added to all colours' sum, so that what is nearly black has hardly a colour
# A lamp that flickers or an exposure that adapts changes all of the picture alike, by less than this.
MAX_GAIN: Final = 1.25


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A frame made small, the long side 320, averaged over 3×3 places: `grey` is (h, w) float32 in 0..255, `colour`
    (h, w, 3) uint8 BGR.

    `origin` is the photo pixel of its top left corner, `step` how many photo pixels one of its pixels covers, x and y.
    """

    grey: NDArray[np.float32]
    colour: Pixels
    origin: tuple[float, float]
    step: tuple[float, float]

    @classmethod
    def of(cls, frame: Frame) -> Glance:
        """The glance of a frame."""
        small = frame.within(LONG_SIDE)
        grey = cv2.blur(cv2.cvtColor(small.image, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3))
        colour = np.asarray(cv2.blur(small.image, (3, 3)), np.uint8)
        return cls(np.asarray(grey, np.float32), colour, small.origin, small.step)

    def places(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Photo points, shape (..., 2) as x, y, in this picture's pixels."""
        return (points - self.origin) / self.step


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """A glance, and where in it tiles were found with their edges, `known` those that surely are tiles: (h, w)."""

    glance: Glance
    tiles: NDArray[np.bool_]
    known: NDArray[np.bool_]

    @classmethod
    def of(
        cls, glance: Glance, outlines: Iterable[NDArray[np.float64]] = (), known: Iterable[NDArray[np.float64]] = ()
    ) -> Scenery:
        """A glance in which tiles of those (4, 2) corners in the photo were found, the `known` ones among them."""
        return cls(glance, _covered(glance, outlines), _covered(glance, known))


GROUND_AFTER: Final = 1.0  # seconds for which a place must be bare and unchanged to be the table, and no resting hand
BARE_KNOWN: Final = 0.7  # of a tile's place, what the bare table looks like must be known for so much
BARE_ALIKE: Final = 0.8  # and so much of that must look like it


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The bare table, as far as it was seen: `colour` (h, w, 3) uint8 BGR of a glance's places, where `seen` (h, w).

    `since` is the time in seconds from which on a place has been bare and unchanged, infinite where it is not.
    """

    colour: Pixels
    seen: NDArray[np.bool_]
    since: NDArray[np.float64]

    @classmethod
    def unseen(cls, glance: Glance) -> Ground:
        """A table of which nothing is known, in the size of a glance."""
        shape = glance.grey.shape
        return cls(np.zeros_like(glance.colour), np.zeros(shape, np.bool_), np.full(shape, np.inf))

    def after(self, before: Glance, now: Scenery, lying: Iterable[NDArray[np.float64]], at: float) -> Ground:
        """What is known of it after one more scenery, since the glance `before` it; no place under a tile is bare, be
        it found or `lying` where it was."""
        changed = np.abs(now.glance.grey - before.grey) > CHANGED
        taken = now.tiles | _covered(now.glance, lying) | changed
        since = np.where(taken, np.inf, np.minimum(self.since, at))
        learnt = at - since >= GROUND_AFTER
        colour = np.where(learnt[..., None], now.glance.colour, self.colour)
        return Ground(np.asarray(colour, np.uint8), self.seen | learnt, since)

    def shows_at(self, now: Glance, corners: NDArray[np.float64], *, disc: bool = False) -> bool:
        """Whether the place of (4, 2) corners in the photo looks as it did when nothing lay there."""
        points = now.places(corners)
        mask: Pixels = np.zeros(self.seen.shape, np.uint8)
        _fill(mask, _inscribed(points) if disc else points, _DISC if disc else _TILE)
        place = mask > 0
        known = place & self.seen
        if not place.any() or known.sum() < BARE_KNOWN * place.sum():
            return False
        return bool((_otherness(self.colour[known], now.colour[known]) < 1).mean() >= BARE_ALIKE)


def same_view(before: Glance, now: Glance) -> bool:
    """Whether two glances show the same part of pictures of one size, so that they can be compared."""
    return (before.grey.shape, before.origin, before.step) == (now.grey.shape, now.origin, now.step)


def is_still(before: Glance, now: Glance) -> bool:
    """Whether nothing has changed anywhere, but for noise and for light that changes everywhere alike."""
    return same_view(before, now) and float(_difference(before, now).max()) < CHANGED


def _difference(before: Glance, now: Glance) -> NDArray[np.float32]:
    gain = float(np.clip((np.median(now.grey) + 1) / (np.median(before.grey) + 1), 1 / MAX_GAIN, MAX_GAIN))
    return np.abs(now.grey - gain * before.grey)


@dataclass(frozen=True, slots=True)
class Change:
    """What has changed about a tile since a frame.

    `marks` is the share of its marks and edges that are as they were, `around` that of the ground around it where
    something else is now, `under` that of its place where tiles were found now, `taken` that where they are known ones,
    all in [0, 1]; `ground` tells how much the
    place differs from what is left of the ground: from 1 on by more than light can make, infinitely where nothing is
    left.
    """

    marks: float
    around: float
    ground: float
    under: float
    taken: float


# Of the quad about its centre: what is surely the tile (of a disc the square is drawn wider), what the tile with its
# edges, and where the ground around it begins and ends.
_TILE: Final = 0.96
_DISC: Final = 0.88
_EDGES: Final = 1.06
_AROUND: Final = (1.15, 1.6)
LEFT: Final = 0.1  # this share of the ground must be left to tell what it looks like


def change_at(
    before: Scenery, now: Scenery, corners: NDArray[np.float64], shift: NDArray[np.float64], *, disc: bool = False
) -> Change:
    """What has changed about a tile whose (4, 2) corners in the photo were seen `before`.

    `shift` is how many photo pixels the whole picture has moved since. What has left the picture counts as changed;
    where tiles lay or lie is no ground. The corners of a `disc` are those of the square around it, which are ground
    themselves.
    """
    points = before.glance.places(corners)
    centre = points.mean(axis=0)
    whole = _inscribed(points) if disc else points
    height, width = before.tiles.shape
    low = np.floor((points - centre).min(axis=0) * _AROUND[1] + centre).astype(int)
    high = np.ceil((points - centre).max(axis=0) * _AROUND[1] + centre).astype(int) + 1
    x0, y0 = np.clip(low, 0, (width, height))
    x1, y1 = np.clip(high, 0, (width, height))
    if x1 <= x0 or y1 <= y0:
        return Change(0.0, 1.0, np.inf, 0.0, 0.0)
    was = before.glance.grey[y0:y1, x0:x1]
    moved = np.round(shift / before.glance.step).astype(int)
    columns, rows = np.arange(x0, x1) + moved[0], np.arange(y0, y1) + moved[1]
    inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))
    there = np.ix_(np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1))
    tiles = now.tiles[there]
    differs = (np.abs(now.glance.grey[there] - was) > CHANGED) | ~inside
    colour, before_colour = now.glance.colour[there], before.glance.colour[y0:y1, x0:x1]
    other = (_otherness(before_colour, colour) >= 1) | ~inside

    def part(times: float) -> NDArray[np.bool_]:
        mask: Pixels = np.zeros(was.shape, np.uint8)
        _fill(mask, whole - (x0, y0), times)
        return mask > 0

    tile = part(_DISC if disc else _TILE)
    ground = part(_AROUND[1]) & ~part(_AROUND[0]) & ~(tiles & inside) & ~before.tiles[y0:y1, x0:x1]
    bare = ground & ~other
    # Only where the tile stands out from its own colour can be told whether it is still there.
    marks = tile & (np.abs(was - np.median(was[tile])) > CHANGED) if tile.any() else tile
    return Change(
        marks=float((~differs[marks]).mean()) if marks.any() else float(not differs[tile].any()),
        around=float(other[ground].mean()) if ground.any() else 0.0,
        ground=float(_otherness(np.median(before_colour[bare], axis=0), np.median(colour[tile], axis=0)))
        if tile.any() and bare.sum() >= LEFT * ground.sum() > 0
        else np.inf,
        under=float(tiles[tile].mean()) if tile.any() else 0.0,
        taken=float(now.known[there][tile].mean()) if tile.any() else 0.0,
    )


def _otherness(before: NDArray[Any], now: NDArray[Any]) -> NDArray[np.float64]:
    """How much BGR colours, (..., 3), differ, from 1 on by more than light can make."""
    a, b = before.astype(np.float64), now.astype(np.float64)
    light = np.abs(a.mean(axis=-1) - b.mean(axis=-1)) / SHADOW
    shares = a / (a.sum(axis=-1, keepdims=True) + DARK) - b / (b.sum(axis=-1, keepdims=True) + DARK)
    return np.asarray(np.maximum(light, np.abs(shares).max(axis=-1) / COLOUR), np.float64)


def _covered(glance: Glance, outlines: Iterable[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Where in a glance tiles of those corners lie with their edges, (h, w)."""
    mask: Pixels = np.zeros(glance.grey.shape, np.uint8)
    for corners in outlines:
        _fill(mask, glance.places(corners), _EDGES)
    return mask > 0


def _fill(mask: Pixels, points: NDArray[np.float64], times: float) -> None:
    """Mark a quad, made so many times as large about its centre."""
    centre = points.mean(axis=0)
    cv2.fillConvexPoly(mask, np.round((points - centre) * times + centre).astype(np.int32), 1)


_TURNS: Final = np.linspace(0, 2 * np.pi, 24, endpoint=False)


def _inscribed(square: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ellipse, (24, 2), that a square around a disc holds."""
    across, down = (
        (square[1] - square[0] + square[2] - square[3]) / 4,
        (square[3] - square[0] + square[2] - square[1]) / 4,
    )
    return np.asarray(
        square.mean(axis=0) + np.outer(np.cos(_TURNS), across) + np.outer(np.sin(_TURNS), down), np.float64
    )
