"""Drawing on a tile's face: colour and ink coverage together, quickly, with sub-pixel positions.

Coordinates are face pixels (128 along the face's long side), x to the right, y down; angles are degrees clockwise.
Colours are BGR, 0..255. Colour None stands for the bare face and takes ink away again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces.art import FaceArt

LONG_SIDE = 128

Colour: TypeAlias = tuple[int, int, int]
Points: TypeAlias = NDArray[np.float32] | Sequence[tuple[float, float]]

_FINE = 2  # the planes are drawn at twice the size: cv2 strokes have whole widths only
_SHIFT = 4
_UNIT = _FINE << _SHIFT
_HALF_PIXEL = 1 << (_SHIFT - 1)


@dataclass(frozen=True, slots=True)
class Surface:
    """What a face is made of.

    `mottle` and `grain` are relative brightness changes (0 none, 0.1 strong): clouds, and streaks along the long
    side; `fibre` is how many streaks lie across. `wear` is the share of paint that is gone (0..1), `pool` how much
    darker paint is where it gathered along the edges of a groove (0..1), `unsteady` how far an unsteady hand strayed,
    share of the long side.
    """

    base: Colour
    mottle: float = 0.0
    grain: float = 0.0
    fibre: int = 24
    wear: float = 0.0
    pool: float = 0.0
    unsteady: float = 0.0


def face_size(aspect: float) -> tuple[int, int]:
    """Width and height in pixels of a face of that width/height ratio whose long side has LONG_SIDE pixels."""
    if aspect <= 1:
        return round(LONG_SIDE * aspect), LONG_SIDE
    return LONG_SIDE, round(LONG_SIDE / aspect)


@lru_cache(maxsize=16)
def _bezier_basis(degree: int, steps: int) -> NDArray[np.float32]:
    t = np.linspace(0.0, 1.0, steps)[:, None]
    if degree == 2:
        basis = np.hstack([(1 - t) ** 2, 2 * t * (1 - t), t**2])
    else:
        basis = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    return basis.astype(np.float32)


def curve(*control: tuple[float, float], steps: int = 9) -> NDArray[np.float32]:
    """Points float32 [steps, 2] on the Bézier curve of three or four control points."""
    return np.asarray(_bezier_basis(len(control) - 1, steps) @ np.array(control, np.float32), np.float32)


def clouds(rng: np.random.Generator, width: int, height: int, cells: tuple[int, int]) -> NDArray[np.float32]:
    """Smooth noise float32 [height, width], about -1..1, with `cells` (across, down) independent values."""
    coarse = rng.random((cells[1], cells[0]), dtype=np.float32) * 2 - 1
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


class Canvas:
    """A blank face to draw on; `finish` gives the art."""

    def __init__(self, width: int, height: int, base: Colour) -> None:
        self.width = width
        self.height = height
        self._bare = (*base, 0)
        self._plane = self._flat(self._bare)
        self._glyphs: list[tuple[NDArray[np.float32], tuple[float, float, float, float, float, float], Colour]] = []

    def _flat(self, paint: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        """A plane of one paint; as whole words, which is many times as fast as channel by channel."""
        word = np.array(paint, np.uint8).view(np.uint32)[0]
        return np.full((self.height * _FINE, self.width * _FINE, 1), word, np.uint32).view(np.uint8)

    def _paint(self, colour: Colour | None) -> tuple[int, int, int, int]:
        return self._bare if colour is None else (*colour, 255)

    @staticmethod
    def _fixed(points: Points) -> NDArray[np.int32]:
        return np.rint(np.asarray(points, np.float32) * _UNIT - _HALF_PIXEL).astype(np.int32)

    def fill(self, colour: Colour) -> None:
        """Paint the whole face."""
        self._plane = self._flat((*colour, 255))

    def disc(self, x: float, y: float, radius: float, colour: Colour | None) -> None:
        """A filled circle."""
        centre = (round(x * _UNIT) - _HALF_PIXEL, round(y * _UNIT) - _HALF_PIXEL)
        cv2.circle(self._plane, centre, round(radius * _UNIT), self._paint(colour), -1, cv2.LINE_AA, _SHIFT)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        """A circle line of that outer radius; what lies within becomes bare."""
        self.disc(x, y, radius, colour)
        self.disc(x, y, radius - width, None)

    def ellipse(
        self,
        x: float,
        y: float,
        radii: tuple[float, float],
        angle: float,
        colour: Colour | None,
        *,
        line: float = 0.0,
        span: tuple[float, float] = (0.0, 360.0),
    ) -> None:
        """An ellipse turned by `angle`, filled or (line > 0) an arc of that stroke width."""
        centre = (round(x * _UNIT) - _HALF_PIXEL, round(y * _UNIT) - _HALF_PIXEL)
        axes = (max(1, round(radii[0] * _UNIT)), max(1, round(radii[1] * _UNIT)))
        thickness = max(1, round(line * _FINE)) if line > 0 else -1
        cv2.ellipse(
            self._plane, centre, axes, angle, span[0], span[1], self._paint(colour), thickness, cv2.LINE_AA, _SHIFT
        )

    def stroke(self, points: Points, width: float, colour: Colour | None, *, closed: bool = False) -> None:
        """A line through the points, with round ends."""
        cv2.polylines(
            self._plane,
            [self._fixed(points)],
            closed,
            self._paint(colour),
            max(1, round(width * _FINE)),
            cv2.LINE_AA,
            _SHIFT,
        )

    def polygon(self, points: Points, colour: Colour | None) -> None:
        """A filled polygon."""
        cv2.fillPoly(self._plane, [self._fixed(points)], self._paint(colour), cv2.LINE_AA, _SHIFT)

    def rectangle(self, x0: float, y0: float, x1: float, y1: float, radius: float, colour: Colour | None) -> None:
        """A filled rectangle with corners rounded by `radius`."""
        if radius <= 0.25:
            self.polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), colour)
            return
        radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
        self.polygon(_rounded(x0, y0, x1, y1, radius), colour)

    def margin(self, inset: float, colour: Colour) -> None:
        """Show the piece itself, in that colour and without ink, outside a label that ends `inset` from the edge."""
        w, h, far = self.width, self.height, 4.0
        outer = self._fixed(((-far, -far), (w + far, -far), (w + far, h + far), (-far, h + far)))
        inner = self._fixed(_rounded(inset, inset, w - inset, h - inset, 0.4 * inset))
        cv2.fillPoly(self._plane, [outer, inner], (*colour, 0), cv2.LINE_AA, _SHIFT)

    def leaf(self, tail: tuple[float, float], tip: tuple[float, float], width: float, colour: Colour | None) -> None:
        """A pointed leaf from `tail` to `tip`, `width` at its widest."""
        (x0, y0), (x1, y1) = tail, tip
        nx, ny = (y0 - y1), (x1 - x0)
        length = max(1e-3, float(np.hypot(nx, ny)))
        nx, ny = nx / length * width, ny / length * width
        mx, my = (x0 + x1) / 2, (y0 + y1) / 2
        there = curve((x0, y0), (mx + nx, my + ny), (x1, y1), steps=6)
        back = curve((x1, y1), (mx - nx, my - ny), (x0, y0), steps=6)
        self.polygon(np.vstack([there, back]), colour)

    def glyph(
        self,
        mask: NDArray[np.float32],
        x: float,
        y: float,
        size: tuple[float, float],
        colour: Colour,
        *,
        turn: float = 0.0,
        rise: float = 0.0,
    ) -> None:
        """A glyph's coverage [s, s], centred at (x, y), stretched to `size` and turned; above all other drawing.

        `rise` slants its level strokes upwards to the right, as a brush does (0.1: by a tenth of the width).
        """
        self._glyphs.append((mask, (x, y, size[0], size[1], turn, rise), colour))

    def finish(self, surface: Surface, rng: np.random.Generator, *, shift: float = 0.02, turn: float = 1.2) -> FaceArt:
        """The face as this one piece came out: shifted by up to `shift` of its long side, turned by up to `turn`
        degrees, its paint worn and its material uneven as `surface` says."""
        width, height = self.width, self.height
        dx, dy, spin, scale = rng.uniform(-1.0, 1.0, 4)
        angle = np.deg2rad(turn * spin)
        zoom = 1.0 + 0.015 * scale
        cos, sin = zoom * float(np.cos(angle)), zoom * float(np.sin(angle))
        cx, cy = width / 2, height / 2
        slip = shift * max(width, height)
        tx = cx - cos * cx + sin * cy + slip * dx * width / max(width, height)
        ty = cy - sin * cx - cos * cy + slip * dy * height / max(width, height)
        placed = _pixel_affine(cos / _FINE, -sin / _FINE, tx, sin / _FINE, cos / _FINE, ty)
        plane = cv2.warpAffine(
            self._plane, placed, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        colour = plane[:, :, :3].astype(np.float32)
        ink = plane[:, :, 3].astype(np.float32) * np.float32(1 / 255)
        for mask, (x, y, w, h, lean, rise), paint in self._glyphs:
            side = mask.shape[0]
            a, b = float(np.cos(np.deg2rad(lean))), float(np.sin(np.deg2rad(lean)))
            # glyph square -> its place on the face -> the piece's own jitter
            m00, m01 = (a * w + b * h * rise) / side, -b * h / side
            m10, m11 = (b * w - a * h * rise) / side, a * h / side
            p00, p01 = cos * m00 - sin * m10, cos * m01 - sin * m11
            p10, p11 = sin * m00 + cos * m10, sin * m01 + cos * m11
            mx, my = cos * x - sin * y + tx, sin * x + cos * y + ty
            reach_x, reach_y = (abs(p00) + abs(p01)) * side / 2 + 1, (abs(p10) + abs(p11)) * side / 2 + 1
            x0, x1 = max(0, int(mx - reach_x)), min(width, int(mx + reach_x) + 1)
            y0, y1 = max(0, int(my - reach_y)), min(height, int(my + reach_y) + 1)
            if x1 <= x0 or y1 <= y0:
                continue
            ox, oy = mx - (p00 + p01) * side / 2 - x0, my - (p10 + p11) * side / 2 - y0
            affine = _pixel_affine(p00, p01, ox, p10, p11, oy)
            cover = cv2.warpAffine(mask, affine, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
            np.maximum(ink[y0:y1, x0:x1], cover, out=ink[y0:y1, x0:x1])
            part = colour[y0:y1, x0:x1]
            part += (np.array(paint, np.float32) - part) * cover[:, :, None]
        if surface.unsteady > 0:
            reach = surface.unsteady * max(width, height)
            columns, rows = _grid(width, height)
            xs = columns + clouds(rng, width, height, (6, 8)) * reach
            ys = rows + clouds(rng, width, height, (6, 8)) * reach
            drawn = np.dstack([colour, ink])
            drawn = np.asarray(cv2.remap(drawn, xs, ys, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE), np.float32)
            colour, ink = np.ascontiguousarray(drawn[:, :, :3]), np.ascontiguousarray(drawn[:, :, 3])
        if surface.wear > 0:
            spots = clouds(rng, width, height, (11, 15)) * 0.6 + clouds(rng, width, height, (34, 46)) * 0.6
            gone = np.clip((spots - (1.0 - 1.6 * surface.wear)) * 4, 0, 1) * ink
            colour += (np.array(surface.base, np.float32) - colour) * gone[:, :, None]
        shade = np.ones((height, width), np.float32)
        if surface.mottle > 0:
            shade += clouds(rng, width, height, (3, 4)) * surface.mottle
        if surface.grain > 0:
            across, along = (surface.fibre, 4) if height >= width else (4, surface.fibre)
            shade += clouds(rng, width, height, (across, along)) * surface.grain
        if surface.pool > 0:
            edge = ink * (1 - cv2.blur(ink, (3, 3)))
            shade -= edge * (1.8 * surface.pool)
        colour *= shade[:, :, None]
        return FaceArt(np.clip(colour, 0, 255).astype(np.uint8), np.clip(ink, 0, 1))


@lru_cache(maxsize=64)
def _grid(width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The column and the row of every pixel."""
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    return columns, rows


def _pixel_affine(a: float, b: float, tx: float, c: float, d: float, ty: float) -> NDArray[np.float64]:
    """The matrix for cv2, whose whole numbers lie at pixel centres, of a map between continuous coordinates."""
    return np.array([[a, b, tx + (a + b) / 2 - 0.5], [c, d, ty + (c + d) / 2 - 0.5]], np.float64)


@lru_cache(maxsize=1)
def _quarter() -> NDArray[np.float32]:
    angle = np.linspace(0, np.pi / 2, 6)
    return np.stack([np.cos(angle), np.sin(angle)], 1).astype(np.float32)


def _rounded(x0: float, y0: float, x1: float, y1: float, radius: float) -> NDArray[np.float32]:
    arc = _quarter() * radius
    flip = arc[::-1]
    corners = (
        arc + np.array((x1 - radius, y1 - radius)),
        flip * (-1, 1) + np.array((x0 + radius, y1 - radius)),
        np.array((x0 + radius, y0 + radius)) - arc,
        flip * (1, -1) + np.array((x1 - radius, y0 + radius)),
    )
    return np.vstack(corners).astype(np.float32)
