"""`hupai VERB`: finds the verb's module when it is called, so that no verb pays for another's imports."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import Final

import click

VERBS: Final = {
    "read": "Find and name the tiles in photos.",
    "score": "Score the hand in a photo.",
    "hand": "Score hands given as tile codes.",
    "waits": "Show which tiles complete a hand.",
    "rules": "List the rule sets and what their hands are worth.",
    "calibrate": "Teach hupai a piece set from photos, and see how well it is learned.",
    "sets": "List, export, import, rename or delete calibrated piece sets.",
    "print": "Print faces to cut out and glue, and card racks.",
    "board": "Print the board for calibrating a camera.",
    "camera": "Calibrate a camera that stands over the table.",
    "live": "Watch the table through a camera and tell each hand.",
    "tonight": "Show the hands entered tonight, and what they add up to.",
    "serve": "Serve the web page.",
}
"""Each verb, with the line that `hupai --help` says of it; its command is the function of that name in its module."""


class Verbs(click.Group):
    """A group whose commands are loaded when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order in which they are explained."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb, None where there is no such verb."""
        if cmd_name not in VERBS:
            return None
        command = getattr(import_module(f"hupai.{cmd_name}"), cmd_name)
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs in the help, without loading them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]}, subcommand_metavar="VERB ...")
@click.version_option(version("hupai"), prog_name="hupai")
def main() -> None:
    """hupai (胡牌, "a winning hand") reads mahjong hands from photos and scores them.

    The tiles may be xiangqi discs, junqi blocks, paigow dominoes or mahjong tiles.

    Exit codes: 0 done; 2 wrong use or unreadable input; 3 the photo was read but holds no winning hand.
    """


if __name__ == "__main__":
    main(prog_name="hupai")
