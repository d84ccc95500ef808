"""What a reading reports."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reading import HandReading, Point, Quad, Reading, Sighting


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[Point, Point, Point, Point]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


@pytest.mark.parametrize(
    ("corners", "outline"),
    [
        (box(10, 10, 50, 50), box(10, 10, 50, 50)),  # seen from above
        (box(0, 0, 64, 36), box(0, -6, 64, 42)),  # at a slant: 36 becomes the geometric mean of 36 and 64
        (box(0, 0, 36, 64), box(-6, 0, 42, 64)),  # on a picture's side
        (box(3, 4, 3, 30), box(3, 4, 3, 30)),
    ],
)
def test_a_slanted_disc_is_drawn_half_way_to_its_square(
    corners: tuple[Point, Point, Point, Point], outline: tuple[Point, Point, Point, Point]
) -> None:
    disc = Quad(corners, 0.9, round=True, face="up")
    assert np.allclose(disc.outline, outline)
    assert Quad(corners, 0.9, round=False, face="up").outline == corners


def test_what_lies_beyond_the_photo_is_not_reported() -> None:
    cut = Quad(((-20, 30), (40, 28), (42, 130), (-18, 132)), 0.9, round=False, face="down")
    tiles = (Sighting(cut, None, 0.9, ()),)
    reading = Reading("table.jpg", 320, 120, "junqi", None, "factory", tiles, (0,), HandReading((), (), None))
    assert reading.to_json()["tiles"][0]["polygon"] == [[0.0, 30], [40, 28], [42, 120.0], [0.0, 120.0]]
