"""Concealed kongs whose backs were not found: where they would lie, told by the two tiles alike that show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Table
from vision.reading import Point, Quad, Sighting

# The way from one tile to the other, in tiles along it: side by side, or with room for two between them.
BESIDE: Final = (0.8, 1.35)
APART: Final = (2.6, 3.7)
ASIDE: Final = 0.35
# A place is free where other tiles cover less of it than this, and a back fills it that covers more than that.
FREE: Final = 0.2
FILLED: Final = 0.5

Corners = NDArray[np.float32]


def hidden_backs(sightings: Sequence[Sighting], table: Table, kinds: Collection[str]) -> list[list[Sighting]]:
    """For each two tiles alike that a concealed kong may show, the backs that were not found, at least one of them.

    The backs lie at both sides of tiles that touch, or between tiles with room for two, along the rows of the table;
    `kinds` are those that can be a kong. What was found where a back would lie must be a back.
    """
    outlines = [_outline(tile.quad) for tile in sightings]
    length = (table.length[:, None] + table.length) / 2
    tiles = table.along / length
    level = np.abs(table.across) < ASIDE * table.breadth[:, None]
    beside = level & (tiles > BESIDE[0]) & (tiles < BESIDE[1])
    apart = level & (tiles > APART[0]) & (tiles < APART[1])
    found = []
    for i, j in np.argwhere(beside | apart):
        first, second = sightings[i], sightings[j]
        if first.code is None or first.code != second.code or first.code not in kinds:
            continue
        corners = np.array(first.quad.corners), np.array(second.quad.corners)
        way = corners[1].mean(axis=0) - corners[0].mean(axis=0)
        if beside[i, j]:
            backs = [_back(corners[0] - way, first.quad), _back(corners[1] + way, second.quad)]
        else:
            backs = [_back(corners[0] + way / 3, first.quad), _back(corners[1] - way / 3, second.quad)]
        states = [_state(_outline(back.quad), sightings, outlines) for back in backs]
        if None not in states and not all(states):
            found.append([back for back, filled in zip(backs, states, strict=True) if not filled])
    return found


def _outline(quad: Quad) -> Corners:
    """The convex outline (N, 2) of a tile: its corners, of a disc points of the ellipse in its box."""
    corners = np.array(quad.corners, np.float32)
    if quad.round:
        turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        circle = np.column_stack([np.cos(turns), np.sin(turns)])
        corners = corners.mean(axis=0) + circle * np.ptp(corners, axis=0) / 2
    return np.asarray(cv2.convexHull(corners.astype(np.float32))[:, 0], np.float32)


def _state(place: Corners, sightings: Sequence[Sighting], outlines: Sequence[Corners]) -> bool | None:
    """Whether a back lies at a place already; None where the place is taken."""
    area = cv2.contourArea(place)
    for tile, outline in zip(sightings, outlines, strict=True):
        shared, _ = cv2.intersectConvexConvex(place, outline)
        if tile.code is None and shared > FILLED * area:
            return True
        if shared > FREE * area:
            return None
    return False


def _back(place: NDArray[np.float64], like: Quad) -> Sighting:
    corners: list[Point] = [(float(x), float(y)) for x, y in place]
    quad = Quad((corners[0], corners[1], corners[2], corners[3]), 0.0, like.round, "down")
    return Sighting(quad, None, 0.0, (), guessed=True)
