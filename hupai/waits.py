"""`hupai waits`: which tiles complete a hand."""

from __future__ import annotations

import json

import click

import scoring
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
@click.option("--wild", metavar="CODE", help="The kind turned up as wild (mahjong rules).")
@house_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def waits(
    tiles: tuple[str, ...],
    rules: str,
    melds: tuple[str, ...],
    wild: str | None,
    house: scoring.RuleSet | None,
    as_json: bool,
) -> None:
    """Show which tiles complete the hand of CODE..., the tiles in hand without the winning one."""
    rule_set = chosen(rules, house)
    try:
        turned_up = scoring.parse_tile(wild) if wild else None
        hand = scoring.waiting_hand(
            rule_set,
            scoring.parse_tiles(" ".join(tiles)),
            [_meld(text) for text in melds],
            scoring.Context(players=rule_set.players[0], wild=turned_up),
        )
    except (scoring.HandError, scoring.TileError) as error:
        refuse(str(error))
    found = [tile.code for tile in scoring.waits(hand)]
    if as_json:
        click.echo(json.dumps({"waits": found}, ensure_ascii=False))
        return
    from hupai import show

    show.waits(found)


def _meld(text: str) -> scoring.Meld:
    kind, _, codes = text.partition(":")
    if kind not in tuple(scoring.MeldType):
        refuse(f"no meld type {kind!r}; there are {', '.join(scoring.MeldType)}")
    return scoring.Meld(scoring.MeldType(kind), scoring.parse_tiles(codes))
