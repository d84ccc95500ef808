"""Scoring in units: the mahjong rule sets with a wild tile (rules, section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from scoring.condition import Condition, Scope
from scoring.hand import Context, Hand
from scoring.layout import Counts
from scoring.result import Group, Lack, Score, called_group
from scoring.ruleset import Row, RuleSet, Step, UnitRules
from scoring.shape import Called, Circumstances, Facts
from scoring.tiles import Tile
from scoring.wild import WHITE, WILD, Slots, WildShape, forms, parts, plays


@dataclass(frozen=True, slots=True)
class UnitsEarned:
    """The row a hand counts by, or a step that adds to it, with its units."""

    rule: Row | Step
    units: int

    def to_json(self) -> dict[str, Any]:
        """The interface's form."""
        return {"id": self.rule.id, "zh": self.rule.name.zh, "en": self.rule.name.en, "units": self.units}


@dataclass(frozen=True, eq=False, repr=False)
class UnitScore(Score):
    """A score in units (段 or 番)."""

    shape: WildShape
    yaku: tuple[UnitsEarned, ...]
    units: int

    @property
    def steps_total(self) -> int:
        """The row with its steps (s in the rules), before a discard changes it; never below the table's least."""
        rules = self.hand.rules.units
        assert rules is not None
        return max(sum(earned.units for earned in self.yaku), rules.least)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The parts of the hand: those in hand, the pair or pairs, the melds in the order they were given."""
        return tuple(_groups(self.hand, self.shape))

    @property
    def win_in(self) -> int:
        """Which of `groups` holds the winning tile: the first in hand that has one like it."""
        return next(i for i, group in enumerate(self.groups) if self.hand.win in group.tiles)

    @cached_property
    def house(self) -> tuple[str, ...]:
        """Names of the house choices that the figure rests on."""
        named = [*self.hand.rules.house, *(earned.rule.house for earned in self.yaku)]
        return tuple(dict.fromkeys(name for name in named if name))

    def to_json(self) -> dict[str, Any]:
        """The result object of the interface."""
        return {
            "win": True,
            "yaku": [earned.to_json() for earned in self.yaku],
            "units": self.units,
            "payments": list(self.payments),
            "groups": [group.to_json() for group in self.groups],
            "win_in": self.win_in,
            "house": list(self.house),
        }


class _Worth(NamedTuple):
    """A shape's best row, first in the order in which they are ranked."""

    units: int
    number: int
    order: int
    shape: WildShape
    row: Row
    steps: tuple[Step, ...]


def score_by_units(hand: Hand) -> UnitScore | None:
    """The best row's score, or None where there is no win."""
    units = hand.rules.units
    assert units is not None
    worth = best_row(units, _shapes(hand))
    if worth is None:
        return None
    if units.steps:
        paid = _table_payments(units, worth.units, hand.facts, hand.context)
        earned = (UnitsEarned(worth.row, worth.row.units), *(UnitsEarned(step, step.add) for step in worth.steps))
        return UnitScore(hand, paid, worth.shape, earned, -min(paid) if not hand.facts.self_draw else worth.units)
    paid = _row_payments(units, worth.row, hand.facts, hand.context)
    value = paid[hand.context.winner] if units.total else -min(paid)
    return UnitScore(hand, paid, worth.shape, (UnitsEarned(worth.row, value),), value)


def _shapes(hand: Hand) -> tuple[WildShape, ...]:
    context = hand.context
    return tuple(shapes_of(hand.rules, hand.facts, hand.counts, hand.meld_plays, hand.meld_counts, context.wild))


def shapes_of(
    rules: RuleSet,
    facts: Facts,
    counts: Counts,
    melds: Sequence[tuple[Slots, ...]],
    meld_counts: Counts,
    wild: Tile | None,
) -> Iterator[WildShape]:
    """Every way to take a hand, in a fixed order."""
    assert rules.units is not None
    held = 0
    if wild is not None:
        kind = rules.layout.index[wild.code]
        held = counts[kind] + meld_counts[kind]
    single = len(melds) == rules.groups
    for played in plays(rules.layout, counts, melds, wild, rules.units.white_is_wild_kind):
        for form in forms(played):
            yield WildShape(facts, played, form, held, single)


def _holds(condition: Condition, shape: WildShape) -> bool:
    seen = shape.facts.circumstances if condition.scope is Scope.CIRCUMSTANCES else shape
    return bool(condition.test(seen))


def best_row(units: UnitRules, shapes: Sequence[WildShape]) -> _Worth | None:
    """The row that pays most among the shapes; the first in the table among equals."""
    if _barred(units, shapes[0]):
        return None
    best: _Worth | None = None
    for shape in shapes:
        if units.wins and not any(_holds(condition, shape) for condition in units.wins):
            continue
        for order, row in enumerate(units.rows):
            if (row.self_draw_only and not shape.facts.self_draw) or not _holds(row.condition, shape):
                continue
            steps = tuple(step for step in units.steps if row.id in step.rows and _holds(step.condition, shape))
            value = max(row.units + sum(step.add for step in steps), units.least)
            found = _Worth(value, len(steps), -order, shape, row, steps)
            if best is None or found[:3] > best[:3]:
                best = found
    return best


def _barred(units: UnitRules, shape: WildShape) -> bool:
    """Whether the hand holds all three wilds where that asks for a closed hand and a self-draw."""
    facts = shape.facts
    return units.three_wilds_closed_self_draw and shape.wilds_held == 3 and not (facts.closed and facts.self_draw)


def _table_payments(units: UnitRules, value: int, facts: Facts, context: Context) -> tuple[int, ...]:
    paid = [0] * context.players
    if facts.self_draw:
        paid = [-value] * context.players
        paid[context.winner] = value * (context.players - 1)
    else:
        assert context.discarder is not None
        whole = units.discard_times * value + units.discard_add
        paid[context.discarder] = -whole
        paid[context.winner] = whole
    return tuple(paid)


def _row_payments(units: UnitRules, row: Row, facts: Facts, context: Context) -> tuple[int, ...]:
    discarder = None if facts.self_draw else context.discarder
    if "any" in row.pays:
        case = "any"
    elif facts.circumstances.dealer:
        case = "to_dealer"
    elif discarder == context.dealer and "from_dealer" in row.pays:
        case = "from_dealer"
    else:
        case = "to_other"
    paid = [0] * context.players
    for seat in range(context.players):
        if seat != context.winner:
            role = "discarder" if seat == discarder else "dealer" if seat == context.dealer else "other"
            paid[seat] = -units.base * row.pays[case].get(role, 0)
    paid[context.winner] = -sum(paid)
    return tuple(paid)


def lacks_of(hand: Hand) -> tuple[Lack, ...]:
    """All the reasons why a hand does not win."""
    units = hand.rules.units
    assert units is not None
    shapes = _shapes(hand)
    found = []
    if _barred(units, shapes[0]):
        if not hand.facts.closed:
            found.append(Lack("three_wilds_called", "三財在手不能碰杠別人的牌", "all three wilds with a called meld"))
        if not hand.facts.self_draw:
            found.append(Lack("three_wilds_discard", "三財在手只能自摸", "all three wilds not self-drawn"))
    elif any(row.self_draw_only and _holds(row.condition, shape) for shape in shapes for row in units.rows):
        found.append(Lack("self_draw_only", "此牌型只能自摸", "this hand wins only by self-draw"))
    else:
        found.append(Lack("no_shape", "不成和牌牌型", "no shape that wins under this rule set"))
    return tuple(found)


def _groups(hand: Hand, shape: WildShape) -> Iterator[Group]:
    tiles = hand.rules.tiles
    wild = hand.context.wild

    def tile(kind: int) -> Tile:
        if wild is None:
            return tiles[kind]
        if kind == WILD:
            return wild
        # A natural tile of the kind that became wild is a white dragon that plays it.
        return tiles[hand.rules.layout.index[WHITE]] if tiles[kind] == wild else tiles[kind]

    for type, slots in parts(shape.played, shape.form):
        yield Group(type, tuple(tile(kind) for kind in slots), True)
    for meld in hand.melds:
        yield called_group(meld)


def waiting_tiles(hand: Hand, counts: Counts, left: Counts) -> tuple[Tile, ...]:
    """The tiles with which `counts`, one tile short of a full hand, would win by self-draw.

    `left` says how many of each kind there are.
    """
    rules = hand.rules
    units = rules.units
    assert units is not None
    how = Circumstances(self_draw=True, dealer=hand.facts.circumstances.dealer)
    facts = Facts(Called(closed=hand.facts.closed), counts, 0, how)
    found = []
    tried = list(counts)
    for kind, tile in enumerate(rules.tiles):
        if left[kind] > 0:
            tried[kind] += 1
            shapes = shapes_of(rules, facts, tuple(tried), hand.meld_plays, hand.meld_counts, hand.context.wild)
            if best_row(units, tuple(shapes)) is not None:
                found.append(tile)
            tried[kind] -= 1
    return tuple(found)
