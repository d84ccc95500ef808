"""Which tiles complete a hand."""

from __future__ import annotations

from scoring.fan import waiting_tiles
from scoring.hand import Hand
from scoring.tiles import Tile
from scoring.units import waiting_tiles_with_wild


def waits(hand: Hand) -> tuple[Tile, ...]:
    """The tiles for which the hand without its winning tile is waiting, in the rule set's order.

    In the rule sets with a wild tile those with which it would win by self-draw.
    A tile counts as long as one is left outside the hand and the indicators, whether it would earn a yaku or not.
    """
    rules = hand.rules
    index = rules.layout.index
    counts = list(hand.counts)
    counts[hand.win_kind] -= 1
    left = [number - held for number, held in zip(rules.number, hand.facts.counts, strict=True)]
    left[hand.win_kind] += 1
    if hand.context.wild is not None:
        left[index[hand.context.wild.code]] -= 1
    for tile in hand.context.dora_indicators + hand.context.ura_indicators:
        left[index[tile.code]] -= 1
    if rules.units is not None:
        return waiting_tiles_with_wild(rules, tuple(counts), tuple(left), hand)
    return waiting_tiles(rules, hand.facts, tuple(counts), tuple(left))
