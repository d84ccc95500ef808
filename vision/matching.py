"""Which quad of a frame is which tile of the frames before: looks, the motion that all share, and an assignment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame
from vision.reading import Quad

Array = NDArray[np.float64]

# A tile's look: so many samples a side, of the middle of its face, from a picture whose long side has so many pixels.
LOOK: Final = 10
MIDDLE: Final = 0.8
LOOK_SIDE: Final = 480
# The contrast, in grey levels, below which a look is as good as blank.
BLANK: Final = 10.0
# How much two tiles' looks differ where there is but one, and at least.
USUAL: Final = 0.5
FAINT: Final = 0.08

# Tiles whose looks differ by so little may be the same.
ALIKE: Final = 0.15
# How far all tiles together may move between two frames, in tiles, and how closely they do.
REACH: Final = 4.0
TOGETHER: Final = 0.2
# Motion in common must explain this much more than rest does.
EVIDENCE: Final = 1.15
TWO: Final = 1.5  # about what two tiles weigh whose looks are a little blurred; one alone goes its own way


def looks(frame: Frame, quads: Sequence[Quad]) -> Array:
    """The look of each quad's face, (N, 10, 10, 3): colours less their mean, in grey levels."""
    found = np.zeros((len(quads), LOOK, LOOK, 3))
    if not quads:
        return found
    height, width = frame.image.shape[:2]
    scale = min(1.0, LOOK_SIDE / max(height, width))
    small = cv2.blur(cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (3, 3))
    corners = frame.to_image(np.array([quad.corners for quad in quads])) * scale
    centres = corners.mean(axis=1, keepdims=True)
    inner = (centres + MIDDLE * (corners - centres)).astype(np.float32)
    target = np.array([[0, 0], [LOOK, 0], [LOOK, LOOK], [0, LOOK]], np.float32) - 0.5
    for place, quad in enumerate(inner):
        matrix = cv2.getPerspectiveTransform(quad, target)
        found[place] = cv2.warpPerspective(small, matrix, (LOOK, LOOK), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found - found.mean(axis=(1, 2, 3), keepdims=True), np.float64)


def difference(before: Array, now: Array) -> Array:
    """How much each of N looks differs from each of M, (N, M): 0 for the same, about 1 where nothing is in common.

    A quarter turn is no difference: which corner of a quad comes first may change with a breath.
    """
    turned = np.stack([np.rot90(now, quarter, axes=(1, 2)) for quarter in range(4)], axis=1)
    size = LOOK * LOOK * 3
    a, b = before.reshape(-1, size), turned.reshape(-1, size)
    own, other = (a**2).sum(axis=1)[:, None], (b**2).sum(axis=1)[None]
    apart = (own + other - 2 * a @ b.T) / (own + other + 2 * size * BLANK**2)
    return np.asarray(apart.reshape(len(before), len(now), 4).min(axis=2), np.float64)


def contrast(faces: Array) -> float:
    """How much the looks of two tiles differ usually, of the N tiles on one table; about 0.7 on most, far less where
    faces are small print on large blocks."""
    apart = difference(faces, faces)[~np.eye(len(faces), dtype=bool)]
    return max(FAINT, float(np.median(apart))) if apart.size else USUAL


def common_shift(places: Array, quads: Array, unlike: Array) -> Array:
    """The way (2,) that most tiles went together, from places (N, 2) to quads (M, 2), in tiles; zero where none did.

    `unlike` (N, M) is the difference of their looks.
    """
    still = np.zeros(2)
    if not len(places) or not len(quads):
        return still
    ways = quads[None] - places[:, None]
    near = np.linalg.norm(ways, axis=2) < REACH
    weight = np.where(near, np.exp(-unlike / ALIKE), 0.0)
    likeliest = weight.argmax(axis=1)
    candidates = np.concatenate([still[None], ways[np.arange(len(places)), likeliest][weight.max(axis=1) > 0.05]])
    off = np.linalg.norm(ways[None] - candidates[:, None, None], axis=3)
    explained = (weight * np.exp(-((off / TOGETHER) ** 2))).max(axis=2).sum(axis=1)
    best = int(explained.argmax())
    if explained[best] < max(EVIDENCE * explained[0], TWO, len(places) / 3):
        return still
    agreeing = (weight > 0.05) & (off[best] < 2 * TOGETHER)
    return np.asarray(np.median(ways[agreeing], axis=0), np.float64)


def assign(cost: Array, dearest: float | Array) -> list[tuple[int, int]]:
    """The pairs (row, column) of an N×M matrix with the least total cost, each row and column in one pair at most.

    Leaving a row out costs `dearest`, the same for all or (N,), so that no dearer pair is made. Exact: the matrix falls
    apart into what can be paired at all, and each part is solved by shortest augmenting paths (Jonker and Volgenant,
    1987).
    """
    pairs: list[tuple[int, int]] = []
    limits = np.broadcast_to(dearest, len(cost))
    for rows, columns in _parts(cost < limits[:, None]):
        pairs += [(rows[i], columns[j]) for i, j in _solve(cost[np.ix_(rows, columns)], limits[rows])]
    return sorted(pairs)


def _parts(possible: NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    """Rows and columns that hang together through what is possible; those without any are left out."""
    parts = []
    waiting = set(np.flatnonzero(possible.any(axis=1)).tolist())
    while waiting:
        rows, columns = {waiting.pop()}, set[int]()
        grown = True
        while grown:
            reached = set(np.flatnonzero(possible[sorted(rows)].any(axis=0)).tolist())
            more = set(np.flatnonzero(possible[:, sorted(reached)].any(axis=1)).tolist())
            grown = more != rows
            rows, columns = more, reached
        waiting -= rows
        parts.append((sorted(rows), sorted(columns)))
    return parts


def _solve(cost: Array, dearest: Array) -> list[tuple[int, int]]:
    count, width = cost.shape
    if (count, width) == (1, 1):
        return [(0, 0)]
    # Beside the columns each row has one of its own, which leaves it out; column 0 starts the paths.
    padded = np.full((count, width + count), np.inf)
    padded[:, :width] = np.where(cost < dearest[:, None], cost, np.inf)
    padded[np.arange(count), width + np.arange(count)] = dearest
    row_price, column_price = np.zeros(count), np.zeros(padded.shape[1])
    owner = np.full(padded.shape[1], -1)
    for start in range(count):
        least = np.full(padded.shape[1], np.inf)
        before = np.full(padded.shape[1], -1)
        done = np.zeros(padded.shape[1], bool)
        row, at, far = start, -1, 0.0
        while row >= 0:
            way = far + padded[row] - row_price[row] - column_price
            nearer = ~done & (way < least)
            least[nearer], before[nearer] = way[nearer], at
            at = int(np.where(done, np.inf, least).argmin())
            far = float(least[at])
            done[at] = True
            row = int(owner[at])
        # Prices change by what the path saved; then its columns change hands from its end to its start.
        reached = done & (owner >= 0)
        row_price[start] += far
        row_price[owner[reached]] += far - least[reached]
        column_price[done] -= far - least[done]
        while at >= 0:
            previous = int(before[at])
            owner[at] = start if previous < 0 else owner[previous]
            at = previous
    return [(int(owner[column]), column) for column in range(width) if owner[column] >= 0]
