"""Drawn faces of mahjong tiles."""

import numpy as np

from models.training.faces import mahjong
from models.training.faces.glyphs import GlyphBank


def test_only_a_white_dragon_is_bare(bank: GlyphBank) -> None:
    for seed in range(40):
        style = mahjong.sample_style(np.random.default_rng(seed))
        for code in mahjong.CODES:
            bare = mahjong.draw(code, style, bank, np.random.default_rng(2)).ink.max() == 0.0
            assert bare == (code == "5z" and style.white == "blank" and not style.border)


def test_places_and_colours_agree_in_number() -> None:
    style = mahjong.sample_style(np.random.default_rng(0))
    for number in range(2, 10):
        assert all(len(letters) == number for letters in mahjong.DOT_COLOURS[number])
        assert all(len(letters) == number for letters in mahjong.STICK_COLOURS[number])
        assert set("".join(mahjong.DOT_COLOURS[number] + mahjong.STICK_COLOURS[number])) <= set("AGR")
        assert style.dot_radius > 0
