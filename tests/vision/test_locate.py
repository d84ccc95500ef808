from __future__ import annotations

import numpy as np
import pytest
from painted import Painted, PaintedLocator, paint

from scoring.tiles import Family
from vision.frames import Frame
from vision.locate import LONG_SIDE, letterbox, locate, peaks, suppress
from vision.reading import Quad


def square(x: float, y: float, side: float, score: float = 0.9) -> Quad:
    return Quad(((x, y), (x + side, y), (x + side, y + side), (x, y + side)), score, False, "up")


@pytest.mark.parametrize("size", [(640, 480), (1000, 333), (333, 1000), (31, 40), (4000, 3000)])
def test_letterbox_keeps_the_shape_and_pads_to_multiples_of_32(size: tuple[int, int]) -> None:
    canvas, step = letterbox(np.full((size[1], size[0], 3), 7, np.uint8))
    assert max(canvas.shape[:2]) == LONG_SIDE
    assert canvas.shape[0] % 32 == canvas.shape[1] % 32 == 0
    assert step[0] == pytest.approx(max(size) / LONG_SIDE, rel=0.02)
    assert step[1] == pytest.approx(max(size) / LONG_SIDE, rel=0.02)
    assert (canvas[0, 0] == 7).all()


def test_peaks_decode_to_corners_around_the_cells_centre() -> None:
    heat = np.zeros((1, 8, 10), np.float32)
    heat[0, 2, 3], heat[0, 5, 6], heat[0, 7, 9] = 0.5, 0.8, 0.2
    corners = np.zeros((1, 8, 8, 10), np.float32)
    corners[0, :, 2, 3] = (-6, -5, 6, -5, 6, 5, -6, 5)
    kind = np.zeros((1, 2, 8, 10), np.float32)
    kind[0, :, 5, 6] = (0.9, 0.8)
    sure, other = peaks({"heat": heat, "corners": corners, "kind": kind}, 0.3)
    assert sure.score == pytest.approx(0.8)
    assert (sure.round, sure.face) == (True, "up")
    assert (other.round, other.face) == (False, "down")
    assert other.corners == ((8, 5), (20, 5), (20, 15), (8, 15))


@pytest.mark.parametrize("start", range(4))
def test_the_first_corner_is_the_one_nearest_to_the_top_left(start: int) -> None:
    offsets = np.roll(np.array([(-6, -5), (6, -5), (6, 5), (-6, 5)], np.float32), start, axis=0)
    corners = np.zeros((1, 8, 4, 4), np.float32)
    corners[0, :, 1, 2] = offsets.ravel()
    heat = np.zeros((1, 4, 4), np.float32)
    heat[0, 1, 2] = 0.9
    (quad,) = peaks({"heat": heat, "corners": corners, "kind": np.zeros((1, 2, 4, 4), np.float32)}, 0.3)
    assert quad.corners == ((4, 1), (16, 1), (16, 11), (4, 11))


def test_suppression_keeps_the_surest_of_overlapping_quads() -> None:
    quads = [square(0, 0, 40), square(6, 0, 40, 0.8), square(10, 10, 18, 0.7), square(41, 0, 40, 0.6)]
    assert suppress(quads) == [quads[0], quads[3]]
    assert suppress([]) == []


def test_suppression_drops_a_quad_without_area() -> None:
    assert suppress([Quad(((1, 1), (1, 1), (1, 1), (1, 1)), 0.9, False, "up")]) == []


def test_turned_quads_that_touch_are_two() -> None:
    diamond = Quad(((50, 0), (100, 50), (50, 100), (0, 50)), 0.9, False, "up")
    beside = Quad(((105, 55), (155, 105), (105, 155), (55, 105)), 0.8, False, "up")
    assert len(suppress([diamond, beside])) == 2


def test_locate_gives_the_photos_pixels() -> None:
    tiles = [Painted(300, 200, 60, 90, "rK"), Painted(600, 500, 60, 90, None, turn=20)]
    image = paint(tiles, Family.XIANGQI, (800, 600))
    # The frame holds the lower right quarter of a photo that is twice as large.
    frame = Frame(image, 3200, 2400, origin=(1600.0, 1200.0), step=(2.0, 2.0))
    found = sorted(locate(frame, PaintedLocator()), key=lambda quad: quad.corners[0])
    assert [quad.face for quad in found] == ["up", "down"]
    for quad, tile in zip(found, tiles, strict=True):
        wanted = tile.corners() * 2 + (1600, 1200)
        assert np.abs(np.array(quad.corners) - wanted).max() < 8


def test_no_tiles_no_quads() -> None:
    frame = Frame(np.full((300, 400, 3), 128, np.uint8), 400, 300)
    assert locate(frame, PaintedLocator()) == []
