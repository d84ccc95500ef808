"""Hands with wild tiles (rules, section 6): what they can stand for, and the shapes they can make.

Wilds are not tried as each tile in turn. A block of natural tiles is split into groups of which some tiles are missing,
and the wilds make up the deficit; only the split with the least deficit matters, since wilds left over make triplets or
the pair by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import pairwise, permutations, product
from typing import Final

from scoring.layout import Counts, Layout
from scoring.shape import Facts, GroupType
from scoring.tiles import Tile

WILD: Final = -1
"""Stands for a wild tile in the slot of a group."""

SUIT: Final = 9
"""Kinds of a suit; three suits come first, then the honors."""
HONORS: Final = 3 * SUIT
WHITE: Final = "5z"

Slots = tuple[int, ...]


class WildForm(StrEnum):
    """How a hand is built."""

    GROUPS = "groups"
    TRIPLETS = "triplets"
    SEVEN_PAIRS = "seven_pairs"
    SEVEN_WINDS = "seven_winds"
    WINDS_APART = "winds_apart"
    KNITTED = "knitted"
    APART = "apart"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class Played:
    """A hand's tiles with each white dragon and each meld taken for one thing.

    `natural` are the tiles in hand that are no wild, by the kind they play; `wilds` how many wilds are in hand;
    `melds` the kinds of the called groups. `suits` are the suits (0 to 2) among all natural tiles, `honors` whether
    there are honors among them.
    """

    natural: Counts
    wilds: int
    melds: tuple[Slots, ...]
    suits: frozenset[int]
    honors: bool


@dataclass(frozen=True, slots=True)
class WildShape:
    """One way to take a hand: how its tiles are played, the form, and the circumstances.

    `wilds_held` counts the wilds in melds too; `single` says that all four groups are melds.
    """

    facts: Facts
    played: Played
    form: WildForm
    wilds_held: int
    single: bool


def meld_plays(
    layout: Layout, tiles: Sequence[Tile], run: bool, wild: Tile | None, white_is_wild_kind: bool
) -> tuple[Slots, ...]:
    """The groups that a meld's tiles can be, as kinds in order; none where they make no group."""
    can = [_plays(layout, tile, wild, white_is_wild_kind) for tile in tiles]
    if run:
        return tuple(
            kinds
            for kinds in layout.runs
            if any(
                all(plays is None or kind in plays for kind, plays in zip(order, can, strict=True))
                for order in permutations(kinds)
            )
        )
    named = [plays for plays in can if plays is not None]
    if not named:
        # Wilds alone make a triplet of anything: one kind of each suit and an honor stand for all.
        return tuple((kind,) * len(tiles) for kind in (0, SUIT, 2 * SUIT, HONORS))
    return tuple((kind,) * len(tiles) for kind in sorted(frozenset.intersection(*named)))


def _plays(layout: Layout, tile: Tile, wild: Tile | None, white_is_wild_kind: bool) -> frozenset[int] | None:
    """The kinds a tile can play; None for a wild."""
    if wild is not None and tile.code == wild.code:
        return None
    kind = layout.index[tile.code]
    if wild is None or tile.code != WHITE:
        return frozenset([kind])
    stands_for = layout.index[wild.code]
    return frozenset([stands_for] if white_is_wild_kind else [kind, stands_for])


def plays(
    layout: Layout, counts: Counts, melds: Sequence[tuple[Slots, ...]], wild: Tile | None, white_is_wild_kind: bool
) -> Iterator[Played]:
    """Every way to take the white dragons in hand and the melds; `melds` are what `meld_plays` gives for each."""
    natural = list(counts)
    wilds = 0
    ways = [tuple(natural)]
    if wild is not None:
        kind, white = layout.index[wild.code], layout.index[WHITE]
        wilds, natural[kind] = natural[kind], 0
        ways = []
        number = natural[white] if kind != white else 0
        for standing in (number,) if white_is_wild_kind else range(number + 1):
            natural[white] -= standing
            natural[kind] += standing
            ways.append(tuple(natural))
            natural[white] += standing
            natural[kind] -= standing
    for way in ways:
        for called in product(*melds):
            yield _played(way, wilds, called)


def _played(natural: Counts, wilds: int, melds: tuple[Slots, ...]) -> Played:
    called = [kind for slots in melds for kind in slots]
    suits = frozenset(
        suit
        for suit in range(3)
        if any(natural[suit * SUIT : suit * SUIT + SUIT]) or any(kind // SUIT == suit for kind in called)
    )
    honors = any(natural[HONORS:]) or any(kind >= HONORS for kind in called)
    return Played(natural, wilds, melds, suits, honors)


def forms(played: Played) -> Iterator[WildForm]:
    """The forms that a hand can take; `tiles`, which asks for nothing, comes last."""
    if deficit(played, runs=False) <= played.wilds:
        yield WildForm.TRIPLETS
        yield WildForm.GROUPS
    elif deficit(played, runs=True) <= played.wilds:
        yield WildForm.GROUPS
    natural = played.natural
    if not played.melds:
        if sum(count % 2 for count in natural) <= played.wilds:
            yield WildForm.SEVEN_PAIRS
        yield from _apart(natural)
    if all(count == 1 for count in natural[HONORS:]) and all(slots[0] < HONORS for slots in played.melds):
        yield WildForm.SEVEN_WINDS
    yield WildForm.TILES


def _apart(natural: Counts) -> Iterator[WildForm]:
    """The forms of fourteen different tiles. Wilds take the places that are free."""
    if max(natural) > 1:
        return
    room = [_room(natural[suit * SUIT : suit * SUIT + SUIT]) for suit in range(3)]
    # Seven honors at most leave seven suit tiles at least, or exactly seven where all honors are there.
    if None in room:
        return
    if sum(places or 0 for places in room) >= 14 - 7:
        yield WildForm.APART
        if all(natural[HONORS:]):
            yield WildForm.WINDS_APART
    if any(
        all(natural[suit * SUIT + i] == 0 or i % 3 == start for suit, start in enumerate(starts) for i in range(SUIT))
        for starts in permutations(range(3))
    ):
        yield WildForm.KNITTED


@cache
def _room(suit: Counts) -> int | None:
    """How many tiles at least three apart a suit can have that holds these; None where these are closer."""
    held = [i for i in range(SUIT) if suit[i]]
    if any(b - a < 3 for a, b in pairwise(held)):
        return None
    best = 0
    for size in (1, 2, 3):
        for chosen in _APART[size]:
            if set(held) <= set(chosen):
                best = size
    return best


_APART: Final = {
    size: [chosen for chosen in product(range(SUIT), repeat=size) if all(b - a >= 3 for a, b in pairwise(chosen))]
    for size in (1, 2, 3)
}


def deficit(played: Played, *, runs: bool) -> int:
    """How many wilds it takes at least to make groups and a pair of the natural tiles in hand."""
    blocks = _blocks(played.natural)
    without = [least(block, runs and len(block) == SUIT, False)[0] for block in blocks]
    total = sum(without)
    return min(
        total - bare + least(block, runs and len(block) == SUIT, True)[0]
        for block, bare in zip(blocks, without, strict=True)
    )


def _blocks(natural: Counts) -> tuple[Counts, ...]:
    return natural[:SUIT], natural[SUIT : 2 * SUIT], natural[2 * SUIT : HONORS], natural[HONORS:]


@lru_cache(1 << 16)
def least(block: Counts, runs: bool, pair: bool) -> tuple[int, tuple[Slots, ...]]:
    """The least deficit with which a block splits into groups, and a pair where one is asked for, and such a split.

    Slots are kinds within the block, or WILD.
    """
    lowest = next((kind for kind, count in enumerate(block) if count), None)
    if lowest is None:
        return (2, ((WILD, WILD),)) if pair else (0, ())
    best: tuple[int, tuple[Slots, ...]] | None = None
    for slots, is_pair in _over(block, lowest, runs, pair):
        left = list(block)
        for kind in slots:
            if kind != WILD:
                left[kind] -= 1
        more, rest = least(tuple(left), runs, pair and not is_pair)
        missing = slots.count(WILD) + more
        if best is None or missing < best[0]:
            best = missing, (slots, *rest)
    assert best is not None
    return best


def _over(block: Counts, lowest: int, runs: bool, pair: bool) -> Iterator[tuple[Slots, bool]]:
    """The groups that the lowest tile can be in, with wilds for what is missing."""
    count = block[lowest]
    held = min(count, 3)
    yield (lowest,) * held + (WILD,) * (3 - held), False
    if pair:
        held = min(count, 2)
        yield (lowest,) * held + (WILD,) * (2 - held), True
    if runs:
        for start in range(max(lowest - 2, 0), min(lowest, SUIT - 3) + 1):
            yield tuple(kind if block[kind] else WILD for kind in range(start, start + 3)), False


Part = tuple[GroupType, Slots]


def parts(played: Played, form: WildForm) -> tuple[Part, ...]:
    """The parts of the tiles in hand for a form: groups and the pair, seven pairs, or all tiles as one."""
    if form is WildForm.SEVEN_PAIRS:
        return tuple(_pairs(played))
    if form in (WildForm.GROUPS, WildForm.TRIPLETS):
        return tuple(_groups(played, runs=form is WildForm.GROUPS))
    tiles = tuple(kind for kind, count in enumerate(played.natural) for _ in range(count))
    return ((GroupType.TILES, tiles + (WILD,) * played.wilds),)


def _pairs(played: Played) -> Iterator[Part]:
    wilds = played.wilds
    for kind, count in enumerate(played.natural):
        for _ in range(count // 2):
            yield GroupType.PAIR, (kind, kind)
        if count % 2:
            wilds -= 1
            yield GroupType.PAIR, (kind, WILD)
    for _ in range(wilds // 2):
        yield GroupType.PAIR, (WILD, WILD)


def _groups(played: Played, *, runs: bool) -> Iterator[Part]:
    blocks = _blocks(played.natural)
    with_pair = [[least(block, runs and len(block) == SUIT, pair) for pair in (False, True)] for block in blocks]
    paired = min(range(4), key=lambda i: with_pair[i][1][0] - with_pair[i][0][0])
    wilds = played.wilds
    found: list[Part] = []
    for i, ways in enumerate(with_pair):
        missing, split = ways[i == paired]
        wilds -= missing
        for slots in split:
            at = tuple(kind if kind == WILD else kind + i * SUIT for kind in slots)
            named = [kind for kind in slots if kind != WILD]
            if len(slots) == 2:
                found.append((GroupType.PAIR, at))
            elif len(set(named)) == 1:
                found.append((GroupType.TRIPLET, at))
            else:
                found.append((GroupType.RUN, at))
    found += [(GroupType.TRIPLET, (WILD,) * 3)] * (wilds // 3)
    # The pair goes last, as in the other rule sets.
    yield from sorted(found, key=lambda part: part[0] is GroupType.PAIR)
