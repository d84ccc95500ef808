"""A riichi's stick and a draw: what moves, by which rules (rules, sections 3 and 6)."""

from __future__ import annotations

from typing import Any

import pytest

from scoring import LedgerError, asked_of_draw, event_from_json, rule_set, rule_sets


def moved(**event: Any) -> tuple[list[int], int]:
    """The payments and the sticks of an event."""
    _, found = event_from_json(event)
    told = found.to_json()
    return told["payments"], told["sticks"]


def test_a_riichi_lays_a_stick() -> None:
    assert moved(event="riichi", rules="xiangqi-4", players=4, seat=2) == ([0, 0, -1000, 0], 1000)


@pytest.mark.parametrize(
    ("players", "waiting", "payments"),
    [
        (4, [0], [3000, -1000, -1000, -1000]),
        (4, [3, 1, 3], [-1500, 1500, -1500, 1500]),
        (4, [0, 1, 2], [1000, 1000, 1000, -3000]),
        (4, [], [0] * 4),
        (4, [0, 1, 2, 3], [0] * 4),
        (2, [1], [-3000, 3000]),
    ],
)
def test_who_does_not_wait_pays_who_waits(players: int, waiting: list[int], payments: list[int]) -> None:
    assert moved(event="draw", rules="xiangqi-4", players=players, waiting=waiting) == (payments, 0)


def test_the_dealer_of_duanzi_pays_for_a_draw() -> None:
    assert moved(event="draw", rules="duanzi", players=4, dealer=1) == ([1, -3, 1, 1], 0)


def test_only_these_rules_pay_for_what_happens_between_wins() -> None:
    assert {name: asked_of_draw(rule_set(name)) for name in rule_sets() if asked_of_draw(rule_set(name))} == {
        "xiangqi-4": "waiting",
        "duanzi": "dealer",
    }
    assert [name for name in rule_sets() if rule_set(name).deal.stick] == ["xiangqi-4"]


def test_an_event_keeps_nothing_but_what_belongs_to_it() -> None:
    told = {"event": "draw", "rules": "xiangqi-4", "players": 4, "waiting": [2, 0], "dealer": 3, "more": "x" * 9}
    assert event_from_json(told)[0] == {"event": "draw", "rules": "xiangqi-4", "players": 4, "waiting": [0, 2]}


DRAW: dict[str, Any] = {"event": "draw", "rules": "xiangqi-4", "players": 4, "waiting": []}


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ([], "wrong_type"),
        ({}, "unknown_rules"),
        (DRAW | {"rules": ["xiangqi-4"]}, "unknown_rules"),
        (DRAW | {"event": "flood"}, "wrong_type"),
        (DRAW | {"event": None}, "wrong_type"),
        (DRAW | {"players": 3}, "wrong_player_count"),
        (DRAW | {"players": True}, "wrong_type"),
        (DRAW | {"waiting": 1}, "wrong_type"),
        (DRAW | {"waiting": [0, "1"]}, "wrong_type"),
        (DRAW | {"waiting": [4]}, "no_such_seat"),
        (DRAW | {"rules": "xiangqi-3"}, "draw_pays_nothing"),
        (DRAW | {"rules": "duanzi"}, "wrong_type"),
        (DRAW | {"rules": "duanzi", "dealer": 4}, "no_such_seat"),
        (DRAW | {"event": "riichi"}, "wrong_type"),
        (DRAW | {"event": "riichi", "seat": -1}, "no_such_seat"),
        (DRAW | {"event": "riichi", "rules": "xiangqi-3", "seat": 0}, "no_sticks"),
    ],
)
def test_what_cannot_have_happened(event: object, code: str) -> None:
    with pytest.raises(LedgerError) as caught:
        event_from_json(event)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)
