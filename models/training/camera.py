"""The camera and the lamp over a rendered table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole: `project` takes (n, 3) points of the table to (n, 2) pixels."""

    place: Floats
    axes: Floats  # rows: right, down, forward
    focal: float
    centre: Floats

    @classmethod
    def looking_at(
        cls, middle: Floats, away: float, elevation: float, around: float, roll: float, focal: float, centre: Floats
    ) -> Camera:
        """A camera so far away from a point of the table, (3,), that it sees at the pixel `centre`, (2,).

        Angles are in radians: `elevation` over the table, `around` from the viewer's side, `roll` about its own axis.
        """
        heading = np.array([np.sin(around), -np.cos(around), 0.0])
        place = middle + away * (np.cos(elevation) * heading + np.array([0, 0, np.sin(elevation)]))
        forward = (middle - place) / away
        right = np.cross(forward, [0, 0, 1.0])
        if np.linalg.norm(right) < 1e-6:
            right = np.array([np.cos(around), np.sin(around), 0.0])
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        c, s = np.cos(roll), np.sin(roll)
        axes = np.stack([c * right + s * down, -s * right + c * down, forward])
        return cls(place, axes, focal, centre)

    def project(self, points: Floats) -> Floats:
        seen = (points - self.place) @ self.axes.T
        return self.centre + self.focal * seen[:, :2] / np.maximum(seen[:, 2:], 1e-3)


def facing(points: Floats, side: tuple[int, int], zoom: float, standing: bool, rng: np.random.Generator) -> Camera:
    """A camera that has the points in view; their width of a face becomes about `zoom` px."""
    middle = points.mean(axis=0)
    spread = max(2.0, float(np.ptp(points[:, :2], axis=0).max()))
    if standing:
        elevation = np.radians(rng.uniform(8, 45) if rng.random() < 0.6 else rng.uniform(30, 62))
    else:
        elevation = np.radians(rng.choice([rng.uniform(22, 90), rng.uniform(55, 90)], p=[0.65, 0.35]))
    around = rng.normal(0, 0.25) if standing or rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    away = spread * rng.uniform(1.1, 4.0) + 2
    roll = rng.normal(0, 0.06) if rng.random() < 0.8 else rng.uniform(-np.pi, np.pi)
    width, height = side
    shift = rng.uniform(-0.5, 0.5, 2) * np.maximum(0, np.array([width, height]) - 0.7 * spread * zoom)
    centre = np.array([width / 2, height / 2]) + shift * 0.8
    return Camera.looking_at(middle, away, elevation, around, roll, zoom * away, centre)


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp: the direction towards it, how soft (px) and how deep (0..1) its shadows are, how much light has none."""

    towards: Floats
    soft: float
    deep: float
    ambient: float

    @classmethod
    def sample(cls, rng: np.random.Generator) -> Light:
        """Some lamp."""
        angle, lean = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.6)
        towards = np.array([np.cos(angle) * lean, np.sin(angle) * lean, 1.0])
        towards /= np.linalg.norm(towards)
        return cls(towards, float(rng.uniform(0.6, 5.0)), float(rng.uniform(0.15, 0.75)), float(rng.uniform(0.45, 0.9)))
