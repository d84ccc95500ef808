"""What the bench of whole hands says went wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.hands import Shot, layouts, verdict
from models.training.tables import Seen
from vision.reading import HandReading, MeldReading, Quad, Reading, Sighting

CODES = ("rR", "rR", "rR", "rP", "bC", "bC", "bC", "rP")


def square(place: int) -> np.ndarray:
    """The corners of the tile at a place of a row."""
    return np.add([[0, 0], [40, 0], [40, 40], [0, 40]], (50.0 * place, 0.0))


@pytest.fixture
def shot() -> Shot:
    hand = layouts.Scene("xiangqi", [], ["rR", "rR", "rR", "rP"], [("pong", ("bC", "bC", "bC"))], "rP")
    tiles = [Seen(square(n), code, True, True, 1.0, np.array([0.0, -1.0])) for n, code in enumerate(CODES)]
    return Shot(np.zeros((60, 420, 3), np.uint8), tiles, hand)


def reading(codes: tuple[str, ...], hand: HandReading) -> Reading:
    tiles = []
    for place, code in enumerate(codes):
        a, b, c, d = (tuple(corner) for corner in square(place))
        tiles.append(Sighting(Quad((a, b, c, d), 0.9, True, "up"), code, 0.9, ((code, 0.9),)))
    return Reading("", 420, 60, "xiangqi", "xiangqi-3", "factory", tuple(tiles), (0,) * len(tiles), hand)


HAND = HandReading((0, 1, 2, 3), (MeldReading("pong", (4, 5, 6), ("bC", "bC", "bC")),), 7)


def test_a_hand_read_as_it_is_is_right(shot: Shot) -> None:
    assert verdict(shot, reading(CODES, HAND)) == "right"


def test_what_went_wrong_first_is_told(shot: Shot) -> None:
    assert verdict(shot, reading(CODES, replace(HAND, win=0, concealed=(7, 1, 2, 3)))) == "assembled"
    assert verdict(shot, reading((*CODES[:3], "rA", *CODES[4:]), HAND)) == "named"
    assert verdict(shot, reading(CODES[:7], replace(HAND, win=None))) == "found"
    assert verdict(shot, reading((), HandReading((), (), None))) == "found"
    assert verdict(shot, reading((*CODES, "bH"), replace(HAND, win=8))) == "found"
