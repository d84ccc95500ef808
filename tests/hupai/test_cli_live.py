"""`hupai live` on films of painted tables."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from painted import Painted, paint, row

from hupai.__main__ import main
from hupai.live import told
from scoring import rule_set
from scoring.tiles import Family
from vision.video import Video

pytestmark = pytest.mark.usefixtures("painted_networks")

SIZE = (640, 480)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["live", *(str(argument) for argument in arguments)])


def table(concealed: str, win: str | None, meld: str | None) -> list[Painted]:
    tiles = [*row(concealed.split(), 30, 400, 40, 1.5)]
    if meld:
        tiles += row(meld.split(), 30, 280, 40, 1.5)
    return tiles + (row([win], 60 + 43 * len(concealed.split()), 400, 40, 1.5) if win else [])


def film(path: Path, *scenes: tuple[list[Painted], float]) -> Path:
    """A film at ten pictures a second, without loss: each table for so many seconds."""
    rng = np.random.default_rng(0)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"FFV1"), 10, SIZE)
    for tiles, seconds in scenes:
        picture = paint(tiles, Family.JUNQI, SIZE)
        for _ in range(round(10 * seconds)):
            writer.write(np.clip(picture + rng.normal(0, 1, picture.shape), 0, 255).astype(np.uint8))
    writer.release()
    return path


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A hand one short, then the tile that makes it win."""
    waiting, won = table("r7 r7 r7 r5", None, "bL bL bL"), table("r7 r7 r7 r5", "r5", "bL bL bL")
    return film(tmp_path / "film.avi", (waiting, 2.5), (won, 2.5))


def test_hands_are_told_as_they_are_laid_down(played: Path) -> None:
    result = run("--camera", played, "--rules", "junqi-1", "--winner", "1", "--json")
    assert result.exit_code == 0, result.output
    waiting, won = (json.loads(line) for line in result.stdout.splitlines())
    assert (waiting["missing"], waiting["hand"]["win"]) == (1, None)
    assert [chance["tile"] for chance in waiting["chances"]] == ["r5", "r6"]
    assert won["missing"] == 0
    assert {yaku["zh"] for yaku in won["score"]["yaku"]} == {"对对胡"}
    assert won["score"]["payments"][1] > 0
    assert "the film has ended" in result.stderr
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("video")]


def test_hands_are_told_to_people(played: Path) -> None:
    result = run("--camera", played, "--rules", "junqi-1")
    assert result.exit_code == 0
    first, second = result.stdout.split("concealed: ")[1:]
    assert "waiting for" in first
    assert "r5 团长" in first
    assert "对对胡" in second
    assert "P1 (dealer) receives" in second


@pytest.mark.parametrize(
    ("concealed", "win", "melds", "missing", "words"),
    [
        ("r7 r7", "r7", [], 5, "5 tiles missing"),
        ("r7 r7 r7 r5 b5 b5 b6 b7", "r5", [], -1, "1 tile too many"),
        ("r1 r1 r1 r1 r1 r5", "r5", [], 1, "error: 5 tiles r1"),
        ("r1 r3 r5 r7 r9 bL", "b2", [], 1, "waiting for nothing"),
        ("r1 r3 r5 r7 r9 bL b8", "b2", [], 0, "no win: "),
    ],
)
def test_what_is_no_win_is_told_too(
    concealed: str, win: str, melds: list[Any], missing: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from hupai import show

    hand = {"rules": "junqi-1", "concealed": concealed.split(), "melds": melds, "win": win, "by": "self_draw"}
    found = told(hand, rule_set("junqi-1"))
    assert found["missing"] == missing
    show.live(found)
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--camera", "absent.avi", "--rules", "junqi-1"), "absent.avi cannot be played"),
        (("--camera", "absent.avi", "--rules", "chess"), "'chess'"),
        (("--camera", "absent.avi", "--rules", "junqi-1", "--set", "mine"), "mine"),
    ],
)
def test_wrong_use_says_how_to_mend_it(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_a_black_picture_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"FFV1"), 20, SIZE)
    for _ in range(8):
        writer.write(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    writer.release()
    result = run("--camera", path, "--rules", "junqi-1")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.count("the picture is black") == 1


def test_an_interrupt_ends_it(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Video, number: int, timeout: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Video, "newer", interrupted)
    assert run("--camera", played, "--rules", "junqi-1").exit_code == 0
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("video")]
