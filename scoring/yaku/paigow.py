"""Conditions of the paigow rule set (rules, section 5)."""

from __future__ import annotations

from scoring.condition import Condition, Parameters, condition, on_shape
from scoring.layout import Layout
from scoring.shape import Form, Shape


@condition
def each_group_has(layout: Layout, given: Parameters) -> Condition:
    """Every group and every pair holds a tile of `of`."""
    wanted = given.mask(layout)
    runs = frozenset(i for i, mask in enumerate(layout.run_masks) if mask & wanted)
    kinds = frozenset(given.kinds(layout))

    def test(shape: Shape) -> int:
        return (
            runs.issuperset(shape.runs)
            and kinds.issuperset(shape.triplets)
            and kinds.issuperset(shape.pairs)
            and (shape.pair < 0 or shape.pair in kinds)
        )

    return on_shape(test, form=None)


@condition
def linked_pairs(layout: Layout, given: Parameters) -> Condition:
    """Four pairs that share one half while the other is consecutive, or four consecutive doubles."""
    chains = [[(half, low + i) for i in range(4)] for half in range(1, 7) for low in range(1, 4)]
    chains += [[(low + i, low + i) for i in range(4)] for low in range(1, 4)]
    wanted = frozenset(frozenset(layout.kind(f"{max(ends)}{min(ends)}") for ends in chain) for chain in chains)
    return on_shape(lambda shape: frozenset(shape.pairs) in wanted, form=Form.PAIRS)
