"""What the drawn faces of blocks, dominoes and mahjong tiles have in common."""

from types import ModuleType

import numpy as np
import pytest

from models.training.faces import junqi, mahjong, paigow, xiangqi
from models.training.faces.glyphs import GlyphBank

SEEDS = range(12)
each = pytest.mark.parametrize("painter", [junqi, mahjong, paigow])


@pytest.mark.parametrize(("painter", "count"), [(junqi, 24), (mahjong, 42), (paigow, 28)])
def test_codes_are_all_and_distinct(painter: ModuleType, count: int) -> None:
    assert len(painter.CODES) == len(set(painter.CODES)) == count


@each
@pytest.mark.parametrize("seed", SEEDS)
def test_every_face_is_drawn_full_bleed(painter: ModuleType, seed: int, bank: GlyphBank) -> None:
    rng = np.random.default_rng(seed)
    style = painter.sample_style(rng)
    for code in painter.CODES:
        art = painter.draw(code, style, bank, rng)
        height, width = art.colour.shape[:2]
        assert art.colour.dtype == np.uint8
        assert art.ink.dtype == np.float32
        assert art.colour.shape == (height, width, 3)
        assert art.ink.shape == (height, width)
        assert max(height, width) == 128
        assert width / height == pytest.approx(style.aspect, rel=0.02)
        assert 0.0 <= float(art.ink.min()) <= float(art.ink.max()) <= 1.0


@each
@pytest.mark.parametrize("seed", SEEDS)
def test_style_suits_a_solid_piece(painter: ModuleType, seed: int) -> None:
    style = painter.sample_style(np.random.default_rng(seed))
    assert 0.3 < style.aspect < 2.5
    assert 0.0 < style.thickness < 1.0
    for colour in (style.body, style.back):
        assert len(colour) == 3
        assert all(0 <= channel <= 255 for channel in colour)


@each
def test_same_seed_same_picture(painter: ModuleType, bank: GlyphBank) -> None:
    style = painter.sample_style(np.random.default_rng(5))
    assert style == painter.sample_style(np.random.default_rng(5))
    for code in painter.CODES:
        one, two = (painter.draw(code, style, bank, np.random.default_rng(9)) for _ in range(2))
        assert np.array_equal(one.colour, two.colour)
        assert np.array_equal(one.ink, two.ink)


@each
def test_pieces_of_one_kind_differ_a_little(painter: ModuleType, bank: GlyphBank) -> None:
    rng = np.random.default_rng(3)
    style = painter.sample_style(rng)
    one, two = (painter.draw(painter.CODES[5], style, bank, rng) for _ in range(2))
    assert not np.array_equal(one.colour, two.colour)


@each
def test_unknown_code_is_refused(painter: ModuleType, bank: GlyphBank) -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(KeyError, match="x9"):
        painter.draw("x9", painter.sample_style(rng), bank, rng)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("painter", "apart"), [(junqi, 25), (mahjong, 40)])
def test_kinds_of_one_set_differ(painter: ModuleType, apart: int, seed: int, bank: GlyphBank) -> None:
    style = painter.sample_style(np.random.default_rng(seed))
    faces = [painter.draw(code, style, bank, np.random.default_rng(1)).colour.astype(int) for code in painter.CODES]
    for i, face in enumerate(faces):
        for other in faces[:i]:
            assert np.abs(face - other).max() > apart


@pytest.mark.parametrize(("stretch", "wider"), [(1.4, True), (0.75, False)])
def test_characters_are_stretched_within_their_square(bank: GlyphBank, stretch: float, wider: bool) -> None:
    mark = bank.mask("車", "print", 80)
    out = xiangqi._stretched(mark, stretch)
    assert out.shape == mark.shape
    spans = [np.ptp(np.nonzero(m > 0.5), axis=1) for m in (mark, out)]
    ratio = (spans[1][1] / spans[1][0]) / (spans[0][1] / spans[0][0])
    assert ratio == pytest.approx(stretch, rel=0.08)
    assert (spans[1][0] < spans[0][0]) == wider
    assert np.array_equal(xiangqi._stretched(mark, 1.0), mark)
