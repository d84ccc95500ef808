"""A table in motion for the tests of tracking: tiles with patterns of their own, an arm that covers some, a camera.

The locator and the namer of `Table` know the truth, so that a test says itself what they miss or mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame
from vision.hand import HandShape, assemble
from vision.reading import Quad, Sighting
from vision.track import GLIMPSED, Tracker, View

SIZE = (640, 360)
BODY, INK, CLOTH, SKIN = (225, 235, 235), (30, 40, 60), (90, 120, 60), (120, 150, 210)
WIDTH, HEIGHT = 32.0, 44.0
GRAIN = np.random.default_rng(1).standard_normal((SIZE[1], SIZE[0], 3)).astype(np.float32)


@dataclass
class Lying:
    """A tile on the table: its middle in pixels, its code (None: back up)."""

    x: float
    y: float
    code: str | None

    def corners(self) -> NDArray[np.float64]:
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH / 2, HEIGHT / 2)
        return half + np.array([self.x, self.y])


@cache
def pattern(code: str | None) -> NDArray[np.uint8]:
    """The face of a kind: squares of ink, drawn by lot from its code."""
    rng = np.random.default_rng(list((code or "back").encode()))
    ink = rng.random((6, 5)) < 0.5
    face = np.where(ink[..., None], INK, BODY).astype(np.uint8)
    return np.asarray(cv2.copyMakeBorder(face, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=BODY), np.uint8)


def paste(image: NDArray[np.uint8], face: NDArray[np.uint8], corners: NDArray[np.float64]) -> None:
    """Draw a face over the quad of those corners."""
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int) + 1
    part = image[y0:y1, x0:x1].copy()
    if not part.size:
        return
    h, w = face.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, (corners - (x0, y0)).astype(np.float32))
    size = (part.shape[1], part.shape[0])
    cv2.warpPerspective(face, matrix, size, dst=part, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_TRANSPARENT)
    image[y0:y1, x0:x1] = part


@dataclass
class Table:
    """What the camera sees: `tiles`, an `arm` (a polygon) over them, a `sleeve` of the cloth's colour, and by how many
    pixels the camera has moved."""

    tiles: list[Lying]
    arm: NDArray[np.float64] | None = None
    sleeve: NDArray[np.float64] | None = None
    camera: tuple[float, float] = (0.0, 0.0)
    noise: float = 2.0
    blind: set[int] = field(default_factory=set)
    doubtful: set[int] = field(default_factory=set)
    misread: dict[int, Sequence[tuple[str, float]]] = field(default_factory=dict)
    extra: list[Quad] = field(default_factory=list)
    located: int = 0
    named: list[int] = field(default_factory=list)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def frame(self) -> Frame:
        """The picture at this moment."""
        image = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
        for tile in self.tiles:
            paste(image, pattern(tile.code), tile.corners() + self.camera)
        for part, colour in ((self.arm, SKIN), (self.sleeve, CLOTH)):
            if part is not None:
                cv2.fillPoly(image, [np.round(part).astype(np.int32)], colour)
        noisy = image + self.noise * np.roll(GRAIN, int(self.rng.integers(SIZE[1])), axis=0)
        return Frame(np.clip(noisy, 0, 255).astype(np.uint8), *SIZE)

    def quad(self, tile: Lying, grown: float = 1.0, width: float = 1.0) -> Quad:
        """The quad of a tile as the camera sees it, so many times as large and as wide."""
        middle = np.array([tile.x, tile.y])
        a, b, c, d = (
            (float(x), float(y))
            for x, y in (tile.corners() - middle) * (grown * width, grown) + middle + np.array(self.camera)
        )
        return Quad((a, b, c, d), 0.9, False, "up" if tile.code else "down")

    def hidden(self, tile: Lying) -> bool:
        """Whether the arm or its sleeve covers a tile's middle."""
        middle = (tile.x + self.camera[0], tile.y + self.camera[1])
        parts = (part.astype(np.float32) for part in (self.arm, self.sleeve) if part is not None)
        return any(cv2.pointPolygonTest(part, middle, False) >= 0 for part in parts)

    def locate(self, frame: Frame) -> list[Quad]:
        """All tiles that are not covered and to which the locator is not `blind`, some of them `doubtful`, and what is
        `extra`."""
        self.located += 1
        seen = {n: tile for n, tile in enumerate(self.tiles) if n not in self.blind and not self.hidden(tile)}
        quads = [replace(self.quad(tile), score=GLIMPSED if n in self.doubtful else 0.9) for n, tile in seen.items()]
        return quads + self.extra

    def name(self, frame: Frame, quads: Sequence[Quad]) -> list[Sighting]:
        """What the tiles at those quads are, or what they are `misread` for."""
        found = []
        for quad in quads:
            middle = np.mean(quad.corners, axis=0) - self.camera
            near = [abs(tile.x - middle[0]) + abs(tile.y - middle[1]) for tile in self.tiles]
            place = int(np.argmin(near))
            if near[place] > WIDTH / 2:
                continue
            self.named.append(place)
            code = self.tiles[place].code
            shares = tuple(self.misread.get(place, [(code, 0.97), ("bK", 0.02)] if code else []))
            best = shares[0] if shares else (None, 0.98)
            found.append(Sighting(quad, best[0], best[1], shares))
        return found


@dataclass
class Film:
    """A table filmed at ten frames a second and followed."""

    table: Table
    shape: HandShape | None = None
    now: float = 0.0

    def __post_init__(self) -> None:
        self.tracker = Tracker(self.table.locate, self.table.name, lambda tiles: assemble(tiles, self.shape))

    def one(self) -> View:
        """The view after one more frame."""
        self.now += 0.1
        return self.tracker.update(self.table.frame(), self.now)

    def run(self, seconds: float) -> list[View]:
        """The views of so many seconds in which nothing moves."""
        return [self.one() for _ in range(round(10 * seconds))]


def row(codes: str, x: float = 60.0, y: float = 250.0) -> list[Lying]:
    """Tiles side by side from x on; `-` for a back."""
    return [Lying(x + 34.0 * n, y, None if code == "-" else code) for n, code in enumerate(codes.split())]


def arm(x: float, width: float = 70.0, reach: float = 180.0) -> NDArray[np.float64]:
    """An arm from the lower edge of the picture."""
    return np.array([[x, SIZE[1]], [x, reach], [x + width, reach], [x + width, SIZE[1]]])
