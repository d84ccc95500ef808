"""Piece sets as people make them at home, drawn: most of them without a single character.

A set is a `models.training.piece_sets.PieceSet`, so that the training's renderer can photograph it. No network was
trained on any of these: animals, shapes, little faces and the strokes of the letters are in the tables below and
nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from models.training.faces.art import FaceArt
from models.training.faces.canvas import Canvas, Colour, Surface, face_size
from models.training.layouts import Size
from models.training.piece_sets import CODES, PieceSet

Part: TypeAlias = tuple[str, tuple[float, ...]]

# Drawn in a unit box, y downwards. O: filled oval (x, y, rx, ry, degrees); o: the same, taken away; P: filled polygon;
# p: polygon taken away; L: line (width, then points).
ANIMALS: Final[dict[str, tuple[Part, ...]]] = {
    "fish": (
        ("O", (0.42, 0.5, 0.34, 0.2, 0)),
        ("P", (0.68, 0.5, 0.95, 0.28, 0.95, 0.72)),
        ("o", (0.24, 0.44, 0.04, 0.04, 0)),
    ),
    "bird": (
        ("O", (0.5, 0.55, 0.3, 0.18, -25)),
        ("O", (0.28, 0.32, 0.13, 0.13, 0)),
        ("P", (0.16, 0.3, 0.02, 0.36, 0.16, 0.4)),
        ("L", (0.05, 0.5, 0.7, 0.5, 0.95)),
        ("P", (0.7, 0.4, 0.98, 0.2, 0.85, 0.55)),
    ),
    "cat": (
        ("O", (0.5, 0.55, 0.36, 0.32, 0)),
        ("P", (0.16, 0.5, 0.18, 0.08, 0.44, 0.28)),
        ("P", (0.84, 0.5, 0.82, 0.08, 0.56, 0.28)),
        ("o", (0.36, 0.5, 0.06, 0.08, 0)),
        ("o", (0.64, 0.5, 0.06, 0.08, 0)),
    ),
    "rabbit": (
        ("O", (0.5, 0.68, 0.26, 0.26, 0)),
        ("O", (0.38, 0.25, 0.09, 0.24, -8)),
        ("O", (0.62, 0.25, 0.09, 0.24, 8)),
        ("o", (0.41, 0.63, 0.04, 0.05, 0)),
        ("o", (0.59, 0.63, 0.04, 0.05, 0)),
    ),
    "snail": (
        ("L", (0.09, 0.08, 0.85, 0.92, 0.85)),
        ("O", (0.42, 0.52, 0.3, 0.3, 0)),
        ("o", (0.42, 0.52, 0.19, 0.19, 0)),
        ("O", (0.42, 0.52, 0.1, 0.1, 0)),
        ("L", (0.07, 0.82, 0.84, 0.92, 0.4)),
    ),
    "snake": (("L", (0.11, 0.08, 0.8, 0.25, 0.6, 0.42, 0.8, 0.6, 0.55, 0.5, 0.3, 0.72, 0.15, 0.9, 0.3)),),
    "butterfly": (
        ("O", (0.28, 0.34, 0.24, 0.18, 35)),
        ("O", (0.72, 0.34, 0.24, 0.18, -35)),
        ("O", (0.32, 0.7, 0.18, 0.14, -35)),
        ("O", (0.68, 0.7, 0.18, 0.14, 35)),
        ("L", (0.07, 0.5, 0.2, 0.5, 0.86)),
    ),
    "turtle": (
        ("O", (0.5, 0.5, 0.32, 0.27, 0)),
        ("O", (0.9, 0.5, 0.1, 0.09, 0)),
        ("O", (0.28, 0.22, 0.1, 0.08, 45)),
        ("O", (0.72, 0.22, 0.1, 0.08, -45)),
        ("O", (0.28, 0.78, 0.1, 0.08, -45)),
        ("O", (0.72, 0.78, 0.1, 0.08, 45)),
        ("o", (0.5, 0.5, 0.14, 0.1, 0)),
    ),
    "elephant": (
        ("O", (0.55, 0.42, 0.36, 0.28, 0)),
        ("L", (0.12, 0.22, 0.45, 0.12, 0.65, 0.14, 0.88)),
        ("L", (0.14, 0.42, 0.6, 0.42, 0.92)),
        ("L", (0.14, 0.78, 0.6, 0.78, 0.92)),
        ("o", (0.45, 0.42, 0.1, 0.15, 0)),
    ),
    "horse": (
        ("P", (0.2, 0.95, 0.3, 0.45, 0.1, 0.5, 0.05, 0.38, 0.4, 0.12, 0.5, 0.02, 0.58, 0.14, 0.85, 0.5, 0.85, 0.95)),
        ("o", (0.38, 0.28, 0.04, 0.04, 0)),
    ),
    "spider": (
        ("O", (0.5, 0.5, 0.17, 0.2, 0)),
        ("L", (0.045, 0.5, 0.5, 0.1, 0.15)),
        ("L", (0.045, 0.5, 0.5, 0.9, 0.15)),
        ("L", (0.045, 0.5, 0.5, 0.03, 0.5)),
        ("L", (0.045, 0.5, 0.5, 0.97, 0.5)),
        ("L", (0.045, 0.5, 0.5, 0.12, 0.9)),
        ("L", (0.045, 0.5, 0.5, 0.88, 0.9)),
    ),
    "crab": (
        ("O", (0.5, 0.6, 0.3, 0.2, 0)),
        ("O", (0.17, 0.25, 0.14, 0.12, 45)),
        ("O", (0.83, 0.25, 0.14, 0.12, -45)),
        ("L", (0.06, 0.28, 0.55, 0.15, 0.3)),
        ("L", (0.06, 0.72, 0.55, 0.85, 0.3)),
        ("L", (0.05, 0.35, 0.7, 0.2, 0.95)),
        ("L", (0.05, 0.65, 0.7, 0.8, 0.95)),
    ),
    "owl": (
        ("O", (0.5, 0.55, 0.3, 0.4, 0)),
        ("o", (0.37, 0.38, 0.11, 0.11, 0)),
        ("o", (0.63, 0.38, 0.11, 0.11, 0)),
        ("O", (0.37, 0.38, 0.05, 0.05, 0)),
        ("O", (0.63, 0.38, 0.05, 0.05, 0)),
        ("p", (0.45, 0.5, 0.55, 0.5, 0.5, 0.62)),
    ),
    "giraffe": (
        ("O", (0.6, 0.62, 0.26, 0.15, 0)),
        ("L", (0.11, 0.4, 0.6, 0.25, 0.12)),
        ("O", (0.2, 0.12, 0.13, 0.07, 15)),
        ("L", (0.07, 0.42, 0.65, 0.42, 0.97)),
        ("L", (0.07, 0.78, 0.65, 0.78, 0.97)),
    ),
    "duck": (
        ("O", (0.56, 0.66, 0.34, 0.2, 0)),
        ("O", (0.3, 0.32, 0.16, 0.16, 0)),
        ("P", (0.3, 0.4, 0.24, 0.62, 0.5, 0.6)),
        ("P", (0.18, 0.28, 0.0, 0.36, 0.18, 0.42)),
        ("P", (0.8, 0.6, 1.0, 0.42, 0.86, 0.75)),
    ),
    "bat": (
        (
            "P",
            (
                0.0,
                0.3,
                0.3,
                0.4,
                0.5,
                0.3,
                0.7,
                0.4,
                1.0,
                0.3,
                0.86,
                0.66,
                0.66,
                0.56,
                0.5,
                0.8,
                0.34,
                0.56,
                0.14,
                0.66,
            ),
        ),
        ("P", (0.42, 0.36, 0.44, 0.16, 0.5, 0.26, 0.56, 0.16, 0.58, 0.36)),
    ),
    "octopus": (
        ("O", (0.5, 0.32, 0.28, 0.28, 0)),
        ("L", (0.09, 0.3, 0.45, 0.12, 0.85)),
        ("L", (0.09, 0.43, 0.5, 0.38, 0.95)),
        ("L", (0.09, 0.57, 0.5, 0.62, 0.95)),
        ("L", (0.09, 0.7, 0.45, 0.88, 0.85)),
        ("o", (0.4, 0.3, 0.05, 0.06, 0)),
        ("o", (0.6, 0.3, 0.05, 0.06, 0)),
    ),
    "whale": (
        ("P", (0.03, 0.55, 0.12, 0.32, 0.45, 0.25, 0.75, 0.45, 0.85, 0.2, 0.98, 0.25, 0.9, 0.6, 0.6, 0.8, 0.2, 0.78)),
        ("o", (0.24, 0.5, 0.04, 0.04, 0)),
        ("L", (0.04, 0.35, 0.2, 0.3, 0.05, 0.2, 0.06)),
    ),
    "bee": (
        ("O", (0.5, 0.6, 0.34, 0.22, 0)),
        ("p", (0.36, 0.3, 0.44, 0.3, 0.44, 0.9, 0.36, 0.9)),
        ("p", (0.56, 0.3, 0.64, 0.3, 0.64, 0.9, 0.56, 0.9)),
        ("O", (0.42, 0.25, 0.1, 0.2, -20)),
        ("O", (0.6, 0.25, 0.1, 0.2, 20)),
    ),
    "swan": (
        ("O", (0.58, 0.7, 0.34, 0.2, -8)),
        ("L", (0.1, 0.3, 0.68, 0.2, 0.4, 0.36, 0.16, 0.22, 0.1)),
        ("P", (0.2, 0.04, 0.2, 0.18, 0.04, 0.16)),
    ),
    "mouse": (
        ("O", (0.45, 0.6, 0.28, 0.2, 10)),
        ("O", (0.24, 0.38, 0.13, 0.13, 0)),
        ("O", (0.48, 0.34, 0.12, 0.12, 0)),
        ("L", (0.05, 0.7, 0.65, 0.9, 0.8, 0.97, 0.5)),
    ),
    "star of the sea": (
        (
            "P",
            tuple(
                v
                for k in range(10)
                for v in (
                    0.5 + (0.48, 0.16)[k % 2] * float(np.sin(np.pi * k / 5)),
                    0.5 - (0.48, 0.16)[k % 2] * float(np.cos(np.pi * k / 5)),
                )
            ),
        ),
        ("o", (0.5, 0.5, 0.06, 0.06, 0)),
    ),
    "caterpillar": (
        ("O", (0.14, 0.5, 0.14, 0.16, 0)),
        ("O", (0.36, 0.62, 0.13, 0.13, 0)),
        ("O", (0.57, 0.5, 0.13, 0.13, 0)),
        ("O", (0.78, 0.62, 0.13, 0.13, 0)),
        ("L", (0.04, 0.1, 0.4, 0.02, 0.18)),
        ("L", (0.04, 0.18, 0.4, 0.26, 0.18)),
    ),
    "frog": (
        ("O", (0.5, 0.62, 0.38, 0.26, 0)),
        ("O", (0.26, 0.32, 0.13, 0.13, 0)),
        ("O", (0.74, 0.32, 0.13, 0.13, 0)),
        ("o", (0.26, 0.32, 0.06, 0.06, 0)),
        ("o", (0.74, 0.32, 0.06, 0.06, 0)),
    ),
}


def _star(points: int, inner: float) -> Part:
    turn = [np.pi * k / points for k in range(2 * points)]
    reach = [(0.48, inner)[k % 2] for k in range(2 * points)]
    ends = [(0.5 + r * np.sin(a), 0.5 - r * np.cos(a)) for a, r in zip(turn, reach, strict=True)]
    return "P", tuple(float(v) for end in ends for v in end)


def _polygon(corners: int, start: float = 0.0) -> Part:
    turn = [2 * np.pi * (k + start) / corners for k in range(corners)]
    return "P", tuple(float(v) for a in turn for v in (0.5 + 0.46 * np.sin(a), 0.5 - 0.46 * np.cos(a)))


SHAPES: Final[dict[str, tuple[Part, ...]]] = {
    "triangle": (_polygon(3),),
    "square": (_polygon(4, 0.5),),
    "diamond": (("P", (0.5, 0.02, 0.8, 0.5, 0.5, 0.98, 0.2, 0.5)),),
    "disc": (("O", (0.5, 0.5, 0.44, 0.44, 0)),),
    "ring": (("O", (0.5, 0.5, 0.46, 0.46, 0)), ("o", (0.5, 0.5, 0.28, 0.28, 0))),
    "star": (_star(5, 0.19),),
    "star of six": (_star(6, 0.27),),
    "sun": (_star(12, 0.3), ("o", (0.5, 0.5, 0.16, 0.16, 0))),
    "moon": (("O", (0.5, 0.5, 0.46, 0.46, 0)), ("o", (0.66, 0.44, 0.38, 0.38, 0))),
    "heart": (
        ("O", (0.29, 0.32, 0.25, 0.25, 0)),
        ("O", (0.71, 0.32, 0.25, 0.25, 0)),
        ("P", (0.07, 0.42, 0.93, 0.42, 0.5, 0.97)),
    ),
    "cross": (
        ("P", (0.37, 0.05, 0.63, 0.05, 0.63, 0.95, 0.37, 0.95)),
        ("P", (0.05, 0.37, 0.95, 0.37, 0.95, 0.63, 0.05, 0.63)),
    ),
    "arrow": (("P", (0.5, 0.02, 0.9, 0.45, 0.1, 0.45)), ("P", (0.38, 0.4, 0.62, 0.4, 0.62, 0.98, 0.38, 0.98))),
    "bolt": (("P", (0.62, 0.02, 0.2, 0.56, 0.46, 0.56, 0.36, 0.98, 0.8, 0.42, 0.54, 0.42)),),
    "drop": (("O", (0.5, 0.66, 0.3, 0.3, 0)), ("P", (0.5, 0.03, 0.77, 0.55, 0.23, 0.55))),
    "hourglass": (("P", (0.12, 0.05, 0.88, 0.05, 0.5, 0.5)), ("P", (0.12, 0.95, 0.88, 0.95, 0.5, 0.5))),
    "bars": (
        ("P", (0.1, 0.1, 0.9, 0.1, 0.9, 0.26, 0.1, 0.26)),
        ("P", (0.1, 0.42, 0.9, 0.42, 0.9, 0.58, 0.1, 0.58)),
        ("P", (0.1, 0.74, 0.9, 0.74, 0.9, 0.9, 0.1, 0.9)),
    ),
    "wave": (("L", (0.13, 0.04, 0.62, 0.2, 0.36, 0.36, 0.36, 0.5, 0.5, 0.64, 0.64, 0.8, 0.64, 0.96, 0.38)),),
    "house": (
        ("P", (0.5, 0.03, 0.97, 0.48, 0.03, 0.48)),
        ("P", (0.18, 0.45, 0.82, 0.45, 0.82, 0.95, 0.18, 0.95)),
        ("p", (0.42, 0.6, 0.58, 0.6, 0.58, 0.95, 0.42, 0.95)),
    ),
    "key": (
        ("O", (0.28, 0.3, 0.24, 0.24, 0)),
        ("o", (0.28, 0.3, 0.11, 0.11, 0)),
        ("L", (0.12, 0.42, 0.45, 0.92, 0.92)),
        ("L", (0.1, 0.74, 0.76, 0.9, 0.62)),
    ),
    "clover": (
        ("O", (0.5, 0.26, 0.2, 0.2, 0)),
        ("O", (0.27, 0.55, 0.2, 0.2, 0)),
        ("O", (0.73, 0.55, 0.2, 0.2, 0)),
        ("L", (0.1, 0.5, 0.45, 0.5, 0.97)),
    ),
    "target": (
        ("O", (0.5, 0.5, 0.46, 0.46, 0)),
        ("o", (0.5, 0.5, 0.33, 0.33, 0)),
        ("O", (0.5, 0.5, 0.2, 0.2, 0)),
    ),
    "half": (("O", (0.5, 0.5, 0.45, 0.45, 0)), ("p", (0.0, 0.0, 0.5, 0.0, 0.5, 1.0, 0.0, 1.0))),
    "anchor": (
        ("L", (0.11, 0.5, 0.2, 0.5, 0.9)),
        ("L", (0.1, 0.25, 0.38, 0.75, 0.38)),
        ("L", (0.11, 0.1, 0.6, 0.28, 0.88, 0.5, 0.92, 0.72, 0.88, 0.9, 0.6)),
    ),
    "spade": (
        ("P", (0.5, 0.02, 0.92, 0.55, 0.08, 0.55)),
        ("O", (0.28, 0.58, 0.2, 0.2, 0)),
        ("O", (0.72, 0.58, 0.2, 0.2, 0)),
        ("P", (0.5, 0.5, 0.68, 0.97, 0.32, 0.97)),
    ),
}


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> tuple[float, ...]:
    """Points on an oval from one angle to another in degrees, 0 to the right and 90 downwards."""
    turns = np.deg2rad(np.linspace(start, end, 19))
    return tuple(float(v) for a in turns for v in (x + rx * np.cos(a), y + ry * np.sin(a)))


# Strokes of a felt pen, as (x, y) pairs in a unit box; a figure that reads upside down as another is underlined.
LETTERS: Final[dict[str, tuple[tuple[float, ...], ...]]] = {
    "G": ((*_arc(0.52, 0.5, 0.36, 0.44, -50, -330), 0.84, 0.55, 0.58, 0.55),),
    "A": ((0.12, 0.96, 0.5, 0.04, 0.88, 0.96), (0.27, 0.62, 0.73, 0.62)),
    "E": ((0.82, 0.05, 0.22, 0.08, 0.2, 0.94, 0.84, 0.95), (0.21, 0.48, 0.7, 0.46)),
    "R": (
        (0.22, 0.96, 0.22, 0.06),
        (0.22, 0.07, *_arc(0.5, 0.29, 0.3, 0.23, -90, 90), 0.22, 0.52),
        (0.46, 0.52, 0.84, 0.97),
    ),
    "H": ((0.17, 0.05, 0.2, 0.95), (0.83, 0.05, 0.8, 0.95), (0.18, 0.5, 0.82, 0.46)),
    "C": (_arc(0.54, 0.5, 0.37, 0.44, -45, -315),),
    "P": ((0.24, 0.96, 0.22, 0.06), (0.22, 0.07, *_arc(0.5, 0.31, 0.32, 0.25, -90, 90), 0.23, 0.57)),
    "X": ((0.14, 0.05, 0.86, 0.95), (0.85, 0.05, 0.15, 0.95)),
    "Y": ((0.12, 0.05, 0.5, 0.5, 0.5, 0.96), (0.88, 0.05, 0.5, 0.5)),
    "Q": (_arc(0.48, 0.47, 0.37, 0.42, -90, 270), (0.55, 0.66, 0.9, 0.98)),
    "1": ((0.3, 0.24, 0.52, 0.05, 0.52, 0.95), (0.26, 0.95, 0.78, 0.95)),
    "2": ((*_arc(0.48, 0.29, 0.3, 0.25, -170, 30), 0.18, 0.94, 0.84, 0.94),),
    "3": (_arc(0.44, 0.27, 0.3, 0.22, -150, 90), _arc(0.44, 0.72, 0.34, 0.23, -90, 150)),
    "4": ((0.66, 0.96, 0.66, 0.05, 0.12, 0.68, 0.9, 0.68),),
    "5": ((0.8, 0.06, 0.3, 0.06, 0.25, 0.45, *_arc(0.46, 0.66, 0.34, 0.28, -120, 150)),),
    "6": (
        (0.7, 0.04, *_arc(0.48, 0.55, 0.32, 0.3, -150, -330), *_arc(0.48, 0.58, 0.3, 0.24, 0, -200)),
        (0.16, 0.98, 0.84, 0.98),
    ),
    "7": ((0.14, 0.06, 0.84, 0.06, 0.42, 0.95), (0.34, 0.5, 0.76, 0.5)),
    "8": (_arc(0.5, 0.27, 0.26, 0.22, -90, 270), _arc(0.5, 0.72, 0.33, 0.23, -90, 270)),
    "9": ((*_arc(0.5, 0.28, 0.3, 0.24, 0, -360), 0.8, 0.28, 0.66, 0.84), (0.16, 0.98, 0.84, 0.98)),
    "M": ((0.08, 0.95, 0.2, 0.05, 0.5, 0.7, 0.8, 0.05, 0.92, 0.95),),
    "B": (
        (0.22, 0.05, 0.22, 0.95),
        (*_arc(0.46, 0.27, 0.28, 0.21, -90, 90), 0.22, 0.48),
        (*_arc(0.48, 0.71, 0.36, 0.24, -90, 90), 0.22, 0.95),
        (0.22, 0.06, 0.46, 0.06),
    ),
    "F": ((0.84, 0.05, 0.24, 0.07, 0.22, 0.97), (0.23, 0.5, 0.7, 0.48)),
}

_EYES: Final[tuple[tuple[Part, ...], ...]] = (
    (("o", (0.34, 0.4, 0.07, 0.07, 0)), ("o", (0.66, 0.4, 0.07, 0.07, 0))),
    (("p", (0.24, 0.37, 0.44, 0.37, 0.44, 0.44, 0.24, 0.44)), ("p", (0.56, 0.37, 0.76, 0.37, 0.76, 0.44, 0.56, 0.44))),
    (
        ("o", (0.34, 0.4, 0.13, 0.13, 0)),
        ("o", (0.66, 0.4, 0.13, 0.13, 0)),
        ("O", (0.36, 0.42, 0.05, 0.05, 0)),
        ("O", (0.68, 0.42, 0.05, 0.05, 0)),
    ),
    (("p", (0.22, 0.3, 0.46, 0.42, 0.44, 0.48, 0.2, 0.36)), ("p", (0.78, 0.3, 0.54, 0.42, 0.56, 0.48, 0.8, 0.36))),
    (("p", (0.16, 0.33, 0.84, 0.33, 0.78, 0.52, 0.54, 0.52, 0.5, 0.42, 0.46, 0.52, 0.22, 0.52)),),
    (("o", (0.34, 0.4, 0.07, 0.07, 0)), ("p", (0.56, 0.37, 0.76, 0.37, 0.76, 0.44, 0.56, 0.44))),
)
_MOUTHS: Final[tuple[tuple[Part, ...], ...]] = (
    (("o", (0.5, 0.66, 0.24, 0.18, 0)), ("P", (0.2, 0.4, 0.8, 0.4, 0.8, 0.64, 0.2, 0.64))),
    (("p", (0.3, 0.7, 0.7, 0.7, 0.7, 0.77, 0.3, 0.77)),),
    (("o", (0.5, 0.73, 0.12, 0.14, 0)),),
    (("o", (0.5, 0.86, 0.24, 0.18, 0)), ("P", (0.2, 0.86, 0.8, 0.86, 0.8, 1.0, 0.2, 1.0))),
)
FACES: Final[dict[str, tuple[Part, ...]]] = {
    f"eyes {e} mouth {m}": (("O", (0.5, 0.52, 0.46, 0.46, 0)), *mouth, *eyes)
    for m, mouth in enumerate(_MOUTHS)
    for e, eyes in enumerate(_EYES)
}


def _stroke(canvas: Canvas, box: tuple[float, float, float, float], parts: Sequence[Part], ink: Colour) -> None:
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    for kind, values in parts:
        colour = ink if kind.isupper() else None
        if kind in "Oo":
            x, y, rx, ry, angle = values
            canvas.ellipse(x0 + x * w, y0 + y * h, (rx * w, ry * h), angle, colour)
            continue
        numbers = values[1:] if kind == "L" else values
        points = [(x0 + x * w, y0 + y * h) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if kind == "L":
            canvas.stroke(points, values[0] * w, colour)
        else:
            canvas.polygon(points, colour)


@dataclass(frozen=True, slots=True)
class HomeStyle:
    """What the renderer asks of a style, and the face's ground; colours are BGR."""

    aspect: float
    body: Colour
    back: Colour
    thickness: float
    round: bool
    ground: Colour


RED: Final = (40, 40, 190)
BLACK: Final = (35, 30, 30)
BLUE: Final = (170, 90, 30)
GREEN: Final = (60, 120, 30)
ORANGE: Final = (30, 120, 230)
VIOLET: Final = (130, 40, 110)
YELLOW: Final = (40, 200, 240)
BROWN: Final = (40, 70, 110)
WHITE: Final = (240, 244, 246)
PINK: Final = (180, 150, 240)
CYAN: Final = (210, 190, 60)
WOOD: Final = (130, 180, 215)
PAPER: Final = (225, 235, 240)
DARK: Final = (60, 60, 65)

Draw: TypeAlias = Callable[[Canvas, int, int], None]
"""Draws kind number `n` of the side `s` (0 the first colour, 1 the second, ...) on a bare face."""


def _pictures(table: dict[str, tuple[Part, ...]], inks: Sequence[Colour], first: int = 0, size: float = 0.66) -> Draw:
    names = list(table)

    def draw(canvas: Canvas, n: int, s: int) -> None:
        side = size * min(canvas.width, canvas.height)
        x, y = canvas.width / 2, canvas.height / 2
        box = (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
        _stroke(canvas, box, table[names[(first + n) % len(names)]], inks[s % len(inks)])

    return draw


def _letters(texts: str, inks: Sequence[Colour], pen: float, size: float = 0.6) -> Draw:
    def draw(canvas: Canvas, n: int, s: int) -> None:
        strokes = tuple(("L", (pen, *stroke)) for stroke in LETTERS[texts[n % len(texts)]])
        side = size * min(canvas.width, canvas.height)
        x, y = canvas.width / 2, canvas.height / 2
        box = (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
        _stroke(canvas, box, strokes, inks[s % len(inks)])

    return draw


def _colours(canvas: Canvas, n: int, s: int) -> None:
    """Plain colours: whole, with a coloured middle, or halved."""
    paints = (RED, BLUE, GREEN, YELLOW, BLACK, VIOLET, ORANGE)
    first = paints[n % len(paints)]
    canvas.fill(first)
    if s == 1:
        canvas.disc(canvas.width / 2, canvas.height / 2, 0.24 * min(canvas.width, canvas.height), WHITE)
    elif s == 2:
        other = paints[(n + 2) % len(paints)]
        canvas.rectangle(canvas.width / 2, 0, canvas.width, canvas.height, 0, other)


def _flags(canvas: Canvas, n: int, s: int) -> None:
    """Three stripes of colour, no two sets of stripes alike, nor one the other upside down."""
    paints = (RED, BLUE, GREEN, YELLOW, WHITE, BLACK)
    trios = [(a, b, c) for a in range(6) for c in range(a + 1, 6) for b in range(6) if b not in (a, c)]
    chosen = trios[(n * 11) % len(trios)]
    for k, paint in enumerate(chosen):
        canvas.rectangle(0, canvas.height * k / 3, canvas.width, canvas.height * (k + 1) / 3, 0, paints[paint])


def _suits(canvas: Canvas, n: int, s: int) -> None:
    """Mahjong in shapes: a suit's shape stands as often as its number says; honors are animals."""
    if s < 3:
        side = 0.27 * canvas.width
        shape = SHAPES[("star", "heart", "drop")[s]]
        spots = [(c, r) for r in range(3) for c in range(3)][: n + 1]
        for c, r in spots:
            x, y = canvas.width * (0.2 + 0.3 * c), canvas.height * (0.2 + 0.3 * r)
            _stroke(canvas, (x - side / 2, y - side / 2, x + side / 2, y + side / 2), shape, (RED, BLUE, GREEN)[s])
    else:
        _pictures(ANIMALS, (BLACK, RED, GREEN, BLUE), 3 if s == 3 else 12)(canvas, n, n)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A homemade set: its family, what its faces stand on, and how a kind is drawn. `characters` is whether it writes
    what factory sets write."""

    name: str
    family: str
    draw: Draw
    ground: Colour
    aspect: float = 1.0
    round: bool = True
    surface: Surface | None = None


_BURNT: Final = (45, 75, 120)
_ROUGH: Final = {"mottle": 0.06, "grain": 0.08, "wear": 0.05, "unsteady": 0.012}

RECIPES: Final = (
    Recipe("animals, blue and green", "xiangqi", _pictures(ANIMALS, (BLUE, GREEN, RED)), WOOD),
    Recipe(
        "animals burnt in wood",
        "xiangqi",
        _pictures(ANIMALS, (_BURNT, BLACK, RED), 7),
        WOOD,
        surface=Surface(WOOD, **_ROUGH),
    ),
    Recipe("shapes, red and black", "xiangqi", _pictures(SHAPES, (RED, BLACK, BLUE), 0, 0.55), PAPER),
    Recipe("little faces", "xiangqi", _pictures(FACES, (ORANGE, VIOLET, GREEN), 0, 0.72), PAPER),
    Recipe("colours", "xiangqi", _colours, PAPER),
    Recipe("letters, red and blue", "xiangqi", _letters("GAERHCPXYQ", (RED, BLUE, GREEN), 0.16), WHITE),
    Recipe(
        "letters and figures",
        "junqi",
        _letters("123456789MBF", (RED, BLACK), 0.1),
        WOOD,
        1.6,
        False,
    ),
    Recipe("animals on blocks", "junqi", _pictures(ANIMALS, (RED, GREEN), 5, 0.8), PAPER, 1.4, False),
    Recipe("shapes on upright blocks", "junqi", _pictures(SHAPES, (ORANGE, CYAN), 9, 0.75), DARK, 0.75, False),
    Recipe("flags", "paigow", _flags, WHITE, 0.5, False),
    Recipe("animals on dominoes", "paigow", _pictures(ANIMALS, (WHITE,), 0, 0.85), DARK, 0.5, False),
    Recipe("shapes for suits, animals for honors", "mahjong", _suits, PAPER, 0.75, False),
)


def homemade(recipe: Recipe, seed: int) -> PieceSet:
    """The set of a recipe. The seed decides its thickness, corners and back."""
    rng = np.random.default_rng(seed)
    ground = np.array(recipe.ground, float)
    body = (int(ground[0] * 0.9), int(ground[1] * 0.9), int(ground[2] * 0.9))
    style = HomeStyle(recipe.aspect, body, body, float(rng.uniform(0.15, 0.5)), recipe.round, recipe.ground)
    places = _places(recipe.family)
    surface = recipe.surface or Surface(recipe.ground, mottle=0.03, wear=0.02, unsteady=0.004)
    width, height = face_size(recipe.aspect)

    def paint(code: str, rng: np.random.Generator) -> FaceArt:
        canvas = Canvas(width, height, recipe.ground)
        recipe.draw(canvas, *places[code])
        return canvas.finish(surface, rng)

    plain = Canvas(width, height, body).finish(Surface(body, mottle=0.05), rng)
    return PieceSet(
        style=style,
        size=Size(1 / recipe.aspect, style.thickness, recipe.round),
        paint=paint,
        relief=0.0,
        corner=float(rng.uniform(0.03, 0.12)),
        bevel=0.0,
        chamfer=0.0,
        flutes=0,
        rounded=0.0,
        seam=0.0,
        two_layers=False,
        back=plain,
    )


def _places(family: str) -> dict[str, tuple[int, int]]:
    """Each code's number within its colour or suit, and that colour's number."""
    groups: dict[str, list[str]] = {}
    for code in CODES[family]:
        group = {"xiangqi": code[0], "junqi": code[0], "mahjong": code[-1]}.get(family, "")
        if family == "xiangqi" and code in "TDN":
            group = "T"
        if family == "mahjong" and code[0] == "f":
            group = "f"
        groups.setdefault(group, []).append(code)
    return {code: (n, s) for s, codes in enumerate(groups.values()) for n, code in enumerate(codes)}
