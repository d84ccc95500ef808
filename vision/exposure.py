"""Dark pictures made light, as the networks know them; a room at night costs no tiles."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.frames import Pixels

# The level, of 255, to which the lightest hundredth of a picture is raised, how far at most, and from how much on.
LIGHT: Final = 235.0
MOST: Final = 8.0
WORTH: Final = 1.05

_SAMPLES: Final = 96  # places along each side at which a picture's light is measured


def brightening(image: Pixels) -> float:
    """By how much the H×W×3 image is to be multiplied so that its lightest parts are light: 1 to `MOST`."""
    height, width = image.shape[:2]
    sampled = image[:: max(1, height // _SAMPLES), :: max(1, width // _SAMPLES)]
    lightest = float(np.percentile(sampled.max(axis=2), 99))
    return float(np.clip(LIGHT / max(lightest, 1.0), 1.0, MOST))


def brightened(pixels: Pixels, gain: float) -> Pixels:
    """Pixels of any shape, uint8, multiplied by a gain; themselves where that is not worth while."""
    if gain < WORTH or not pixels.size:
        return pixels
    lighter = cv2.convertScaleAbs(pixels.reshape(len(pixels), -1), alpha=gain)
    return np.asarray(lighter, np.uint8).reshape(pixels.shape)


def lightened(patches: Pixels) -> Pixels:
    """N×H×W×3 patches of one photo made light by what they show themselves, where the photo is not at hand."""
    if not len(patches):
        return patches
    return brightened(patches, brightening(patches.reshape(-1, *patches.shape[2:])))
