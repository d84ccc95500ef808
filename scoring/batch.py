"""Scoring line by line: one JSON hand in, one JSON result out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.hand import HandError, Reason, hand_from_json
from scoring.score import score


def score_json(value: object) -> dict[str, Any]:
    """The result object, or the error object, of a hand as the interface has it."""
    try:
        return score(hand_from_json(value)).to_json()
    except HandError as error:
        return error.to_json()


def score_line(line: str) -> str:
    """The result of one line of JSON, as one line of JSON. Never raises: a bad line gives an error object."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        result = HandError([Reason("not_json", f"not a line of JSON: {error}")]).to_json()
    else:
        result = score_json(value)
    return json.dumps(result, ensure_ascii=False)


def score_lines(lines: Iterable[str]) -> Iterator[str]:
    """The results of many lines, in order. Blank lines are passed over."""
    for line in lines:
        if line.strip():
            yield score_line(line)
