"""`hupai rules`: the rule sets, and what each pays for."""

from __future__ import annotations

import json

import click

import scoring
from hupai.house import chosen, house_option


@click.command()
@click.argument("id", metavar="[ID]", type=click.Choice(scoring.rule_sets()), required=False)
@house_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a rule set.")
def rules(id: str | None, house: scoring.RuleSet | None, as_json: bool) -> None:
    """List the rule sets, or with an ID what a hand is worth in that one."""
    if id:
        wanted = [chosen(id, house)]
    else:
        wanted = [house if house and house.id == name else scoring.rule_set(name) for name in scoring.rule_sets()]
    described = [scoring.describe(one) for one in wanted]
    if as_json:
        for one in described:
            click.echo(json.dumps(one, ensure_ascii=False))
        return
    from hupai import show

    if id:
        show.rule_set(described[0])
    else:
        show.rule_sets(described)
