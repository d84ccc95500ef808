"""The printed board as a known camera sees it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from photographed import PX, Picture, rendered

from calibration.board import print_board

Floats = NDArray[np.float64]

SIZE = (640, 480)
MATRIX = np.array([[560.0, 0, 326.0], [0, 560.0, 235.0], [0, 0, 1]])
DISTORTION = np.array([-0.21, 0.05, 0.001, -0.0015, 0.0])
TABLE = (96.0, 128.0, 150.0)


@dataclass(frozen=True)
class Pose:
    """How the board lies before the camera: turned about x, y and z by degrees, its middle at (x, y, away) mm."""

    turn: tuple[float, float, float]
    away: float
    x: float = 0.0
    y: float = 0.0

    def frame(self) -> tuple[Floats, Floats]:
        """Rotation (3, 3) and translation (3,) from the page's mm, whose middle is (148.5, 105), to the camera's."""
        rotation = np.eye(3)
        for axis, degrees in zip(np.eye(3), self.turn, strict=True):
            rotation = cv2.Rodrigues(np.radians(degrees) * axis)[0] @ rotation
        return rotation, np.array([self.x, self.y, self.away]) - rotation @ [148.5, 105.0, 0.0]


VIEWS = (
    Pose((25, 0, 5), 400, -60, -40),
    Pose((-28, 5, -10), 420, 70, 45),
    Pose((5, 30, 0), 400, -70, 50),
    Pose((0, -28, 15), 410, 75, -50),
    Pose((20, 20, 90), 460),
    Pose((-18, 22, -30), 380, -30, 30),
    Pose((15, -25, 170), 400, 20, 10),
)
FLAT = Pose((22, -6, 12), 520, -25, 10)


def page() -> Picture:
    """The board's page on A4, 300 dots per inch."""
    return rendered(print_board("a4"))[0]


@cache
def _rays() -> Floats:
    """For each pixel, the point at distance 1 that it sees: Brown's model turned round by iteration."""
    x, y = np.meshgrid(np.arange(SIZE[0], dtype=np.float64), np.arange(SIZE[1], dtype=np.float64))
    bent = np.stack([(x - MATRIX[0, 2]) / MATRIX[0, 0], (y - MATRIX[1, 2]) / MATRIX[1, 1]], -1).reshape(-1, 2)
    k1, k2, p1, p2, _ = DISTORTION
    straight = bent.copy()
    for _ in range(20):
        u, v = straight.T
        r2 = u * u + v * v
        shift = np.stack([2 * p1 * u * v + p2 * (r2 + 2 * u * u), p1 * (r2 + 2 * v * v) + 2 * p2 * u * v], -1)
        straight = (bent - shift) / (1 + k1 * r2 + k2 * r2 * r2)[:, None]
    return straight


def seen(
    board: Picture, pose: Pose, *, cast: tuple[float, float, float] = (1, 1, 1), table: Picture | None = None
) -> Picture:
    """The page in that pose through the lens, on a table in the page's plane that shows `table` (1 px a mm)."""
    width, height = SIZE
    rays = _rays()
    rotation, shift = pose.frame()
    plane = np.linalg.inv(np.column_stack([rotation[:, 0], rotation[:, 1], shift]))
    mapped = np.column_stack([rays, np.ones(len(rays))]) @ plane.T
    mm = (mapped[:, :2] / mapped[:, 2:]).reshape(height, width, 2)
    ground = np.full((height, width, 3), TABLE, np.float32)
    if table is not None:
        where = (mm + 400).astype(np.float32)
        ground = cv2.remap(
            table.astype(np.float32), where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
    soft = cv2.GaussianBlur(board, (0, 0), 3.0)  # a page pixel is finer than the camera's
    at = (mm * PX - 0.5).astype(np.float32)
    drawn = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    inside = ((mm >= 0) & (mm <= (297, 210))).all(axis=2)
    picture = np.where(inside[..., None], drawn, ground)
    rng = np.random.default_rng(int(pose.away))
    picture = cv2.GaussianBlur(picture * (0.85, 0.85, 0.85) * np.array(cast), (0, 0), 0.6) + rng.normal(
        0, 2, picture.shape
    )
    return np.clip(picture, 0, 255).astype(np.uint8)
