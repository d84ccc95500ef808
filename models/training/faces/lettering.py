"""Which font a set is lettered in, and the Latin letters and figures that the glyph bank does not hold."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces.glyphs import GlyphBank

LATIN_FACES = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)

# Fonts, by the beginnings of their names, that look written with a brush or carved after such writing.
BRUSH = (
    "AoyagiKouzanT",
    "TW-Kai",
    "UnGungseo",
    "aoyagi-soseki",
    "bkai00mp",
    "cwfs",
    "cwkai",
    "gkai00mp",
    "klee-one",
    "kouzan-mouhitsu",
    "lxgw-wenkai",
    "ma-shan-zheng",
    "stroke:",
    "ukai",
    "yuji-boku",
)

_MOST = 4096
_chosen: dict[tuple[tuple[str, ...], str, int, bool], str] = {}


def font_for(glyphs: GlyphBank, chars: str, seed: int, *, brush: bool = False) -> str:
    """A font that has all of `chars`, the same one for the same bank, characters and seed.

    With `brush` one of the BRUSH fonts where the bank has any. Raises ValueError where no font has the characters.
    """
    key = (glyphs.fonts, chars, seed, brush)
    if key not in _chosen:
        if len(_chosen) >= _MOST:
            _chosen.clear()
        rng = np.random.default_rng(seed)
        written = [name for name in glyphs.fonts_with(chars) if name.startswith(BRUSH)] if brush else []
        _chosen[key] = written[int(rng.integers(len(written)))] if written else glyphs.sample_font(chars, rng)
    return _chosen[key]


@lru_cache(maxsize=1024)
def latin(char: str, face: int, weight: int) -> NDArray[np.float32]:
    """Coverage float32 [48, 48] in 0..1 of one ASCII character, its ink centred, the longer side filling the square.

    `face` is one of LATIN_FACES, `weight` the stroke in whole steps, 1 (thin) to 5 (bold).
    """
    drawn = np.zeros((160, 160), np.uint8)
    cv2.putText(drawn, char, (30, 120), face, 3.0, 255, 2 + 3 * weight, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(drawn)
    side = max(w, h)
    square = np.zeros((side, side), np.float32)
    top, left = (side - h) // 2, (side - w) // 2
    square[top : top + h, left : left + w] = drawn[y : y + h, x : x + w]
    small = cv2.resize(square, (48, 48), interpolation=cv2.INTER_AREA) / np.float32(255)
    small.setflags(write=False)
    return np.asarray(small, np.float32)
