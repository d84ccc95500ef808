"""Conditions that more than one family uses (rules, section 2)."""

from __future__ import annotations

from collections import Counter

from scoring.condition import Condition, Parameters, condition, on_circumstances, on_hand, on_reading, on_shape
from scoring.layout import Layout, LayoutError
from scoring.shape import Form, Shape


@condition
def riichi(layout: Layout, given: Parameters) -> Condition:
    """Riichi was declared (a double riichi is one)."""
    return on_circumstances(lambda how: how.riichi)


@condition
def double_riichi(layout: Layout, given: Parameters) -> Condition:
    """Riichi was declared in the first turn."""
    return on_circumstances(lambda how: how.double_riichi)


@condition
def ippatsu(layout: Layout, given: Parameters) -> Condition:
    """Won within a turn of declaring riichi."""
    return on_circumstances(lambda how: how.ippatsu)


@condition
def self_draw(layout: Layout, given: Parameters) -> Condition:
    """The winning tile was drawn."""
    return on_circumstances(lambda how: how.self_draw)


@condition
def after_kong(layout: Layout, given: Parameters) -> Condition:
    """The winning tile was the replacement after a kong."""
    return on_circumstances(lambda how: how.replacement)


@condition
def after_super_kong(layout: Layout, given: Parameters) -> Condition:
    """The winning tile was the replacement after a fifth tile was added to a kong."""
    return on_hand(lambda facts: facts.circumstances.replacement and facts.called.super_kong)


@condition
def last_draw(layout: Layout, given: Parameters) -> Condition:
    """Self-drawn as the last tile of the wall."""
    return on_circumstances(lambda how: how.last_tile and how.self_draw)


@condition
def last_discard(layout: Layout, given: Parameters) -> Condition:
    """Won on the last discard; a robbed kong is none."""
    return on_circumstances(lambda how: how.last_tile and not how.self_draw and not how.robbed_kong)


@condition
def robbed_kong(layout: Layout, given: Parameters) -> Condition:
    """Won on the tile that another player added to a kong."""
    return on_circumstances(lambda how: how.robbed_kong)


@condition
def first_turn_dealer(layout: Layout, given: Parameters) -> Condition:
    """The dealer wins on the deal."""
    return on_circumstances(lambda how: how.first_turn and how.dealer)


@condition
def first_turn_other(layout: Layout, given: Parameters) -> Condition:
    """A player who is not the dealer wins on the first draw."""
    return on_circumstances(lambda how: how.first_turn and not how.dealer)


@condition
def only_these(layout: Layout, given: Parameters) -> Condition:
    """No tile but those of `of`."""
    others = ~given.mask(layout)
    return on_hand(lambda facts: not facts.mask & others)


@condition
def exactly_these(layout: Layout, given: Parameters) -> Condition:
    """No tile but those of `of`, and each of them is there."""
    wanted = given.mask(layout)
    return on_hand(lambda facts: facts.mask == wanted)


@condition
def one_colour(layout: Layout, given: Parameters) -> Condition:
    """All red or all black."""
    not_red = ~layout.classes["red"]
    not_black = ~layout.classes["black"]
    return on_hand(lambda facts: not facts.mask & not_red or not facts.mask & not_black)


@condition
def kongs(layout: Layout, given: Parameters) -> Condition:
    """At least `times` kongs."""
    times = given.times
    return on_hand(lambda facts: len(facts.called.kongs) >= times)


@condition
def all_pairs(layout: Layout, given: Parameters) -> Condition:
    """Pairs alone, all of different kinds."""
    return on_shape(lambda shape: 1, form=Form.PAIRS)


@condition
def pairs_include(layout: Layout, given: Parameters) -> Condition:
    """Pairs alone, one of each kind of `of` among them."""
    wanted = frozenset(given.kinds(layout))
    return on_shape(lambda shape: wanted.issubset(shape.pairs), form=Form.PAIRS)


@condition
def matching_pairs(layout: Layout, given: Parameters) -> Condition:
    """Pairs alone, each with its twin in the other colour."""
    twin = layout.twin
    return on_shape(lambda shape: all(twin[kind] in shape.pairs for kind in shape.pairs), form=Form.PAIRS)


@condition
def pair_of(layout: Layout, given: Parameters) -> Condition:
    """The pair beside the groups is of a kind of `of`."""
    wanted = frozenset(given.kinds(layout))
    return on_shape(lambda shape: shape.pair in wanted)


@condition
def all_triplets(layout: Layout, given: Parameters) -> Condition:
    """Every group is a triplet or a kong."""
    return on_shape(lambda shape: not shape.runs)


@condition
def triplets_of(layout: Layout, given: Parameters) -> Condition:
    """Each triplet of a kind of `of`."""
    wanted = frozenset(given.kinds(layout))
    return on_shape(lambda shape: sum(kind in wanted for kind in shape.triplets), triplets=1)


@condition
def concealed_triplets(layout: Layout, given: Parameters) -> Condition:
    """At least `times` concealed triplets."""
    times = given.times
    return on_reading(lambda reading: reading.concealed_triplets >= times, triplets=times)


@condition
def triplets_in_both_colours(layout: Layout, given: Parameters) -> Condition:
    """At least `times` triplets of one role in both colours."""
    twin, times = layout.twin, given.times

    def test(shape: Shape) -> int:
        left = list(shape.triplets)
        found = 0
        while left:
            other = twin[left.pop()]
            if other in left:
                left.remove(other)
                found += 1
        return found >= times

    return on_shape(test, triplets=2 * times)


@condition
def runs_in_both_colours(layout: Layout, given: Parameters) -> Condition:
    """At least `times` runs that are there in both colours."""
    twin, times = layout.run_twin, given.times

    def test(shape: Shape) -> int:
        left = list(shape.runs)
        found = 0
        while left:
            other = twin[left.pop()]
            if other in left:
                left.remove(other)
                found += 1
        return found >= times

    return on_shape(test, runs=2 * times)


@condition
def twin_runs(layout: Layout, given: Parameters) -> Condition:
    """At least `times` times the same run twice."""
    times = given.times

    def test(shape: Shape) -> int:
        runs = shape.runs
        if len(set(runs)) == len(runs):
            return 0
        return sum(count // 2 for count in Counter(runs).values()) >= times

    return on_shape(test, runs=2 * times)


@condition
def repeated_run(layout: Layout, given: Parameters) -> Condition:
    """The same run `times` times."""
    times = given.times
    return on_shape(lambda shape: any(shape.runs.count(run) >= times for run in shape.runs), runs=times)


@condition
def repeated_triplet(layout: Layout, given: Parameters) -> Condition:
    """`times` triplets of one kind, of `of` where that is given."""
    times = given.times
    kinds = frozenset(given.kinds(layout) if given.of else range(layout.size))
    return on_shape(
        lambda shape: any(kind in kinds and shape.triplets.count(kind) >= times for kind in shape.triplets),
        triplets=times,
    )


Spelled = tuple[tuple[int, ...], tuple[int, ...], int, tuple[int, ...]]


def _spell(layout: Layout, hand: str) -> Spelled:
    """The runs, triplets, pair (-1 for none) and pairs of a hand written as groups."""
    runs: list[int] = []
    triplets: list[int] = []
    pairs: list[int] = []
    for group in hand.split():
        kinds = tuple(sorted(layout.spelled(group)))
        if kinds in layout.run_of:
            runs.append(layout.run_of[kinds])
        elif len(set(kinds)) == 1 and len(kinds) in (2, 3):
            (pairs if len(kinds) == 2 else triplets).append(kinds[0])
        else:
            raise LayoutError(f"{group!r} is no run, triplet or pair")
    if len(pairs) == 1:
        return tuple(sorted(runs)), tuple(sorted(triplets)), pairs[0], ()
    return tuple(sorted(runs)), tuple(sorted(triplets)), -1, tuple(sorted(pairs))


def _spell_all(layout: Layout, given: Parameters) -> list[Spelled]:
    if not given.hands:
        raise LayoutError("'hands' is missing: a list of groups such as \"rKrArE rPrP\"")
    return [_spell(layout, hand) for hand in given.hands]


@condition
def fixed_hand(layout: Layout, given: Parameters) -> Condition:
    """One of `hands`, groups and pair or pairs; kongs may stand for triplets but for those of `no_kong`."""
    spelled = _spell_all(layout, given)
    wanted = frozenset(spelled)
    no_kong = frozenset(layout.kinds(given.no_kong))
    form = Form.GROUPS if spelled[0][2] >= 0 else Form.PAIRS

    def test(shape: Shape) -> int:
        return (shape.runs, shape.triplets, shape.pair, shape.pairs) in wanted and no_kong.isdisjoint(
            shape.facts.called.kongs
        )

    runs = min(len(hand[0]) for hand in spelled)
    triplets = min(len(hand[1]) for hand in spelled)
    return on_shape(test, form=form, runs=runs, triplets=triplets)


@condition
def groups_include(layout: Layout, given: Parameters) -> Condition:
    """The groups of one of `hands` are there, beside any others and any pair."""
    spelled = _spell_all(layout, given)
    wanted = [(tuple(Counter(runs).items()), tuple(Counter(triplets).items())) for runs, triplets, _, _ in spelled]
    runs = min(len(hand[0]) for hand in spelled)
    triplets = min(len(hand[1]) for hand in spelled)

    def test(shape: Shape) -> int:
        held_runs, held_triplets = shape.runs, shape.triplets
        for need_runs, need_triplets in wanted:
            if all(held_runs.count(run) >= times for run, times in need_runs) and all(
                held_triplets.count(kind) >= times for kind, times in need_triplets
            ):
                return 1
        return 0

    return on_shape(test, runs=runs, triplets=triplets)
