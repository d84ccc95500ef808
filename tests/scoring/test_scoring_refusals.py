"""Hands that cannot be, and input that cannot be read: each with its code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from spelling import spelled

from scoring import HandError, hand_from_json, score_line, score_lines

GOOD = spelled("xiangqi-3", "rRrRrR rPrP", "bCbCbC")


def codes_of(value: Any) -> list[str]:
    with pytest.raises(HandError) as caught:
        hand_from_json(value)
    assert caught.value.code == caught.value.reasons[0].code
    assert "\n" not in str(caught.value)
    return [reason.code for reason in caught.value.reasons]


def changed(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def circumstances(**changes: Any) -> dict[str, Any]:
    return {**GOOD, "context": {**GOOD["context"], **changes}}


INPUT: list[tuple[Any, list[str]]] = [
    ([], ["not_an_object"]),
    ("rR", ["not_an_object"]),
    (None, ["not_an_object"]),
    ({}, ["missing_key"] * 4),
    ({**GOOD, "rules": "xiangqi-9"}, ["unknown_rules"]),
    ({**GOOD, "rules": []}, ["unknown_rules"]),
    ({**GOOD, "rules": None}, ["unknown_rules"]),
    (changed(concealed="rR rR"), ["wrong_type"]),
    (changed(concealed=[1, "rR", None, "rP"]), ["wrong_type", "wrong_type"]),
    (changed(concealed=["rR", "rR", "rR", "rZ"]), ["unknown_tile"]),
    (changed(win=""), ["unknown_tile"]),
    (changed(win=None), ["wrong_type"]),
    (changed(win=["rP"]), ["wrong_type"]),
    (changed(melds={}), ["wrong_type"]),
    (changed(melds=["pong"]), ["wrong_type"]),
    (changed(melds=[{"type": "pung", "tiles": ["bC"] * 3}]), ["unknown_meld"]),
    (changed(melds=[{"type": ["pong"], "tiles": ["bC"] * 3}]), ["unknown_meld"]),
    (changed(melds=[{"type": "pong"}]), ["wrong_type"]),
    (changed(melds=[{"type": "pong", "tiles": ["bC"] * 3, "concealed": 1}]), ["wrong_type"]),
    (changed(melds=[{"type": "pong", "tiles": ["bC"] * 3, "concealed": True}]), ["wrong_type"]),
    (changed(by="theft"), ["unknown_by"]),
    (changed(by=None), ["unknown_by"]),
    (changed(by=[]), ["unknown_by"]),
    (changed(context=[]), ["wrong_type"]),
    (circumstances(players="4"), ["wrong_type"]),
    (circumstances(players=True), ["wrong_type"]),
    (circumstances(winner=None), ["wrong_type"]),
    (circumstances(riichi=1), ["wrong_type"]),
    (circumstances(rihchi=True), ["unknown_context"]),
    (circumstances(dora_indicators="rK"), ["wrong_type"]),
    (circumstances(dora_indicators=["??"]), ["unknown_tile"]),
    (circumstances(wild="??"), ["unknown_tile"]),
    (circumstances(wild=3), ["wrong_type"]),
]


@pytest.mark.parametrize(("value", "expected"), INPUT)
def test_input_that_cannot_be_read(value: Any, expected: list[str]) -> None:
    assert codes_of(value) == expected


RULES: list[tuple[dict[str, Any], list[str]]] = [
    # Tiles.
    (changed(win="T"), ["foreign_tile"]),
    (changed(concealed=["66", "rR", "rR", "rP"]), ["foreign_tile"]),
    (circumstances(wild="1m"), ["foreign_tile"]),
    (circumstances(dora_indicators=["r9"]), ["foreign_tile"]),
    (spelled("xiangqi-3", "rRrRrR rRrR", "bCbCbC"), ["too_many_copies"]),
    (spelled("xiangqi-3", "rRrRrR rPrP", "rRrRrR"), ["too_many_copies"]),
    (spelled("xiangqi-3", "rKrK rKrA rPrP", "") | {"concealed": ["rK"] * 3 + ["rA"] * 4}, ["too_many_copies"]),
    (circumstances(dora_indicators=["bC", "bC"]), ["too_many_copies"]),
    (circumstances(ura_indicators=["bC"], dora_indicators=["bC"]), ["too_many_copies"]),
    (spelled("xiangqi-2", "rKbK rKrArE"), ["too_many_copies"]),
    # Melds.
    (changed(melds=[{"type": "pong", "tiles": ["bC", "bC", "bH"]}]), ["not_a_meld"]),
    (changed(melds=[{"type": "pong", "tiles": ["bC", "bC"]}]), ["not_a_meld"]),
    (changed(melds=[{"type": "pong", "tiles": []}]), ["not_a_meld"]),
    (changed(melds=[{"type": "pong", "tiles": ["bC"] * 4}]), ["not_a_meld"]),
    (changed(melds=[{"type": "open_kong", "tiles": ["bC"] * 3}]), ["not_a_meld"]),
    (spelled("junqi-1", "r3r4r5 rLrL") | {"melds": [{"type": "chi", "tiles": ["b9", "b1", "b2"]}]}, ["not_a_meld"]),
    (spelled("junqi-1", "r3r4r5 rLrL") | {"melds": [{"type": "chi", "tiles": ["b1", "b2", "r3"]}]}, ["not_a_meld"]),
    (spelled("junqi-1", "r3r4r5 rLrL") | {"melds": [{"type": "chi", "tiles": ["rL", "rB", "rF"]}]}, ["not_a_meld"]),
    (spelled("paigow-1", "212232 6666") | {"melds": [{"type": "chi", "tiles": ["52", "53", "55"]}]}, ["not_a_meld"]),
    (spelled("xiangqi-2", "rRrR") | {"melds": [{"type": "chi", "tiles": ["rP", "rP", "bP"]}]}, ["not_a_meld"]),
    (spelled("xiangqi-3", "rPrPrP bCbC", "rKrArE"), ["call_not_allowed"]),
    (spelled("xiangqi-3", "rRrRrR bCbC", "rPrPrPrPrP"), ["call_not_allowed"]),
    (spelled("junqi-1", "r3r4r5 bLbL", "rLrLrLrLrL"), ["call_not_allowed"]),
    (spelled("xiangqi-2", "rHrH", "rPrPrP bPbPbP"), ["too_many_calls", "wrong_tile_count"]),
    (
        spelled("xiangqi-4", "rHrH", "rPrPrPrP bPbPbPbP rCrCrCrC"),
        ["too_many_calls", "too_many_kongs", "wrong_tile_count"],
    ),
    (spelled("xiangqi-3", "rRrRrR rPrPrP", "bCbCbC"), ["wrong_tile_count"]),
    (spelled("xiangqi-3", "rP", "bCbCbC"), ["wrong_tile_count"]),
    # Circumstances.
    (circumstances(ippatsu=True), ["ippatsu_without_riichi"]),
    (circumstances(riichi=True), ["riichi_with_call"]),
    (circumstances(double_riichi=True), ["riichi_with_call"]),
    (circumstances(replacement=True), ["replacement_without_kong", "replacement_not_self_drawn"]),
    (spelled("xiangqi-3", "rRrRrR rPrP", "bCbCbC", "self_draw", replacement=True), ["replacement_without_kong"]),
    (spelled("xiangqi-3", "rRrRrR rPrP", "bCbCbCbC", replacement=True), ["replacement_not_self_drawn"]),
    (circumstances(first_turn=True), ["first_turn_with_meld", "first_turn_not_self_drawn"]),
    (spelled("xiangqi-3", "rRrRrR rPrP", "=bCbCbCbC", "self_draw", first_turn=True), ["first_turn_with_meld"]),
    (spelled("xiangqi-3", "rRrRrR rPrP bCbCbC", first_turn=True), ["first_turn_not_self_drawn"]),
    # Seats.
    (circumstances(players=1), ["wrong_player_count", "no_such_seat", "no_such_seat"]),
    (circumstances(players=5), ["wrong_player_count"]),
    (spelled("xiangqi-4", "rRrRrR rPrP", "bCbCbC", players=3), ["wrong_player_count"]),
    (circumstances(winner=4), ["no_such_seat"]),
    (circumstances(dealer=-1), ["no_such_seat"]),
    (circumstances(discarder=4), ["no_such_seat"]),
    (circumstances(players=2), ["no_such_seat"]),
    (circumstances(discarder=0), ["discarder_is_winner"]),
    (circumstances(discarder=None), ["discarder_missing"]),
    (changed(context={}), ["discarder_missing"]),
    (changed(by="robbed_kong", context={}), ["discarder_missing"]),
]


@pytest.mark.parametrize(("value", "expected"), RULES)
def test_hands_that_cannot_be(value: dict[str, Any], expected: list[str]) -> None:
    assert codes_of(value) == expected


def test_all_reasons_are_given_at_once() -> None:
    value = circumstances(ippatsu=True, winner=9)
    value["win"] = "T"
    assert codes_of(value) == ["foreign_tile", "no_such_seat", "ippatsu_without_riichi"]
    error = json.loads(score_line(json.dumps(value)))["error"]
    assert error["code"] == "foreign_tile"
    assert [reason["code"] for reason in error["reasons"]] == ["foreign_tile", "no_such_seat", "ippatsu_without_riichi"]
    assert all(reason["message"] in error["message"] for reason in error["reasons"])


def test_one_reason_gives_the_plain_error_object() -> None:
    assert json.loads(score_line(json.dumps(changed(win="T"))))["error"] == {
        "code": "foreign_tile",
        "message": "T (天) is no tile of xiangqi-3: take it out",
    }


def test_context_may_be_left_out() -> None:
    hand = hand_from_json(changed(by="self_draw", context={}))
    assert (hand.context.players, hand.context.winner, hand.context.dealer) == (4, 0, 0)
    bare = {key: value for key, value in GOOD.items() if key not in ("context", "melds")}
    bare |= {"by": "self_draw", "concealed": ["rR"] * 3 + ["bC"] * 3 + ["rP"]}
    assert hand_from_json(bare).melds == ()


def test_a_hand_says_what_it_is() -> None:
    assert repr(hand_from_json(GOOD)) == "<Hand xiangqi-3: rR rR rR rP [bC bC bC] + rP by discard>"


def test_a_bad_line_gives_an_error_and_the_rest_go_on() -> None:
    lines = [json.dumps(GOOD), "", "{", "[" * 100_000, "3", json.dumps(changed(win="?")), "\n", json.dumps(GOOD)]
    results = [json.loads(result) for result in score_lines(lines)]
    assert [result.get("win", result.get("error", {}).get("code")) for result in results] == [
        True,
        "not_json",
        "not_json",
        "not_an_object",
        "unknown_tile",
        True,
    ]
