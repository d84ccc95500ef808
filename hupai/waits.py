"""`hupai waits`: which tiles complete a hand, and which discards leave a full one waiting."""

from __future__ import annotations

import json
from typing import Any

import click

import scoring
from hupai.context import circumstances, context_options
from hupai.house import chosen, house_option, rules_option
from hupai.refusal import refuse


@click.command()
@click.argument("tiles", metavar="CODE...", nargs=-1, required=True)
@rules_option
@click.option(
    "--meld",
    "melds",
    metavar="TYPE:CODES",
    multiple=True,
    help="A called group such as pong:bC,bC,bC; may be given again. Types: " + ", ".join(scoring.MeldType) + ".",
)
@context_options
@house_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def waits(
    tiles: tuple[str, ...],
    rules: str,
    melds: tuple[str, ...],
    house: scoring.RuleSet | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Show which tiles complete the hand of CODE..., and what the winner would receive for each.

    CODE... are the tiles in hand without the winning one. With one tile more the hand is full: then it is shown which
    of its tiles can be thrown so that the rest waits.
    """
    rule_set = chosen(rules, house)
    try:
        concealed = _codes(" ".join(tiles))
        value: dict[str, Any] = {"rules": rules, "concealed": concealed, "melds": [_meld(text) for text in melds]}
    except scoring.TileError as error:
        refuse(str(error))
    value["context"] = circumstances(**given)
    full = len(concealed) + 3 * len(melds) == rule_set.hand_size + 1
    if full:
        # Which of the tiles came last does not matter for what is thrown.
        value |= {"concealed": concealed[:-1], "win": concealed[-1], "by": str(scoring.By.SELF_DRAW)}
    found = scoring.waits_json(value, rule_set)
    if "error" in found:
        refuse(found["error"]["message"])
    if as_json:
        click.echo(json.dumps(_as_json(found, full), ensure_ascii=False))
        return
    from hupai import show

    winner = value["context"].get("winner", 0)
    if not full:
        show.waits(found["waits"], winner)
    elif "discards" in found:
        show.discards(found["discards"], winner)
    else:
        show.full_hand_wins()


def _as_json(found: dict[str, Any], full: bool) -> dict[str, Any]:
    if full:
        return {"win": "discards" not in found, "discards": found.get("discards", [])}
    return {"waits": [wait["tile"] for wait in found["waits"]], "chances": found["waits"]}


def _codes(text: str) -> list[str]:
    return [tile.code for tile in scoring.parse_tiles(text)]


def _meld(text: str) -> dict[str, Any]:
    kind, _, codes = text.partition(":")
    return {"type": kind, "tiles": _codes(codes)}
