"""Drawn faces of dominoes."""

import cv2
import numpy as np

from models.training.faces import paigow
from models.training.faces.glyphs import GlyphBank


def _pips(art_ink: np.ndarray, upper: bool) -> int:
    half = art_ink[: len(art_ink) // 2] if upper else art_ink[len(art_ink) // 2 :]
    count, *_ = cv2.connectedComponents((half > 0.5).astype(np.uint8), connectivity=4)
    return int(count) - 1


def test_halves_show_the_numbers_of_the_code(bank: GlyphBank) -> None:
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
            ink = paigow.draw(code, style, bank, np.random.default_rng(4)).ink
            if code == "33" and style.spine:  # its inner pips lie on the middle
                count, *_ = cv2.connectedComponents((ink > 0.5).astype(np.uint8), connectivity=4)
                assert count - 1 == 6, seed
                continue
            assert (_pips(ink, True), _pips(ink, False)) == (int(code[0]), int(code[1])), (seed, code)
    assert checked >= 5


def test_named_tiles_are_the_unordered_pairs_from_one_to_six() -> None:
    assert len(paigow.NAMED) == 21
    assert all(code[0] >= code[1] for code in paigow.NAMED)
    assert set(paigow.NAMED).isdisjoint(paigow.BLANKS)
