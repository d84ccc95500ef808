"""The labels of all tiles decoded together: no kind is there more often than the set holds it.

The likeliest labelling under limits is an assignment of tiles to copies of kinds, a minimum-cost flow. Starting from
each tile's own likeliest kind, the cheapest chains of relabelled tiles lead from a kind with too many to one with room
(successive shortest paths), which is exact. The limits are soft: mixed sets and odd pieces break them, so that a copy
too many costs a price and is kept where to explain it away would cost more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import Family, tiles_of
from vision.reading import Sighting

# In nats, as all costs here: what one copy too many is worth in doubt about its label.
EXTRA: Final = 6.0
# How much likelier one physical set must make what is seen before its limits hold.
ONE_SET: Final = 5.0
_LEAST_SHARE: Final = 1e-4

_SETS: Final[Mapping[Family, Mapping[str, int]]] = {
    Family.XIANGQI: {"K": 1, "A": 2, "E": 2, "R": 2, "H": 2, "C": 2, "P": 5},
    Family.JUNQI: {"1": 1, "2": 1, "3": 2, "4": 2, "5": 2, "6": 2, "7": 3, "8": 3, "9": 3, "L": 3, "B": 2, "F": 1},
}
"""What one side of a set of board-game pieces holds, by the role in its code."""


def within(sightings: Sequence[Sighting], copies: Mapping[str, int], extra: float = EXTRA) -> list[Sighting]:
    """The sightings with the likeliest labels of all together; `copies` is how many there are of each kind.

    Each copy beyond costs `extra` nats; a kind that `copies` does not name has no limit. A relabelled sighting keeps
    its alternatives, so that what it looks like by itself stays visible.
    """
    return _relabelled(sightings, *_flow(sightings, copies, extra))


def of_one_set(sightings: Sequence[Sighting], family: Family) -> list[Sighting]:
    """The sightings as pieces of one physical set, where that is clearly likelier than pieces of any number of sets.

    Players join sets for mahjong, so that only what is seen can tell (Bayes): labels drawn from one set without
    replacement, against labels drawn at will. A board of a game shows nearly the whole set and tells clearly; a hand
    with four alike tells the opposite. Families whose sets are never that small come back as they are.
    """
    if family not in _SETS:
        return list(sightings)
    copies = {side + role: count for side in "rb" for role, count in _SETS[family].items()}
    copies |= {tile.code: 0 for tile in tiles_of(family) if tile.code not in copies}
    kinds, labels, cost = _flow(sightings, copies, EXTRA)
    if not len(labels):
        return list(sightings)
    there = Counter(kinds[label] for label in labels)
    drawn = {kind: min(count, copies[kind]) for kind, count in there.items()}
    count, whole = sum(drawn.values()), sum(copies.values())
    from_set = sum(_orders(copies[kind], number) for kind, number in drawn.items()) - _orders(whole, count)
    at_will = -count * math.log(len(tiles_of(family)))
    price = float((cost[np.arange(len(labels)), labels] - cost.min(axis=1)).sum()) + EXTRA * (len(labels) - count)
    if from_set - price < at_will + ONE_SET:
        return list(sightings)
    return _relabelled(sightings, kinds, labels, cost)


def beyond(sightings: Sequence[Sighting], copies: Mapping[str, int]) -> dict[str, int]:
    """Kind → how many of it are seen, of those that are seen more often than there are."""
    seen = Counter(tile.code for tile in sightings if tile.code is not None)
    return {code: count for code, count in seen.items() if count > copies.get(code, count)}


def _orders(things: int, drawn: int) -> float:
    """The logarithm of the number of ways to draw so many things in order."""
    return math.lgamma(things + 1) - math.lgamma(things - drawn + 1)


Flow = tuple[list[str], NDArray[np.int_], NDArray[np.float64]]


def _flow(sightings: Sequence[Sighting], copies: Mapping[str, int], extra: float) -> Flow:
    """The kinds, the label of each tile that has one (a place among the kinds), and the cost of every label (N, K)."""
    named = [tile for tile in sightings if tile.code is not None]
    kinds = sorted({code for tile in named for code, _ in tile.alternatives} | copies.keys())
    place = {kind: n for n, kind in enumerate(kinds)}
    shares = np.full((len(named), len(kinds)), _LEAST_SHARE)
    for row, tile in zip(shares, named, strict=True):
        for code, share in tile.alternatives:
            row[place[code]] = max(share, _LEAST_SHARE)
    cost = -np.log(shares)
    if not named:
        return kinds, np.zeros(0, int), cost
    labels = cost.argmin(axis=1)
    room = np.array([copies.get(kind, len(named)) for kind in kinds])
    while True:
        counts = np.bincount(labels, minlength=len(kinds))
        chain = _cheapest_chain(cost, labels, counts > room, counts < room, extra)
        if not chain:
            return kinds, labels, cost
        for mover, label in chain:
            labels[mover] = label


def _cheapest_chain(
    cost: NDArray[np.float64],
    labels: NDArray[np.int_],
    over: NDArray[np.bool_],
    spare: NDArray[np.bool_],
    limit: float,
) -> list[tuple[int, int]]:
    """Tiles and their new labels: one more of a kind with room, one less of a kind with too many; empty where no such
    chain costs less than `limit`."""
    count = len(over)
    if not over.any() or not spare.any():
        return []
    step = np.full((count, count), np.inf)
    mover = np.zeros((count, count), int)
    for kind in np.unique(labels):
        tiles = np.flatnonzero(labels == kind)
        more = cost[tiles] - cost[tiles, kind][:, None]
        best = more.argmin(axis=0)
        step[kind], mover[kind] = more[best, np.arange(count)], tiles[best]
    np.fill_diagonal(step, np.inf)
    # Bellman and Ford: steps back along earlier ones gain.
    far = np.where(over, 0.0, np.inf)
    before = np.full(count, -1)
    for _ in range(count):
        ways = far[:, None] + step
        best = ways.argmin(axis=0)
        nearer = ways[best, np.arange(count)]
        better = nearer < far - 1e-9
        if not better.any():
            break
        far[better], before[better] = nearer[better], best[better]
    end = int(np.where(spare, far, np.inf).argmin())
    if not far[end] < limit:
        return []
    chain = []
    while before[end] >= 0:
        chain.append((int(mover[before[end], end]), end))
        end = int(before[end])
    return chain


def _relabelled(
    sightings: Sequence[Sighting], kinds: Sequence[str], labels: NDArray[np.int_], cost: NDArray[np.float64]
) -> list[Sighting]:
    """The sightings with these labels, and the shares that belong to them as confidence."""
    tiles = list(sightings)
    rows = [n for n, tile in enumerate(tiles) if tile.code is not None]
    for row, (n, label) in enumerate(zip(rows, labels, strict=True)):
        if kinds[label] != tiles[n].code:
            tiles[n] = replace(tiles[n], code=kinds[label], confidence=float(np.exp(-cost[row, label])))
    return tiles
