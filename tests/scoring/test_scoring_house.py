"""A table's own rules from a file, and rule sets as data."""

# ruff: noqa: E501  (a line of the tables reads better whole)

from __future__ import annotations

import json

import pytest
from spelling import spelled

from scoring import (
    HouseError,
    RuleError,
    RuleSet,
    describe,
    explain,
    hand_from_json,
    house_rules,
    rule_set,
    rule_sets,
    score,
)
from scoring.ruleset import read_table, rule_set_from

HOUSE = """
rules = "junqi-2"
minimum_fan = 2
tsumo_share = "full"
remove = ["three_kongs", "twin_run"]

[yaku.seven_pairs]
fan = 3

[yaku.great_pair]
yakuman = 2

[yaku.all_red]
zh = "全红"
en = "All red"
fan = 4
open = 1
when = ["only_these", "all_triplets"]
of = "red"
replaces = ["one_colour"]

[points]
basic = [300, 600]
limits = [{ fan = 3, zh = "封顶", en = "cap", basic = 900 }]
yakuman = 5000
"""


def scored(rules: RuleSet, text: str, melds: str = "", by: str = "discard", **context: object) -> dict[str, object]:
    value = spelled(rules.id, text, melds, by, **context)
    return score(hand_from_json(value, rules)).to_json()


def earned(result: dict[str, object]) -> list[tuple[str, int]]:
    yaku = result["yaku"]
    assert isinstance(yaku, list)
    return [(one["id"], one["fan"]) for one in yaku]


def test_values_of_a_table() -> None:
    rules = house_rules(HOUSE)
    assert rules.id == "junqi-2"
    pairs = scored(rules, "r1r1 r3r3 r5r5 b2b2 b7b7 rLrL bBbB")
    assert earned(pairs) == [("seven_pairs", 3)]
    assert (pairs["basic"], pairs["limit"]) == (900, "封顶")
    assert pairs["house"] == ["points_from_fan", "own_rules"]
    red = scored(rules, "r7r7r7 r9r9", "r3r3r3 rLrLrL r5r5r5")
    assert earned(red) == [("all_triplets", 2), ("all_red", 1)]
    head = scored(rules, "r4r5r6 b3b3b3 r1r1", "r8r8r8 bLbLbL")
    assert (head["yakuman"], head["basic"]) == (2, 10000)
    # One fan is not enough now, and three kongs are nothing.
    low = scored(rules, "r4r5r6 rLrLrL b7b7", "r1r2r3 r1r2r3", "discard", last_tile=True)
    assert low["reason"] == "too few fan: 1 of the 2 it takes"
    kongs = scored(rules, "r4r5r6 b9b9", "r7r7r7r7 b7b7b7b7 rLrLrLrL", players=2, dealer=1, by="self_draw")
    assert earned(kongs) == [("two_colour_triplets", 2)]
    assert kongs["payments"] == [2400, -2400]
    # What was removed is gone from what others replace, too.
    twins = scored(rules, "r2r3r4 r2r3r4 r4r5r6 r4r5r6 bLbL")
    assert earned(twins) == [("two_twin_runs", 3)]
    # The rule set itself is as it was.
    assert earned(scored(rule_set("junqi-2"), "r1r1 r3r3 r5r5 b2b2 b7b7 rLrL bBbB")) == [("seven_pairs", 2)]
    assert (
        "此桌自定的规则"
        in explain(score(hand_from_json(spelled("junqi-2", "r1r1 r3r3 r5r5 b2b2 b7b7 rLrL bBbB"), rules)), "zh")[-1]
    )


def test_rows_steps_and_base() -> None:
    rules = house_rules(
        'rules = "duanzi"\nremove = ["all_wilds", "knitted"]\n[rows.flush_triplets]\nunits = 9\nzh = "清大碰"\n'
        '[steps.robbed_kong]\nadd = 3\n'
    )  # fmt: skip
    found = scored(rules, "1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m", by="robbed_kong")
    assert found["units"] == 3 * 12 - 2
    assert found["yaku"] == [
        {"id": "flush_triplets", "zh": "清大碰", "en": "Triplets of one suit", "units": 9},
        {"id": "robbed_kong", "zh": "搶槓胡", "en": "Robbing a kong", "units": 3},
    ]
    quzhou = house_rules('rules = "quzhou"\nbase = 5\n')
    assert scored(quzhou, "1m2m3m 4p5p6p 7s8s9s 1z1z1z 2z2z")["payments"] == [10, -10, 0, 0]
    lata = house_rules('rules = "lata"\nbase = 2\n')
    assert scored(lata, "1m2m3m 4p5p6p 7s8s9s 1z1z1z 2z2z")["units"] == 10


def test_a_file_that_changes_nothing() -> None:
    for id in rule_sets():
        rules = house_rules(f'rules = "{id}"\n')
        plain, own = describe(rule_set(id)), describe(rules)
        assert own.pop("house") != plain.pop("house")
        assert own == plain


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "'rules' is missing"),
        ("rules = [", 1, "no TOML"),
        ('rules = "junqi-2"\nx =\n', 2, "no TOML"),
        ('rules = "junqi-2"\nx = [', 2, "no TOML"),
        ('rules = "junqi-9"', 1, "rules must be one of xiangqi-1"),
        ("rules = 3", 1, "rules must be one of"),
        ('rules = "junqi-2"\n\nminimum = 2\n', 3, "'minimum' means nothing here"),
        ('rules = "junqi-2"\nminimum_fan = 0\n', 2, "minimum_fan must be a whole number above 0, not 0"),
        ('rules = "junqi-2"\nminimum_fan = true\n', 2, "minimum_fan must be"),
        ('rules = "junqi-2"\ntsumo_share = "half"\n', 2, "tsumo_share must be"),
        ('rules = "junqi-2"\nremove = ["nothing"]\n', 2, "there is no yaku 'nothing' to remove"),
        ('rules = "junqi-2"\nremove = "twin_run"\n', 2, "remove must be a list of ids"),
        ('rules = "junqi-2"\nbase = 2\n', 2, "junqi-2 counts in fan and has no base"),
        ('rules = "junqi-2"\n[rows.flush]\nunits = 2\n', 2, "junqi-2 counts in fan and has no rows"),
        ('rules = "junqi-2"\nyaku = 3\n', 2, "yaku must be tables"),
        ('rules = "junqi-2"\n[yaku]\nseven_pairs = 3\n', 3, "seven_pairs must be a table"),
        ('rules = "junqi-2"\n[yaku.seven_pairs]\n# lower\nfan = -1\n', 4, "fan must be a whole number, 0 or more"),
        ('rules = "junqi-2"\n[yaku.seven_pairs]\nfun = 1\n', 3, "'fun' means nothing here"),
        ('rules = "junqi-2"\n[yaku.seven_pairs]\nfan = 1\nyakuman = 1\n', 2, "is worth fan or yakuman, and not both"),
        ('rules = "junqi-2"\n[yaku.mine]\nfan = 1\n', 2, "a new yaku needs zh"),
        ('rules = "junqi-2"\nyaku.mine.fan = 1\n', 2, "a new yaku needs zh"),
        (
            'rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nwhen = "all_triplets"\n',
            2,
            "a yaku needs fan or yakuman",
        ),
        ('rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nfan = 1\nwhen = "magic"\n', 2, "no condition 'magic'"),
        ('rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nfan = 1\nwhen = "knitted"\n', 2, "hand with wilds"),
        ('rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nfan = 1\nwhen = "only_these"\n', 2, "'of' is missing"),
        (
            'rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nfan = 1\nwhen = "only_these"\nof = "r1 rK"\n',
            2,
            "no tile 'rK'",
        ),
        ('rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nfan = 1\nwhen = "fixed_hand"\n', 2, "'hands' is missing"),
        (
            'rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nfan = 1\nwhen = "fixed_hand"\nhands = ["r1r3"]\n',
            2,
            "'r1r3' is no run, triplet or pair",
        ),
        (
            'rules = "junqi-2"\n[yaku.mine]\nzh = "甲"\nen = "A"\nfan = 1\nwhen = ["knitted", "riichi"]\n',
            2,
            "cannot be joined",
        ),
        ('rules = "junqi-2"\n[yaku.seven_pairs]\nreplaces = ["seven_pairs"]\n', 2, "replaces itself in the end"),
        ('rules = "junqi-2"\n[yaku.seven_pairs]\nreplaces = ["zzz"]\n', 2, "replaces 'zzz', which is not in the list"),
        ('rules = "junqi-2"\n[points]\nbasic = [1]\n', 2, "basic must have a value for each fan below the first limit, 4"),
        ('rules = "junqi-2"\n[points]\nlimits = []\n', 2, "basic must have a value"),
        ('rules = "junqi-2"\n[points]\nbasic = [0]\n', 3, "basic must be a list of numbers"),
        ('rules = "junqi-2"\n[points]\nlimits = [{ fan = 4 }]\n', 3, "limits must be a list of"),
        (
            'rules = "xiangqi-4"\n[points]\nlimits = [{ fan = 4, zh = "a", en = "b", basic = 1 }, '
            '{ fan = 3, zh = "a", en = "b", basic = 1 }]\n',
            3,
            "limits must stand in the order of their fan",
        ),
        ('rules = "duanzi"\nminimum_fan = 2\n', 2, "duanzi counts in units and has no minimum_fan"),
        ('rules = "duanzi"\nbase = 2\n', 2, "duanzi has a table of units and no base"),
        ('rules = "duanzi"\nremove = ["nothing"]\n', 2, "there is nothing called nothing to remove"),
        ('rules = "duanzi"\n[rows.zz]\nunits = 2\n', 2, "duanzi has no rows 'zz'"),
        ('rules = "duanzi"\n[rows]\nflush = 2\n', 3, "flush must be a table"),
        ('rules = "duanzi"\n[rows.flush]\nunits = 0\n', 3, "units must be"),
        ('rules = "lata"\n[rows.discard]\nunits = 2\n', 2, "discard has payments and no units"),
        ('rules = "quzhou"\nremove = ["self_draw", "discard"]\n', 2, "no row is left"),
    ],
)  # fmt: skip
def test_errors_point_to_the_line(text: str, line: int, message: str) -> None:
    with pytest.raises(HouseError) as caught:
        house_rules(text, "mine.toml")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"mine.toml, line {line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rule_sets_as_data() -> None:
    for id in rule_sets():
        data = describe(rule_set(id))
        assert json.loads(json.dumps(data)) == data
        assert data["id"] == id
        assert sum(data["copies"].values()) == data["pieces"]
        assert all(choice["zh"] and choice["en"] for choice in data["house"])
    assert describe(rule_set("xiangqi-3"))["yaku"][-1] == {
        "id": "general_and_ministers", "zh": "良相辅国", "en": "General and ministers", "yakuman": True, "closed": 1,
        "open": 1, "replaces": [], "when": ["fixed_hand"],
        "means": ["One of `hands`, groups and pair or pairs; kongs may stand for triplets but for those of `no_kong`."], "hands": ["rErErE rKrK bEbEbE"], "house": None,
    }  # fmt: skip
    xiangqi = describe(rule_set("xiangqi-4"))
    assert xiangqi["fu"]["items"][0] == {"id": "base", "zh": "底符", "en": "Base", "fu": 20}
    assert xiangqi["fu"]["pairs"] == {"rK": 2, "bK": 2}
    assert xiangqi["dora"]["rP"] == "rK"
    junqi = describe(rule_set("junqi-5"))
    assert junqi["dora"] | {"r9": "r1", "rL": "bL", "bB": "rB", "b3": "b4"} == junqi["dora"]
    assert junqi["fu"]["runs"]["r1r2r3"] == 12
    duanzi = describe(rule_set("duanzi"))
    assert duanzi["rows"][14] == {
        "id": "three_wilds", "zh": "三財倒", "en": "All three wilds", "units": 1, "self_draw_only": True, "pays": {},
        "when": ["all_wilds"], "means": ["The hand holds all three wilds."], "house": None,
    }  # fmt: skip
    assert len(duanzi["steps"][0]["rows"]) == 8
    assert describe(rule_set("lata"))["rows"][-1]["pays"]["to_other"] == {"discarder": 2, "dealer": 2, "other": 1}


def test_no_such_rule_set() -> None:
    with pytest.raises(RuleError, match="no rule set 'chess'"):
        rule_set("chess")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pieces": 65}, "the copies make 64 pieces, not 65"),
        ({"mixed_pairs": [["rK", "zz"]]}, "no tile 'zz'"),
        ({"yaku": [{"id": "a", "zh": "甲", "en": "A", "fan": 1, "when": "riichi"}] * 2}, "two yaku have the same id"),
        ({"yaku": [{"id": "a", "zh": "甲", "en": "A", "fan": 1, "when": "riichi", "x": 1}]}, "unknown key 'x'"),
        ({"yaku": [{"id": "a", "zh": "甲", "fan": 1, "when": "riichi"}]}, "en is missing"),
        ({"yaku": [{"id": "a", "zh": "甲", "en": "A", "fan": 1, "when": "riichi", "house": "x"}]}, "no house choice 'x'"),
        (
            {
                "yaku": [
                    {"id": "a", "zh": "甲", "en": "A", "fan": 1, "when": "riichi", "replaces": ["b"]},
                    {"id": "b", "zh": "乙", "en": "B", "fan": 1, "when": "riichi", "replaces": ["c"]},
                    {"id": "c", "zh": "丙", "en": "C", "fan": 1, "when": "riichi", "replaces": ["b"]},
                ]
            },
            "yaku 'b' replaces itself in the end",
        ),
        ({"copies": [{"each": 64, "of": "zz"}]}, "the copies make 64 pieces"),
    ],
)  # fmt: skip
def test_tables_are_checked_when_loaded(change: dict[str, object], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        rule_set_from({**read_table("xiangqi-3"), **change}, read_table("common"))
