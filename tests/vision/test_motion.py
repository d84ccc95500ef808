from __future__ import annotations

import cv2
import numpy as np
import pytest
from moving import SIZE, Lying, Table, arm, row

from vision.frames import Frame
from vision.motion import GROUND_AFTER, LONG_SIDE, Glance, Ground, Scenery, change_at, is_still, same_view

REST = np.zeros(2)


def glance(table: Table) -> Glance:
    return Glance.of(table.frame())


def scenery(table: Table, *found: int) -> Scenery:
    """What is seen of a table, those tiles of it found."""
    return Scenery.of(glance(table), (table.tiles[number].corners() for number in found))


def test_a_glance_is_small_and_knows_its_place() -> None:
    found = Glance.of(Frame(np.full((720, 1280, 3), 80, np.uint8), 2560, 1440, (100.0, 50.0), (2.0, 2.0)))
    assert found.grey.shape == (180, LONG_SIDE)
    assert found.grey.dtype == np.float32
    assert found.grey.mean() == pytest.approx(80, abs=1)
    assert found.places(np.array([100.0, 50.0])).tolist() == [0, 0]
    assert found.places(np.array([900.0, 850.0])).tolist() == [100, 100]
    small = Glance.of(Frame(np.zeros((40, 60, 3), np.uint8), 60, 40))
    assert small.grey.shape == (40, 60)


@pytest.mark.parametrize(("noise", "gain"), [(2.0, 1.0), (12.0, 1.0), (2.0, 1.15), (2.0, 0.85)])
def test_noise_and_light_are_no_change(noise: float, gain: float) -> None:
    table = Table(row("rR rH rC rP"), noise=noise)
    frame = table.frame()
    lit = Frame(np.clip(table.frame().image * gain, 0, 255).astype(np.uint8), *SIZE)
    assert is_still(Glance.of(frame), Glance.of(lit))


def test_a_tile_less_a_step_aside_and_another_face_are_changes() -> None:
    table = Table(row("rR rH rC rP"))
    before = glance(table)
    table.tiles[2].code = "rA"
    assert not is_still(before, glance(table))
    table.tiles[2].code = "rC"
    table.tiles[2].x += 4
    assert not is_still(before, glance(table))
    del table.tiles[2]
    assert not is_still(before, glance(table))


def test_another_part_of_the_picture_is_another_view() -> None:
    image = np.zeros((90, 160, 3), np.uint8)
    one, other = Glance.of(Frame(image, 320, 180)), Glance.of(Frame(image, 320, 180, (160.0, 0.0)))
    assert same_view(one, one)
    assert not same_view(one, other)
    assert not is_still(one, other)
    assert not same_view(one, Glance.of(Frame(image[:80], 320, 180)))


def test_a_tile_at_rest_has_its_marks() -> None:
    table = Table(row("rR rH rC rP"), noise=6.0)
    change = change_at(scenery(table), scenery(table), table.tiles[1].corners(), REST)
    assert change.marks > 0.95
    assert change.around < 0.05


def test_a_bare_place_has_lost_its_marks_but_not_its_ground() -> None:
    table = Table(row("rR rH rC rP"))
    before, gone = scenery(table), table.tiles.pop(1)
    change = change_at(before, scenery(table), gone.corners(), REST)
    assert change.marks < 0.2
    assert change.around < 0.3
    assert change.ground < 0.5


def test_a_covered_place_has_lost_both() -> None:
    table = Table(row("rR rH rC rP"))
    before = scenery(table)
    table.arm = arm(60.0, 90.0)
    change = change_at(before, scenery(table), table.tiles[1].corners(), REST)
    assert change.marks < 0.2
    assert change.around > 0.7


def test_tiles_that_came_beside_are_no_change_of_the_ground() -> None:
    table = Table(row("rR rH"))
    before = scenery(table)
    table.tiles += row("rC rP rA", x=128.0)
    corners = table.tiles[1].corners()
    assert change_at(before, scenery(table), corners, REST).around > 0.15
    tiles = scenery(table, 0, 1, 2, 3, 4).tiles
    assert tiles[int(table.tiles[2].y / 2), int(table.tiles[2].x / 2)]
    assert not tiles[10, 10]
    assert change_at(before, scenery(table, 0, 1, 2, 3, 4), corners, REST).around < 0.05
    everywhere = change_at(before, Scenery(glance(table), ~before.tiles, before.known), corners, REST)
    assert (everywhere.around, everywhere.under) == (0, 1)
    assert change_at(before, scenery(table, 2, 3, 4), corners, REST).under < 0.2


def test_tiles_that_have_left_are_no_change_of_the_ground() -> None:
    table = Table(row("rR rH rC"))
    blind, before = scenery(table), scenery(table, 0, 1, 2)
    corners = table.tiles[1].corners()
    table.tiles = []
    assert change_at(blind, scenery(table), corners, REST).around > 0.3
    change = change_at(before, scenery(table), corners, REST)
    assert change.around < 0.05
    assert change.ground < 0.5


def test_half_a_tile_keeps_half_its_marks() -> None:
    table = Table(row("rR rH rC rP"))
    before = scenery(table)
    table.arm = arm(94.0, 90.0)
    change = change_at(before, scenery(table), table.tiles[1].corners(), REST)
    assert 0.3 < change.marks < 0.7


def test_a_narrow_arm_is_no_ground() -> None:
    table = Table(row("rR"))
    before, tile = scenery(table), table.tiles[0]
    table.arm = arm(tile.x - 18, 36.0, 215.0)
    change = change_at(before, scenery(table), tile.corners(), REST)
    assert change.marks < 0.25
    assert 0.2 < change.around < 0.8
    assert change.ground > 1


def test_a_picture_that_moved_is_compared_where_it_went() -> None:
    table = Table(row("rR rH rC rP"))
    before = scenery(table)
    table.camera = (40.0, -20.0)
    corners = table.tiles[1].corners()
    assert change_at(before, scenery(table), corners, REST).marks < 0.6
    assert change_at(before, scenery(table), corners, np.array(table.camera)).marks > 0.9


def test_what_has_left_the_picture_has_changed() -> None:
    table = Table(row("rR rH rC rP"))
    before = scenery(table)
    corners = table.tiles[1].corners()
    gone = change_at(before, before, corners, np.array([-900.0, 0.0]))
    assert (gone.marks, gone.around) == (0, 1)
    outside = change_at(before, before, corners - 2000, REST)
    assert (outside.marks, outside.around) == (0, 1)


def test_a_tile_without_marks_is_there_while_nothing_changes() -> None:
    plain, dark = (Scenery.of(Glance.of(Frame(np.full((90, 160, 3), level, np.uint8), 160, 90))) for level in (90, 20))
    corners = np.array([[40.0, 40], [60, 40], [60, 70], [40, 70]])
    assert change_at(plain, plain, corners, REST).marks == 1
    assert change_at(plain, dark, corners, REST).marks == 0


def test_the_ground_in_the_square_around_a_disc_is_no_mark_of_it() -> None:
    ground = np.full((180, 320, 3), 60, np.uint8)
    laid = ground.copy()
    cv2.circle(laid, (100, 90), 20, (220, 220, 220), -1)
    before, now = (Scenery.of(Glance.of(Frame(image, 320, 180))) for image in (laid, ground))
    square = np.array([[79.0, 69], [121, 69], [121, 111], [79, 111]])
    assert change_at(before, now, square, REST, disc=True).marks < 0.15
    assert change_at(before, now, square, REST).marks > 0.5
    assert change_at(before, now, square, REST, disc=True).around < 0.1
    assert change_at(before, before, square, REST, disc=True).marks == 1


def seen_ground(table: Table, seconds: float) -> Ground:
    """What is known of a table after so many seconds of looking at it, four times a second."""
    ground, before = Ground.unseen(glance(table)), glance(table)
    for step in range(round(4 * seconds) + 1):
        now = scenery(table, *range(len(table.tiles)))
        ground = ground.after(before, now, (), step / 4)
        before = now.glance
    return ground


def test_the_bare_table_is_known_once_it_has_lain_open_for_a_while() -> None:
    table = Table(row("rR rH"))
    place = Lying(300.0, 100.0, "rC").corners()
    assert not seen_ground(table, GROUND_AFTER / 2).shows_at(glance(table), place)
    ground = seen_ground(table, 1.5 * GROUND_AFTER)
    assert ground.shows_at(glance(table), place)
    assert ground.shows_at(glance(table), place, disc=True)
    assert not ground.shows_at(glance(table), table.tiles[0].corners())
    table.tiles.append(Lying(300.0, 100.0, "rC"))
    assert not ground.shows_at(glance(table), place)
    table.tiles.pop()
    table.arm = arm(280.0, reach=50.0)
    assert not ground.shows_at(glance(table), place)


def test_what_lies_for_a_moment_is_not_the_table() -> None:
    table = Table(row("rR rH"))
    place = Lying(300.0, 250.0, "rC").corners()
    ground, before = seen_ground(table, 2 * GROUND_AFTER), glance(table)
    table.arm = arm(270.0)
    for step in range(3):
        now = scenery(table, 0, 1)
        ground = ground.after(before, now, (), 2 * GROUND_AFTER + step * GROUND_AFTER / 4)
        before = now.glance
    assert not ground.shows_at(glance(table), place)
    table.arm = None
    assert ground.shows_at(glance(table), place)


def test_a_place_beneath_a_tile_is_not_bare_though_the_locator_misses_it() -> None:
    table = Table(row("rR rH"))
    ground, now = Ground.unseen(glance(table)), scenery(table, 0)
    for step in range(8):
        ground = ground.after(now.glance, now, [table.tiles[1].corners()], step / 2)
    assert ground.shows_at(now.glance, Lying(300.0, 100.0, "rC").corners())
    assert not ground.shows_at(now.glance, table.tiles[1].corners())
