"""`hupai print`, `hupai board` and `hupai camera` from the terminal."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner, Result

from calibration import cameras, views
from calibration.camera import NO_GAINS, NO_LANDMARKS, Camera, landmarks
from hupai.__main__ import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def pages(path: Path) -> list[tuple[float, float]]:
    """Width and height of a PDF's pages, mm."""
    document = pypdfium2.PdfDocument(path)
    sizes = [(w / 72 * 25.4, h / 72 * 25.4) for w, h in (document.get_page_size(n) for n in range(len(document)))]
    document.close()
    return sizes


@pytest.mark.parametrize(
    ("arguments", "count", "words"),
    [
        (("xiangqi", "--rules", "xiangqi-1"), 4, "68 faces of 30 × 30 mm on 2 pages, 4 racks for 8 pieces on 2"),
        (("xiangqi", "--racks", "0"), 1, "17 faces of 30 × 30 mm on 1 page"),
        (("xiangqi", "--rules", "xiangqi-2", "--racks", "2"), 2, "2 racks for 5 pieces on 1"),
        (("junqi", "--size", "40"), 1, "24 faces of 40 × 24.8 mm on 1 page"),
        (("paigow", "--rules", "paigow-1"), 3, "84 faces of 25 × 50 mm on 3 pages"),
        (("mahjong", "--rules", "lata"), 3, "136 faces of 25 × 33.75 mm"),
    ],
)
def test_print_writes_the_sheets(arguments: tuple[str, ...], count: int, words: str, tmp_path: Path) -> None:
    target = tmp_path / "sheets.pdf"
    result = run("print", *arguments, "--pdf", target)
    assert (result.exit_code, result.stderr) == (0, "")
    assert words in result.stdout
    assert pages(target) == [pytest.approx((210, 297), abs=0.1)] * count


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("mahjong", "--racks", "4"), "racks are for discs"),
        (("mahjong", "--rules", "junqi-1"), "junqi-1 is played with junqi; print junqi"),
        (("xiangqi", "--size", "500"), "give a width of 12 to 80 mm"),
        (("xiangqi", "--size", "80"), "no rack for discs of 80"),
    ],
)
def test_print_refuses_with_one_line(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    result = run("print", *arguments, "--pdf", tmp_path / "sheets.pdf")
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.startswith("hupai print: ")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "sheets.pdf").exists()


@pytest.mark.parametrize("verb", [("print", "junqi"), ("board",)])
def test_a_place_that_cannot_be_written(verb: tuple[str, ...], tmp_path: Path) -> None:
    result = run(*verb, "--pdf", tmp_path / "absent" / "file.pdf")
    assert result.exit_code == 2
    assert result.stderr.endswith("cannot be written (no such file or directory): choose another place with --pdf\n")


def test_board_writes_one_page(tmp_path: Path) -> None:
    result = run("board", "--pdf", tmp_path / "board.pdf", "--paper", "letter")
    assert result.exit_code == 0
    assert "a square must measure 30 mm" in result.stdout
    assert pages(tmp_path / "board.pdf") == [pytest.approx((279.4, 215.9), abs=0.1)]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "cameras"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A photo of a table with marks and a grey card, large enough to be decoded at half its size."""
    rng = np.random.default_rng(3)
    top = np.full((1500, 2000, 3), (90, 120, 160), np.uint8)
    for x, y, r, shade in rng.integers((0, 0, 8, 30), (2000, 1500, 40, 220), (300, 4)).tolist():
        cv2.circle(top, (x, y), r, (shade, shade, shade), -1)
    cv2.rectangle(top, (900, 600), (1100, 800), (100, 125, 140), -1)
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), cv2.resize(top, None, fx=1.7, fy=1.7, interpolation=cv2.INTER_CUBIC))
    return path


TAPS = "340,340 3060,340 3060,2210 340,2210"


def test_a_camera_is_calibrated_by_taps_checked_and_forgotten(table: Path, kept: Path, tmp_path: Path) -> None:
    arguments = ("--taps", TAPS, "--mm", "272x187", "--neutral", "1600,1100,200,200")
    result = run("camera", "calibrate", "kitchen", table, *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "1700×1275, no lens, 5.00 px a mm on the table, blue × 1.25, red × 0.89" in result.stdout
    assert (kept / "kitchen.json").exists()
    assert cameras.load("kitchen").on_table(np.array([[170.0, 170.0]])) == pytest.approx(np.zeros((1, 2)), abs=0.01)

    listed = run("camera", "list")
    assert listed.stdout.startswith("kitchen: 1700×1275, no lens")
    same = run("camera", "check", "kitchen", table)
    assert (same.exit_code, same.stderr) == (0, "")
    assert "kitchen stands as it did: by the table things lie 0.0 mm off" in same.stdout

    picture = cv2.imread(str(table))
    shifted = tmp_path / "shifted.png"
    cv2.imwrite(str(shifted), np.roll(picture, 60, axis=1))
    moved = run("camera", "check", "kitchen", shifted)
    assert moved.exit_code == 2
    assert "the camera has moved, by the table things lie 6 mm off: calibrate it again" in moved.stderr
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full_like(picture, 128))
    unsure = run("camera", "check", "kitchen", bare)
    assert unsure.exit_code == 2
    assert "lay the board on the table" in unsure.stderr

    assert run("camera", "forget", "kitchen").exit_code == 0
    assert run("camera", "list").stdout == ""


def test_a_damaged_camera_is_listed_with_its_fault(kept: Path) -> None:
    cameras.save(Camera("good", (640, 480), None, np.eye(3), NO_GAINS, NO_LANDMARKS))
    (kept / "bad.json").write_text("[]", encoding="utf-8")
    lines = run("camera", "list").stdout.splitlines()
    assert "is damaged" in lines[0]
    assert lines[1].startswith("good: 640×480")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("calibrate", "kitchen"), "give either photos or --camera N"),
        (("calibrate", "kitchen", "TABLE", "--camera", "0"), "give either photos or --camera N"),
        (("calibrate", "kitchen", "TABLE", "--neutral", "1,2,30,40"), "--neutral goes with --taps"),
        (("calibrate", "kitchen", "TABLE", "--taps", "1,2 3,4"), "is not four points such as"),
        (("calibrate", "kitchen", "TABLE", "--taps", TAPS, "--mm", "297"), "is not a width and a height in mm"),
        (("calibrate", "kitchen", "TABLE", "--taps", TAPS, "--neutral", "1,2"), "is not four whole numbers"),
        (("calibrate", "kitchen", "TABLE", "--taps", "1,1 2,2 3,3 4,4"), "clockwise from its upper left"),
        (("calibrate", "../up", "TABLE"), "is no name for a camera"),
        (("calibrate", "kitchen", "TABLE"), "the board is not seen in any picture: print it"),
        (("calibrate", "kitchen", "absent.jpg"), "there is no such file; check the path"),
        (("check", "kitchen"), "give either a photo or --camera N"),
        (("check", "kitchen", "TABLE"), "there is no camera 'kitchen'"),
        (("forget", "kitchen"), "there is no camera 'kitchen'"),
    ],
)
def test_wrong_use_of_a_camera(arguments: tuple[str, ...], words: str, table: Path, kept: Path) -> None:
    result = run("camera", *(table if argument == "TABLE" else argument for argument in arguments))
    assert result.exit_code == 2
    assert words in result.stderr
    assert isinstance(result.exception, SystemExit)


def test_a_fault_names_the_whole_verb(kept: Path) -> None:
    assert run("camera", "forget", "kitchen").stderr.startswith("hupai camera forget: there is no camera")


def test_a_home_that_cannot_be_written(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "file"))
    result = run("camera", "calibrate", "kitchen", table, "--taps", TAPS)
    assert result.exit_code == 2
    assert "cannot be kept (not a directory): set HUPAI_HOME" in result.stderr


def test_views_are_taken_from_a_device(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def distinct(pictures: object, board: object, say: object) -> list[np.ndarray]:
        asked.append(board)
        return [np.full((480, 640, 3), 90, np.uint8)] * 6

    monkeypatch.setattr(views, "grabbed", lambda device: iter([np.full((480, 640, 3), 90, np.uint8)]))
    monkeypatch.setattr(views, "distinct", distinct)
    result = run("camera", "calibrate", "kitchen", "--camera", "2", "--square", "29.5")
    assert "hold the board before the camera" in result.stdout
    assert asked[0].square == 29.5  # type: ignore[attr-defined]
    assert result.exit_code == 2
    assert "the board is not seen in any picture" in result.stderr


def test_a_device_that_gives_nothing(kept: Path) -> None:
    cameras.save(Camera("kitchen", (640, 480), None, np.eye(3), NO_GAINS, landmarks(np.zeros((480, 640, 3), np.uint8))))
    result = run("camera", "check", "kitchen", "--camera", "63")
    assert result.exit_code == 2
    assert "camera 63 gives no picture" in result.stderr
