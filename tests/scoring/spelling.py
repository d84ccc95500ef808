"""Hands written short, for the tests: groups without spaces inside, the winning tile last."""

from __future__ import annotations

from typing import Any

from scoring import Hand, NoWin, Score, hand_from_json, rule_set, score
from scoring.examples import example_json


def spelled(rules: str, text: str, melds: str = "", by: str = "discard", **context: Any) -> dict[str, Any]:
    """A hand as JSON, written as the examples in the rule tables are."""
    return example_json(rule_set(rules), {"hand": text, "melds": melds, "by": by, "context": context})


def hand(rules: str, text: str, melds: str = "", by: str = "discard", **context: Any) -> Hand:
    return hand_from_json(spelled(rules, text, melds, by, **context))


def won(rules: str, text: str, melds: str = "", by: str = "discard", **context: Any) -> Score:
    found = score(hand(rules, text, melds, by, **context))
    assert isinstance(found, Score), found.to_json()
    return found


def lost(rules: str, text: str, melds: str = "", by: str = "discard", **context: Any) -> NoWin:
    found = score(hand(rules, text, melds, by, **context))
    assert isinstance(found, NoWin), found.to_json()
    return found
