"""Views of the board from a camera: only those that differ are kept; a camera that gives nothing is named."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from photographed import Picture

from calibration import views
from calibration.board import Board, View
from calibration.camera import CameraError


class Seen(Board):
    """A board that a picture's first pixels tell the place of: a column of x and y, no board where both are 0."""

    def find(self, image: Picture) -> View | None:
        x, y, first = (int(v) for v in image[0, 0])
        if not x and not y:
            return None
        ids = np.arange(first, 35)
        return View(self.corners[ids, :2] + (x, y), ids)


def picture(x: int, y: int, first: int = 0) -> Picture:
    frame = np.zeros((480, 640, 3), np.uint8)
    frame[0, 0] = (x, y, first)
    return frame


def test_only_views_that_differ_are_kept() -> None:
    heard: list[int] = []
    frames = [picture(10, 10), picture(12, 10), picture(0, 0), picture(70, 10, 3), picture(70, 14), picture(10, 70)]
    frames += [picture(130 + 60 * n, 200) for n in range(2)] + [picture(60, 200)]
    kept = views.distinct(frames, Seen(), heard.append)
    assert [frame[0, 0, :2].tolist() for frame in kept] == [
        [10, 10],
        [70, 10],
        [10, 70],
        [130, 200],
        [190, 200],
        [60, 200],
    ]
    assert heard == [1, 2, 3, 4, 5, 6]


def test_enough_is_enough() -> None:
    grid = (picture(1 + 60 * (n % 4), 1 + 60 * (n // 4)) for n in range(16))
    assert len(views.distinct(grid, Seen(), lambda _: None)) == views.WANTED


def test_patience_ends() -> None:
    def same() -> Iterator[Picture]:
        while True:
            yield picture(10, 10)

    seconds = iter(range(0, 10_000, 40))
    with pytest.raises(CameraError, match="only 1 views of the board") as refused:
        views.distinct(same(), Seen(), lambda _: None, clock=lambda: float(next(seconds)))
    assert refused.value.code == "too_few_views"


def test_pictures_are_taken_and_the_camera_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    released = []

    class Device:
        def __init__(self, number: int) -> None:
            self.left = 2

        def read(self) -> tuple[bool, Picture | None]:
            self.left -= 1
            return (True, picture(5, 5)) if self.left >= 0 else (False, None)

        def release(self) -> None:
            released.append(True)

    monkeypatch.setattr(cv2, "VideoCapture", Device)
    taken = views.grabbed(3)
    assert next(taken).shape == next(taken).shape == (480, 640, 3)
    with pytest.raises(CameraError, match="camera 3 gives no picture: see that it is plugged in"):
        next(taken)
    assert released == [True]
