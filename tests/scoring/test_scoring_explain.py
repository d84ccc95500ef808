"""Explanations: the words come from the same object as the numbers."""

# ruff: noqa: E501  (a line of the tables reads better whole)

from __future__ import annotations

import re
from typing import Any

import pytest
from spelling import hand, lost, won

from scoring import FanScore, explain, hand_from_json, ranked, rule_set, rule_sets, score
from scoring.examples import example_json
from scoring.explain import makers
from scoring.ruleset import read_table


def test_in_chinese() -> None:
    assert explain(won("xiangqi-4", "rCrCrC bPbP", "bCbCbC"), "zh") == (
        "牌型：炮炮炮、卒卒＋和牌卒、砲砲砲（副露）",
        "双色同刻：3番（炮炮炮、砲砲砲）",
        "对对胡不计，已计双色同刻",
        "符：底符 20＋暗刻 4＋明刻 2＋进整 4，共30符",
        "共3番30符，基本点30×2^5＝960",
        "2号付3900",
        "1号得3900",
        "自定：出处未给支付方式：按立直麻将支付",
    )


def test_in_english() -> None:
    found = won("junqi-2", "r7r7r7 b3b3b3 b9b9", "=rLrLrLrL b4b5b6", "self_draw", players=3)
    assert explain(found, "en") == (
        "Read as 连长连长连长, 师长师长师长, 工兵工兵 with the winning tile 工兵, 地雷地雷地雷地雷, 旅长团长营长 (called)",
        "Three concealed triplets: 2 fan (连长连长连长, 师长师长师长, 地雷地雷地雷地雷)",
        "Together 2 fan: 500 basic points",
        "P2 pays 500",
        "P3 pays 1000",
        "P1 receives 1500",
        "House default: The source gives no points: points from fan are a house default",
        "House default: With fewer than four players each opponent pays its own share of a self-draw and no more",
    )


@pytest.mark.parametrize(
    ("arguments", "how", "expected"),
    [
        (("junqi-1", "r1r1 r2r2 b1b1 b2b2"), {}, ["金四对：2倍役满（司令司令、军长军长、司令司令、军长军长）", "银四对不计，已计金四对", "共2倍役满，基本点16000"]),
        (("junqi-1", "bLbL", "r7r7r7r7 r3r3r3r3"), {}, ["双杠：6番（连长连长连长连长、师长师长师长师长）", "共7番，跳满，基本点3000"]),
        (("xiangqi-4", "rKrArE bKbAbE rPrP"), {"dora_indicators": ["rP"]}, ["宝牌：1番"]),
        (("duanzi", "1m1m1m 3m3m3m 5m5m1z 7m7m7m 9m9m"), {"wild": "1z"}, ["清碰：5", "有財：-1", "共4，非自摸得3×4 -2＝10"]),
        (("duanzi", "1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m"), {"by": "self_draw"}, ["清碰：5", "共5"]),
        (("lata", "1m1m1m 3m3m3m 5m5m5m 7m7m7m 9m9m"), {"by": "self_draw"}, ["自摸：16", "3号付8"]),
    ],
)  # fmt: skip
def test_lines(arguments: tuple[str, ...], how: dict[str, Any], expected: list[str]) -> None:
    lines = explain(won(*arguments, **how), "zh")
    for line in expected:
        assert line in lines


def test_no_win_in_words() -> None:
    found = lost("junqi-1", "r3r4 rLrL r8r8r8 b1")
    assert explain(found, "zh") == (
        "未和：只有1组面子，要2组",
        "未和：只有2种对子，要4种",
        "听军长、团长",
    )
    assert explain(found, "en")[-1] == "Waiting for 军长, 团长"
    assert explain(lost("junqi-1", "r3b4 rLrL r8r8r8 b1"), "en")[-1] == "Not waiting"
    no_pair = lost("xiangqi-3", "rPbP", "rRrRrR bCbCbC")
    assert [lack.code for lack in no_pair.lacks] == ["no_pair"]


CASES = [(id, line) for id in rule_sets() for line in read_table(id)["examples"] if line["yaku"]]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("id", rule_sets())
def test_every_example_is_explained_and_adds_up(id: str, language: Any) -> None:
    rules = rule_set(id)
    for line in (line for case, line in CASES if case == id):
        found = score(hand_from_json(example_json(rules, line))).to_json()
        lines = explain(score(hand_from_json(example_json(rules, line))), language)
        assert all(lines)
        assert not any(re.search(r"[{}]|None", line) for line in lines)
        for yaku in found["yaku"]:
            assert any(one.startswith(yaku[language]) for one in lines)
        paid = sum(int(m[1]) for one in lines if (m := re.match(r"(?:\d号付|P\d pays )(\d+)$", one)))
        received = [int(m[1]) for one in lines if (m := re.match(r"(?:\d号得|P\d receives )(\d+)$", one))]
        assert received == [paid] == [max(found["payments"])]
        if found.get("fu"):
            items = next(one for one in lines if one.startswith(("符：", "Fu: ")))
            numbers = [int(number) for number in re.findall(r"\d+", items)]
            assert sum(numbers[:-1]) == numbers[-1] == found["fu"]


def test_which_groups_make_a_yaku() -> None:
    found = won("junqi-1", "rBrBrB b9b9", "bBbBbB")
    assert isinstance(found, FanScore)
    made = {one.yaku.id: makers(found, one) for one, _ in found.counted}
    assert made == {"all_triplets": (0, 1, 2), "bomb_triplet": (0, 2), "two_colour_triplets": (0, 2)}
    runs = won("junqi-2", "r1r2r3 r5r6r7 b4b5b6 rLrL b3b4b2", riichi=True)
    assert isinstance(runs, FanScore)
    assert {one.yaku.id: makers(runs, one) for one, _ in runs.counted} == {"riichi": (), "all_runs": (0, 1, 2, 3, 4)}
    pair = won("junqi-2", "r4r5r6 b3b3b3 r1r1", "r8r8r8 bLbLbL")
    assert isinstance(pair, FanScore)
    assert {one.yaku.id: makers(pair, one) for one, _ in pair.counted} == {"great_pair": (2,)}


def test_all_readings_best_first() -> None:
    found = ranked(hand("junqi-3", "r4r5r6 r4r5r6 r4r5r6 b9b9 bLbLbL"))
    assert [[yaku.yaku.id for yaku in one.yaku] for one in found] == [
        ["three_concealed_triplets", "all_triplets", "three_consecutive_triplets"],
        ["three_same_runs"],
    ]
    assert [one.payments[0] for one in found] == [12000, 2000]
    assert ranked(hand("junqi-1", "r1r2r3 rLrLrL b9b9")) == ()
