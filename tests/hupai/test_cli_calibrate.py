"""`hupai calibrate` and `hupai sets`: from photos to a set that reads; photos that teach nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from marks import CoarseNamer, DiscLocator, photo

import models
from calibration import piece_set
from hupai.__main__ import main

ROWS: list[list[str | None]] = [[side + role for role in "KAERHCP"] for side in "rb"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory, and networks that find the discs and know none of them."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    fakes: dict[str, Any] = {"locator": DiscLocator(), "namer": CoarseNamer()}
    monkeypatch.setattr(models, "load", lambda name, threads=2: fakes[name])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def write(name: str, data: bytes) -> str:
    Path(name).write_bytes(data)
    return name


def test_a_set_is_taught_in_order_and_reads(home: Path) -> None:
    first, second = write("a.jpg", photo(ROWS)), write("b.jpg", photo(ROWS, light=0.8, turn=60, seed=1))
    taught = run("calibrate", "wood", "--family", "xiangqi", "--in-order", first, "--out", "order.png", "--json")
    assert taught.exit_code == 0, taught.output
    report = json.loads(taught.stdout)
    assert (report["set"], report["verdict"]) in [("wood", "one_more_photo"), ("wood", "needs_samples")]
    assert list(report["kinds"]) == [code for row in ROWS for code in row]
    assert {kind["samples"] for kind in report["kinds"].values()} == {1}
    assert Path("order.png").stat().st_size > 1000
    more = run(
        "calibrate", "wood", "--add", second, "--labels", ",".join(str(c) for row in ROWS for c in row), "--json"
    )
    assert {kind["samples"] for kind in json.loads(more.stdout)["kinds"].values()} == {2}

    mixed = [["bP", "rK", "rH"], ["bC", "rA", "bK"]]
    read = run(
        "read", write("hand.jpg", photo(mixed, light=0.7, seed=3)), "--set", "wood", "--family", "xiangqi", "--json"
    )
    reading = json.loads(read.stdout)
    assert reading["set"] == "wood"
    assert [tile["code"] for tile in reading["tiles"]] == [code for row in mixed for code in row]

    told = json.loads(run("sets", "list", "--json").stdout)
    assert (told["set"], told["kinds"], told["samples"]) == ("wood", 14, 28)
    assert run("sets", "export", "wood", "wood.zip").exit_code == 0
    assert run("sets", "delete", "wood").exit_code == 0
    assert run("sets").stdout == ""
    assert run("sets", "undo").stdout == "wood\n"
    assert run("sets", "import", "wood.zip", "--name", "again").stdout == "again\n"
    assert run("sets", "sheet", "again", "sheet.png").exit_code == 0
    assert "wood: xiangqi, 14 kinds, 28 samples" in run("sets").stdout


def test_a_wrong_number_of_pieces_is_explained_and_nothing_is_kept() -> None:
    short = write("short.jpg", photo([ROWS[0], ROWS[1][:6]]))
    refused = run("calibrate", "wood", "--family", "xiangqi", "--in-order", short)
    assert refused.exit_code == 2
    assert "13 pieces were found, 4 fewer than the 17 in the order (short.jpg: 7 + 6 in rows)" in refused.output
    assert piece_set.load("wood").samples == ()


def test_a_blurred_photo_is_refused_by_name() -> None:
    soft = write("soft.jpg", photo(ROWS, blur=9))
    refused = run("calibrate", "wood", "--family", "xiangqi", "--in-order", soft)
    assert refused.exit_code == 2
    assert "soft.jpg: blurred:" in refused.output
    assert piece_set.load("wood").samples == ()


def test_one_label_stands_for_all_pieces_and_a_question_mark_for_none() -> None:
    same = write("same.jpg", photo([["rK", "bK", "rR"]]))
    run("calibrate", "wood", "--family", "xiangqi", "--add", same, "--labels", "rK,?,rR")
    assert sorted(piece_set.load("wood").labels) == ["rK", "rR"]
    run("calibrate", "wood", "--add", write("kings.jpg", photo([["bK", "bK"]], seed=5)), "--labels", "bK")
    assert sorted(piece_set.load("wood").labels) == ["bK", "bK", "rK", "rR"]


def test_look_alikes_are_grouped_and_named_by_group() -> None:
    hand = write("hand.jpg", photo([["rK", "bP", "rK"], ["bP", "bP", "rK"]], seed=2))
    shown = run("calibrate", "wood", "--family", "xiangqi", "--guess", hand, "--json")
    groups = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [group["pieces"] for group in groups] == [[1, 3, 6], [2, 4, 5]]
    run("calibrate", "wood", "--guess", hand, "--labels", "rK,bP")
    assert set(piece_set.load("wood").labels) == {"rK", "bP"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("calibrate",), "name the set"),
        (("calibrate", "wood"), "no piece set 'wood'"),
        (("calibrate", "wood", "--in-order", "a.jpg"), "a new set needs --family"),
        (("calibrate", "wood", "--family", "xiangqi", "--in-order", "nothing.jpg"), "there is no such file"),
        (("calibrate", "wood", "a.jpg"), "say what the photos show"),
        (("calibrate", "wood", "--add", "a.jpg"), "needs --labels"),
        (("calibrate", "../wood", "--family", "xiangqi", "--in-order", "a.jpg"), "cannot name a set"),
        (("read", "a.jpg", "--family", "xiangqi", "--set", "wood"), "no piece set 'wood'"),
        (("sets", "rename", "wood", "tin"), "no piece set 'wood'"),
        (("sets", "import", "nothing.zip"), "no file"),
    ],
)
def test_wrong_use_is_refused_with_one_line(words: tuple[str, ...], says: str) -> None:
    write("a.jpg", photo([["rK"]]))
    refused = run(*words)
    assert refused.exit_code == 2
    assert says in refused.output
    assert len(refused.output.strip().splitlines()) == 1


def test_a_set_of_another_family_is_refused() -> None:
    write("a.jpg", photo([["rK", "rR"]]))
    run("calibrate", "wood", "--family", "xiangqi", "--add", "a.jpg", "--labels", "rK,rR")
    refused = run("read", "a.jpg", "--family", "junqi", "--set", "wood")
    assert refused.exit_code == 2
    assert "is of xiangqi pieces, not junqi" in refused.output
    assert "take another name" in run("calibrate", "wood", "--family", "junqi", "--in-order", "a.jpg").output
