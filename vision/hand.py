"""Which tiles on the table are the winner's hand, and what each of them is.

A picture's rows are cut into parts: concealed tiles, the winning tile, called groups, and what belongs to no hand.
Every way to cut them has a cost, from the gaps (a cut wants a wide one), from the labels (a called group must be one)
and from the number of tiles (the rule set's); the cheapest is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from scoring import MeldType, RuleSet
from vision.hidden import hidden_backs
from vision.layout import Row, Table, tables
from vision.reading import HandReading, MeldReading, Sighting

Role = Literal["concealed", "win", "meld", "other"]
_ROLES: Final[tuple[Role, ...]] = ("other", "win", "meld", "concealed")
# What stands before a part: nothing, or a part of some role.
_BEFORE: Final[tuple[Role | None, ...]] = (None, *_ROLES)

# Called groups, concealed tiles and winning tiles; and costs, an array over these three.
Tally = tuple[int, int, int]
Costs = NDArray[np.float64]

# All costs are in nats, so that a misread label (a logarithm of odds) weighs against a narrow gap.
GAP_COST: Final = 8.0
DEAREST_GAP: Final = 6.0
INSIDE: Final = 0.12
OUTSIDE: Final = 0.38
LOOSEST: Final = 0.35

LEFT_OUT: Final = 3.0
BACK_LEFT_OUT: Final = 0.2
TURNED_CONCEALED: Final = 2.5
WIN_AWAY: Final = 1.5
WIN_ALONE: Final = 0.7
WIN_FIRST: Final = 0.2
SECOND_ROW: Final = 0.3
ROW_GAP: Final = 0.15
GUESSED_WIN: Final = 0.6
WRONG_COUNT: Final = 4.0
LEAST_SHARE: Final = 0.002
# Another direction of the rows is the less likely the more rows it makes of the tiles.
OTHER_DIRECTION: Final = 0.3
EXTRA_ROW: Final = 3.0
# The guess that a concealed kong lies there whose backs were not found.
GUESSED_BACKS: Final = 2.5
# A cut as dear as this is no hand with something missing; it may be a board, and guesses take time.
HOPELESS: Final = 45.0
# A cut this cheap has no doubt left in it; other directions of the rows need no look.
CERTAIN: Final = 1.0


@dataclass(frozen=True, slots=True)
class HandShape:
    """What a rule set says of the tiles on the table.

    `hand_size` counts the tiles before the winning one, a called group as three; at most `calls` groups are called.
    `triplets` and `kongs` are the kinds that can be one, `runs` the runs that can be called, `fifths` whether a kong
    can grow to five.
    """

    hand_size: int
    calls: int
    triplets: frozenset[str]
    kongs: frozenset[str]
    runs: frozenset[frozenset[str]]
    fifths: bool = False

    @classmethod
    def of(cls, rules: RuleSet) -> HandShape:
        """The shape of a rule set's hands."""
        runs = rules.layout.runs if MeldType.CHI in rules.calls else ()
        return cls(
            hand_size=rules.hand_size,
            calls=rules.max_calls,
            triplets=frozenset(tile.code for tile in rules.tiles if rules.copies(tile.code) >= 3),
            kongs=frozenset(tile.code for tile in rules.tiles if rules.copies(tile.code) >= 4),
            runs=frozenset(frozenset(rules.tiles[kind].code for kind in run) for run in runs),
            fifths=MeldType.SUPER_KONG in rules.calls,
        )


@dataclass(frozen=True, slots=True)
class Assembly:
    """Sightings in reading order with the labels decoded together, the cluster of each, and the hand among them."""

    tiles: tuple[Sighting, ...]
    groups: tuple[int, ...]
    hand: HandReading

    def own_tiles(self) -> list[Sighting]:
        """The tiles of the hand that were seen; all where there is none."""
        hand = self.hand
        places = {*hand.concealed, *(place for meld in hand.melds for place in meld.tiles)}
        if hand.win is not None:
            places.add(hand.win)
        return [self.tiles[place] for place in sorted(places) if not self.tiles[place].guessed] or list(self.tiles)


@dataclass(frozen=True, slots=True)
class _Part:
    """Tiles that lie together, by their places, and what they are."""

    role: Role
    places: tuple[int, ...]
    meld: MeldType | None = None
    codes: tuple[str, ...] = ()

    @property
    def tally(self) -> Tally:
        """What the part adds to a hand."""
        return int(self.role == "meld"), len(self.places) if self.role == "concealed" else 0, int(self.role == "win")


@dataclass(frozen=True, slots=True)
class _Cut:
    """A way to cut rows into parts, and its cost."""

    cost: float
    parts: tuple[_Part, ...]


def assemble(sightings: Sequence[Sighting], shape: HandShape | None) -> Assembly:
    """Order the tiles and find the hand among them; without a shape no hand is looked for.

    The labels of a called group are decoded together: where the likeliest ones make no group, the likeliest that do are
    taken, if they are near. Where the tiles seen make no hand, and would with the backs of a concealed kong beside or
    between two tiles alike, these are added as guesses.
    """
    if not sightings:
        return Assembly((), (), HandReading((), (), None))
    if shape is None:
        return _arranged(_views(sightings)[0], _Cut(0.0, ()), sightings)
    seen = list(sightings)
    view, cut = _best_view(seen, shape)
    # Each round may show one more concealed kong whose backs the locator missed.
    for _ in range(shape.calls):
        if not CERTAIN <= cut.cost < HOPELESS:
            break
        guesses = [[*seen, *backs] for table in _views(seen) for backs in hidden_backs(seen, table, shape.kongs)]
        tried = [(_best_view(guess, shape), guess) for guess in guesses]
        better = min(tried, key=lambda found: found[0][1].cost, default=None)
        if better is None or better[0][1].cost + GUESSED_BACKS > cut.cost:
            break
        (view, cut), seen = better
    return _arranged(view, cut, seen)


def _views(sightings: Sequence[Sighting]) -> list[Table]:
    turns = [None if seen.quad.round or seen.quad.face == "down" else seen.turn for seen in sightings]
    return tables([seen.quad for seen in sightings], turns, [seen.code for seen in sightings])


def _best_view(sightings: Sequence[Sighting], shape: HandShape) -> tuple[Table, _Cut]:
    """The direction of the rows that makes the cheapest cut, and that cut."""
    views = _views(sightings)
    view, cut = views[0], _best_cut(views[0], sightings, shape, 0.0)
    for number, other in enumerate(views[1:], 1):
        if cut.cost < CERTAIN:
            break
        handicap = OTHER_DIRECTION * number + EXTRA_ROW * (len(other.rows) - len(views[0].rows))
        another = _best_cut(other, sightings, shape, handicap)
        if another.cost < cut.cost:
            view, cut = other, another
    return view, cut


def _best_cut(table: Table, sightings: Sequence[Sighting], shape: HandShape, handicap: float) -> _Cut:
    """The cheapest way to cut all rows, its cost raised by the handicap.

    Of what the rows so far were cut into, only a tally matters for those that follow: how many groups, concealed and
    winning tiles there are, and which row holds concealed ones (`stages`, the least cost of each; the first axis is 0
    for none yet, n + 1 for row n alone, the last for two rows). The parts are told from the costs afterwards.
    """
    usual = _usual_gap(table.rows)
    rows = [_RowCutter(row, table, sightings, shape, usual) for row in table.rows]
    stages = np.full((len(rows) + 1, len(rows) + 2, *_tallies(shape)), np.inf)
    stages[0, 0, 0, 0, 0] = handicap
    beside = np.zeros((len(rows), len(rows)))
    seconds: list[Costs] = []
    for n, row in enumerate(rows):
        before, after = stages[n], stages[n + 1]
        for a in range(n):
            if np.isfinite(before[a + 1]).any():
                beside[a, n] = _second_row(table, table.rows[a], table.rows[n])
        alone = before[1 : n + 1] + beside[:n, n, None, None, None]
        seconds.append(alone.min(axis=0, initial=np.inf))
        for melds, concealed, win in row.possible:
            cost = row.costs[melds, concealed, win]
            if not concealed:
                _lower(after, before, (0, melds, 0, win), cost)
            else:
                _lower(after[n + 1], before[0], (melds, concealed, win), cost)
                _lower(after[-1], seconds[n], (melds, concealed, win), cost)
    finished = stages[-1] + _count_costs(shape)
    used, melds, concealed, win = (int(place) for place in np.unravel_index(int(finished.argmin()), finished.shape))
    tally = (melds, concealed, win)
    parts: list[_Part] = []
    for n in range(len(rows) - 1, -1, -1):
        # Where the row holds concealed tiles, it is the first one that does, or there was one before.
        source = stages[n, 0] if used == n + 1 else seconds[n]
        way, earlier = next(
            (way, earlier)
            for way in rows[n].possible
            if (earlier := _less(tally, way)) is not None and (not way[1] or used in (n + 1, len(rows) + 1))
            if (source if way[1] else stages[n, used])[earlier] + rows[n].costs[way] == stages[n + 1, used, *tally]
        )
        if way[1]:
            used = 0 if used == n + 1 else 1 + int((stages[n, 1 : n + 1, *earlier] + beside[:n, n]).argmin())
        tally = earlier
        parts = rows[n].parts(way) + parts
    return _Cut(float(finished.min()), tuple(parts))


def _tallies(shape: HandShape) -> Tally:
    """How many values each part of a tally has: called groups, concealed tiles, winning tiles."""
    return shape.calls + 1, shape.hand_size + 2, 2


def _lower(target: Costs, source: Costs, more: Sequence[int], cost: float) -> None:
    """Lower the costs of tallies to those of smaller ones by so much `more`, plus a cost; in place."""
    if any(step >= size for step, size in zip(more, target.shape, strict=True)):
        return
    there = target[tuple(slice(step, None) for step in more)]
    here = source[tuple(slice(0, size - step) for step, size in zip(more, target.shape, strict=True))]
    np.minimum(there, here + cost, out=there)


def _less(tally: Tally, own: Tally) -> Tally | None:
    """A tally without a part of it; None where it holds less than that."""
    melds, concealed, win = (whole - part for whole, part in zip(tally, own, strict=True))
    return (melds, concealed, win) if min(melds, concealed, win) >= 0 else None


def _count_costs(shape: HandShape) -> Costs:
    """What the number of tiles costs, for each tally."""
    melds, concealed, win = np.indices(_tallies(shape))
    wanted = shape.hand_size - 3 * melds + 1 - win
    return np.asarray(WRONG_COUNT * np.abs(concealed - wanted) + np.where(win, 0.0, GUESSED_WIN), np.float64)


def _second_row(table: Table, above: Row, below: Row) -> float:
    """The cost of taking both rows for the concealed tiles: they touch or nearly."""
    i, j = list(above.places), list(below.places)
    facing = np.abs(table.along[np.ix_(i, j)]) < 0.7
    if not facing.any():
        return DEAREST_GAP
    apart = np.abs(table.across[np.ix_(i, j)]) - (table.breadth[i][:, None] + table.breadth[j]) / 2
    return SECOND_ROW + min(DEAREST_GAP, GAP_COST * max(0.0, float(np.median(apart[facing])) - ROW_GAP))


def _usual_gap(rows: Sequence[Row]) -> float:
    """The free space between tiles of one group in this picture, in tiles: the median of the narrower half."""
    gaps = sorted(gap for row in rows for gap in row.gaps[1:] if gap >= 0)
    narrow = gaps[: math.ceil(len(gaps) / 2)]
    return min(LOOSEST, float(np.median(narrow))) if narrow else 0.0


class _RowCutter:
    """Every way to cut one row into parts: the least cost of each tally (`costs`), and `possible`, the tallies."""

    def __init__(self, row: Row, table: Table, sightings: Sequence[Sighting], shape: HandShape, usual: float) -> None:
        self.row = row
        self.shape = shape
        self.usual = usual
        self.tiles = [sightings[place] for place in row.places]
        self.turned = [bool(table.turned[place]) for place in row.places]
        self._cut()
        self.costs = self.states[-1].min(axis=0)
        self.possible = [(int(m), int(c), int(w)) for m, c, w in np.argwhere(np.isfinite(self.costs))]

    def _cut(self) -> None:
        size, tallies = len(self.tiles), _tallies(self.shape)
        # The least cost of what stands before a place, by the role of the last part and the tally up to there.
        self.states = np.full((size + 1, len(_BEFORE), *tallies), np.inf)
        self.states[0, 0, 0, 0, 0] = 0.0
        self.borders = np.zeros((size, len(_ROLES), len(_BEFORE)))
        # The same with a part of some role begun there.
        self.begun = np.zeros((size, len(_ROLES), *tallies))
        self.ways = [list(self._parts_from(start)) for start in range(size)]
        for start, ways in enumerate(self.ways):
            befores = list(enumerate(_BEFORE))
            for (b, before), (r, role) in product(befores[1:] if start else befores[:1], enumerate(_ROLES)):
                self.borders[start, r, b] = self._border(before, role, start)
            costs = self.states[start] + self.borders[start, :, :, None, None, None]
            np.min(costs, axis=1, out=self.begun[start])
            for part, price in ways:
                r = _ROLES.index(part.role)
                target, begun = self.states[start + len(part.places), r + 1], self.begun[start, r]
                if part.role == "concealed":
                    # The concealed tiles of a row lie in one stretch.
                    count = len(part.places)
                    _lower(target[:, count : count + 1], begun[:, :1], (0, 0, 0), price)
                else:
                    _lower(target, begun, part.tally, price)

    def parts(self, tally: Tally) -> list[_Part]:
        """The parts of the cheapest way with a tally."""
        parts: list[_Part] = []
        end = len(self.tiles)
        before = int(self.states[end, :, *tally].argmin())
        while end:
            start, part, tally = self._last_part(end, before, tally)
            parts.insert(0, part)
            r = _ROLES.index(part.role)
            before = int((self.states[start, :, *tally] + self.borders[start, r]).argmin())
            end = start
        return parts

    def _last_part(self, end: int, before: int, tally: Tally) -> tuple[int, _Part, Tally]:
        """The part that ends at a place, where it starts, and the tally up to there."""
        return next(
            (start, part, earlier)
            for start, ways in enumerate(self.ways[:end])
            for part, price in ways
            if start + len(part.places) == end and _ROLES.index(part.role) == before - 1
            if (earlier := _less(tally, part.tally)) is not None and not (part.role == "concealed" and earlier[1])
            if self.begun[start, before - 1, *earlier] + price == self.states[end, before, *tally]
        )

    def _border(self, before: Role | None, role: Role, start: int) -> float:
        """The cost of the cut in front of a part, given the roles on both sides."""
        away = 0.0
        if role == "win" and before != "concealed":
            away = WIN_ALONE if len(self.tiles) == 1 else WIN_AWAY
        elif role == "concealed" and before == "win":
            away = WIN_FIRST - WIN_AWAY
        if before is None or (before == role == "other"):
            return away
        if (role == "win" and self.turned[start]) or (before == "win" and self.turned[start - 1]):
            return away
        gap = self.row.gaps[start]
        narrow = 3 * DEAREST_GAP if gap < 0 else min(DEAREST_GAP, GAP_COST * max(0.0, self.usual + OUTSIDE - gap))
        return away + (narrow / 2 if "other" in (before, role) else narrow)

    def _parts_from(self, start: int) -> Iterable[tuple[_Part, float]]:
        tile = self.tiles[start]
        yield _Part("other", self._places(start, start + 1)), LEFT_OUT if tile.code else BACK_LEFT_OUT
        if tile.code is not None:
            yield _Part("win", self._places(start, start + 1)), 0.0
        price = 0.0
        for end in range(start + 1, len(self.tiles) + 1):
            gap = self.row.gaps[end - 1]
            if end > start + 1:
                price += min(DEAREST_GAP, GAP_COST * max(0.0, gap - self.usual - INSIDE))
            group = self._meld(start, end)
            if group is not None:
                yield group[0], group[1] + price
            if any(t.code is None for t in self.tiles[start:end]):
                if end - start >= 5:
                    break
                continue
            turned = TURNED_CONCEALED * sum(self.turned[start:end])
            yield _Part("concealed", self._places(start, end)), price + turned

    def _places(self, start: int, end: int) -> tuple[int, ...]:
        return self.row.places[start:end]

    def _meld(self, start: int, end: int) -> tuple[_Part, float] | None:
        """The tiles from start to end as a called group: the cheapest that the rule set knows, and its cost."""
        if not 3 <= end - start <= 5:
            return None
        tiles = self.tiles[start:end]
        backs = tuple(n for n, tile in enumerate(tiles) if tile.code is None)
        if backs and (len(tiles) != 4 or backs not in ((0, 3), (1, 2))):
            return None
        stacked = any(gap < 0 for gap in self.row.gaps[start + 1 : end])
        codes = tuple(tile.code for tile in tiles if tile.code is not None)
        cost = 0.0
        if not self._is_group(codes, len(tiles)):
            found = [(_relabelling(tiles, other), other) for other in self._near(tiles)]
            if not found:
                return None
            cost, codes = min(found)
        if backs:
            codes = codes[:1] * len(tiles)
        return _Part("meld", self._places(start, end), _meld_type(codes, bool(backs), stacked), codes), cost

    def _is_group(self, codes: Sequence[str], size: int) -> bool:
        """Whether tiles are a called group of so many; only their faces need be given."""
        shape = self.shape
        if len(set(codes)) == 1:
            return codes[0] in shape.triplets if size == 3 else codes[0] in shape.kongs and (size == 4 or shape.fifths)
        return size == 3 and frozenset(codes) in shape.runs

    def _near(self, tiles: Sequence[Sighting]) -> Iterable[tuple[str, ...]]:
        """The called groups that tiles could be if some were misread, in the order in which they lie."""
        kinds = {code for tile in tiles for code, _ in tile.alternatives}
        yield from ((code,) * len(tiles) for code in kinds if self._is_group((code,), len(tiles)))
        if len(tiles) == 3 and self.shape.runs:
            choices = product(*([code for code, _ in tile.alternatives] for tile in tiles))
            yield from (codes for codes in choices if len(set(codes)) == 3 and self._is_group(codes, 3))


def _meld_type(codes: Sequence[str], backs: bool, stacked: bool) -> MeldType:
    if len(set(codes)) > 1:
        return MeldType.CHI
    if len(codes) == 3:
        return MeldType.PONG
    if len(codes) == 5:
        return MeldType.SUPER_KONG
    return MeldType.CONCEALED_KONG if backs else MeldType.ADDED_KONG if stacked else MeldType.OPEN_KONG


def _relabelling(tiles: Sequence[Sighting], codes: Sequence[str]) -> float:
    """What it costs, in nats, to read the tiles as these codes instead of as what is likeliest."""
    cost = 0.0
    for tile, code in zip(tiles, codes, strict=True):
        if tile.code is not None and tile.code != code:
            shares = dict(tile.alternatives)
            cost += math.log(max(tile.confidence, LEAST_SHARE) / max(shares.get(code, 0.0), LEAST_SHARE))
    return cost


def _arranged(table: Table, cut: _Cut, sightings: Sequence[Sighting]) -> Assembly:
    """The assembly of a cut, its places renumbered in reading order."""
    order = [place for row in table.rows for place in row.places]
    position = {place: n for n, place in enumerate(order)}
    tiles = list(sightings)
    concealed: list[int] = []
    melds: list[MeldReading] = []
    win: int | None = None
    for part in cut.parts:
        places = tuple(position[place] for place in part.places)
        if part.role == "concealed":
            concealed += places
        elif part.role == "win":
            (win,) = places
        elif part.meld is not None:
            melds.append(MeldReading(part.meld.value, places, part.codes))
            for place, code in zip(part.places, part.codes, strict=True):
                tiles[place] = _relabelled(tiles[place], code)
    guess = win is None and bool(concealed)
    if guess:
        win = concealed.pop()
    hand = HandReading(tuple(concealed), tuple(melds), win, guess)
    return Assembly(tuple(tiles[place] for place in order), _clusters(table, hand), hand)


def _relabelled(tile: Sighting, code: str) -> Sighting:
    if tile.code is None or tile.code == code:
        return tile
    return replace(tile, code=code, confidence=dict(tile.alternatives).get(code, 0.0))


def _clusters(table: Table, hand: HandReading) -> tuple[int, ...]:
    """The cluster of each tile in reading order: the parts of the hand, and what else lies together."""
    part: dict[int, Any] = dict.fromkeys(hand.concealed, "concealed")
    part |= {place: number for number, meld in enumerate(hand.melds) for place in meld.tiles}
    widest = _usual_gap(table.rows) + (INSIDE + OUTSIDE) / 2
    numbers: dict[Any, int] = {}
    clusters: list[int] = []
    loose = 0
    for row in table.rows:
        for n, gap in enumerate(row.gaps):
            place = len(clusters)
            if n == 0 or gap > widest:
                loose += 1
            key = part.get(place, "win" if place == hand.win else ("loose", loose))
            clusters.append(numbers.setdefault(key, len(numbers)))
    return tuple(clusters)
