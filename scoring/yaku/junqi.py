"""Conditions of the junqi rule sets (rules, section 4)."""

from __future__ import annotations

from itertools import pairwise

from scoring.condition import Condition, Parameters, condition, on_reading, on_shape
from scoring.layout import Layout
from scoring.shape import Reading, Shape, two_sided


@condition
def consecutive_triplets(layout: Layout, given: Parameters) -> Condition:
    """Triplets of `times` consecutive ranks of one colour."""
    officers = layout.kinds("officers")
    colour = [tile.colour for tile in layout.tiles]
    after = {a: b for a, b in pairwise(officers) if colour[a] == colour[b]}
    times = given.times

    def test(shape: Shape) -> int:
        held = set(shape.triplets)
        for kind in held:
            length = 1
            while after.get(kind) in held:
                kind = after[kind]
                length += 1
            if length >= times:
                return 1
        return 0

    return on_shape(test, triplets=times)


@condition
def repeated_triplet_in_both_colours(layout: Layout, given: Parameters) -> Condition:
    """Two triplets of one name in each colour."""
    twin = layout.twin

    def test(shape: Shape) -> int:
        count = shape.triplets.count
        return any(count(kind) >= 2 and count(twin[kind]) >= 2 for kind in shape.triplets)

    return on_shape(test, triplets=4)


@condition
def twin_runs_in_both_colours(layout: Layout, given: Parameters) -> Condition:
    """The same run twice in each colour."""
    twin = layout.run_twin

    def test(shape: Shape) -> int:
        count = shape.runs.count
        return any(count(run) >= 2 and count(twin[run]) >= 2 for run in shape.runs)

    return on_shape(test, runs=4)


@condition
def four_runs_two_sided(layout: Layout, given: Parameters) -> Condition:
    """平和: four runs, the pair none of `of`, and a tile at either end would have completed the run.

    The yaku is worth nothing open, so that the hand is closed is its value's business.
    """
    barred = frozenset(given.kinds(layout))

    def test(reading: Reading) -> int:
        shape = reading.shape
        return not shape.triplets and shape.pair not in barred and two_sided(layout, reading)

    return on_reading(test, runs=4)
