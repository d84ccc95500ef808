"""The examples in the rule tables: each scores as it says, and together they reach everything that the tables hold."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from scoring import HandError, RuleError, Score, hand_from_json, rule_set, rule_sets, score
from scoring.examples import example_json, faults
from scoring.ruleset import RuleSet, Table, read_table, rule_set_from
from scoring.shape import Form

CASES = [(id, line) for id in rule_sets() for line in read_table(id)["examples"]]


@pytest.mark.parametrize(("id", "line"), CASES, ids=[f"{id}: {line['hand']}" for id, line in CASES])
def test_an_example(id: str, line: Table) -> None:
    rules = rule_set(id)
    assert not list(faults(rules, {"examples": [line]}))
    found = score(hand_from_json(example_json(rules, line)))
    assert isinstance(found, Score) is bool(line["yaku"])
    result = found.to_json()
    if not line["yaku"]:
        assert [reason["code"] for reason in result["reasons"]] == ["no_yaku"]
        return
    assert sum(result["payments"]) == 0
    if rules.points is None:
        return
    # With a yakuman nothing else counts; else the list adds up to the total.
    yakuman = sum(yaku.get("yakuman", 0) for yaku in result["yaku"])
    assert result["yakuman"] == yakuman
    assert result["fan"] == sum(yaku["fan"] for yaku in result["yaku"]) + result["dora"]
    assert bool(yakuman) == all("yakuman" in yaku for yaku in result["yaku"])


@pytest.mark.parametrize("id", rule_sets())
def test_everything_in_a_table_has_an_example(id: str) -> None:
    rules = rule_set(id)
    earned = {yaku for line in read_table(id)["examples"] for yaku in line["yaku"]}
    listed = {yaku.id for yaku in rules.yaku}
    if rules.units is not None:
        listed |= {row.id for row in rules.units.rows} | {step.id for step in rules.units.steps}
    # junqi-3 has no nine of a kind.
    assert earned == listed - ({"nine_alike"} if id == "junqi-3" else set())


@pytest.mark.parametrize("id", [id for id in rule_sets() if rule_set(id).points])
def test_open_values_have_examples(id: str) -> None:
    """A yaku that is worth less open has an example for either value; one worth nothing open none with a call."""
    rules = rule_set(id)
    seen: dict[str, set[bool]] = {}
    for line in read_table(id)["examples"]:
        hand = hand_from_json(example_json(rules, line))
        for yaku in line["yaku"]:
            seen.setdefault(yaku, set()).add(hand.facts.closed)
    for yaku in rules.yaku:
        if yaku.open == 0 or yaku.id not in seen:
            assert seen.get(yaku.id, {True}) == {True}
        elif yaku.open != yaku.closed:
            assert seen[yaku.id] == {True, False}, yaku.id


def lesser(table: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in the parts of a table that say what something is worth."""
    worth = {
        "fan",
        "open",
        "yakuman",
        "units",
        "add",
        "fu",
        "times",
        "each",
        "base",
        "closed_discard",
        "self_draw",
        "wait",
    }
    worth |= {"pairs_alone", "dealer", "other", "discarder", "discard_times", "discard_add", "round_up_to", "doublings"}
    if isinstance(table, dict):
        for key, value in table.items():
            if isinstance(value, int) and not isinstance(value, bool) and key in worth:
                yield (*path, key)
            elif key not in ("copies", "examples", "deal"):
                yield from lesser(value, (*path, key))
    elif isinstance(table, list):
        for i, value in enumerate(table):
            if isinstance(value, int) and not isinstance(value, bool) and path[-1] in worth:
                yield (*path, i)
            else:
                yield from lesser(value, (*path, i))


def with_value(table: Table, path: tuple[Any, ...], change: int) -> dict[str, Any]:
    changed = copy.deepcopy(dict(table))
    at: Any = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] += change
    return changed


def survives(table: Table, common: Table) -> bool:
    """Whether all examples still score as they say."""
    try:
        rules: RuleSet = rule_set_from(table, common)
    except (RuleError, ValueError):
        return False
    return next(iter(faults(rules, table)), None) is None


@pytest.mark.parametrize("id", rule_sets())
def test_a_changed_value_fails_an_example(id: str) -> None:
    table, common = read_table(id), read_table("common")
    assert survives(table, common)
    paths = list(lesser(table))
    # Fu are rounded up to tens; single ones are in test_scoring_fu.py.
    alive = [path for path in paths if survives(with_value(table, path, 10 if path[0] == "fu" else 1), common)]
    assert [path for path in alive if not out_of_reach(id, path)] == []


def out_of_reach(id: str, path: tuple[Any, ...]) -> bool:
    """Whether no hand can show the value: a yaku is worth it open that only closed hands have, or none at all."""
    rules = rule_set(id)
    if path[0] != "yaku":
        return False
    name = read_table(id)["yaku"][path[1]]["id"]
    yaku = next(yaku for yaku in rules.yaku if yaku.id == name)
    if (id, name) == ("junqi-3", "nine_alike"):
        return True
    concealed = yaku.when == ("concealed_triplets",) and yaku.parameters["times"] == rules.groups
    all_in_hand = yaku.condition.runs == rules.groups and "chi" not in rules.calls
    return path[-1] == "open" and (yaku.condition.form is Form.PAIRS or concealed or all_in_hand)


@pytest.mark.parametrize("id", [id for id in rule_sets() if rule_set(id).points])
def test_a_yaku_left_out_fails_an_example(id: str) -> None:
    table, common = read_table(id), read_table("common")
    for i, line in enumerate(table["yaku"]):
        rest = [dict(other) for j, other in enumerate(table["yaku"]) if j != i]
        for other in rest:
            other["replaces"] = [name for name in other.get("replaces", ()) if name != line["id"]]
        reached = (id, line["id"]) != ("junqi-3", "nine_alike")
        assert survives({**table, "yaku": rest}, common) is not reached, line["id"]


@pytest.mark.parametrize("id", [id for id in rule_sets() if rule_set(id).points])
def test_a_replacement_left_out_fails_an_example(id: str) -> None:
    """Unless another yaku of the same hand replaces it, too, or a yakuman stands for all of them."""
    table, common = read_table(id), read_table("common")
    listed = {line["id"]: line for line in table["yaku"]}
    for line in table["yaku"]:
        for name in line.get("replaces", ()):
            if "yakuman" in line and "yakuman" not in listed.get(name, {}):
                continue
            by_others = any(name in listed[other].get("replaces", ()) for other in line["replaces"] if other != name)
            changed = [
                {**other, "replaces": [one for one in other["replaces"] if one != name]} if other is line else other
                for other in table["yaku"]
            ]
            assert by_others or not survives({**table, "yaku": changed}, common), (line["id"], name)


def test_an_example_that_is_wrong_is_named() -> None:
    rules = rule_set("xiangqi-3")
    wrong = {"hand": "rRrRrR rPrP", "melds": "bCbCbC", "yaku": {"all_triplets": 2}}
    impossible = {"hand": "rRrRrR rPrP", "melds": "rKrArE", "yaku": {}}
    no_win = {"hand": "rRrRrR rPrA", "melds": "bCbCbC", "yaku": {"all_triplets": 1}}
    found = [fault.message for fault in faults(rules, {"examples": [wrong, impossible, no_win]})]
    assert found[0] == "rRrRrR rPrP bCbCbC: {'yaku': {'all_triplets': 1}}, not {'yaku': {'all_triplets': 2}}"
    assert found[1] == "xiangqi-3 knows no chi; it knows pong, open_kong, added_kong, concealed_kong"
    assert "{'yaku': {}}" in found[2]


def test_a_rule_set_with_a_wrong_example_is_not_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {**read_table("quzhou"), "examples": [{"hand": "1m", "yaku": {}}]}
    monkeypatch.setattr("scoring.ruleset.read_table", lambda name: table if name == "quzhou" else read_table(name))
    with pytest.raises(RuleError, match="quzhou: an example does not score as it says"):
        rule_set.__wrapped__("quzhou")


# Shapes that win only with a circumstance, what the circumstances are worth, and swaps that the sources forbid.
@pytest.mark.parametrize(
    ("id", "hand", "melds", "how"),
    [
        ("xiangqi-1", "rKrArE bHbHbH rPrP", "", {}),
        ("xiangqi-2", "rKrArE bHbH", "", {}),
        ("xiangqi-2", "rKrArE bHbH", "", {"by": "robbed_kong"}),
        ("xiangqi-3", "rKrArE bHbHbH rPrP", "", {}),
        ("xiangqi-4", "rKrArE bHbHbH rPrP", "", {"context": {"dora_indicators": ["rP", "rK"]}}),
        ("junqi-1", "r1r2r3 rLrLrL b9b9", "", {}),
        ("junqi-2", "r4r5r6 b7b7", "r1r2r3 r1r2r3 rLrLrL", {}),
        ("junqi-5", "r4r5r6 b7b7", "r1r2r3 r1r2r3 rLrLrL", {"context": {"dora_indicators": ["r9"]}}),
        ("paigow-1", "212232 636363 5454", "", {}),
        # 四归一: four of a kind are not two pairs.
        ("xiangqi-3", "rHrHrHrH bPbP bCbC", "", {"context": {"riichi": True}}),
        ("junqi-2", "r7r7r7r7 r1r1 b3b3 b5b5 b9b9 rLrL", "", {"context": {"riichi": True}}),
        # 帅 and 将 pair only where there is one of each.
        ("xiangqi-3", "rKbK rRrHrC rRrHrC", "", {"context": {"riichi": True}}),
        # 兵 are no run, nor 天地人; weapons never; a run keeps to its colour.
        ("xiangqi-1", "TDN rRrHrC rPrP", "", {"context": {"riichi": True}}),
        ("junqi-1", "rLrBrF r4r5r6 r7r7", "", {"context": {"riichi": True}}),
        ("junqi-1", "r1b2r3 r4r5r6 r7r7", "", {"context": {"riichi": True}}),
    ],
)
def test_hands_that_do_not_win(id: str, hand: str, melds: str, how: dict[str, Any]) -> None:
    line = {"hand": hand, "melds": melds, **how}
    assert score(hand_from_json(example_json(rule_set(id), line))).to_json()["win"] is False


def test_a_hand_under_rules_of_its_own() -> None:
    rules = rule_set("xiangqi-3")
    value = example_json(rules, {"hand": "rRrRrR rPrP", "melds": "bCbCbC"})
    del value["rules"]
    assert hand_from_json(value, rules).rules is rules
    with pytest.raises(HandError):
        hand_from_json(value)
