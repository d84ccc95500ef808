"""Drawn faces of junqi blocks."""

import numpy as np
import pytest
from alphabet import made_up_bank

from models.training.faces import junqi
from models.training.faces.glyphs import GlyphBank

SEEDS = range(12)


@pytest.fixture(scope="module")
def glyphs() -> GlyphBank:
    return made_up_bank()


def test_codes_are_all_and_distinct() -> None:
    assert len(junqi.CODES) == len(set(junqi.CODES)) == 24


@pytest.mark.parametrize("seed", SEEDS)
def test_every_face_is_drawn_full_bleed(seed: int, glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(seed)
    style = junqi.sample_style(rng)
    for code in junqi.CODES:
        art = junqi.draw(code, style, glyphs, rng)
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
    style = junqi.sample_style(np.random.default_rng(seed))
    assert 0.3 < style.aspect < 2.5
    assert 0.0 < style.thickness < 1.0
    for colour in (style.body, style.back):
        assert len(colour) == 3
        assert all(0 <= channel <= 255 for channel in colour)


def test_same_seed_same_picture(glyphs: GlyphBank) -> None:
    style = junqi.sample_style(np.random.default_rng(5))
    assert style == junqi.sample_style(np.random.default_rng(5))
    for code in junqi.CODES:
        one, two = (junqi.draw(code, style, glyphs, np.random.default_rng(9)) for _ in range(2))
        assert np.array_equal(one.colour, two.colour)
        assert np.array_equal(one.ink, two.ink)


def test_pieces_of_one_kind_differ_a_little(glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(3)
    style = junqi.sample_style(rng)
    one, two = (junqi.draw(junqi.CODES[5], style, glyphs, rng) for _ in range(2))
    assert not np.array_equal(one.colour, two.colour)


def test_unknown_code_is_refused(glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(KeyError, match="x9"):
        junqi.draw("x9", junqi.sample_style(rng), glyphs, rng)


@pytest.mark.parametrize("seed", SEEDS)
def test_kinds_of_one_set_differ(seed: int, glyphs: GlyphBank) -> None:
    style = junqi.sample_style(np.random.default_rng(seed))
    faces = [junqi.draw(code, style, glyphs, np.random.default_rng(1)).colour.astype(int) for code in junqi.CODES]
    for i, face in enumerate(faces):
        for other in faces[:i]:
            assert np.abs(face - other).max() > 25


def test_red_is_the_warmer_colour(glyphs: GlyphBank) -> None:
    def warmth(colour: tuple[int, int, int]) -> int:
        return colour[2] - colour[0]

    for seed in range(200):
        style = junqi.sample_style(np.random.default_rng(seed))
        coloured = style.red.base != style.black.base
        red, black = (style.red.base, style.black.base) if coloured else (style.red.text, style.black.text)
        assert warmth(red) > warmth(black) + 15, seed


def test_both_scripts_name_the_same_ranks() -> None:
    assert all(len(name) == 2 for pair in junqi.NAMES.values() for name in pair)
    assert {name for pair in junqi.NAMES.values() for name in pair if "旗" in name} == {"军旗", "軍旗"}
