"""`hupai hand`, `waits` and `rules`, and what all verbs share."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hands import HAND

from hupai.__main__ import VERBS, main
from scoring import describe, rule_set, rule_sets


def run(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(main, arguments, input=given)


def lines(*values: Any) -> str:
    return "".join(value + "\n" if isinstance(value, str) else json.dumps(value) + "\n" for value in values)


def test_hand_prints_one_result_a_line_in_order() -> None:
    drawn = {**HAND, "by": "self_draw", "context": {"winner": 1, "dealer": 0}}
    result = run("hand", "--json", given=lines(HAND, "", drawn))
    assert result.exit_code == 0
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert first["payments"] == [0, 1000, -1000, 0]
    assert [yaku["zh"] for yaku in first["yaku"]] == ["对对胡"]
    assert second["payments"] == [-500, 1100, -300, -300]


def test_a_hand_that_does_not_win_is_an_answer() -> None:
    result = run("hand", "--json", given=lines({**HAND, "win": "rK"}))
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert not answer["win"]
    assert "rP" in answer["waits"]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ({**HAND, "concealed": ["rR", "rR", "rR", "rR"], "win": "rR"}, "too_many_copies"),
        ({**HAND, "win": "rX"}, "unknown_tile"),
        ({**HAND, "melds": [{"type": "pong", "tiles": ["bC", "bC", "bR"]}]}, "not_a_meld"),
        ({**HAND, "rules": "xiangqi-9"}, "unknown_rules"),
        ({**HAND, "by": "luck"}, "unknown_by"),
        ({"rules": "xiangqi-3"}, "missing_key"),
        ("[]", "not_an_object"),
        ("not JSON", "not_json"),
        ("[" * 100_000, "not_json"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else None,
)
def test_a_bad_line_gives_an_error_in_its_place(bad: Any, code: str) -> None:
    result = run("hand", "--json", given=lines(HAND, bad, HAND))
    assert result.exit_code == 2
    first, error, last = (json.loads(line) for line in result.stdout.splitlines())
    assert first == last
    assert error["error"]["code"] == code
    assert result.stderr.startswith("hupai hand: line 2 could not be scored")
    assert result.stderr.count("\n") == 1


def test_five_copies_are_named() -> None:
    given = lines({**HAND, "concealed": ["rR", "rR", "rR", "rR"], "win": "rR"})
    error = json.loads(run("hand", "--json", given=given).stdout)["error"]
    assert error["message"].startswith("5 tiles rR (车), but there are only 4")


def test_bytes_that_are_no_text() -> None:
    result = run("hand", "--json", given=b"\xff\xfe\xff\n")
    assert json.loads(result.stdout)["error"]["code"] == "not_json"


def test_hand_for_people() -> None:
    result = run("hand", given=lines(HAND, {**HAND, "win": "rX"}))
    assert result.exit_code == 2
    for words in (
        "对对胡",
        "All triplets",
        "1 番 fan, basic points 250",
        "P3 pays 1000 → P2",
        "error: win: 'rX'",
    ):
        assert words in result.stdout


def test_no_hands_no_output() -> None:
    result = run("hand", "--json")
    assert (result.exit_code, result.output) == (0, "")


WAITING = ("waits", "--rules", "junqi-2", "r2 r3 r5 r5 r7 r7 r7 b1 b2 b3 rL rL rL")


def test_waits_tell_what_each_tile_would_pay() -> None:
    shown = run(*WAITING)
    assert shown.exit_code == 0
    assert [line.split() for line in shown.stdout.splitlines()] == [
        ["waiting", "for", "left", "by", "discard", "by", "self-draw"],
        ["r1", "司令", "2", "1500", "3000"],
        ["r4", "旅长", "4", "–", "1500"],
    ]
    assert [line.split()[-2:] for line in run(*WAITING, "--winner", "1").stdout.splitlines()[1:]] == [
        ["1000", "2000"],
        ["–", "1100"],
    ]


@pytest.mark.parametrize(("said", "number"), [("P2", 1), ("p2", 1), ("1", 1), ("0", 0), ("P1", 0)])
def test_a_seat_is_said_as_people_call_it_or_as_json_numbers_it(said: str, number: int) -> None:
    told = json.loads(run(*WAITING, "--winner", said, "--json").stdout)
    (paid,) = [chance["discard"]["payments"] for chance in told["chances"] if chance["discard"]]
    assert paid[number] > 0


@pytest.mark.parametrize("said", ["P0", "P", "-1", "east", "1.5", "²"])
def test_what_is_no_seat_is_said_so(said: str) -> None:
    result = run(*WAITING, "--winner", said)
    assert result.exit_code == 2
    assert f"'{said}' is no seat: say P1 to P4, or 0 to 3 as in JSON" in result.stderr


def test_a_seat_beyond_the_table_is_refused_in_both_ways_of_naming() -> None:
    result = run(*WAITING, "--winner", "P5")
    assert result.exit_code == 2
    assert "winner 4 is no seat: seats run from 0 (P1) to 3 (P4)" in result.stderr


def test_waits_as_json() -> None:
    found = json.loads(
        run("waits", "--rules", "xiangqi-3", "rR rR", "rR,rP", "--meld", "pong:bC,bC,bC", "--json").stdout
    )
    assert found["waits"] == ["rP"]
    (chance,) = found["chances"]
    assert (chance["tile"], chance["left"]) == ("rP", 9)
    by_hand = json.loads(run("hand", "--json", given=lines({**HAND, "context": {"discarder": 1}})).stdout)
    assert chance["discard"] == by_hand
    assert chance["self_draw"]["payments"] == [1500, -500, -500, -500]
    drawn = run("waits", "--rules", "xiangqi-3", "rR rR rR rP rP rP bC", "--riichi", "--dora", "bC", "--json")
    assert {yaku["zh"] for yaku in json.loads(drawn.stdout)["chances"][0]["discard"]["yaku"]} >= {"立直"}


def test_waits_of_a_full_hand_are_by_what_is_thrown() -> None:
    shown = run(*WAITING, "bF")
    assert [line.split() for line in shown.stdout.splitlines()[1:]] == [
        ["bF", "军旗", "r1", "司令", "2", "1500", "3000"],
        ["r4", "旅长", "4", "–", "1500"],
    ]
    found = json.loads(run(*WAITING, "bF", "--json").stdout)
    assert not found["win"]
    assert [(way["tile"], [wait["tile"] for wait in way["waits"]]) for way in found["discards"]] == [
        ("bF", ["r1", "r4"])
    ]


def test_a_full_hand_with_nothing_to_throw() -> None:
    far = ("waits", "--rules", "xiangqi-3", "rR rK bC rP rA bA bK bE")
    assert run(*far).stdout == "no win, and no discard leaves this hand waiting\n"
    assert json.loads(run(*far, "--json").stdout) == {"win": False, "discards": []}
    won = ("waits", "--rules", "xiangqi-3", "rR rR rR rP rP", "--meld", "pong:bC,bC,bC")
    assert run(*won).stdout == "this hand wins as it is; `hupai hand` scores it\n"
    assert json.loads(run(*won, "--json").stdout) == {"win": True, "discards": []}


def test_a_hand_that_waits_for_nothing() -> None:
    shown = run("waits", "--rules", "xiangqi-3", "rR", "rK", "bC", "rP", "rA", "bA", "bK")
    assert shown.stdout == "waiting for nothing\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rR", "rX"), "'rX' is no tile code"),
        (("rR", "rR"), "tiles in hand"),
        (("rR", "rR", "rR", "rP", "--meld", "pong:bC,bC"), "bC bC is no pong"),
        (("rR", "rR", "rR", "rP", "--meld", "pong:bC,bC,bX"), "'bX' is no tile code"),
        (("rR", "rR", "rR", "rP", "--meld", "pong:bC,bC,bC", "--riichi"), "riichi with a called meld"),
        (("rR", "rR", "rR", "rP", "--meld", "heap:bC"), "'heap'"),
        (("rR", "rR", "rR", "rR", "rR", "rP", "rP"), "5 tiles rR"),
    ],
)
def test_waits_of_what_is_no_hand(arguments: tuple[str, ...], words: str) -> None:
    result = run("waits", "--rules", "xiangqi-3", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_rules_lists_every_rule_set() -> None:
    shown = run("rules").stdout
    for name in rule_sets():
        assert name in shown
        assert rule_set(name).zh in shown
    described = [json.loads(line) for line in run("rules", "--json").stdout.splitlines()]
    assert [rules["id"] for rules in described] == list(rule_sets())


def test_rules_of_one_set() -> None:
    shown = run("rules", "paigow-1").stdout
    for words in ("牌九", "66 天×4", "全带红", "Red in every group", "役满"):
        assert words in shown
    (described,) = (json.loads(line) for line in run("rules", "paigow-1", "--json").stdout.splitlines())
    assert described == describe(rule_set("paigow-1"))


def test_rules_with_units_show_who_pays() -> None:
    shown = run("rules", "lata").stdout
    assert "to dealer: discarder 4, other 2; from dealer: discarder 4, other 1" in shown
    assert "+1" in run("rules", "duanzi").stdout


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (
            {**HAND, "rules": "xiangqi-4", "context": {**HAND["context"], "dora_indicators": ["rE"]}},
            ["宝牌", "4 番 fan, 30 符 fu, basic points 1920", "house default: 宝牌指示牌的下一张"],
        ),
        (
            {"rules": "xiangqi-3", "concealed": ["bK", "bK", *["rP"] * 5], "win": "rP", "by": "self_draw"},
            ["天将神兵", "役满 yakuman, basic points 8000", "P2 pays 16000 → P1 (dealer)"],
        ),
        (
            {
                "rules": "lata",
                "concealed": ["1m", "1m", "2m", "2m", "3p", "3p", "4p", "4p", "5s", "5s", "6s", "6s", "1z"],
                "win": "1z",
                "by": "self_draw",
            },
            ["自摸", "24 units", "P1 (dealer) receives 24"],
        ),
    ],
    ids=["fu and dora", "yakuman", "units"],
)
def test_what_a_score_rests_on_is_shown(hand: dict[str, Any], words: list[str]) -> None:
    result = run("hand", given=lines(hand))
    assert result.exit_code == 0
    for word in words:
        assert word in result.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str) -> None:
    result = run(verb, "--help")
    assert result.exit_code == 0
    assert "Usage: " in result.stdout
    assert verb in run("--help").stdout


@pytest.mark.parametrize("arguments", [("fly",), ("rules", "chess"), ("hand", "absent.jsonl"), ("read",)])
def test_wrong_use_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_scoring_codes_loads_neither_opencv_nor_onnxruntime() -> None:
    code = (
        "import sys; from hupai.__main__ import main; main(['hand', '--json'], standalone_mode=False); "
        "sys.exit(sorted({'cv2', 'onnxruntime', 'numpy', 'flask', 'rich'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=lines(HAND), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["win"]
