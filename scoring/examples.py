"""The examples that stand in the rule tables: hands written short, and what they must be worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scoring.hand import HandError, hand_from_json
from scoring.ruleset import RuleSet, Table
from scoring.score import score

SEATS = {"winner": 0, "dealer": 2}
DISCARDER = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """An example that does not score as it says."""

    hand: str
    message: str


def example_json(rules: RuleSet, line: Table) -> dict[str, Any]:
    """The hand of an example's line as the JSON interface has it.

    `hand` are groups without spaces inside, the winning tile last. Of `melds` three tiles of one kind are a pong, a run
    a chi, four an open kong or, after `=`, a concealed one, five a super kong; `pong:` says outright that it is one.
    """
    tiles = [code for group in line["hand"].split() for code in _codes(rules, group)]
    context = {**SEATS, **line.get("context", {})}
    by = line.get("by", "discard")
    if by != "self_draw":
        context.setdefault("discarder", DISCARDER)
    return {
        "rules": rules.id,
        "concealed": tiles[:-1],
        "melds": [_meld(rules, group) for group in line.get("melds", "").split()],
        "win": tiles[-1],
        "by": by,
        "context": context,
    }


def _codes(rules: RuleSet, group: str) -> list[str]:
    return [rules.tiles[kind].code for kind in rules.layout.spelled(group)]


def _meld(rules: RuleSet, group: str) -> dict[str, Any]:
    tiles = _codes(rules, group.removeprefix("pong:").lstrip("="))
    if len(tiles) == 5:
        return {"type": "super_kong", "tiles": tiles, "concealed": group[0] == "="}
    if len(tiles) == 4:
        return {"type": "concealed_kong" if group[0] == "=" else "open_kong", "tiles": tiles}
    pong = len(set(tiles)) == 1 or group.startswith("pong:")
    return {"type": "pong" if pong else "chi", "tiles": tiles}


def faults(rules: RuleSet, table: Table) -> Iterator[Fault]:
    """The examples of a rule table that do not score as they say under these rules."""
    for line in table.get("examples", ()):
        try:
            found = score(hand_from_json(example_json(rules, line), rules)).to_json()
        except HandError as error:
            yield Fault(line["hand"], str(error))
            continue
        wanted = {key: value for key, value in line.items() if key not in ("hand", "melds", "by", "context")}
        seen = {key: found.get(key) for key in wanted} | {"yaku": _earned(found)}
        if seen != wanted:
            yield Fault(line["hand"], f"{line['hand']} {line.get('melds', '')}: {seen}, not {wanted}")


def _earned(found: dict[str, Any]) -> dict[str, int]:
    """Each yaku with its value in all: fan, times a yakuman, or units."""
    earned: dict[str, int] = {}
    for yaku in found.get("yaku", ()):
        value = yaku.get("yakuman") or yaku.get("units") or yaku.get("fan", 0)
        earned[yaku["id"]] = earned.get(yaku["id"], 0) + value
    return earned
