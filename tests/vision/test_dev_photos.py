"""The development photographs, each read once by the shipped networks, without being told its family."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from vision.read import Reader
from vision.reading import Reading

Photo = tuple[str, str, dict[str, Any], Reading]


@pytest.fixture(scope="module")
def photos(real_photos: Path) -> list[Photo]:
    """Name, family and truth of each scene, and how it is read."""
    reader = Reader()
    found = []
    for file in sorted(real_photos.glob("dev/**/*.json")):
        scene = json.loads(file.read_text())
        if "tiles" in scene:
            family = scene.get("family") or file.relative_to(real_photos / "dev").parts[0]
            photo = file.with_name(scene.get("image") or f"{file.stem}.jpg")
            found.append((file.stem, family, scene, reader.read(photo)))
    assert found
    return found


def test_the_family_is_recognised_in_97_of_100_photos(photos: list[Photo]) -> None:
    with_tiles = [(name, family, reading.family) for name, family, scene, reading in photos if scene["tiles"]]
    wrong = [photo for photo in with_tiles if photo[1] != photo[2]]
    assert len(wrong) <= 0.03 * len(with_tiles), wrong


def test_photos_that_read_well_have_no_fault(photos: list[Photo]) -> None:
    """Those whose every tile is found and named, and nothing else; where the edge cuts none."""
    well = []
    for name, _, scene, reading in photos:
        if any(not (0 < x < reading.width and 0 < y < reading.height) for t in scene["tiles"] for x, y in t["polygon"]):
            continue
        truth = Counter(tile["label"] for tile in scene["tiles"] if tile.get("face", "up") == "up")
        if scene.get("complete", True) and Counter(tile.code for tile in reading.tiles if tile.code) == truth:
            well.append((name, [fault.code for fault in reading.quality]))
    assert well
    assert [photo for photo in well if photo[1]] == []


def test_boards_of_one_set_show_no_more_pieces_of_a_kind_than_it_has(photos: list[Photo]) -> None:
    """What is read as one set on the boards of xiangqi; the black soldiers of some sets look like rooks."""
    boards = [
        (name, Counter(tile.code for tile in reading.tiles))
        for name, family, scene, reading in photos
        if family == "xiangqi" and 28 <= len(scene["tiles"]) <= len(reading.tiles) <= 32
    ]
    assert boards
    assert [name for name, codes in boards if codes["bR"] > 2 or codes["rR"] > 2] == []
