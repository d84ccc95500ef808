"""How a verb ends that was used wrongly or given what cannot be read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click


def refuse(message: str) -> NoReturn:
    """End the program with exit code 2 and one line on standard error that says why and how to mend it."""
    click.echo(f"hupai {_verb()}: {message}", err=True)
    sys.exit(2)


def write_file(path: Path, data: bytes, option: str) -> None:
    """Write a file that the user named with that option; ends the program where it cannot be written."""
    try:
        path.write_bytes(data)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        refuse(f"{path} cannot be written ({reason}): choose another place with {option}")


def _verb() -> str:
    """The verb that runs, with its own verb where it has one."""
    context: click.Context | None = click.get_current_context()
    names: list[str] = []
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name or "")
        context = context.parent
    return " ".join(names)
