"""Painted pictures and networks that read them, so that the reader can be tested without its trained ones.

A tile is a quadrangle of one colour, whose green tells the kind and whose red tells the face, with a band of less blue
along its top; the table is grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import Family, tiles_of

TABLE = (128, 128, 128)
FIRST_GREEN, GREEN_STEP = 10, 5
BLUE, BLUE_ON_TOP, RED_UP, RED_DOWN = 240, 190, 60, 20


@dataclass(frozen=True)
class Painted:
    """A tile to paint: middle, size, clockwise turn in degrees, code (None: back up)."""

    x: float
    y: float
    width: float
    height: float
    code: str | None
    turn: float = 0.0

    def corners(self) -> NDArray[np.float64]:
        """Corners (4, 2), clockwise from the top left of the unturned tile."""
        angle = np.radians(self.turn)
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (self.width / 2, self.height / 2)
        return half @ rotation.T + (self.x, self.y)


def paint(tiles: Sequence[Painted], family: Family, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A picture of (width, height), BGR."""
    codes = [tile.code for tile in tiles_of(family)]
    image = np.full((size[1], size[0], 3), TABLE, np.uint8)
    image[: size[1] // 48] = 255  # a window behind the table, so that the picture is not taken for a dark one
    for tile in tiles:
        kind = len(codes) if tile.code is None else codes.index(tile.code)
        green, red = FIRST_GREEN + GREEN_STEP * kind, RED_DOWN if tile.code is None else RED_UP
        corners = tile.corners()
        band = np.array([*corners[:2], *(0.75 * corners[1::-1] + 0.25 * corners[2:])])
        for blue, outline in ((BLUE, corners), (BLUE_ON_TOP, band)):
            cv2.fillConvexPoly(image, np.round(outline).astype(np.int32), (blue, green, red), cv2.LINE_AA)
    return image


def row(codes: Sequence[str | None], x: float, y: float, side: float = 60.0, length: float = 1.0) -> list[Painted]:
    """Tiles side by side from x on, a twelfth of a tile between them."""
    return [Painted(x + side * (0.5 + 13 / 12 * n), y, side, side * length, code) for n, code in enumerate(codes)]


class PaintedLocator:
    """Finds painted tiles; `round` is what it says of their shape."""

    def __init__(self, round: bool = False) -> None:
        self.round = round
        self.calls = 0

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """The locator's outputs for a canvas [1, H, W, 3]."""
        assert feed.dtype == np.uint8
        assert feed.ndim == 4
        assert feed.shape[1] % 32 == feed.shape[2] % 32 == 0
        self.calls += 1
        image = feed[0]
        height, width = image.shape[0] // 4, image.shape[1] // 4
        heat = np.zeros((1, height, width), np.float32)
        corners = np.zeros((1, 8, height, width), np.float32)
        kind = np.zeros((1, 2, height, width), np.float32)
        solid = ((image[..., 0].astype(int) - image[..., 2]) > 90).astype(np.uint8)
        contours, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            if cv2.contourArea(contour) < 30:
                continue
            box = cv2.boxPoints(cv2.minAreaRect(contour)) + 0.5
            if self.round:
                low, high = box.min(axis=0), box.max(axis=0)
                box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
            centre = box.mean(axis=0)
            angles = np.arctan2(box[:, 1] - centre[1], box[:, 0] - centre[0])
            box = box[np.argsort(angles)]
            box = np.roll(box, -int(np.argmin(box.sum(axis=1))), axis=0)
            j, i = (int(v) for v in centre // 4)
            heat[0, i, j] = 0.9
            corners[0, :, i, j] = (box - ((j + 0.5) * 4, (i + 0.5) * 4)).ravel()
            kind[0, :, i, j] = (self.round, image[int(centre[1]), int(centre[0]), 2] > (RED_UP + RED_DOWN) / 2)
        return {"heat": heat, "corners": corners, "kind": kind}


class PaintedNamer:
    """Names painted tiles by their green and sees how they are turned by their band.

    The kind after the right one has the odds e to the `doubt`, of e to the eight.
    """

    doubt = 4.0

    def __init__(self) -> None:
        self.calls = 0

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """The namer's outputs for patches [N, 64, 64, 3]."""
        assert feed.dtype == np.uint8
        assert feed.shape[1:] == (64, 64, 3)
        self.calls += 1
        green = feed[:, 24:40, 24:40, 1].reshape(len(feed), -1).mean(axis=1)
        kinds = np.round((green - FIRST_GREEN) / GREEN_STEP).astype(int)
        blue = feed[..., 0].astype(float)
        edges = [blue[:, 6:12, 20:44], blue[:, 20:44, 52:58], blue[:, 52:58, 20:44], blue[:, 20:44, 6:12]]
        quarter = np.argmin([edge.mean(axis=(1, 2)) for edge in edges], axis=0) * np.pi / 2
        outputs: dict[str, NDArray[np.float32]] = {
            "embedding": np.zeros((len(feed), 128), np.float32),
            "up": np.column_stack([np.cos(quarter), np.sin(quarter)]).astype(np.float32),
        }
        for family in Family:
            count = len(tiles_of(family)) + 1
            logits = np.zeros((len(feed), count), np.float32)
            logits[np.arange(len(feed)), np.clip(kinds, 0, count - 1)] = 8.0
            logits[np.arange(len(feed)), np.clip(kinds + 1, 0, count - 1)] += self.doubt
            outputs[family.value] = logits
        return outputs
