"""What the kinds of a rule set have to do with each other: runs, colours, classes, which twin is which.

Inside the engine a kind is a small integer, its place among the kinds the rule set uses; sets of kinds are bit masks,
and a hand is a tuple of counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scoring.tiles import JUNQI_WEAPONS, PAIGOW_CIVIL, Family, Tile

Counts = tuple[int, ...]


class LayoutError(ValueError):
    """A tile, class or group that the kinds of a rule set do not have."""


def _xiangqi_runs(codes: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(side + role for role in roles) for side in "rb" for roles in ("KAE", "RHC")]


def _junqi_runs(codes: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(f"{side}{low + i}" for i in range(3)) for side in "rb" for low in range(1, 8)]


def _paigow_runs(codes: Sequence[str]) -> list[tuple[str, ...]]:
    shared = [
        tuple(f"{max(half, low + i)}{min(half, low + i)}" for i in range(3))
        for half in range(1, 7)
        for low in range(1, 5)
    ]
    doubles = [tuple(f"{low + i}{low + i}" for i in range(3)) for low in range(1, 5)]
    return shared + doubles


def _mahjong_runs(codes: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(f"{low + i}{suit}" for i in range(3)) for suit in "mps" for low in range(1, 8)]


_RUNS: dict[Family, Callable[[Sequence[str]], list[tuple[str, ...]]]] = {
    Family.XIANGQI: _xiangqi_runs,
    Family.JUNQI: _junqi_runs,
    Family.PAIGOW: _paigow_runs,
    Family.MAHJONG: _mahjong_runs,
}


def _classes(tile: Tile) -> list[str]:
    """The named classes a tile belongs to besides its colour."""
    match tile.family:
        case Family.JUNQI:
            return ["weapons" if tile.code[1] in JUNQI_WEAPONS else "officers"]
        case Family.PAIGOW:
            return ["civil" if tile.code in PAIGOW_CIVIL else "military"]
        case _:
            return []


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """The kinds of a rule set and their relations.

    `runs[i]` are the kinds of run i, in order of rank; `pairs[i]` the two kinds of pair i, where i below the number of
    kinds is two of kind i and what follows are mixed pairs (帅 with 将). `twin[k]` is the same role in the other
    colour or -1, `run_twin[i]` the same run in the other colour or -1. `blocks` are the smallest stretches of kinds
    that no run or mixed pair crosses.
    """

    tiles: tuple[Tile, ...]
    mixed_pairs: tuple[tuple[str, str], ...] = ()
    index: dict[str, int] = field(init=False)
    runs: tuple[tuple[int, int, int], ...] = field(init=False)
    pairs: tuple[tuple[int, int], ...] = field(init=False)

    def __post_init__(self) -> None:
        index = {tile.code: i for i, tile in enumerate(self.tiles)}
        runs = []
        for codes in _RUNS[self.tiles[0].family]([tile.code for tile in self.tiles]):
            a, b, c = (index[code] for code in codes)
            runs.append((a, b, c))
        same = [(i, i) for i in range(len(self.tiles))]
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "runs", tuple(runs))
        mixed = [(self.kind(a), self.kind(b)) for a, b in self.mixed_pairs]
        object.__setattr__(self, "pairs", tuple(same + mixed))

    @property
    def size(self) -> int:
        """How many kinds there are."""
        return len(self.tiles)

    @cached_property
    def twin(self) -> tuple[int, ...]:
        other = {"r": "b", "b": "r"}
        return tuple(self.index.get(other.get(tile.code[0], "") + tile.code[1:], -1) for tile in self.tiles)

    @cached_property
    def run_twin(self) -> tuple[int, ...]:
        of = {run: i for i, run in enumerate(self.runs)}
        return tuple(of.get((self.twin[a], self.twin[b], self.twin[c]), -1) for a, b, c in self.runs)

    @cached_property
    def run_of(self) -> dict[tuple[int, ...], int]:
        """The run that three kinds, sorted, make."""
        return {tuple(sorted(run)): i for i, run in enumerate(self.runs)}

    @cached_property
    def run_masks(self) -> tuple[int, ...]:
        return tuple(1 << a | 1 << b | 1 << c for a, b, c in self.runs)

    @cached_property
    def run_masks_around(self) -> Counter[int]:
        """How many runs hold both of two kinds, by the mask of the two."""
        return Counter(mask & ~(1 << kind) for mask, run in zip(self.run_masks, self.runs, strict=True) for kind in run)

    @cached_property
    def pair_masks(self) -> tuple[int, ...]:
        return tuple(1 << a | 1 << b for a, b in self.pairs)

    @cached_property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """Stretches (start, stop) of kinds, by colour; one stretch where colours mix in a run or a pair."""
        if self.mixed_pairs or self.tiles[0].family is Family.PAIGOW:
            return ((0, self.size),)
        starts = [i for i, tile in enumerate(self.tiles) if i == 0 or tile.colour != self.tiles[i - 1].colour]
        return tuple(zip(starts, [*starts[1:], self.size], strict=True))

    @cached_property
    def classes(self) -> dict[str, int]:
        """Masks of the named classes: the colours, and officers, weapons, civil, military."""
        masks: dict[str, int] = {}
        for i, tile in enumerate(self.tiles):
            for name in [str(tile.colour), *_classes(tile)]:
                masks[name] = masks.get(name, 0) | 1 << i
        return masks

    def kind(self, code: str) -> int:
        """The kind a code names. Raises LayoutError where the rule set has no such tile."""
        try:
            return self.index[code]
        except KeyError:
            raise LayoutError(f"no tile {code!r} in this rule set") from None

    def mask(self, of: str) -> int:
        """The mask of a class name or of a list of codes. Raises LayoutError."""
        if of in self.classes:
            return self.classes[of]
        return sum(1 << kind for kind in {self.kind(code) for code in of.split()})

    def kinds(self, of: str) -> tuple[int, ...]:
        """The kinds of a class name or of a list of codes, in order. Raises LayoutError."""
        mask = self.mask(of)
        return tuple(i for i in range(self.size) if mask >> i & 1)

    def spelled(self, group: str) -> tuple[int, ...]:
        """The kinds of a group written without spaces, such as `rKrArE` or `TTT`. Raises LayoutError."""
        kinds = []
        at = 0
        while at < len(group):
            width = 2 if group[at : at + 2] in self.index else 1
            kinds.append(self.kind(group[at : at + width]))
            at += width
        return tuple(kinds)

    def count(self, kinds: Sequence[int]) -> Counts:
        """How many of each kind there are among `kinds`."""
        counts = [0] * self.size
        for kind in kinds:
            counts[kind] += 1
        return tuple(counts)
