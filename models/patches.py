"""How a tile's patch is cut, the same for the namer's training and for reading: what it learned is what it is shown."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

PATCH: Final = 64  # px, the side of a patch
ENLARGE: Final = 1.08  # of a quad about its centre
COARSEST: Final = 1.5  # pixels of the picture between two of a patch, at most; beyond that it is made smaller first


def stood_up(corners: NDArray[np.float64], discs: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The (N, 4, 2) corners of quads, those of rectangles turned so that the long side is vertical in the patch."""
    across, down = sides(corners)
    lying = (across > down) & ~discs
    return np.asarray(np.where(lying[:, None, None], np.roll(corners, -1, axis=1), corners), np.float64)


def enlarged(corners: NDArray[np.float64], times: float | NDArray[np.float64] = ENLARGE) -> NDArray[np.float64]:
    """The (N, 4, 2) corners moved away from each quad's centre."""
    centre = corners.mean(axis=1, keepdims=True)
    return np.asarray(centre + times * (corners - centre), np.float64)


def shorter(corners: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """The shorter side of each of the (N, 4, 2) quads, opposite sides averaged, (N,)."""
    return np.asarray(np.minimum(*sides(corners)), np.float64)


def sides(corners: NDArray[np.floating[Any]]) -> tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]:
    """How long each quad is from corner 0 to 1 and from 0 to 3, (N,) each, opposite sides averaged."""
    lengths = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    return (lengths[:, 0] + lengths[:, 2]) / 2, (lengths[:, 1] + lengths[:, 3]) / 2
