"""What there is to choose from, as the page needs it: the families' tiles and the rule sets, out of `scoring`."""

from __future__ import annotations

from functools import cache
from typing import Any

import scoring
from scoring.hand import MELD_SIZE, By
from scoring.tiles import Family, tiles_of

# Which field of a hand's context each condition of a rule set looks at; the form shows only fields that count.
FIELD_OF_CONDITION = {
    "riichi": "riichi",
    "double_riichi": "double_riichi",
    "ippatsu": "ippatsu",
    "after_kong": "replacement",
    "after_super_kong": "replacement",
    "last_draw": "last_tile",
    "last_discard": "last_tile",
    "first_turn_dealer": "first_turn",
    "first_turn_other": "first_turn",
    "dealers_first_discard": "first_turn",
}


@cache
def catalogue() -> dict[str, Any]:
    """`families` and `rule_sets`, each a list in the order of `scoring`, and how many tiles a meld of each type has."""
    return {
        "meld_sizes": {meld.value: size for meld, size in MELD_SIZE.items()},
        "families": [
            {
                "id": family.value,
                "tiles": [
                    {"code": tile.code, "zh": tile.zh, "en": tile.en, "colour": tile.colour.value}
                    for tile in tiles_of(family)
                ],
            }
            for family in Family
        ],
        "rule_sets": [_rule_set(scoring.rule_set(name)) for name in scoring.rule_sets()],
    }


def _context_fields(rules: scoring.RuleSet) -> list[str]:
    """The fields of a hand's context that can change its score under these rules, beside the seats."""
    conditions = {name for yaku in rules.yaku for name in yaku.when}
    if rules.units is not None:
        conditions |= {name for row in rules.units.rows for name in row.when}
        conditions |= {name for step in rules.units.steps for name in step.when}
    fields = {FIELD_OF_CONDITION[name] for name in conditions if name in FIELD_OF_CONDITION}
    if rules.dora_after:
        fields |= {"dora_indicators", "ura_indicators"}
    if rules.units is not None:
        fields.add("wild")
    return sorted(fields)


def _rule_set(rules: scoring.RuleSet) -> dict[str, Any]:
    return {
        "id": rules.id,
        "zh": rules.zh,
        "en": rules.en,
        "family": rules.family.value,
        "tiles": [tile.code for tile in rules.tiles],
        "copies": {tile.code: rules.copies(tile.code) for tile in rules.tiles},
        "hand_size": rules.hand_size,
        "melds": list(rules.calls),
        "houses": {name: {"zh": house.zh, "en": house.en} for name, house in rules.houses.items()},
        "limits": _limits(rules),
        "players": list(rules.players),
        "by": [by.value for by in By],
        "context": _context_fields(rules),
        "stick": rules.deal.stick,
        "draw": scoring.asked_of_draw(rules),
    }


def _limits(rules: scoring.RuleSet) -> dict[str, str]:
    """The limits' names: Chinese, as a score has it -> English."""
    if rules.points is None:
        return {}
    return {limit.name.zh: limit.name.en for limit in (*rules.points.limits, rules.points.yakuman)}
