"""Things and textures that are no tiles."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.training import scraps, tables
from models.training.faces.glyphs import GlyphBank
from models.training.scraps import Scraps, gather


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A green cutout, a cutout of a domino, a checked texture, a plain one, one too small, and no picture at all."""
    folder = tmp_path / "pictures"
    (folder / "games").mkdir(parents=True)
    thing = np.zeros((90, 60, 4), np.uint8)
    cv2.circle(thing, (30, 45), 22, (20, 200, 30, 255), -1)
    cv2.imwrite(str(folder / "leaf.png"), thing)
    cv2.imwrite(str(folder / "games" / "domino_1.png"), thing)
    checks = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((25, 25)))
    cv2.imwrite(str(folder / "checks.jpg"), (checks[..., None] * np.array([200, 90, 40])).astype(np.uint8))
    cv2.imwrite(str(folder / "plain.png"), np.full((200, 200, 3), 90, np.uint8))
    cv2.imwrite(str(folder / "small.png"), np.zeros((20, 20, 3), np.uint8))
    (folder / "broken.png").write_bytes(b"no picture")
    return tmp_path / "pictures"


def test_things_are_cutouts_and_textures_fill_their_square(pictures: Path) -> None:
    found = gather([pictures], 10, np.random.default_rng(1))
    assert found.things.shape == (1, 128, 128, 4)
    assert found.textures.shape == (1, 512, 512, 3)
    assert tuple(found.things[0, 64, 64]) == (20, 200, 30, 255)
    assert found.things[0, 2, 2, 3] == 0
    tones = found.textures[0, 32::64, 32::64].reshape(-1, 3)
    assert tones[:, 0].min() < 30
    assert np.abs(tones[tones[:, 0] > 100] - (200.0, 90.0, 40.0)).max() < 30


def test_strewn_things_lie_on_the_picture(pictures: Path) -> None:
    found = gather([pictures], 10, np.random.default_rng(1))
    one, two = np.full((2, 300, 200, 3), 128, np.uint8)
    for picture in (one, two):
        found.strew(picture, 40.0, 12, np.random.default_rng(2))
    assert np.array_equal(one, two)
    green = (one[..., 1] > 180) & (one[..., 0] < 60)
    assert 0.01 < float(green.mean()) < 0.9
    whole = found.texture(200, 300, np.random.default_rng(3))
    assert whole.shape == (300, 200, 3)
    assert whole.std() > 20


def test_tables_are_strewn_and_their_labels_stay_sound(pictures: Path, bank: GlyphBank) -> None:
    found = gather([pictures], 10, np.random.default_rng(1))
    empty = tables.empty_table(bank, np.random.default_rng(4), scraps=found)
    assert not empty.pieces
    assert empty.picture.shape == (448, 448, 3)
    shots = [tables.photograph("xiangqi", bank, np.random.default_rng(seed), scraps=found) for seed in range(6)]
    assert all(shot.pieces for shot in shots)
    bare = [tables.photograph("xiangqi", bank, np.random.default_rng(seed)) for seed in range(6)]
    assert any(not np.array_equal(a.picture, b.picture) for a, b in zip(shots, bare, strict=True))


def test_the_command_writes_what_is_loaded(pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "scraps"
    result = CliRunner().invoke(scraps.main, ["--pictures", str(pictures), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "1 things and 1 textures" in result.output
    assert len(Scraps.load(out).things) == 1


def test_a_folder_without_pictures_is_refused_in_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(scraps.main, ["--pictures", str(tmp_path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "tuxpaint-stamps-default" in result.output


def test_a_large_picture_gives_parts_at_its_own_scale_too(tmp_path: Path) -> None:
    fine = np.random.default_rng(5).integers(0, 256, (900, 1000, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "gravel.png"), fine)
    stamp = np.zeros((90, 60, 4), np.uint8)
    cv2.circle(stamp, (30, 45), 22, (20, 200, 30, 255), -1)
    cv2.imwrite(str(tmp_path / "leaf.png"), stamp)
    whole, *parts = gather([tmp_path], 10, np.random.default_rng(1)).textures
    assert len(parts) == 3
    assert all(part.std() > 1.2 * whole.std() for part in parts)
    assert len(gather([tmp_path], 2, np.random.default_rng(1)).textures) == 2
