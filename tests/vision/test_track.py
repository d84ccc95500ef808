"""Tiles followed over frames: identity, names, what covers them, the lock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from moving import HEIGHT, SIZE, WIDTH, Film, Lying, Table, arm, row
from numpy.typing import NDArray

import hupai
import models
from scoring import rule_set
from vision.followed import COVERED_FOR, MAX_VOTES, MIN_VOTES, PASSING_FOR, UNCLEAR_FOR
from vision.frames import Frame, decode
from vision.hand import Assembly, HandShape, assemble
from vision.reading import MeldReading, Sighting
from vision.track import LOCK_AFTER, NAMES_A_FRAME, Tracker, View, tracker

SHAPE = HandShape.of(rule_set("xiangqi-3"))


def hand() -> list[Lying]:
    """Seven concealed tiles in a row and the winning tile apart."""
    return [*row("rR rH rC rP bR bH bC"), Lying(360.0, 250.0, "rP")]


def ids(view: View) -> dict[int | None, str | None]:
    """What each track is called."""
    return {track.id: track.sighting.code for track in view.tracks}


def codes(view: View) -> list[str | None]:
    return [track.sighting.code for track in view.tracks]


def overlap(one: Lying, other: Lying) -> float:
    """The share of one tile that another lies upon."""
    across = max(0.0, 1 - abs(one.x - other.x) / WIDTH)
    return across * max(0.0, 1 - abs(one.y - other.y) / HEIGHT)


def settled(table: Table, shape: HandShape | None = SHAPE) -> tuple[Film, View]:
    """A film of a table that has just been locked."""
    film = Film(table, shape)
    view = film.run(1.5)[-1]
    assert view.locked
    return film, view


def test_a_table_at_rest_is_read_and_locked() -> None:
    views = Film(Table(hand()), SHAPE).run(2.0)
    assert codes(views[5]) == ["rR", "rH", "rC", "rP", "bR", "bH", "bC", "rP"]
    assert views[5].hand.win == 7
    assert next(n for n, view in enumerate(views) if view.locked) <= 10
    last = views[-1]
    assert [track.id for track in last.tracks] == list(range(8))
    assert all(track.locked and not track.covered for track in last.tracks)
    assert last.tracks[0].age == pytest.approx(1.9)


def test_a_frame_in_which_nothing_changes_asks_no_network() -> None:
    table = Table(hand())
    views = Film(table, SHAPE).run(3.0)
    assert sorted(set(table.named)) == list(range(8))
    assert len(table.named) == 8 * MIN_VOTES
    # Twice at first, then once a second.
    assert table.located == sum(view.located for view in views) <= 5
    assert not any(view.named for view in views[8:])


def test_a_lamp_that_flickers_is_no_change() -> None:
    table = Table(hand())
    film, _ = settled(table)
    before = table.located
    for gain in (1.1, 0.92, 1.08):
        film.now += 0.1
        frame = table.frame()
        lit = np.clip(frame.image * gain, 0, 255).astype(np.uint8)
        film.tracker.update(replace(frame, image=lit), film.now)
    assert table.located == before


def test_few_tiles_are_named_a_frame() -> None:
    table = Table([*row("rR rH rC rP bR bH bC"), *row("rA rE rK bA bE bK bP", y=120.0)])
    views = Film(table).run(2.0)
    assert max(view.named for view in views) == NAMES_A_FRAME
    assert codes(views[-1]) == ["rA", "rE", "rK", "bA", "bE", "bK", "bP", "rR", "rH", "rC", "rP", "bR", "bH", "bC"]


def test_names_are_voted_over_frames() -> None:
    table = Table(hand(), misread={2: [("rH", 0.55), ("rC", 0.45)]})
    film = Film(table, SHAPE)
    assert codes(film.run(0.4)[-1])[2] == "rH"
    table.misread[2] = [("rC", 0.8), ("rH", 0.2)]
    view = film.run(1.5)[-1]
    assert codes(view)[2] == "rC"
    # The doubt is worth more looks, but not for ever.
    assert MIN_VOTES < table.named.count(2) <= MAX_VOTES
    assert table.named.count(1) == MIN_VOTES


def test_doubt_that_stays_is_not_asked_about_for_ever() -> None:
    table = Table(hand(), misread={2: [("rC", 0.52), ("rH", 0.48)]})
    view = Film(table, SHAPE).run(4.0)[-1]
    assert table.named.count(2) == MAX_VOTES
    assert view.locked
    assert view.tracks[2].sighting.alternatives[1][0] == "rH"
    assert view.tracks[2].sighting.alternatives[1][1] > 0.2


def test_backs_have_no_name() -> None:
    view = Film(Table(row("- rH - rP"))).run(1.0)[-1]
    assert codes(view) == [None, "rH", None, "rP"]
    assert [track.sighting.quad.face for track in view.tracks] == ["down", "up", "down", "up"]


@pytest.mark.parametrize("rest", [0.5, 4.0])
def test_an_arm_does_not_make_tiles_vanish(rest: float) -> None:
    table = Table(hand())
    film, before = settled(table)
    views = []
    for reach in (320.0, 280.0, 240.0, 200.0):
        table.arm = arm(100.0, reach=reach)
        views.append(film.one())
    views += film.run(rest)
    covered = [track.id for track in views[-1].tracks if track.covered]
    assert covered == [2, 3]
    for reach in (240.0, 300.0):
        table.arm = arm(100.0, reach=reach)
        views.append(film.one())
    table.arm = None
    views += film.run(1.0)
    assert all(ids(view) == ids(before) for view in views)
    assert all(view.locked for view in views)
    assert all(view.hand == before.hand for view in views)
    assert not any(track.covered for track in views[-1].tracks)


def test_a_sleeve_of_the_colour_of_the_table_does_not_make_a_tile_vanish() -> None:
    table = Table(hand())
    film, before = settled(table)
    tile = table.tiles[7]
    table.arm = arm(tile.x - 1.5 * WIDTH, 1.5 * WIDTH, tile.y - HEIGHT)
    table.sleeve = arm(tile.x - 0.6 * WIDTH, 1.2 * WIDTH, tile.y - 0.6 * HEIGHT)
    view = film.run(2.0)[-1]
    assert ids(view) == ids(before)
    assert [track.id for track in view.tracks if track.covered] == [7]
    table.arm = table.sleeve = None
    assert ids(film.run(1.0)[-1]) == ids(before)


def test_an_arm_that_sweeps_over_the_table_is_no_change() -> None:
    table = Table(hand())
    film, before = settled(table)
    for x in range(-80, 420, 25):
        table.arm = arm(float(x))
        view = film.one()
        assert view.locked
        assert ids(view) == ids(before)
    table.arm = None
    assert film.run(1.0)[-1].locked


def test_what_is_covered_for_too_long_is_given_up() -> None:
    table = Table(hand())
    film, _ = settled(table)
    table.arm = arm(100.0)
    assert len(film.run(COVERED_FOR - 1)[-1].tracks) == 8
    view = film.run(3.0)[-1]
    assert sorted(ids(view)) == [0, 1, 4, 5, 6, 7]


def test_what_was_on_its_way_is_not_looked_for_beneath_an_arm_for_long() -> None:
    table = Table(hand())
    film, before = settled(table)
    pushed = table.tiles[7]
    pushed.x += 0.6 * WIDTH
    film.one()
    table.arm = arm(pushed.x - 1.5 * WIDTH, 3 * WIDTH, pushed.y - HEIGHT)
    assert ids(film.run(PASSING_FOR - 0.2)[-1]) == ids(before)
    assert sorted(ids(film.run(0.6)[-1])) == list(range(7))
    table.arm = None
    assert ids(film.run(1.5)[-1]) == ids(before)


def test_what_is_no_more_what_it_was_and_not_covered_is_given_up() -> None:
    table = Table(hand())
    film, before = settled(table)
    table.blind, table.tiles[7].code = {7}, "bE"
    assert ids(film.run(UNCLEAR_FOR - 1)[-1]) == ids(before)
    assert sorted(ids(film.run(2.0)[-1])) == list(range(7))


def test_what_the_locator_misses_still_lies_there() -> None:
    table = Table(hand())
    film, before = settled(table)
    table.blind = {1, 5}
    table.camera = (0.4, 0.0)
    for view in film.run(4.0):
        assert ids(view) == ids(before)
        assert not any(track.covered for track in view.tracks)
        assert view.locked


def test_what_is_rarely_found_and_never_clear_is_print_on_the_table() -> None:
    table = Table(hand(), misread={7: [("rP", 0.5), ("rK", 0.45)]})
    film, before = settled(table)
    assert len(before.tracks) == 8
    views = []
    for step in range(30):
        table.blind = {7} if step % 3 else set()
        table.camera = (0.0, 6.0 * (step % 2))
        views.append(film.one())
    assert sorted(ids(views[-1])) == list(range(7))
    table.blind = set()
    table.misread = {}
    for step in range(30):
        table.camera = (0.0, 6.0 * (step % 2))
        view = film.one()
    assert ids(view) == {**ids(before), 7: "rP"}


def test_a_tile_that_is_taken_away_is_gone_and_unlocks_the_hand() -> None:
    table = Table(hand())
    film, before = settled(table)
    del table.tiles[7]
    views = film.run(1.0)
    assert sorted(ids(views[-1])) == list(range(7))
    first = next(n for n, view in enumerate(views) if len(view.tracks) == 7)
    assert not views[first].locked
    assert views[first].hand != before.hand
    assert film.run(LOCK_AFTER + 0.2)[-1].locked


def test_the_whole_row_is_swept_away() -> None:
    table = Table(hand())
    film, _ = settled(table)
    table.tiles = []
    view = film.run(1.2)[-1]
    assert view.tracks == ()
    assert not view.locked


def test_a_tile_that_was_changed_under_the_hand_gets_its_new_name() -> None:
    table = Table(hand())
    film, _ = settled(table)
    table.arm = arm(120.0)
    film.run(0.5)
    table.tiles[3].code = "rA"
    assert all(view.locked and codes(view)[3] == "rP" for view in film.run(0.5))
    table.arm = None
    views = film.run(2.0)
    changed = next(n for n, view in enumerate(views) if codes(view)[3] == "rA")
    assert all(view.locked and codes(view)[3] == "rP" for view in views[:changed])
    assert not views[changed].locked
    assert views[-1].locked


def test_a_tile_that_is_turned_over_gets_its_name() -> None:
    table = Table(row("rR - rC"))
    film, before = settled(table, None)
    assert codes(before) == ["rR", None, "rC"]
    table.tiles[1].code = "rH"
    assert codes(film.run(1.0)[-1]) == ["rR", "rH", "rC"]


def test_a_misread_after_a_hand_passed_over_changes_nothing() -> None:
    table = Table(hand())
    film, before = settled(table)
    table.arm = arm(120.0)
    film.run(0.5)
    table.arm, table.misread = None, {3: [("rA", 0.6), ("rP", 0.4)]}
    asked = table.named.count(3)
    for view in film.run(3.0):
        assert view.locked
        assert ids(view) == ids(before)
    assert asked < table.named.count(3) <= asked + MAX_VOTES


def test_a_tile_that_slides_keeps_its_identity() -> None:
    table = Table([*row("rR rH rC rP bR bH bC"), Lying(60.0, 120.0, "rP")])
    film, before = settled(table)
    (moving,) = (track.id for track in before.tracks if track.sighting.quad.corners[0][1] < 150)
    asked = len(table.named)
    for _ in range(25):
        table.tiles[7].x += 12
        film.one()
    table.tiles[7].y = 140.0
    view = film.run(2.0)[-1]
    (track,) = (track for track in view.tracks if track.id == moving)
    assert track.sighting.quad.corners[0][0] > 300
    assert view.locked
    assert set(table.named[asked:]) == {7}
    assert sorted(ids(view)) == list(range(8))


def test_two_tiles_that_change_places_stay_who_they_are() -> None:
    table = Table(hand())
    film, before = settled(table)
    start, end = table.tiles[1].x, table.tiles[5].x
    for step in np.linspace(0, 1, 14):
        table.tiles[1].x, table.tiles[1].y = start + step * (end - start), 250 - 60 * np.sin(np.pi * step)
        table.tiles[5].x, table.tiles[5].y = end - step * (end - start), 250 + 60 * np.sin(np.pi * step)
        film.one()
    view = film.run(2.0)[-1]
    assert ids(view) == ids(before)
    assert [track.id for track in view.tracks] == [0, 5, 2, 3, 4, 1, 6, 7]


@pytest.mark.parametrize(("seconds", "way"), [(0.7, (170.0, 60.0)), (0.5, (-110.0, 60.0))])
def test_a_tile_passes_over_its_likes(seconds: float, way: tuple[float, float]) -> None:
    """It hides those that it passes over, and for a moment lies just where one of them does."""
    table = Table(row("rP rP rP rP rP rP rP rP", x=160.0))
    film, before = settled(table, None)
    tile = table.tiles[3]
    x, y = tile.x, tile.y
    table.tiles.append(table.tiles.pop(3))  # it is on top
    for step in range(1, round(10 * seconds) + 1):
        share = step / round(10 * seconds)
        share = share * share * (3 - 2 * share)
        tile.x, tile.y = x + share * way[0], y - share * way[1]
        table.blind = {n for n, other in enumerate(table.tiles[:-1]) if overlap(other, tile) > 0.4}
        film.one()
    table.blind = set()
    view = film.run(1.5)[-1]
    assert set(ids(view)) == set(ids(before))
    places = {track.id: np.mean(track.sighting.quad.corners, axis=0) for track in view.tracks}
    was = {track.id: np.mean(track.sighting.quad.corners, axis=0) for track in before.tracks}
    assert {id for id in places if np.hypot(*(places[id] - was[id])) > 5} == {3}
    assert places[3] == pytest.approx(np.array([tile.x, tile.y]), abs=3)


def test_an_arm_that_hides_part_of_a_tile_does_not_carry_it_away() -> None:
    """The locator finds what is left of a tile, which is no motion: then it is under the arm, and not in a hand."""
    table = Table(hand())
    film, before = settled(table)
    whole = table.tiles[6]
    table.blind = {6}
    for hidden in (0.3, 0.45, 0.6, 0.75):
        table.extra = [table.quad(Lying(whole.x - hidden * WIDTH / 2, whole.y, whole.code), width=1 - hidden)]
        table.arm = arm(whole.x + WIDTH / 2 - hidden * WIDTH, 100.0)
        assert ids(film.one()) == ids(before)
    table.extra, table.arm = [], arm(whole.x - WIDTH, 100.0)
    views = film.run(2.0)
    assert all(ids(view) == ids(before) for view in views)
    assert next(track for track in views[-1].tracks if track.id == 6).covered
    table.arm, table.blind = None, set()
    view = film.run(1.0)[-1]
    assert ids(view) == ids(before)
    assert not any(track.covered for track in view.tracks)


def test_a_tile_that_was_carried_away_is_known_where_it_is_laid_down() -> None:
    table = Table(hand())
    film, before = settled(table)
    carried = table.tiles.pop(6)
    views = film.run(1.5)
    assert 6 not in ids(views[-1])
    carried.x, carried.y = 500.0, 100.0
    table.tiles.append(carried)
    view = film.run(1.5)[-1]
    assert ids(view) == ids(before)


def test_another_tile_gets_an_id_of_its_own() -> None:
    table = Table(hand())
    film, _ = settled(table)
    del table.tiles[6]
    film.run(1.0)
    table.tiles.append(Lying(500.0, 100.0, "rK"))
    view = film.run(1.0)[-1]
    assert ids(view)[8] == "rK"
    assert 6 not in ids(view)


def test_the_winning_tile_unlocks_the_hand_and_the_win_is_locked() -> None:
    table = Table(row("rR rH rC rP bR bH bC"))
    film, before = settled(table)
    assert before.hand.win_is_guess
    table.tiles.append(Lying(360.0, 250.0, "rP"))
    views = film.run(1.5)
    assert any(not view.locked for view in views)
    assert views[-1].locked
    assert codes(views[-1])[views[-1].hand.win or 0] == "rP"
    assert not views[-1].hand.win_is_guess


def test_what_happens_beside_the_hand_does_not_unlock_it() -> None:
    table = Table([*hand(), Lying(500.0, 60.0, None)])
    film, before = settled(table)
    assert [track.locked for track in before.tracks].count(False) == 1
    table.tiles.append(Lying(560.0, 60.0, None))
    for step in range(15):
        table.tiles[8].x -= 8 if step < 10 else 0
        assert film.one().locked
    assert len(film.run(0.5)[-1].tracks) == 10


@pytest.mark.parametrize("way", [(9.0, 2.0), (-3.0, 3.0), (25.0, -5.0)])
def test_a_camera_that_moves_changes_nothing(way: tuple[float, float]) -> None:
    table = Table(hand())
    film, before = settled(table)
    asked = len(table.named)
    for step in range(1, 10):
        table.camera = (way[0] * step, way[1] * step)
        view = film.one()
        assert view.located
        assert view.locked
        assert ids(view) == ids(before)
        shown = np.mean(view.tracks[0].sighting.quad.corners, axis=0)
        assert np.abs(shown - (60 + table.camera[0], 250 + table.camera[1])).max() < 4
    assert len(table.named) == asked


def test_outlines_do_not_tremble() -> None:
    table = Table(hand())
    film, before = settled(table)
    rng = np.random.default_rng(3)
    for _ in range(20):
        table.camera = tuple(rng.normal(0, 0.4, 2))
        table.noise = 12.0
        view = film.one()
        assert [track.sighting.quad.corners for track in view.tracks] == [
            track.sighting.quad.corners for track in before.tracks
        ]


def test_an_outline_that_leaps_about_a_tile_at_rest_is_no_motion() -> None:
    table = Table(hand())
    film, before = settled(table)
    # The locator takes the edges of a neighbour for the tile's own, then its own again, surely and less surely.
    table.blind = {2}
    tile = table.tiles[2]
    for step in range(20):
        leap = Lying(tile.x + (0.35 * WIDTH if step % 2 else 0.0), tile.y, tile.code)
        table.extra = [replace(table.quad(leap), score=0.6 if step % 2 else 0.9)]
        table.tiles[7].y = 250.0 - 40.0 * (step % 3)  # something moves elsewhere, so that the locator looks
        view = film.one()
        mine = next(track for track in view.tracks if track.id == before.tracks[2].id)
        assert mine.sighting.code == "rC"
        assert mine.sighting.quad.corners == before.tracks[2].sighting.quad.corners
    table.tiles[7].y = 250.0
    table.extra = [table.quad(tile)]
    assert film.run(LOCK_AFTER + 0.5)[-1].locked


def test_a_part_beside_a_tile_that_passes_does_not_carry_the_tile_away() -> None:
    table = Table(row("rR rH rC rP bR"))
    film, before = settled(table, None)
    mover, still = table.tiles[0], table.tiles[1]
    table.blind = {1}
    for _ in range(4):
        mover.x += 0.25 * WIDTH
        # What the passing tile leaves of the other one, on its far side.
        left = max(still.x - WIDTH / 2, mover.x + WIDTH / 2)
        share = (still.x + WIDTH / 2 - left) / WIDTH
        part = Lying(left + share * WIDTH / 2, still.y, still.code)
        table.extra = [table.quad(part, width=share)]
        view = film.one()
        assert [track.id for track in view.tracks if track.sighting.code == "rH"] == [before.tracks[1].id]
        assert len(view.tracks) == 5


def test_a_find_that_lasts_a_moment_is_never_shown() -> None:
    table = Table(hand())
    film, before = settled(table)
    ghost = table.quad(Lying(500.0, 100.0, "rK"))
    for step in range(12):
        table.extra = [ghost] if step % 4 == 0 else []
        table.arm = arm(430.0 + 3 * step)
        view = film.one()
        assert ids(view) == ids(before)
        assert view.locked


def test_a_glimpse_is_no_new_tile() -> None:
    table = Table([*hand(), Lying(500.0, 100.0, "rK")], doubtful={8})
    views = Film(table, SHAPE).run(3.0)
    assert all(len(view.tracks) in (0, 8) for view in views)
    assert 8 not in table.named


def test_a_tile_on_its_way_is_followed_by_glimpses() -> None:
    table = Table(row("rP rR rP rH rC"))
    film, before = settled(table, None)
    mover = table.tiles.pop(0)
    table.tiles.append(mover)  # it is on top
    for step in range(9):
        mover.x += 0.4 * WIDTH
        mover.y -= 0.05 * WIDTH
        table.doubtful = {4} if step >= 2 else set()
        table.blind = {n for n, other in enumerate(table.tiles[:-1]) if overlap(other, mover) > 0.3}
        where = {track.id: np.mean(track.sighting.quad.corners, axis=0) for track in film.one().tracks}
        assert where[before.tracks[0].id] == pytest.approx(np.array([mover.x, mover.y]), abs=3)
    table.doubtful, table.blind = set(), set()
    assert ids(film.run(1.0)[-1]) == ids(before)


def test_where_all_is_lost_from_sight_for_a_moment_a_tile_on_its_way_is_not_forgotten() -> None:
    table = Table(row("rP rR rP rH rC"))
    film, before = settled(table, None)
    mover = table.tiles[0]
    for blind in (set(), set(), {*range(5)}, set()):
        mover.y += 0.4 * HEIGHT
        table.blind = blind
        film.one()
    assert ids(film.run(1.5)[-1]) == ids(before)


def test_a_tile_lost_on_its_way_is_known_where_it_comes_to_rest() -> None:
    table = Table(row("rP rR rP rH rC"))
    film, before = settled(table, None)
    mover = table.tiles[0]
    for step in (0.4, 0.4, 0.4, -0.2):  # the last time it is found too far back
        mover.y += step * HEIGHT
        film.one()
    table.blind, table.arm = {0}, arm(mover.x - WIDTH, 2 * WIDTH, mover.y - HEIGHT)
    film.one()
    mover.x += 2 * WIDTH
    film.one()
    table.blind = set()
    mover.x += 1.2 * WIDTH
    views = film.run(1.5)
    assert all(ids(view) == ids(before) for view in views)
    assert next(n for n, view in enumerate(views) if view.locked) <= 10


def test_a_glimpse_of_a_tile_that_lies_still_is_no_tile_on_its_way() -> None:
    table = Table(row("rP rR rH rP rC"))
    film, before = settled(table, None)
    mover = table.tiles[0]
    for _ in range(4):
        mover.y -= 0.3 * WIDTH
        mover.x += 0.6 * WIDTH
        film.one()
    # It is lost from sight a tile away from its like, which is but glimpsed.
    table.blind, table.doubtful = {0}, {3}
    mover.x += 0.6 * WIDTH
    for view in film.run(0.5):
        where = {track.id: np.mean(track.sighting.quad.corners, axis=0) for track in view.tracks}
        assert where[before.tracks[3].id] == pytest.approx([table.tiles[3].x, table.tiles[3].y], abs=3)
        near = [id for id, place in where.items() if np.hypot(*(place - (table.tiles[3].x, table.tiles[3].y))) < 5]
        assert near == [before.tracks[3].id]


def test_what_creeps_over_a_tile_leaves_it_who_it_is() -> None:
    """Little by little its face becomes another; what shows when it lies bare again is the tile as it was laid."""
    table = Table(hand())
    film, before = settled(table)
    whole = table.tiles[6]
    edge = whole.x + WIDTH / 2
    for share in np.arange(0.02, 0.6, 0.02):
        table.arm = arm(edge - share * WIDTH, 60.0)
        table.blind = {6}
        table.extra = [table.quad(Lying(whole.x - share * WIDTH / 2, whole.y, whole.code), width=1 - share)]
        film.one()
    table.arm, table.blind, table.extra = None, set(), []
    views = film.run(1.5)
    assert ids(views[0]) == ids(before)
    assert ids(views[-1]) == ids(before)
    assert views[-1].locked


def test_a_face_that_looks_otherwise_as_it_is_lifted_is_the_same_tile() -> None:
    table = Table(hand())
    film, before = settled(table)
    lifted = table.tiles[7]
    lifted.x, lifted.y, lifted.code = lifted.x + 0.5 * WIDTH, lifted.y - 0.1 * WIDTH, "bK"  # to the eye of the moment
    (track,) = (track for track in film.one().tracks if track.id == before.tracks[7].id)
    assert np.mean(track.sighting.quad.corners, axis=0) == pytest.approx([lifted.x, lifted.y], abs=3)
    lifted.code = "rP"
    assert ids(film.run(1.0)[-1]) == ids(before)


def test_what_the_namer_takes_for_no_tile_is_never_shown() -> None:
    table = Table(hand())
    table.extra = [table.quad(Lying(500.0, 100.0, "rK"))]
    views = Film(table, SHAPE).run(3.0)
    assert all(len(view.tracks) in (0, 8) for view in views)
    assert views[-1].locked


def test_a_part_of_a_tile_does_not_bend_its_outline() -> None:
    table = Table(hand())
    film, before = settled(table)
    table.arm = arm(100.0, 30.0, 250.0)
    table.blind = {1}
    table.extra = [table.quad(table.tiles[1], grown=0.75)]
    for view in film.run(1.0):
        assert view.locked
        assert view.tracks[1].sighting.quad.corners == before.tracks[1].sighting.quad.corners


def test_a_part_that_was_found_first_gives_way_to_the_whole() -> None:
    table = Table(hand())
    table.blind, table.extra = {1}, [table.quad(table.tiles[1], grown=0.75)]
    film = Film(table, SHAPE)
    film.run(1.0)
    table.blind, table.extra, table.camera = set(), [], (3.0, 0.0)
    view = film.run(1.5)[-1]
    quad = next(track.sighting.quad for track in view.tracks if track.sighting.code == "rH")
    assert quad.corners[1][0] - quad.corners[0][0] == pytest.approx(32, abs=1)


def test_backs_that_are_rarely_found_are_print_on_the_table() -> None:
    """The namer tells a back from a face, not from the table: sure votes for one say nothing."""
    ghost = 8
    table = Table([*hand(), Lying(500.0, 60.0, None)])
    film, before = settled(table)
    assert ghost in ids(before)
    for step in range(30):
        table.blind = {ghost} if step % 3 else set()
        table.camera = (0.0, 6.0 * (step % 2))
        view = film.one()
    assert sorted(ids(view)) == list(range(ghost))
    assert view.locked


def test_a_part_of_a_covered_tile_is_no_other_one() -> None:
    """An arm lies on a tile, and the locator takes what shows of it and its neighbours for a tile across them."""
    table = Table(hand())
    film, before = settled(table)
    covered = table.tiles[3]
    table.arm = arm(covered.x - WIDTH / 2, WIDTH, covered.y - 5.0)
    table.blind = {3}
    table.extra = [table.quad(Lying(covered.x, covered.y - 16.0, None), grown=0.8, width=1.6)]
    table.misread = {3: [("rA", 0.5), ("rP", 0.45)]}
    for view in film.run(3.0):
        assert ids(view) == ids(before)
        assert view.locked
    table.arm, table.blind, table.extra, table.misread = None, set(), [], {}
    view = film.run(1.5)[-1]
    assert ids(view) == ids(before)


def test_what_is_laid_beside_a_tile_covers_nothing_of_it() -> None:
    """The locator draws a tile smaller since another thing lies beside it; all its marks show."""
    table = Table(hand())
    film, _ = settled(table)
    last = table.tiles[6]
    table.arm = arm(last.x + 0.62 * WIDTH, 20.0, last.y - HEIGHT)
    table.blind = {6}
    table.extra = [table.quad(last, grown=0.8)]
    view = film.run(1.2)[-1]
    assert view.locked
    quad = next(track.sighting.quad for track in view.tracks if track.id == 6)
    assert quad.size == pytest.approx(0.8 * np.sqrt(WIDTH * HEIGHT), abs=1)


def test_a_tile_that_was_found_in_part_leaves_the_bare_table() -> None:
    """All that lay around the part was the tile's own: what the table looked like before it came tells that it left."""
    table = Table(hand()[:7])
    film = Film(table, SHAPE)
    film.run(2.5)
    table.tiles.append(Lying(360.0, 250.0, "rP"))
    film.run(1.5)
    table.blind, table.extra = {7}, [table.quad(table.tiles[7], grown=0.6)]
    table.camera = (0.0, 2.0)
    assert 7 in ids(film.run(1.0)[-1])
    del table.tiles[7]
    table.extra = []
    assert sorted(ids(film.run(1.0)[-1])) == list(range(7))


def test_a_name_that_a_part_was_given_is_asked_for_again() -> None:
    table = Table(hand(), misread={7: [("rA", 0.7), ("rP", 0.3)]})
    table.blind, table.extra = {7}, [table.quad(table.tiles[7], grown=0.7)]
    film = Film(table, SHAPE)
    assert codes(film.run(2.0)[-1]).count("rA") == 1
    table.blind, table.extra, table.misread = set(), [], {}
    table.camera = (0.0, 2.0)
    assert codes(film.run(2.0)[-1]).count("rA") == 0


def test_without_rules_all_tiles_are_locked_together() -> None:
    table = Table(hand())
    film, view = settled(table, None)
    assert view.hand.concealed == ()
    assert all(track.locked for track in view.tracks)
    table.tiles.append(Lying(500.0, 60.0, "rK"))
    assert not all(view.locked for view in film.run(1.0))


def test_an_empty_table_has_no_lock() -> None:
    for view in Film(Table([]), SHAPE).run(1.5):
        assert (view.tracks, view.locked, view.hand.win) == ((), False, None)


def test_a_frame_of_another_size_begins_anew() -> None:
    table = Table(hand())
    film, view = settled(table)
    frame = table.frame()
    larger = Frame(np.asarray(cv2.resize(frame.image, None, fx=2, fy=2)), 2 * SIZE[0], 2 * SIZE[1])
    view = film.tracker.update(larger, film.now + 0.1)
    assert (view.tracks, view.locked, view.width) == ((), False, 2 * SIZE[0])


def test_forgetting_begins_anew_and_gives_no_id_twice() -> None:
    table = Table(hand())
    film, _ = settled(table)
    film.tracker.forget()
    assert film.one().tracks == ()
    assert min(ids(film.run(1.0)[-1])) >= 8


def test_a_view_can_be_told_as_a_reading() -> None:
    _, view = settled(Table(hand()))
    told = view.reading("camera", "xiangqi", "xiangqi-3", "factory").to_json()
    assert (told["photo"], told["width"], told["height"]) == ("camera", *SIZE)
    assert told["hand"]["win"] == "rP"
    assert [tile["role"] for tile in told["tiles"]] == ["concealed"] * 7 + ["win"]
    assert set(told["ms"]) >= {"glance", "classify", "assemble"}


def test_the_same_frames_give_the_same_views() -> None:
    def film() -> list[tuple[object, ...]]:
        table = Table(hand())
        run = Film(table, SHAPE)
        run.run(1.0)
        table.arm = arm(100.0)
        return [(view.tracks, view.hand, view.locked) for view in run.run(1.0)]

    assert film() == film()


def test_a_tracker_takes_time_as_it_is_told() -> None:
    table = Table(hand())
    tracker = Tracker(table.locate, table.name, lambda tiles: assemble(tiles, SHAPE))
    for _ in range(5):
        view = tracker.update(table.frame(), 7.0)
    assert (view.tracks, view.locked) == ((), False)


def test_tiles_that_are_guessed_have_no_id_and_bind_no_lock() -> None:
    table = Table(hand())

    def decode(tiles: Sequence[Sighting]) -> Assembly:
        guess = replace(table_back, guessed=True)
        found = assemble(tiles, SHAPE)
        hand = replace(found.hand, melds=(MeldReading("concealed_kong", (len(tiles),), ("rK",)),))
        return Assembly((*found.tiles, guess), (*found.groups, 9), hand)

    table_back = Sighting(table.quad(Lying(500.0, 60.0, None)), None, 0.9, ())
    tracker = Tracker(table.locate, table.name, decode)
    for n in range(15):
        view = tracker.update(table.frame(), n / 10)
    assert view.locked
    assert [track.id for track in view.tracks] == [*range(8), None]
    last = view.tracks[-1]
    assert (last.covered, last.locked, last.age, last.sighting.guessed) == (True, True, 0.0, True)
    assert view.assembly.tiles[-1] == last.sighting


def test_print_on_the_table_makes_way_for_the_tile_that_is_laid_upon_it() -> None:
    table = Table(hand())
    ghost = Lying(500.0, 100.0, "rK")
    table.tiles.append(ghost)
    film, before = settled(table)
    assert len(before.tracks) == 9
    table.tiles[-1] = Lying(500.0, 122.0, "rA")
    film.run(2.0)
    view = film.one()
    assert sorted(str(code) for code in ids(view).values()) == sorted([*(tile.code or "" for tile in table.tiles)])
    assert not any(track.covered for track in view.tracks)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_found_and_named_ids_are_unique_and_locked_names_stand(seed: int) -> None:
    """A locator that misses, jumps and invents, and a namer that errs."""
    rng = np.random.default_rng(seed)
    table = Table(hand(), noise=6.0)
    film = Film(table, SHAPE)
    before: dict[int | None, str | None] = {}
    for _ in range(60):
        table.blind = set(np.flatnonzero(rng.random(8) < 0.15).tolist())
        table.misread = {int(rng.integers(8)): [("rA", 0.7), ("rP", 0.3)]}
        wild = Lying(float(rng.uniform(0, SIZE[0])), float(rng.uniform(0, SIZE[1])), "rK")
        table.extra = [table.quad(wild, float(rng.uniform(0.1, 3)))] if rng.random() < 0.4 else []
        table.arm = arm(float(rng.uniform(0, 400))) if rng.random() < 0.3 else None
        view = film.one()
        assert len({track.id for track in view.tracks}) == len(view.tracks)
        assert len(view.groups) == len(view.tracks)
        locked = {track.id: track.sighting.code for track in view.tracks if track.locked}
        assert all(before[id] == locked[id] for id in before.keys() & locked.keys())
        assert bool(locked) == view.locked
        before = locked


def test_the_sample_is_followed_by_the_networks_that_ship() -> None:
    """A camera over the sample photo: an arm comes and goes, and the hand stays what it is."""
    photo = decode((Path(hupai.__file__).parent / "sample.jpg").read_bytes()).image
    still = np.asarray(cv2.resize(photo, (960, 720), interpolation=cv2.INTER_AREA), np.uint8)
    grain = np.random.default_rng(0).normal(0, 3, (800, 960, 3)).astype(np.float32)
    follower = tracker(models.load("locator"), models.load("namer"), family="xiangqi", rules="xiangqi-3")
    now = 0.0

    def film(frames: int, over: NDArray[np.float64] | None = None) -> View:
        nonlocal now
        for n in range(frames):
            image = still.copy()
            if over is not None:
                cv2.fillPoly(image, [np.round(over).astype(np.int32)], (120, 150, 210))
            noisy = np.clip(image + grain[n : n + 720], 0, 255).astype(np.uint8)
            now += 0.2
            view = follower.update(Frame(noisy, 960, 720), now)
        return view

    view = film(8)
    assert view.locked
    told = view.reading("", "xiangqi", "xiangqi-3", "factory").to_json()["hand"]
    assert (sorted(told["concealed"]), told["win"]) == (["rP", "rR", "rR", "rR"], "rP")
    assert [meld["tiles"] for meld in told["melds"]] == [["bC", "bC", "bC"]]
    x, y = np.mean(view.tracks[4].sighting.quad.corners, axis=0)
    before = ids(view)
    reach = np.array([[x - 45, 720], [x - 45, y - 60], [x + 45, y - 60], [x + 45, 720]])
    view = film(3, reach)
    assert (view.locked, ids(view)) == (True, before)
    assert any(track.covered for track in view.tracks)
    view = film(3)
    assert (view.locked, ids(view)) == (True, before)
    assert not any(track.covered for track in view.tracks)
