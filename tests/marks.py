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


TABLE = (70, 80, 60)
SIDE = 120  # px of a disc's square in a photo


def photo(
    rows: list[list[str | None]], *, light: float = 1.0, turn: float = 6.0, seed: int = 0, blur: float = 0.0
) -> bytes:
    """A JPEG of homemade xiangqi discs in rows, each turned by about `turn` degrees; None shows a back."""
    width, height = 150 * max(len(row) for row in rows) + 60, 160 * len(rows) + 60
    picture = np.full((height, width, 3), TABLE, np.uint8)
    rng = np.random.default_rng(seed)
    for r, row in enumerate(rows):
        for c, code in enumerate(row):
            x, y = 30 + 150 * c, 40 + 160 * r
            face = disc(8, GROUND, SIDE) if code is None else disc("KAERHCP".index(code[1]), _ink(code), SIDE)
            matrix = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), float(rng.normal(0, turn)), 1.0)
            picture[y : y + SIDE, x : x + SIDE] = cv2.warpAffine(face, matrix, (SIDE, SIDE), borderValue=TABLE)
    shot = np.clip(picture * light + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
    if blur:
        shot = np.asarray(cv2.GaussianBlur(shot, (0, 0), blur), np.uint8)
    return bytes(cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])


def _ink(code: str) -> tuple[int, int, int]:
    return RED if code[0] == "r" else BLUE


class DiscLocator:
    """Finds the discs of `photo` by their light ground."""

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """The locator's outputs for a canvas [1, H, W, 3]."""
        image = feed[0]
        height, width = image.shape[0] // 4, image.shape[1] // 4
        heat = np.zeros((1, height, width), np.float32)
        corners = np.zeros((1, 8, height, width), np.float32)
        kind = np.zeros((1, 2, height, width), np.float32)
        light = (image[..., 2].astype(int) - TABLE[2] > 50).astype(np.uint8)
        light[(image[..., 0] > 105) & (image[..., 0] < 125) & (image[..., 2] > 105) & (image[..., 2] < 125)] = 0
        contours, _ = cv2.findContours(light, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            x, y, w, h = cv2.boundingRect(contour)
            if min(w, h) < 20 or max(w, h) > 2 * min(w, h):
                continue
            box = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], float)
            centre = box.mean(axis=0)
            j, i = (int(v) for v in centre // 4)
            heat[0, i, j] = 0.9
            corners[0, :, i, j] = (box - ((j + 0.5) * 4, (i + 0.5) * 4)).ravel()
            kind[0, :, i, j] = 1.0
        return {"heat": heat, "corners": corners, "kind": kind}
