"""Likeness sees the same piece at every turn and slip, in any light, and tells colours apart."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from marks import disc

from calibration.likeness import (
    CHANNELS,
    SLIPS,
    beside,
    compare,
    compare_again,
    describe,
    lights_between,
    moved,
    slipped,
)

PIECES = np.stack([disc(shape, ink) for shape in range(3) for ink in ((40, 40, 190), (150, 90, 30))])


@pytest.mark.parametrize("is_round", [True, False])
@pytest.mark.parametrize("turn", [0, 90, 270])
def test_a_turned_and_slipped_piece_is_found_with_its_turn(is_round: bool, turn: int) -> None:
    seen = moved(PIECES, turn, SLIPS[-1])
    found = compare(describe(seen, is_round), slipped(PIECES, is_round))
    together = found.channels[0] + found.channels[1] + found.channels[2]
    assert together.argmax(axis=1).tolist() == list(range(len(PIECES)))
    assert np.diag(found.turns).tolist() == [turn] * len(PIECES)
    assert np.diag(found.slips).tolist() == [len(SLIPS) - 1] * len(PIECES)
    assert np.array_equal(
        compare_again(describe(seen, is_round), slipped(PIECES, is_round), found).channels, found.channels
    )


def test_a_disc_is_found_at_any_angle() -> None:
    found = compare(describe(moved(PIECES, 52.5), True), [describe(PIECES, True)])
    assert np.diag(found.turns).tolist() == [52.5] * len(PIECES)


def test_the_light_does_not_matter_and_the_ink_does() -> None:
    dim = np.clip(PIECES * np.array([0.6, 0.65, 0.7]), 0, 255).astype(np.uint8)
    same = beside(describe(dim, True), describe(PIECES, True))
    other = beside(describe(dim, True), describe(PIECES[[1, 0, 3, 2, 5, 4]], True))
    assert (same[0] > other[0] + 0.3).all()
    assert (same[2] > other[2] + 2).all()


def test_thin_strokes_tell_their_ink_by_its_hue() -> None:
    faces = np.full((2, 64, 64, 3), (150, 190, 215), np.uint8)
    for face, ink in zip(faces, ((170, 90, 30), (60, 120, 30)), strict=True):
        cv2.line(face, (20, 20), (44, 40), ink, 1, cv2.LINE_AA)
    dim = cv2.GaussianBlur((faces[0] * 0.6).astype(np.uint8), (0, 0), 1.0)
    found = compare(describe(dim[None], True), [describe(faces, True)])
    hue = found.channels[CHANNELS.index("hue"), 0]
    assert hue[0] > hue[1] + 0.1


def test_the_other_tiles_of_a_photo_tell_its_light() -> None:
    warm = np.clip(PIECES * np.array([0.45, 0.8, 1.1]), 0, 255).astype(np.uint8)
    own, tiles, rows = describe(PIECES, True), describe(warm, True), np.arange(len(PIECES))
    found = compare(tiles, [own])
    light = lights_between(tiles, [own], found, rows, np.ones(len(rows), np.float32))
    lit = tiles.under(*light)
    assert np.linalg.norm(lit.ground - own.ground, axis=1).max() < 0.3 * np.linalg.norm(tiles.ground - own.ground)
    plain, mended = (beside(looks, own)[CHANNELS.index("ground")] for looks in (tiles, lit))
    assert (mended > plain + 1).all()


def test_neither_a_tile_alone_nor_one_that_nobody_is_sure_of_tells_a_light() -> None:
    own, tiles = describe(PIECES, True), describe((PIECES * 0.5).astype(np.uint8), True)
    found, rows = compare(tiles, [own]), np.arange(len(PIECES))
    alone = lights_between(tiles[rows[:1]], [own], found[rows[:1]], rows[:1], np.ones(1, np.float32))
    unsure = lights_between(tiles, [own], found, rows, np.zeros(len(rows), np.float32))
    for tints, offsets in (alone, unsure):
        assert np.allclose(tints, np.eye(3), atol=1e-5)
        assert np.allclose(offsets, 0)


def test_bare_pieces_differ_by_their_ground_alone() -> None:
    bare = np.stack([np.full((64, 64, 3), ink, np.uint8) for ink in ((60, 60, 200), (200, 90, 60))])
    found = compare(describe(bare, True), [describe(bare, True)])
    assert np.allclose(found.channels[0], 0, atol=0.05)
    assert found.channels[4].argmax(axis=1).tolist() == [0, 1]
