"""Conditions of the xiangqi rule sets (rules, section 3)."""

from __future__ import annotations

from scoring.condition import Condition, Parameters, condition, on_hand, on_shape
from scoring.layout import Layout


@condition
def at_least_one_kind(layout: Layout, given: Parameters) -> Condition:
    """At least `times` tiles of one kind of `of`."""
    kinds, times = given.kinds(layout), given.times
    return on_hand(lambda facts: any(facts.counts[kind] >= times for kind in kinds))


@condition
def mixed_pair(layout: Layout, given: Parameters) -> Condition:
    """The pair is of two kinds: 帅 with 将."""
    size = layout.size
    return on_shape(lambda shape: shape.pair >= size)
