"""The mahjong rule sets with a wild tile (rules, section 6)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from naive import ROWS, Maker, duanzi, wins_lata, wins_quzhou
from spelling import hand, lost, spelled, won

from scoring import HandError, hand_from_json, rule_set, score, waits

SELF: dict[str, Any] = {"by": "self_draw"}

# The hand, its melds, how it was won, the row with its steps, and the units.
DUANZI: list[tuple[str, str, dict[str, Any], list[str], int]] = [
    ("1m2m3m 4m5m6m 7m8m9m 1z1z1z 2z2z", "", {**SELF}, ["混一色"], 2),
    ("1m2m3m 4m5m6m 7m8m9m 1z1z1z 2z2z", "", {}, ["混一色"], 4),
    ("1m2m3m4m5m6m7m 1z2z3z4z5z6z7z", "", {}, ["混一色"], 4),
    ("1m1m1m7m 1z2z3z4z5z6z7z", "3m3m3m", {}, ["混一色"], 4),
    ("1m 1z2z3z4z5z6z7z", "3m3m3m 5m5m5m5m", {}, ["混一色"], 4),
    ("1m2m3m 4m5m6m 7m8m9m 1m2m3m 5m5m", "", {**SELF}, ["清一色"], 3),
    ("1m2m3m 4m5m6m 7m8m9m 1m2m3m 5m5m", "", {}, ["清一色"], 7),
    ("1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m", "", {**SELF}, ["清碰"], 5),
    ("1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m", "", {}, ["清碰"], 13),
    ("1m1m1m 3m3m3m 5m5m5m 1z1z1z 9m9m", "", {**SELF}, ["混碰"], 4),
    ("1m1m1m 3m3m3m 1z1z1z 9m9m", "=5m5m5m5m", {}, ["混碰"], 10),
    ("1m1m1m 3p3p3p 5m5m5m 1z1z1z 9m9m", "", {**SELF}, ["大碰胡"], 3),
    ("1m1m1m 3p3p3p 1z1z1z 9m9m", "5s5s5s5s", {}, ["大碰胡"], 7),
    ("1m1m 2m2m 3m3m 5m5m 6m6m 8m8m 9m9m", "", {**SELF}, ["清七對"], 5),
    ("1m1m 2m2m 3m3m 5m5m 6m6m 8m8m 9m9m", "", {}, ["清七對"], 13),
    ("1m1m 2m2m 3m3m 5m5m 6m6m 8m8m 1z1z", "", {**SELF}, ["混七對"], 4),
    ("1m1m 2m2m 3m3m 5m5m 6m6m 8m8m 1z1z", "", {}, ["混七對"], 10),
    ("9m9m", "1m1m1m 3m3m3m 5m5m5m 7m7m7m", {**SELF}, ["清碰單吊"], 6),
    ("9m9m", "1m1m1m 3m3m3m =5m5m5m5m 7m7m7m", {}, ["清碰單吊"], 16),
    ("9m9m", "1m1m1m 3m3m3m 5m5m5m 7z7z7z", {**SELF}, ["混碰單吊"], 5),
    ("9m9m", "1m1m1m 3m3m3m 5m5m5m 7z7z7z", {}, ["混碰單吊"], 13),
    ("1m1m 2m2m 3p3p 5m5m 6m6m 8m8m 1z1z", "", {**SELF}, ["七對"], 3),
    ("1m1m1m1m 3p3p 5m5m 6m6m 8m8m 1z1z", "", {}, ["七對"], 7),
    ("1m4m7m 2p5p8p 3s6s9s 1z2z3z4z5z", "", {**SELF}, ["十三百搭"], 2),
    ("1m4m7m 2p5p8p 3s 1z2z3z4z5z6z7z", "", {}, ["十三百搭"], 4),
    ("1z1z 2z2z 3z3z 4z4z 5z5z 6z6z 7z7z", "", {**SELF}, ["全風子對對胡"], 11),
    ("1z1z 2z2z 3z3z 4z4z 5z5z 6z6z6z6z", "", {}, ["全風子對對胡"], 31),
    ("1z1z1z1z 2z2z2z 3z3z3z 4z4z 5z 6z", "", {**SELF}, ["全風子(亂)"], 6),
    ("1z1z1z1z 2z2z2z 4z4z 5z 6z", "3z3z3z", {}, ["全風子(亂)"], 16),
    ("1z1z1z 2z2z2z 4z4z4z 5z5z5z 6z6z", "", {**SELF}, ["全風子大碰胡"], 11),
    ("1z1z1z 2z2z2z 4z4z4z 6z6z", "5z5z5z", {}, ["全風子大碰胡"], 31),
    ("6z6z", "5z5z5z 1z1z1z 2z2z2z 3z3z3z3z", {**SELF}, ["全風子大碰胡單吊"], 12),
    ("6z6z", "5z5z5z 1z1z1z 2z2z2z =3z3z3z3z", {}, ["全風子大碰胡單吊"], 34),
    ("6z7z", "5z5z5z 1z1z1z 2z2z2z 3z3z3z3z", {**SELF}, ["全風子(亂)", "單吊"], 7),
    ("5z6z7z 1m1m1m 2p 3p 9s9s 5s 2m 2m 8p", "", {**SELF, "wild": "1m"}, ["三財倒"], 1),
    ("1m2m3m4m9p9p9p 1z2z3z4z5z6z7z", "", {**SELF}, ["七風倒"], 1),
    ("1m5m8m 1p4p8p 9s 1z2z3z4z5z6z7z", "", {**SELF}, ["七風亂百搭"], 2),
    ("1m5m8m 1p4p8p 9s 1z2z3z4z5z6z7z", "", {}, ["七風亂百搭"], 4),
    # Steps.
    ("1m1m1m 3m3m3m 5m5m1z 7m7m7m 9m9m", "", {**SELF, "wild": "1z"}, ["清碰", "有財"], 4),
    ("1m1m1m 3m3m3m 5m5m1z 7m7m7m 9m9m", "", {"wild": "1z"}, ["清碰", "有財"], 10),
    ("9m9m", "1m1m1m pong:3m3m1z 5m5m5m 7m7m7m", {"wild": "1z"}, ["清碰單吊", "有財"], 13),
    ("1m1m 2m2m 3p3p 5m5m 6m6m 8m8m 1z9s", "", {"wild": "9s"}, ["七對", "有財"], 4),
    ("1m1m 2m2m 3p3p 5m9s 6m9s 8m8m 1z9s", "", {**SELF, "wild": "9s"}, ["七對", "有財", "三財"], 3),
    ("1m2m3m 4m5m6m 7m8m9m 1m2m3m 5m9s", "", {"wild": "9s"}, ["清一色"], 7),
    ("1m2m3m 4m5m6m 7m8m9m 9s9s3m 5m9s", "", {**SELF, "wild": "9s"}, ["清一色", "三財"], 4),
    ("1m4m7m 2p5p8p 3s 9m9m9m 1z2z3z4z", "", {**SELF, "wild": "9m"}, ["十三百搭", "三財"], 3),
    ("1m2m3m4m 9p9p9p 1z2z3z4z5z6z7z", "", {**SELF, "wild": "9p"}, ["混一色", "三財"], 3),
    ("1m2m3m4s 9p9p9p 1z2z3z4z5z6z7z", "", {**SELF, "wild": "9p"}, ["七風倒", "三財"], 2),
    ("1m1m1m 3m3m3m 5m5m5m 9m9m", "7m7m7m7m", {**SELF, "replacement": True}, ["清碰", "槓上開花"], 6),
    ("1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m", "", {"by": "robbed_kong"}, ["清碰", "搶槓胡"], 16),
    ("1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m", "", {**SELF, "last_tile": True}, ["清碰", "海底撈月"], 6),
    ("1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m", "", {"last_tile": True}, ["清碰"], 13),
    ("9p9p", "1m1m1m 3m3m3m 5m5m5m 7m7m7m", {**SELF}, ["大碰胡", "單吊"], 4),
    (
        "9p9p",
        "1m1m1m 3m3m3m 5m5m5m 7m7m7m7m",
        {**SELF, "last_tile": True, "replacement": True},
        ["大碰胡", "槓上開花", "海底撈月", "單吊"],
        6,
    ),
    # The white dragon plays the wild's kind, or itself.
    ("1m1m1m 3m5z3m 5m5m5m 7m7m7m 9m9m", "", {**SELF, "wild": "3m"}, ["清碰", "有財"], 4),
    ("1m1m1m 5z5z5z 5m5m5m 7m7m7m 9m9m", "", {"wild": "3m"}, ["清碰"], 13),
    ("1m1m1m 5m5m5m 7m7m7m 9m9m", "5z5z5z", {"wild": "3m"}, ["清碰"], 13),
    ("1z1z1z 2z2z2z 4z4z4z 5z5z5z 6z6z", "", {"wild": "3m"}, ["全風子大碰胡"], 31),
    ("1m2m4m8m9p9p9p 2z3z4z5z5z6z7z", "", {**SELF, "wild": "1z"}, ["七風倒"], 1),
    ("1m5m8m 1p5z8p 9s 1z2z3z4z5z6z7z", "", {"wild": "4p"}, ["七風亂百搭"], 4),
    ("1z1z 2z2z 3z3z 4z4z 5z5z5z 6z6z 7z", "", {**SELF, "wild": "5z"}, ["全風子對對胡", "三財"], 12),
]


@pytest.mark.parametrize(("text", "melds", "how", "names", "units"), DUANZI)
def test_duanzi(text: str, melds: str, how: dict[str, Any], names: list[str], units: int) -> None:
    found = won("duanzi", text, melds, **how).to_json()
    assert [yaku["zh"] for yaku in found["yaku"]] == names
    assert found["units"] == units
    assert "fan" not in found
    if how.get("by") == "self_draw":
        assert found["payments"] == [3 * units, -units, -units, -units]
        assert units == max(1, sum(yaku["units"] for yaku in found["yaku"]))
    else:
        assert found["payments"] == [units, -units, 0, 0]
        assert units == 3 * sum(yaku["units"] for yaku in found["yaku"]) - 2


def test_every_row_and_step_of_duanzi_is_reached() -> None:
    units = rule_set("duanzi").units
    assert units is not None
    reached = {name for _, _, _, names, _ in DUANZI for name in names}
    assert {rule.name.zh for rule in units.rows} | {step.name.zh for step in units.steps} == reached


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
LATA: list[tuple[str, str, dict[str, Any], str, list[int]]] = [
    (GROUPS, "", {**SELF, "dealer": 0}, "自摸", [24, -8, -8, -8]),
    (GROUPS, "", {**SELF, "dealer": 2}, "自摸", [16, -4, -8, -4]),
    (GROUPS, "", {"dealer": 1, "discarder": 1}, "放沖", [6, -4, -1, -1]),
    (GROUPS, "", {"dealer": 0, "discarder": 1}, "放沖", [8, -4, -2, -2]),
    (GROUPS, "", {"dealer": 2, "discarder": 1}, "放沖", [5, -2, -2, -1]),
    (GROUPS, "", {**SELF, "dealer": 0, "first_turn": True}, "天胡", [30, -10, -10, -10]),
    (GROUPS, "", {**SELF, "dealer": 1, "first_turn": True}, "自摸", [16, -8, -4, -4]),
    (GROUPS, "", {"dealer": 1, "discarder": 1, "first_turn": True}, "地胡", [30, -10, -10, -10]),
    (GROUPS, "", {"dealer": 2, "discarder": 1, "first_turn": True}, "放沖", [5, -2, -2, -1]),
    (GROUPS, "", {"by": "robbed_kong", "discarder": 3}, "搶槓胡", [30, 0, 0, -30]),
    (GROUPS, "", {"by": "robbed_kong", "discarder": 2, "dealer": 2, "first_turn": True}, "搶槓胡", [30, 0, -30, 0]),
    ("1m2m3m 4p5p6p 7s8s9s 2z2z", "1z1z1z1z", {**SELF, "replacement": True}, "槓上開花", [30, -10, -10, -10]),
    ("2z2z", "1z1z1z1z 1m2m3m 4p5p6p 7s8s9s", {**SELF}, "單吊", [30, -10, -10, -10]),
    ("2z2z", "1z1z1z1z 1m2m3m 4p5p6p 7s8s9s", {}, "單吊", [30, -10, -10, -10]),
    ("2z2z", "1z1z1z1z 1m2m3m 4p5p6p 7s8s9s", {"by": "robbed_kong"}, "搶槓胡", [30, -30, 0, 0]),
    ("2z2z", "=1z1z1z1z 1m2m3m 4p5p6p 7s8s9s", {**SELF, "replacement": True}, "槓上開花", [30, -10, -10, -10]),
    (GROUPS, "", {**SELF, "dealer": 1, "players": 3}, "自摸", [12, -8, -4]),
    (GROUPS, "", {"dealer": 1, "players": 2}, "放沖", [4, -4]),
    ("1m1m 2m2m 3p3p 5m5m 6m6m 8m8m8m8m", "", {}, "放沖", [5, -2, -2, -1]),
    ("1m2m3m4m9p9p9p 1z2z3z4z5z6z7z", "", {}, "放沖", [5, -2, -2, -1]),
    ("1m3m 9p9p 1z2z3z4z5z6z7z", "2s3s4s", {}, "放沖", [5, -2, -2, -1]),
    ("1z1z1z1z 2z2z2z 3z3z3z 4z4z 5z 6z", "", {}, "放沖", [5, -2, -2, -1]),
    ("1m5m8m 1p4p8p 9s2s 1z2z3z4z5z6z", "", {}, "放沖", [5, -2, -2, -1]),
    ("1m5m8m 1p4p8p 9s9m9m 1z2z3z4z5z", "", {"wild": "9m"}, "放沖", [5, -2, -2, -1]),
    ("1m1m1m 3m3m3m 5m5m5m 9m9m", "7m7m7m", {"wild": "1m"}, "放沖", [5, -2, -2, -1]),
]


@pytest.mark.parametrize(("text", "melds", "how", "name", "payments"), LATA)
def test_lata(text: str, melds: str, how: dict[str, Any], name: str, payments: list[int]) -> None:
    found = won("lata", text, melds, **how).to_json()
    assert [yaku["zh"] for yaku in found["yaku"]] == [name]
    assert found["payments"] == payments
    assert found["units"] == payments[0] == found["yaku"][0]["units"]


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
    while tried < 400:
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
    assert len(wins) > (8 if rules == "duanzi" else 1)
    assert set(wins) <= {name for name, _, _ in ROWS} | {"", "True", "False"}
