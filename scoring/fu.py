"""Fu: the small points of a reading (rules, sections 3 and 4), and the table they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.layout import Layout
from scoring.shape import Form, Place, Reading, two_sided


@dataclass(frozen=True, slots=True)
class FuItem:
    """One item: what it is for, its fu, and the kinds it speaks of (none where it speaks of no group)."""

    id: str
    fu: int
    kinds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FuTable:
    """What each thing is worth.

    `runs[i]`, `pairs[i]` are by number; `triplets[k]` those of kind k as open triplet, closed triplet, open kong,
    closed kong. `pairs_alone` is the fixed value of a hand of pairs, or None where its pairs are summed.
    `self_draw_unless` is the yaku that takes the self-draw's fu away.
    """

    base: int
    closed_discard: int
    self_draw: int
    self_draw_unless: str
    wait: int
    pairs_alone: int | None
    round_up_to: int
    runs: tuple[int, ...]
    pairs: tuple[int, ...]
    triplets: tuple[tuple[int, int, int, int], ...]


FU_NAMES: Final = {
    "base": ("底符", "Base"),
    "closed_discard": ("门清点和", "Closed win by discard"),
    "self_draw": ("自摸", "Self-draw"),
    "wait": ("边坎吊", "Edge, closed or single wait"),
    "pairs_alone": ("对子固定", "Hand of pairs, fixed"),
    "run": ("顺子", "Run"),
    "open_triplet": ("明刻", "Open triplet"),
    "closed_triplet": ("暗刻", "Closed triplet"),
    "open_kong": ("明杠", "Open kong"),
    "closed_kong": ("暗杠", "Closed kong"),
    "pair": ("对子", "Pair"),
    "rounding": ("进整", "Rounded up"),
}
"""Names of the items (zh, en)."""

_TRIPLET_IDS: Final = ("open_triplet", "closed_triplet", "open_kong", "closed_kong")


def fu_table(table: Mapping[str, Any], layout: Layout) -> FuTable:
    """The fu table of a rule set's `[fu]`.

    Either triplets and pairs are listed outright, or each tile has a value that groups multiply. Raises LayoutError.
    """
    each = [0] * layout.size
    for line in table.get("tiles", ()):
        for kind in layout.kinds(line["of"]):
            each[kind] = line["each"]
    pairs = [2 * each[a] if a == b else 0 for a, b in layout.pairs]
    triplets = [(0, 0, 0, 0)] * layout.size
    for line in table["triplets"]:
        for kind in layout.kinds(line["of"]):
            if "fu" in line:
                a, b, c, d = line["fu"]
            else:
                a, b, c, d = (
                    size * each[kind] * times for size, times in zip((3, 3, 4, 4), line["times"], strict=True)
                )
            triplets[kind] = (a, b, c, d)
    for line in table["pairs"]:
        for kind in layout.kinds(line["of"]):
            pairs[kind] = line["fu"] if "fu" in line else pairs[kind] * line["times"]
    return FuTable(
        base=table["base"],
        closed_discard=table["closed_discard"],
        self_draw=table["self_draw"],
        self_draw_unless=table.get("self_draw_unless", ""),
        wait=table["wait"],
        pairs_alone=table.get("pairs_alone"),
        round_up_to=table["round_up_to"],
        runs=tuple(each[a] + each[b] + each[c] for a, b, c in layout.runs),
        pairs=tuple(pairs),
        triplets=tuple(triplets),
    )


def fu_items(table: FuTable, layout: Layout, reading: Reading, *, no_self_draw: bool) -> tuple[FuItem, ...]:
    """Every item of a reading's fu, the rounding too; their sum is the reading's fu.

    `no_self_draw` says that the reading has the yaku that takes the self-draw's fu away.
    """
    shape = reading.shape
    facts = shape.facts
    if shape.form is Form.PAIRS and table.pairs_alone is not None:
        return (FuItem("pairs_alone", table.pairs_alone),)
    items = [FuItem("base", table.base)]
    if facts.closed and not facts.self_draw:
        items.append(FuItem("closed_discard", table.closed_discard))
    if facts.self_draw and not no_self_draw:
        items.append(FuItem("self_draw", table.self_draw))
    if not _open_ended(layout, reading):
        items.append(FuItem("wait", table.wait))
    items += [FuItem("run", table.runs[run], layout.runs[run]) for run in shape.runs]
    items += _triplets(table, reading)
    for pair in shape.pairs or (shape.pair,):
        items.append(FuItem("pair", table.pairs[pair], layout.pairs[pair]))
    items = [item for item in items if item.fu]
    total = sum(item.fu for item in items)
    if over := -total % table.round_up_to:
        items.append(FuItem("rounding", over))
    return tuple(items)


def _triplets(table: FuTable, reading: Reading) -> list[FuItem]:
    """Triplets in hand, then those called; the one that a discard completes is open."""
    shape = reading.shape
    called = shape.facts.called
    opened = reading.part if reading.place is Place.TRIPLET and not shape.facts.self_draw else -1
    worth: list[tuple[int, int]] = []
    for kind in shape.free_triplets:
        worth.append((kind, 0 if kind == opened else 1))
        if kind == opened:
            opened = -1
    concealed = list(called.hidden)
    kongs = list(called.kongs)
    for kind in called.triplets:
        if kind not in kongs:
            worth.append((kind, 0))
            continue
        kongs.remove(kind)
        if kind in concealed:
            concealed.remove(kind)
            worth.append((kind, 3))
        else:
            worth.append((kind, 2))
    size = (3, 3, 4, 4)
    return [FuItem(_TRIPLET_IDS[how], table.triplets[kind][how], (kind,) * size[how]) for kind, how in worth]


def _open_ended(layout: Layout, reading: Reading) -> bool:
    """Whether the wait is worth nothing: two-sided, or one of two pairs for a triplet."""
    if reading.place is Place.TRIPLET:
        return True
    if reading.place is Place.PAIR:
        return False
    return two_sided(layout, reading)
