from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from painted import Painted, PaintedLocator, PaintedNamer, paint, row

from scoring.tiles import Family
from vision.annotate import annotate, save
from vision.frames import PictureError, decode
from vision.read import Reader

CONCEALED = ["rR", "rR", "rR", "rP"]


def hand() -> list[Painted]:
    """A hand of xiangqi-3: four concealed tiles, the winning one apart, and a called pong."""
    return [*row(CONCEALED, 50, 300), *row(["rP"], 340, 300), *row(["bC", "bC", "bC"], 60, 180)]


def photo(tiles: list[Painted], ending: str = ".png") -> bytes:
    return bytes(cv2.imencode(ending, paint(tiles, Family.XIANGQI, (640, 480)))[1])


def reader() -> Reader:
    return Reader(PaintedLocator(round=True), PaintedNamer())


@pytest.mark.parametrize("ending", [".png", ".jpg", ".webp"])
def test_the_whole_trip(ending: str) -> None:
    reading = reader().read(photo(hand(), ending), family="xiangqi", rules="xiangqi-3", name="hand")
    answer = reading.to_json()
    assert answer["hand"] == {
        "concealed": CONCEALED,
        "melds": [{"type": "pong", "tiles": ["bC", "bC", "bC"]}],
        "win": "rP",
        "win_is_guess": False,
    }
    assert (answer["photo"], answer["width"], answer["height"]) == ("hand", 640, 480)
    assert (answer["rules"], answer["family"], answer["set"]) == ("xiangqi-3", "xiangqi", "factory")
    assert list(answer["ms"]) == ["decode", "detect", "classify", "assemble"]
    assert [tile["role"] for tile in answer["tiles"]] == ["meld0"] * 3 + ["concealed"] * 4 + ["win"]
    assert [tile["group"] for tile in answer["tiles"]] == [0] * 3 + [1] * 4 + [2]
    first = answer["tiles"][0]
    assert first["polygon"][0] == pytest.approx([60, 150], abs=4)
    assert (first["face"], first["code"]) == ("up", "bC")
    assert first["alternatives"][0] == ["bC", first["confidence"]]


def test_without_rules_only_the_tiles_are_told() -> None:
    reading = reader().read(photo(hand()), family="xiangqi")
    assert [tile.code for tile in reading.tiles] == ["bC"] * 3 + [*CONCEALED, "rP"]
    assert reading.to_json()["hand"] == {"concealed": [], "melds": [], "win": None, "win_is_guess": False}
    assert reading.groups == (0, 0, 0, 1, 1, 1, 1, 2)


def test_a_region_leaves_the_rest_unseen() -> None:
    data = photo(hand())
    whole = reader().read(data, family="xiangqi")
    part = reader().read(data, family="xiangqi", region=(40, 240, 400, 200))
    assert [tile.code for tile in part.tiles] == [*CONCEALED, "rP"]
    assert np.allclose(part.tiles[0].quad.corners, whole.tiles[3].quad.corners, atol=4)
    assert (part.width, part.height) == (640, 480)


def test_a_path_gives_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "table.png"
    file.write_bytes(photo(hand()))
    assert reader().read(file, family="xiangqi").photo == "table.png"


def test_tiles_far_off_are_looked_at_more_closely() -> None:
    # The painted locator sees nothing of less than 30 square pixels, as a tile of 8×12 has at half its size.
    near = [Painted(100 + 90 * n, 200, 70, 90, "rR") for n in range(5)]
    far = [Painted(100 + 40 * n, 200, 10, 15, "rR") for n in range(5)]
    farther = [Painted(100 + 40 * n, 400, 8, 12, "rR") for n in range(5)]
    locator = PaintedLocator()
    for tiles, seen, looks in ((near, 5, 2), ([*far, *farther], 10, 3)):
        picture = bytes(cv2.imencode(".png", paint(tiles, Family.XIANGQI, (1280, 720)))[1])
        locator.calls = 0
        assert len(Reader(locator, PaintedNamer()).read(picture, family="xiangqi").tiles) == seen
        assert locator.calls == looks


@pytest.mark.parametrize(("sureness", "looks"), [(0.9, 2), (0.4, 4)])
def test_what_is_in_doubt_is_looked_at_again(sureness: float, looks: int) -> None:
    class Unsure(PaintedLocator):
        def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
            outputs = super().run(feed)
            return {**outputs, "heat": np.minimum(outputs["heat"], np.float32(sureness))}

    locator = Unsure(round=True)
    Reader(locator, PaintedNamer()).read(photo(hand()), family="xiangqi")
    assert locator.calls == looks


def test_an_empty_table_has_no_hand() -> None:
    reading = reader().read(photo([]), family="xiangqi", rules="xiangqi-3")
    assert reading.tiles == ()
    assert reading.hand.win is None


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_hand_seen_from_any_side_is_read_from_the_faces_side(turn: int) -> None:
    blocks = [*row(["r1", "r2", "r3", "r5"], 50, 300, 40, 1.5), *row(["r5"], 260, 300, 40, 1.5)]
    blocks += row(["bL", "bL", "bL"], 60, 180, 40, 1.5)
    image = np.rot90(paint(blocks, Family.JUNQI, (640, 480)), -turn // 90)
    data = bytes(cv2.imencode(".png", image)[1])
    reading = Reader(PaintedLocator(), PaintedNamer()).read(data, family="junqi", rules="junqi-1")
    assert [tile.code for tile in reading.tiles] == ["bL", "bL", "bL", "r1", "r2", "r3", "r5", "r5"]
    assert reading.hand.win == 7
    assert all(abs((tile.turn - turn + 180) % 360 - 180) < 2 for tile in reading.tiles)


def test_without_family_and_rules_the_family_is_recognised() -> None:
    shown = photo(hand())
    assert reader().read(shown).family in {family.value for family in Family}
    assert reader().read(shown, rules="xiangqi-3").family == "xiangqi"
    nothing = reader().read(photo([]))
    assert (nothing.family, nothing.tiles) == (None, ())
    assert nothing.to_json()["family"] is None


class Finest(PaintedNamer):
    """Keeps what it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.feeds: list[NDArray[np.uint8]] = []

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        self.feeds.append(feed)
        return super().run(feed)


@pytest.mark.parametrize(("side", "finer"), [(60, True), (200, False)])
def test_small_tiles_of_a_large_photo_are_cut_from_all_its_pixels(side: int, finer: bool) -> None:
    large = paint([Painted(1600, 1200, side, side, "rK")], Family.XIANGQI, (3200, 2400))
    # A stripe of one pixel lives only in the whole picture.
    large[::2, 1600] = 0
    data = bytes(cv2.imencode(".png", large)[1])
    namer = Finest()
    reading = Reader(PaintedLocator(round=True), namer).read(data, family="xiangqi")
    assert [tile.code for tile in reading.tiles] == ["rK"]
    assert np.allclose(np.mean(reading.tiles[0].quad.corners, axis=0), (1600, 1200), atol=4)
    assert (namer.feeds[0][..., 0].min() < 100) == finer


def test_warming_up_runs_both_networks_once_at_each_size() -> None:
    locator, namer = PaintedLocator(), PaintedNamer()
    Reader(locator, namer).warm()
    assert (locator.calls, namer.calls) == (2, 1)


def test_errors_are_passed_on() -> None:
    with pytest.raises(PictureError):
        reader().read(b"", family="xiangqi")
    with pytest.raises(ValueError, match="chess"):
        reader().read(photo([]), family="chess")
    with pytest.raises(ValueError, match="xiangqi-9"):
        reader().read(photo([]), family="xiangqi", rules="xiangqi-9")


def test_the_annotated_picture_marks_every_tile(tmp_path: Path) -> None:
    data = photo(hand())
    reading = reader().read(data, family="xiangqi", rules="xiangqi-3")
    frame = decode(data)
    drawn = annotate(frame, reading)
    assert drawn.shape == frame.image.shape
    for tile in reading.tiles:
        x, y = np.array(tile.quad.corners[3]).astype(int)
        around = (slice(y - 4, y + 5), slice(x - 4, x + 5))
        assert (drawn[around] != frame.image[around]).any()
    for name in ("out.png", "out.jpg", "out.webp"):
        save(tmp_path / name, drawn)
        assert cv2.imread(str(tmp_path / name)).shape == drawn.shape
    with pytest.raises(ValueError, match=r"\.jpg"):
        save(tmp_path / "out.txt", drawn)
    with pytest.raises(OSError, match="No such"):
        save(tmp_path / "absent" / "out.png", drawn)


@pytest.mark.parametrize("size", [(60, 60), (1500, 80)])
def test_annotating_pictures_of_any_size(size: tuple[int, int]) -> None:
    tiles = [Painted(30, 30, 40, 40, "rK")]
    data = bytes(cv2.imencode(".png", paint(tiles, Family.XIANGQI, size))[1])
    reading = reader().read(data, family="xiangqi")
    frame = decode(data)
    assert (annotate(frame, reading) != frame.image).any()
