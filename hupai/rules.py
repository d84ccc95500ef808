"""`hupai rules`: the rule sets, and what each pays for."""

from __future__ import annotations

import json
from typing import Any

import click

import scoring


@click.command()
@click.argument("id", metavar="[ID]", type=click.Choice(scoring.rule_sets()), required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a rule set.")
def rules(id: str | None, as_json: bool) -> None:
    """List the rule sets, or with an ID what a hand is worth in that one."""
    chosen = [scoring.rule_set(name) for name in ((id,) if id else scoring.rule_sets())]
    if as_json:
        for rule_set in chosen:
            click.echo(json.dumps(_described(rule_set), ensure_ascii=False))
        return
    from hupai import show

    if id:
        show.rule_set(_described(chosen[0]))
    else:
        show.rule_sets([_described(rule_set) for rule_set in chosen])


def _described(rule_set: scoring.RuleSet) -> dict[str, Any]:
    return {
        "id": rule_set.id,
        "zh": rule_set.zh,
        "en": rule_set.en,
        "family": rule_set.family,
        "pieces": sum(rule_set.number),
        "hand": rule_set.hand_size,
        "calls": list(rule_set.calls),
        "players": list(rule_set.players),
        "tiles": [
            {"code": tile.code, "zh": tile.zh, "en": tile.en, "copies": copies}
            for tile, copies in zip(rule_set.tiles, rule_set.number, strict=True)
        ],
        "yaku": [
            {
                "id": yaku.id,
                "zh": yaku.name.zh,
                "en": yaku.name.en,
                "closed": yaku.closed,
                "open": yaku.open,
                "yakuman": yaku.yakuman,
                "replaces": list(yaku.replaces),
            }
            for yaku in rule_set.yaku
        ],
    }
