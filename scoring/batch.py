"""From JSON to JSON: scoring a hand, its waits, and many hands line by line.

All take the rule set to use in place of the one that a hand names, for a table with rules of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scoring.hand import By, HandError, Reason, hand_from_json
from scoring.result import NoWin
from scoring.ruleset import RULE_SETS, RuleSet, rule_set
from scoring.score import score
from scoring.waits import discards, what_if


def score_json(value: object, rules: RuleSet | None = None) -> dict[str, Any]:
    """The result object, or the error object, of a hand as the interface has it."""
    try:
        return score(hand_from_json(value, rules)).to_json()
    except HandError as error:
        return error.to_json()


def parse_line(line: str | bytes) -> object:
    """What a line of JSON says. Raises HandError where it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise HandError([Reason("not_json", "this line is no JSON object; write one hand a line")]) from None


def score_line(line: str, rules: RuleSet | None = None) -> str:
    """The result of one line of JSON, as one line of JSON. Never raises: a bad line gives an error object."""
    try:
        result = score_json(parse_line(line), rules)
    except HandError as error:
        result = error.to_json()
    return json.dumps(result, ensure_ascii=False)


def score_lines(lines: Iterable[str], rules: RuleSet | None = None) -> Iterator[str]:
    """The results of many lines, in order. Blank lines are passed over."""
    for line in lines:
        if line.strip():
            yield score_line(line, rules)


def waits_json(value: object, rules: RuleSet | None = None) -> dict[str, Any]:
    """What a hand waits for, or the error object.

    `{"waits": [{"tile", "left", "discard", "self_draw"}]}` for the hand without `win`, which may be left out or null,
    `by` too. A hand that has its `win` but is no win also gets `"discards": [{"tile", "waits"}]`, what can be thrown so
    that the rest waits.
    """
    full = isinstance(value, Mapping) and value.get("win") is not None
    try:
        hand = hand_from_json(value if full else _with_any_win(value, rules), rules)
    except HandError as error:
        return error.to_json()
    result: dict[str, Any] = {"waits": [wait.to_json() for wait in what_if(hand)]}
    if full and isinstance(score(hand), NoWin):
        result["discards"] = [discard.to_json() for discard in discards(hand)]
    return result


def _with_any_win(value: object, rules: RuleSet | None) -> object:
    """The hand with a winning tile that cannot run out, since the waits do not look at it."""
    if not isinstance(value, Mapping):
        return value
    named = value.get("rules")
    chosen = rules or (rule_set(named) if isinstance(named, str) and named in RULE_SETS else None)
    if chosen is None:
        return value
    held = json.dumps([value.get(key) for key in ("concealed", "melds", "context")])
    win = max(chosen.tiles, key=lambda tile: chosen.copies(tile.code) - held.count(f'"{tile.code}"'))
    return {"by": str(By.SELF_DRAW), **value, "win": win.code}
