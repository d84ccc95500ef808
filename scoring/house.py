"""A table's own rules: a TOML file that changes values of a rule set, adds yaku or takes some out.

Keys, all but `rules` optional:

    rules = "junqi-2"          # the rule set that is changed
    minimum_fan = 2            # a win takes so many fan
    tsumo_share = "full"       # "own" or "full": what becomes of missing seats' shares of a self-draw
    base = 2                   # times every payment of lata and quzhou
    remove = ["all_runs"]      # yaku, rows or steps that do not count

    [yaku.seven_pairs]         # a yaku of the rule set: any of fan or yakuman, open, zh, en, replaces
    fan = 3

    [yaku.all_red]             # a new one: zh, en, fan or yakuman, when, and what the condition takes
    zh = "全红"
    en = "All red"
    fan = 2
    when = "only_these"
    of = "red"

    [points]                   # basic (by fan), limits ({fan, zh, en, basic}), yakuman
    basic = [300, 600, 1200]

    [rows.flush]               # a row of duanzi: units
    units = 4

    [steps.robbed_kong]        # a step of duanzi: add
    add = 2
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final

from scoring.ruleset import RULE_SETS, RuleError, RuleSet, Table, read_table, rule_set_from

Path = tuple[str, ...]


class HouseError(RuleError):
    """A rules file that cannot be used; `line` is where, counted from 1."""

    def __init__(self, name: str, line: int, message: str) -> None:
        super().__init__(f"{name}, line {line}: {message}")
        self.line = line


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _positive(value: object) -> bool:
    return isinstance(value, int) and _whole(value) and value > 0


def _not_negative(value: object) -> bool:
    return isinstance(value, int) and _whole(value) and value >= 0


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(_text(item) for item in value)


def _limits(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict)
        and set(item) == {"fan", "zh", "en", "basic"}
        and _positive(item["fan"])
        and _positive(item["basic"])
        and _text(item["zh"])
        and _text(item["en"])
        for item in value
    )


Check = tuple[Callable[[object], bool], str]
_A_NUMBER: Final[Check] = (_positive, "a whole number above 0")
_A_VALUE: Final[Check] = (_not_negative, "a whole number, 0 or more")
_A_NAME: Final[Check] = (_text, "a text that is not empty")
_NAMES: Final[Check] = (_texts, "a list of texts")
_WHEN: Final[Check] = (lambda value: _text(value) or _texts(value), "a condition's name or a list of such")

_TOP: Final[dict[str, Check]] = {
    "rules": (lambda value: value in RULE_SETS, f"one of {', '.join(RULE_SETS)}"),
    "minimum_fan": _A_NUMBER,
    "tsumo_share": (lambda value: value in ("own", "full"), '"own" or "full"'),
    "base": _A_NUMBER,
    "remove": (lambda value: value == [] or _texts(value), "a list of ids"),
    "yaku": (lambda value: isinstance(value, dict), "tables [yaku.ID]"),
    "points": (lambda value: isinstance(value, dict), "a table [points]"),
    "rows": (lambda value: isinstance(value, dict), "tables [rows.ID]"),
    "steps": (lambda value: isinstance(value, dict), "tables [steps.ID]"),
}
_YAKU: Final[dict[str, Check]] = {
    "zh": _A_NAME,
    "en": _A_NAME,
    "fan": _A_VALUE,
    "yakuman": _A_NUMBER,
    "open": _A_VALUE,
    "when": _WHEN,
    "replaces": (lambda value: value == [] or _texts(value), "a list of ids"),
    "of": _A_NAME,
    "times": _A_NUMBER,
    "hands": _NAMES,
    "no_kong": _A_NAME,
}
_POINTS: Final[dict[str, Check]] = {
    "basic": (lambda value: isinstance(value, list) and all(_positive(item) for item in value), "a list of numbers"),
    "limits": (_limits, "a list of {fan, zh, en, basic}"),
    "yakuman": _A_NUMBER,
}
_UNITS: Final[dict[str, dict[str, Check]]] = {
    "rows": {"zh": _A_NAME, "en": _A_NAME, "units": _A_NUMBER},
    "steps": {"zh": _A_NAME, "en": _A_NAME, "add": (_whole, "a whole number")},
}


class _Fault(Exception):
    """What is wrong, and the path of keys to where."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


def house_rules(text: str, name: str = "house.toml") -> RuleSet:
    """The rule set that a rules file makes. Raises HouseError with the line of what is wrong."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at.group(1)) if at else text.count("\n") + 1
        raise HouseError(name, line, f"no TOML: {error}") from None
    try:
        _check(given, _TOP, ())
        if "rules" not in given:
            raise _Fault((), "'rules' is missing: it names the rule set that is changed")
        table = _changed(read_table(given["rules"]), given)
        return rule_set_from(table, read_table("common"))
    except _Fault as fault:
        raise HouseError(name, _line(text, fault.path), str(fault)) from None
    except RuleError as error:
        about = re.search(r"yaku '(\w+)'", str(error))
        path = ("yaku", about.group(1)) if about else ("rules",)
        raise HouseError(name, _line(text, path), str(error)) from None


def _check(table: Mapping[str, Any], known: Mapping[str, Check], path: Path) -> None:
    for key, value in table.items():
        if key not in known:
            raise _Fault((*path, key), f"{key!r} means nothing here; known are {', '.join(known)}")
        good, wanted = known[key]
        if not good(value):
            raise _Fault((*path, key), f"{key} must be {wanted}, not {value!r}")


def _changed(table: Table, given: Mapping[str, Any]) -> Table:
    """The table of the rule set with the file's changes made."""
    changed = {**table, "house": [*table.get("house", ()), "own_rules"]}
    if "points" in table:
        _points(changed, given)
        _yaku(changed, given)
        for key in ("base", "rows", "steps"):
            _refuse(key in given, (key,), f"{table['id']} counts in fan and has no {key}")
    else:
        _units(changed, given)
        for key in ("minimum_fan", "tsumo_share", "yaku", "points"):
            _refuse(key in given, (key,), f"{table['id']} counts in units and has no {key}")
    return changed


def _refuse(fault: bool, path: Path, message: str) -> None:
    if fault:
        raise _Fault(path, message)


def _points(changed: dict[str, Any], given: Mapping[str, Any]) -> None:
    if "minimum_fan" in given:
        changed["minimum_fan"] = given["minimum_fan"]
    if "tsumo_share" in given:
        changed["shares"] = {"tsumo_share": given["tsumo_share"]}
    own = dict(given.get("points", {}))
    _check(own, _POINTS, ("points",))
    if "yakuman" in own:
        own["yakuman"] = {"zh": "役满", "en": "yakuman", "basic": own["yakuman"]}
    changed["own_points"] = own
    points = {**read_table("common")["points"][changed["points"]], **own}
    limits = [line["fan"] for line in points["limits"]]
    _refuse(limits != sorted(limits), ("points", "limits"), "limits must stand in the order of their fan")
    if "fu" not in changed:
        first = limits[0] if limits else 0
        enough = limits and len(points["basic"]) == first - 1
        _refuse(not enough, ("points",), f"basic must have a value for each fan below the first limit, {first}")


def _yaku(changed: dict[str, Any], given: Mapping[str, Any]) -> None:
    shared = {line["id"]: line for line in read_table("common")["yaku"]}
    lines = {id: shared[id] for id in changed["circumstances"]} | {line["id"]: line for line in changed["yaku"]}
    for id in given.get("remove", ()):
        _refuse(id not in lines, ("remove",), f"there is no yaku {id!r} to remove")
        del lines[id]
    for id, own in given.get("yaku", {}).items():
        path = ("yaku", id)
        _refuse(not isinstance(own, dict), path, f"{id} must be a table [yaku.{id}]")
        _check(own, _YAKU, path)
        line = {**lines.get(id, {"id": id}), **own}
        both = "fan" in own and "yakuman" in own
        _refuse(both, path, "a yaku is worth fan or yakuman, and not both")
        for key, other in (("fan", "yakuman"), ("yakuman", "fan")):
            if key in own:
                line.pop(other, None)
        for key in ("zh", "en", "when"):
            _refuse(key not in line, path, f"a new yaku needs {key}")
        _refuse("fan" not in line and "yakuman" not in line, path, "a yaku needs fan or yakuman")
        lines[id] = line
    gone = set(given.get("remove", ()))
    for line in lines.values():
        if gone.intersection(line.get("replaces", ())):
            lines[line["id"]] = {**line, "replaces": [id for id in line["replaces"] if id not in gone]}
    changed["circumstances"] = []
    changed["yaku"] = list(lines.values())


def _units(changed: dict[str, Any], given: Mapping[str, Any]) -> None:
    units = dict(changed["units"])
    if "base" in given:
        _refuse(bool(units.get("steps")), ("base",), f"{changed['id']} has a table of units and no base")
        units["base"] = given["base"]
    gone = set(given.get("remove", ()))
    ids = {line["id"] for key in ("rows", "steps") for line in units.get(key, ())}
    _refuse(not gone <= ids, ("remove",), f"there is nothing called {', '.join(sorted(gone - ids))} to remove")
    for key, known in _UNITS.items():
        lines = {line["id"]: line for line in units.get(key, ()) if line["id"] not in gone}
        for id, own in given.get(key, {}).items():
            path = (key, id)
            _refuse(not isinstance(own, dict), path, f"{id} must be a table [{key}.{id}]")
            _refuse(id not in lines, path, f"{changed['id']} has no {key} {id!r}; there are {', '.join(lines)}")
            _check(own, known, path)
            _refuse("units" in own and "units" not in lines[id], path, f"{id} has payments and no units")
            lines[id] = {**lines[id], **own}
        units[key] = list(lines.values())
    _refuse(not units["rows"], ("remove",), "no row is left")
    changed["units"] = units


def _line(text: str, path: Path) -> int:
    """The line where the value at a path of keys stands, or the nearest thing around it that can be found."""
    best, depth = 1, 0
    header: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        if table := re.match(r"\s*\[+([^\]#]+)\]+", line):
            header = tuple(part.strip().strip("\"'") for part in table.group(1).split("."))
            here = header
        elif key := re.match(r"\s*([\w.\"'-]+)\s*=", line):
            here = header + tuple(part.strip("\"'") for part in key.group(1).split("."))
        else:
            continue
        common = 0
        while common < min(len(here), len(path)) and here[common] == path[common]:
            common += 1
        if common > depth:
            best, depth = number, common
    return best
