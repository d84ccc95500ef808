"""Printed boards: seeded, full of print, and of the pieces' colour now and then."""

from __future__ import annotations

import numpy as np

from models.training import boards
from models.training.faces.glyphs import GlyphBank


def test_a_seed_gives_one_board(bank: GlyphBank) -> None:
    one, two, other = (boards.board(256, bank, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert one.shape == (256, 256, 3)
    assert one.dtype == np.uint8
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_boards_are_printed_and_few_are_alike(bank: GlyphBank) -> None:
    sheets = [boards.board(192, bank, np.random.default_rng(seed)) for seed in range(24)]
    spread = [float(sheet.std(axis=(0, 1)).max()) for sheet in sheets]
    assert sum(s > 10 for s in spread) > 16
    grounds = {tuple((np.median(sheet, axis=(0, 1)) // 32).astype(int)) for sheet in sheets}
    assert len(grounds) > 8


def test_the_ground_is_often_that_of_the_pieces(bank: GlyphBank) -> None:
    pale = (200.0, 225.0, 235.0)
    near = 0
    for seed in range(40):
        ground = np.median(boards.board(128, bank, np.random.default_rng(seed), pale), axis=(0, 1))
        near += bool(np.abs(ground / np.array(pale) - 1).max() < 0.3)
    assert near >= 10
