"""The fast splitter against one that tries everything."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest

from scoring import rule_set
from scoring.layout import Counts, Layout
from scoring.splits import nearest, pairs_alone, splitter

Parts = tuple[tuple[int, ...], ...]


def every_split(layout: Layout, counts: Counts, groups: int) -> set[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """All choices of that many groups and a pair that make the counts, by trying each."""
    possible = [("run", i, run) for i, run in enumerate(layout.runs)]
    possible += [("triplet", kind, (kind,) * 3) for kind in range(layout.size)]
    possible = [one for one in possible if all(counts[kind] >= one[2].count(kind) for kind in one[2])]
    pairs = [(i, kinds) for i, kinds in enumerate(layout.pairs) if all(counts[k] >= kinds.count(k) for k in kinds)]
    found = set()
    for chosen in combinations_with_replacement(possible, groups):
        for pair, kinds in pairs:
            if layout.count([kind for part in chosen for kind in part[2]] + list(kinds)) == counts:
                runs = tuple(sorted(number for sort, number, _ in chosen if sort == "run"))
                triplets = tuple(sorted(number for sort, number, _ in chosen if sort == "triplet"))
                found.add((runs, triplets, pair))
    return found


@pytest.mark.parametrize("id", ["xiangqi-1", "xiangqi-2", "xiangqi-3", "junqi-1", "junqi-4", "paigow-1"])
def test_all_splits_and_no_others(id: str) -> None:
    rules = rule_set(id)
    layout = rules.layout
    rng = random.Random(id)
    for _ in range(60):
        # Few kinds beside each other, so that there is more than one way.
        groups = rng.randint(0, min(rules.groups, 3))
        near = rng.choice(layout.runs)
        parts: list[tuple[int, ...]] = [rng.choice(layout.pairs)]
        for _ in range(groups):
            run = rng.choice([near, rng.choice(layout.runs)])
            parts.append(run if rng.random() < 0.6 else (rng.choice(near),) * 3)
        tiles = [kind for part in parts for kind in part]
        if rng.random() < 0.2:
            tiles[0] = rng.randrange(layout.size)
        counts = layout.count(tiles)
        found = splitter(layout)(counts)
        assert len(found) == len(set(found))
        assert set(found) == every_split(layout, counts, groups)


def test_many_soldiers_split_into_triplets_and_one_pair() -> None:
    rules = rule_set("xiangqi-3")
    counts = rules.layout.count([rules.layout.kind("rP")] * 8)
    assert splitter(rules.layout)(counts) == (((), (6, 6), 6),)
    assert pairs_alone(counts, 4) == ()


def test_pairs_alone_are_all_different() -> None:
    layout = rule_set("junqi-1").layout
    assert pairs_alone(layout.count([0, 0, 3, 3, 7, 7, 9, 9]), 4) == (0, 3, 7, 9)
    assert pairs_alone(layout.count([0, 0, 3, 3, 7, 7, 7, 7]), 4) == ()
    assert pairs_alone(layout.count([0, 0]), 4) == ()
    assert pairs_alone(layout.count([]), 0) == ()


@pytest.mark.parametrize(
    ("id", "text", "expected"),
    [
        ("xiangqi-3", "rKrArE rHrHrH rPrP", (2, True)),
        ("xiangqi-3", "rKrArE rHrHrH rPbP", (2, False)),
        ("xiangqi-3", "rKrArE rHrC rPbP", (1, False)),
        ("xiangqi-3", "rKrArE rHrH rPbP", (1, True)),
        ("xiangqi-3", "rKbA rHbC rPbP", (0, False)),
        ("xiangqi-3", "rPrPrP rK", (1, False)),
        ("xiangqi-2", "rKbK rPrPrP", (1, True)),
        ("junqi-2", "r1r2r3 r2r3r4 r5r5", (2, True)),
    ],
)
def test_what_comes_nearest(id: str, text: str, expected: tuple[int, bool]) -> None:
    layout = rule_set(id).layout
    counts = layout.count([kind for group in text.split() for kind in layout.spelled(group)])
    assert nearest(layout, counts) == expected
