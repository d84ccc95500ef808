"""Hands written short, for the tests: groups without spaces inside, the winning tile last."""

from __future__ import annotations

from typing import Any

from scoring import Hand, NoWin, Score, hand_from_json, rule_set, score


def codes(rules: str, group: str) -> list[str]:
    layout = rule_set(rules).layout
    return [layout.tiles[kind].code for kind in layout.spelled(group)]


def meld(rules: str, group: str) -> dict[str, Any]:
    """`rPrPrP` a pong, four an open kong, five a super kong, a run a chi; `=` before it makes a kong concealed.

    `pong:` before it says that three different tiles, wilds among them, are one.
    """
    tiles = codes(rules, group.removeprefix("pong:").lstrip("=+"))
    if len(set(tiles)) > 1 and not group.startswith("pong:"):
        return {"type": "chi", "tiles": tiles}
    if len(tiles) == 5:
        return {"type": "super_kong", "tiles": tiles, "concealed": group[0] == "="}
    kong = {"=": "concealed_kong", "+": "added_kong"}.get(group[0], "open_kong")
    return {"type": "pong" if len(tiles) == 3 else kong, "tiles": tiles}


def spelled(rules: str, text: str, melds: str = "", by: str = "discard", **context: Any) -> dict[str, Any]:
    """A hand as JSON. The last tile of `text` wins; seat 0 wins from seat 1 and seat 2 deals by default."""
    tiles = [code for group in text.split() for code in codes(rules, group)]
    circumstances = {"winner": 0, "dealer": 2, **context}
    if by != "self_draw":
        circumstances.setdefault("discarder", 1)
    return {
        "rules": rules,
        "concealed": tiles[:-1],
        "melds": [meld(rules, group) for group in melds.split()],
        "win": tiles[-1],
        "by": by,
        "context": circumstances,
    }


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
