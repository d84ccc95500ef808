"""Rendered training data: the arrays, the split of the fonts, the patches' geometry."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from models.patches import ENLARGE, PATCH
from models.training.faces.glyphs import GlyphBank
from models.training.film import Actor, Leg, Rest, Script, Still
from models.training.piece_sets import CODES, FAMILIES
from models.training.render import SIDE, a_time, cut, hash_name, main, part_of, split_fonts, turned
from models.training.tables import Seen

SQUARE = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])


def render(*arguments: str) -> None:
    result = CliRunner().invoke(main, [*arguments, "--workers", "1"], catch_exceptions=False)
    assert result.exit_code == 0, result.output


def rectangle(width: float, height: float, degrees: float) -> NDArray[np.float64]:
    """Corners clockwise about (200, 200), from the upper left of the unturned rectangle."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return SQUARE * (width / 2, height / 2) @ np.array([[c, s], [-s, c]]) + 200


@pytest.mark.parametrize("kind", ["scenes", "stills"])
def test_scenes_and_their_labels(tmp_path: Path, bank_folder: Path, kind: str) -> None:
    render(kind, "--count", "4", "--out", str(tmp_path), "--glyphs", str(bank_folder), "--seed", "2")
    pictures, rows = np.load(tmp_path / "pictures.npy"), np.load(tmp_path / "quads.npy")
    assert pictures.shape == (4, SIDE, SIDE, 3)
    assert pictures.dtype == np.uint8
    assert all(picture.std() > 2 for picture in pictures)
    assert rows.ndim == 2
    assert rows.shape[1] == 13
    assert rows.dtype == np.float32
    assert len(rows) > 0
    assert set(rows[:, 0]) <= {0, 1, 2, 3}
    assert set(rows[:, 9]) | set(rows[:, 10]) <= {0, 1}  # round, face up
    assert 0.05 < rows[:, 11].min() <= rows[:, 11].max() <= 1
    assert set(rows[:, 12]) == {1}


def test_a_part_of_a_films_picture_and_its_tiles() -> None:
    picture = np.zeros((SIDE, 900, 3), np.uint8)
    corners = np.array([[60.0, 100.0], [160.0, 100.0], [160.0, 200.0], [60.0, 200.0]])
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (255, 255, 255))
    tile = Seen(corners, "1m", True, False, 0.8, np.array([0.0, -1.0]))
    still = Still(0.0, cv2.imencode(".png", picture)[1].tobytes(), (tile,))
    shares = set()
    for seed in range(24):
        shot = part_of(still, np.random.default_rng(seed))
        assert shot.picture.shape == (SIDE, SIDE, 3)
        shown = (shot.picture[:, :, 0] > 127).sum() / 100**2
        assert shot.pieces[0].visible == pytest.approx(0.8 * shown, abs=0.02)
        low, high = np.clip([shot.pieces[0].corners[0], shot.pieces[0].corners[2]], 0, SIDE)
        assert float(np.prod(high - low)) / 100**2 == pytest.approx(shown, abs=0.03)
        shares.add(round(shown, 1))
    assert shares > {0.0, 1.0}  # outside, cut and whole


def test_most_stills_show_a_tile_on_its_way() -> None:
    legs = (Leg(1.0, 2.0, (0.0, 0.0)), Leg(8.0, 9.0, (1.0, 1.0)))
    script = Script((Actor("1m", (0.0, 0.0), legs, 0.0),), (3.0, 4.0), (5.0, 6.0), (Rest(0.0, 100.0, "all"),))
    rng = np.random.default_rng(1)
    times = np.array([a_time(script, rng) for _ in range(400)])
    moving = ((times >= 1) & (times <= 2)) | ((times >= 8) & (times <= 9))
    assert 0.6 < moving.mean() < 0.8
    assert times.max() > 50


def test_patches_and_their_labels(tmp_path: Path, bank_folder: Path) -> None:
    render("patches", "--count", "30", "--out", str(tmp_path), "--glyphs", str(bank_folder), "--validation")
    pictures, labels = np.load(tmp_path / "pictures.npy"), np.load(tmp_path / "labels.npy")
    assert pictures.shape == (30, PATCH, PATCH, 3)
    assert pictures.dtype == np.uint8
    assert all(picture.any() for picture in pictures)
    assert labels.shape == (30, 4)
    assert labels.dtype == np.float32
    for family, kind, cosine, sine in labels:
        assert 0 <= kind <= len(CODES[FAMILIES[int(family)]])
        assert np.hypot(cosine, sine) == pytest.approx(1, abs=1e-3)


def test_only_the_families_named_are_drawn(tmp_path: Path, bank_folder: Path) -> None:
    scenes, patches = tmp_path / "scenes", tmp_path / "patches"
    render("scenes", "--count", "2", "--out", str(scenes), "--glyphs", str(bank_folder), "--only", "none")
    assert len(np.load(scenes / "quads.npy")) == 0
    render("patches", "--count", "6", "--out", str(patches), "--glyphs", str(bank_folder), "--only", "paigow")
    assert set(np.load(patches / "labels.npy")[:, 0]) == {FAMILIES.index("paigow")}
    refused = CliRunner().invoke(main, ["patches", "--count", "1", "--out", str(tmp_path), "--only", "none"])
    assert refused.exit_code == 2
    assert "name a family" in refused.output


def test_validation_draws_from_fonts_that_training_never_sees(bank_folder: Path) -> None:
    bank = GlyphBank.load(bank_folder)
    training, validation = split_fonts(bank, False), split_fonts(bank, True)
    assert validation.fonts
    assert not set(training.fonts) & set(validation.fonts)
    assert set(training.fonts) | set(validation.fonts) == set(bank.fonts)
    for part in (training, validation):
        name = part.fonts[0]
        assert np.array_equal(part.fields[0], bank.fields[bank.fonts.index(name)])


def test_names_are_numbered_alike_in_every_process() -> None:
    assert hash_name("") == 2166136261  # FNV-1a's own test values
    assert hash_name("a") == 0xE40C292C
    assert hash_name("foobar") == 0xBF9CF968


@pytest.mark.parametrize("degrees", range(-172, 181, 25))
@pytest.mark.parametrize("size", [(40.0, 90.0), (90.0, 40.0)])
def test_the_long_side_of_a_rectangle_stands_upright(size: tuple[float, float], degrees: int) -> None:
    corners = rectangle(*size, degrees)
    out = turned(corners, False)
    sides = np.linalg.norm(np.roll(out, -1, axis=0) - out, axis=1)
    assert sides[[0, 2]] == pytest.approx(40 * ENLARGE)
    assert sides[[1, 3]] == pytest.approx(90 * ENLARGE)
    assert out.mean(axis=0) == pytest.approx([200, 200])
    for start in range(4):
        assert turned(np.roll(corners, start, axis=0), False) == pytest.approx(out)


def test_a_disc_keeps_its_corners() -> None:
    corners = rectangle(60, 60, 0)
    assert turned(corners, True) == pytest.approx(200 + ENLARGE * (corners - 200))


@pytest.mark.parametrize("width", [40.0, 64.0, 360.0])
def test_a_patch_shows_the_quad_from_its_first_corner(width: float) -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    corners = rectangle(width, width * 0.9, 0)
    inks = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
    for corner, ink in zip(corners, inks, strict=True):
        x, y = np.round(corner * 0.6 + 80).astype(int).tolist()
        cv2.circle(picture, (x, y), max(2, int(width * 0.1)), ink, -1)
    for start in range(4):
        patch, matrix = cut(picture, np.roll(corners, -start, axis=0))
        assert patch.shape == (PATCH, PATCH, 3)
        for k, (x, y) in enumerate(((13, 13), (50, 13), (50, 50), (13, 50))):
            assert np.abs(patch[y, x].astype(int) - inks[(start + k) % 4]).max() < 60
        ends = cv2.perspectiveTransform(np.roll(corners, -start, axis=0)[None], matrix)[0]
        assert ends == pytest.approx(np.array([[0, 0], [64, 0], [64, 64], [0, 64]]) - 0.5, abs=1e-2)
