"""Where the tiles are: one pass of the locator, its peaks decoded to quads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.exposure import brightened, brightening
from vision.frames import Frame, Pixels, scaled
from vision.network import Network
from vision.reading import Face, Point, Quad
from vision.rows import mended, walled

LONG_SIDE: Final = 640
MULTIPLE: Final = 32
SECOND_LOOK: Final = 320
NEAR: Final = 44.0  # canvas pixels, the size from which a tile is taken from the second look
THIRD_LOOK: Final = 160
CLOSE: Final = 110.0  # canvas pixels, the size in the second look from which a tile is taken from the third alone
CLOSER_LOOK: Final = 1280
SMALL: Final = 36.0  # canvas pixels, the size in the first look below which the closer one is worth its time
STRIDE: Final = 4
THRESHOLD: Final = 0.28
MAX_TILES: Final = 200

# Two quads are one tile found twice when they share this much of their union, or one holds this much of the other.
MAX_IOU: Final = 0.35
MAX_CONTAINED: Final = 0.7

# Perspective and a turned tile change a size by less than this; quads with this share of the best score count as sure.
SIZE_RATIO: Final = 2.0
SURE: Final = 0.85

# What the closer look adds is found at least so surely, and no further from the size of what was found before; what was
# found as surely as SETTLED stays as it is, for what covers it from closer by may be half of it.
ADDED: Final = 0.4
ADDED_RATIO: Final = 1.6
SETTLED: Final = 0.75

# What is found at least as FAINT but not as CLEAR is in doubt.
FAINT: Final = 0.2
CLEAR: Final = 0.55
IN_A_WALL: Final = 0.1  # and this is enough where a row of backs goes on
AROUND: Final = 64  # canvas pixels about what is in doubt that are looked at, too

# A disc is found by the face that can be seen against its ground, a bare rim often not; its square is drawn wider.
RIM: Final = 1.08

_PADDING: Final = (114, 114, 114)


def locate(frame: Frame, locator: Network, threshold: float = THRESHOLD, *, thorough: bool = False) -> list[Quad]:
    """All tiles in a frame, surest first; corners in pixels of the upright photo.

    The picture is looked at twice, the second time at half the size for tiles so near that the first look takes the
    marks on them for tiles; and at a quarter where a tile fills much of it, whose corners lie further from its centre
    than the larger looks can tell. `threshold` is the least tile-ness, in [0, 1], that counts as a find.

    What is to be `thorough`, for a photo that no next frame follows, looks at what is left in doubt in a mirror, too,
    and believes the mean; and lets rows tell the rest of a tile that was found in part, and where a wall goes on.
    """
    frame = _made_light(frame, LONG_SIDE)  # so that the later looks need not shrink all of it again
    looks = [_Look.at(frame, side, locator) for side in (LONG_SIDE, SECOND_LOOK)]
    if any(quad.size > CLOSE for quad in peaks(looks[1].outputs, threshold)):
        looks.append(_Look.at(frame, THIRD_LOOK, locator))
    if not thorough:
        return _together(looks, threshold)
    if doubtful := [quad for quad in _together(looks, FAINT) if quad.score < CLEAR]:
        looks = [look.with_mirrored(doubtful, locator) for look in looks]
    finds = _together(looks, min(threshold, IN_A_WALL))
    sure = [quad for quad in finds if quad.score >= threshold]
    return _surest_first(walled(mended(sure), finds[len(sure) :], frame))


def _together(looks: Sequence[_Look], threshold: float) -> list[Quad]:
    """What two or three looks, the largest first, find between them, each in the sizes that it tells best."""
    ranges = [(0.0, np.inf), (NEAR, np.inf)]
    if len(looks) == 3:
        ranges = [
            (0.0, CLOSE * LONG_SIDE / SECOND_LOOK),
            (NEAR, CLOSE),
            (0.5 * CLOSE * THIRD_LOOK / SECOND_LOOK, np.inf),
        ]
    found = [
        quad
        for look, (least, most) in zip(looks, ranges, strict=True)
        for size, quad in look.finds(threshold)
        if least <= size <= most
    ]
    return alike(suppress(_surest_first(found)))


def is_far(frame: Frame, quads: Sequence[Quad]) -> bool:
    """Whether the tiles found in a frame are so small that a closer look tells more, and it has the pixels for one."""
    if not quads or max(frame.image.shape[:2]) <= 1.1 * LONG_SIDE:
        return False
    return bool(np.median([quad.size for quad in quads]) * LONG_SIDE < SMALL * frame.span)


def look_closer(frame: Frame, quads: Sequence[Quad], locator: Network) -> list[Quad]:
    """The tiles that `locate` found, and those that are found with the picture twice as large, surest first.

    It takes four times as long as the first look, finds tiles of ten canvas pixels and more of their outlines, and
    where tiles are near takes the marks on them for tiles: look where `is_far` says so.
    """
    frame = _made_light(frame, CLOSER_LOOK)
    usual = float(np.median([quad.size for quad in quads]))
    added = [
        quad
        for _, quad in _Look.at(frame, CLOSER_LOOK, locator).finds(ADDED)
        if usual / ADDED_RATIO < quad.size < usual * ADDED_RATIO
    ]
    settled = [quad for quad in quads if quad.score >= SETTLED]
    unsettled = [quad for quad in quads if quad.score < SETTLED]
    return alike(_surest_first(suppress([*settled, *_surest_first([*unsettled, *added])])))


def _made_light(frame: Frame, side: int) -> Frame:
    """The frame no larger than `side` pixels along its longer side, brightened where it is dark."""
    frame = frame.within(side)
    return replace(frame, image=brightened(frame.image, brightening(frame.image)))


def _surest_first(quads: Sequence[Quad]) -> list[Quad]:
    return sorted(quads, key=lambda quad: -quad.score)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A frame as the locator sees it: the `canvas`, the frame's pixels a canvas pixel, and what the locator says."""

    frame: Frame
    canvas: Pixels
    step: tuple[float, float]
    outputs: Mapping[str, NDArray[Any]]

    @classmethod
    def at(cls, frame: Frame, long_side: int, locator: Network) -> _Look:
        canvas, step = letterbox(frame.image, long_side)
        return cls(frame, canvas, step, locator.run(canvas[None]))

    def with_mirrored(self, doubtful: Sequence[Quad], locator: Network) -> _Look:
        """The same with the mean of what is said of the canvas and of its mirror image, about the doubtful quads."""
        corners = self.frame.to_image(np.array([quad.corners for quad in doubtful])).reshape(-1, 2) / self.step
        size = np.array(self.canvas.shape[1::-1])
        low, high = np.clip([corners.min(axis=0), corners.max(axis=0)], 0, size - 1)
        x0, y0 = (np.maximum(low - AROUND, 0) // MULTIPLE).astype(int) * MULTIPLE
        x1, y1 = np.minimum((high + AROUND) // MULTIPLE * MULTIPLE + MULTIPLE, size).astype(int)
        mirrored = np.ascontiguousarray(self.canvas[None, y0:y1, x0:x1][:, :, ::-1])
        said = np.zeros_like(self.outputs["heat"])
        said[:, y0 // STRIDE : y1 // STRIDE, x0 // STRIDE : x1 // STRIDE] = locator.run(mirrored)["heat"][..., ::-1]
        (left, top), (right, bottom) = (low // STRIDE).astype(int), (high // STRIDE).astype(int) + 1
        about = np.s_[:, top:bottom, left:right]
        heat = self.outputs["heat"].copy()
        heat[about] = (heat[about] + said[about]) / 2
        return replace(self, outputs={**self.outputs, "heat": heat})

    def finds(self, threshold: float) -> list[tuple[float, Quad]]:
        """What is found, surest first, in pixels of the photo, each with its size in those of the canvas."""
        return [(quad.size, _in_photo(quad, self.frame, self.step)) for quad in peaks(self.outputs, threshold)]


def _highest(heat: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where the map is no lower than in any neighbouring cell."""
    return np.asarray(heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)), np.bool_)


def letterbox(image: Pixels, long_side: int = LONG_SIDE) -> tuple[Pixels, tuple[float, float]]:
    """The H×W×3 image scaled to `long_side` and padded right and below to multiples of 32.

    Also returns how many image pixels one canvas pixel covers, in x and y.
    """
    height, width = image.shape[:2]
    shrunk = scaled(image, long_side)
    size = shrunk.shape[1::-1]
    right, below = -size[0] % MULTIPLE, -size[1] % MULTIPLE
    canvas = cv2.copyMakeBorder(shrunk, 0, below, 0, right, cv2.BORDER_CONSTANT, value=_PADDING)
    return np.asarray(canvas, np.uint8), (width / size[0], height / size[1])


def peaks(outputs: Any, threshold: float) -> list[Quad]:
    """The locator's outputs as quads in canvas pixels, surest first.

    `outputs` maps `heat` [1,h,w] (how surely a tile has its centre in the cell), `corners` [1,8,h,w] (offsets from the
    cell's centre in canvas pixels, clockwise from any corner) and `kind` [1,2,h,w] (probability round, probability face
    up), float32 at stride 4.
    """
    heat = outputs["heat"][0]
    rows, columns = np.nonzero(_highest(heat) & (heat >= threshold))
    scores = heat[rows, columns]
    best = np.argsort(-scores, kind="stable")[:MAX_TILES]
    rows, columns, scores = rows[best], columns[best], scores[best]
    centres = (np.stack([columns, rows], axis=1) + 0.5) * STRIDE
    corners = _from_top_left(outputs["corners"][0][:, rows, columns].T.reshape(-1, 4, 2) + centres[:, None])
    kinds = outputs["kind"][0][:, rows, columns].T
    return [
        Quad(_points(corner), float(score), bool(kind[0] > 0.5), _face(kind[1]))
        for corner, score, kind in zip(corners, scores, kinds, strict=True)
    ]


def suppress(quads: list[Quad]) -> list[Quad]:
    """Of quads that cover the same tile, keep the surest; `quads` come surest first."""
    corners = np.array([quad.corners for quad in quads], np.float32).reshape(-1, 4, 2)
    low, high = corners.min(axis=1), corners.max(axis=1)
    areas = [abs(float(cv2.contourArea(corner))) for corner in corners]
    kept: list[int] = []
    for i in range(len(quads)):
        overlaps = (np.minimum(high[i], high[kept]) > np.maximum(low[i], low[kept])).all(axis=1)
        rivals = [kept[n] for n in np.flatnonzero(overlaps)]
        if areas[i] > 0 and not any(_same(corners, areas, i, j) for j in rivals):
            kept.append(i)
    return [quads[i] for i in kept]


def alike(quads: list[Quad]) -> list[Quad]:
    """Without the quads that are far smaller or larger than the surest ones: the pieces of one set are of one size.

    `quads` come surest first; what the surest are like is the median of those nearly as sure as the first.
    """
    if not quads:
        return []
    sizes = np.array([quad.size for quad in quads])
    sure = np.array([quad.score >= SURE * quads[0].score for quad in quads])
    share = sizes / np.median(sizes[sure])
    return [quad for quad, ratio in zip(quads, share, strict=True) if 1 / SIZE_RATIO < ratio < SIZE_RATIO]


def _same(corners: NDArray[np.float32], areas: list[float], i: int, j: int) -> bool:
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(corners[i]), cv2.convexHull(corners[j]))
    iou = shared / max(areas[i] + areas[j] - shared, 1e-6)
    return bool(iou > MAX_IOU or shared / max(min(areas[i], areas[j]), 1e-6) > MAX_CONTAINED)


def _in_photo(quad: Quad, frame: Frame, step: tuple[float, float]) -> Quad:
    points = np.array(quad.corners)
    if quad.round:
        points = points.mean(axis=0) + RIM * (points - points.mean(axis=0))
    corners = frame.to_photo(points * step)
    return Quad(_points(corners), quad.score, quad.round, quad.face)


def _from_top_left(corners: NDArray[Any]) -> NDArray[Any]:
    """The (N, 4, 2) corners of each quad, turned so that the first is the one nearest to the picture's top left."""
    first = corners.sum(axis=2).argmin(axis=1)
    turned: NDArray[Any] = np.take_along_axis(corners, ((first[:, None] + np.arange(4)) % 4)[..., None], axis=1)
    return turned


def _points(corners: NDArray[Any]) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _face(up: float) -> Face:
    return "up" if up > 0.5 else "down"
