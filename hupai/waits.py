"""`hupai waits`: which tiles complete a hand."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import click

import scoring
from hupai.refusal import refuse


@click.command()
@click.argument("tiles", metavar="CODE...", nargs=-1, required=True)
@click.option(
    "--rules",
    type=click.Choice(scoring.rule_sets()),
    metavar="ID",
    required=True,
    help="The rule set; see `hupai rules`.",
)
@click.option(
    "--meld",
    "melds",
    metavar="TYPE:CODES",
    multiple=True,
    help="A called group such as pong:bC,bC,bC; may be given again. Types: " + ", ".join(scoring.MeldType) + ".",
)
@click.option("--wild", metavar="CODE", help="The kind turned up as wild (mahjong rules).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def waits(tiles: tuple[str, ...], rules: str, melds: tuple[str, ...], wild: str | None, as_json: bool) -> None:
    """Show which tiles complete the hand of CODE..., the tiles in hand without the winning one."""
    rule_set = scoring.rule_set(rules)
    concealed = _codes(" ".join(tiles))
    called = [_meld(text) for text in melds]
    held = Counter([*concealed, *(code for meld in called for code in meld["tiles"])])
    value = {
        "rules": rules,
        "concealed": concealed,
        "melds": called,
        # A hand has a winning tile; which one does not matter here, so one that cannot run out.
        "win": max(rule_set.tiles, key=lambda tile: rule_set.copies(tile.code) - held[tile.code]).code,
        "by": "self_draw",
        "context": {"wild": wild, "players": rule_set.players[0]},
    }
    try:
        found = [tile.code for tile in scoring.waits(scoring.hand_from_json(value))]
    except scoring.HandError as error:
        refuse(str(error))
    if as_json:
        click.echo(json.dumps({"waits": found}, ensure_ascii=False))
        return
    from hupai import show

    show.waits(found)


def _codes(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _meld(text: str) -> dict[str, Any]:
    kind, _, codes = text.partition(":")
    return {"type": kind, "tiles": _codes(codes)}
