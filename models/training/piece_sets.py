"""A piece set in a fresh style: its size, its edges, and its faces drawn once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from types import ModuleType

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import materials
from models.training.faces import junqi, mahjong, marks, paigow, xiangqi
from models.training.faces.art import FaceArt, PieceStyle
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import Size
from models.training.scraps import Scraps
from scoring.tiles import Family, tiles_of

Picture = NDArray[np.uint8]

CODES = {family.value: tuple(tile.code for tile in tiles_of(family)) for family in Family}
FAMILIES = tuple(CODES)
Style = xiangqi.XiangqiStyle | junqi.JunqiStyle | paigow.PaigowStyle | mahjong.MahjongStyle
_SIDE = 128


@dataclass
class PieceSet:
    """A style of one family with its faces drawn once: each as (size, size or so, 4) BGRA at three scales.

    Of a disc, `chamfer` is the share of the radius that slopes, and `flutes` the teeth of a bottle cap's skirt, 0 for
    none; of a block, `rounded` is the share of the width over which the face bends into the sides. `seam` darkens the
    outline of every piece, as the joint of touching pieces is dark.
    """

    style: PieceStyle
    size: Size
    paint: Callable[[str, np.random.Generator], FaceArt]
    relief: float
    corner: float
    bevel: float
    chamfer: float
    flutes: int
    rounded: float
    seam: float
    two_layers: bool
    back: FaceArt
    cache: dict[tuple[str, int], list[Picture]] = field(default_factory=dict)

    def face(
        self, code: str | None, variant: int, light: tuple[float, float], rng: np.random.Generator
    ) -> list[Picture]:
        """The pyramid of a face (or, for None, the back), shaded for the relief of its ink under that light."""
        key = (code or "", variant)
        if key not in self.cache:
            art = self.paint(code, rng) if code else self.back
            colour = art.colour.astype(np.float32)
            if self.relief and code:
                soft = cv2.GaussianBlur(art.ink, (0, 0), 1.2)
                slope = light[0] * cv2.Sobel(soft, cv2.CV_32F, 1, 0) + light[1] * cv2.Sobel(soft, cv2.CV_32F, 0, 1)
                colour *= (1 + self.relief * slope)[..., None]
            height, width = colour.shape[:2]
            alpha = np.zeros((height, width), np.uint8)
            if self.size.round:
                cv2.ellipse(alpha, (width // 2, height // 2), (width // 2 - 1, height // 2 - 1), 0, 0, 360, 255, -1)
            else:
                r = max(1, int(self.corner * min(height, width)))
                cv2.rectangle(alpha, (r, 1), (width - r - 1, height - 2), 255, -1)
                cv2.rectangle(alpha, (1, r), (width - 2, height - r - 1), 255, -1)
                for cx in (r, width - r - 1):
                    for cy in (r, height - r - 1):
                        cv2.circle(alpha, (cx, cy), r - 1, 255, -1, cv2.LINE_AA)
            full = np.dstack([np.clip(colour, 0, 255).astype(np.uint8), alpha])
            levels = [full]
            for _ in range(3):
                last = levels[-1]
                half = (max(2, last.shape[1] // 2), max(2, last.shape[0] // 2))
                levels.append(cv2.resize(last, half, interpolation=cv2.INTER_AREA))
            self.cache[key] = levels
        return self.cache[key]

    def fix(self, codes: Iterable[str | None], rng: np.random.Generator) -> None:
        """Draw each face (or, for None, the back) now and once for all, as the pictures of one scene need it."""
        for code in dict.fromkeys(codes):
            self.cache[code or "", 1] = self.face(code, 0, (-0.5, -0.5), rng)


def _shell(flutes: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """The light on a bottle cap that lies with its open end down: a dome, fluted towards its rim, with a gleam."""
    y, x = (np.mgrid[:_SIDE, :_SIDE].astype(np.float32) + 0.5) / (_SIDE / 2) - 1
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    reach = np.clip((radius - rng.uniform(0.0, 0.7)) / 0.3, 0, 1)
    light = 1 + rng.uniform(0.08, 0.35) * reach * np.cos(flutes * angle) - rng.uniform(0.0, 0.35) * radius**3
    gx, gy = rng.uniform(-0.5, 0.5, 2)
    gleam = np.exp(-((x - gx) ** 2 + (y - gy) ** 2) / (2 * rng.uniform(0.08, 0.35) ** 2))
    lean = rng.uniform(-0.25, 0.25, 2)
    return np.asarray(light + lean[0] * x + lean[1] * y + rng.uniform(0.0, 0.9) * gleam, np.float32)


def _back(style: PieceStyle, aspect: float, flutes: int, grained: bool, rng: np.random.Generator) -> FaceArt:
    """The back: plain, shaded, grained, or with a pattern; of a bottle cap its flutes."""
    height, width = (_SIDE, max(8, round(_SIDE * aspect))) if aspect <= 1 else (max(8, round(_SIDE / aspect)), _SIDE)
    base = np.array(style.back, np.float32)
    colour = np.empty((_SIDE, _SIDE, 3), np.float32)
    colour[:] = base
    kind = rng.random()
    if flutes and kind < 0.7:
        colour *= _shell(flutes, rng)[..., None]
        kind = 1.0
    elif flutes:
        kind = 0.5
    elif grained:
        kind = 0.1
    if kind < 0.15:
        colour[:] = materials.wood(_SIDE, rng, tuple(base))
    elif kind < 0.3:
        colour *= (1 + 0.1 * materials.cloud(_SIDE, 3, rng))[..., None]
    elif kind < 0.45:
        for k in range(0, 2 * _SIDE, int(rng.integers(6, 20))):
            cv2.line(colour, (k, 0), (k - _SIDE, _SIDE), (base * rng.uniform(0.6, 1.2)).tolist(), 2, cv2.LINE_AA)
            cv2.line(colour, (k - _SIDE, 0), (k, _SIDE), (base * 0.8).tolist(), 1, cv2.LINE_AA)
    elif kind < 0.55:
        rays = flutes or int(rng.integers(8, 40))
        for k in range(rays):
            a = 2 * np.pi * k / rays
            end = (int(64 + 90 * np.cos(a)), int(64 + 90 * np.sin(a)))
            cv2.line(colour, (64, 64), end, (base * rng.uniform(0.7, 1.25)).tolist(), int(rng.integers(2, 8)))
    elif kind < 0.65:
        cv2.circle(
            colour,
            (64, 64),
            int(rng.integers(20, 56)),
            (base * rng.uniform(0.7, 1.3)).tolist(),
            int(rng.choice([-1, 3])),
        )
    cut = np.clip(colour[:height, :width], 0, 255).astype(np.uint8)
    return FaceArt(cut, np.zeros((height, width), np.float32))


def sample_set(family: str, glyphs: GlyphBank, rng: np.random.Generator) -> PieceSet:
    """A piece set of a family in a fresh style."""
    module: ModuleType = {"xiangqi": xiangqi, "junqi": junqi, "paigow": paigow, "mahjong": mahjong}[family]
    style: Style = module.sample_style(glyphs, rng) if family == "xiangqi" else module.sample_style(rng)
    size = Size(1.0 / style.aspect, style.thickness, bool(getattr(style, "round", False)))
    bevel = float(rng.choice([0.0, rng.uniform(0.01, 0.05)]))
    glued = not size.round and family != "mahjong" and rng.random() < (0.35 if family == "junqi" else 0.2)
    if glued:  # a printed face on a wooden block that is bare on all other sides
        block = materials.hsv(rng.uniform(15, 40), rng.uniform(0.15, 0.65), rng.uniform(0.4, 0.98))
        tone = (int(block[0]), int(block[1]), int(block[2]))
        style = replace(style, body=tone, back=tone)
        bevel = float(rng.uniform(0.02, 0.14))
    flutes = int(rng.integers(15, 26)) if size.round and rng.random() < 0.22 else 0
    if flutes:
        cap = materials.hsv(rng.uniform(0, 360), rng.uniform(0, 0.95), rng.uniform(0.2, 1.0))
        tone = (int(cap[0]), int(cap[1]), int(cap[2]))
        style = replace(style, body=tone, back=tone)
        bevel = float(rng.uniform(0.0, 0.22))
    chamfered = size.round and not flutes and rng.random() < 0.45
    rounded = float(rng.uniform(0.02, 0.12)) if not size.round and style.thickness > 0.2 and rng.random() < 0.5 else 0.0
    return PieceSet(
        style=style,
        size=size,
        paint=lambda code, r: module.draw(code, style, glyphs, r),
        relief=float(rng.choice([0.0, rng.uniform(0.1, 0.5)])),
        corner=float(rng.uniform(0.02, 0.16)),
        bevel=max(bevel, rounded),
        chamfer=float(rng.uniform(0.03, 0.2)) if chamfered else 0.0,
        flutes=flutes,
        rounded=rounded,
        seam=float(rng.uniform(0.1, 0.7)) if rng.random() < 0.4 else 0.0,
        two_layers=bool(not glued and not flutes and rng.random() < (0.8 if family == "mahjong" else 0.3)),
        back=_back(style, style.aspect, flutes, bool(glued), rng),
    )


def sample_marks(
    glyphs: GlyphBank, scraps: Scraps | None, rng: np.random.Generator
) -> tuple[PieceSet, tuple[str, ...]]:
    """A piece set whose faces bear marks without a name, and the codes of its kinds; cutouts are from `scraps`."""
    things = scraps.things if scraps else None
    style = marks.sample_style(glyphs, things, rng)
    pieces_set = PieceSet(
        style=style,
        size=Size(1.0 / style.aspect, style.thickness, style.round),
        paint=lambda code, r: marks.draw(code, style, glyphs, things, r),
        relief=float(rng.choice([0.0, rng.uniform(0.1, 0.5)])),
        corner=float(rng.uniform(0.02, 0.16)),
        bevel=float(rng.choice([0.0, rng.uniform(0.01, 0.08)])),
        chamfer=float(rng.choice([0.0, rng.uniform(0.03, 0.15)])) if style.round else 0.0,
        flutes=0,
        rounded=0.0,
        seam=float(rng.choice([0.0, rng.uniform(0.1, 0.7)])),
        two_layers=bool(rng.random() < 0.3),
        back=_back(style, style.aspect, 0, False, rng),
    )
    return pieces_set, style.codes
