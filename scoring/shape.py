"""A hand taken apart: what holds for all of it, which groups it makes, and where the winning tile sits.

Kinds, runs and pairs are the numbers of `scoring.layout.Layout`. The engine makes thousands of these a second, so they
are plain classes with slots, filled once and never changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple

from scoring.layout import Counts, Layout


class Form(IntEnum):
    """How a hand is built: of groups and a pair, or of pairs alone."""

    GROUPS = 0
    PAIRS = 1


class Place(IntEnum):
    """What the winning tile completes."""

    RUN = 0
    TRIPLET = 1
    PAIR = 2


class GroupType(StrEnum):
    """The parts of a hand as a result names them; `tiles` stands for those of a hand without shape."""

    RUN = "run"
    TRIPLET = "triplet"
    KONG = "kong"
    SUPER_KONG = "super_kong"
    PAIR = "pair"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class Called:
    """What a hand's melds are: runs by number, triplets by kind (kongs are triplets too), kongs by kind.

    `hidden` are the concealed ones among `kongs`; `super_kong` says whether the newest kong is one.
    """

    runs: tuple[int, ...] = ()
    triplets: tuple[int, ...] = ()
    kongs: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    super_kong: bool = False
    closed: bool = True


class Circumstances(NamedTuple):
    """How the hand was won. `from_dealer` says that the dealer discarded the tile; a robbed kong is no discard."""

    self_draw: bool
    robbed_kong: bool = False
    dealer: bool = False
    from_dealer: bool = False
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    last_tile: bool = False
    replacement: bool = False
    first_turn: bool = False


class Facts:
    """What holds for a hand whichever way it is split.

    `counts` are all its tiles with the melds', `mask` the kinds among them.
    """

    __slots__ = ("called", "circumstances", "closed", "counts", "mask", "self_draw")

    def __init__(self, called: Called, counts: Counts, mask: int, circumstances: Circumstances) -> None:
        self.called = called
        self.closed = called.closed
        self.counts = counts
        self.mask = mask
        self.circumstances = circumstances
        self.self_draw = circumstances.self_draw


class Shape:
    """One way to split a hand.

    `runs` and `triplets` hold the called groups too (kongs among the triplets), sorted; `free_runs` and
    `free_triplets` those in hand. `pair` is -1 and `pairs` are kinds where the form is pairs.
    """

    __slots__ = ("facts", "form", "free_runs", "free_triplets", "pair", "pairs", "runs", "triplets")

    def __init__(
        self,
        facts: Facts,
        form: Form,
        free_runs: tuple[int, ...],
        free_triplets: tuple[int, ...],
        pair: int,
        pairs: tuple[int, ...] = (),
    ) -> None:
        self.facts = facts
        self.form = form
        self.free_runs = free_runs
        self.free_triplets = free_triplets
        self.pair = pair
        self.pairs = pairs
        called = facts.called
        self.runs = tuple(sorted(free_runs + called.runs)) if called.runs else free_runs
        self.triplets = tuple(sorted(free_triplets + called.triplets)) if called.triplets else free_triplets


class Reading:
    """A shape with the winning tile in one of its parts: the run, kind or pair numbered `part`.

    `concealed_triplets` counts concealed kongs too, and leaves out a triplet that a discard completes.
    """

    __slots__ = ("concealed_triplets", "part", "place", "shape", "win")

    def __init__(self, shape: Shape, place: Place, part: int, win: int) -> None:
        self.shape = shape
        self.place = place
        self.part = part
        self.win = win
        facts = shape.facts
        opened = place is Place.TRIPLET and not facts.self_draw
        self.concealed_triplets = len(shape.free_triplets) + len(facts.called.hidden) - opened


def two_sided(layout: Layout, reading: Reading) -> bool:
    """Whether the winning tile completes a run from two neighbours that a tile at either end would have completed."""
    if reading.place is not Place.RUN:
        return False
    held = layout.run_masks[reading.part] & ~(1 << reading.win)
    return layout.run_masks_around[held] > 1
