from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.patches import ENLARGE, PATCH
from vision.crops import cut, patch_corners
from vision.frames import Frame
from vision.reading import Quad


def quad(*corners: tuple[float, float], round: bool = False) -> Quad:
    a, b, c, d = corners
    return Quad((a, b, c, d), 1.0, round, "up")


def test_no_quads_no_patches() -> None:
    assert cut(Frame(np.zeros((50, 50, 3), np.uint8), 50, 50), patch_corners([])).shape == (0, 64, 64, 3)


def test_the_quad_is_enlarged_about_its_centre() -> None:
    (corners,) = patch_corners([quad((10, 10), (30, 10), (30, 50), (10, 50))])
    assert corners.mean(axis=0).tolist() == [20, 30]
    assert np.ptp(corners, axis=0) == pytest.approx((20 * ENLARGE, 40 * ENLARGE))


def test_a_lying_tile_is_stood_up_and_a_disc_is_not() -> None:
    lying = ((10, 10), (50, 10), (50, 30), (10, 30))
    standing, disc = patch_corners([quad(*lying), quad(*lying, round=True)])
    assert np.hypot(*(standing[3] - standing[0])) > np.hypot(*(standing[1] - standing[0]))
    assert np.hypot(*(disc[3] - disc[0])) < np.hypot(*(disc[1] - disc[0]))
    cross = np.cross([*(standing[1] - standing[0]), 0], [*(standing[2] - standing[1]), 0])[2]
    assert cross > 0  # still clockwise: the face is not mirrored


@pytest.mark.parametrize(
    "corners",
    [
        np.array([[20, 15], [90, 20], [95, 140], [12, 150]], np.float64),
        np.array([[60, 10], [110, 60], [60, 130], [15, 75]], np.float64),
    ],
)
def test_patches_are_what_opencvs_homography_gives(corners: np.ndarray) -> None:
    rng = np.random.default_rng(0)
    image = cv2.GaussianBlur(rng.integers(0, 256, (160, 120, 3), np.uint8), (0, 0), 3)
    patch = cut(Frame(image, 120, 160), corners[None])[0]
    square = np.array([[0, 0], [PATCH, 0], [PATCH, PATCH], [0, PATCH]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((corners - 0.5).astype(np.float32), square)
    expected = cv2.warpPerspective(image, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(patch.astype(int) - expected).max() <= 3


def test_tiles_of_all_sizes_come_free_of_aliasing() -> None:
    checks = np.indices((1024, 1024)).sum(axis=0) % 2 * 255
    image = np.repeat(checks[..., None], 3, axis=2).astype(np.uint8)
    corners = np.array([[[0, 0], [s, 0], [s, s], [0, s]] for s in (1000, 500, 240)], np.float64)
    patches = cut(Frame(image, 1024, 1024), corners)
    assert np.abs(patches.astype(int) - 127.5).max() < 90
    assert np.abs(patches[0].astype(int) - 127.5).max() < 5


def test_outside_the_picture_its_edge_goes_on() -> None:
    image = np.full((40, 40, 3), 200, np.uint8)
    patch = cut(Frame(image, 40, 40), np.array([[[-30, -30], [10, -30], [10, 10], [-30, 10]]], np.float64))
    assert (patch == 200).all()


def test_a_quad_that_no_camera_sees_gives_a_patch_all_the_same() -> None:
    image = np.full((40, 40, 3), 200, np.uint8)
    crossed = np.array([[[0, 0], [30, 30], [30, 0], [0, 30]], [[5, 5], [5, 5], [5, 5], [5, 5]]], np.float64)
    assert cut(Frame(image, 40, 40), crossed).shape == (2, 64, 64, 3)
