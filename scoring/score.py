"""One way in: what a hand is worth, or why it does not win."""

from __future__ import annotations

from scoring import fan, units
from scoring.hand import Hand
from scoring.result import NoWin, Score
from scoring.waits import waits


def score(hand: Hand) -> Score | NoWin:
    """What a hand is worth in its best reading, or all the reasons why it does not win and where it waits."""
    in_units = hand.rules.units is not None
    found = units.score_by_units(hand) if in_units else fan.score_by_fan(hand)
    if found is not None:
        return found
    return NoWin(hand, units.lacks_of(hand) if in_units else fan.lacks_of(hand), waits(hand))
