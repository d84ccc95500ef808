"""Write a page for each rule set into docs/rules, from the tables that the engine uses.

python docs/write_rules.py            writes the pages
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from scoring import describe, parse_tile, rule_set, rule_sets  # noqa: E402  (the checkout comes first)

Data = Mapping[str, Any]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """A Markdown table and an empty line."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def page(data: Data) -> str:
    """The page of a rule set as `scoring.describe` gives it."""
    lines = [
        f"# {data['id']}: {data['en']}",
        "",
        f"{data['zh']}. Rules, section {data['section']}. This page is written from the rule set's table "
        "(`python docs/write_rules.py`).",
        "",
        *facts(data),
    ]
    lines += units(data) if "rows" in data else fan(data)
    if data["house"]:
        lines += ["## House defaults", "", "Where the source is silent or slips; a table can override them.", ""]
        lines += table(["name", "中文", "English"], [(f"`{one['id']}`", one["zh"], one["en"]) for one in data["house"]])
    return "\n".join(lines).rstrip() + "\n"


def facts(data: Data) -> Iterator[str]:
    by_number: dict[int, list[str]] = defaultdict(list)
    for code, number in data["copies"].items():
        by_number[number].append(f"{parse_tile(code).zh} `{code}`")
    yield (
        f"{data['pieces']} pieces: "
        + "; ".join(f"{number} each of {', '.join(c)}" for number, c in by_number.items())
        + "."
    )
    yield ""
    shape = f"{data['groups']} groups and a pair" + (f", or {data['pairs']} different pairs" if data["pairs"] else "")
    yield f"{data['hand_size']} tiles in hand; a full hand is {shape}. Calls: {', '.join(data['calls'])}."
    yield f"{', '.join(str(number) for number in data['players'])} players."
    yield ""


def fan(data: Data) -> Iterator[str]:
    yield "## Yaku"
    yield ""
    yield "Fan in a closed hand and in one with a called meld; `—` where it is worth nothing."
    yield ""
    names = {one["id"]: one["zh"] for one in data["yaku"]}
    yield from table(
        ["id", "中文", "English", "closed", "open", "asks for", "replaces"],
        [
            (
                f"`{one['id']}`",
                one["zh"],
                one["en"],
                value(one, "closed"),
                value(one, "open"),
                asks(one),
                ", ".join(names[id] for id in one["replaces"]),
            )
            for one in data["yaku"]
        ],
    )
    yield from points(data)


def value(yaku: Data, side: str) -> str:
    """What a yaku is worth on one side."""
    if not yaku[side]:
        return "—"
    return f"yakuman × {yaku[side]}" if yaku["yakuman"] else str(yaku[side])


def asks(rule: Data) -> str:
    """The conditions in words, with the parameters that they speak of."""
    given = [f"`{key}` {code(rule[key])}" for key in ("of", "times", "hands", "no_kong") if key in rule]
    return " ".join(rule["means"]) + (f" ({'; '.join(given)})" if given else "")


def code(given: object) -> str:
    """A parameter as code."""
    return ", ".join(f"`{one}`" for one in given) if isinstance(given, list) else f"`{given}`"


def points(data: Data) -> Iterator[str]:
    given, shares = data["points"], data["shares"]
    yield "## Points"
    yield ""
    if data["minimum_fan"] > 1:
        yield f"A win takes {data['minimum_fan']} fan."
        yield ""
    if given["doublings"] is None:
        each = ", ".join(f"{fan} fan {basic}" for fan, basic in enumerate(given["basic"], 1))
        yield f"Basic points: {each}; then the limits."
    else:
        more = f" + {given['doublings']}" if given["doublings"] else ""
        top = given["limits"][0]["basic"] if given["limits"] else given["yakuman"]
        yield f"Basic points are fu × 2^(fan{more}), at most {top}" + (" below the limits." if given["limits"] else ".")
    yield ""
    limits = [(f"{one['fan']} fan", one["zh"], one["en"], one["basic"]) for one in given["limits"]]
    yield from table(
        ["from", "中文", "English", "basic points"], [*limits, ("yakuman, each", "役满", "yakuman", given["yakuman"])]
    )
    yield (
        f"By discard the discarder pays {shares['discard']} times the basic points, {shares['discard_to_dealer']} to "
        f"the dealer. By self-draw each pays {shares['draw']} to a player who is not the dealer and "
        f"{shares['draw_dealer']} to the dealer, who pays {shares['draw_dealer']} too. Amounts are rounded up to "
        f"{shares['round_up_to']}."
    )
    yield ""
    if "fu" in data:
        yield from fu(data["fu"])
    if "dora" in data:
        yield "## Dora"
        yield ""
        shown = ", ".join(f"{parse_tile(a).zh}`{a}` → {parse_tile(b).zh}`{b}`" for a, b in data["dora"].items())
        yield f"An indicator names the tile after the arrow: {shown}."
        yield ""


def fu(data: Data) -> Iterator[str]:
    yield "## Fu"
    yield ""
    yield from table(
        ["id", "中文", "English", "fu"], [(f"`{i['id']}`", i["zh"], i["en"], i["fu"]) for i in data["items"]]
    )
    kinds = ("open_triplet", "closed_triplet", "open_kong", "closed_kong")
    alike: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for tile, worth in data["triplets"].items():
        alike[(*(worth[kind] for kind in kinds), data["pairs"].get(tile, 0))].append(f"{parse_tile(tile).zh}`{tile}`")
    head = ["tiles", "open triplet", "closed triplet", "open kong", "closed kong", "pair"]
    yield from table(head, [(" ".join(tiles), *worth) for worth, tiles in alike.items()])
    if data["runs"]:
        yield "Runs: " + ", ".join(f"`{run}` {worth}" for run, worth in data["runs"].items()) + "."
        yield ""
    yield f"The sum is rounded up to {data['round_up_to']}."
    yield ""


def units(data: Data) -> Iterator[str]:
    yield "## Hands" if data["rows"][0]["units"] else "## Who pays"
    yield ""
    if data["rows"][0]["units"]:
        times, add = data["discard_times"], data["discard_add"]
        yield from table(
            ["id", "中文", "English", "self-draw s", "by discard", "asks for"],
            [
                (
                    f"`{row['id']}`",
                    row["zh"],
                    row["en"],
                    row["units"],
                    "—" if row["self_draw_only"] else times * row["units"] + add,
                    asks(row),
                )
                for row in data["rows"]
            ],
        )
        rows = {row["id"]: row["zh"] for row in data["rows"]}
        yield "## Steps"
        yield ""
        yield f"Each moves s; a win by discard is worth {times}s − {-add}."
        yield ""
        yield from table(
            ["id", "中文", "English", "adds", "to", "asks for"],
            [
                (
                    f"`{step['id']}`",
                    step["zh"],
                    step["en"],
                    step["add"],
                    "every row" if len(step["rows"]) == len(rows) else "、".join(rows[id] for id in step["rows"]),
                    asks(step),
                )
                for step in data["steps"]
            ],
        )
        return
    yield f"The first line that applies; `base` is {data['base']}."
    yield ""
    yield from table(
        ["id", "中文", "English", "asks for", "case", "discarder", "dealer", "other"],
        [
            (
                f"`{row['id']}`",
                row["zh"],
                row["en"],
                asks(row),
                f"`{case}`",
                *(pays.get(who, 0) for who in ("discarder", "dealer", "other")),
            )
            for row in data["rows"]
            for case, pays in row["pays"].items()
        ],
    )


def pages() -> dict[str, str]:
    """The text of every page by its file's name."""
    return {f"{id}.md": page(describe(rule_set(id))) for id in rule_sets()}


if __name__ == "__main__":
    folder = HERE / "rules"
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
