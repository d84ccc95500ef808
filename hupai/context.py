"""The circumstances of a win as options, for the verbs that score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

import scoring

Command = TypeVar("Command", bound=Callable[..., Any])


def _seat(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """The number of a seat that is said as people call it, P1 to P4, or as JSON numbers it, from 0."""
    if value is None:
        return None
    text = value.strip().upper()
    called = text.removeprefix("P")
    if not (called.isascii() and called.isdecimal()) or text == "P0":
        raise click.BadParameter(f"{value!r} is no seat: say P1 to P4, or 0 to 3 as in JSON")
    return int(called) - (text != called)


_SEATS = ("players", "winner", "dealer", "discarder")
_FLAGS = ("riichi", "double_riichi", "ippatsu", "last_tile", "replacement", "first_turn")

_BY = click.option(
    "--by",
    type=click.Choice([by.value.replace("_", "-") for by in scoring.By]),
    help="Where the winning tile came from. [default: discard with --discarder, else self-draw]",
)
_OPTIONS = (
    click.option("--players", type=int, help="How many play. [default: 4]"),
    click.option(
        "--winner",
        metavar="P1|P2|...",
        callback=_seat,
        help="The winner's seat, in turn order; a bare number counts from 0, as in JSON. [default: P1]",
    ),
    click.option("--dealer", metavar="P1|P2|...", callback=_seat, help="The dealer's seat. [default: P1]"),
    click.option("--discarder", metavar="P1|P2|...", callback=_seat, help="The seat that gave the winning tile."),
    click.option("--riichi", is_flag=True, help="Riichi was declared (立直)."),
    click.option("--double-riichi", is_flag=True, help="Riichi on the first turn (w立直)."),
    click.option("--ippatsu", is_flag=True, help="Won within one turn of riichi (一发)."),
    click.option("--last-tile", is_flag=True, help="Won on the last tile or discard (海底捞月, 河底捞鱼)."),
    click.option("--replacement", is_flag=True, help="Won on the tile drawn after a kong (杠上开花)."),
    click.option("--first-turn", is_flag=True, help="Won on the first turn (天胡, 地胡)."),
    click.option("--dora", metavar="CODE", multiple=True, help="A dora indicator; may be given again."),
    click.option("--ura", metavar="CODE", multiple=True, help="An indicator beneath; may be given again."),
    click.option("--wild", metavar="CODE", help="The kind turned up as wild (mahjong rules)."),
)


def context_options(command: Command) -> Command:
    """Add the options of a win's circumstances to a command, which gets them as keyword arguments."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def win_options(command: Command) -> Command:
    """Add `--by` and the options of a win's circumstances to a command, which gets them as keyword arguments."""
    return _BY(context_options(command))


def circumstances(dora: tuple[str, ...], ura: tuple[str, ...], **given: Any) -> dict[str, Any]:
    """`context` of the JSON form of a hand, from the options' values."""
    context: dict[str, Any] = {key: given[key] for key in _SEATS if given[key] is not None}
    context |= {key: True for key in _FLAGS if given[key]}
    context |= {
        key: [code for text in codes for code in text.replace(",", " ").split()]
        for key, codes in (("dora_indicators", dora), ("ura_indicators", ura))
        if codes
    }
    if given["wild"]:
        context["wild"] = given["wild"]
    return context


def win(by: str | None, **given: Any) -> dict[str, Any]:
    """`by` and `context` of the JSON form of a hand, from the options' values."""
    context = circumstances(**given)
    by = by or ("discard" if "discarder" in context else "self-draw")
    return {"by": by.replace("-", "_"), "context": context}
