"""Drawn faces of dominoes."""

import cv2
import numpy as np
import pytest
from alphabet import made_up_bank

from models.training.faces import paigow
from models.training.faces.glyphs import GlyphBank

SEEDS = range(12)


@pytest.fixture(scope="module")
def glyphs() -> GlyphBank:
    return made_up_bank()


def test_codes_are_all_and_distinct() -> None:
    assert len(paigow.CODES) == len(set(paigow.CODES)) == 28


@pytest.mark.parametrize("seed", SEEDS)
def test_every_face_is_drawn_full_bleed(seed: int, glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(seed)
    style = paigow.sample_style(rng)
    for code in paigow.CODES:
        art = paigow.draw(code, style, glyphs, rng)
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
    style = paigow.sample_style(np.random.default_rng(seed))
    assert 0.3 < style.aspect < 2.5
    assert 0.0 < style.thickness < 1.0
    for colour in (style.body, style.back):
        assert len(colour) == 3
        assert all(0 <= channel <= 255 for channel in colour)


def test_same_seed_same_picture(glyphs: GlyphBank) -> None:
    style = paigow.sample_style(np.random.default_rng(5))
    assert style == paigow.sample_style(np.random.default_rng(5))
    for code in paigow.CODES:
        one, two = (paigow.draw(code, style, glyphs, np.random.default_rng(9)) for _ in range(2))
        assert np.array_equal(one.colour, two.colour)
        assert np.array_equal(one.ink, two.ink)


def test_pieces_of_one_kind_differ_a_little(glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(3)
    style = paigow.sample_style(rng)
    one, two = (paigow.draw(paigow.CODES[5], style, glyphs, rng) for _ in range(2))
    assert not np.array_equal(one.colour, two.colour)


def test_unknown_code_is_refused(glyphs: GlyphBank) -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(KeyError, match="x9"):
        paigow.draw("x9", paigow.sample_style(rng), glyphs, rng)


def _pips(art_ink: np.ndarray, upper: bool) -> int:
    half = art_ink[: len(art_ink) // 2] if upper else art_ink[len(art_ink) // 2 :]
    count, *_ = cv2.connectedComponents((half > 0.5).astype(np.uint8), connectivity=4)
    return int(count) - 1


def test_halves_show_the_numbers_of_the_code(glyphs: GlyphBank) -> None:
    checked = 0
    for seed in range(120):
        style = paigow.sample_style(np.random.default_rng(seed))
        apart = 2.25 * style.radius
        near = min(style.columns, style.pitch * style.span * 0.25 / style.aspect, style.pitch * 0.25 / style.aspect)
        busy = (
            style.bar
            or style.spinner
            or style.frame
            or style.figures
            or style.ornament
            or style.surface.wear
            or style.surface.unsteady
        )
        if busy or style.pip in ("ring", "marker") or near < apart * max(style.ace, style.four):
            continue
        checked += 1
        for code in paigow.CODES:
            ink = paigow.draw(code, style, glyphs, np.random.default_rng(4)).ink
            assert (_pips(ink, True), _pips(ink, False)) == (int(code[0]), int(code[1])), (seed, code)
    assert checked >= 5


def test_named_tiles_are_the_unordered_pairs_from_one_to_six() -> None:
    assert len(paigow.NAMED) == 21
    assert all(code[0] >= code[1] for code in paigow.NAMED)
    assert set(paigow.NAMED).isdisjoint(paigow.BLANKS)
