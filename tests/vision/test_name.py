from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from painted import Painted, PaintedNamer, paint

from scoring.tiles import Family, tiles_of
from vision.frames import Frame
from vision.name import NEARER, believed, look, name_tiles, recognise
from vision.reading import Quad, Sighting

ONE = [Quad(((10, 10), (50, 10), (50, 70), (10, 70)), 0.9, False, "up")]
DISC = [Quad(((10, 10), (50, 10), (50, 50), (10, 50)), 0.9, True, "up")]
BLANK = Frame(np.full((80, 80, 3), 128, np.uint8), 80, 80)


class Namer:
    """Answers with the given logits and turns, one row a patch, over and over."""

    def __init__(self, logits: list[list[float]], up: list[tuple[float, float]] | None = None) -> None:
        self.logits = np.array(logits, np.float32)
        self.up = np.array(up or [(1, 0)], np.float32)
        self.feeds: list[NDArray[np.uint8]] = []

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        self.feeds.append(feed)
        rows = np.arange(len(feed))
        return {
            "embedding": np.zeros((len(feed), 128), np.float32),
            "xiangqi": self.logits[rows % len(self.logits)],
            "up": self.up[rows % len(self.up)],
        }


def logits(**wanted: float) -> list[float]:
    row = [wanted.get(tile.code, 0.0) for tile in tiles_of(Family.XIANGQI)]
    return [*row, wanted.get("back", 0.0)]


@pytest.mark.parametrize(("score", "seen"), [(0.9, 1), (0.4, 0)])
def test_a_disc_without_a_face_is_a_back_of_xiangqi_or_a_taught_set_alone(score: float, seen: int) -> None:
    disc = [replace(DISC[0], score=score)]
    assert len(name_tiles(BLANK, disc, Heads(Family.XIANGQI, back=True), Family.XIANGQI)) == seen
    assert name_tiles(BLANK, disc, Heads(Family.MAHJONG, back=True), Family.MAHJONG) == []
    assert len(name_tiles(BLANK, disc, Heads(Family.MAHJONG), Family.MAHJONG)) == 1  # but a face on a disc counts
    flat = [replace(disc[0], round=False)]
    assert len(name_tiles(BLANK, flat, Heads(Family.MAHJONG, back=True), Family.MAHJONG)) == seen


@pytest.mark.parametrize("family", list(Family))
def test_every_kind_of_a_family_is_named(family: Family) -> None:
    codes = [tile.code for tile in tiles_of(family)]
    tiles = [Painted(40 + 70 * (n % 10), 50 + 90 * (n // 10), 60, 80, code) for n, code in enumerate(codes)]
    frame = Frame(paint(tiles, family, (720, 500)), 720, 500)
    quads = [Quad(tuple(map(tuple, tile.corners().tolist())), 0.9, False, "up") for tile in tiles]  # type: ignore[arg-type]
    namer = PaintedNamer()
    sightings = name_tiles(frame, quads, namer, family)
    assert [sighting.code for sighting in sightings] == codes
    assert namer.calls == 1
    assert all(0.8 < sighting.confidence <= 1 for sighting in sightings)


def test_alternatives_come_best_first_and_sum_to_no_more_than_one() -> None:
    (sighting,) = name_tiles(BLANK, ONE, Namer([logits(rC=5, rP=4, bC=3)]), Family.XIANGQI)
    assert [code for code, _ in sighting.alternatives[:3]] == ["rC", "rP", "bC"]
    assert sighting.alternatives[0] == (sighting.code, sighting.confidence)
    assert 0.9 < sum(share for _, share in sighting.alternatives) <= 1


def test_only_the_rule_sets_kinds_are_thought_of() -> None:
    (sighting,) = name_tiles(BLANK, ONE, Namer([logits(T=9, rC=5)]), Family.XIANGQI, {"rC", "bC"})
    assert sighting.code == "rC"
    assert {code for code, _ in sighting.alternatives} == {"rC", "bC"}


def test_a_back_has_no_code() -> None:
    (sighting,) = name_tiles(BLANK, ONE, Namer([logits(back=12)]), Family.XIANGQI)
    assert (sighting.code, sighting.quad.face, sighting.alternatives) == (None, "down", ())


def test_locator_and_namer_judge_the_face_together() -> None:
    down = [Quad(ONE[0].corners, 0.9, False, "down")]
    unsure = Namer([logits(rC=3, back=3)])
    assert name_tiles(BLANK, ONE, unsure, Family.XIANGQI)[0].quad.face == "up"
    assert name_tiles(BLANK, down, unsure, Family.XIANGQI)[0].quad.face == "down"
    assert name_tiles(BLANK, down, Namer([logits(rC=12)]), Family.XIANGQI)[0].code == "rC"


def test_what_neither_network_is_sure_of_is_no_tile() -> None:
    doubtful = [Quad(ONE[0].corners, 0.4, False, face) for face in ("up", "down")]
    assert name_tiles(BLANK, doubtful, Namer([logits(back=12)]), Family.XIANGQI) == []
    assert [s.code for s in name_tiles(BLANK, doubtful, Namer([logits(rC=12)]), Family.XIANGQI)] == ["rC", "rC"]
    assert len(name_tiles(BLANK, [*doubtful, *ONE], Namer([logits(back=12)]), Family.XIANGQI)) == 1


def test_the_views_of_a_tile_are_averaged() -> None:
    # The first view errs a little, the second is sure.
    (sighting,) = name_tiles(BLANK, ONE, Namer([logits(rC=2, rP=3), logits(rC=9)]), Family.XIANGQI)
    assert sighting.code == "rC"


def test_every_tile_is_seen_at_four_turns_in_one_batch() -> None:
    namer = Namer([logits(rC=9)])
    look(BLANK, DISC + ONE, namer)
    assert [len(feed) for feed in namer.feeds] == [8]


def test_of_a_known_family_only_tiles_that_one_view_does_not_tell_are_seen_again() -> None:
    namer = Namer([logits(rC=9)])
    assert [tile.code for tile in name_tiles(BLANK, DISC + ONE, namer, Family.XIANGQI)] == ["rC", "rC"]
    assert [len(feed) for feed in namer.feeds] == [2]
    doubtful = Quad(ONE[0].corners, 0.6, False, "up")
    seen = look(BLANK, [*ONE, doubtful], namer, Family.XIANGQI)
    assert [len(feed) for feed in namer.feeds[1:]] == [2, 1, 2]
    assert (seen.owners.tolist(), seen.quarters.tolist()) == ([0, 1, 1, 1, 1], [0, 0, 2, 1, 3])
    for said, feeds in ((logits(rC=4.5), [1, 1]), (logits(rC=2, rP=1), [1, 1, 2]), (logits(back=12), [1, 1, 2])):
        hesitant = Namer([said])
        name_tiles(BLANK, ONE, hesitant, Family.XIANGQI)
        assert [len(feed) for feed in hesitant.feeds] == feeds


def test_the_views_are_turned_clockwise() -> None:
    image = np.full((80, 80, 3), 50, np.uint8)
    image[10:20, 10:50] = 250  # a bright top edge
    namer = Namer([logits(rC=9)])
    look(Frame(image, 80, 80), ONE, namer)
    (views,) = namer.feeds
    edges = [view[8:12, 20:44].mean() for view in np.rot90(views, 1, axes=(1, 2))], views[0, 8:12, 20:44].mean()
    assert edges[1] > 200  # unturned: bright on top
    assert views[1, 20:44, -12:-8].mean() > 200  # a quarter clockwise: bright on the right
    assert views[2, -12:-8, 20:44].mean() > 200
    assert views[3, 20:44, 8:12].mean() > 200


def test_discs_are_seen_from_nearer_at_every_other_turn() -> None:
    image = np.full((80, 80, 3), 50, np.uint8)
    cv2.circle(image, (30, 30), 8, (250, 250, 250), -1)
    namer = Namer([logits(rC=9)])
    look(Frame(image, 80, 80), DISC, namer)
    (views,) = namer.feeds
    areas = (views[..., 0] > 150).mean(axis=(1, 2))
    assert areas[0] == pytest.approx(areas[2], rel=0.05)
    assert areas[1] == pytest.approx(areas[3], rel=0.05)
    assert areas[1] == pytest.approx(areas[0] / NEARER**2, rel=0.1)


def test_the_turn_is_that_of_the_face_in_the_picture() -> None:
    # A lying tile is stood up by a quarter turn counterclockwise; its face is upright in the patch.
    lying = [Quad(((10, 10), (70, 10), (70, 50), (10, 50)), 0.9, False, "up")]
    views = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
    (standing,) = name_tiles(BLANK, ONE, Namer([logits(rC=9)], views), Family.XIANGQI)
    (laid,) = name_tiles(BLANK, lying, Namer([logits(rC=9)], views), Family.XIANGQI)
    assert standing.turn == pytest.approx(0, abs=1e-4)
    assert abs(laid.turn) == pytest.approx(90, abs=1e-4)


def test_a_domino_has_no_upright() -> None:
    (domino,) = name_tiles(BLANK, ONE, Heads(Family.PAIGOW), Family.PAIGOW)
    assert domino.code is not None
    assert domino.turn is None


def test_no_quads_no_run() -> None:
    namer = Namer([logits()])
    assert name_tiles(BLANK, [], namer, Family.XIANGQI) == []
    assert namer.feeds == []


class Heads:
    """A namer whose heads say of every patch the same kind (or `back`), one of them at every turn, the others at each
    another."""

    def __init__(self, sure: Family, back: bool = False) -> None:
        self.sure, self.kind = sure, -1 if back else 0

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        outputs: dict[str, NDArray[Any]] = {"up": np.ones((len(feed), 2), np.float32)}
        for family in Family:
            heads = np.zeros((len(feed), len(tiles_of(family)) + 1), np.float32)
            kind = np.full(len(feed), self.kind) if family is self.sure else np.arange(len(feed)) % 4
            heads[np.arange(len(feed)), kind] = 8.0
            outputs[family.value] = heads
        return outputs


@pytest.mark.parametrize("family", list(Family))
@pytest.mark.parametrize("round", [True, False])
def test_the_family_is_the_one_whose_head_is_of_one_mind_at_every_turn(family: Family, round: bool) -> None:
    quads = (DISC if round else ONE) * 5
    assert recognise(look(BLANK, quads, Heads(family))) is family


def test_between_heads_that_are_as_sure_the_shape_decides() -> None:
    class All(Heads):
        def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
            one = super().run(feed)
            return {**one, "junqi": one["xiangqi"][:, : len(tiles_of(Family.JUNQI)) + 1]}

    assert recognise(look(BLANK, DISC * 3, All(Family.XIANGQI))) is Family.XIANGQI
    assert recognise(look(BLANK, ONE * 3, All(Family.XIANGQI))) is Family.JUNQI


def test_backs_hardly_count_for_the_family() -> None:
    class Mixed(Heads):
        """Sure of xiangqi on discs face up, of mahjong on the others, which lie face down."""

        def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
            first, second = Heads(Family.XIANGQI).run(feed[:4]), Heads(Family.MAHJONG).run(feed[4:])
            return {name: np.concatenate([first[name], second[name]]) for name in first}

    backs = [Quad(DISC[0].corners, 0.9, True, "down")] * 3
    assert recognise(look(BLANK, [*DISC, *backs], Mixed(Family.XIANGQI))) is Family.XIANGQI


def test_no_tiles_are_of_no_family() -> None:
    assert recognise(look(BLANK, [], Heads(Family.XIANGQI))) is None


@pytest.mark.parametrize(
    ("scores", "confidences", "left"),
    [
        ((0.4, 0.6), (0.7, 0.6), 0),  # a picture of gravel
        ((0.7,) * 30, (0.9, *[0.3] * 29), 0),  # more gravel, one stone of it like a tile by chance
        ((0.7,) * 30, (0.9, 0.9, *[0.3] * 28), 30),
        ((0.4, 0.6), (0.9, 0.9), 2),  # one tile well named
        ((0.45, 0.44), (0.9, 0.9), 2),  # two fairly well
        ((0.8, 0.8, 0.4), (0.3, 0.3, 0.3), 3),  # most tiles well found, of a set that is not known
        ((0.9, 0.4, 0.4), (0.3, 0.3, 0.3), 0),  # one icon among many
        ((), (), 0),
    ],
)
def test_doubtful_tiles_are_believed_beside_a_good_one(
    scores: tuple[float, ...], confidences: tuple[float, ...], left: int
) -> None:
    sightings = [
        Sighting(Quad(ONE[0].corners, score, False, "up"), "rK", confidence, ())
        for score, confidence in zip(scores, confidences, strict=True)
    ]
    assert len(believed(sightings)) == left


@pytest.mark.parametrize(
    ("scores", "left"),
    [
        ((0.55, 0.4), 0),  # an icon on a screen, enough where tiles are near
        ((0.6, 0.4), 2),
        ((0.55, 0.55), 2),
        ((0.8, 0.8, 0.4), 3),
    ],
)
def test_of_tiles_far_off_more_must_be_shown(scores: tuple[float, ...], left: int) -> None:
    sightings = [Sighting(Quad(ONE[0].corners, score, False, "up"), "rK", 1.0, ()) for score in scores]
    assert len(believed(sightings, far=True)) == left
    assert len(believed(sightings)) == len(scores)


@pytest.mark.parametrize(("face", "back", "seen"), [(0.42, 0.39, 2), (0.42, 0.36, 1), (0.9, 0.4, 1), (0.9, 0.5, 2)])
def test_a_back_counts_that_is_found_as_surely_as_a_face_beside_it(face: float, back: float, seen: int) -> None:
    tiles = [Painted(60, 70, 60, 80, "rC"), Painted(160, 70, 60, 80, None)]
    frame = Frame(paint(tiles, Family.XIANGQI, (240, 140)), 240, 140)
    quads = [
        Quad(tuple(map(tuple, tile.corners().tolist())), score, False, side)  # type: ignore[arg-type]
        for tile, score, side in zip(tiles, (face, back), ("up", "down"), strict=True)
    ]
    found = name_tiles(frame, quads, PaintedNamer(), Family.XIANGQI)
    assert [tile.code for tile in found] == ["rC", None][:seen]
