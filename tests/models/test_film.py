"""Films whose truth is known: what is told is what is drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import scoring
from models.training.faces.glyphs import GlyphBank
from models.training.film import HANDS, Actor, Leg, Scene, main

SIDE = (480, 270)


@pytest.fixture(scope="module", params=list(HANDS))
def scene(request: pytest.FixtureRequest, bank: GlyphBank) -> Scene:
    return Scene.sample(request.param, bank, 3, SIDE)


def rules_of(scene: Scene) -> str:
    return next(rules for rules, hand in HANDS.items() if hand.win == scene.script.actors[-1].code)


@pytest.mark.parametrize("rules", HANDS)
def test_the_hand_wins(rules: str) -> None:
    hand = HANDS[rules]
    value = {
        "rules": rules,
        "concealed": list(hand.concealed),
        "melds": [{"type": "pong", "tiles": list(hand.meld)}],
        "win": hand.win,
        "by": "self_draw",
    }
    assert scoring.score(scoring.hand_from_json(value)).to_json()["win"]


def test_at_rest_every_tile_on_the_table_is_seen_whole(scene: Scene) -> None:
    hand = HANDS[rules_of(scene)]
    for rest in scene.script.rests:
        one, other = scene.still(rest.start + 0.01), scene.still(rest.end - 0.01)
        seen = Counter(tile.code for tile in one.tiles if tile.visible > 0)
        expected = Counter([*hand.concealed, *hand.meld[1:], hand.thrown])
        if rest.after in ("the call", "the win", "the camera"):
            expected = Counter([*hand.concealed, *hand.meld])
        if rest.after in ("the win", "the camera"):
            expected[hand.win] += 1
        assert seen == expected, rest.after
        for tile, later in zip(one.tiles, other.tiles, strict=True):
            assert np.array_equal(tile.corners, later.corners)
            if tile.visible:
                assert tile.visible > 0.6
                assert (tile.corners > 0).all()
                assert (tile.corners < SIDE).all()
        first, last = (cv2.imdecode(np.frombuffer(still.data, np.uint8), 1).astype(int) for still in (one, other))
        assert first.shape == (SIDE[1], SIDE[0], 3)
        assert np.abs(cv2.blur(np.abs(first - last).astype(np.float32), (9, 9))).max() < 12


def test_sorting_puts_the_hand_in_order(scene: Scene) -> None:
    rest = next(rest for rest in scene.script.rests if rest.after == "sorting")
    places = [actor.at(rest.end).x for actor in scene.script.actors[:-2]]
    assert places == sorted(places)


def test_an_arm_covers_tiles_and_the_camera_moves(scene: Scene) -> None:
    start, end = scene.script.arm
    least = min(
        tile.visible
        for share in (0.3, 0.5, 0.7)
        for tile, before in zip(scene.still(start + share * (end - start)).tiles, scene.still(start).tiles, strict=True)
        if before.visible > 0.6
    )
    assert least < 0.5
    pan = scene.script.pan
    before, after = scene.still(pan[0]).tiles, scene.still(pan[1]).tiles
    moved = [b.corners - a.corners for a, b in zip(before, after, strict=True) if a.visible]
    assert np.ptp(np.array(moved), axis=(0, 1)).max() < 3
    assert np.hypot(*np.array(moved).mean(axis=(0, 1))) > 5


def test_a_tile_goes_its_ways_one_after_the_other() -> None:
    actor = Actor("rK", (0.0, 0.0), (Leg(1.0, 2.0, (4.0, 0.0), bow=1.0), Leg(3.0, 4.0, (4.0, 2.0))), 0.5)
    places = np.array([(actor.at(time).x, actor.at(time).y) for time in (0.5, 2.0, 2.5, 9.0)])
    assert places == pytest.approx(np.array([(0, 0), (4, 0), (4, 0), (4, 2)]), abs=1e-9)
    halfway = actor.at(1.5)
    assert (halfway.x, halfway.y) == pytest.approx((2, 1))
    assert halfway.z > 0
    assert actor.at(2.5).z == 0
    assert (halfway.code, halfway.angle) == ("rK", 0.5)


def test_a_seed_gives_one_film(bank: GlyphBank) -> None:
    one, two = (Scene.sample("junqi-1", bank, 5, (160, 90)).still(2.0) for _ in range(2))
    assert one.data == two.data
    assert Scene.sample("junqi-1", bank, 6, (160, 90)).still(2.0).data != one.data


def test_the_command_writes_pictures_one_after_the_other(bank_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "film.mjpeg"
    done = CliRunner().invoke(main, ["paigow-1", "--fps", "0.25", "--glyphs", str(bank_folder), "--out", str(out)])
    assert done.exit_code == 0, done.output
    capture = cv2.VideoCapture(str(out))
    frames = 0
    while capture.read()[0]:
        frames += 1
    capture.release()
    assert frames == 7
