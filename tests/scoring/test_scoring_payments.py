"""Points and payments (rules, section 2)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from spelling import lost, spelled, won

from scoring import rule_set, score_json
from scoring.payment import basic_points, payments

FAN = [(1, 250), (2, 500), (3, 1000), (4, 2000), (5, 2000), (6, 3000), (7, 3000), (8, 4000), (10, 4000), (11, 6000)]
NAMED = [(1, 500), (2, 1000), (3, 2000), (4, 3000), (5, 4000), (6, 6000), (7, 8000), (12, 8000)]


@pytest.mark.parametrize(("fan", "basic"), [*FAN, (12, 6000), (13, 8000), (40, 8000)])
@pytest.mark.parametrize("rules", ["xiangqi-1", "xiangqi-3", "junqi-1", "junqi-2", "junqi-3", "junqi-4", "paigow-1"])
def test_basic_points_from_fan(rules: str, fan: int, basic: int) -> None:
    points = rule_set(rules).points
    assert points is not None
    assert basic_points(points, fan, None)[0] == basic


@pytest.mark.parametrize(("fan", "basic"), NAMED)
def test_xiangqi_2_names_its_limits(fan: int, basic: int) -> None:
    points = rule_set("xiangqi-2").points
    assert points is not None
    assert basic_points(points, fan, None)[0] == basic


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (
            "xiangqi-3",
            {3: None, 4: "满贯", 5: "满贯", 6: "跳满", 7: "跳满", 8: "倍满", 10: "倍满", 11: "三倍满", 13: "役满"},
        ),
        ("xiangqi-2", {2: None, 3: "满贯", 4: "跳满", 5: "倍满", 6: "三倍满", 7: "役满", 20: "役满"}),
    ],
)
def test_names_of_the_limits(rules: str, names: dict[int, str | None]) -> None:
    points = rule_set(rules).points
    assert points is not None
    for fan, name in names.items():
        limit = basic_points(points, fan, None)[1]
        assert (limit and limit.name.zh) == name


@pytest.mark.parametrize(
    ("fan", "fu", "basic", "limit"),
    [
        (1, 30, 240, None),
        (2, 25, 400, None),
        (3, 60, 1920, None),
        (3, 70, 2000, "满贯"),
        (4, 30, 1920, None),
        (4, 40, 2000, "满贯"),
        (5, 20, 2000, "满贯"),
        (6, 20, 3000, "跳满"),
        (7, 110, 3000, "跳满"),
        (8, 20, 4000, "倍满"),
        (10, 20, 4000, "倍满"),
        (11, 20, 6000, "三倍满"),
        (12, 20, 6000, "三倍满"),
        (13, 20, 8000, "役满"),
    ],
)
def test_xiangqi_4_limits(fan: int, fu: int, basic: int, limit: str | None) -> None:
    points = rule_set("xiangqi-4").points
    assert points is not None
    found, name = basic_points(points, fan, fu)
    assert (found, name and name.name.zh) == (basic, limit)


@pytest.mark.parametrize(
    ("fan", "fu", "basic", "limit"),
    [(1, 20, 40, None), (4, 70, 1120, None), (6, 120, 7680, None), (3, 1000, 8000, None), (7, 70, 8000, "役满")],
)
def test_junqi_5_is_capped(fan: int, fu: int, basic: int, limit: str | None) -> None:
    points = rule_set("junqi-5").points
    assert points is not None
    found, name = basic_points(points, fan, fu)
    assert (found, name and name.name.zh) == (basic, limit)


@pytest.mark.parametrize(
    ("basic", "players", "winner", "dealer", "discarder", "expected"),
    [
        # The example of the interface.
        (250, 4, 1, 0, 2, (0, 1000, -1000, 0)),
        (250, 4, 0, 0, 2, (1500, 0, -1500, 0)),
        (250, 4, 1, 0, None, (-500, 1100, -300, -300)),
        (250, 4, 0, 0, None, (1500, -500, -500, -500)),
        (2000, 4, 3, 1, None, (-2000, -4000, -2000, 8000)),
        (240, 4, 1, 0, 2, (0, 1000, -1000, 0)),
        (400, 3, 2, 2, None, (-800, -800, 1600)),
        (400, 3, 2, 0, None, (-800, -400, 1200)),
        (400, 2, 0, 1, None, (800, -800)),
        (400, 2, 1, 1, None, (-800, 800)),
        (400, 2, 0, 1, 1, (1600, -1600)),
        (400, 3, 1, 1, 2, (0, 2400, -2400)),
    ],
)
def test_who_pays_whom(
    basic: int, players: int, winner: int, dealer: int, discarder: int | None, expected: tuple[int, ...]
) -> None:
    shares = rule_set("xiangqi-3").shares
    assert shares is not None
    assert payments(shares, basic, players, winner, dealer, discarder) == expected


@pytest.mark.parametrize(
    ("basic", "players", "winner", "dealer", "expected"),
    [
        (400, 4, 0, 1, (1600, -800, -400, -400)),
        (400, 3, 0, 1, (1600, -1000, -600)),
        (400, 2, 0, 1, (1600, -1600)),
        (400, 3, 0, 0, (2400, -1200, -1200)),
        (400, 2, 0, 0, (2400, -2400)),
    ],
)
def test_a_table_may_split_the_missing_seats_shares(
    basic: int, players: int, winner: int, dealer: int, expected: tuple[int, ...]
) -> None:
    shares = rule_set("xiangqi-3").shares
    assert shares is not None
    assert payments(replace(shares, tsumo_share="full"), basic, players, winner, dealer, None) == expected


def test_the_interface_example() -> None:
    value = {
        "rules": "xiangqi-3",
        "concealed": ["rR", "rR", "rR", "rP"],
        "melds": [{"type": "pong", "tiles": ["bC", "bC", "bC"]}],
        "win": "rP",
        "by": "discard",
        "context": {
            "players": 4, "winner": 1, "dealer": 0, "discarder": 2, "riichi": False, "double_riichi": False,
            "ippatsu": False, "last_tile": False, "replacement": False, "first_turn": False, "dora_indicators": [],
            "ura_indicators": [], "wild": None,
        },
    }  # fmt: skip
    assert score_json(value) == {
        "win": True,
        "yaku": [{"id": "all_triplets", "zh": "对对胡", "en": "All triplets", "fan": 1}],
        "fan": 1,
        "yakuman": 0,
        "fu": None,
        "dora": 0,
        "basic": 250,
        "limit": None,
        "payments": [0, 1000, -1000, 0],
        "groups": [
            {"type": "triplet", "tiles": ["rR", "rR", "rR"], "concealed": True},
            {"type": "pair", "tiles": ["rP", "rP"], "concealed": True},
            {"type": "triplet", "tiles": ["bC", "bC", "bC"], "concealed": False},
        ],
        "win_in": 1,
        "house": ["points_from_fan"],
    }


def test_yakuman_add_up() -> None:
    found = won("junqi-1", "r1r1 r2r2 b1b1 b2b2", by="self_draw", first_turn=True).to_json()
    assert (found["yakuman"], found["fan"], found["basic"], found["limit"]) == (3, 0, 24000, "役满")
    assert found["payments"] == [96000, -24000, -48000, -24000]
    assert found["yaku"] == [
        {"id": "earth", "zh": "地胡", "en": "Win on the first draw", "fan": 0, "yakuman": 1},
        {"id": "gold_four_pairs", "zh": "金四对", "en": "Gold four pairs", "fan": 0, "yakuman": 2},
    ]
    assert found["house"] == ["points_from_fan", "yakuman_only", "first_turn"]


def test_waits_of_a_hand_that_does_not_win() -> None:
    found = lost("junqi-1", "r3r4 rLrL r8r8r8 b1").to_json()
    assert found["waits"] == ["r2", "r5"]
    assert [reason["code"] for reason in found["reasons"]] == ["too_few_groups", "too_few_pairs"]
    assert found["reason"] == "only 1 of 2 groups; only 2 of 4 different pairs"
    # All the copies of r2 are used up by the indicator and a meld: it is no wait any more.
    value = spelled("junqi-1", "r3r4 rLrL b1", "r8r8r8", dora_indicators=["r2", "r2"])
    assert score_json(value)["waits"] == ["r5"]
