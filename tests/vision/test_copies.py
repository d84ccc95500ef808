from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import log

import numpy as np
import pytest

from scoring import rule_set
from scoring.tiles import Family, tiles_of
from vision.copies import EXTRA, beyond, of_one_set, within
from vision.reading import Quad, Sighting

QUAD = Quad(((0, 0), (40, 0), (40, 40), (0, 40)), 0.9, True, "up")


def tile(**shares: float) -> Sighting:
    alternatives = tuple(sorted(shares.items(), key=lambda item: -item[1]))
    return Sighting(QUAD, alternatives[0][0], alternatives[0][1], alternatives)


BACK = Sighting(Quad(QUAD.corners, 0.9, True, "down"), None, 0.9, ())


def codes(sightings: list[Sighting]) -> list[str | None]:
    return [sighting.code for sighting in sightings]


def test_labels_within_the_limits_stay() -> None:
    tiles = [tile(rR=0.6, bR=0.4), tile(bR=0.9, rR=0.1), BACK]
    assert within(tiles, {"rR": 1, "bR": 1}) == tiles


def test_the_least_sure_tile_of_too_many_is_read_as_what_it_may_also_be() -> None:
    tiles = [tile(bR=0.9, bP=0.1), tile(bR=0.6, bP=0.4), tile(bR=0.8, bP=0.2)]
    read = within(tiles, {"bR": 2, "bP": 5})
    assert codes(read) == ["bR", "bP", "bR"]
    assert read[1].confidence == pytest.approx(0.4)
    assert read[1].alternatives == tiles[1].alternatives


def test_a_chain_of_labels_gives_way_where_no_single_one_does() -> None:
    tiles = [tile(rR=0.9, rH=0.1), tile(rR=0.9, rH=0.1), tile(rH=0.7, rC=0.3)]
    assert Counter(codes(within(tiles, {"rR": 1, "rH": 1, "rC": 1}))) == {"rR": 1, "rH": 1, "rC": 1}


def test_one_more_than_there_are_is_kept_where_it_is_clearly_seen() -> None:
    tiles = [tile(rK=0.999, bK=0.0002), tile(rK=0.999, bK=0.0002)]
    assert codes(within(tiles, {"rK": 1, "bK": 1})) == ["rK", "rK"]
    assert beyond(tiles, {"rK": 1, "bK": 1}) == {"rK": 2}
    assert beyond(tiles, {"rK": 2}) == {}


def test_where_no_kind_has_room_labels_stay() -> None:
    assert codes(within([tile(rK=0.9, bK=0.1)] * 3, {"rK": 1, "bK": 0})) == ["rK"] * 3
    assert within([], {"rK": 1}) == []


def cost(tiles: list[Sighting], labels: tuple[str, ...], copies: dict[str, int]) -> float:
    doubt = sum(-log(max(dict(tile.alternatives).get(code, 0), 1e-4)) for tile, code in zip(tiles, labels, strict=True))
    extra = sum(max(0, count - copies[code]) for code, count in Counter(labels).items())
    return doubt + EXTRA * extra


@pytest.mark.parametrize("seed", range(40))
def test_no_labelling_is_likelier(seed: int) -> None:
    """Against every labelling of six tiles with four kinds."""
    random = np.random.default_rng(seed)
    kinds = ["rR", "rH", "rC", "rP"]
    sharpness = random.choice([0.2, 1.0, 3.0])
    tiles = [tile(**dict(zip(kinds, random.dirichlet([sharpness] * 4).tolist(), strict=True))) for _ in range(6)]
    copies = {kind: int(random.integers(0, 4)) for kind in kinds}
    found = cost(tiles, tuple(str(code) for code in codes(within(tiles, copies))), copies)
    assert found == pytest.approx(min(cost(tiles, labels, copies) for labels in product(kinds, repeat=6)))


BOARD = [side + role for side in "rb" for role in "KAAEERRHHCCPPPPP"]


def seen_board(wrong: int) -> list[Sighting]:
    """All pieces of a set, some black soldiers read as rooks."""
    tiles = [tile(**{code: 0.95, "rH" if code != "rH" else "rC": 0.05}) for code in BOARD]
    for n in range(wrong):
        tiles[-1 - n] = tile(bR=0.6, bP=0.35)
    return tiles


@pytest.mark.parametrize("wrong", [0, 1, 3, 5])
def test_a_board_is_read_as_one_set(wrong: int) -> None:
    assert codes(of_one_set(seen_board(wrong), Family.XIANGQI)) == BOARD


def test_a_board_with_something_else_beside_it_is_still_one_set() -> None:
    read = of_one_set([*seen_board(3), tile(rK=0.9, rA=0.1)], Family.XIANGQI)
    assert codes(read)[:-1] == BOARD


def test_a_hand_with_four_alike_is_not_of_one_set() -> None:
    hand = [tile(rR=0.97, rP=0.03)] * 4 + [tile(bC=0.97, bP=0.02)] * 3 + [tile(rK=0.9, rA=0.1)] * 2
    assert of_one_set(hand, Family.XIANGQI) == hand


def test_tiles_that_no_game_set_holds_are_of_more_than_one() -> None:
    hand = [tile(T=0.97, rK=0.03), tile(D=0.97, bK=0.03), tile(N=0.9, rP=0.1)]
    assert of_one_set(hand, Family.XIANGQI) == hand


@pytest.mark.parametrize("family", [Family.MAHJONG, Family.PAIGOW])
def test_families_with_large_sets_have_no_limit_of_their_own(family: Family) -> None:
    code = tiles_of(family)[0].code
    tiles = [tile(**{code: 0.5, tiles_of(family)[1].code: 0.5})] * 9
    assert of_one_set(tiles, family) == tiles


def test_the_one_set_of_xiangqi_is_the_one_that_is_played_with_one() -> None:
    rules = rule_set("xiangqi-2")
    assert Counter(BOARD) == {tile.code: rules.copies(tile.code) for tile in rules.tiles}


def test_the_order_of_tiles_does_not_matter() -> None:
    tiles = [tile(bR=0.9, bP=0.1), tile(bR=0.6, bP=0.4), tile(bP=0.8, bR=0.2)]
    read = {codes(within(list(order), {"bR": 1, "bP": 2}))[order.index(tiles[1])] for order in permutations(tiles)}
    assert read == {"bP"}
