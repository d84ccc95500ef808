"""The picture with what was read drawn on it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Pixels
from vision.reading import Reading

Colour = tuple[int, int, int]

# BGR; told apart by lightness too, for those who see few colours.
_CONCEALED: Final = (80, 170, 30)
_WIN: Final = (0, 90, 255)
_MELD: Final = (200, 110, 0)
_OTHER: Final = (130, 130, 130)
_INK: Final = (255, 255, 255)

_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
FORMATS: Final = (".jpg", ".jpeg", ".png", ".webp")


def annotate(frame: Frame, reading: Reading) -> Pixels:
    """The frame's picture, H×W×3 uint8 BGR, with an outline and a label for each tile.

    Labels are codes (the fonts at hand know no Chinese), `?` where only a back is seen; the winning tile's outline is
    the thick one, and its label says so.
    """
    canvas = frame.image.copy()
    unit = max(canvas.shape[:2]) / 1000
    for tile, role in zip(reading.tiles, reading.roles(), strict=True):
        corners = frame.to_image(np.array(tile.quad.outline))
        colour = _colour(role)
        thickness = max(2, round((5 if role == "win" else 2.5) * unit))
        cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, colour, thickness, cv2.LINE_AA)
        text = (tile.code or "?") + (" win" if role == "win" else "")
        _label(canvas, corners, text, colour)
    return canvas


def save(path: Path, picture: Pixels) -> None:
    """Write a picture, in the format that its name ends in.

    Raises ValueError for an ending that is none of `FORMATS`, and OSError where the file cannot be written.
    """
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path.name!r} does not end in {', '.join(FORMATS)}")
    _, data = cv2.imencode(path.suffix.lower(), picture)
    path.write_bytes(data.tobytes())


def _colour(role: str) -> Colour:
    return {"concealed": _CONCEALED, "win": _WIN, "other": _OTHER}.get(role, _MELD)


def _label(canvas: Pixels, corners: NDArray[np.float64], text: str, colour: Colour) -> None:
    """A plate with the text above the tile, a quarter of the tile high but never too small to read."""
    height, width = canvas.shape[:2]
    side = float(np.sqrt(max(1.0, abs(float(cv2.contourArea(corners.astype(np.float32)))))))
    wanted = max(0.24 * side, 0.016 * max(height, width), 11.0)
    scale = wanted / cv2.getTextSize("H", _FONT, 1.0, 2)[0][1]
    thickness = max(1, round(wanted / 9))
    (w, h), _ = cv2.getTextSize(text, _FONT, scale, thickness)
    margin = round(0.3 * h)
    centre = corners.mean(axis=0)
    top = float(corners[:, 1].min())
    x = int(np.clip(centre[0] - w / 2 - margin, 0, max(0, width - w - 2 * margin)))
    y = int(np.clip(top - h - margin, 0, max(0, height - h - 2 * margin)))
    cv2.rectangle(canvas, (x, y), (x + w + 2 * margin, y + h + 2 * margin), colour, cv2.FILLED)
    cv2.putText(canvas, text, (x + margin, y + margin + h), _FONT, scale, _INK, thickness, cv2.LINE_AA)
