"""Fu, item by item (rules, sections 3 and 4)."""

from __future__ import annotations

from typing import Any

import pytest
from spelling import won

from scoring import rule_set

# ruff: noqa: E501  (a line of the tables reads better whole)

SELF: dict[str, Any] = {"by": "self_draw"}
OFFICERS = {**{str(n): 1 for n in (7, 8, 9)}, **{str(n): 2 for n in (3, 4, 5, 6)}, "1": 5, "2": 5}
WEAPONS = {"L": 2, "B": 5, "F": 10}


def test_the_table_of_xiangqi_4() -> None:
    fu = rule_set("xiangqi-4").fu
    assert fu is not None
    assert (fu.base, fu.closed_discard, fu.self_draw, fu.wait, fu.pairs_alone, fu.round_up_to) == (20, 10, 2, 0, 25, 10)
    assert set(fu.runs) == {0}
    for tile, pair, triplet in zip(rule_set("xiangqi-4").tiles, fu.pairs, fu.triplets, strict=True):
        assert pair == (2 if tile.code[1] == "K" else 0)
        assert triplet == ((4, 8, 16, 32) if tile.code[1] == "P" else (2, 4, 8, 16))


def test_the_table_of_junqi_5() -> None:
    rules = rule_set("junqi-5")
    fu, layout = rules.fu, rules.layout
    assert fu is not None
    assert (fu.base, fu.closed_discard, fu.self_draw, fu.wait, fu.pairs_alone, fu.round_up_to) == (0, 0, 2, 2, None, 10)
    assert fu.self_draw_unless == "all_runs"
    each = [{**OFFICERS, **WEAPONS}[tile.code[1]] for tile in rules.tiles]
    assert list(fu.runs) == [sum(each[kind] for kind in run) for run in layout.runs]
    for tile, value, pair, triplet in zip(rules.tiles, each, fu.pairs, fu.triplets, strict=True):
        assert pair == value * 2 * (2 if tile.code[1] in "12F" else 1)
        times = (2, 4, 8, 16) if tile.code[1] in OFFICERS else (4, 8, 16, 32)
        assert triplet == tuple(n * value * x for n, x in zip((3, 3, 4, 4), times, strict=True))


def items(rules: str, text: str, melds: str = "", **how: Any) -> dict[str, int]:
    """The fu of each item, those of one name summed."""
    found: dict[str, int] = {}
    for item in won(rules, text, melds, **how).to_json()["fu_detail"]:
        found[item["id"]] = found.get(item["id"], 0) + item["fu"]
    return found


@pytest.mark.parametrize(
    ("text", "melds", "how", "expected"),
    [
        ("rRrHrC bKbK", "bPbPbP", {}, {"base": 20, "open_triplet": 4, "pair": 2, "rounding": 4}),
        (
            "rRrHrC rPrPrP bKbK",
            "",
            {**SELF},
            {"base": 20, "self_draw": 2, "closed_triplet": 8, "pair": 2, "rounding": 8},
        ),
        (
            "rRrHrC rKrK rA rArA",
            "",
            {"riichi": True},
            {"base": 20, "closed_discard": 10, "open_triplet": 2, "pair": 2, "rounding": 6},
        ),
        (
            "rRrHrC bKbK",
            "=rPrPrPrP",
            {},
            {"base": 20, "closed_discard": 10, "closed_kong": 32, "pair": 2, "rounding": 6},
        ),
        ("rKrK bAbA rPrP bCbC", "", {**SELF}, {"pairs_alone": 25}),
    ],
)
def test_items_of_xiangqi_4(text: str, melds: str, how: dict[str, Any], expected: dict[str, int]) -> None:
    assert items("xiangqi-4", text, melds, **how) == expected


@pytest.mark.parametrize(
    ("text", "melds", "how", "expected"),
    [
        ("r4r5r6 b9b9", "r7r7r7 b7b7b7 rLrLrL", {}, {"run": 6, "open_triplet": 36, "pair": 2, "wait": 2, "rounding": 4}),
        ("r1r2r3 r5r6r7 b4b5b6 rLrL b3b4b2", "", {**SELF}, {"run": 32, "pair": 4, "rounding": 4}),
        ("r4r5r6 rLrL b3b3b3", "r7r7r7 b7b7b7", {**SELF}, {"run": 6, "pair": 4, "closed_triplet": 24, "open_triplet": 12, "self_draw": 2, "rounding": 2}),
        ("r4r5r6 rLrL b3b3b3", "r7r7r7 b7b7b7", {}, {"run": 6, "pair": 4, "open_triplet": 24, "rounding": 6}),
        # Edge, closed, two-sided.
        ("r4r5r6 rLrL b8b9b7", "r7r7r7 b7b7b7", {}, {"run": 9, "pair": 4, "open_triplet": 12, "wait": 2, "rounding": 3}),
        ("r4r5r6 rLrL b1b2b3", "r7r7r7 b7b7b7", {}, {"run": 18, "pair": 4, "open_triplet": 12, "wait": 2, "rounding": 4}),
        ("r4r5r6 rLrL b7b9b8", "r7r7r7 b7b7b7", {}, {"run": 9, "pair": 4, "open_triplet": 12, "wait": 2, "rounding": 3}),
        ("r4r5r6 rLrL b7b8b9", "r7r7r7 b7b7b7", {}, {"run": 9, "pair": 4, "open_triplet": 12, "rounding": 5}),
        ("r1r1 r3r3 r5r5 b2b2 b7b7 rLrL bFbF", "", {}, {"pair": 94, "wait": 2, "rounding": 4}),
        # A kong twice of one kind: the concealed one counts as such.
        (
            "r4r5r6 b9b9",
            "rLrLrLrL =rLrLrLrL b9b9b9",
            {},
            {"run": 6, "pair": 2, "open_kong": 128, "closed_kong": 256, "open_triplet": 6, "wait": 2},
        ),
    ],
)  # fmt: skip
def test_items_of_junqi_5(text: str, melds: str, how: dict[str, Any], expected: dict[str, int]) -> None:
    assert items("junqi-5", text, melds, **how) == expected


def test_the_discard_is_placed_where_it_pays_most() -> None:
    """r4r5r6 + r4r4r4 won on r4: in the run it leaves the triplet closed, at the price of no better wait."""
    found = items("junqi-5", "r5r6 r4r4r4 rLrL r4", "r7r7r7 b7b7b7")
    assert found["closed_triplet"] == 24
    assert found["open_triplet"] == 12


def test_two_triplets_of_a_kind_of_which_a_discard_opens_one() -> None:
    found = items("junqi-5", "b9b9 r7r7r7 r7r7r7", "rLrLrL bLbLbL")
    assert (found["open_triplet"], found["closed_triplet"]) == (6 + 48, 12)
