"""A small bank of made-up glyphs: drawing faces needs no font on the machine."""

import cv2
import numpy as np

from models.training.faces.glyphs import CHARACTERS, SIDE, SPREAD, GlyphBank


def made_up_bank() -> GlyphBank:
    """Two fonts, one of them drawn from strokes by its name, in which every character is four random strokes."""
    names = ("print", "stroke:00")
    fields = np.zeros((len(names), len(CHARACTERS), SIDE, SIDE), np.uint8)
    for row in range(len(names)):
        for column in range(len(CHARACTERS)):
            rng = np.random.default_rng((row, column))
            drawn = np.zeros((SIDE, SIDE), np.uint8)
            for x0, y0, x1, y1 in rng.integers(8, SIDE - 8, (4, 4)).tolist():
                cv2.line(drawn, (x0, y0), (x1, y1), 1, 7)
            signed = cv2.distanceTransform(drawn, cv2.DIST_L2, 3) - cv2.distanceTransform(1 - drawn, cv2.DIST_L2, 3)
            fields[row, column] = np.clip(128 + 127 * signed / SPREAD, 1, 255).astype(np.uint8)
    return GlyphBank(names, CHARACTERS, fields, np.ones((len(names), len(CHARACTERS)), bool))
