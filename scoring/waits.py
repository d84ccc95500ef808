"""Which tiles complete a hand, what each would pay, and which discards leave a hand waiting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring import fan, units
from scoring.hand import By, Context, Hand, HandError, Meld, refusals
from scoring.result import Score
from scoring.ruleset import RuleSet
from scoring.tiles import Tile


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes a hand: how many are left outside it, and the scores; None where it would be no win."""

    tile: Tile
    left: int
    by_discard: Score | None
    by_self_draw: Score | None

    def to_json(self) -> dict[str, Any]:
        """`{"tile", "left", "discard", "self_draw"}`; the last two are result objects or null."""
        return {
            "tile": self.tile.code,
            "left": self.left,
            "discard": self.by_discard.to_json() if self.by_discard else None,
            "self_draw": self.by_self_draw.to_json() if self.by_self_draw else None,
        }


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile to throw from a full hand, and what the rest would then wait for."""

    tile: Tile
    waits: tuple[Wait, ...]

    def to_json(self) -> dict[str, Any]:
        """`{"tile", "waits"}`."""
        return {"tile": self.tile.code, "waits": [wait.to_json() for wait in self.waits]}


def waits(hand: Hand) -> tuple[Tile, ...]:
    """The tiles for which the hand without its winning tile is waiting, in the rule set's order.

    A tile counts as long as one is left outside the hand and the indicators, whether it would earn a yaku or not. In
    the rule sets with a wild tile those count with which the hand would win by self-draw.
    """
    rules = hand.rules
    counts = list(hand.counts)
    counts[hand.win_kind] -= 1
    left = _left(hand)
    if rules.units is not None:
        return units.waiting_tiles(hand, tuple(counts), left)
    return fan.waiting_tiles(hand, tuple(counts), left)


def _left(hand: Hand) -> tuple[int, ...]:
    """How many tiles of each kind there are outside the hand without its winning tile, the indicators and the wild."""
    rules, context = hand.rules, hand.context
    left = [number - held for number, held in zip(rules.number, hand.facts.counts, strict=True)]
    left[hand.win_kind] += 1
    shown = context.dora_indicators + context.ura_indicators + ((context.wild,) if context.wild else ())
    for tile in shown:
        left[rules.layout.index[tile.code]] -= 1
    return tuple(left)


def what_if(hand: Hand) -> tuple[Wait, ...]:
    """What each tile that completes the hand, in place of its winning tile, would pay by discard and by self-draw.

    Circumstances that belong to one way of winning are dropped for the other; where no discarder is named, the next
    seat's player discards.
    """
    left = _left(hand)
    index = hand.rules.layout.index
    context = hand.context
    drawn = replace(context, discarder=None)
    discarder = context.discarder
    if discarder is None or discarder == context.winner:
        discarder = (context.winner + 1) % context.players
    thrown = replace(context, discarder=discarder, replacement=False, first_turn=False)
    return tuple(
        Wait(
            tile,
            left[index[tile.code]],
            _scored(replace(hand, win=tile, by=By.DISCARD, context=thrown)),
            _scored(replace(hand, win=tile, by=By.SELF_DRAW, context=drawn)),
        )
        for tile in waits(hand)
    )


def _scored(hand: Hand) -> Score | None:
    return fan.score_by_fan(hand) if hand.rules.units is None else units.score_by_units(hand)


def discards(hand: Hand) -> tuple[Discard, ...]:
    """The tiles of a full hand to throw so that the rest waits, those with the most tiles to wait for first."""
    full = (*hand.concealed, hand.win)
    found = []
    for tile in sorted(set(full), key=lambda tile: tile.order):
        rest = list(full)
        rest.remove(tile)
        # The thrown tile stands for the winning one, which the waits do not look at; it cannot come back, though.
        waiting = [
            replace(wait, left=wait.left - (wait.tile == tile))
            for wait in what_if(replace(hand, concealed=tuple(rest), win=tile))
        ]
        if still := tuple(wait for wait in waiting if wait.left):
            found.append(Discard(tile, still))
    return tuple(sorted(found, key=lambda one: -sum(wait.left for wait in one.waits)))


def waiting_hand(
    rules: RuleSet, concealed: Sequence[Tile], melds: Sequence[Meld] = (), context: Context | None = None
) -> Hand:
    """A hand that still waits, for `waits` and `what_if`: the winning tile is any of which one is left.

    Raises HandError where the tiles cannot be.
    """
    context = context or Context(players=rules.players[0])
    reasons = tuple(refusals(rules, concealed, melds, None, By.SELF_DRAW, context))
    if reasons:
        raise HandError(reasons)
    held = [tile.code for tile in concealed] + [tile.code for meld in melds for tile in meld.tiles]
    held += [tile.code for tile in context.dora_indicators + context.ura_indicators]
    held += [context.wild.code] if context.wild else []
    win = max(rules.tiles, key=lambda tile: rules.copies(tile.code) - held.count(tile.code))
    return Hand(rules, tuple(concealed), tuple(melds), win, By.SELF_DRAW, context)
