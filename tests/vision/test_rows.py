"""What a row of tiles tells about one that was found in part."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frames import Frame
from vision.reading import Face, Quad
from vision.rows import FEWEST, SURE, mended, walled

SEEN_FROM = {
    "above": [[60.0, 0.0, 40.0], [0.0, 80.0, 90.0], [0.0, 0.0, 1.0]],
    "a seat": [[70.0, -9.0, 50.0], [11.0, 62.0, 120.0], [0.012, -0.02, 1.0]],
    "the far side": [[-66.0, 8.0, 900.0], [-10.0, -75.0, 500.0], [0.008, 0.015, 1.0]],
}


def quad(corners: NDArray[np.float64], score: float = 0.6, *, is_round: bool = False, face: Face = "up") -> Quad:
    first = int(corners.sum(axis=1).argmin())
    a, b, c, d = ((float(x), float(y)) for x, y in np.roll(corners, -first, axis=0))
    return Quad((a, b, c, d), score, is_round, face)


def seen(x: float, y: float, width: float, height: float, place: str) -> NDArray[np.float64]:
    """The corners of a rectangle on the table, in tiles from the row's left end, as the camera sees it."""
    flat = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float64)
    return np.asarray(cv2.perspectiveTransform(flat[None], np.array(SEEN_FROM[place]))[0], np.float64)


def row(count: int, place: str = "above") -> list[Quad]:
    return [quad(seen(slot, 0, 1, 1, place)) for slot in range(count)]


def shaken(quads: list[Quad], by: float) -> list[Quad]:
    rng = np.random.default_rng(1)
    return [quad(np.array(one.corners) + rng.normal(0, by, (4, 2)), one.score) for one in quads]


def iou(a: Quad, b: Quad) -> float:
    one, other = (cv2.convexHull(np.array(each.corners, np.float32)) for each in (a, b))
    shared, _ = cv2.intersectConvexConvex(one, other)
    return float(shared / (cv2.contourArea(one) + cv2.contourArea(other) - shared))


@pytest.mark.parametrize("place", SEEN_FROM)
@pytest.mark.parametrize("part", [0, 4, 8])
@pytest.mark.parametrize("is_round", [False, True])
def test_a_tile_of_which_a_mark_was_found_is_as_large_as_its_row_has_it(place: str, part: int, is_round: bool) -> None:
    whole = shaken(row(9, place), 1.5)
    found = list(whole)
    found[part] = quad(seen(part + 0.1, 0.05, 0.8, 0.5, place), 0.5, is_round=is_round)
    told = mended(found)
    assert iou(found[part], whole[part]) < 0.5
    assert iou(told[part], whole[part]) > 0.85
    assert (told[part].score, told[part].round) == (0.5, False)
    assert [one for slot, one in enumerate(told) if slot != part] == [o for s, o in enumerate(whole) if s != part]
    x, y = np.array(told[part].corners).T
    assert int((x + y).argmin()) == 0  # the first corner stays nearest to the picture's top left


def test_a_row_is_followed_past_a_tile_that_was_not_found() -> None:
    whole = row(8)
    part = quad(seen(5.1, 0.05, 0.8, 0.5, "above"), 0.4)
    found = [*whole[:2], *whole[3:5], part, *whole[6:]]  # two tiles left of the gap and one right of the part
    assert iou(mended(found)[4], whole[5]) > 0.95


def test_the_order_of_the_quads_is_kept() -> None:
    whole = row(7)
    part = quad(seen(2.1, 0.1, 0.8, 0.5, "above"), 0.4)
    order = [4, 2, 6, 0, 1, 5, 3]
    told = mended([part if slot == 2 else whole[slot] for slot in order])
    for slot, one in zip(order, told, strict=True):
        assert iou(one, whole[slot]) > 0.95


@pytest.mark.parametrize(
    ("case", "stray"),
    [
        ("sure", quad(seen(3.1, 0.05, 0.8, 0.5, "above"), SURE + 0.01)),
        ("nearly whole", quad(seen(3.0, 0.0, 1.0, 0.8, "above"), 0.4)),
        ("set apart", quad(seen(7.8, 0.1, 0.8, 0.5, "above"), 0.4)),
        ("beside the row", quad(seen(3.0, 1.2, 0.8, 0.5, "above"), 0.4)),
        ("beyond a gap", quad(seen(8.1, 0.1, 0.8, 0.5, "above"), 0.4)),
    ],
)
def test_what_is_no_part_of_a_row_stays_as_it_is(case: str, stray: Quad) -> None:
    within = case in ("sure", "nearly whole")
    found = [one for slot, one in enumerate(row(7)) if slot != 3 or not within]
    assert mended([*found, stray]) == [*found, stray]


def test_too_few_tiles_tell_nothing() -> None:
    part = quad(seen(1.1, 0.05, 0.8, 0.5, "above"), 0.4)
    few = [row(FEWEST - 1)[0], part, row(FEWEST - 1)[2]]
    assert mended(few) == few
    assert mended([]) == []


def test_tiles_that_lie_as_they_like_tell_nothing_about_one_another() -> None:
    rng = np.random.default_rng(3)
    heap = [quad(seen(x, y, 1, 1, "above") + rng.normal(0, 14, (4, 2))) for x in range(4) for y in range(2)]
    heap[3] = quad(seen(1.1, 1.05, 0.8, 0.5, "above"), 0.4)
    assert mended(heap) == heap


def test_discs_make_no_rows() -> None:
    discs = [replace(one, round=True) for one in row(7)]
    discs[3] = quad(seen(3.1, 0.05, 0.8, 0.5, "above"), 0.4, is_round=True)
    assert mended(discs) == discs


TABLE, BACK = (90, 120, 60), (70, 140, 200)


def wall(count: int, faint: set[int], place: str = "above", face: Face = "down") -> tuple[list[Quad], list[Quad]]:
    """A row of backs: those that were found, and those that were but glimpsed."""
    backs = {slot: quad(seen(slot, 0, 1, 1, place), 0.5 + 0.01 * slot, face=face) for slot in range(count)}
    sure = [back for slot, back in backs.items() if slot not in faint]
    return sure, [replace(back, score=0.1) for slot, back in backs.items() if slot in faint]


def drawn(*walls: list[Quad]) -> Frame:
    """A table on which backs of those outlines lie."""
    image = np.full((600, 1000, 3), TABLE, np.uint8)
    for back in (one for each in walls for one in each):
        cv2.fillConvexPoly(image, np.round(np.array(back.corners)).astype(np.int32), BACK)
    return Frame(image, 1000, 600)


@pytest.mark.parametrize("place", SEEN_FROM)
@pytest.mark.parametrize("faint", [{5, 6, 7}, {0, 7}, {3}])
def test_a_wall_goes_on_where_it_was_but_glimpsed(place: str, faint: set[int]) -> None:
    sure, glimpsed = wall(8, faint, place)
    found = walled(sure, glimpsed, drawn(sure, glimpsed))
    assert found[: len(sure)] == sure
    least = min(one.score for one in sure)
    assert {*found[len(sure) :]} == {replace(back, score=least) for back in glimpsed}


@pytest.mark.parametrize("case", ["table", "beside", "beyond a gap", "faces", "few", "a glimpse of a face"])
def test_what_is_glimpsed_elsewhere_is_no_part_of_a_wall(case: str) -> None:
    sure, glimpsed = wall(FEWEST if case == "few" else 8, {1} if case == "few" else {6, 7})
    frame = drawn(sure) if case == "table" else drawn(sure, glimpsed)
    if case == "beside":
        glimpsed = [quad(seen(2.5, 1.2, 1, 1, "above"), 0.1, face="down")]
        frame = drawn(sure, glimpsed)
    if case == "beyond a gap":
        del glimpsed[0]
    if case == "faces":
        sure, glimpsed = wall(8, {6, 7}, face="up")
    if case == "a glimpse of a face":
        glimpsed = [replace(one, face="up") for one in glimpsed]
    assert walled(sure, glimpsed, frame) == sure
