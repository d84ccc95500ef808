"""A hand as a player lays it down, and every reason for which one is refused (rules, section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from scoring.layout import Counts
from scoring.ruleset import RuleError, RuleSet, rule_set
from scoring.shape import Called, Circumstances, Facts
from scoring.tiles import Family, Tile, TileError, format_tiles, parse_tile
from scoring.wild import Slots, meld_plays


class MeldType(StrEnum):
    """How a group outside the hand came to be."""

    CHI = "chi"
    PONG = "pong"
    OPEN_KONG = "open_kong"
    ADDED_KONG = "added_kong"
    CONCEALED_KONG = "concealed_kong"
    SUPER_KONG = "super_kong"


class By(StrEnum):
    """Where the winning tile came from."""

    SELF_DRAW = "self_draw"
    DISCARD = "discard"
    ROBBED_KONG = "robbed_kong"


MELD_SIZE: Final = {
    MeldType.CHI: 3,
    MeldType.PONG: 3,
    MeldType.OPEN_KONG: 4,
    MeldType.ADDED_KONG: 4,
    MeldType.CONCEALED_KONG: 4,
    MeldType.SUPER_KONG: 5,
}
"""How many tiles a meld of each type has."""

KONGS: Final = frozenset({MeldType.OPEN_KONG, MeldType.ADDED_KONG, MeldType.CONCEALED_KONG, MeldType.SUPER_KONG})


@dataclass(frozen=True, slots=True)
class Meld:
    """A group outside the hand. A super kong says itself whether it is concealed; of the others the type does."""

    type: MeldType
    tiles: tuple[Tile, ...]
    concealed: bool = False

    def __post_init__(self) -> None:
        if self.type is MeldType.CONCEALED_KONG:
            object.__setattr__(self, "concealed", True)

    @property
    def is_kong(self) -> bool:
        """Whether it has more than three tiles by its type."""
        return self.type in KONGS


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of a win. Seats are numbered in turn order from 0; `wild` is the kind turned up."""

    players: int = 4
    winner: int = 0
    dealer: int = 0
    discarder: int | None = None
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    last_tile: bool = False
    replacement: bool = False
    first_turn: bool = False
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    wild: Tile | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is refused: a fixed code and a sentence that says how to mend it."""

    code: str
    message: str


class HandError(ValueError):
    """A hand that cannot be. `reasons` are all that is wrong with it; `code` is the first one's."""

    def __init__(self, reasons: Sequence[Reason]) -> None:
        super().__init__("; ".join(reason.message for reason in reasons))
        self.reasons = tuple(reasons)
        self.code = self.reasons[0].code

    def to_json(self) -> dict[str, Any]:
        """The error object of the interface."""
        error: dict[str, Any] = {"code": self.code, "message": str(self)}
        if len(self.reasons) > 1:
            error["reasons"] = [{"code": reason.code, "message": reason.message} for reason in self.reasons]
        return {"error": error}


@dataclass(frozen=True, eq=False, repr=False)
class Hand:
    """A hand under a rule set; making one raises HandError where it cannot be.

    `concealed` are the tiles in hand without called groups, concealed kongs and the winning tile. `counts` are those
    of `concealed` and `win` over the rule set's kinds, `meld_counts` those of the melds.
    """

    rules: RuleSet
    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    win: Tile
    by: By
    context: Context = Context()
    counts: Counts = field(init=False)
    meld_counts: Counts = field(init=False)
    facts: Facts = field(init=False)
    win_kind: int = field(init=False)

    def __post_init__(self) -> None:
        reasons = tuple(refusals(self.rules, self.concealed, self.melds, self.win, self.by, self.context))
        if reasons:
            raise HandError(reasons)
        layout = self.rules.layout
        index = layout.index
        win_kind = index[self.win.code]
        counts = layout.count([index[tile.code] for tile in self.concealed] + [win_kind])
        meld_counts = layout.count([index[tile.code] for meld in self.melds for tile in meld.tiles])
        every = tuple(a + b for a, b in zip(counts, meld_counts, strict=True)) if self.melds else counts
        context = self.context
        called = _called(self.rules, self.melds)
        mask = sum(1 << kind for kind, count in enumerate(every) if count)
        facts = Facts(called, every, mask, circumstances(self.by, context))
        object.__setattr__(self, "win_kind", win_kind)
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "meld_counts", meld_counts)
        object.__setattr__(self, "facts", facts)

    @cached_property
    def meld_plays(self) -> tuple[tuple[Slots, ...], ...]:
        """The groups that each meld can be, in the rule sets with a wild tile."""
        return tuple(_meld_plays(self.rules, meld, self.context) for meld in self.melds)

    def __repr__(self) -> str:
        melds = "".join(f" [{format_tiles(meld.tiles)}]" for meld in self.melds)
        return f"<Hand {self.rules.id}: {format_tiles(self.concealed)}{melds} + {self.win} by {self.by}>"


def circumstances(by: By, context: Context) -> Circumstances:
    """How a hand was won, as the conditions of the rules look at it."""
    return Circumstances(
        self_draw=by is By.SELF_DRAW,
        robbed_kong=by is By.ROBBED_KONG,
        dealer=context.winner == context.dealer,
        from_dealer=by is By.DISCARD and context.discarder == context.dealer,
        riichi=context.riichi or context.double_riichi,
        double_riichi=context.double_riichi,
        ippatsu=context.ippatsu,
        last_tile=context.last_tile,
        replacement=context.replacement,
        first_turn=context.first_turn,
    )


def _called(rules: RuleSet, melds: Sequence[Meld]) -> Called:
    closed = all(meld.concealed for meld in melds)
    if rules.units is not None:
        # Which groups the melds are depends on their wilds; see `Hand.meld_plays`.
        return Called(closed=closed)
    layout = rules.layout
    runs, triplets, kongs = [], [], []
    hidden = []
    newest_is_super = False
    for meld in melds:
        kinds = tuple(sorted(layout.index[tile.code] for tile in meld.tiles))
        if meld.type is MeldType.CHI:
            runs.append(layout.run_of[kinds])
            continue
        triplets.append(kinds[0])
        if meld.is_kong:
            kongs.append(kinds[0])
            if meld.concealed:
                hidden.append(kinds[0])
            newest_is_super = meld.type is MeldType.SUPER_KONG
    return Called(
        runs=tuple(sorted(runs)),
        triplets=tuple(sorted(triplets)),
        kongs=tuple(sorted(kongs)),
        hidden=tuple(sorted(hidden)),
        super_kong=newest_is_super,
        closed=closed,
    )


def _meld_plays(rules: RuleSet, meld: Meld, context: Context) -> tuple[Slots, ...]:
    assert rules.units is not None
    run = meld.type is MeldType.CHI
    return meld_plays(rules.layout, meld.tiles, run, context.wild, rules.units.white_is_wild_kind)


def refusals(
    rules: RuleSet, concealed: Sequence[Tile], melds: Sequence[Meld], win: Tile | None, by: By, context: Context
) -> Iterator[Reason]:
    """Every reason why a hand cannot be, in a fixed order; `win` may be None for a hand that still waits."""
    yield from _foreign(rules, concealed, melds, win, context)
    yield from _melds(rules, melds, context)
    yield from _numbers(rules, concealed, melds)
    yield from _copies(rules, concealed, melds, win, context)
    yield from _seats(rules, by, context)
    yield from contradictions(rules, melds, by, context)


def _tiles_named(
    concealed: Sequence[Tile], melds: Sequence[Meld], win: Tile | None, context: Context
) -> Iterator[Tile]:
    yield from concealed
    for meld in melds:
        yield from meld.tiles
    if win is not None:
        yield win
    yield from context.dora_indicators
    yield from context.ura_indicators


def _foreign(
    rules: RuleSet, concealed: Sequence[Tile], melds: Sequence[Meld], win: Tile | None, context: Context
) -> Iterator[Reason]:
    named = {tile.code: tile for tile in _tiles_named(concealed, melds, win, context)}
    if context.wild is not None:
        named[context.wild.code] = context.wild
    for code, tile in named.items():
        if not rules.copies(code):
            yield Reason("foreign_tile", f"{code} ({tile.zh}) is no tile of {rules.id}: take it out")


def _melds(rules: RuleSet, melds: Sequence[Meld], context: Context) -> Iterator[Reason]:
    for meld in melds:
        codes = " ".join(tile.code for tile in meld.tiles)
        if meld.type not in rules.calls:
            yield Reason("call_not_allowed", f"{rules.id} knows no {meld.type}; it knows {', '.join(rules.calls)}")
        elif all(rules.copies(tile.code) for tile in meld.tiles) and not _is_group(rules, meld, context):
            wanted = "a run" if meld.type is MeldType.CHI else f"{MELD_SIZE[meld.type]} tiles of one kind"
            yield Reason("not_a_meld", f"{codes} is no {meld.type}: it takes {wanted}")
    if len(melds) > rules.max_calls:
        yield Reason("too_many_calls", f"{len(melds)} melds, but {rules.id} allows {rules.max_calls}")
    kongs = sum(meld.is_kong for meld in melds)
    if kongs > rules.max_kongs:
        yield Reason("too_many_kongs", f"{kongs} kongs, but {rules.id} allows {rules.max_kongs}")


def _is_group(rules: RuleSet, meld: Meld, context: Context) -> bool:
    if len(meld.tiles) != MELD_SIZE[meld.type]:
        return False
    if rules.units is not None:
        return bool(_meld_plays(rules, meld, context))
    layout = rules.layout
    kinds = tuple(sorted(layout.index[tile.code] for tile in meld.tiles))
    if meld.type is MeldType.CHI:
        return kinds in layout.run_of
    return kinds[0] == kinds[-1]


def _numbers(rules: RuleSet, concealed: Sequence[Tile], melds: Sequence[Meld]) -> Iterator[Reason]:
    wanted = rules.hand_size - 3 * len(melds)
    if len(concealed) != wanted:
        yield Reason(
            "wrong_tile_count",
            f"{len(concealed)} tiles in hand beside {len(melds)} melds and the winning tile, but {rules.id} takes "
            f"{max(wanted, 0)}",
        )


def _copies(
    rules: RuleSet, concealed: Sequence[Tile], melds: Sequence[Meld], win: Tile | None, context: Context
) -> Iterator[Reason]:
    seen: dict[str, int] = {}
    for tile in _tiles_named(concealed, melds, win, context):
        seen[tile.code] = seen.get(tile.code, 0) + 1
    for code, count in seen.items():
        held = rules.copies(code)
        # The wild that lies turned up cannot be in a hand as well.
        turned = 1 if context.wild is not None and context.wild.code == code else 0
        if held and count > held - turned:
            yield Reason(
                "too_many_copies",
                f"{count} tiles {code} ({parse_tile(code).zh}), but there are only {held - turned}",
            )


def _seats(rules: RuleSet, by: By, context: Context) -> Iterator[Reason]:
    players = context.players
    if players not in rules.players:
        allowed = ", ".join(str(number) for number in rules.players)
        yield Reason("wrong_player_count", f"{players} players, but {rules.id} is played by {allowed}")
    for name, seat in (("winner", context.winner), ("dealer", context.dealer), ("discarder", context.discarder)):
        if seat is not None and not 0 <= seat < players:
            last = f"{players - 1} (P{players})"
            yield Reason("no_such_seat", f"{name} {seat} is no seat: seats run from 0 (P1) to {last}")
    if by is By.SELF_DRAW:
        return
    if context.discarder is None:
        yield Reason("discarder_missing", f"a win by {by} needs the discarder's seat")
    elif context.discarder == context.winner:
        yield Reason("discarder_is_winner", "the discarder is the winner: name another seat, or say self_draw")


def contradictions(rules: RuleSet, melds: Sequence[Meld], by: By, context: Context) -> Iterator[Reason]:
    """Every reason why a win cannot have been so beside these melds, of which only the types are looked at."""
    riichi = context.riichi or context.double_riichi
    if context.ippatsu and not riichi:
        yield Reason("ippatsu_without_riichi", "ippatsu without riichi: set riichi, or leave ippatsu out")
    if riichi and not all(meld.concealed for meld in melds):
        yield Reason("riichi_with_call", "riichi with a called meld: only a closed hand can declare riichi")
    if context.replacement and not any(meld.is_kong for meld in melds):
        yield Reason("replacement_without_kong", "a replacement tile without a kong: add the kong or clear replacement")
    if context.replacement and by is not By.SELF_DRAW:
        yield Reason("replacement_not_self_drawn", "a replacement tile is drawn: say self_draw or clear replacement")
    if context.first_turn and melds:
        yield Reason("first_turn_with_meld", "a win on the first turn has no melds: clear first_turn")
    if context.first_turn and rules.family is not Family.MAHJONG and by is not By.SELF_DRAW:
        yield Reason("first_turn_not_self_drawn", "a win on the first turn is drawn: say self_draw or clear first_turn")


FLAGS: Final = tuple(f.name for f in fields(Context) if f.type == "bool")
"""What may be true of a win, as a context names it."""

_SEATS: Final = ("players", "winner", "dealer", "discarder")
_INDICATORS: Final = ("dora_indicators", "ura_indicators")


class _Reader:
    """Reads the JSON form and gathers what is wrong with its types and codes."""

    def __init__(self) -> None:
        self.reasons: list[Reason] = []

    def refuse(self, code: str, message: str) -> None:
        self.reasons.append(Reason(code, message))

    def members(self, value: object, wanted: Sequence[str]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise HandError([Reason("not_an_object", f"a hand must be a JSON object, not {type(value).__name__}")])
        for key in wanted:
            if key not in value:
                self.refuse("missing_key", f"{key!r} is missing")
        return value

    def rule_set(self, value: Mapping[str, Any]) -> RuleSet | None:
        if "rules" not in value:
            return None
        try:
            return rule_set(value["rules"])
        except (RuleError, TypeError):
            self.refuse("unknown_rules", f"no rule set {value['rules']!r}; `hupai rules` lists them")
            return None

    def tile(self, value: object, where: str) -> Tile | None:
        if not isinstance(value, str):
            self.refuse("wrong_type", f'{where} must be a tile code such as "rK", not {value!r}')
            return None
        try:
            return parse_tile(value)
        except TileError as error:
            self.refuse("unknown_tile", f"{where}: {error}")
            return None

    def tiles(self, value: object, where: str) -> tuple[Tile, ...]:
        if not isinstance(value, list):
            self.refuse("wrong_type", f"{where} must be a list of tile codes, not {value!r}")
            return ()
        return tuple(tile for item in value if (tile := self.tile(item, where)) is not None)

    def meld(self, value: object) -> Meld | None:
        if not isinstance(value, dict):
            self.refuse("wrong_type", f"a meld must be an object with type and tiles, not {value!r}")
            return None
        tiles = self.tiles(value.get("tiles"), "melds: tiles")
        try:
            kind = MeldType(str(value.get("type")))
        except ValueError:
            self.refuse("unknown_meld", f"no meld type {value.get('type')!r}; there are {', '.join(MeldType)}")
            return None
        concealed = value.get("concealed", kind is MeldType.CONCEALED_KONG)
        if not isinstance(concealed, bool):
            self.refuse("wrong_type", f"melds: concealed must be true or false, not {concealed!r}")
        elif kind is not MeldType.SUPER_KONG and concealed is not (kind is MeldType.CONCEALED_KONG):
            self.refuse("wrong_type", f"melds: a {kind} says by its type whether it is concealed")
        return Meld(kind, tiles, concealed is True)

    def melds(self, value: object) -> tuple[Meld, ...]:
        if not isinstance(value, list):
            self.refuse("wrong_type", f"melds must be a list, not {value!r}")
            return ()
        return tuple(meld for item in value if (meld := self.meld(item)) is not None)

    def by(self, value: object) -> By:
        try:
            return By(str(value))
        except ValueError:
            self.refuse("unknown_by", f"by must be one of {', '.join(By)}, not {value!r}")
            return By.SELF_DRAW

    def context(self, value: object) -> Context:
        if not isinstance(value, dict):
            self.refuse("wrong_type", f"context must be an object, not {value!r}")
            return Context()
        given: dict[str, Any] = {}
        for key, item in value.items():
            where = f"context: {key}"
            if key in FLAGS:
                if isinstance(item, bool):
                    given[key] = item
                else:
                    self.refuse("wrong_type", f"{where} must be true or false, not {item!r}")
            elif key in _SEATS:
                if item is None and key == "discarder":
                    continue
                if isinstance(item, int) and not isinstance(item, bool):
                    given[key] = item
                else:
                    self.refuse("wrong_type", f"{where} must be a whole number, not {item!r}")
            elif key in _INDICATORS:
                given[key] = self.tiles(item, where)
            elif key == "wild":
                given[key] = None if item is None else self.tile(item, where)
            else:
                self.refuse("unknown_context", f"{where} means nothing; known are {', '.join(_KNOWN)}")
        return Context(**given)


_KNOWN: Final = tuple(f.name for f in fields(Context))


def hand_from_json(value: Mapping[str, Any] | object, rules: RuleSet | None = None) -> Hand:
    """The hand of a JSON object as the interface has it; `rules`, where given, stand for the ones it names.

    Raises HandError with every reason found. Types and codes are looked at first, then whether the hand can be.
    """
    reader = _Reader()
    wanted = ("concealed", "win", "by") if rules is not None else ("rules", "concealed", "win", "by")
    value = reader.members(value, wanted)
    rules = rules or reader.rule_set(value)
    concealed = reader.tiles(value["concealed"], "concealed") if "concealed" in value else ()
    melds = reader.melds(value.get("melds", []))
    win = reader.tile(value["win"], "win") if "win" in value else None
    by = reader.by(value["by"]) if "by" in value else By.SELF_DRAW
    context = reader.context(value.get("context", {}))
    if reader.reasons or rules is None or win is None:
        raise HandError(reader.reasons)
    return Hand(rules, concealed, melds, win, by, context)


def way_from_json(value: Mapping[str, Any] | object) -> tuple[RuleSet, tuple[Meld, ...], By, Context]:
    """What a JSON object of the interface says of a win beside the tiles in hand: rules, melds, `by` and context.

    Raises HandError with every reason found in types and codes.
    """
    reader = _Reader()
    value = reader.members(value, ("rules", "by"))
    rules = reader.rule_set(value)
    melds = reader.melds(value.get("melds", []))
    by = reader.by(value["by"]) if "by" in value else By.SELF_DRAW
    context = reader.context(value.get("context", {}))
    if reader.reasons or rules is None:
        raise HandError(reader.reasons)
    return rules, melds, by, context
