"""Waits, what each would pay, and discards that leave a hand waiting."""

from __future__ import annotations

import pytest
from spelling import hand, spelled

from scoring import (
    Context,
    HandError,
    Score,
    discards,
    hand_from_json,
    parse_tiles,
    rule_set,
    score,
    waiting_hand,
    waits,
    waits_json,
    what_if,
)


def codes(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    ("rules", "text", "melds", "expected"),
    [
        ("xiangqi-3", "rRrRrR rP b1", "bCbCbC", "rP"),
        ("xiangqi-3", "rPrPrP rP bP", "bCbCbC", "rP"),
        ("xiangqi-3", "rPrPrP rP rHrCrR bP", "", "rP"),
        ("xiangqi-3", "rRrH rPrP bAbAbA bP", "", "rC"),
        ("xiangqi-3", "rKrK bAbA rPrP bCbP", "", "bC"),
        ("xiangqi-2", "rK rRrHrC bP", "", "bK"),
        ("xiangqi-1", "rPrPrP rP bPbPbP rK", "", "rP"),
        ("junqi-2", "r2r3 r5r5 r7r7r7 b1b2b3 rLrLrL bF", "", "r1 r4"),
        ("junqi-2", "r1r2 r5r5 r7r7r7 b1b2b3 rLrLrL bF", "", "r3"),
        ("junqi-2", "r1r1 r3r3 r5r5 b2b2 b7b7 rLrL bB bF", "", "bB"),
        ("junqi-2", "r3r3r3 r4r5r6r7 b1b2b3 rLrLrL bF", "", "r2 r4 r5 r7 r8"),
        ("paigow-1", "2122 6666 434343 51", "", "32"),
    ],
)
def test_waits(rules: str, text: str, melds: str, expected: str) -> None:
    text = text.replace(" b1", " bP") if rules == "xiangqi-3" else text
    assert [tile.code for tile in waits(hand(rules, text, melds))] == codes(expected)


def test_every_wait_wins_and_nothing_else_does() -> None:
    for rules, text in [
        ("junqi-1", "r3r4 rLrL r8r8r8 b1"),
        ("paigow-1", "2122 6666 434343 51"),
        ("lata", "1m2m 4p5p6p 7s8s9s 1z1z1z 2z2z 9p"),
    ]:
        base = hand(rules, text, by="self_draw")
        found = set()
        for tile in rule_set(rules).tiles:
            value = spelled(rules, text, by="self_draw") | {"win": tile.code}
            try:
                complete = hand_from_json(value)
            except HandError:
                continue
            if isinstance(score(complete), Score):
                found.add(tile)
        assert set(waits(base)) == found


def test_what_each_wait_would_pay() -> None:
    found = what_if(hand("junqi-2", "r2r3 r5r5 r7r7r7 b1b2b3 rLrLrL bF", by="self_draw"))
    assert [(wait.tile.code, wait.left) for wait in found] == [("r1", 2), ("r4", 4)]
    first, second = found
    # r1 makes the same run in both colours; r4 nothing, so it wins by self-draw only.
    assert first.by_discard is not None
    assert first.by_discard.payments == (1000, -1000, 0, 0)
    assert second.by_discard is None
    assert second.by_self_draw is not None
    as_json = second.to_json()
    assert as_json["discard"] is None
    assert as_json["self_draw"]["yaku"][0]["id"] == "closed_self_draw"
    assert (as_json["tile"], as_json["left"]) == ("r4", 4)


def test_what_if_keeps_to_what_belongs_to_each_way_of_winning() -> None:
    found = what_if(hand("junqi-2", "r7r7r7 b3b3b3 b9b9", "=rLrLrLrL r4r5r6", "self_draw", replacement=True))
    by_discard, drawn = found[0].by_discard, found[0].by_self_draw
    assert by_discard is not None
    assert drawn is not None
    assert "after_kong" in [yaku["id"] for yaku in drawn.to_json()["yaku"]]
    assert "after_kong" not in [yaku["id"] for yaku in by_discard.to_json()["yaku"]]
    # A discarder that is named stays; one that is the winner cannot.
    named = what_if(hand("junqi-1", "rLrLrL b9 b9", "b8b8b8", discarder=3))[0].by_discard
    assert named is not None
    assert named.payments == (1000, 0, 0, -1000)
    own = what_if(hand("junqi-1", "rLrLrL b9 b9", "b8b8b8", "self_draw", discarder=0))[0].by_discard
    assert own is not None
    assert own.payments == (1000, -1000, 0, 0)


def test_in_the_wild_rule_sets_too() -> None:
    found = what_if(hand("duanzi", "1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m 1p", by="self_draw", wild="1z"))
    assert [wait.tile.code for wait in found] == ["8m", "9m", "1z"]
    paid = [(wait.by_self_draw, wait.by_discard) for wait in found]
    assert [(drawn and drawn.payments[0], thrown and thrown.payments[0]) for drawn, thrown in paid] == [
        (9, 7),
        (15, 13),
        (12, 10),
    ]
    assert found[-1].left == 3


def test_discards_that_leave_a_hand_waiting() -> None:
    found = discards(hand("junqi-2", "r2r3 r5r5 r7r7r7 b1b2b3 rLrLrL bF", by="self_draw"))
    assert [(one.tile.code, [(wait.tile.code, wait.left) for wait in one.waits]) for one in found] == [
        ("bF", [("r1", 2), ("r4", 4)]),
    ]
    assert found[0].to_json()["tile"] == "bF"
    assert [wait["tile"] for wait in found[0].to_json()["waits"]] == ["r1", "r4"]


def test_the_tile_that_is_thrown_cannot_be_waited_for() -> None:
    # With one 车 thrown the rest waits for 将; with 帅 thrown for 车, of which none is left.
    found = discards(hand("xiangqi-2", "rK rRrHrC rR", by="self_draw"))
    assert {one.tile.code: [(wait.tile.code, wait.left) for wait in one.waits] for one in found} == {
        "rR": [("bK", 1)],
    }
    again = discards(hand("xiangqi-3", "rPrPrP rRrHrC rP rP", by="self_draw"))
    assert ("rP", 5) in [(wait.tile.code, wait.left) for wait in again[0].waits]


def test_a_hand_without_its_winning_tile() -> None:
    rules = rule_set("xiangqi-3")
    found = waits(waiting_hand(rules, parse_tiles("rR rR rR bC bC bC rP")))
    assert [tile.code for tile in found] == ["rP"]
    wild = parse_tiles("9p")[0]
    quzhou = rule_set("quzhou")
    tiles = parse_tiles("1m 2m 4p 5p 6p 7s 8s 9s 1z 1z 1z 2z 2z")
    waiting = waiting_hand(quzhou, tiles, context=Context(wild=wild))
    assert [tile.code for tile in waits(waiting)] == ["3m", "9p"]
    with pytest.raises(HandError) as caught:
        waiting_hand(rules, parse_tiles("rR rR"))
    assert caught.value.code == "wrong_tile_count"


def test_waits_as_json() -> None:
    value = spelled("junqi-2", "r2r3 r5r5 r7r7r7 b1b2b3 rLrLrL bF", by="self_draw")
    full = waits_json(value)
    assert [wait["tile"] for wait in full["waits"]] == ["r1", "r4"]
    assert [discard["tile"] for discard in full["discards"]] == ["bF"]
    for bare in (value | {"win": None}, {key: value[key] for key in ("rules", "concealed")}):
        found = waits_json(bare)
        assert [wait["tile"] for wait in found["waits"]] == ["r1", "r4"]
        assert "discards" not in found
    nameless = {key: value[key] for key in ("concealed",)}
    assert waits_json(nameless, rule_set("junqi-2"))["waits"][0]["left"] == 2
    won = waits_json(spelled("junqi-1", "rLrLrL b9b9", "b8b8b8"))
    assert "discards" not in won


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (3, "not_an_object"),
        ({"rules": "junqi-9", "concealed": []}, "missing_key"),
        ({"rules": ["junqi-2"], "concealed": []}, "missing_key"),
        ({"rules": "junqi-2", "concealed": ["r1"]}, "wrong_tile_count"),
        ({"rules": "junqi-2", "concealed": 4}, "wrong_type"),
    ],
)
def test_no_waits_for_what_is_no_hand(value: object, code: str) -> None:
    assert waits_json(value)["error"]["code"] == code
