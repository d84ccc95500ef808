"""Rule sets: read from the tables in `scoring/rules`, checked when loaded, and kept as values.

`common.toml` holds what the fan rules share; a rule set may extend another and says only what differs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal

import scoring.yaku  # noqa: F401  (registers the conditions)
from scoring.condition import Condition, Parameters, Scope, build
from scoring.fu import FuTable, fu_table
from scoring.layout import Layout, LayoutError
from scoring.tiles import Family, Tile, tiles_of

Table = Mapping[str, Any]

_FOLDER: Final = Path(__file__).with_name("rules")

RULE_SETS: Final = (
    "xiangqi-1",
    "xiangqi-2",
    "xiangqi-3",
    "xiangqi-4",
    "junqi-1",
    "junqi-2",
    "junqi-3",
    "junqi-4",
    "junqi-5",
    "paigow-1",
    "duanzi",
    "lata",
    "quzhou",
)
"""Ids of the rule sets in the order of the rules' first table."""


class RuleError(ValueError):
    """A rule table that cannot be used, or an id that names no rule set; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Named:
    """A Chinese name, as the rules write it, and an English one."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Limit:
    """Basic points that hold from `fan` on."""

    fan: int
    name: Named
    basic: int


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Who pays how many times the basic points (rules, section 2)."""

    discard: int
    discard_to_dealer: int
    draw: int
    draw_dealer: int
    round_up_to: int
    tsumo_share: Literal["own", "full"]
    full_table: int


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """How fan, and fu where there are any, become basic points.

    Without fu `basic[i]` are those of i + 1 fan. With fu they are fu × 2^(fan + `doublings`), and no more than the
    lowest limit's where `limits` are given, or than a yakuman's where not.
    """

    basic: tuple[int, ...]
    limits: tuple[Limit, ...]
    yakuman: Limit
    house: str
    doublings: int = 0
    cap_house: str = ""


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku: its names, what it is worth, what it replaces and the condition.

    `closed` and `open` are fan, or for a yakuman (`yakuman` set) how many times a yakuman. `bit` is its place in the
    rule set's list as a mask, `replaces_bits` the mask of those it replaces.
    """

    id: str
    name: Named
    closed: int
    open: int
    yakuman: bool
    replaces: tuple[str, ...]
    house: str
    when: tuple[str, ...]
    parameters: Table
    condition: Condition
    bit: int
    replaces_bits: int


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table of hands or of payments, in the rule sets with a wild tile.

    `units` are what the hand is worth, or 0 where `pays` says instead, by case, what the discarder, the dealer and any
    other seat pay.
    """

    id: str
    name: Named
    units: int
    self_draw_only: bool
    pays: Mapping[str, Mapping[str, int]]
    house: str
    when: tuple[str, ...]
    condition: Condition


@dataclass(frozen=True, slots=True)
class Step:
    """What is added to the units of the rows in `rows` where the condition holds."""

    id: str
    name: Named
    add: int
    rows: frozenset[str]
    house: str
    when: tuple[str, ...]
    condition: Condition


@dataclass(frozen=True, slots=True)
class UnitRules:
    """How the rule sets with a wild tile count (rules, section 6).

    `wins` are the shapes that win; empty where the rows say so themselves. A win by discard is worth
    `discard_times` × s + `discard_add`. `total` says whether a result's units are all that the winner receives, or what
    one payer pays.
    """

    rows: tuple[Row, ...]
    steps: tuple[Step, ...]
    wins: tuple[Condition, ...]
    white_is_wild_kind: bool
    three_wilds_closed_self_draw: bool
    discard_times: int
    discard_add: int
    least: int
    base: int
    total: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """What happens between hands: points at the start, a riichi's stick, who deals next, and what a draw moves.

    `draw_pool` moves from those not waiting to those waiting; `draw_dealer_pays` goes from the dealer to each other.
    `after_draw` says whether the dealer stays, passes the deal, or stays if waiting.
    """

    start: int = 0
    stick: int = 0
    winner_deals: bool = False
    after_draw: Literal["stays", "passes", "stays_if_waiting"] = "stays_if_waiting"
    draw_pool: int = 0
    draw_dealer_pays: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class RuleSet:
    """One rule set.

    `tiles` are the kinds it uses and `number[i]` how many of `tiles[i]` the set holds; a winning hand is `groups`
    groups and a pair, or `pairs` different pairs (0: no such hand). `calls` are the meld types it knows.
    """

    id: str
    name: Named
    section: str
    family: Family
    tiles: tuple[Tile, ...]
    number: tuple[int, ...]
    groups: int
    pairs: int
    calls: tuple[str, ...]
    max_calls: int
    max_kongs: int
    players: tuple[int, ...]
    layout: Layout
    yaku: tuple[Yaku, ...]
    points: Points | None
    shares: Shares | None
    units: UnitRules | None
    fu: FuTable | None
    deal: Deal
    dora_after: tuple[int, ...]
    dora_house: str
    minimum_fan: int
    houses: Mapping[str, Named]
    house: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<RuleSet {self.id}>"

    @property
    def zh(self) -> str:
        """Chinese name."""
        return self.name.zh

    @property
    def en(self) -> str:
        """English name."""
        return self.name.en

    @property
    def hand_size(self) -> int:
        """Tiles in hand before the winning one, when there is no kong."""
        return 3 * self.groups + 1

    @cached_property
    def _copies(self) -> dict[str, int]:
        return {tile.code: number for tile, number in zip(self.tiles, self.number, strict=True)}

    def copies(self, code: str) -> int:
        """How many tiles of a kind the set holds; 0 for a kind it does not use."""
        return self._copies.get(code, 0)


def rule_sets() -> tuple[str, ...]:
    """The ids of all rule sets, in order."""
    return RULE_SETS


@cache
def rule_set(id: str) -> RuleSet:
    """The rule set with this id, its table's examples checked. Raises RuleError where there is none."""
    # Scoring stands on rule sets, so it can be asked for the examples only when all of it is there.
    from scoring.examples import faults

    if id not in RULE_SETS:
        raise RuleError(f"no rule set {id!r}; there are: {', '.join(RULE_SETS)}")
    table = read_table(id)
    rules = rule_set_from(table, read_table("common"))
    for fault in faults(rules, table):
        raise RuleError(f"{id}: an example does not score as it says: {fault.message}")
    return rules


@cache
def read_table(name: str) -> Table:
    """A rule table of ours, with what it extends filled in."""
    table = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    if "extends" in table:
        parent = read_table(table["extends"])
        return {**parent, **table, "examples": [*parent["examples"], *table["examples"]]}
    return table


def rule_set_from(table: Table, common: Table) -> RuleSet:
    """Build a rule set from its table and the common one. Raises RuleError with what is wrong."""
    try:
        return _rule_set_from(table, common)
    except LayoutError as error:
        raise RuleError(f"{table.get('id', '?')}: {error}") from None


def _rule_set_from(table: Table, common: Table) -> RuleSet:
    family = Family(table["family"])
    number: dict[str, int] = {}
    for line in table["copies"]:
        for code in line["of"].split():
            number[code] = line["each"]
    tiles = tuple(tile for tile in tiles_of(family) if tile.code in number)
    if sum(number.values()) != table["pieces"] or len(tiles) != len(number):
        raise RuleError(f"{table['id']}: the copies make {sum(number.values())} pieces, not {table['pieces']}")
    layout = Layout(tiles, tuple((a, b) for a, b in table.get("mixed_pairs", ())))
    return RuleSet(
        id=table["id"],
        name=Named(table["zh"], table["en"]),
        section=table["section"],
        family=family,
        tiles=tiles,
        number=tuple(number[tile.code] for tile in tiles),
        groups=table["groups"],
        pairs=table.get("pairs", 0),
        calls=tuple(table["calls"]),
        max_calls=table.get("max_calls", table["groups"]),
        max_kongs=table.get("max_kongs", table["groups"]),
        players=tuple(table["players"]),
        layout=layout,
        yaku=_yaku(table, common, layout),
        points=_points({**common["points"][table["points"]], **table.get("own_points", {})})
        if "points" in table
        else None,
        shares=Shares(**{**common["points"]["shares"], **table.get("shares", {})}) if "points" in table else None,
        units=_units(table["units"], layout) if "units" in table else None,
        fu=fu_table(table["fu"], layout) if "fu" in table else None,
        deal=Deal(**table.get("deal", {})),
        dora_after=_dora(table, layout),
        dora_house=table.get("dora_house", ""),
        minimum_fan=table.get("minimum_fan", 1),
        houses={key: Named(**names) for key, names in common["house"].items()},
        house=tuple(table.get("house", ())) + tuple(table.get("units", {}).get("house", ())),
    )


def _units(table: Table, layout: Layout) -> UnitRules:
    ids = [line["id"] for line in table["rows"]]
    return UnitRules(
        rows=tuple(
            Row(
                id=line["id"],
                name=Named(line["zh"], line["en"]),
                units=line.get("units", 0),
                self_draw_only=line.get("self_draw_only", False),
                pays=line.get("pays", {}),
                house=line.get("house", ""),
                when=_names(line["when"]),
                condition=build(_names(line["when"]), layout, {}),
            )
            for line in table["rows"]
        ),
        steps=tuple(
            Step(
                id=line["id"],
                name=Named(line["zh"], line["en"]),
                add=line["add"],
                rows=frozenset(line.get("only", ids)) - frozenset(line.get("except", ())),
                house=line.get("house", ""),
                when=_names(line["when"]),
                condition=build(_names(line["when"]), layout, {}),
            )
            for line in table.get("steps", ())
        ),
        wins=tuple(build((name,), layout, {}) for name in table.get("wins", ())),
        white_is_wild_kind=table["white_is_wild_kind"],
        three_wilds_closed_self_draw=table.get("three_wilds_closed_self_draw", False),
        discard_times=table.get("discard_times", 1),
        discard_add=table.get("discard_add", 0),
        least=table.get("least", 1),
        base=table.get("base", 1),
        total=table.get("units_are", "total") == "total",
    )


def _names(when: str | list[str]) -> tuple[str, ...]:
    return (when,) if isinstance(when, str) else tuple(when)


def _dora(table: Table, layout: Layout) -> tuple[int, ...]:
    """The kind that each kind names as an indicator; empty where the rules have no dora."""
    after: dict[int, int] = {}
    for circle in table.get("dora", ()):
        kinds = [layout.kind(code) for code in circle.split()]
        after.update(zip(kinds, kinds[1:] + kinds[:1], strict=True))
    return tuple(after[kind] for kind in range(layout.size)) if after else ()


def _points(table: Table) -> Points:
    def limit(line: Table) -> Limit:
        return Limit(line.get("fan", 0), Named(line["zh"], line["en"]), line["basic"])

    return Points(
        basic=tuple(table.get("basic", ())),
        limits=tuple(limit(line) for line in table["limits"]),
        yakuman=limit(table["yakuman"]),
        house=table["house"],
        doublings=table.get("doublings", 0),
        cap_house=table.get("cap_house", ""),
    )


_PARAMETERS: Final = frozenset(Parameters.__dataclass_fields__)
_YAKU_KEYS: Final = frozenset({"id", "zh", "en", "fan", "open", "yakuman", "when", "replaces", "house"}) | _PARAMETERS


def _yaku(table: Table, common: Table, layout: Layout) -> tuple[Yaku, ...]:
    shared = {line["id"]: line for line in common["yaku"]}
    lines = [shared[id] for id in table.get("circumstances", ())] + list(table.get("yaku", ()))
    place = {line["id"]: i for i, line in enumerate(lines)}
    if len(place) != len(lines):
        raise RuleError(f"{table['id']}: two yaku have the same id")
    made = []
    for i, line in enumerate(lines):
        where = f"{table['id']}: yaku {line['id']!r}"
        if unknown := sorted(set(line) - _YAKU_KEYS):
            raise RuleError(f"{where}: unknown key {unknown[0]!r}")
        if missing := [key for key in ("zh", "en", "when") if not line.get(key)]:
            raise RuleError(f"{where}: {missing[0]} is missing")
        replaces = tuple(line.get("replaces", ()))
        if strange := [id for id in replaces if id not in place]:
            raise RuleError(f"{where} replaces {strange[0]!r}, which is not in the list")
        value = line["yakuman"] if "yakuman" in line else line["fan"]
        names = _names(line["when"])
        parameters = {key: line[key] for key in line if key in _PARAMETERS}
        house = line.get("house", "")
        if house and house not in common["house"]:
            raise RuleError(f"{where}: no house choice {house!r}")
        try:
            condition = build(names, layout, parameters)
        except LayoutError as error:
            raise RuleError(f"{where}: {error}") from None
        if condition.scope is Scope.WILD_SHAPE:
            raise RuleError(f"{where}: a condition on a hand with wilds")
        made.append(
            Yaku(
                id=line["id"],
                name=Named(line["zh"], line["en"]),
                closed=value,
                open=line.get("open", value),
                yakuman="yakuman" in line,
                replaces=replaces,
                house=house,
                when=names,
                parameters=parameters,
                condition=condition,
                bit=1 << i,
                replaces_bits=sum(1 << place[id] for id in replaces),
            )
        )
    _refuse_cycles(table["id"], made)
    return tuple(made)


def _refuse_cycles(rules: str, yaku: list[Yaku]) -> None:
    """A yaku that replaces itself, directly or by others, would leave nothing."""
    after = {one.id: one.replaces for one in yaku}
    for start in after:
        seen: set[str] = set()
        queue = list(after[start])
        while queue:
            id = queue.pop()
            if id == start:
                raise RuleError(f"{rules}: yaku {start!r} replaces itself in the end")
            if id not in seen:
                seen.add(id)
                queue += after[id]
