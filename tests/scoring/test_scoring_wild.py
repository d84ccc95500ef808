"""The mahjong rule sets with a wild tile (rules, section 6)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from naive import ROWS, Maker, duanzi, wins_lata, wins_quzhou
from spelling import hand, lost, spelled, won

from scoring import HandError, hand_from_json, score, waits

SELF: dict[str, Any] = {"by": "self_draw"}


@pytest.mark.parametrize(
    ("text", "melds", "how", "codes"),
    [
        # A wild is no honor in 七風, its own kind included.
        ("1m2m3m4m9p9p9p 1z2z3z4z5z6z9s", "", {**SELF, "wild": "9s"}, ["no_shape"]),
        ("1m2m3m4m9p9p9p 1z2z3z4z5z6z7z", "", {**SELF, "wild": "7z"}, ["no_shape"]),
        ("1m5m8m 1p4p8p 9s 1z2z3z4z5z6z7z", "", {**SELF, "wild": "5z"}, ["no_shape"]),
        ("1m2m3m4m9p9p9p 1z2z3z4z5z6z7z", "", {}, ["self_draw_only"]),
        ("5z6z7z 1m1m1m 2p 3p 9s9s 5s 2m 2m 8p", "", {"wild": "1m"}, ["three_wilds_discard"]),
        ("1m1m1m 3m3m3m 5m5m5m 9m9m", "7m7m7m", {**SELF, "wild": "1m"}, ["three_wilds_called"]),
        ("1m1m1m 3m3m3m 5m5m5m 9m9m", "7m7m7m", {"wild": "1m"}, ["three_wilds_called", "three_wilds_discard"]),
        ("1m2m3m 4m5m6m 7m8m9m 1p1p1p 2z2z", "", {**SELF}, ["no_shape"]),
    ],
)
def test_no_win_in_duanzi(text: str, melds: str, how: dict[str, Any], codes: list[str]) -> None:
    assert [lack.code for lack in lost("duanzi", text, melds, **how).lacks] == codes


def test_three_wilds_in_a_closed_hand_with_a_concealed_kong() -> None:
    found = won("duanzi", "1m1m1m 3m3m3m 5m5m5m 9m9m", "=7m7m7m7m", by="self_draw", wild="1m").to_json()
    assert [yaku["zh"] for yaku in found["yaku"]] == ["清碰", "有財", "三財"]


GROUPS = "1m2m3m 4p5p6p 7s8s9s 1z1z1z 2z2z"


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("5z6z7z 1m1m1m 2p 3p 9s9s 5s 2m 2m 8p", {**SELF, "wild": "1m"}),
        ("1m2m3m4m9p9p9p 1z2z3z4z5z6z9s", {**SELF, "wild": "9s"}),
        ("1m5m7m 1p4p8p 9s2s 1z2z3z4z5z6z", {}),
        ("1m5m9m 1p3p 9s2s5s 1z2z3z4z5z6z", {}),
    ],
)
def test_no_win_in_lata(text: str, how: dict[str, Any]) -> None:
    assert [lack.code for lack in lost("lata", text, **how).lacks] == ["no_shape"]


@pytest.mark.parametrize(
    ("text", "melds", "how", "name", "units", "payments"),
    [
        (GROUPS, "", {**SELF}, "自摸", 1, [3, -1, -1, -1]),
        (GROUPS, "", {**SELF, "players": 2, "dealer": 0}, "自摸", 1, [1, -1]),
        (GROUPS, "", {}, "放沖", 2, [2, -2, 0, 0]),
        (GROUPS, "", {"by": "robbed_kong", "discarder": 3}, "放沖", 2, [2, 0, 0, -2]),
        ("1m2m5z 4p5p6p 7s8s9s 1z1z1z 2z2z", "", {"wild": "3m"}, "放沖", 2, [2, -2, 0, 0]),
        ("4p5p6p 7s8s9s 1z1z1z 2z2z", "1m2m5z", {"wild": "3m"}, "放沖", 2, [2, -2, 0, 0]),
        ("1m2m3p 4p5p6p 7s8s9s 1z1z1z 2z2z", "", {"wild": "3p"}, "放沖", 2, [2, -2, 0, 0]),
        ("1m1m1m 4p5p6p 7s8s9s 1z1z1z 2z3p", "", {"wild": "3p"}, "放沖", 2, [2, -2, 0, 0]),
    ],
)
def test_quzhou(text: str, melds: str, how: dict[str, Any], name: str, units: int, payments: list[int]) -> None:
    found = won("quzhou", text, melds, **how).to_json()
    assert [yaku["zh"] for yaku in found["yaku"]] == [name]
    assert (found["units"], found["payments"]) == (units, payments)
    assert found["house"] == ["base_one", "four_groups_win"]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("1m1m 2m2m 3p3p 5m5m 6m6m 8m8m 1z1z", {}),
        ("1m2m3m 4p5p6p 7s8s9s 1z1z1z 2z3z", {}),
    ],
)
def test_no_win_in_quzhou(text: str, how: dict[str, Any]) -> None:
    found = lost("quzhou", text, **how)
    assert [lack.code for lack in found.lacks] == ["no_shape"]


def test_only_three_of_the_wild_kind_remain() -> None:
    with pytest.raises(HandError) as caught:
        hand("quzhou", "1m1m1m1m 4p5p6p 7s8s9s 1z1z 2z2z", wild="1m")
    assert caught.value.code == "too_many_copies"
    hand("quzhou", "1m1m1m1m 4p5p6p 7s8s9s 1z1z 2z2z", wild=None)


def test_melds_with_wilds() -> None:
    assert hand("lata", "4p5p6p 7s8s9s 1z1z1z 2z2z", "1m2m3m", wild="3m").meld_plays == ((((0, 1, 2)),),)
    triplet = hand("duanzi", "4p5p6p 7s8s9s 1z1z1z 2z2z", "3m3m3m", wild="3m").meld_plays
    assert triplet == (((0, 0, 0), (9, 9, 9), (18, 18, 18), (27, 27, 27)),)
    for rules, melds in [
        ("duanzi", {"type": "pong", "tiles": ["1m", "2m", "3m"]}),
        ("lata", {"type": "chi", "tiles": ["1m", "4m", "3m"]}),
        ("lata", {"type": "chi", "tiles": ["1z", "2z", "3m"]}),
        ("quzhou", {"type": "pong", "tiles": ["5z", "5z", "1m"]}),
    ]:
        value = spelled(rules, "4p5p6p 7s8s9s 1z1z1z 2z2z", wild="3m") | {"melds": [melds]}
        with pytest.raises(HandError) as caught:
            hand_from_json(value)
        assert caught.value.code == "not_a_meld"


def test_groups_show_the_tiles_that_were_laid() -> None:
    value = spelled("quzhou", "1m2m5z 4p6p3m 7s8s9s 1z1z1z 2z2z", wild="3m")
    groups = score(hand_from_json(value)).to_json()["groups"]
    assert [(group["type"], "".join(group["tiles"])) for group in groups] == [
        ("run", "1m2m5z"),
        ("run", "4p3m6p"),
        ("run", "7s8s9s"),
        ("triplet", "1z1z1z"),
        ("pair", "2z2z"),
    ]
    pairs = won("duanzi", "1m1m 2m2m 3p3p 5m9s 6m9s 8m8m 1z9s", by="self_draw", wild="9s").to_json()
    assert [("".join(group["tiles"])) for group in pairs["groups"]] == [
        "1m1m", "2m2m", "5m9s", "6m9s", "8m8m", "3p3p", "1z9s",
    ]  # fmt: skip
    assert pairs["win_in"] == 2
    three = won("quzhou", "1m2m3m 4p5p6p 9s9s9s 1z1z1z 2z2z", by="self_draw", wild="9s").to_json()
    assert {"type": "triplet", "tiles": ["9s"] * 3, "concealed": True} in three["groups"]
    two = won("duanzi", "1m1m 2m2m 3p3p 5m5m 9s9s 8m8m 1z1z", by="self_draw", wild="9s").to_json()
    assert {"type": "pair", "tiles": ["9s", "9s"], "concealed": True} in two["groups"]


def test_waits() -> None:
    found = lost("quzhou", "1m2m 4p5p6p 7s8s9s 1z1z1z 2z2z 9p").to_json()
    assert found["waits"] == ["3m"]
    # Each wild completes it too, and three of them are left.
    found = lost("quzhou", "1m2m 4p5p6p 7s8s9s 1z1z1z 2z2z 9p", wild="8p").to_json()
    assert found["waits"] == ["3m", "8p"]
    # With all three wilds in hand anything does; of 1m the turned tile and three in hand leave none.
    every = waits(hand("duanzi", "5z6z7z 1m1m1m 2p 3p 9s9s 5s 2m 2m 8p", by="self_draw", wild="1m"))
    assert len(every) == 33


@pytest.mark.parametrize(("rules", "seed"), [("duanzi", 11), ("lata", 12), ("quzhou", 13)])
def test_against_trying_every_tile_for_every_wild(rules: str, seed: int) -> None:
    maker = Maker(seed, rules, most_wilds=1)
    wins: Counter[str] = Counter()
    tried = 0
    while tried < 200:
        value = maker.hand()
        if value is None:
            continue
        try:
            laid = hand_from_json(value)
        except HandError:
            assert value["melds"], value
            continue
        tried += 1
        result = score(laid).to_json()
        if rules == "duanzi":
            expected = duanzi(value)
            found = ([yaku["zh"] for yaku in result["yaku"]], result["units"]) if result["win"] else None
            assert found == expected, value
            wins[expected[0][0] if expected else ""] += 1
        else:
            wins[str(result["win"])] += 1
            assert result["win"] == (wins_lata if rules == "lata" else wins_quzhou)(value), value
        if result["win"]:
            assert sum(result["payments"]) == 0
            laid_tiles = [*value["concealed"], value["win"], *(t for meld in value["melds"] for t in meld["tiles"])]
            assert sorted(t for group in result["groups"] for t in group["tiles"]) == sorted(laid_tiles)
            assert value["win"] in result["groups"][result["win_in"]]["tiles"]
            assert value["win"] in [tile.code for tile in waits(laid)] or value["by"] != "self_draw"
    assert len(wins) > (6 if rules == "duanzi" else 1)
    assert set(wins) <= {name for name, _, _ in ROWS} | {"", "True", "False"}
