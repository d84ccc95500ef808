"""What may still be said of a win as it stands: a form need not offer what would be refused or count for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoring.condition import Scope
from scoring.hand import FLAGS, By, Context, Meld, Reason, circumstances, contradictions, way_from_json
from scoring.ruleset import RuleSet


def ruled_out(rules: RuleSet, melds: Sequence[Meld], by: By, context: Context) -> dict[str, Reason]:
    """The fields of a context that cannot be set, each with the reason; of the melds only the types are looked at.

    What is set of the context is believed in the order of its fields as far as it does not contradict the melds, `by`
    and what came before; each field is then looked at beside all the rest that holds.
    """
    held = _with(context, *FLAGS, value=False)
    for flag in FLAGS:
        more = _with(held, flag, value=True)
        if getattr(context, flag) and not any(contradictions(rules, melds, by, more)):
            held = more
    found = {}
    for flag in FLAGS:
        off, on = (_with(held, flag, value=value) for value in (False, True))
        before = set(contradictions(rules, melds, by, off))
        against = next((reason for reason in contradictions(rules, melds, by, on) if reason not in before), None)
        if against is not None:
            found[flag] = against
        elif _counted(rules, by, off) == _counted(rules, by, on):
            found[flag] = Reason("adds_nothing", f"{flag} adds nothing beside the rest: leave it out")
    if rules.dora_after and not (held.riichi or held.double_riichi):
        found["ura_indicators"] = Reason(
            "ura_without_riichi",
            "tiles beneath the indicators count under a riichi only: leave them out",
        )
    return found


def _with(context: Context, *flags: str, value: bool) -> Context:
    changes: dict[str, Any] = dict.fromkeys(flags, value)
    return replace(context, **changes)


def _counted(rules: RuleSet, by: By, context: Context) -> list[int]:
    """How many times each line of the rules holds that speaks of how the hand was won alone."""
    how = circumstances(by, context)
    lines = (*rules.yaku, *(rules.units.rows + rules.units.steps if rules.units else ()))
    return [line.condition.test(how) for line in lines if line.condition.scope is Scope.CIRCUMSTANCES]


def ruled_out_json(value: object) -> dict[str, dict[str, str]]:
    """`{field: {"code", "message"}}` of a hand in the form of the interface, which need not be whole.

    Raises HandError where its rules, melds, `by` or context cannot be read.
    """
    reasons = ruled_out(*way_from_json(value))
    return {field: {"code": reason.code, "message": reason.message} for field, reason in reasons.items()}
