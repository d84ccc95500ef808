"""A small bank of made-up glyphs: drawing faces needs no font on the machine."""

import json
from pathlib import Path

import cv2
import numpy as np

from models.training.faces.glyphs import CHARACTERS, SIDE, SPREAD, GlyphBank


def made_up_bank(fonts: tuple[str, ...] = ("print", "stroke:00")) -> GlyphBank:
    """Fonts, those called stroke:.. drawn from strokes by their name, in which every character is four random lines."""
    fields = np.zeros((len(fonts), len(CHARACTERS), SIDE, SIDE), np.uint8)
    for row in range(len(fonts)):
        for column in range(len(CHARACTERS)):
            rng = np.random.default_rng((row, column))
            drawn = np.zeros((SIDE, SIDE), np.uint8)
            for x0, y0, x1, y1 in rng.integers(8, SIDE - 8, (4, 4)).tolist():
                cv2.line(drawn, (x0, y0), (x1, y1), 1, 7)
            signed = cv2.distanceTransform(drawn, cv2.DIST_L2, 3) - cv2.distanceTransform(1 - drawn, cv2.DIST_L2, 3)
            fields[row, column] = np.clip(128 + 127 * signed / SPREAD, 1, 255).astype(np.uint8)
    return GlyphBank(fonts, CHARACTERS, fields, np.ones((len(fonts), len(CHARACTERS)), bool))


def write_bank(bank: GlyphBank, folder: Path) -> None:
    """Write the bank as `models.training.faces.glyphs.build` does, for `GlyphBank.load`."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "glyphs.npy", bank.fields)
    index = {"fonts": bank.fonts, "characters": bank.characters, "present": bank.present.tolist()}
    (folder / "glyphs.json").write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")
