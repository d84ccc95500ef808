"""Drawn faces of junqi blocks."""

import numpy as np

from models.training.faces import junqi
from models.training.faces.glyphs import GlyphBank


def test_red_is_the_warmer_colour(bank: GlyphBank) -> None:
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
