"""`hupai hand`: hands given as codes, one JSON object a line, scored one a line."""

from __future__ import annotations

import json
import sys
from typing import Any, Literal

import click

import scoring
from hupai.house import house_option
from hupai.refusal import refuse


@click.command()
@house_option
@click.option("--explain", type=click.Choice(["zh", "en"]), help="Tell in words how each score comes about.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, in the order of the input.")
@click.argument("file", type=click.File("rb"), default="-")
def hand(house: scoring.RuleSet | None, explain: Literal["zh", "en"] | None, as_json: bool, file: Any) -> None:
    """Score hands given as tile codes, one JSON object a line, from FILE or standard input.

    A line that is no hand gives an error in its place, and the rest go on; the exit code is then 2.

    \b
    echo '{"rules":"xiangqi-3","concealed":["rR","rR","rR","rP"],
      "melds":[{"type":"pong","tiles":["bC","bC","bC"]}],
      "win":"rP","by":"self_draw"}' | tr -d '\\n' | hupai hand
    """
    bad: list[int] = []
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        value, scored, result = _score(line, house)
        if "error" in result:
            bad.append(number)
        if as_json:
            sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
        else:
            from hupai import show

            show.hand(value, result)
            if explain and scored is not None:
                show.explanation(scored, explain)
    if bad:
        where = f"line {bad[0]}" + (f" and {len(bad) - 1} more" if len(bad) > 1 else "")
        refuse(f"{where} could not be scored; the output says why in its place")


def _score(
    line: bytes, house: scoring.RuleSet | None
) -> tuple[Any, scoring.Score | scoring.NoWin | None, dict[str, Any]]:
    """What a line says, its score and the score's JSON; where it cannot be scored no score, but an error object."""
    value: Any = None
    try:
        value = scoring.parse_line(line)
        changed = house is not None and isinstance(value, dict) and value.get("rules") == house.id
        scored = scoring.score(scoring.hand_from_json(value, house if changed else None))
    except scoring.HandError as error:
        return value, None, error.to_json()
    return value, scored, scored.to_json()
