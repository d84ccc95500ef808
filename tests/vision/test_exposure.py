"""Dark pictures are made light before the networks see them, light ones are left alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.exposure import LIGHT, MOST, brightened, brightening
from vision.frames import decode, load
from vision.read import Reader

SAMPLE = Path(__file__).parents[2] / "hupai" / "sample.jpg"


@pytest.mark.parametrize(("level", "gain"), [(255, 1.0), (240, 1.0), (47, LIGHT / 47), (10, MOST), (0, MOST)])
def test_the_lightest_parts_decide(level: int, gain: float) -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[:60, :, 1] = level
    assert brightening(picture) == pytest.approx(gain)


def test_a_spark_is_no_light_and_small_pictures_are_measured_too() -> None:
    picture = np.full((480, 640, 3), 40, np.uint8)
    picture[200:210, 300:310] = 255
    assert brightening(picture) > 5
    assert brightening(np.full((1, 1, 3), 100, np.uint8)) == pytest.approx(LIGHT / 100)


def test_pixels_are_multiplied_and_held_within_their_range() -> None:
    pixels = np.array([[[[0, 10, 200]]], [[[1, 50, 255]]]], np.uint8)
    assert brightened(pixels, 1.01) is pixels
    assert brightened(pixels, 2.0).tolist() == [[[[0, 20, 255]]], [[[2, 100, 255]]]]
    assert brightened(pixels[:0], 2.0).shape == (0, 1, 1, 3)


@pytest.mark.parametrize("share", [0.08, 0.04])
def test_the_sample_at_night_is_read_like_by_day(share: float) -> None:
    day = decode(load(SAMPLE)).image
    night = np.clip(day * share + np.random.default_rng(0).normal(0, 1, day.shape), 0, 255).astype(np.uint8)
    reader = Reader()
    by_day, by_night = (
        Counter(t.code for t in reader.read(bytes(cv2.imencode(".png", p)[1]), family="xiangqi").tiles)
        for p in (day, night)
    )
    assert by_night == by_day
