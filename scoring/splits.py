"""All ways to split tiles into groups and a pair.

The kinds fall into blocks that no run crosses, so each block is split by itself, and remembered: few different blocks
occur in play.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product

from scoring.layout import Counts, Layout

Split = tuple[tuple[int, ...], tuple[int, ...], int]
"""Runs and triplets, both sorted, and the pair (-1 for none)."""

_REMEMBERED = 1 << 16
_TABLES = 64
"""How many layouts are kept: each house rules file that is read makes one."""


@lru_cache(_TABLES)
def splitter(layout: Layout) -> Callable[[Counts], tuple[Split, ...]]:
    """The function that gives all splits of a layout's counts into groups and one pair, in a fixed order."""
    blocks = [(start, stop, _block(layout, start, stop)) for start, stop in layout.blocks]

    def splits(counts: Counts) -> tuple[Split, ...]:
        found: tuple[Split, ...] | None = None
        for start, stop, block in blocks:
            ways = block(counts[start:stop])
            if not ways:
                return ()
            found = ways if found is None else _together(found, ways)
        assert found is not None
        return found

    return splits


def _together(first: tuple[Split, ...], second: tuple[Split, ...]) -> tuple[Split, ...]:
    return tuple(
        (runs + more_runs, triplets + more_triplets, pair if pair >= 0 else other)
        for (runs, triplets, pair), (more_runs, more_triplets, other) in product(first, second)
        if pair < 0 or other < 0
    )


def _block(layout: Layout, start: int, stop: int) -> Callable[[Counts], tuple[Split, ...]]:
    """The splits of one block's counts: of groups alone, or with a pair where two tiles are over."""
    runs_from: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(stop - start)]
    for number, run in enumerate(layout.runs):
        if start <= run[0] < stop:
            kinds = tuple(sorted(kind - start for kind in run))
            runs_from[kinds[0]].append((number, kinds))
    pairs = [(i, a - start, b - start) for i, (a, b) in enumerate(layout.pairs) if start <= a < stop]

    @lru_cache(_REMEMBERED)
    def groups(counts: Counts) -> frozenset[tuple[tuple[int, ...], tuple[int, ...]]]:
        lowest = next((kind for kind, count in enumerate(counts) if count), None)
        if lowest is None:
            return frozenset([((), ())])
        found = set()
        left = list(counts)
        if counts[lowest] >= 3:
            left[lowest] -= 3
            for runs, triplets in groups(tuple(left)):
                found.add((runs, tuple(sorted((*triplets, lowest + start)))))
            left[lowest] += 3
        for number, kinds in runs_from[lowest]:
            if all(counts[kind] for kind in kinds):
                for kind in kinds:
                    left[kind] -= 1
                for runs, triplets in groups(tuple(left)):
                    found.add((tuple(sorted((*runs, number))), triplets))
                for kind in kinds:
                    left[kind] += 1
        return frozenset(found)

    @lru_cache(_REMEMBERED)
    def splits(counts: Counts) -> tuple[Split, ...]:
        over = sum(counts) % 3
        if over == 1:
            return ()
        if over == 0:
            return tuple((runs, triplets, -1) for runs, triplets in sorted(groups(counts)))
        found: list[Split] = []
        for pair, first, second in pairs:
            left = list(counts)
            left[first] -= 1
            left[second] -= 1
            if left[first] >= 0 and left[second] >= 0:
                found += [(runs, triplets, pair) for runs, triplets in sorted(groups(tuple(left)))]
        return tuple(found)

    return splits


def pairs_alone(counts: Counts, number: int) -> tuple[int, ...]:
    """The kinds of `number` different pairs that the counts make, or none."""
    if number and counts.count(2) == number and sum(counts) == 2 * number:
        return tuple(kind for kind, count in enumerate(counts) if count)
    return ()


def nearest(layout: Layout, counts: Counts) -> tuple[int, bool]:
    """The most groups that fit into the counts at once, and whether a pair fits beside as many."""
    found = _most(layout, counts)
    beside = max(
        (_most(layout, tuple(left)) for first, second in layout.pairs if (left := _without(counts, first, second))),
        default=-1,
    )
    return found, beside == found


def _without(counts: Counts, *kinds: int) -> list[int] | None:
    left = list(counts)
    for kind in kinds:
        left[kind] -= 1
    return left if min(left) >= 0 else None


@lru_cache(_REMEMBERED)
def _most(layout: Layout, counts: Counts) -> int:
    lowest = next((kind for kind, count in enumerate(counts) if count), None)
    if lowest is None:
        return 0
    found = 0
    for kinds in [(lowest,) * 3, *(run for run in layout.runs if min(run) == lowest)]:
        if left := _without(counts, *kinds):
            found = max(found, 1 + _most(layout, tuple(left)))
    left = list(counts)
    left[lowest] -= 1
    return max(found, _most(layout, tuple(left)))
