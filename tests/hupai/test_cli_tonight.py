"""`hupai tonight`: the evening for people, as JSON, and as a file."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hands import HAND

import scoring
from hupai.__main__ import main
from webui import store


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["tonight", *(str(argument) for argument in arguments)])


def enter(key: str, days_ago: int = 0, **changes: object) -> store.Entry:
    hand = {**HAND, **changes}
    accepted = store.Accepted(key, hand, scoring.score_json(hand))
    return store.accept(accepted, store.now() - timedelta(days=days_ago))[0]


def test_an_empty_evening_is_said_so(home: Path) -> None:
    result = run()
    assert (result.exit_code, result.stdout) == (0, "no hand was entered tonight\n")
    assert not home.exists()
    enter("a-hand-1", days_ago=9)
    assert "earlier evenings: " in run().stdout


def test_the_evening_is_shown_with_what_it_adds_up_to() -> None:
    enter("a-hand-1")
    enter("a-hand-2", by="self_draw", context={"winner": 0})
    result = run()
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines() if "xiangqi-3" in line]
    assert lines[0][:1] == ["1"]
    assert lines[0][-4:] == ["0", "+1000", "-1000", "0"]
    assert lines[1][-4:] == ["+1500", "-500", "-500", "-500"]
    assert lines[2][-4:] == ["+1500", "+500", "-1500", "-500"]
    assert "P2, discard of P3" in result.stdout
    assert "P1, self draw" in result.stdout


def test_riichi_and_draws_stand_among_the_hands() -> None:
    for key, told in (
        ("riichi-1", {"event": "riichi", "rules": "xiangqi-4", "players": 4, "seat": 1}),
        ("the-draw", {"event": "draw", "rules": "xiangqi-4", "players": 4, "waiting": [1, 3]}),
        ("draw-two", {"event": "draw", "rules": "duanzi", "players": 4, "dealer": 2}),
    ):
        event, moved = scoring.event_from_json(told)
        store.accept(store.Accepted(key, event, moved.to_json()))
    enter("a-hand-1", rules="xiangqi-4")
    shown = run().stdout
    lines = [line.split() for line in shown.splitlines()]
    assert any(line[-6:] == ["sticks", "1000", "0", "+2000", "-1000", "0"] for line in lines)
    assert any(line[-6:] == ["riichi:", "P2", "0", "-1000", "0", "0"] for line in lines)
    assert "draw, ready: P2, P4" in shown
    assert "draw, dealer: P3" in shown
    assert any(line[-5:] == ["together", "-1500", "+2500", "-2500", "+1500"] for line in lines)
    event, moved = scoring.event_from_json({"event": "riichi", "rules": "xiangqi-4", "players": 4, "seat": 1})
    store.accept(store.Accepted("riichi-2", event, moved.to_json()))
    assert "together, 1000 on the table" in run().stdout


def test_the_evening_as_json_and_as_a_file(tmp_path: Path) -> None:
    entry = enter("a-hand-1")
    printed = json.loads(run("--json").stdout)
    assert printed["hands"] == [entry.to_json()]
    (total,) = printed["totals"]
    assert (total["rules"], total["hands"], total["points"]) == ("xiangqi-3", 1, [0, 1000, -1000, 0])
    written = run("--export", tmp_path / "evening.json")
    assert (written.exit_code, written.stdout) == (0, "")
    assert json.loads((tmp_path / "evening.json").read_text("utf-8"))["hands"] == printed["hands"]


def test_an_earlier_evening_is_chosen_by_its_date() -> None:
    old = enter("a-hand-1", days_ago=5)
    enter("a-hand-2")
    assert [hand["id"] for hand in json.loads(run("--evening", old.evening, "--json").stdout)["hands"]] == [old.id]


@pytest.mark.parametrize("evening", ["2001-01-01", "yesterday", ""])
def test_an_evening_without_hands_is_refused_with_those_that_there_are(evening: str) -> None:
    entry = enter("a-hand-1")
    result = run("--evening", evening)
    assert result.exit_code == 2
    assert entry.evening in result.stderr


def test_a_damaged_list_is_refused_in_one_line(home: Path) -> None:
    home.mkdir()
    (home / "hands.db").write_bytes(b"no list at all")
    result = run("--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "is damaged" in result.stderr
    assert (home / "hands.db").read_bytes() == b"no list at all"


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    enter("a-hand-1")
    result = run("--export", tmp_path / "none" / "evening.json")
    assert result.exit_code == 2
    assert "choose another place with --export" in result.stderr
