"""Pieces with simple marks, and a namer that sees coarse shapes alone, so that learning can be tested quickly."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import Family, tiles_of

GROUND = (150, 190, 215)
RED, BLUE, GREEN = (40, 40, 190), (170, 90, 30), (60, 130, 40)


def disc(shape: int, ink: tuple[int, int, int], size: int = 64) -> NDArray[np.uint8]:
    """A patch of a disc with one of nine marks that no turn makes alike."""
    unit = size / 64
    patch = np.full((size, size, 3), (70, 80, 60), np.uint8)
    middle = (size // 2, size // 2)
    cv2.circle(patch, middle, int(29.6 * unit), GROUND, -1, cv2.LINE_AA)
    rng = np.random.default_rng(100 + shape)
    for _ in range(3):
        ends = rng.uniform(18, 46, (2, 2)) * unit
        a, b = ((int(p[0]), int(p[1])) for p in ends)
        cv2.line(patch, a, b, ink, max(2, int(5 * unit)), cv2.LINE_AA)
    spot = rng.uniform(20, 44, 2) * unit
    cv2.circle(patch, (int(spot[0]), int(spot[1])), int(5 * unit), ink, -1, cv2.LINE_AA)
    return patch


def pieces(codes: list[str]) -> NDArray[np.uint8]:
    """Patches of homemade xiangqi discs: a mark a role, red for red, blue for black."""
    roles = "KAERHCP"
    return np.stack([disc(roles.index(code[1]), RED if code[0] == "r" else BLUE) for code in codes])


class CoarseNamer:
    """Embeds a patch as its blurred light, and knows no piece: every head says the same of everything."""

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """The namer's outputs for patches [N, 64, 64, 3]."""
        small = np.stack([cv2.resize(patch, (16, 8), interpolation=cv2.INTER_AREA) for patch in feed])
        flat = small.mean(axis=3).reshape(len(feed), 128)
        flat = flat - flat.mean(axis=1, keepdims=True)
        length = np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
        outputs: dict[str, Any] = {
            "embedding": (flat / length).astype(np.float32),
            "up": np.tile(np.array([1, 0], np.float32), (len(feed), 1)),
        }
        for family in Family:
            outputs[family.value] = np.zeros((len(feed), len(tiles_of(family)) + 1), np.float32)
        return outputs


class KnowingNamer(CoarseNamer):
    """The same, but its xiangqi head calls everything a red chariot."""

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """The namer's outputs for patches [N, 64, 64, 3]."""
        outputs = super().run(feed)
        outputs["xiangqi"][:, 3] = 9.0
        return outputs
