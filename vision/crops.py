"""Quads become square patches, all of a picture's in a few array passes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.patches import COARSEST, ENLARGE, PATCH, enlarged, shorter, stood_up
from vision.frames import Frame, Pixels
from vision.locate import RIM
from vision.reading import Quad


def patch_corners(quads: Sequence[Quad]) -> NDArray[np.float64]:
    """Photo points of the patch's corners, shape (N, 4, 2): top left, top right, bottom right, bottom left.

    The quad is enlarged by 8 % about its centre (a disc's has been already); a rectangular tile is turned so that its
    long side is vertical.
    """
    corners = np.array([quad.corners for quad in quads], np.float64).reshape(-1, 4, 2)
    discs = np.array([quad.round for quad in quads], bool)
    return enlarged(stood_up(corners, discs), np.where(discs, ENLARGE / RIM, ENLARGE)[:, None, None])


def cut(frame: Frame, corners: NDArray[np.float64], size: int = PATCH) -> Pixels:
    """Patches N×size×size×3, uint8 BGR, of photo quads of shape (N, 4, 2), by homography."""
    points = frame.to_image(corners)
    patches = np.empty((len(points), size, size, 3), np.uint8)
    if not len(points):
        return patches
    width = shorter(points)
    # A tile is sampled from the half, quarter, ... picture once it is too wide for the patch, so that nothing aliases.
    levels = np.clip(np.ceil(np.log2(np.maximum(width, 1) / (COARSEST * size))), 0, 4).astype(int)
    image = frame.image
    for level in range(int(levels.max()) + 1):
        if level:
            half = (max(1, image.shape[1] // 2), max(1, image.shape[0] // 2))
            image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
        chosen = np.flatnonzero(levels == level)
        scale = np.array([image.shape[1] / frame.image.shape[1], image.shape[0] / frame.image.shape[0]])
        for place, matrix in zip(chosen, _homographies(points[chosen] * scale, size), strict=True):
            cv2.warpPerspective(
                image,
                matrix,
                (size, size),
                patches[place],
                cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                cv2.BORDER_REPLICATE,
            )
    return patches


def _homographies(quads: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """The maps (N, 3, 3) from a patch's pixels to a picture's, such that the patch's corners fall on those of (N, 4, 2)
    quads."""
    p0, p1, p2, p3 = np.moveaxis(quads, 1, 0)
    # The projective map of the unit square onto a quad in closed form (Heckbert, 1989).
    across, down, rest = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    area = across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    g = (rest[:, 0] * down[:, 1] - rest[:, 1] * down[:, 0]) / area
    h = (across[:, 0] * rest[:, 1] - across[:, 1] * rest[:, 0]) / area
    # A locator's slip can make a quad that no camera sees; keep its horizon out of the patch.
    g, h = (np.clip(value, -0.8, 4.0) for value in (g, h))
    steep = np.minimum(1.0, 0.95 / np.maximum(-(g + h), 1e-9))
    g, h = (np.where(value < 0, value * steep, value) for value in (g, h))
    square = np.empty((len(quads), 3, 3))
    square[:, :2, 0], square[:, :2, 1], square[:, :2, 2] = p1 - p0 + g[:, None] * p1, p3 - p0 + h[:, None] * p3, p0
    square[:, 2] = np.stack([g, h, np.ones(len(quads))], axis=1)
    # Pixels lie at the middles of their squares, in the patch and in the picture.
    patch = np.array([[1 / size, 0, 0.5 / size], [0, 1 / size, 0.5 / size], [0, 0, 1]])
    picture = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    return np.asarray(picture @ square @ patch, np.float64)
