"""Drawn faces of mahjong tiles."""

import numpy as np
import pytest
from alphabet import made_up_bank

from models.training.faces import mahjong
from models.training.faces.glyphs import GlyphBank

SEEDS = range(12)


@pytest.fixture(scope="module")
def glyphs() -> GlyphBank:
    return made_up_bank()


def test_codes_are_all_and_distinct() -> None:
    assert len(mahjong.CODES) == len(set(mahjong.CODES)) == 42


@pytest.mark.parametrize("seed", SEEDS)
def test_every_face_is_drawn_full_bleed(seed: int, glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(seed)
    style = mahjong.sample_style(rng)
    for code in mahjong.CODES:
        art = mahjong.draw(code, style, glyphs, rng)
        height, width = art.colour.shape[:2]
        assert art.colour.dtype == np.uint8
        assert art.ink.dtype == np.float32
        assert art.colour.shape == (height, width, 3)
        assert art.ink.shape == (height, width)
        assert max(height, width) == 128
        assert width / height == pytest.approx(style.aspect, rel=0.02)
        assert 0.0 <= float(art.ink.min()) <= float(art.ink.max()) <= 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_style_suits_a_solid_piece(seed: int) -> None:
    style = mahjong.sample_style(np.random.default_rng(seed))
    assert 0.3 < style.aspect < 2.5
    assert 0.0 < style.thickness < 1.0
    for colour in (style.body, style.back):
        assert len(colour) == 3
        assert all(0 <= channel <= 255 for channel in colour)


def test_same_seed_same_picture(glyphs: GlyphBank) -> None:
    style = mahjong.sample_style(np.random.default_rng(5))
    assert style == mahjong.sample_style(np.random.default_rng(5))
    for code in mahjong.CODES:
        one, two = (mahjong.draw(code, style, glyphs, np.random.default_rng(9)) for _ in range(2))
        assert np.array_equal(one.colour, two.colour)
        assert np.array_equal(one.ink, two.ink)


def test_pieces_of_one_kind_differ_a_little(glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(3)
    style = mahjong.sample_style(rng)
    one, two = (mahjong.draw(mahjong.CODES[5], style, glyphs, rng) for _ in range(2))
    assert not np.array_equal(one.colour, two.colour)


def test_unknown_code_is_refused(glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(KeyError, match="x9"):
        mahjong.draw("x9", mahjong.sample_style(rng), glyphs, rng)


@pytest.mark.parametrize("seed", SEEDS)
def test_kinds_of_one_set_differ(seed: int, glyphs: GlyphBank) -> None:
    style = mahjong.sample_style(np.random.default_rng(seed))
    faces = [mahjong.draw(code, style, glyphs, np.random.default_rng(1)).colour.astype(int) for code in mahjong.CODES]
    for i, face in enumerate(faces):
        for other in faces[:i]:
            assert np.abs(face - other).max() > 40


def test_only_a_white_dragon_is_bare(glyphs: GlyphBank) -> None:
    for seed in range(40):
        style = mahjong.sample_style(np.random.default_rng(seed))
        for code in mahjong.CODES:
            bare = mahjong.draw(code, style, glyphs, np.random.default_rng(2)).ink.max() == 0.0
            assert bare == (code == "5z" and style.white == "blank" and not style.border)


def test_places_and_colours_agree_in_number() -> None:
    style = mahjong.sample_style(np.random.default_rng(0))
    for number in range(2, 10):
        assert all(len(letters) == number for letters in mahjong.DOT_COLOURS[number])
        assert all(len(letters) == number for letters in mahjong.STICK_COLOURS[number])
        assert set("".join(mahjong.DOT_COLOURS[number] + mahjong.STICK_COLOURS[number])) <= set("AGR")
        assert style.dot_radius > 0
