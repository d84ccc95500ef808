"""What a form of a win's circumstances need not offer, beside the called groups and the rest."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from scoring import By, HandError, Meld, MeldType, hand_from_json, rule_set, rule_sets, ruled_out, ruled_out_json
from scoring.hand import FLAGS, Context, contradictions


def found(rules: str = "xiangqi-3", melds: str = "", by: str = "self_draw", **context: Any) -> dict[str, str]:
    """The code of each field that is ruled out."""
    value = {"rules": rules, "melds": [{"type": kind, "tiles": []} for kind in melds.split()], "by": by}
    return {field: reason["code"] for field, reason in ruled_out_json({**value, "context": context}).items()}


NO_KONG = {"replacement": "replacement_without_kong"}
NO_RIICHI = {"ippatsu": "ippatsu_without_riichi"}
CALLED = {"riichi": "riichi_with_call", "double_riichi": "riichi_with_call", **NO_RIICHI}
NOT_FIRST = {"first_turn": "first_turn_with_meld"}


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ({}, NO_KONG | NO_RIICHI),
        ({"riichi": True}, NO_KONG),
        ({"double_riichi": True}, NO_KONG | {"riichi": "adds_nothing"}),
        ({"riichi": True, "double_riichi": True}, NO_KONG | {"riichi": "adds_nothing"}),
        ({"melds": "pong"}, CALLED | NO_KONG | NOT_FIRST),
        # What was ticked before the group was called does not hold any more, nor what stands on it.
        ({"melds": "pong", "riichi": True, "ippatsu": True}, CALLED | NO_KONG | NOT_FIRST),
        ({"melds": "concealed_kong"}, NO_RIICHI | NOT_FIRST),
        ({"melds": "concealed_kong", "riichi": True, "replacement": True}, NOT_FIRST),
        ({"melds": "open_kong"}, CALLED | NOT_FIRST),
        (
            {"melds": "concealed_kong", "by": "discard"},
            NO_RIICHI | {"replacement": "replacement_not_self_drawn"} | NOT_FIRST,
        ),
        ({"by": "discard", "last_tile": True}, NO_RIICHI | NO_KONG | {"first_turn": "first_turn_not_self_drawn"}),
        (
            {"by": "robbed_kong", "last_tile": True},
            NO_RIICHI | NO_KONG | {"first_turn": "first_turn_not_self_drawn", "last_tile": "adds_nothing"},
        ),
        ({"rules": "xiangqi-4"}, NO_KONG | NO_RIICHI | {"ura_indicators": "ura_without_riichi"}),
        ({"rules": "xiangqi-4", "riichi": True}, NO_KONG),
    ],
)
def test_what_cannot_be_beside_the_rest(hand: dict[str, Any], expected: dict[str, str]) -> None:
    assert found(**hand) == expected


def test_the_first_turn_of_lata_is_the_dealers_draw_or_discard() -> None:
    """Rules, section 6."""
    assert "first_turn" not in found("lata")
    assert found("lata", dealer=1)["first_turn"] == "adds_nothing"
    assert "first_turn" not in found("lata", by="discard", dealer=1, discarder=1)
    assert found("lata", by="discard", dealer=1, discarder=2)["first_turn"] == "adds_nothing"
    assert found("lata", by="robbed_kong", dealer=1, discarder=1)["first_turn"] == "adds_nothing"


@pytest.mark.parametrize("name", rule_sets())
def test_what_is_left_is_never_refused(name: str) -> None:
    """Whatever is ticked, what is not ruled out contradicts nothing, and each other tick may join it."""
    rules = rule_set(name)
    melds = [(), (Meld(MeldType.PONG, ()),), (Meld(MeldType.CONCEALED_KONG, ()),)]
    for called, by, ticked in product(melds, By, product((False, True), repeat=len(FLAGS))):
        flags: dict[str, Any] = dict(zip(FLAGS, ticked, strict=True))
        context = Context(discarder=1, **flags)
        out = ruled_out(rules, called, by, context)
        left: dict[str, Any] = {flag: flags[flag] and flag not in out for flag in FLAGS}
        assert not any(contradictions(rules, called, by, Context(discarder=1, **left)))
        for flag in set(FLAGS) - set(out):
            assert not any(contradictions(rules, called, by, Context(discarder=1, **{**left, flag: True})))


def test_what_is_left_scores() -> None:
    hand = {
        "rules": "xiangqi-3",
        "concealed": ["rR", "rR", "rR", "rP"],
        "melds": [{"type": "pong", "tiles": ["bC", "bC", "bC"]}],
        "win": "rP",
        "by": "self_draw",
        "context": {"riichi": True, "last_tile": True},
    }
    with pytest.raises(HandError, match="riichi with a called meld"):
        hand_from_json(hand)
    out = ruled_out_json(hand)
    hand_from_json({**hand, "context": {flag: True for flag in ("riichi", "last_tile") if flag not in out}})


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([], "not_an_object"),
        ({"by": "discard"}, "missing_key"),
        ({"rules": "xiangqi-9", "by": "discard"}, "unknown_rules"),
        ({"rules": "xiangqi-3", "by": "theft"}, "unknown_by"),
        ({"rules": "xiangqi-3", "by": "discard", "context": {"riichi": 1}}, "wrong_type"),
        ({"rules": "xiangqi-3", "by": "discard", "melds": [{"type": "pung", "tiles": []}]}, "unknown_meld"),
    ],
)
def test_what_cannot_be_read_is_refused(value: object, code: str) -> None:
    with pytest.raises(HandError) as caught:
        ruled_out_json(value)
    assert caught.value.code == code
