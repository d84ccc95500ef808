"""Pictures of the board from a camera on this machine, kept where the board lies differently than before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.camera import LEAST_VIEWS, CameraError
from vision.frames import Pixels

WANTED: Final = 12
PATIENCE: Final = 120.0  # seconds without a new view
_SHIFT: Final = 0.08  # of the picture's width: how far the board must lie from where every other view has it


def grabbed(device: int) -> Iterator[Pixels]:
    """The pictures of a camera, (H, W, 3) uint8 BGR, for as long as they are asked for.

    Raises CameraError where it gives none.
    """
    capture = cv2.VideoCapture(device)
    try:
        while True:
            got, picture = capture.read()
            if not got:
                raise CameraError(
                    "no_picture",
                    f"camera {device} gives no picture: see that it is plugged in and that no other program uses it",
                )
            yield np.asarray(picture, np.uint8)
    finally:
        capture.release()


def distinct(
    pictures: Iterable[Pixels],
    board: Board,
    say: Callable[[int], None],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> list[Pixels]:
    """Pictures in which the board lies differently; `say` hears of each how many there are.

    Ends with `WANTED` of them, or sooner where none comes for long. Raises CameraError where they are too few then.
    """
    kept: list[Pixels] = []
    placed: list[NDArray[np.float64]] = []
    last = clock()
    for picture in pictures:
        if (view := board.find(picture)) is not None:
            places = np.full((len(board.corners), 2), np.nan)
            places[view.ids] = view.points
            if all(_apart(places, other) > _SHIFT * picture.shape[1] for other in placed):
                kept.append(picture)
                placed.append(places)
                last = clock()
                say(len(kept))
        if len(kept) == WANTED or clock() - last > PATIENCE:
            break
    if len(kept) < LEAST_VIEWS:
        raise CameraError(
            "too_few_views", f"only {len(kept)} views of the board were got: add light, come closer, hold it still"
        )
    return kept


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Mean distance of the corners that both views have, px; without bound where they share none."""
    distances = np.linalg.norm(one - other, axis=1)
    shared = distances[~np.isnan(distances)]
    return float(shared.mean()) if len(shared) else float("inf")
