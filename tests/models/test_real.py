"""Photographs cut into training data, with pictures painted for the purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.patches import PATCH
from models.training.piece_sets import CODES, FAMILIES
from models.training.real import TURNS, VIEWS, main, recoloured
from models.training.render import SIDE

BACK_BLUE, FACE_BLUE = 40, 200
TILES: list[dict[str, Any]] = [
    {"polygon": [[60, 60], [100, 60], [100, 115], [60, 115]], "label": "3p", "face": "up"},
    {"polygon": [[110, 60], [150, 60], [150, 115], [110, 115]], "label": "7z", "face": "up"},
    {"polygon": [[160, 60], [200, 60], [200, 115], [160, 115]], "label": None, "face": "down"},
]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A scene of three tiles, one not wholly marked, one without tiles; two red soldiers and a stray crop."""
    scenes, crops = tmp_path / "photos" / "mahjong" / "scenes", tmp_path / "photos" / "xiangqi" / "crops"
    scenes.mkdir(parents=True)
    picture = np.full((240, 320, 3), (30, 120, 30), np.uint8)
    for tile in TILES:
        blue = FACE_BLUE if tile["face"] == "up" else BACK_BLUE
        cv2.fillPoly(picture, [np.array(tile["polygon"], np.int32)], (blue, 200, 200))
    for name, content in {
        "a": {"tiles": TILES},
        "b": {"tiles": TILES[:1], "complete": False},
        "c": {"tiles": []},
    }.items():
        cv2.imwrite(str(scenes / f"{name}.jpg"), picture)
        (scenes / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    for folder, name in (("rP", "1"), ("rP", "2"), ("nonsense", "3")):
        (crops / folder).mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(crops / folder / f"{name}.png"), np.full((50, 46, 3), (60, 60, 220), np.uint8))
    return tmp_path / "photos"


def cut_all(photos: Path, out: Path, seed: int = 5) -> str:
    arguments = ["--photos", str(photos), "--out", str(out), "--seed", str(seed)]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_scenes_are_views_of_wholly_marked_photos(photos: Path, tmp_path: Path) -> None:
    said = cut_all(photos, tmp_path / "out")
    assert f"{VIEWS} scenes, {3 * (2 + 1)} mahjong and {2 * TURNS} xiangqi patches" in said
    pictures, rows = (np.load(tmp_path / "out" / "scenes" / f"{name}.npy") for name in ("pictures", "quads"))
    assert pictures.shape == (VIEWS, SIDE, SIDE, 3)
    assert pictures.dtype == np.uint8
    assert rows.dtype == np.float32
    assert rows.shape[1] == 13
    assert set(rows[:, 0]) <= set(range(VIEWS))
    assert set(rows[:, 9]) == {0}  # no disc
    assert set(rows[:, 12]) == {0}  # boxes, not exact corners
    assert 0.03 < rows[:, 11].min() <= rows[:, 11].max() <= 1 + 1e-6
    inside = 0
    for row in rows:
        x, y = row[1:9].reshape(4, 2).mean(axis=0)
        if 0 <= x < SIDE and 0 <= y < SIDE:
            inside += 1
            wanted = FACE_BLUE if row[10] else BACK_BLUE
            assert abs(int(pictures[int(row[0]), int(y), int(x), 0]) - wanted) < 25
    assert inside > VIEWS / 2


def test_patches_are_named_tiles(photos: Path, tmp_path: Path) -> None:
    cut_all(photos, tmp_path / "out")
    pictures, labels = (np.load(tmp_path / "out" / "patches" / f"{name}.npy") for name in ("pictures", "labels"))
    assert pictures.shape == (9 + 2 * TURNS, PATCH, PATCH, 3)
    assert pictures.dtype == np.uint8
    mahjong, xiangqi = FAMILIES.index("mahjong"), FAMILIES.index("xiangqi")
    kinds = [CODES["mahjong"].index(code) for code in ("3p", "7z", "3p") for _ in range(3)]
    assert labels[:9].tolist() == [[mahjong, kind, 0, 0] for kind in kinds]
    sides = [[xiangqi, CODES["xiangqi"].index(code), 0, 0] for code in ("rP", "bP")]
    assert labels[9:].tolist() == sides * TURNS
    middle = pictures[:, PATCH // 2, PATCH // 2].astype(int)
    assert np.abs(middle[:9, 0] - FACE_BLUE).max() < 25
    assert np.abs(middle[9::2] - (60, 60, 220)).max() < 5


def test_a_seed_gives_one_cut(photos: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 5), ("two", 5), ("other", 6)):
        cut_all(photos, tmp_path / name, seed)
    one, two, other = (np.load(tmp_path / name / "scenes" / "pictures.npy") for name in ("one", "two", "other"))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--photos", str(tmp_path / "none"), "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "does not exist" in result.output


@pytest.mark.parametrize("red", [True, False])
def test_ink_changes_sides_and_the_ground_stays(red: bool) -> None:
    ground, ink = (190, 220, 235), (50, 45, 190) if red else (40, 40, 38)
    piece = np.full((48, 48, 3), ground, np.uint8)
    cv2.line(piece, (8, 24), (40, 24), ink, 5)
    out = recoloured(piece, red).astype(int)
    assert np.abs(out[4, 4] - ground).max() <= 2
    b, g, r = out[24, 24]
    assert (r < 80 and abs(r - g) < 30) if red else (r > 150 and g < 80 and b < 80)
