"""The board that a camera is calibrated with: a ChArUco board with grey patches beside it, printed at true size.

Lengths are millimetres from the board's top left corner, x to the right and y down (Garrido-Jurado et al., Automatic
generation and detection of highly reliable fiducial markers, 2014; ChArUco as OpenCV has it).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.captions import CAPTIONS
from calibration.drawing import PAPERS, Drawing, PaperName
from calibration.faces import Ink, Point
from vision.frames import Pixels

COLUMNS: Final = 8
ROWS: Final = 6
SQUARE: Final = 30.0
_MARKER: Final = 22.0
_CELLS: Final = 6  # of a marker's side, its black border included
_DICTIONARY: Final = cv2.aruco.DICT_4X4_50

LEAST_CORNERS: Final = 12
"""So many of the 35 inner corners must be seen; the rest may lie outside the picture or under a hand."""

_PATCH_LEFT: Final = COLUMNS * SQUARE + 6.0
_PATCH_WIDTH: Final = 17.0
_PATCH_HEIGHT: Final = 56.0
_PAPER: Final = 35.0  # how far the paper reaches beyond the board, at most


@dataclass(frozen=True, slots=True)
class Patch:
    """A grey rectangle of the print."""

    x: float
    y: float
    width: float
    height: float
    ink: Ink


PATCHES: Final = tuple(
    Patch(_PATCH_LEFT, n * (_PATCH_HEIGHT + 6.0), _PATCH_WIDTH, _PATCH_HEIGHT, ink)
    for n, ink in enumerate((Ink.LIGHT_GREY, Ink.MIDDLE_GREY, Ink.DARK_GREY))
)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The board in a picture: `points` (N, 2) float64 px of the inner corners with the numbers `ids` (N,)."""

    points: NDArray[np.float64]
    ids: NDArray[np.int64]


@dataclass(frozen=True)
class Board:
    """A printed board. `square` is the side of a square as measured on the print, in mm."""

    square: float = SQUARE

    @cached_property
    def _detector(self) -> cv2.aruco.CharucoDetector:
        dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
        marker = _MARKER / SQUARE * self.square
        return cv2.aruco.CharucoDetector(cv2.aruco.CharucoBoard((COLUMNS, ROWS), self.square, marker, dictionary))

    @property
    def corners(self) -> NDArray[np.float64]:
        """Inner corners by number, (35, 3) mm with z = 0."""
        return np.asarray(self._detector.getBoard().getChessboardCorners(), np.float64)

    @property
    def outline(self) -> NDArray[np.float64]:
        """The corners of what the paper surely covers, with some room, (4, 2) mm, clockwise from the upper left."""
        right, foot = _PATCH_LEFT + _PATCH_WIDTH + _PAPER, ROWS * SQUARE + _PAPER
        corners = np.array([[-_PAPER, -_PAPER], [right, -_PAPER], [right, foot], [-_PAPER, foot]])
        return corners * (self.square / SQUARE)

    @property
    def patches(self) -> NDArray[np.float64]:
        """The inner parts of the grey patches, (3, 4, 2) mm, clockwise: what is surely grey where they blur."""
        boxes = [
            [(p.x + a * p.width, p.y + b * p.height) for a, b in ((0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9))]
            for p in PATCHES
        ]
        return np.array(boxes) * (self.square / SQUARE)

    def find(self, image: Pixels) -> View | None:
        """The board in an (H, W, 3) uint8 BGR picture, None where too little of it is seen."""
        points, ids, _, _ = self._detector.detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        if ids is None or len(ids) < LEAST_CORNERS:
            return None
        view = View(np.asarray(points, np.float64).reshape(-1, 2), np.asarray(ids, np.int64).ravel())
        # Corners of one row alone say nothing about a plane.
        spread = self.corners[view.ids, :2]
        return view if np.linalg.matrix_rank(spread - spread.mean(axis=0)) == 2 else None


def print_board(paper: PaperName) -> bytes:
    """The board as a PDF of one page that lies on its side."""
    sheet = PAPERS[paper]
    title = [text.format(columns=COLUMNS, rows=ROWS, square=f"{SQUARE:g}") for text in CAPTIONS["board"]]
    drawing = Drawing(sheet, f"hupai: {title[0]}", wide=True)
    drawing.page()
    right, foot = _PATCH_LEFT + _PATCH_WIDTH, ROWS * SQUARE
    left, top = (drawing.width - right) / 2, drawing.height - drawing.margin - foot
    drawing.head(title, ("true_size", "flat"))
    drawing.bar(drawing.width - drawing.margin - 64.0, drawing.margin + 4.0)
    for area, ink in _squares():
        drawing.area([(left + x, top + y) for x, y in area], ink)
    for patch in PATCHES:
        x, y = left + patch.x, top + patch.y
        edges = [(x, y), (x + patch.width, y), (x + patch.width, y + patch.height), (x, y + patch.height)]
        drawing.area(edges, patch.ink)
    return drawing.bytes()


def _squares() -> list[tuple[list[Point], Ink]]:
    """The board as rectangles, painted one over the other."""

    def rectangle(x: float, y: float, width: float, height: float) -> list[Point]:
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]

    areas = []
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    edge, cell, number = (SQUARE - _MARKER) / 2, _MARKER / _CELLS, 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = column * SQUARE, row * SQUARE
            if (row + column) % 2 == 0:
                areas.append((rectangle(x, y, SQUARE, SQUARE), Ink.BLACK))
                continue
            areas.append((rectangle(x + edge, y + edge, _MARKER, _MARKER), Ink.BLACK))
            bits = cv2.aruco.generateImageMarker(dictionary, number, _CELLS, borderBits=1)
            areas += [
                (rectangle(x + edge + j * cell, y + edge + i * cell, cell, cell), Ink.PAPER)
                for i, j in np.argwhere(bits > 0).tolist()
            ]
            number += 1
    return areas
