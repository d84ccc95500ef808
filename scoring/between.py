"""What moves points between two hands that are won: a riichi's stick, and a draw where the rules pay for it.

Which rule sets pay stands in their tables (`Deal`), from the rules, sections 3 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.hand import Reason
from scoring.ledger import LedgerError, Standing, declare, draw, start
from scoring.ruleset import RuleError, RuleSet, rule_set


@dataclass(frozen=True, slots=True)
class Moved:
    """Points by seat that were won or lost, and those that went onto the table; together they are zero."""

    payments: tuple[int, ...]
    sticks: int

    def to_json(self) -> dict[str, Any]:
        """`{"payments", "sticks"}`."""
        return {"payments": list(self.payments), "sticks": self.sticks}


def asked_of_draw(rules: RuleSet) -> str | None:
    """What a draw's payments depend on: who was `waiting`, or who was `dealer`; None where a draw moves no points."""
    if rules.deal.draw_pool:
        return "waiting"
    return "dealer" if rules.deal.draw_dealer_pays else None


def event_from_json(value: object) -> tuple[dict[str, Any], Moved]:
    """An event in its JSON form, with nothing but what belongs to it, and what it moves.

    `{"event": "riichi", "rules", "players", "seat"}`: a seat declares riichi. `{"event": "draw", "rules", "players"}`
    with `waiting`, a list of seats, or `dealer`, whichever the rules ask for: the wall ran out. Raises LedgerError.
    """
    if not isinstance(value, Mapping):
        raise _wrong("an event must be a JSON object")
    rules = _rules(value.get("rules"))
    players = _number(value, "players")
    fresh = Standing((0,) * start(rules, players).players)
    kept: dict[str, Any] = {"event": value.get("event"), "rules": rules.id, "players": players}
    if kept["event"] == "riichi":
        if not rules.deal.stick:
            raise LedgerError(Reason("no_sticks", f"{rules.id} knows no riichi sticks"))
        kept["seat"] = _number(value, "seat")
        after = declare(rules, fresh, kept["seat"])
    elif kept["event"] == "draw":
        asked = asked_of_draw(rules)
        if asked is None:
            raise LedgerError(Reason("draw_pays_nothing", f"a draw moves no points in {rules.id}"))
        if asked == "dealer":
            kept["dealer"] = _number(value, "dealer")
            after = draw(rules, Standing(fresh.points, kept["dealer"]))
        else:
            kept["waiting"] = _seats(value)
            after = draw(rules, fresh, kept["waiting"])
    else:
        raise _wrong("event must be riichi or draw")
    return kept, Moved(after.points, after.sticks)


def _rules(name: object) -> RuleSet:
    try:
        return rule_set(name if isinstance(name, str) else "")
    except RuleError:
        raise LedgerError(Reason("unknown_rules", f"no rule set {name!r}; `hupai rules` lists them")) from None


def _number(value: Mapping[str, Any], key: str) -> int:
    number = value.get(key)
    if type(number) is not int:
        raise _wrong(f"{key} must be a whole number, not {number!r}")
    return number


def _seats(value: Mapping[str, Any]) -> list[int]:
    seats = value.get("waiting")
    if not isinstance(seats, list) or any(type(seat) is not int for seat in seats):
        raise _wrong(f"waiting must be a list of seats, not {seats!r}")
    return sorted(set(seats))


def _wrong(message: str) -> LedgerError:
    return LedgerError(Reason("wrong_type", message))
