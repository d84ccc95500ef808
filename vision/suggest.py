"""The winning hand nearest to the reading: which doubtful tiles, read as what they may also be, would make it win."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from typing import Final

import scoring
from scoring.fan import score_by_fan
from scoring.units import score_by_units
from vision.hand import Assembly
from vision.reading import Change, Sighting, Suggestion

# In nats: what all changes together may cost, the odds of the readings against those of the labels put in their place.
DEAREST: Final = 7.0
CHANGES: Final = 3
_TRIES: Final = 400
_LEAST_SHARE: Final = 0.002


def nearest_win(assembly: Assembly, rules: scoring.RuleSet) -> Suggestion | None:
    """The likeliest other names of concealed tiles and the winning one with which the hand wins.

    Wins are looked for as self-drawn, which all rules know. None where the hand wins as it was read, where it has a
    wrong number of tiles, and where no such names are near.
    """
    hand = assembly.hand
    if hand.win is None or len(hand.concealed) + 3 * len(hand.melds) != rules.hand_size:
        return None
    places = (*hand.concealed, hand.win)
    codes = {place: assembly.tiles[place].code for place in places}
    if None in codes.values() or _wins(assembly, rules, {}):
        return None
    options = [(place, _others(assembly.tiles[place], rules)) for place in places]
    for tries, changed in enumerate(_cheapest([(place, others) for place, others in options if others])):
        if tries == _TRIES:
            return None
        if _wins(assembly, rules, {place: code for place, code, _ in changed}):
            changes = tuple(Change(place, str(codes[place]), code, share) for place, code, share in sorted(changed))
            return Suggestion(changes)
    return None


Option = tuple[float, str, float]
Changed = tuple[int, str, float]
Way = tuple[tuple[int, int], ...]


def _others(tile: Sighting, rules: scoring.RuleSet) -> list[Option]:
    """What a tile may be instead: cost in nats, code and share, the cheapest first."""
    held = max(tile.confidence, _LEAST_SHARE)
    others = [
        (max(0.0, math.log(held / share)), code, share)
        for code, share in tile.alternatives
        if code != tile.code and share >= _LEAST_SHARE and rules.copies(code)
    ]
    return sorted(option for option in others if option[0] <= DEAREST)


def _cheapest(tiles: Sequence[tuple[int, list[Option]]]) -> Iterator[list[Changed]]:
    """Ways to change one to three tiles, the cheapest first, within `DEAREST`.

    Each way comes from a cheaper one: by taking the last tile's next option, by changing the next tile in its place, or
    by changing the next tile too.
    """
    tiles = sorted(tiles, key=lambda tile: tile[1][0][0])
    if not tiles:
        return

    def cost(way: Way) -> float:
        return sum(tiles[tile][1][option][0] for tile, option in way)

    first: Way = ((0, 0),)
    waiting = [(cost(first), first)]
    while waiting:
        price, way = heapq.heappop(waiting)
        if price > DEAREST:
            return
        yield [(tiles[tile][0], *tiles[tile][1][option][1:]) for tile, option in way]
        before, (tile, option) = way[:-1], way[-1]
        following: list[Way] = []
        if option + 1 < len(tiles[tile][1]):
            following.append((*before, (tile, option + 1)))
        if tile + 1 < len(tiles):
            if option == 0:
                following.append((*before, (tile + 1, 0)))
            if len(way) < CHANGES:
                following.append((*way, (tile + 1, 0)))
        for other in following:
            heapq.heappush(waiting, (cost(other), other))


def _wins(assembly: Assembly, rules: scoring.RuleSet, changed: dict[int, str]) -> bool:
    """Whether the hand wins as self-drawn, with some tiles read as something else."""
    hand = assembly.hand

    def code(place: int) -> str:
        return changed.get(place) or assembly.tiles[place].code or ""

    value = {
        "rules": rules.id,
        "concealed": [code(place) for place in hand.concealed],
        "melds": [{"type": meld.type, "tiles": list(meld.codes)} for meld in hand.melds],
        "win": code(hand.win if hand.win is not None else -1),
        "by": scoring.By.SELF_DRAW.value,
    }
    try:
        whole = scoring.hand_from_json(value, rules)
    except scoring.HandError:
        return False
    return (score_by_fan(whole) if rules.units is None else score_by_units(whole)) is not None
