"""Which font a set is lettered in, and the Latin letters and figures that the glyph bank does not hold."""

from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces.glyphs import GlyphBank

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

# Parts of the names of fonts too thin to be cut or printed on a piece.
THIN = ("-100", "-200", "Thin", "ExtraLight")

DRAWN = "stroke:"  # fonts drawn from strokes by an unsteady hand
DRAWN_SHARE = 0.4  # of the choices that may fall on one of these, so that they do not crowd out the cut ones

_MOST = 4096
_chosen: dict[tuple[tuple[str, ...], str, int, bool], str] = {}


def font_for(glyphs: GlyphBank, chars: str, seed: int, *, brush: bool = False) -> str:
    """A font that has all of `chars`, the same one for the same bank, characters and seed.

    With `brush` one of the BRUSH fonts where the bank has any; THIN ones only where it has no other. Raises ValueError
    where no font has the characters.
    """
    key = (glyphs.fonts, chars, seed, brush)
    if key not in _chosen:
        if len(_chosen) >= _MOST:
            _chosen.clear()
        names = glyphs.fonts_with(chars)
        if not names:
            raise ValueError(f"no font has all of {chars!r}")
        rng = np.random.default_rng(seed)
        fit = [name for name in names if not any(part in name for part in THIN)] or names
        if brush:
            fit = [name for name in fit if name.startswith(BRUSH)] or fit
        if rng.random() > DRAWN_SHARE:
            fit = [name for name in fit if not name.startswith(DRAWN)] or fit
        _chosen[key] = fit[int(rng.integers(len(fit)))]
    return _chosen[key]


Stroke: TypeAlias = tuple[tuple[float, float], ...]


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> Stroke:
    """Points on an ellipse from one angle to another, in degrees, 0 to the right and 90 downwards."""
    angles = np.deg2rad(np.linspace(start, end, 2 + round(abs(end - start) / 15)))
    return tuple(zip((cx + rx * np.cos(angles)).tolist(), (cy + ry * np.sin(angles)).tolist(), strict=True))


_BOWL: Stroke = ((0.0, 0.0), (0.25, 0.0), *_arc(0.25, 0.26, 0.29, 0.26, -90, 90), (0.0, 0.52))

# How the figures and letters that stand on tiles are written: strokes in a box 1 high, y downwards.
FIGURES: dict[str, tuple[Stroke, ...]] = {
    "0": (_arc(0.3, 0.5, 0.3, 0.5, 0, 360),),
    "1": (((0.08, 0.22), (0.3, 0.0), (0.3, 1.0)),),
    "2": ((*_arc(0.3, 0.28, 0.28, 0.28, -170, 35), (0.02, 1.0), (0.6, 1.0)),),
    "3": ((*_arc(0.28, 0.25, 0.26, 0.25, -160, 90), (0.2, 0.5)), (*_arc(0.28, 0.74, 0.3, 0.26, -90, 160),)),
    "4": (((0.45, 1.0), (0.45, 0.0), (0.0, 0.7), (0.62, 0.7)),),
    "5": (((0.54, 0.0), (0.1, 0.0), (0.06, 0.46), *_arc(0.27, 0.68, 0.31, 0.32, -135, 150)),),
    "6": (_arc(0.3, 0.69, 0.29, 0.31, 0, 360), ((0.5, 0.02), (0.22, 0.22), (0.04, 0.5), (0.01, 0.69))),
    "7": (((0.0, 0.0), (0.6, 0.0), (0.2, 1.0)),),
    "8": (_arc(0.3, 0.24, 0.24, 0.24, 0, 360), _arc(0.3, 0.74, 0.3, 0.26, 0, 360)),
    "9": (_arc(0.3, 0.31, 0.29, 0.31, 0, 360), ((0.59, 0.31), (0.56, 0.5), (0.38, 0.78), (0.1, 0.98))),
    "E": (((0.55, 0.0), (0.0, 0.0), (0.0, 1.0), (0.56, 1.0)), ((0.0, 0.48), (0.45, 0.48))),
    "S": ((*_arc(0.3, 0.25, 0.27, 0.25, -20, -250), *_arc(0.3, 0.75, 0.29, 0.25, -70, 160)),),
    "W": (((0.0, 0.0), (0.2, 1.0), (0.4, 0.2), (0.6, 1.0), (0.8, 0.0)),),
    "N": (((0.0, 1.0), (0.0, 0.0), (0.58, 1.0), (0.58, 0.0)),),
    "C": (_arc(0.34, 0.5, 0.34, 0.5, -50, -310),),
    "F": (((0.55, 0.0), (0.0, 0.0), (0.0, 1.0)), ((0.0, 0.48), (0.45, 0.48))),
    "P": (((0.0, 1.0), (0.0, 0.0)), _BOWL),
    "B": (
        ((0.0, 1.0), (0.0, 0.0)),
        (*_BOWL[:-1], (0.28, 0.52), *_arc(0.28, 0.76, 0.3, 0.24, -90, 90), (0.0, 1.0)),
        ((0.0, 0.52), (0.28, 0.52)),
    ),
}


@lru_cache(maxsize=2048)
def figure(char: str, seed: int) -> NDArray[np.float32]:
    """Coverage float32 [48, 48] in 0..1 of one of FIGURES, centred, its longer side filling the square.

    The seed settles the hand: width, slant, thickness, thin level strokes, serifs. Raises KeyError for any other.
    """
    rng = np.random.default_rng(seed)
    pen = float(rng.uniform(0.08, 0.26))
    squeeze, slant = float(rng.uniform(0.75, 1.3)), float(rng.uniform(0.0, 0.22)) if rng.random() < 0.3 else 0.0
    flat = float(rng.uniform(1.3, 2.2)) if rng.random() < 0.4 else 1.0  # level strokes are that much thinner
    serif = rng.random() < 0.4
    unit = 96
    drawn = np.zeros((round(2 * unit * flat), 2 * unit), np.uint8)
    strokes = list(FIGURES[char])
    if serif:
        for stroke in FIGURES[char]:
            for (x, y), (nx, ny) in ((stroke[0], stroke[1]), (stroke[-1], stroke[-2])):
                if abs(ny - y) > 0.4 and y in (0.0, 1.0):
                    strokes.append(((x - 0.14, y), (x + 0.14, y)))
                elif abs(nx - x) > 0.3 and char in "EF27":
                    strokes.append(((x, y), (x, y + (0.14 if y < 0.5 else -0.14))))
    for stroke in strokes:
        points = np.array(stroke)
        across = 0.5 * unit + unit * (points[:, 0] * squeeze + slant * (1 - points[:, 1]))
        down = (0.5 + points[:, 1]) * unit * flat
        fixed = np.rint(np.stack([across, down], 1) * 16).astype(np.int32)
        cv2.polylines(drawn, [fixed], False, 255, max(1, round(pen * unit)), cv2.LINE_AA, 4)
    if flat > 1:
        drawn = np.asarray(cv2.resize(drawn, (2 * unit, 2 * unit), interpolation=cv2.INTER_AREA), np.uint8)
    small = _squared(drawn, 48)
    small.setflags(write=False)
    return small


def stroked(text: str, font: int, thick: int) -> NDArray[np.float32]:
    """Coverage float32 [96, 96] of a letter or two in one of OpenCV's stroke fonts, `thick` px of about 90 high."""
    drawn = np.zeros((260, 420), np.uint8)
    cv2.putText(drawn, text, (70, 180), font, 4.0, 255, thick, cv2.LINE_AA)
    return _squared(drawn, 96)


def _squared(drawn: NDArray[np.uint8], size: int) -> NDArray[np.float32]:
    """Coverage float32 [size, size] in 0..1 of what is drawn, centred, its longer side filling the square."""
    left, top, w, h = cv2.boundingRect(drawn)
    side = max(w, h)
    square = np.zeros((side, side), np.float32)
    y0, x0 = (side - h) // 2, (side - w) // 2
    square[y0 : y0 + h, x0 : x0 + w] = drawn[top : top + h, left : left + w]
    return np.asarray(cv2.resize(square, (size, size), interpolation=cv2.INTER_AREA) / 255, np.float32)
