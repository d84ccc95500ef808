from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from painted import Painted, PaintedLocator, paint

from scoring.tiles import Family
from vision.frames import Frame
from vision.locate import (
    ADDED,
    AROUND,
    CLEAR,
    CLOSE,
    CLOSER_LOOK,
    FAINT,
    LONG_SIDE,
    NEAR,
    RIM,
    SECOND_LOOK,
    SETTLED,
    SMALL,
    THIRD_LOOK,
    THRESHOLD,
    alike,
    is_far,
    letterbox,
    locate,
    look_closer,
    peaks,
    suppress,
)
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


def test_pieces_of_one_set_are_of_one_size() -> None:
    tiles = [square(50 * n, 0, 40, 0.9 - n / 100) for n in range(4)]
    print_on_the_board = [square(50 * n, 90, 12, 0.6 - n / 100) for n in range(9)]
    assert alike([*tiles, square(0, 300, 110, 0.7), *print_on_the_board]) == tiles
    assert alike([]) == []


def test_a_tile_is_where_the_heat_is_highest_and_no_two_touch() -> None:
    heat = np.random.default_rng(1).uniform(0, 1, (1, 12, 20)).astype(np.float32)
    found = peaks({"heat": heat, "corners": np.zeros((1, 8, 12, 20)), "kind": np.zeros((1, 2, 12, 20))}, 0.5)
    assert len(found) > 5
    for quad in found:
        x, y = (int(v // 4) for v in quad.corners[0])
        around = heat[0, max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
        assert quad.score == heat[0, y, x] == around.max()


class Scales:
    """Finds one square of a given side in the middle of its canvas, by the canvas's long side."""

    def __init__(self, sides: dict[int, tuple[float, float]], round: float = 0.0) -> None:
        self.sides, self.round = sides, round

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        h, w = feed.shape[1] // 4, feed.shape[2] // 4
        side, score = self.sides[feed.shape[2]]
        heat, corners = np.zeros((1, h, w), np.float32), np.zeros((1, 8, h, w), np.float32)
        for cell in (w // 2 - 1, w // 2):  # the same in a mirror
            heat[0, h // 2, cell] = score
            corners[0, :, h // 2, cell] = side / 2 * np.array([-1, -1, 1, -1, 1, 1, -1, 1])
            corners[0, ::2, h // 2, cell] += (w // 2 - cell) * 4
        kind = np.full((1, 2, h, w), self.round, np.float32)
        return {"heat": heat, "corners": corners, "kind": kind}


class TwoToned:
    """Finds the one square of a canvas, darker on its left than on its right, and sees in a mirror which it is."""

    def __init__(self, plain: float, mirrored: float) -> None:
        self.plain, self.mirrored = plain, mirrored
        self.views: list[tuple[bool, int]] = []

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        grey = feed[0, ..., 0].astype(int)
        h, w = grey.shape[0] // 4, grey.shape[1] // 4
        heat, corners = np.zeros((1, h, w), np.float32), np.zeros((1, 8, h, w), np.float32)
        rows, columns = np.nonzero(abs(grey - grey[0, 0]) > 40)
        plain = bool(grey[rows[0], columns.min()] < grey[rows[0], columns.max()])
        self.views.append((plain, grey.size))
        at = (0, int(rows.mean()) // 4, int(columns.mean()) // 4)
        heat[at] = self.plain if plain else self.mirrored
        corners[(0, slice(None), *at[1:])] = (np.ptp(columns) + 1) / 2 * np.array([-1, -1, 1, -1, 1, 1, -1, 1])
        return {"heat": heat, "corners": corners, "kind": np.zeros((1, 2, h, w), np.float32)}


def two_toned() -> Frame:
    image = np.full((LONG_SIDE, LONG_SIDE, 3), 240, np.uint8)
    image[186:218, 86:102], image[186:218, 102:118] = 60, 150
    return Frame(image, LONG_SIDE, LONG_SIDE)


@pytest.mark.parametrize(
    ("plain", "mirrored", "wanted", "again"),
    [
        (0.4, 0.8, [0.6], True),
        (THRESHOLD - 0.05, THRESHOLD + 0.07, [THRESHOLD + 0.01], True),
        (THRESHOLD + 0.1, THRESHOLD - 0.15, [], True),
        (CLEAR + 0.01, 0.0, [CLEAR + 0.01], False),
        (FAINT - 0.01, 1.0, [], False),
    ],
)
def test_what_is_in_doubt_is_looked_at_in_a_mirror_too(
    plain: float, mirrored: float, wanted: list[float], again: bool
) -> None:
    locator = TwoToned(plain, mirrored)
    found = locate(two_toned(), locator, thorough=True)
    assert [quad.score for quad in found] == pytest.approx(wanted)
    assert [view for view, _ in locator.views] == [True, True, *[False, False] * again]
    # who has no time for it does without
    assert len(locate(two_toned(), TwoToned(plain, mirrored))) == (plain >= THRESHOLD)


def test_a_second_opinion_is_asked_about_what_is_in_doubt_and_its_surroundings() -> None:
    locator = TwoToned(0.4, 0.8)
    (quad,) = locate(two_toned(), locator, thorough=True)
    assert quad.corners == ((86.0, 186.0), (118.0, 186.0), (118.0, 218.0), (86.0, 218.0))
    whole, part = locator.views[0][1], locator.views[2][1]
    assert part <= (32 + 2 * AROUND + 2 * 32) ** 2 < whole


@pytest.mark.parametrize(("near", "wanted"), [(NEAR + 40, 2 * (NEAR + 40)), (NEAR - 10, 24)])
def test_near_tiles_are_taken_from_the_second_look(near: float, wanted: float) -> None:
    frame = Frame(np.zeros((LONG_SIDE, LONG_SIDE, 3), np.uint8), LONG_SIDE, LONG_SIDE)
    (quad,) = locate(frame, Scales({LONG_SIDE: (24, 0.6), SECOND_LOOK: (near, 0.9)}))
    assert quad.corners[1][0] - quad.corners[0][0] == pytest.approx(wanted)


def test_a_tile_that_fills_the_picture_is_taken_from_the_third_look() -> None:
    frame = Frame(np.zeros((LONG_SIDE, LONG_SIDE, 3), np.uint8), LONG_SIDE, LONG_SIDE)
    inexact = {LONG_SIDE: (500, 0.9), SECOND_LOOK: (CLOSE + 90, 0.9)}
    (quad,) = locate(frame, Scales({**inexact, THIRD_LOOK: (80, 0.5)}))
    assert quad.corners[1][0] - quad.corners[0][0] == pytest.approx(80 * LONG_SIDE / THIRD_LOOK)
    # a smaller one asks for no third look
    (near,) = locate(frame, Scales({LONG_SIDE: (24, 0.6), SECOND_LOOK: (CLOSE - 10, 0.9)}))
    assert near.corners[1][0] - near.corners[0][0] == pytest.approx(2 * (CLOSE - 10))


WIDE = Frame(np.zeros((600, CLOSER_LOOK, 3), np.uint8), CLOSER_LOOK, 600)


def test_tiles_are_far_that_are_small_in_a_picture_with_pixels_to_spare() -> None:
    small, large = square(0, 0, 2 * SMALL - 4), square(0, 0, 2 * SMALL + 4)
    assert is_far(WIDE, [small, small, large])
    assert not is_far(WIDE, [small, large, large])
    assert not is_far(WIDE, [])
    assert not is_far(WIDE.within(LONG_SIDE), [small])
    # what counts is the part of the photo that the frame holds
    part = Frame(WIDE.image, 3 * WIDE.width, 3 * WIDE.height, step=(0.5, 0.5))
    assert not is_far(part, [small])


@pytest.mark.parametrize(
    ("before", "closer", "wanted"),
    [
        ((0.6, 48), (0.9, 56), [56]),  # seen better
        ((0.6, 48), (0.5, 56), [48]),
        ((SETTLED + 0.01, 48), (0.9, 56), [48]),  # what covers it may be half of it
        ((0.6, 48), (0.9, 28), [48]),  # a mark on a tile
        ((0.6, 48), (0.9, 80), [48]),
    ],
)
def test_a_closer_look_mends_what_was_not_sure(
    before: tuple[float, float], closer: tuple[float, float], wanted: list[float]
) -> None:
    middle = (CLOSER_LOOK / 2, 304)
    quads = [square(middle[0] - before[1] / 2, middle[1] - before[1] / 2, before[1], before[0])]
    found = look_closer(WIDE, quads, Scales({CLOSER_LOOK: (closer[1], closer[0])}))
    assert [quad.size for quad in found] == pytest.approx(wanted, abs=0.1)


def test_a_closer_look_adds_what_it_is_sure_of() -> None:
    quads = [square(40, 40, 44, 0.9), square(90, 40, 44, 0.9)]
    assert len(look_closer(WIDE, quads, Scales({CLOSER_LOOK: (44, ADDED + 0.01)}))) == 3
    assert look_closer(WIDE, quads, Scales({CLOSER_LOOK: (44, ADDED - 0.01)})) == quads


def test_a_discs_square_leaves_room_for_its_rim() -> None:
    frame = Frame(np.zeros((LONG_SIDE, LONG_SIDE, 3), np.uint8), LONG_SIDE, LONG_SIDE)
    (quad,) = locate(frame, Scales({LONG_SIDE: (50, 0.9), SECOND_LOOK: (25, 0.1)}, round=1.0))
    assert quad.corners[1][0] - quad.corners[0][0] == pytest.approx(50 * RIM)


def test_no_tiles_no_quads() -> None:
    frame = Frame(np.full((300, 400, 3), 128, np.uint8), 400, 300)
    assert locate(frame, PaintedLocator()) == []
