"""Which rules a hand is scored by, as options for the verbs that score: a rule set, and a table's own changes to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

import scoring
from hupai.refusal import refuse

Command = TypeVar("Command", bound=Callable[..., Any])


def rules_option(command: Command) -> Command:
    """Add `--rules ID`, which must be given, to a command, which gets `rules`."""
    return click.option(
        "--rules",
        type=click.Choice(scoring.rule_sets()),
        metavar="ID",
        required=True,
        help="The rule set; see `hupai rules`.",
    )(command)


def _load(ctx: click.Context, param: click.Parameter, value: Path | None) -> scoring.RuleSet | None:
    """The rule set that a file makes; its faults are named with their line."""
    if value is None:
        return None
    try:
        return scoring.house_rules(value.read_text(encoding="utf-8"), value.name)
    except (OSError, UnicodeDecodeError):
        raise click.BadParameter(f"{value} cannot be read as text") from None
    except scoring.RuleError as error:
        raise click.BadParameter(str(error)) from None


def house_option(command: Command) -> Command:
    """Add `--house FILE` to a command, which gets `house`: the changed rule set, or None."""
    return click.option(
        "--house",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=_load,
        help="A TOML file with the table's own rules; they hold for the rule set that it names.",
    )(command)


def chosen(rules: str, house: scoring.RuleSet | None) -> scoring.RuleSet:
    """The rule set of an id, as the house has it where there is a house file; refuses a file for another rule set."""
    if house is None:
        return scoring.rule_set(rules)
    if house.id != rules:
        refuse(f"the house file changes {house.id}, not {rules}: ask for {house.id}, or leave --house out")
    return house
