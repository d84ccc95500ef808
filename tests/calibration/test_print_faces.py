"""Faces: every kind has its own, within its edges, in inks that the colour-blind can tell apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.faces import HEIGHTS, Area, Box, Character, Ink, Oval, Shape, Stroke, characters, face
from scoring.tiles import Family, Tile, parse_tile, tiles_of

EVERY = [tile for family in Family for tile in tiles_of(family)]


def reach(shape: Shape) -> tuple[float, float]:
    """How far a shape goes from the middle of its face, across and down."""
    match shape:
        case Oval():
            radius = max(shape.rx, shape.ry) if shape.turn else None
            rx, ry = (radius, radius) if radius is not None else (shape.rx, shape.ry)
            return abs(shape.x) + rx + shape.line / 2, abs(shape.y) + ry + shape.line / 2
        case Stroke() | Area():
            half = shape.width / 2 if isinstance(shape, Stroke) else 0.0
            return max(abs(x) for x, _ in shape.points) + half, max(abs(y) for _, y in shape.points) + half
        case Box():
            return (shape.width + shape.line) / 2, (shape.height + shape.line) / 2
        case Character():
            return abs(shape.x) + shape.width / 2, abs(shape.y) + shape.height / 2


@pytest.mark.parametrize("tile", EVERY, ids=str)
def test_a_face_stays_within_its_edges(tile: Tile) -> None:
    shapes = face(tile)
    assert shapes
    for shape in shapes:
        across, down = reach(shape)
        assert across < 0.485
        assert down < HEIGHTS[tile.family] / 2 - 0.015
        if tile.family is Family.XIANGQI and isinstance(shape, Character):
            assert np.hypot(across, down) < 0.41  # within the inner ring


@pytest.mark.parametrize("family", Family)
def test_every_kind_has_its_own_face_without_colour_too(family: Family) -> None:
    def colourless(tile: Tile) -> str:
        text = repr(face(tile))
        for ink in Ink:
            text = text.replace(repr(ink), "paper" if ink is Ink.PAPER else "ink")
        return text

    faces = [colourless(tile) for tile in tiles_of(family)]
    assert len(set(faces)) == len(faces)


@pytest.mark.parametrize("code", ["66", "64", "31", "54", "21"])
def test_dominoes_show_their_numbers(code: str) -> None:
    pips = [shape for shape in face(parse_tile(code)) if isinstance(shape, Oval)]
    for number, half in zip(code, (-1, 1), strict=True):
        here = [pip for pip in pips if pip.y * half > 0]
        assert len(here) == int(number)
        if code != "66":
            assert {pip.ink for pip in here} == {Ink.RED if number in "14" else Ink.BLACK}
    assert code != "66" or [pip.ink for pip in pips].count(Ink.RED) == 6


@pytest.mark.parametrize("number", range(2, 10))
def test_suits_show_their_numbers(number: int) -> None:
    dots = [shape for shape in face(parse_tile(f"{number}p")) if isinstance(shape, Oval) and shape.line]
    assert len(dots) == number
    light = [shape for shape in face(parse_tile(f"{number}s")) if isinstance(shape, Stroke) and shape.ink is Ink.PAPER]
    assert len(light) == 2 * number  # one along each half of a stick


def test_characters_are_those_of_the_rules() -> None:
    assert characters() >= set("帅仕相车马炮兵将士象車馬砲卒天地人司令军长师旅团营连排工地雷炸弹旗一九萬東中發春竹")


# Machado, Oliveira and Fernandes, A physiologically-based model for simulation of color vision deficiency, 2009: the
# matrices for full severity, which take linear RGB to what is seen.
BLINDNESS = {
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def lab(ink: Ink, blindness: str) -> NDArray[np.float64]:
    """What that eye sees of an ink, as CIE L*a*b* (D65)."""
    stored = np.array(ink.value) / 255
    linear = np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(BLINDNESS[blindness]) @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    ratio = to_xyz @ seen / np.array([0.9505, 1.0, 1.089])
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_inks_stay_apart_for_every_eye(blindness: str) -> None:
    for one, other in combinations((Ink.RED, Ink.BLACK, Ink.BLUE, Ink.PAPER), 2):
        assert np.linalg.norm(lab(one, blindness) - lab(other, blindness)) > 20, (one, other)
    assert lab(Ink.RED, blindness)[0] > lab(Ink.BLACK, blindness)[0] + 20
