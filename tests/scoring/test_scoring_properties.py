"""Properties that hold for every hand, on hands drawn at random."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import NoWin, Score, hand_from_json, rule_set, rule_sets, score
from scoring.condition import Scope
from scoring.fan import held_by_reading
from scoring.payment import basic_points, payments

FAN_RULES = [rules for rules in rule_sets() if rule_set(rules).points is not None]


@st.composite
def built_hands(draw: st.DrawFn, rules: str) -> dict[str, Any]:
    """A hand built of groups and a pair, some of them called, won somehow; None of its kinds too often."""
    rule = rule_set(rules)
    layout = rule.layout
    left = list(rule.number)
    concealed: list[str] = []
    melds: list[dict[str, Any]] = []

    def take(kinds: tuple[int, ...]) -> list[str]:
        for kind in kinds:
            left[kind] -= 1
        return [layout.tiles[kind].code for kind in kinds]

    for _ in range(rule.groups):
        runs = [run for run in layout.runs if all(left[kind] for kind in run)]
        triplets = [(kind,) * 3 for kind in range(layout.size) if left[kind] >= 3]
        kongs = [(kind,) * 4 for kind in range(layout.size) if left[kind] >= 4]
        call = draw(st.sampled_from(["", "", "", *sorted(set(rule.calls) - {"super_kong"})]))
        choices = {"chi": runs, "pong": triplets, "": runs + triplets}.get(call, kongs)
        if len(melds) >= rule.max_calls or not choices:
            call, choices = "", runs + triplets
        tiles = take(draw(st.sampled_from(choices)))
        if call:
            melds.append({"type": call, "tiles": tiles})
        else:
            concealed += tiles
    pairs = [
        pair
        for pair in layout.pairs
        if left[pair[0]] >= 1 and left[pair[1]] >= 1 and (pair[0] != pair[1] or left[pair[0]] >= 2)
    ]
    concealed += take(draw(st.sampled_from(pairs)))
    win = concealed.pop(draw(st.integers(0, len(concealed) - 1)))
    players = draw(st.sampled_from(rule.players))
    by = draw(st.sampled_from(["self_draw", "discard", "robbed_kong"]))
    winner = draw(st.integers(0, players - 1))
    others = [seat for seat in range(players) if seat != winner]
    closed = all(meld["type"] == "concealed_kong" for meld in melds)
    riichi = closed and draw(st.booleans())
    kong = any("kong" in meld["type"] for meld in melds)
    context = {
        "players": players,
        "winner": winner,
        "dealer": draw(st.integers(0, players - 1)),
        "discarder": draw(st.sampled_from(others)),
        "riichi": riichi,
        "double_riichi": riichi and draw(st.booleans()),
        "ippatsu": riichi and draw(st.booleans()),
        "last_tile": draw(st.booleans()),
        "replacement": kong and by == "self_draw" and draw(st.booleans()),
        "first_turn": not melds and by == "self_draw" and draw(st.booleans()),
        "dora_indicators": [layout.tiles[draw(st.sampled_from([k for k, n in enumerate(left) if n]))].code],
    }
    return {"rules": rules, "concealed": concealed, "melds": melds, "win": win, "by": by, "context": context}


@pytest.mark.parametrize("rules", FAN_RULES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_hand_built_from_groups_wins_when_it_has_a_yaku(rules: str, data: st.DataObject) -> None:
    value = data.draw(built_hands(rules))
    found = score(hand_from_json(value))
    if isinstance(found, NoWin):
        assert [lack.code for lack in found.lacks] == ["no_yaku"]
        assert value["win"] in [tile.code for tile in found.waits]
        return
    result = found.to_json()
    assert sum(result["payments"]) == 0
    assert result["payments"][value["context"]["winner"]] > 0
    assert all(paid <= 0 for seat, paid in enumerate(result["payments"]) if seat != value["context"]["winner"])
    if result["yakuman"]:
        assert result["fan"] == 0
        assert result["yakuman"] == sum(yaku["yakuman"] for yaku in result["yaku"])
    else:
        assert result["fan"] == sum(yaku["fan"] for yaku in result["yaku"]) + result["dora"]
    if result["fu"] is not None:
        assert result["fu"] == sum(item["fu"] for item in result["fu_detail"])
    tiles = sorted(code for group in result["groups"] for code in group["tiles"])
    laid = value["concealed"] + [value["win"]] + [code for meld in value["melds"] for code in meld["tiles"]]
    assert tiles == sorted(laid)
    assert value["win"] in result["groups"][result["win_in"]]["tiles"]


@pytest.mark.parametrize("rules", FAN_RULES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_order_of_tiles_does_not_matter(rules: str, data: st.DataObject) -> None:
    value = data.draw(built_hands(rules))
    shuffled = dict(value)
    mixed = random.Random(data.draw(st.integers(0, 1 << 30)))
    shuffled["concealed"] = mixed.sample(value["concealed"], len(value["concealed"]))
    first = score(hand_from_json(value)).to_json()
    assert score(hand_from_json(shuffled)).to_json() == first
    # The melds' order decides only how the groups are listed (and which kong is the newest).
    shuffled["melds"] = mixed.sample(value["melds"], len(value["melds"]))
    second = score(hand_from_json(shuffled)).to_json()
    assert {**first, "groups": [], "win_in": 0} == {**second, "groups": [], "win_in": 0}


@pytest.mark.parametrize("rules", FAN_RULES)
@given(
    st.integers(1, 20),
    st.integers(2, 30),
    st.booleans(),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(2, 4),
)
def test_more_fan_never_pays_less(
    rules: str, fan: int, tens: int, draw: bool, winner: int, dealer: int, players: int
) -> None:
    rule = rule_set(rules)
    assert rule.points is not None
    assert rule.shares is not None
    fu = None if rule.fu is None else 10 * tens
    winner, dealer = winner % players, dealer % players
    discarder = None if draw else (winner + 1) % players

    def received(fan: int) -> int:
        assert rule.points is not None
        assert rule.shares is not None
        basic, _ = basic_points(rule.points, fan, fu)
        assert basic <= rule.points.yakuman.basic
        return payments(rule.shares, basic, players, winner, dealer, discarder)[winner]

    assert received(fan) <= received(fan + 1)
    yakuman = payments(rule.shares, rule.points.yakuman.basic, players, winner, dealer, discarder)[winner]
    assert received(fan) <= yakuman


@pytest.mark.parametrize("rules", FAN_RULES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_riichi_never_makes_a_hand_pay_less(rules: str, data: st.DataObject) -> None:
    """Where it can be declared at all."""
    value = data.draw(built_hands(rules))
    value["context"] |= {"riichi": False, "double_riichi": False, "ippatsu": False}
    if not all(meld["type"] == "concealed_kong" for meld in value["melds"]):
        return
    before = score(hand_from_json(value))
    value["context"]["riichi"] = True
    after = score(hand_from_json(value))
    assert isinstance(after, Score)
    winner = value["context"]["winner"]
    if isinstance(before, Score):
        assert before.payments[winner] <= after.payments[winner]


@pytest.mark.parametrize("rules", FAN_RULES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_conditions_left_out_beforehand_do_not_hold(rules: str, data: st.DataObject) -> None:
    """The engine tests on a reading only what its form and its groups allow; that loses nothing."""
    hand = hand_from_json(data.draw(built_hands(rules)))
    for reading, held in held_by_reading(hand):
        seen = {one.yaku.id: times for one, times in held}
        sees = {Scope.HAND: hand.facts, Scope.SHAPE: reading.shape, Scope.READING: reading}
        for yaku in rule_set(rules).yaku:
            scope, form = yaku.condition.scope, yaku.condition.form
            if scope is Scope.CIRCUMSTANCES or form not in (None, reading.shape.form):
                continue
            times = yaku.condition.test(sees[scope])
            if times and (yaku.closed if hand.facts.closed else yaku.open):
                assert seen.pop(yaku.id) == times
            else:
                assert yaku.id not in seen
