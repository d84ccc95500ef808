"""A rule set as plain data, for printing: everything comes from the tables that the engine itself uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.condition import meaning
from scoring.fu import FU_NAMES
from scoring.ruleset import Named, RuleSet


def describe(rules: RuleSet) -> dict[str, Any]:
    """What a rule set is, as JSON data; `means` says in English what the conditions named in `when` ask for.

    Always `id zh en section family players hand_size groups pairs pieces copies calls house`; then either `yaku points
    shares minimum_fan` with `fu` and `dora` where there are any, or `rows steps`.
    """
    result: dict[str, Any] = {
        "id": rules.id,
        **_names(rules.name),
        "section": rules.section,
        "family": str(rules.family),
        "players": list(rules.players),
        "hand_size": rules.hand_size,
        "groups": rules.groups,
        "pairs": rules.pairs,
        "pieces": sum(rules.number),
        "copies": {tile.code: number for tile, number in zip(rules.tiles, rules.number, strict=True)},
        "calls": list(rules.calls),
        "house": [{"id": name, **_names(rules.houses[name])} for name in _houses(rules)],
    }
    if rules.units is not None:
        return {**result, **_units(rules)}
    return {**result, **_fan(rules)}


def _names(name: Named) -> dict[str, str]:
    return {"zh": name.zh, "en": name.en}


def _houses(rules: RuleSet) -> list[str]:
    """The house choices that a result of the rule set can rest on."""
    named = list(rules.house)
    if rules.points is not None:
        named += [rules.points.house, rules.points.cap_house, "tsumo_share", "yakuman_only", "discard_opens_triplet"]
        named += [yaku.house for yaku in rules.yaku]
        named += ["kong_for_triplet"] if any("fixed_hand" in yaku.when for yaku in rules.yaku) else []
    if rules.dora_after:
        named += [rules.dora_house, "ura"]
    if rules.units is not None:
        named += [row.house for row in rules.units.rows] + [step.house for step in rules.units.steps]
    return list(dict.fromkeys(name for name in named if name))


def _fan(rules: RuleSet) -> dict[str, Any]:
    points, shares = rules.points, rules.shares
    assert points is not None
    assert shares is not None
    result: dict[str, Any] = {
        "minimum_fan": rules.minimum_fan,
        "yaku": [
            {
                "id": yaku.id,
                **_names(yaku.name),
                "yakuman": yaku.yakuman,
                "closed": yaku.closed,
                "open": yaku.open,
                "replaces": list(yaku.replaces),
                "when": list(yaku.when),
                "means": [meaning(name) for name in yaku.when],
                **yaku.parameters,
                "house": yaku.house or None,
            }
            for yaku in rules.yaku
        ],
        "points": {
            "basic": list(points.basic),
            "doublings": points.doublings if rules.fu else None,
            "limits": [{"fan": limit.fan, **_names(limit.name), "basic": limit.basic} for limit in points.limits],
            "yakuman": points.yakuman.basic,
        },
        "shares": {
            "discard": shares.discard,
            "discard_to_dealer": shares.discard_to_dealer,
            "draw": shares.draw,
            "draw_dealer": shares.draw_dealer,
            "round_up_to": shares.round_up_to,
            "tsumo_share": shares.tsumo_share,
        },
    }
    if rules.fu is not None:
        result["fu"] = _fu(rules)
    if rules.dora_after:
        result["dora"] = {
            tile.code: rules.tiles[after].code for tile, after in zip(rules.tiles, rules.dora_after, strict=True)
        }
    return result


def _fu(rules: RuleSet) -> dict[str, Any]:
    fu = rules.fu
    assert fu is not None
    layout = rules.layout
    items: Mapping[str, int | None] = {
        "base": fu.base,
        "closed_discard": fu.closed_discard,
        "self_draw": fu.self_draw,
        "wait": fu.wait,
        "pairs_alone": fu.pairs_alone,
    }
    tiles = [tile.code for tile in rules.tiles]
    return {
        "items": [{"id": id, "zh": FU_NAMES[id][0], "en": FU_NAMES[id][1], "fu": n} for id, n in items.items() if n],
        "self_draw_unless": fu.self_draw_unless or None,
        "round_up_to": fu.round_up_to,
        "runs": {"".join(tiles[kind] for kind in run): n for run, n in zip(layout.runs, fu.runs, strict=True) if n},
        "pairs": {tiles[a]: n for (a, _), n in zip(layout.pairs, fu.pairs, strict=True) if n},
        "triplets": {
            tile: {"open_triplet": a, "closed_triplet": b, "open_kong": c, "closed_kong": d}
            for tile, (a, b, c, d) in zip(tiles, fu.triplets, strict=True)
        },
    }


def _units(rules: RuleSet) -> dict[str, Any]:
    units = rules.units
    assert units is not None
    return {
        "white_is_wild_kind": units.white_is_wild_kind,
        "discard_times": units.discard_times,
        "discard_add": units.discard_add,
        "base": units.base,
        "rows": [
            {
                "id": row.id,
                **_names(row.name),
                "units": row.units or None,
                "self_draw_only": row.self_draw_only,
                "pays": {case: dict(pays) for case, pays in row.pays.items()},
                "when": list(row.when),
                "means": [meaning(name) for name in row.when],
                "house": row.house or None,
            }
            for row in units.rows
        ],
        "steps": [
            {
                "id": step.id,
                **_names(step.name),
                "add": step.add,
                "rows": [row.id for row in units.rows if row.id in step.rows],
                "when": list(step.when),
                "means": [meaning(name) for name in step.when],
                "house": step.house or None,
            }
            for step in units.steps
        ],
    }
