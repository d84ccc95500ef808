"""The value that every face painter returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

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


class PieceStyle(Protocol):
    """What the scene renderer asks of any family's style: the look of one whole set."""

    @property
    def aspect(self) -> float:
        """Width over height of the upright face."""

    @property
    def body(self) -> tuple[int, int, int]:
        """BGR of the sides."""

    @property
    def back(self) -> tuple[int, int, int]:
        """BGR of the back."""

    @property
    def thickness(self) -> float:
        """Height of a lying piece over the width of its face."""
