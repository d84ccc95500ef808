"""One way in: what a hand is worth, or why it does not win."""

from __future__ import annotations

from scoring.fan import score_by_fan
from scoring.hand import Hand
from scoring.result import NoWin, Score
from scoring.units import score_by_units
from scoring.waits import waits


def score(hand: Hand) -> Score | NoWin:
    """What a hand is worth in its best reading, or all the reasons why it does not win and where it waits."""
    found = score_by_fan(hand) if hand.rules.units is None else score_by_units(hand)
    if isinstance(found, Score):
        return found
    return NoWin(hand, found, waits(hand))
