"""The ledger's arithmetic."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spelling import won

from scoring import Score, rule_set, rule_sets
from scoring.ledger import LedgerError, Standing, declare, draw, penalty, start, win

XIANGQI = rule_set("xiangqi-4")


def total(standing: Standing) -> int:
    return sum(standing.points) + standing.sticks


def score_at(winner: int = 0, dealer: int = 0, discarder: int = 1, rules: str = "xiangqi-4", **how: Any) -> Score:
    return won(rules, "rCrCrC bPbP", "bCbCbC", winner=winner, dealer=dealer, discarder=discarder, **how)


def test_the_start() -> None:
    assert start(XIANGQI, 4) == Standing((25000,) * 4, 0, 0)
    assert start(rule_set("duanzi"), 3).points == (0, 0, 0)
    with pytest.raises(LedgerError) as caught:
        start(XIANGQI, 3)
    assert caught.value.code == "wrong_player_count"


def test_riichi_sticks_go_to_the_winner() -> None:
    standing = declare(XIANGQI, declare(XIANGQI, start(XIANGQI, 4), 2), 3)
    assert standing == Standing((25000, 25000, 24000, 24000), 0, 2000)
    after = win(XIANGQI, standing, [score_at(winner=3)])
    assert after == Standing((25000, 21100, 24000, 29900), 1, 0)
    assert total(after) == total(standing) == 100_000


def test_the_dealer_stays_when_winning() -> None:
    assert win(XIANGQI, start(XIANGQI, 4), [score_at(winner=0)]).dealer == 0
    assert win(XIANGQI, start(XIANGQI, 4), [score_at(winner=2)]).dealer == 1
    last = Standing((0, 0, 0, 0), 3)
    assert win(XIANGQI, last, [score_at(winner=0, dealer=3)]).dealer == 0


def test_several_winners_on_one_discard() -> None:
    standing = declare(XIANGQI, start(XIANGQI, 4), 3)
    after = win(XIANGQI, standing, [score_at(winner=0, discarder=2), score_at(winner=3, discarder=2)])
    # 3 sits first after 2 and takes the stick; the dealer is among the winners.
    assert after == Standing((25000 + 5800, 25000, 25000 - 5800 - 3900, 24000 + 3900 + 1000), 0, 0)
    assert total(after) == 100_000


def test_in_quzhou_the_winner_deals_next() -> None:
    rules = rule_set("quzhou")
    score = won("quzhou", "1m2m3m 4p5p6p 7s8s9s 1z1z1z 2z2z", winner=2, dealer=0, discarder=3)
    assert win(rules, start(rules, 4), [score]) == Standing((0, 0, 2, -2), 2)
    assert draw(rules, start(rules, 4)) == start(rules, 4)


@pytest.mark.parametrize(
    ("waiting", "points", "dealer"),
    [
        ((), (0, 0, 0, 0), 1),
        ((0,), (3000, -1000, -1000, -1000), 0),
        ((1, 2), (-1500, 1500, 1500, -1500), 1),
        ((0, 1, 2), (1000, 1000, 1000, -3000), 0),
        ((0, 1, 2, 3), (0, 0, 0, 0), 0),
    ],
)
def test_a_draw_in_xiangqi_4(waiting: tuple[int, ...], points: tuple[int, ...], dealer: int) -> None:
    assert draw(XIANGQI, Standing((0,) * 4), waiting) == Standing(points, dealer)
    sticks = Standing((0,) * 4, 0, 1000)
    assert draw(XIANGQI, sticks, waiting).sticks == 1000


def test_a_draw_elsewhere() -> None:
    assert draw(rule_set("duanzi"), Standing((0,) * 4, 2)) == Standing((1, 1, -3, 1), 2)
    assert draw(rule_set("duanzi"), Standing((0,) * 2, 1)) == Standing((1, -1), 1)
    assert draw(rule_set("lata"), Standing((0,) * 4, 3)) == Standing((0,) * 4, 0)
    assert draw(rule_set("junqi-2"), Standing((0,) * 4, 1), (1,)) == Standing((0,) * 4, 1)


def test_a_penalty() -> None:
    assert penalty(Standing((5, 5), 1, 3), (-8, 8)) == Standing((-3, 13), 1, 3)
    for payments, code in [((1, 1), "not_zero"), ((1, -1, 0), "wrong_player_count")]:
        with pytest.raises(LedgerError) as caught:
            penalty(Standing((5, 5)), payments)
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("scores", "code"),
    [
        ([], "no_winner"),
        ([score_at(dealer=1)], "other_table"),
        ([score_at(players=2)], "other_table"),
        ([score_at(), score_at()], "winner_twice"),
        ([score_at(), score_at(winner=1, by="self_draw")], "several_self_draws"),
        ([score_at(winner=2), score_at(winner=3, discarder=0)], "several_self_draws"),
    ],
)
def test_wins_that_do_not_fit(scores: list[Score], code: str) -> None:
    with pytest.raises(LedgerError) as caught:
        win(XIANGQI, start(XIANGQI, 4), scores)
    assert caught.value.code == code


def test_no_such_seat() -> None:
    for bad in (-1, 4):
        with pytest.raises(LedgerError) as caught:
            declare(XIANGQI, start(XIANGQI, 4), bad)
        assert caught.value.code == "no_such_seat"
    with pytest.raises(LedgerError):
        draw(XIANGQI, start(XIANGQI, 4), (7,))


@given(st.sampled_from(rule_sets()), st.integers(0, 3), st.sets(st.integers(0, 3)), st.booleans(), st.integers(0, 3))
def test_sums_never_change(rules: str, dealer: int, waiting: set[int], declared: bool, winner: int) -> None:
    rule = rule_set(rules)
    standing = Standing(start(rule, 4).points, dealer)
    before = total(standing)
    if declared:
        standing = declare(rule, standing, winner)
    assert total(standing) == before
    assert total(draw(rule, standing, tuple(waiting))) == before
    if rules == "xiangqi-4":
        won_by = score_at(winner=winner, dealer=dealer, discarder=(winner + 1) % 4)
        assert total(win(rule, standing, [won_by])) == before
