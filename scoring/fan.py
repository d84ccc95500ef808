"""Scoring by fan: xiangqi, junqi and paigow (rules, sections 2 to 5).

Every split and every place of the winning tile is a reading; the best is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from scoring.condition import Scope
from scoring.fu import FU_NAMES, FuItem, fu_items
from scoring.hand import Hand
from scoring.layout import Counts
from scoring.payment import basic_points, payments
from scoring.result import Earned, Group, Lack, Score, called_group
from scoring.ruleset import Limit, RuleSet, Yaku
from scoring.shape import Circumstances, Form, GroupType, Place, Reading, Shape
from scoring.splits import nearest, pairs_alone, splitter
from scoring.tiles import Tile


class Candidate(NamedTuple):
    """A yaku that a hand may have: its value for this hand, closed or open, and the test of its condition."""

    yaku: Yaku
    value: int
    test: Callable[[Any], int]


Held = tuple[Candidate, int]
"""A candidate whose condition holds, and how many times."""


class Candidates(NamedTuple):
    """What to test: on the hand once, then on each shape and each reading by its form and number of runs."""

    circumstances: tuple[Candidate, ...]
    hand: tuple[Candidate, ...]
    shape: tuple[tuple[tuple[Candidate, ...], ...], ...]
    reading: tuple[tuple[tuple[Candidate, ...], ...], ...]


@lru_cache(128)
def candidates(rules: RuleSet, closed: bool) -> Candidates:
    """The yaku worth something for closed or for open hands; those a shape cannot have are left out beforehand."""
    worth = [
        Candidate(yaku, value, yaku.condition.test)
        for yaku in rules.yaku
        if (value := yaku.closed if closed else yaku.open)
    ]

    def fitting(scope: Scope, form: Form, runs: int) -> tuple[Candidate, ...]:
        triplets = rules.groups - runs if form is Form.GROUPS else 0
        return tuple(
            one
            for one in worth
            if (need := one.yaku.condition).scope is scope
            and need.form in (None, form)
            and need.runs <= runs
            and need.triplets <= triplets
        )

    def table(scope: Scope) -> tuple[tuple[tuple[Candidate, ...], ...], ...]:
        groups = tuple(fitting(scope, Form.GROUPS, runs) for runs in range(rules.groups + 1))
        return groups, (fitting(scope, Form.PAIRS, 0),)

    hand = tuple(one for one in worth if one.yaku.condition.scope is Scope.HAND)
    won = tuple(one for one in worth if one.yaku.condition.scope is Scope.CIRCUMSTANCES)
    return Candidates(won, hand, table(Scope.SHAPE), table(Scope.READING))


@lru_cache(1024)
def circumstances(rules: RuleSet, closed: bool, how: Circumstances) -> list[Held]:
    """The yaku that come from how the hand was won alone."""
    return [(one, times) for one in candidates(rules, closed).circumstances if (times := one.test(how))]


def shapes(hand: Hand) -> Iterator[Shape]:
    """Every split of a hand: groups and a pair in a fixed order, then pairs alone."""
    facts, counts = hand.facts, hand.counts
    for runs, triplets, pair in splitter(hand.rules.layout)(counts):
        yield Shape(facts, Form.GROUPS, runs, triplets, pair)
    if pairs := pairs_alone(counts, hand.rules.pairs):
        yield Shape(facts, Form.PAIRS, (), (), -1, pairs)


def readings(rules: RuleSet, shape: Shape, win: int) -> list[Reading]:
    """A shape with the winning tile in each different place it can have."""
    if shape.form is Form.PAIRS:
        return [Reading(shape, Place.PAIR, win, win)]
    holding = rules.layout.run_masks
    found = [Reading(shape, Place.RUN, run, win) for run in dict.fromkeys(shape.free_runs) if holding[run] >> win & 1]
    if rules.layout.pair_masks[shape.pair] >> win & 1:
        found.append(Reading(shape, Place.PAIR, shape.pair, win))
    if win in shape.free_triplets:
        found.append(Reading(shape, Place.TRIPLET, win, win))
    return found


class _Worth(NamedTuple):
    """The figures of one reading, first in the order in which readings are ranked."""

    pays: int
    yakuman: int
    fan: int
    fu_total: int
    number: int
    order: tuple[int, ...]
    reading: Reading
    counted: list[Held]
    held: list[Held]
    fu: tuple[FuItem, ...] | None
    basic: int
    limit: Limit | None
    payments: tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class FanScore(Score):
    """A score in fan, and in fu where the rules have them.

    `fan` sums the yaku and the dora and is 0 with a yakuman. `fu` are the items, None where the rules have none.
    `held` is all that holds, `counted` what counts of it.
    """

    reading: Reading
    counted: tuple[Held, ...]
    held: tuple[Held, ...]
    fan: int
    yakuman: int
    fu: tuple[FuItem, ...] | None
    dora: int
    basic: int
    limit: Limit | None

    @cached_property
    def yaku(self) -> tuple[Earned, ...]:
        """The yaku that count, in the order of the rule set's list; one that holds twice stands twice."""
        listed = sorted(self.counted, key=lambda held: held[0].yaku.bit)
        return tuple(Earned(one.yaku, one.value) for one, times in listed for _ in range(times))

    @cached_property
    def replaced(self) -> tuple[tuple[Yaku, Yaku], ...]:
        """The yaku that hold but count no more, each with one that stands for it."""
        return tuple(_replaced(self.held))

    @property
    def fu_total(self) -> int | None:
        """The fu, rounded as the rules say; None where they have none."""
        return None if self.fu is None else sum(item.fu for item in self.fu)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The parts of the hand: those in hand, the pair or pairs, the melds in the order they were given."""
        return tuple(_groups(self.hand, self.reading))

    @property
    def win_in(self) -> int:
        """Which of `groups` the winning tile completes."""
        shape = self.reading.shape
        match self.reading.place:
            case Place.RUN:
                return shape.free_runs.index(self.reading.part)
            case Place.TRIPLET:
                return len(shape.free_runs) + shape.free_triplets.index(self.reading.part)
            case Place.PAIR if shape.form is Form.PAIRS:
                return shape.pairs.index(self.reading.part)
            case _:
                return len(shape.free_runs) + len(shape.free_triplets)

    @cached_property
    def house(self) -> tuple[str, ...]:
        """Names of the house choices that the figure rests on."""
        return tuple(dict.fromkeys(_house(self)))

    def to_json(self) -> dict[str, Any]:
        """The result object of the interface."""
        result: dict[str, Any] = {
            "win": True,
            "yaku": [earned.to_json() for earned in self.yaku],
            "fan": self.fan,
            "yakuman": self.yakuman,
            "fu": self.fu_total,
            "dora": self.dora,
            "basic": self.basic,
            "limit": self.limit.name.zh if self.limit else None,
            "payments": list(self.payments),
            "groups": [group.to_json() for group in self.groups],
            "win_in": self.win_in,
            "house": list(self.house),
        }
        if self.fu is not None:
            result["fu_detail"] = [_fu_json(self.hand.rules, item) for item in self.fu]
        return result


def _fu_json(rules: RuleSet, item: FuItem) -> dict[str, Any]:
    zh, en = FU_NAMES[item.id]
    return {"id": item.id, "zh": zh, "en": en, "fu": item.fu, "tiles": [rules.tiles[kind].code for kind in item.kinds]}


def score_by_fan(hand: Hand) -> FanScore | None:
    """The best reading's score, or None where there is no win."""
    best: _Worth | None = None
    for found in _worths(hand):
        if best is None or found[:6] > best[:6]:
            best = found
    return None if best is None else _score(hand, best)


def ranked(hand: Hand) -> tuple[FanScore, ...]:
    """The scores of all readings that win, best first."""
    worths = sorted(_worths(hand), key=lambda worth: worth[:6], reverse=True)
    return tuple(_score(hand, worth) for worth in worths)


def _score(hand: Hand, worth: _Worth) -> FanScore:
    return FanScore(
        hand=hand,
        payments=worth.payments,
        reading=worth.reading,
        counted=tuple(worth.counted),
        held=tuple(worth.held),
        fan=worth.fan,
        yakuman=worth.yakuman,
        fu=worth.fu,
        dora=0 if worth.yakuman else dora_of(hand),
        basic=worth.basic,
        limit=worth.limit,
    )


def _worths(hand: Hand) -> Iterator[_Worth]:
    """The figures of every reading that wins."""
    rules = hand.rules
    dora = dora_of(hand)
    for reading, held in held_by_reading(hand):
        counted, fan, yakuman = _count(held)
        if yakuman or fan >= rules.minimum_fan:
            yield _worth(hand, reading, held, counted, fan, yakuman, dora)


def held_by_reading(hand: Hand) -> Iterator[tuple[Reading, list[Held]]]:
    """Every reading with all yaku that hold for it, replaced ones too."""
    rules = hand.rules
    facts = hand.facts
    table = candidates(rules, facts.closed)
    on_hand = circumstances(rules, facts.closed, facts.circumstances)
    on_hand = on_hand + [(one, times) for one in table.hand if (times := one.test(facts))]
    for shape in shapes(hand):
        runs = len(shape.runs)
        tests = table.shape[shape.form][runs]
        on_shape = on_hand + [(one, times) for one in tests if (times := one.test(shape))]
        tests = table.reading[shape.form][runs]
        tried = readings(rules, shape, hand.win_kind)
        if not tests and rules.fu is None:
            # Nothing looks at the winning tile's place, so the first does for all.
            yield tried[0], on_shape
            continue
        for reading in tried:
            yield reading, on_shape + [(one, times) for one in tests if (times := one.test(reading))]


def _count(held: list[Held]) -> tuple[list[Held], int, int]:
    """What counts of what holds, its fan (0 with a yakuman) and its yakuman."""
    gone = fan = yakuman = 0
    for (yaku, value, _), times in held:
        gone |= yaku.replaces_bits
        if yaku.yakuman:
            yakuman = 1
        else:
            fan += value * times
    if yakuman:
        counted = [(one, times) for one, times in held if one.yaku.yakuman and not one.yaku.bit & gone]
        return counted, 0, sum(one.value * times for one, times in counted)
    if gone:
        counted = [(one, times) for one, times in held if not one.yaku.bit & gone]
        return counted, sum(one.value * times for one, times in counted), 0
    return held, fan, 0


def _worth(
    hand: Hand, reading: Reading, held: list[Held], counted: list[Held], fan: int, yakuman: int, dora: int
) -> _Worth:
    rules = hand.rules
    points, shares = rules.points, rules.shares
    assert points is not None
    assert shares is not None
    fu = None
    if rules.fu is not None:
        unless = rules.fu.self_draw_unless
        taken = any(one.yaku.id == unless for one, _ in held)
        fu = fu_items(rules.fu, rules.layout, reading, no_self_draw=taken)
    fu_total = 0 if fu is None else sum(item.fu for item in fu)
    limit: Limit | None
    if yakuman:
        basic, limit = points.yakuman.basic * yakuman, points.yakuman
    else:
        fan += dora
        basic, limit = basic_points(points, fan, None if fu is None else fu_total)
    context = hand.context
    discarder = None if hand.facts.self_draw else context.discarder
    paid = payments(shares, basic, context.players, context.winner, context.dealer, discarder)
    return _Worth(
        paid[context.winner],
        yakuman,
        fan,
        fu_total,
        sum(times for _, times in counted),
        # Among equals the yaku that stand first in the rules' list win, then the first reading found.
        tuple(-bit for bit in sorted(one.yaku.bit for one, _ in counted)),
        reading,
        counted,
        held,
        fu,
        basic,
        limit,
        paid,
    )


def _replaced(held: tuple[Held, ...]) -> Iterator[tuple[Yaku, Yaku]]:
    for one, _ in held:
        for other, _ in held:
            if one.yaku.bit & other.yaku.replaces_bits:
                yield one.yaku, other.yaku
                break


def dora_of(hand: Hand) -> int:
    """How many dora the hand holds; the tiles beneath the indicators count under a riichi."""
    context = hand.context
    shown = context.dora_indicators
    if hand.facts.circumstances.riichi:
        shown += context.ura_indicators
    after = hand.rules.dora_after
    if not shown or not after:
        return 0
    index = hand.rules.layout.index
    return sum(hand.facts.counts[after[index[tile.code]]] for tile in shown)


def lacks_of(hand: Hand) -> tuple[Lack, ...]:
    """All the reasons why a hand does not win."""
    rules = hand.rules
    fan = max((_count(held)[1] for _, held in held_by_reading(hand)), default=None)
    if fan is None:
        return tuple(_lacks_of_shape(hand))
    if fan:
        zh, en = (
            f"番数不足：{fan}番，至少要{rules.minimum_fan}番",
            f"too few fan: {fan} of the {rules.minimum_fan} it takes",
        )
        return (Lack("too_few_fan", zh, en),)
    return (Lack("no_yaku", "成牌型但无役", "a winning shape but no yaku"),)


def _lacks_of_shape(hand: Hand) -> Iterator[Lack]:
    """What is missing of groups and pair, in the split that comes nearest; and of pairs alone."""
    rules = hand.rules
    groups, pair = nearest(rules.layout, hand.counts)
    groups += len(hand.melds)
    if groups < rules.groups:
        yield Lack(
            "too_few_groups",
            f"只有{groups}组面子，要{rules.groups}组",
            f"only {groups} of {rules.groups} groups",
        )
    if not pair:
        yield Lack("no_pair", "没有将", "no pair beside the groups")
    if rules.pairs and not hand.melds:
        pairs = sum(count >= 2 for count in hand.counts)
        yield Lack(
            "too_few_pairs", f"只有{pairs}种对子，要{rules.pairs}种", f"only {pairs} of {rules.pairs} different pairs"
        )


def _groups(hand: Hand, reading: Reading) -> Iterator[Group]:
    layout = hand.rules.layout
    tiles = hand.rules.tiles
    shape = reading.shape

    def part(type: GroupType, kinds: tuple[int, ...], concealed: bool = True) -> Group:
        return Group(type, tuple(tiles[kind] for kind in kinds), concealed)

    for run in shape.free_runs:
        yield part(GroupType.RUN, layout.runs[run])
    opened = reading.part if reading.place is Place.TRIPLET and not shape.facts.self_draw else -1
    for kind in shape.free_triplets:
        yield part(GroupType.TRIPLET, (kind,) * 3, kind != opened)
        opened = -1 if kind == opened else opened
    for pair in shape.pairs or (shape.pair,):
        yield part(GroupType.PAIR, layout.pairs[pair])
    for meld in hand.melds:
        yield called_group(meld)


def _house(score: FanScore) -> Iterator[str]:
    rules, hand = score.hand.rules, score.hand
    assert rules.points is not None
    assert rules.shares is not None
    yield rules.points.house
    yield from rules.house
    if rules.points.cap_house and score.fu is not None and score.limit is not None and not score.yakuman:
        yield rules.points.cap_house
    if hand.facts.self_draw and hand.context.players < rules.shares.full_table:
        yield "tsumo_share"
    if score.yakuman:
        yield "yakuman_only"
    for earned in score.yaku:
        if earned.yaku.house:
            yield earned.yaku.house
        if "fixed_hand" in earned.yaku.when and hand.facts.called.kongs:
            yield "kong_for_triplet"
    if any(not group.concealed for group in score.groups[: len(score.groups) - len(hand.melds)]):
        yield "discard_opens_triplet"
    if score.dora and rules.dora_house:
        yield rules.dora_house
    if score.dora and score.hand.facts.circumstances.riichi and hand.context.ura_indicators:
        yield "ura"


def waiting_tiles(hand: Hand, counts: Counts, left: Counts) -> tuple[Tile, ...]:
    """The tiles that complete `counts`, one tile short of a full hand; `left` says how many of each kind there are."""
    rules = hand.rules
    found = []
    tried = list(counts)
    for kind, tile in enumerate(rules.tiles):
        if left[kind] > 0:
            tried[kind] += 1
            full = tuple(tried)
            if splitter(rules.layout)(full) or pairs_alone(full, rules.pairs):
                found.append(tile)
            tried[kind] -= 1
    return tuple(found)
