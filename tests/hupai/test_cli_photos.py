"""`hupai read` and `hupai score` through the command line, with networks that read painted pictures."""

from __future__ import annotations

import json
import struct
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import ANY

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from painted import Painted, PaintedNamer, paint, row

import models
from hupai.__main__ import main
from hupai.photos import read_photos
from scoring.tiles import Family
from vision.name import Look
from vision.reading import Reading

pytestmark = pytest.mark.usefixtures("painted_networks")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def write(path: Path, tiles: Sequence[Painted], family: Family = Family.JUNQI) -> Path:
    path.write_bytes(bytes(cv2.imencode(path.suffix, paint(tiles, family, (640, 480)))[1]))
    return path


def table(concealed: str, win: str, *melds: str) -> list[Painted]:
    """Upright blocks: the concealed row, the winning tile apart from it, called groups behind."""
    tiles = [*row(concealed.split(), 30, 400, 40, 1.5)]
    tiles += row([win], 30 + 43 * len(concealed.split()) + 30, 400, 40, 1.5)
    for n, meld in enumerate(melds):
        tiles += row([None if code == "-" else code for code in meld.split()], 30 + 250 * n, 280, 40, 1.5)
    return tiles


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    return write(tmp_path / "hand.png", table("r1 r2 r3 r5", "r5", "bL bL bL"))


def test_read_prints_one_object_a_photo(tmp_path: Path, photo: Path) -> None:
    other = write(tmp_path / "other.jpg", row(["b1", None], 100, 100, 60, 1.5))
    result = run("read", photo, other, "--rules", "junqi-1", "--json")
    assert result.exit_code == 0
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert first["photo"] == str(photo)
    assert first["hand"]["melds"] == [{"type": "pong", "tiles": ["bL", "bL", "bL"]}]
    assert first["hand"]["win"] == "r5"
    assert [(tile["code"], tile["face"]) for tile in second["tiles"]] == [("b1", "up"), (None, "down")]


def test_read_by_family_tells_the_tiles_only(photo: Path) -> None:
    result = run("read", photo, "--family", "junqi", "--json")
    assert result.exit_code == 0
    reading = json.loads(result.stdout)
    assert (reading["rules"], reading["family"], len(reading["tiles"])) == (None, "junqi", 8)


def test_the_family_is_recognised_where_nobody_says_it(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def recognised(look: Look) -> Family:
        seen.append(len(look.quads))
        return Family.JUNQI

    monkeypatch.setattr("vision.read.recognise", recognised)
    reading = json.loads(run("read", photo, "--json").stdout)
    assert (reading["family"], reading["rules"]) == ("junqi", None)
    assert [tile["code"] for tile in reading["tiles"]][:3] == ["bL", "bL", "bL"]
    assert reading["hand"] == {"concealed": [], "melds": [], "win": None, "win_is_guess": False}
    assert seen == [8]


def test_a_region_leaves_the_rest_unseen(photo: Path) -> None:
    reading = json.loads(run("read", photo, "--family", "junqi", "--region", "0,200,640,150", "--json").stdout)
    assert [tile["code"] for tile in reading["tiles"]] == ["bL"] * 3


def test_read_for_people(photo: Path) -> None:
    result = run("read", photo, "--rules", "junqi-1")
    assert result.exit_code == 0
    for words in ("8 tiles", "r1 司令", "碰 pong: bL 地雷  bL 地雷  bL 地雷", "winning tile: r5 团长", "ms"):
        assert words in result.stdout
    parts = [line.split("%")[-1].strip() for line in result.stdout.splitlines() if "%" in line]
    assert sorted(parts) == ["和牌 winning tile", *["手牌 held"] * 4, *["碰 pong"] * 3]
    assert "meld0" not in result.stdout


def test_a_bad_photo_does_not_stop_the_others(tmp_path: Path, photo: Path) -> None:
    result = run("read", tmp_path / "absent.jpg", photo, "--rules", "junqi-1", "--json")
    assert result.exit_code == 2
    bad, good = (json.loads(line) for line in result.stdout.splitlines())
    assert bad["photo"] == str(tmp_path / "absent.jpg")
    assert bad["error"]["code"] == "no_file"
    assert len(good["tiles"]) == 8
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--rules", "junqi-1", "--family", "junqi"), "say either --rules ID or --family F"),
        (("--family", "junqi", "--set", "mine"), "there is no piece set 'mine'"),
        (("--family", "junqi", "--region", "1,2,3"), "'1,2,3' is not four whole numbers"),
        (("--family", "junqi", "--region", "9000,0,100,100"), "give x,y,width,height inside it"),
        (("--rules", "chess"), "'chess'"),
        (("--family", "junqi", "--out", "picture.txt"), "'picture.txt' does not end in .jpg"),
        (("--family", "junqi", "--out", "absent/picture.jpg"), "cannot be written"),
    ],
)
def test_wrong_use_says_how_to_mend_it(photo: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run("read", photo, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert isinstance(result.exception, SystemExit)


def test_out_takes_one_photo(photo: Path, tmp_path: Path) -> None:
    result = run("read", photo, photo, "--family", "junqi", "--out", tmp_path / "out.jpg")
    assert result.exit_code == 2
    assert "give one photo" in result.stderr


def test_out_writes_the_annotated_picture(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "annotated.jpg"
    assert run("score", photo, "--rules", "junqi-1", "--last-tile", "--out", out).exit_code == 0
    drawn = cv2.imread(str(out))
    assert drawn.shape == (480, 640, 3)
    assert np.abs(drawn.astype(int) - cv2.imread(str(photo))).max() > 60


def test_score_prints_the_reading_and_the_score(photo: Path) -> None:
    arguments = ("--by", "discard", "--winner", "1", "--discarder", "2", "--dealer", "1", "--players", "3")
    result = run("score", photo, "--rules", "junqi-1", *arguments, "--json", "--last-tile")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["hand"]["concealed"] == ["r1", "r2", "r3", "r5"]
    assert answer["score"]["win"]
    assert [yaku["id"] for yaku in answer["score"]["yaku"]] == ["last_discard"]
    assert answer["score"]["payments"] == [0, 1500, -1500]


def test_score_for_people_says_who_pays_whom(photo: Path) -> None:
    result = run("score", photo, "--rules", "junqi-1", "--winner", "1", "--discarder", "2", "--last-tile")
    assert result.exit_code == 0
    for words in ("河底捞鱼", "1 番 fan", "P3 pays 1000 → P2", "P2 receives 1000"):
        assert words in result.stdout


def test_a_hand_that_does_not_win_is_exit_code_3(tmp_path: Path) -> None:
    photo = write(tmp_path / "hand.png", table("r1 r2 r3 r5", "r6", "bL bL bL"))
    result = run("score", photo, "--rules", "junqi-1", "--json")
    assert result.exit_code == 3
    answer = json.loads(result.stdout)
    assert len(answer["tiles"]) == 8
    assert answer["score"]["waits"] == ["r5"]
    shown = run("score", photo, "--rules", "junqi-1")
    assert shown.exit_code == 3
    assert "no win: " in shown.stdout
    assert "waiting for: r5 团长" in shown.stdout


def test_a_misused_circumstance_is_exit_code_2(photo: Path) -> None:
    result = run("score", photo, "--rules", "junqi-1", "--riichi", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["score"]["error"]["code"] == "riichi_with_call"
    assert "riichi with a called meld" in result.stderr
    assert result.stderr.count("\n") == 1


def test_indicators_and_wild_reach_the_scorer(photo: Path) -> None:
    result = run("score", photo, "--rules", "junqi-1", "--dora", "zz", "--json")
    assert result.exit_code == 2
    assert "'zz' is no tile code" in result.stderr


@pytest.mark.parametrize("shared", [True, False])
def test_several_photos_show_a_bar_on_a_terminal(
    photo: Path, shared: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: shared)
    found = read_photos([str(photo), "absent.jpg"], family="junqi", rules=None, region=None)
    read, missing = found
    assert isinstance(read[1], Reading)
    assert missing[1] == {"photo": "absent.jpg", "error": {"code": "no_file", "message": ANY}}
    assert "Reading photos" in capsys.readouterr().err


def test_names_of_photos_are_no_markup(tmp_path: Path) -> None:
    photo = write(tmp_path / "[red]hand :smile:.png", table("r1 r2 r3 r5", "r5", "bL bL bL"))
    assert f"{photo}: 8 tiles" in run("read", photo, "--rules", "junqi-1").stdout


def test_a_missing_network_is_named(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, threads: int = 2) -> None:
        raise models.ModelError(f"model {name!r} is missing; install hupai again")

    monkeypatch.setattr(models, "load", missing)
    result = run("score", photo, "--rules", "junqi-1")
    assert result.exit_code == 2
    assert result.stderr == "hupai score: model 'locator' is missing; install hupai again\n"


def test_the_page_is_not_served_without_its_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise models.ModelError(f"model {name!r} is missing; install hupai again")

    monkeypatch.setattr(models, "check", missing)
    result = run("serve", "--port", "0")
    assert result.exit_code == 2
    assert result.stderr == "hupai serve: model 'locator' is missing; install hupai again\n"


def huge_png() -> bytes:
    head = struct.pack(">IIBBBBB", 40_000, 40_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))


def jpeg() -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((90, 120, 3), 90, np.uint8))[1])


GIF = (
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff"
    + b"\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0" * 2
    + b";"
)


@pytest.mark.parametrize("verb", ["read", "score"])
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("absent.jpg", None, "there is no such file"),
        ("text.jpg", b"A shopping list.\n", "no JPEG, PNG, WebP, AVIF or HEIC picture"),
        ("cut.jpg", jpeg()[:-40], "breaks off before its end"),
        ("huge.png", huge_png(), "40000×40000 pixels; scale it down"),
        ("empty.jpg", b"", "empty (0 bytes)"),
        ("moving.gif", GIF, "animated GIF; save one frame"),
    ],
)
def test_unreadable_files_end_in_one_line(tmp_path: Path, verb: str, name: str, data: bytes | None, words: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    result = run(verb, tmp_path / name, "--rules", "junqi-1")
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"hupai {verb}: {tmp_path / name}: ")
    assert words in line


def test_a_photo_without_tiles(tmp_path: Path) -> None:
    photo = write(tmp_path / "table.png", [])
    result = run("read", photo, "--rules", "junqi-1")
    assert result.exit_code == 0
    assert "0 tiles" in result.stdout
    assert "no tiles found; come closer" in result.stderr
    scored = run("score", photo, "--rules", "junqi-1", "--json")
    assert scored.exit_code == 3
    answer = json.loads(scored.stdout)
    assert answer["tiles"] == []
    assert not answer["score"]["win"]
    assert "no hand was found" in answer["score"]["reason"]


def test_one_of_more_copies_than_there_are_is_read_as_what_it_may_also_be(tmp_path: Path) -> None:
    photo = write(tmp_path / "hand.png", table("r1 r1 r1 r5", "r5", "bL bL bL"))
    reading = json.loads(run("read", photo, "--rules", "junqi-1", "--json").stdout)
    assert sorted(reading["hand"]["concealed"]) == ["r1", "r1", "r2", "r5"]
    assert reading["too_many"] == []


def test_more_copies_than_there_are_in_a_photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PaintedNamer, "doubt", 0.0)
    photo = write(tmp_path / "hand.png", table("r1 r1 r1 r5", "r5", "bL bL bL"))
    result = run("score", photo, "--rules", "junqi-1", "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["too_many"] == [["r1", 3]]
    assert "3 tiles r1 (司令), but there are only 2" in json.loads(result.stdout)["score"]["reason"]
    assert "3 × r1 are seen, more than junqi-1 has" in run("score", photo, "--rules", "junqi-1").stderr


def test_the_nearest_winning_hand_is_suggested_and_not_applied(tmp_path: Path) -> None:
    photo = write(tmp_path / "hand.png", table("r1 r2 r3 r4", "r5", "bL bL bL"))
    result = run("score", photo, "--rules", "junqi-1")
    assert result.exit_code == 3
    assert "Perhaps misread: tile 4 reads r1 司令 97%, r2 军长 2%: with r2 军长 this hand wins." in result.stdout
    assert "no win" in result.stdout
