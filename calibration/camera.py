"""What is known of a fixed camera over the table: its lens, where the table's plane lies, its colours.

A camera is calibrated from views of the printed board, the last of which lies flat on the table; where there is no
printer, four points of known distances do for the plane. Points in pictures are px, points on the table mm. The lens is
Brown's model with two radial and two tangential terms, found with Zhang's method (A flexible new technique for camera
calibration, 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, View
from vision.frames import Pixels

Floats = NDArray[np.float64]
Gains = tuple[float, float, float]

LEAST_VIEWS: Final = 6
LEAST_TURN: Final = 15.0
"""Degrees between the two most different directions that the board faced; from one angle no lens can be found."""

MOST_ERROR: Final = 1.5  # px; above it the board was bent or the pictures blurred
MOST_DOUBT: Final = 0.02  # standard deviation of the focal length, as its share

MOVED: Final = 3.0
"""How far, mm on the table, things may lie from where they were before the camera counts as moved."""

_DARKEST, _BRIGHTEST = 12.0, 245.0  # of a grey patch; beyond these the sensor tells no colour
_LANDMARKS: Final = 300
_LEAST_MATCHES: Final = 15
_MOST_DISTANCE: Final = 48  # bits of an ORB descriptor
_REACH: Final = 1280  # px, long side of the picture in which landmarks are looked for

NO_GAINS: Final[Gains] = (1.0, 1.0, 1.0)


class CameraError(ValueError):
    """A camera that cannot be calibrated or used. `code` is stable; the message says in one line how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """`matrix` (3, 3) in px and `distortion` (k1, k2, p1, p2, 0); `error` is the mean distance in px of what was seen
    from where it should have been."""

    matrix: Floats
    distortion: Floats
    error: float

    @property
    def focal(self) -> float:
        """Focal length in px."""
        return float(self.matrix[0, 0] + self.matrix[1, 1]) / 2

    def straightened(self, points: Floats) -> Floats:
        """Points (N, 2) of a picture where they lie once it is undistorted."""
        return np.asarray(
            cv2.undistortPoints(points.reshape(-1, 1, 2), self.matrix, self.distortion, P=self.matrix), np.float64
        ).reshape(-1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """Marks of the table to know it again by: `points` (N, 2) float32 px of the corrected picture and `descriptors`
    (N, 32) uint8 (ORB: Rublee et al., 2011)."""

    points: NDArray[np.float32]
    descriptors: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Drift:
    """By what the camera was checked, and how far off it is in mm on the table; None where nothing could be told."""

    by: Literal["board", "table", "nothing"]
    off: float | None

    @property
    def moved(self) -> bool:
        """Whether the camera no longer stands as when it was calibrated."""
        return self.off is not None and self.off > MOVED


@dataclass(frozen=True, eq=False)
class Camera:
    """A calibrated camera. `size` is width and height in px of the pictures it was calibrated with; `lens` None where
    only points were tapped; `plane` (3, 3) takes px of the corrected picture to mm on the table; `gains` times blue,
    green, red make grey things grey."""

    name: str
    size: tuple[int, int]
    lens: Lens | None
    plane: Floats
    gains: Gains
    landmarks: Landmarks

    def corrected(self, image: Pixels) -> Pixels:
        """The (H, W, 3) uint8 BGR frame without the lens's distortion and with the colours balanced.

        A frame may be larger or smaller than those of the calibration; raises CameraError where its shape differs.
        """
        self._check_shape(image)
        balanced = image if self.gains == NO_GAINS else np.asarray(cv2.LUT(image, self._tables), np.uint8)
        if self.lens is None:
            return balanced
        return np.asarray(cv2.remap(balanced, *self._maps(image.shape[1], image.shape[0]), cv2.INTER_LINEAR), np.uint8)

    def on_table(self, points: Floats) -> Floats:
        """Points (N, 2) of a corrected picture of the calibration's size, in mm on the table."""
        return project(self.plane, points)

    def scale(self) -> float:
        """How many px of the corrected picture a mm in its middle takes."""
        x, y = self.size[0] / 2, self.size[1] / 2
        ends = self.on_table(np.array([[x - 5, y], [x + 5, y], [x, y - 5], [x, y + 5]]))
        across, down = (float(np.linalg.norm(ends[n + 1] - ends[n])) for n in (0, 2))
        return float(10 / (across * down) ** 0.5)

    def drift(self, image: Pixels, board: Board | None = None) -> Drift:
        """Whether the camera still stands as it did, told from a frame by marks of the table, or by the board.

        Wherever the board lies on the table, it must come out flat and of its own size.
        """
        corrected = self.corrected(image)
        if (view := (board or Board()).find(corrected)) is not None:
            return Drift("board", self._off_board(view, corrected, board or Board()))
        off = self._off_landmarks(corrected)
        return Drift("nothing" if off is None else "table", off)

    def _off_board(self, view: View, corrected: Pixels, board: Board) -> float:
        """Largest distance of the board's corners, laid on the table, from the true board laid over them."""
        seen = self.on_table(view.points * (self.size[0] / corrected.shape[1]))
        true = board.corners[view.ids, :2]
        seen, true = seen - seen.mean(axis=0), true - true.mean(axis=0)
        u, _, vt = np.linalg.svd(true.T @ seen)  # the rotation nearest to all (Kabsch, 1976)
        turn = u @ np.diag([1.0, float(np.sign(np.linalg.det(u @ vt)))]) @ vt
        return float(np.linalg.norm(true @ turn - seen, axis=1).max())

    def _off_landmarks(self, corrected: Pixels) -> float | None:
        """Median distance that the table's marks have moved, None where too few are found again."""
        found = landmarks(corrected)
        if min(len(found.points), len(self.landmarks.points)) < _LEAST_MATCHES:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(self.landmarks.descriptors, found.descriptors)
        pairs = [pair for pair in pairs if pair.distance <= _MOST_DISTANCE]
        if len(pairs) < _LEAST_MATCHES:
            return None
        before = self.landmarks.points[[pair.queryIdx for pair in pairs]]
        after = found.points[[pair.trainIdx for pair in pairs]] * np.float32(self.size[0] / corrected.shape[1])
        _, kept = cv2.findHomography(before, after, cv2.RANSAC, 3.0)
        if kept is None or int(kept.sum()) < _LEAST_MATCHES:
            return None
        chosen = kept.ravel() > 0
        moved = self.on_table(after[chosen].astype(np.float64)) - self.on_table(before[chosen].astype(np.float64))
        return float(np.median(np.linalg.norm(moved, axis=1)))

    def _check_shape(self, image: Pixels) -> None:
        height, width = image.shape[:2]
        if abs(width * self.size[1] - height * self.size[0]) > 0.01 * width * self.size[1]:
            raise CameraError(
                "other_shape",
                f"camera {self.name!r} was calibrated at {self.size[0]}×{self.size[1]} pixels, but this picture has "
                f"{width}×{height}: set the camera to that size, or calibrate it again",
            )

    @cached_property
    def _tables(self) -> Pixels:
        steps = np.arange(256)[:, None] * np.array(self.gains)
        return np.asarray(np.clip(np.rint(steps), 0, 255)[None], np.uint8)

    @cached_property
    def _kept_maps(self) -> dict[tuple[int, int], tuple[NDArray[Any], NDArray[Any]]]:
        return {}

    def _maps(self, width: int, height: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """For each pixel of a corrected frame, where it lies in the frame; made once a size."""
        key = (width, height)
        if key not in self._kept_maps and self.lens is not None:
            matrix = np.diag([width / self.size[0], height / self.size[1], 1.0]) @ self.lens.matrix
            maps = cv2.initUndistortRectifyMap(matrix, self.lens.distortion, np.eye(3), matrix, key, cv2.CV_16SC2)
            self._kept_maps[key] = (maps[0], maps[1])
        return self._kept_maps[key]


def calibrate(name: str, frames: Sequence[Pixels], board: Board) -> Camera:
    """The camera that took these (H, W, 3) uint8 BGR pictures of the board, the last with the board flat on the table.

    Raises CameraError where the board is not seen in the last or in too few, where all show it from one angle, or where
    they do not fit together.
    """
    sizes = {frame.shape[:2] for frame in frames}
    if len(sizes) > 1:
        shown = " and ".join(sorted(f"{width}×{height}" for height, width in sizes))
        raise CameraError("sizes_differ", f"the pictures have different sizes ({shown}): take all with one setting")
    views = [board.find(frame) for frame in frames]
    seen = [view for view in views if view is not None]
    if not seen:
        raise CameraError(
            "no_board", "the board is not seen in any picture: print it (hupai board), come closer, add light"
        )
    flat = views[-1]
    if flat is None:
        raise CameraError("last_not_seen", "the board is not seen in the last picture, which should show it flat")
    if len(seen) < LEAST_VIEWS:
        raise CameraError(
            "too_few_views",
            f"the board is seen in {len(seen)} of {len(frames)} pictures: take at least {LEAST_VIEWS}, near and far, "
            "tilted to each side, and the last with the board flat on the table",
        )
    height, width = frames[0].shape[:2]
    lens = find_lens(seen, (width, height), board)
    _, spin, shift = cv2.solvePnP(board.corners[flat.ids], flat.points, lens.matrix, lens.distortion)
    turn = cv2.Rodrigues(spin)[0]
    plane = np.linalg.inv(lens.matrix @ np.column_stack([turn[:, 0], turn[:, 1], shift.ravel()]))
    gains = _gains(frames[-1], [_outline(patch, spin, shift, lens) for patch in board.patches])
    bare = Camera(name, (width, height), lens, plane / plane[2, 2], gains, NO_LANDMARKS)
    covered = project(np.asarray(np.linalg.inv(bare.plane), np.float64), board.outline)
    return remembering(bare, frames[-1], covered)


def find_lens(views: Sequence[View], size: tuple[int, int], board: Board) -> Lens:
    """The lens through which the board was seen so; `size` is the pictures' width and height.

    Raises CameraError where the views are too much alike, or do not fit.
    """
    objects = [board.corners[view.ids].astype(np.float32) for view in views]
    images = [view.points.astype(np.float32) for view in views]
    start: Any = np.eye(3)
    _, matrix, distortion, spins, shifts, doubts, _, _ = cv2.calibrateCameraExtended(
        objects, images, size, start, np.zeros(5), flags=cv2.CALIB_FIX_K3
    )
    again = [
        cv2.projectPoints(points, spin, shift, matrix, distortion)[0].reshape(-1, 2) - image
        for points, spin, shift, image in zip(objects, spins, shifts, images, strict=True)
    ]
    error = float(np.linalg.norm(np.concatenate(again), axis=1).mean())
    if error > MOST_ERROR:
        raise CameraError(
            "bad_fit",
            f"the pictures do not fit together ({error:.1f} pixels off): glue the board on something flat and hold it "
            "still",
        )
    facing = np.array([cv2.Rodrigues(spin)[0][:, 2] for spin in spins])
    widest = float(np.degrees(np.arccos(np.clip(facing @ facing.T, -1, 1)).max()))
    if widest < LEAST_TURN or float(doubts[0, 0]) > MOST_DOUBT * float(matrix[0, 0]):
        raise CameraError(
            "one_angle",
            f"the pictures show the board from nearly one angle ({widest:.0f}° apart): tilt it by 20 to 40° to each "
            "side",
        )
    return Lens(np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).ravel(), error)


def calibrate_by_taps(
    name: str,
    frame: Pixels,
    taps: Sequence[tuple[float, float]],
    places: Sequence[tuple[float, float]],
    neutral: tuple[int, int, int, int] | None = None,
) -> Camera:
    """The camera that took this picture, from four points of it, `taps` in px, and where they lie, `places` in mm.

    `neutral` is x, y, width, height in px of something white or grey. Raises CameraError where the points do not span a
    plane, or what should be grey is too bright or dark.
    """
    corners, known = np.array(taps, np.float32), np.array(places, np.float32)
    if not _area(corners) * _area(known) > 0:
        raise CameraError(
            "bad_taps",
            "the four points lie on a line, or their order crosses: give the corners of a rectangle in turn, clockwise "
            "from its upper left",
        )
    plane = cv2.getPerspectiveTransform(corners, known)
    gains = NO_GAINS
    if neutral is not None:
        x, y, width, height = neutral
        gains = _gains(frame, [np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], float)])
        if gains == NO_GAINS:
            raise CameraError(
                "bad_neutral", "the neutral place is too bright, too dark or outside: choose grey or shaded white paper"
            )
    size = (frame.shape[1], frame.shape[0])
    return remembering(Camera(name, size, None, np.asarray(plane, np.float64), gains, NO_LANDMARKS), frame, None)


def remembering(camera: Camera, frame: Pixels, covered: Floats | None) -> Camera:
    """The camera with the marks of the table in the frame, without those inside the quad `covered` (4, 2) px."""
    marks = landmarks(camera.corrected(frame), covered)
    return Camera(camera.name, camera.size, camera.lens, camera.plane, camera.gains, marks)


def landmarks(image: Pixels, covered: Floats | None = None) -> Landmarks:
    """The strongest marks in an (H, W, 3) uint8 BGR picture, without those inside the quad `covered` (4, 2) px."""
    shrink = min(1.0, _REACH / max(image.shape[:2]))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
    mask = np.full(grey.shape, 255, np.uint8)
    if covered is not None:
        cv2.fillConvexPoly(mask, np.round(covered * shrink).astype(np.int32), 0)
    points, descriptors = cv2.ORB.create(_LANDMARKS).detectAndCompute(grey, mask)
    if descriptors is None:
        return NO_LANDMARKS
    places = np.array([point.pt for point in points], np.float32) / np.float32(shrink)
    return Landmarks(places, np.asarray(descriptors, np.uint8))


NO_LANDMARKS: Final = Landmarks(np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8))


def project(homography: Floats, points: Floats) -> Floats:
    """Points (N, 2) through a (3, 3) homography."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def _outline(patch: Floats, spin: NDArray[Any], shift: NDArray[Any], lens: Lens) -> Floats:
    """Where a patch of the board lies in the picture as it was taken."""
    flat = np.column_stack([patch, np.zeros(len(patch))])
    return np.asarray(cv2.projectPoints(flat, spin, shift, lens.matrix, lens.distortion)[0], np.float64).reshape(-1, 2)


def _gains(frame: Pixels, quads: Sequence[Floats]) -> Gains:
    """What blue, green and red are to be multiplied with for these places to be grey; green keeps its strength.

    Places that are too dark or bright or outside the picture tell nothing; where all are, no gains are given.
    """
    means = []
    for quad in quads:
        mask = np.zeros(frame.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255)
        if mask.any():
            colour = np.median(frame[mask > 0].reshape(-1, 3), axis=0)
            if colour.min() > _DARKEST and colour.max() < _BRIGHTEST:
                means.append(frame[mask > 0].reshape(-1, 3).mean(axis=0))
    if not means:
        return NO_GAINS
    blue, green, red = np.array(means).T
    return float(green @ blue / (blue @ blue)), 1.0, float(green @ red / (red @ red))


def _area(corners: NDArray[np.float32]) -> float:
    """The area of four points that are a convex quad's corners in turn, below zero where they turn left; else 0."""
    if corners.shape != (4, 2) or not cv2.isContourConvex(corners):
        return 0.0
    area = float(cv2.contourArea(corners, oriented=True))
    return area if abs(area) > 100 else 0.0
