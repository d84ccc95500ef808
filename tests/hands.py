"""A hand of xiangqi that wins, as the JSON interface has it."""

from __future__ import annotations

from typing import Any, Final

HAND: Final[dict[str, Any]] = {
    "rules": "xiangqi-3",
    "concealed": ["rR", "rR", "rR", "rP"],
    "melds": [{"type": "pong", "tiles": ["bC", "bC", "bC"]}],
    "win": "rP",
    "by": "discard",
    "context": {"winner": 1, "dealer": 0, "discarder": 2},
}
HAND_OF_FOUR: Final[dict[str, Any]] = {**HAND, "context": {"players": 4, **HAND["context"]}}
"""The same, with the number of players said."""
