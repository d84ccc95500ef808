"""What a poor photo does to a picture: enough to matter, never so much that nobody could read it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.training import augment

SEEDS = range(60)


def board(brightness: int = 160) -> NDArray[np.uint8]:
    """A grey picture with marks everywhere."""
    picture = np.full((160, 200, 3), brightness, np.uint8)
    for x in range(10, 200, 20):
        for y in range(10, 160, 20):
            cv2.circle(picture, (x, y), 5, (20, 20, 20), -1)
    return picture


def sharpness(picture: NDArray[np.uint8]) -> float:
    """The strength of edges beside the brightness."""
    grey = picture.mean(axis=2)
    return float(np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 1.0), cv2.CV_64F)).mean() / (1 + grey.mean()))


def test_a_seed_spoils_one_way_and_leaves_the_picture_alone() -> None:
    picture = board()
    before = picture.copy()
    one, two = (augment.spoil(picture, 40.0, np.random.default_rng(7)) for _ in range(2))
    assert np.array_equal(one, two)
    assert np.array_equal(picture, before)
    assert one.shape == picture.shape
    assert one.dtype == np.uint8
    assert not np.array_equal(one, picture)


def test_pictures_are_blurred_darkened_and_coloured() -> None:
    picture = board()
    spoilt = [augment.spoil(picture, 40.0, np.random.default_rng(seed)) for seed in SEEDS]
    blurred = [p for p in spoilt if sharpness(p) < 0.6 * sharpness(picture)]
    dark = [p for p in spoilt if p.mean() < 0.5 * picture.mean()]
    coloured = [p for p in spoilt if np.ptp(p.mean(axis=(0, 1))) > 0.2 * p.mean()]
    for kind in (blurred, dark, coloured):
        assert 0.1 * len(spoilt) < len(kind) < 0.8 * len(spoilt)


@pytest.mark.parametrize("brightness", [30, 90, 200])
def test_no_picture_gets_darker_than_people_can_see(brightness: int) -> None:
    picture = board(brightness)
    means = [augment.spoil(picture, 40.0, np.random.default_rng(seed)).mean() for seed in SEEDS]
    assert min(means) > 0.4 * min(augment.DARKEST, picture.mean())


def test_the_larger_the_tiles_the_further_they_are_blurred() -> None:
    picture = board()
    near, far = (
        [sharpness(augment.spoil(picture, unit, np.random.default_rng(seed))) for seed in SEEDS]
        for unit in (80.0, 10.0)
    )
    assert np.mean(near) < 0.8 * np.mean(far)
