"""Sides of standing tiles that look like tiles face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.patches import sides
from vision.reading import Sighting

# A back adjoins a face where both ends of an edge lie so near to those of one of the face's, in lengths of the edge;
# and is the side of the tile that shows the face where, from that edge on, it reaches less than so much as far.
NEAR: Final = 0.25
SHALLOW: Final = 0.75


def without_sides(sightings: Sequence[Sighting]) -> list[Sighting]:
    """The sightings without backs that are a side of a standing tile whose face is seen too.

    Such a side shares an edge with the face and is foreshortened; tiles that lie beside each other are alike.
    """
    flat = [seen for seen in sightings if not seen.quad.round]
    edges, depths = _edges([seen for seen in flat if seen.quad.face == "down"])
    faces, reaches = _edges([seen for seen in flat if seen.quad.face == "up"])
    ends = np.linalg.norm(edges[:, None] - faces[None, :, ::-1], axis=3).max(axis=2)
    lengths = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
    shared = (ends < NEAR * lengths[:, None]) & (depths[:, None] < SHALLOW * reaches[None])
    dropped = iter(shared.any(axis=1).reshape(-1, 4).any(axis=1).tolist())
    return [seen for seen in sightings if seen.quad.round or seen.quad.face == "up" or not next(dropped)]


def _edges(sightings: Sequence[Sighting]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of N quads, the 4N edges (4N, 2, 2) clockwise, four a quad, and how far each quad reaches from there (4N,)."""
    corners = np.array([seen.quad.corners for seen in sightings], np.float64).reshape(-1, 4, 2)
    across, down = sides(corners)
    edges = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)
    return edges.reshape(-1, 2, 2), np.stack([down, across, down, across], axis=1).reshape(-1)
