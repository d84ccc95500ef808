"""How tiles lie on the table, in units of a tile: which stand in a row, and how wide the gaps are.

The camera may stand anywhere. All tiles of a set have one size, so that their own outlines tell, place by place, how
long a tile is in the picture along either of its sides; distances are measured in these units. A photo's tilt and
perspective then hardly matter, and "turned by 90°" is seen from a tile's sides against its neighbours'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.reading import Quad

Array = NDArray[np.float64]

# A tile is turned when its length over its breadth is this many times the neighbours'; where its face stands across
# the others' faces, less is enough. A face along the others says nothing: many look alike from two sides, or four.
TURNED: Final = 1.35
TURNED_FACE: Final = 1.13
# How much faces must agree on a way, of 1, before any of them stands across it or is upright.
AGREED: Final = 0.2
UPRIGHT: Final = 0.6
# Tiles further apart than this along a row belong to different rows.
REACH: Final = 3.0


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles in a line: their places in reading order, and the free space before each, in tiles; 0 before the first.

    A tile lying on the one before it (an added kong's) has the gap -1.
    """

    places: tuple[int, ...]
    gaps: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The tiles of a picture seen along one direction of rows.

    `along` and `across` are N×N: the way from tile i to tile j in tiles, along the rows and across them (downwards for
    a reader of the rows). `length` and `breadth` (N) are the tiles' own extents in the same two directions; `turned`
    marks tiles that lie at right angles to the others.
    """

    along: Array
    across: Array
    length: Array
    breadth: Array
    turned: NDArray[np.bool_]
    rows: tuple[Row, ...]


def tables(quads: Sequence[Quad], turns: Sequence[float | None], codes: Sequence[str | None]) -> list[Table]:
    """The table seen along each direction in which its rows may run, the likeliest first.

    `turns` are the angles in degrees, clockwise, by which the faces are turned from upright, `codes` what they show;
    None where nobody knows.
    """
    if not quads:
        return []
    corners = np.array([quad.corners for quad in quads], np.float64)
    discs = sum(quad.round for quad in quads) * 2 > len(quads)
    sides = _disc_sides(corners) if discs else _block_sides(corners)
    ground = _Ground(corners.mean(axis=1), sides)
    directions = ground.disc_directions() if discs else [0.0, np.pi / 2]
    upward, faces = _upward(turns), _Faces.of(turns, codes)
    found = [ground.table(ground.facing(direction, upward), discs, faces) for direction in directions]
    return sorted(found, key=lambda table: len(table.rows))


def _upward(turns: Sequence[float | None]) -> float | None:
    """The way most faces stand, degrees clockwise, where at least most of them agree; else None."""
    known = np.radians([turn for turn in turns if turn is not None])
    if len(known) < 3:
        return None
    mean = np.exp(1j * known).mean()
    return float(np.degrees(np.angle(mean))) if abs(mean) > UPRIGHT else None


@dataclass(frozen=True, slots=True, eq=False)
class _Faces:
    """What the faces say of how the tiles lie: `across` (N,) stand across most others, `alike` (N, N) show the same."""

    across: NDArray[np.bool_]
    alike: NDArray[np.bool_]

    @classmethod
    def of(cls, turns: Sequence[float | None], codes: Sequence[str | None]) -> _Faces:
        """Within 30°; none stands across where most do not agree."""
        alike = np.array([[a is not None and a == b for b in codes] for a in codes], bool)
        known = np.array([turn is not None for turn in turns])
        if known.sum() < 3:
            return cls(np.zeros(len(turns), bool), alike)
        lines = np.exp(2j * np.radians([turn or 0.0 for turn in turns]))
        mean = lines[known].mean()
        agree = (lines * np.conj(mean)).real / max(float(abs(mean)), 1e-6)
        return cls(np.asarray(known & (agree < -0.5) & (abs(mean) > AGREED), bool), alike)


def _disc_sides(corners: Array) -> Array:
    """Sides (N, 2, 2) of upright bounding boxes: a disc's own corners say nothing of how the table lies."""
    extent = corners.max(axis=1) - corners.min(axis=1)
    sides = np.zeros((len(corners), 2, 2))
    sides[:, 0, 0], sides[:, 1, 1] = extent[:, 0], extent[:, 1]
    return sides


def _block_sides(corners: Array) -> Array:
    """Two sides of each tile (N, 2, 2), the first of all of them pointing the same way, the second clockwise of it."""
    edges = np.stack(
        [
            (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2,
            (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2,
        ],
        axis=1,
    )
    angles = np.arctan2(edges[..., 1], edges[..., 0])
    apart = np.abs(np.sin(angles[:, None, :, None] - angles[None, :, None, :]))
    # The edge direction that most tiles share with one of their two sides.
    support = np.minimum(apart.min(axis=3), 0.3).sum(axis=1)
    main = angles.ravel()[int(np.argmin(support.ravel()))]
    swap = apart_from(angles[:, 0], main) > apart_from(angles[:, 1], main)
    edges = np.where(swap[:, None, None], edges[:, ::-1], edges)
    way = np.array([np.cos(main), np.sin(main)])
    first = edges[:, 0] * np.where(edges[:, 0] @ way < 0, -1.0, 1.0)[:, None]
    cross = first[:, 0] * edges[:, 1, 1] - first[:, 1] * edges[:, 1, 0]
    second = edges[:, 1] * np.where(cross < 0, -1.0, 1.0)[:, None]
    return np.stack([first, second], axis=1)


def apart_from(angles: Array, main: float) -> Array:
    """How far directions are from another, as the sine of the angle between the lines."""
    return np.abs(np.sin(angles - main))


class _Ground:
    """The table's own measure: at each point of the picture, the two sides of a tile that would lie there."""

    def __init__(self, centres: Array, sides: Array) -> None:
        self.centres = centres
        self.sides = sides
        self.middle = centres.mean(axis=0)
        self.field = self._fit()

    def _fit(self) -> Array:
        """Sides as a linear function of place, shape (3, 4): tiles further away are smaller.

        Turned tiles are outliers to it (iterated reweighting). The slope is held towards zero (ridge), which a few
        tiles with inexact outlines cannot tell: 3 is the square of the noise in a side, some 5 %, over the slope of a
        steep picture, some 3 % a tile.
        """
        values = self.sides.reshape(-1, 4)
        size = np.hypot(*np.median(self.sides, axis=0).T)
        unit = max(float(size.mean()), 1e-6)
        design = np.column_stack([np.ones(len(values)), (self.centres - self.middle) / unit])
        field = np.zeros((3, 4))
        field[0] = np.median(values, axis=0)
        ridge = np.diag([1e-6, 3.0, 3.0])
        for _ in range(8):
            miss = (values - design @ field).reshape(-1, 2, 2)
            relative = np.hypot(miss[..., 0], miss[..., 1]) / np.maximum(size, 1e-6)
            weight = 1 / (1 + (relative.max(axis=1) / 0.12) ** 2)
            weighted = design * weight[:, None]
            field = np.linalg.solve(design.T @ weighted + ridge, weighted.T @ values)
        field[1:] /= unit
        return field

    def basis(self, points: Array) -> Array:
        """Matrices (..., 2, 2) whose columns are a tile's two sides at the points (..., 2)."""
        # Far outside the tiles the line would run through zero; a tile never shrinks below a quarter of the middle one.
        offset = points - self.middle
        sides: Array = self.field[0] + offset @ self.field[1:]
        least = 0.25 * np.abs(self.field[0])
        floored = np.asarray(np.where(np.abs(sides) < least, np.sign(self.field[0]) * least, sides), np.float64)
        return np.swapaxes(floored.reshape(*points.shape[:-1], 2, 2), -1, -2)

    def ways(self) -> Array:
        """From tile i to tile j in tiles, shape (N, N, 2): along the first side and along the second."""
        midway = (self.centres[:, None] + self.centres[None]) / 2
        step = self.centres[None] - self.centres[:, None]
        return np.asarray(np.linalg.solve(self.basis(midway), step[..., None])[..., 0], np.float64)

    def disc_directions(self) -> list[float]:
        """Directions, in the table's own plane, along which discs lie side by side: at most three, and one across."""
        ways = self.ways()
        i, j = np.triu_indices(len(ways), 1)
        if not len(i):
            return [0.0]
        way = ways[i, j]
        distance = np.hypot(way[:, 0], way[:, 1])
        near = distance < max(1.5, float(distance.min()) * 1.15)
        angles, weights = np.arctan2(way[near, 1], way[near, 0]), 1 / distance[near] ** 2
        grid = np.radians(np.arange(0, 180, 2.0))
        votes = (weights * np.exp(-((np.sin(grid[:, None] - angles) / 0.12) ** 2))).sum(axis=1)
        directions: list[float] = []
        for k in np.argsort(-votes, kind="stable"):
            if all(apart_from(np.array([grid[k]]), other)[0] > 0.35 for other in directions):
                directions.append(float(grid[k]))
            if len(directions) == 3:
                break
        refined = [_refine(direction, angles, weights) for direction in directions]
        return [*refined, refined[0] + np.pi / 2]

    def facing(self, direction: float, upward: float | None) -> float:
        """The direction or its opposite: as the faces stand, else left to right, else top to bottom."""
        way = self.basis(self.middle) @ np.array([np.cos(direction), np.sin(direction)])
        reader = np.array([1.0, 0.1])
        if upward is not None:
            reader = np.array([np.cos(np.radians(upward)), np.sin(np.radians(upward))])
        return direction if way @ reader >= 0 else direction + np.pi

    def table(self, direction: float, discs: bool, faces: _Faces) -> Table:
        """The table as seen by a reader of rows that run in this direction."""
        forward = np.array([np.cos(direction), np.sin(direction)])
        ways = self.ways()
        along, across = ways @ forward, ways @ np.array([-forward[1], forward[0]])
        if discs:
            ones = np.ones(len(along))
            turned = np.zeros(len(along), bool)
            return Table(along, across, ones, ones, turned, _rows(along, across, ones, ones, {}))
        own = np.linalg.solve(self.basis(self.centres), np.swapaxes(self.sides, -1, -2))
        extents = np.hypot(own[:, 0], own[:, 1])
        length, breadth = extents.T if abs(forward[0]) > abs(forward[1]) else extents[:, ::-1].T
        ratio = length / breadth
        ratio = ratio / np.median(ratio)
        least = np.where(faces.across, TURNED_FACE, TURNED)
        lying = ratio > least
        # two alike, one behind the other, bear each other out
        pairs = (lying[:, None] & lying) | (faces.alike & (ratio[:, None] > TURNED_FACE) & (ratio > TURNED_FACE))
        storeys = _storeys(along, across, length, breadth, pairs, faces.alike)
        turned = lying | (ratio < 1 / least)
        turned[[*storeys, *storeys.values()]] = True
        # An upright tile's extent is the measure itself; its own outline is only a less exact copy of it.
        length, breadth = np.where(turned, length, 1.0), np.where(turned, breadth, 1.0)
        return Table(along, across, length, breadth, turned, _rows(along, across, length, breadth, storeys))


def _refine(direction: float, angles: Array, weights: Array) -> float:
    close = apart_from(angles, direction) < 0.2
    if not close.any():
        return direction
    doubled = 2 * angles[close]
    return float(np.arctan2(weights[close] @ np.sin(doubled), weights[close] @ np.cos(doubled)) / 2)


def _rows(along: Array, across: Array, length: Array, breadth: Array, storeys: Mapping[int, int]) -> tuple[Row, ...]:
    """Chains of tiles that are each other's nearest neighbours along the rows; `storeys` as of `_storeys`."""
    count = len(along)
    along, across, breadth = along.copy(), across.copy(), breadth.copy()
    for lower, over in storeys.items():
        breadth[lower] = (breadth[lower] + breadth[over]) / 2 + abs(across[lower, over])
        for ways in (along, across):
            ways[lower] = (ways[lower] + ways[over]) / 2
            ways[:, lower] = (ways[:, lower] + ways[:, over]) / 2
    gap = along - (length[:, None] + length) / 2
    overlap = (breadth[:, None] + breadth) / 2 - np.abs(across)
    narrower = np.minimum(breadth[:, None], breadth)
    linked = (along > 0.3) & (overlap > 0.45 * narrower) & (gap < REACH)
    cost = np.where(linked, np.maximum(gap, -0.3) + 0.5 * np.abs(across), np.inf)
    upper = set(storeys.values())
    for place in upper:
        cost[place, :] = cost[:, place] = np.inf
    after = {i: int(np.argmin(cost[i])) for i in range(count) if np.isfinite(cost[i]).any()}
    before = {j: int(np.argmin(cost[:, j])) for j in range(count) if np.isfinite(cost[:, j]).any()}
    links = {i: j for i, j in after.items() if before.get(j) == i}
    heads = [i for i in range(count) if i not in set(links.values()) and i not in upper]
    rows = []
    for head in heads:
        places, gaps = [head], [0.0]
        while True:
            if places[-1] in storeys:
                places.append(storeys[places[-1]])
                gaps.append(-1.0)
            base = places[-2] if gaps[-1] == -1.0 else places[-1]
            if base not in links:
                break
            places.append(links[base])
            gaps.append(max(0.0, float(gap[base, links[base]])))
        rows.append(Row(tuple(places), tuple(gaps)))
    return _in_reading_order(rows, along, across)


def _in_reading_order(rows: list[Row], along: Array, across: Array) -> tuple[Row, ...]:
    """Rows from the top down; those at one height, with more than `REACH` between them, from the left."""
    depth = {row: float(across[0, list(row.places)].mean()) for row in rows}
    bands: list[list[Row]] = []
    for row in sorted(rows, key=depth.__getitem__):
        if bands and depth[row] - float(np.mean([depth[other] for other in bands[-1]])) < 0.5:
            bands[-1].append(row)
        else:
            bands.append([row])
    return tuple(row for band in bands for row in sorted(band, key=lambda row: float(along[0, row.places[0]])))


def _storeys(
    along: Array,
    across: Array,
    length: Array,
    breadth: Array,
    pairs: NDArray[np.bool_],
    alike: NDArray[np.bool_],
) -> dict[int, int]:
    """Tiles added to a turned one of a called triplet, on its far side: lower place → upper place.

    Both lie with the long side along the row (`pairs`, N×N); those that show the same go before others.
    """
    apart = np.abs(across) - (breadth[:, None] + breadth) / 2
    near = (np.abs(along) < 0.35 * np.minimum(length[:, None], length)) & (apart < 0.25) & (across < 0)
    storeys: dict[int, int] = {}
    paired: set[int] = set()
    found = [(int(i), int(j)) for i, j in np.argwhere(pairs & near)]
    for i, j in sorted(found, key=lambda pair: (not alike[pair], float(apart[pair]))):
        if i not in paired and j not in paired:
            storeys[i] = j
            paired |= {i, j}
    return storeys
