"""How a verb ends that was used wrongly or given what cannot be read."""

from __future__ import annotations

import sys
from typing import NoReturn

import click


def refuse(message: str) -> NoReturn:
    """End the program with exit code 2 and one line on standard error that says why and how to mend it."""
    click.echo(f"hupai {click.get_current_context().info_name}: {message}", err=True)
    sys.exit(2)
