"""`--house` and `--explain`, on every verb that has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hands import HAND

from hupai.__main__ import main

PAIGOW = {"rules": "paigow-1", "concealed": ["66"] * 3 + ["53"] * 3 + ["22"], "win": "22", "by": "self_draw"}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text('rules = "xiangqi-3"\n\n[yaku.all_triplets]\nfan = 2\n', encoding="utf-8")
    return path


def run(*arguments: str | Path, given: str = "") -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], input=given)


def test_a_house_file_changes_the_hands_of_its_rule_set_alone(house: Path) -> None:
    given = json.dumps(HAND) + "\n" + json.dumps(PAIGOW) + "\n"
    changed = [json.loads(line) for line in run("hand", "--json", "--house", house, given=given).stdout.splitlines()]
    plain = [json.loads(line) for line in run("hand", "--json", given=given).stdout.splitlines()]
    assert (changed[0]["fan"], plain[0]["fan"]) == (2, 1)
    assert changed[1] == plain[1]


def test_the_rules_are_printed_as_the_house_has_them(house: Path) -> None:
    row = next(line for line in run("rules", "xiangqi-3", "--house", house).stdout.splitlines() if "对对胡" in line)
    assert row.split()[-2:] == ["2", "2"]


def test_a_faulty_house_file_is_refused_with_its_line(house: Path) -> None:
    house.write_text('rules = "xiangqi-3"\n\n[yaku.all_triplets]\nfan = -2\n', encoding="utf-8")
    refused = run("hand", "--house", house, given="")
    assert refused.exit_code == 2
    assert "ours.toml, line 4" in refused.stderr
    assert run("hand", "--house", house.with_name("none.toml"), given="").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [("score", "none.jpg", "--rules", "junqi-1"), ("waits", "--rules", "junqi-1", "r1"), ("rules", "junqi-1")],
)
def test_a_house_file_of_other_rules_is_refused_before_all_else(house: Path, arguments: tuple[str, ...]) -> None:
    refused = run(*arguments, "--house", house)
    assert refused.exit_code == 2
    assert refused.stderr == (
        f"hupai {arguments[0]}: the house file changes xiangqi-3, not junqi-1: "
        "ask for xiangqi-3, or leave --house out\n"
    )


def test_the_list_of_rules_takes_any_house_file(house: Path) -> None:
    described = {
        rules["id"]: rules for rules in map(json.loads, run("rules", "--json", "--house", house).stdout.splitlines())
    }
    (row,) = (yaku for yaku in described["xiangqi-3"]["yaku"] if yaku["id"] == "all_triplets")
    assert (row["closed"], len(described)) == (2, 13)


def test_waits_are_asked_of_the_house_rules(house: Path) -> None:
    hand = ("waits", "--rules", "xiangqi-3", "rR", "rR", "rR", "rP", "--meld", "pong:bC,bC,bC")
    plain, ours = (run(*hand, *more).stdout.split()[-2] for more in ((), ("--house", house)))
    assert int(ours) > int(plain)


@pytest.mark.parametrize(("language", "word"), [("en", "All triplets"), ("zh", "对对胡")])
def test_a_score_is_told_in_words(language: str, word: str) -> None:
    plain = run("hand", given=json.dumps(HAND) + "\n").stdout
    told = run("hand", "--explain", language, given=json.dumps(HAND) + "\n").stdout
    assert told.startswith(plain)
    assert word in told[len(plain) :]
    assert "1000" in told[len(plain) :]
