"""The value that every face painter returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class FaceArt:
    """The upright face of one piece, full-bleed.

    `colour`: (H, W, 3) uint8 BGR, the colours in white light; the long side is 128 px.
    `ink`: (H, W) float32 in 0..1, 1 where the face is engraved or printed; the scene renderer shades and glosses it.
    """

    colour: NDArray[np.uint8]
    ink: NDArray[np.float32]
