"""The arithmetic of a session: points by seat, who deals next, riichi sticks, draws and several winners.

Nothing here is kept or written; each function gives the standing after an event from the one before. The points of all
seats and the sticks on the table always sum to what they summed to before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from scoring.hand import Reason
from scoring.result import Score
from scoring.ruleset import RuleSet


class LedgerError(ValueError):
    """An event that cannot follow; `code` is fixed and the message says how to mend it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.code: Final = reason.code


@dataclass(frozen=True, slots=True)
class Standing:
    """Points by seat, the dealer's seat, and the points that lie on the table as riichi sticks."""

    points: tuple[int, ...]
    dealer: int = 0
    sticks: int = 0

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.points)


def start(rules: RuleSet, players: int) -> Standing:
    """The standing before the first hand. Raises LedgerError where the rules know no such number of players."""
    if players not in rules.players:
        allowed = ", ".join(str(number) for number in rules.players)
        raise LedgerError(Reason("wrong_player_count", f"{players} players, but {rules.id} is played by {allowed}"))
    return Standing((rules.deal.start,) * players)


def declare(rules: RuleSet, standing: Standing, seat: int) -> Standing:
    """A player declares riichi and lays its stick on the table."""
    _seat(standing, seat)
    points = list(standing.points)
    points[seat] -= rules.deal.stick
    return replace(standing, points=tuple(points), sticks=standing.sticks + rules.deal.stick)


def win(rules: RuleSet, standing: Standing, scores: Sequence[Score]) -> Standing:
    """One or several players win the hand; several only on the same discard or robbed kong.

    The sticks go to the winner who sits first after the discarder. Raises LedgerError where the wins do not fit
    together or the standing.
    """
    _fit(standing, scores)
    points = list(standing.points)
    for score in scores:
        for seat, paid in enumerate(score.payments):
            points[seat] += paid
    winners = [score.hand.context.winner for score in scores]
    discarder = scores[0].hand.context.discarder
    first = (
        min(winners, key=lambda seat: (seat - discarder - 1) % standing.players)
        if discarder is not None
        else winners[0]
    )
    stays = standing.dealer in winners
    dealer = first if rules.deal.winner_deals else standing.dealer if stays else _next(standing)
    return collect(Standing(tuple(points), dealer, standing.sticks), first)


def collect(standing: Standing, seat: int) -> Standing:
    """The riichi sticks on the table go to a seat."""
    _seat(standing, seat)
    points = list(standing.points)
    points[seat] += standing.sticks
    return replace(standing, points=tuple(points), sticks=0)


def _fit(standing: Standing, scores: Sequence[Score]) -> None:
    contexts = [score.hand.context for score in scores]
    if not scores:
        raise LedgerError(Reason("no_winner", "a win needs a score; use draw for a hand that nobody wins"))
    if any(context.players != standing.players or context.dealer != standing.dealer for context in contexts):
        raise LedgerError(Reason("other_table", "a score's players or dealer are not those of this table"))
    if len(scores) > 1:
        if len({context.winner for context in contexts}) < len(scores):
            raise LedgerError(Reason("winner_twice", "the same seat wins twice"))
        if any(score.hand.facts.self_draw for score in scores) or len({c.discarder for c in contexts}) > 1:
            raise LedgerError(Reason("several_self_draws", "several players win only on the same discard"))


def draw(rules: RuleSet, standing: Standing, waiting: Sequence[int] = ()) -> Standing:
    """The wall runs out; `waiting` are the seats whose hand waits, which matters only where the rules pay for it."""
    for seat in (standing.dealer, *waiting):
        _seat(standing, seat)
    deal = rules.deal
    players = standing.players
    change = [0] * players
    idle = players - len(set(waiting))
    if deal.draw_pool and 0 < idle < players:
        for seat in range(players):
            change[seat] = deal.draw_pool // (players - idle) if seat in waiting else -(deal.draw_pool // idle)
    if deal.draw_dealer_pays:
        change = [deal.draw_dealer_pays] * players
        change[standing.dealer] = -deal.draw_dealer_pays * (players - 1)
    stays = {"stays": True, "passes": False, "stays_if_waiting": standing.dealer in waiting}[deal.after_draw]
    points = tuple(before + paid for before, paid in zip(standing.points, change, strict=True))
    return replace(standing, points=points, dealer=standing.dealer if stays else _next(standing))


def penalty(standing: Standing, payments: Sequence[int], sticks: int = 0) -> Standing:
    """Points change hands outside a win, as `payments` by seat say, of which `sticks` go onto the table.

    Raises LedgerError where they do not sum to zero.
    """
    if len(payments) != standing.players:
        raise LedgerError(Reason("wrong_player_count", f"{len(payments)} payments for {standing.players} seats"))
    total = sum(payments) + sticks
    if total:
        raise LedgerError(Reason("not_zero", f"the payments sum to {total}, not to zero"))
    points = tuple(before + paid for before, paid in zip(standing.points, payments, strict=True))
    return replace(standing, points=points, sticks=standing.sticks + sticks)


def _next(standing: Standing) -> int:
    return (standing.dealer + 1) % standing.players


def _seat(standing: Standing, seat: int) -> None:
    if not 0 <= seat < standing.players:
        raise LedgerError(Reason("no_such_seat", f"{seat} is no seat: seats run from 0 to {standing.players - 1}"))
