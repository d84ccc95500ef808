"""Photographs of tables that never were: pieces as boxes and discs under a pinhole camera, lit, shadowed and shot.

`photograph(family, ...)` gives a picture and, for each piece, its quad, name and how much of it can be seen. Units are
face widths on the table and pixels in the picture; everything is drawn from a seeded generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import ModuleType

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import augment, boards, clutter, layouts, materials
from models.training.faces import junqi, mahjong, marks, paigow, xiangqi
from models.training.faces.art import FaceArt, PieceStyle
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import Piece, Size
from models.training.scraps import Scraps
from scoring.tiles import Family, tiles_of

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

CODES = {family.value: tuple(tile.code for tile in tiles_of(family)) for family in Family}
FAMILIES = tuple(CODES)
Style = xiangqi.XiangqiStyle | junqi.JunqiStyle | paigow.PaigowStyle | mahjong.MahjongStyle
BLANK_DOMINOES = tuple(f"{n}0" for n in range(7))
# The fewer marks a domino bears, the harder it is to find: those are met more often.
STRAY_DOMINOES = (*BLANK_DOMINOES, "00", "00", "00", "00", "00", "10", "10", "20")
_SIDE = 128


@dataclass(frozen=True, slots=True)
class Seen:
    """One piece in the picture: `corners` (4, 2) float64 clockwise px; `code` None for a back; `named` False for a face
    outside the vocabulary; `visible` in 0..1; `up`, (2,) px, points from the foot of the face to its head."""

    corners: Floats
    code: str | None
    named: bool
    round: bool
    visible: float
    up: Floats


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture, (H, W, 3) uint8 BGR, and what is in it."""

    picture: Picture
    pieces: tuple[Seen, ...]
    family: str
    layout: str


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


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole: `project` takes (n, 3) points of the table to (n, 2) pixels."""

    place: Floats
    axes: Floats  # rows: right, down, forward
    focal: float
    centre: Floats

    @classmethod
    def looking_at(
        cls, middle: Floats, away: float, elevation: float, around: float, roll: float, focal: float, centre: Floats
    ) -> Camera:
        """A camera so far away from a point of the table, (3,), that it sees at the pixel `centre`, (2,).

        Angles are in radians: `elevation` over the table, `around` from the viewer's side, `roll` about its own axis.
        """
        heading = np.array([np.sin(around), -np.cos(around), 0.0])
        place = middle + away * (np.cos(elevation) * heading + np.array([0, 0, np.sin(elevation)]))
        forward = (middle - place) / away
        right = np.cross(forward, [0, 0, 1.0])
        if np.linalg.norm(right) < 1e-6:
            right = np.array([np.cos(around), np.sin(around), 0.0])
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        c, s = np.cos(roll), np.sin(roll)
        axes = np.stack([c * right + s * down, -s * right + c * down, forward])
        return cls(place, axes, focal, centre)

    def project(self, points: Floats) -> Floats:
        seen = (points - self.place) @ self.axes.T
        return self.centre + self.focal * seen[:, :2] / np.maximum(seen[:, 2:], 1e-3)


def _camera(points: Floats, side: tuple[int, int], zoom: float, standing: bool, rng: np.random.Generator) -> Camera:
    """A camera that has the points in view; their width of a face becomes about `zoom` px."""
    middle = points.mean(axis=0)
    spread = max(2.0, float(np.ptp(points[:, :2], axis=0).max()))
    if standing:
        elevation = np.radians(rng.uniform(8, 45) if rng.random() < 0.6 else rng.uniform(30, 62))
    else:
        elevation = np.radians(rng.choice([rng.uniform(30, 90), rng.uniform(55, 90)], p=[0.6, 0.4]))
    around = rng.normal(0, 0.25) if standing or rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    away = spread * rng.uniform(1.1, 4.0) + 2
    roll = rng.normal(0, 0.06) if rng.random() < 0.8 else rng.uniform(-np.pi, np.pi)
    width, height = side
    shift = rng.uniform(-0.5, 0.5, 2) * np.maximum(0, np.array([width, height]) - 0.7 * spread * zoom)
    centre = np.array([width / 2, height / 2]) + shift * 0.8
    return Camera.looking_at(middle, away, elevation, around, roll, zoom * away, centre)


def _box(piece: Piece, size: Size) -> Floats:
    """(8, 3): face corners from its upper left, clockwise as read, then the same of the back."""
    c, s = np.cos(piece.angle), np.sin(piece.angle)
    u = np.array([c, s, 0.0])
    if piece.standing:
        v, n = np.array([0.0, 0.0, -1.0]), np.array([s, -c, 0.0])
        middle = np.array([piece.x, piece.y, piece.z + size.height / 2])
    else:
        v, n = np.array([s, -c, 0.0]), np.array([0.0, 0.0, 1.0])
        middle = np.array([piece.x, piece.y, piece.z + size.thickness])
    corners = [middle + a * u / 2 + b * v * size.height / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.array(corners + [p - n * size.thickness for p in corners])


_RIM = np.linspace(0, 2 * np.pi, 28, endpoint=False)


def _fill(picture: Picture, polygon: Floats, colour: Floats | tuple[float, ...]) -> None:
    points = np.round(polygon * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, points, [float(v) for v in np.clip(colour, 0, 255)], cv2.LINE_AA, 4)


def _warp(picture: Picture, levels: list[Picture], corners: Floats, gain: float) -> None:
    """Draw an RGBA picture over the quad `corners`."""
    height, width = picture.shape[:2]
    low = np.floor(corners.min(axis=0)).astype(int) - 1
    high = np.ceil(corners.max(axis=0)).astype(int) + 2
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    reach = float(max(np.ptp(corners[:, 0]), np.ptp(corners[:, 1])))
    level = 0
    while level < len(levels) - 1 and max(levels[level + 1].shape[:2]) >= 1.1 * reach:
        level += 1
    art = levels[level]
    h, w = art.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (corners - [x0, y0]).astype(np.float32))
    patch = cv2.warpPerspective(art, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    alpha = patch[..., 3:].astype(np.float32) / 255.0
    target = picture[y0:y1, x0:x1]
    shade = patch[..., :3].astype(np.float32) * gain
    target[:] = np.clip(target * (1 - alpha) + shade * alpha, 0, 255).astype(np.uint8)


def _hull(points: Floats) -> Floats:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp: the direction towards it, how soft (px) and how deep (0..1) its shadows are, how much light has none."""

    towards: Floats
    soft: float
    deep: float
    ambient: float

    @classmethod
    def sample(cls, rng: np.random.Generator) -> Light:
        """Some lamp."""
        angle, lean = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.6)
        towards = np.array([np.cos(angle) * lean, np.sin(angle) * lean, 1.0])
        towards /= np.linalg.norm(towards)
        return cls(towards, float(rng.uniform(0.6, 5.0)), float(rng.uniform(0.15, 0.75)), float(rng.uniform(0.45, 0.9)))


def _shadows(
    boxes: list[Floats], size: Size, camera: Camera, side: tuple[int, int], lamp: Light
) -> NDArray[np.float32]:
    """A (H, W) float32 map to multiply the table with."""
    width, height = side
    light = lamp.towards
    dark = np.zeros((height // 2 + 1, width // 2 + 1), np.uint8)
    for box in boxes:
        ground = box - light * (box[:, 2:] / light[2])
        if size.round:
            centre_high, centre_low = box[:4].mean(axis=0), box[4:].mean(axis=0)
            ring = np.stack([np.cos(_RIM), np.sin(_RIM), 0 * _RIM], axis=1) / 2
            high = ring + centre_high - light * centre_high[2] / light[2]
            ground = np.concatenate([high, ring + centre_low])
        _fill(dark, _hull(camera.project(ground) / 2), (255.0,))
    blurred = cv2.GaussianBlur(dark, (0, 0), lamp.soft)
    return np.asarray(1 - lamp.deep * cv2.resize(blurred, (width, height)).astype(np.float32) / 255.0, np.float32)


def _ground(
    camera: Camera,
    side: tuple[int, int],
    scale: float,
    rng: np.random.Generator,
    glyphs: GlyphBank,
    pieces: tuple[int, int, int] | None = None,
    scraps: Scraps | None = None,
) -> Picture:
    """The table top in perspective, with whatever lies beyond its far edge.

    Now and then it has nearly the colour of the `pieces`, as white boards have under white discs.
    """
    width, height = side
    if pieces and rng.random() < 0.22:
        tone = rng.uniform(0.85, 1.15) * np.exp(rng.normal(0, 0.05, 3))
        top = materials.felt(512, rng, (pieces[0] * tone[0], pieces[1] * tone[1], pieces[2] * tone[2]))
    elif scraps and rng.random() < 0.15:
        top = scraps.texture(512, 512, rng)
    elif rng.random() < 0.06:
        names = glyphs.fonts
        top = materials.page(
            512,
            rng,
            lambda n: glyphs.mask(
                glyphs.characters[int(rng.integers(len(glyphs.characters)))], names[int(rng.integers(len(names)))], n
            ),
        )
    else:
        top = materials.surface(512, rng)
    corners = np.array([[0, 0, 0], [scale, 0, 0], [scale, scale, 0], [0, scale, 0]], float)
    offset = camera.place * [1, 1, 0] + np.array([*rng.uniform(-2, 2, 2), 0])
    seen = camera.project(corners + offset)
    depth = (corners + offset - camera.place) @ camera.axes[2]
    if depth.min() <= 0.05:
        forward = camera.axes[2] * [1, 1, 0]
        forward = forward / (np.linalg.norm(forward) + 1e-9) * (abs(camera.place[2]) + 2 * scale)
        seen = camera.project(corners + offset + forward)
        depth = (corners + offset + forward - camera.place) @ camera.axes[2]
    if depth.min() <= 0.05:
        return np.asarray(cv2.resize(top, (width, height)), np.uint8)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [512, 0], [512, 512], [0, 512]], np.float32), seen.astype(np.float32)
    )
    seen_top = cv2.warpPerspective(top, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    out = np.asarray(seen_top, np.uint8)
    # beyond the horizon, or past a table edge, lies the room
    up = -camera.axes[1, 2] / max(1e-6, abs(camera.axes[2, 2]) + 1e-6)
    horizon = camera.centre[1] + camera.focal * camera.axes[2, 2] / min(-1e-6, camera.axes[1, 2]) if up else -1e9
    edge = horizon + rng.uniform(0.02, 0.4) * height if horizon > -0.5 * height else -1.0
    if edge > 2:
        room = cv2.GaussianBlur(cv2.resize(materials.surface(128, rng), (width, height)), (0, 0), rng.uniform(1, 8))
        rows = min(height, int(edge))
        out[:rows] = room[:rows]
    return out


def _board_under(
    picture: Picture,
    points: Floats,
    camera: Camera,
    glyphs: GlyphBank,
    body: tuple[int, int, int],
    rng: np.random.Generator,
) -> None:
    """A printed board under the points of the table, which lie upon it or mostly so."""
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2 + rng.uniform(0.3, 3.0)
    if rng.random() < 0.6:
        half[:] = half.max()
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half + middle
    ground = np.concatenate([corners, np.zeros((4, 1))], axis=1)
    if ((ground - camera.place) @ camera.axes[2]).min() <= 0.05:
        return
    sheet = boards.board(512, glyphs, rng, body)
    full = np.dstack([sheet, np.full(sheet.shape[:2], 255, np.uint8)])
    levels = [full, np.asarray(cv2.resize(full, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)]
    _warp(picture, levels, camera.project(ground), 1.0)


def _board_lines(picture: Picture, pieces: list[Piece], camera: Camera, rng: np.random.Generator) -> None:
    """The nine by ten lines of a xiangqi board under pieces that stand near its crossings."""
    xs = np.array([[p.x, p.y] for p in pieces])
    low, high = xs.min(axis=0), xs.max(axis=0)
    step = max(1.0, float((high[1] - low[1]) / 9))
    colour = np.array(materials.hsv(rng.uniform(0, 360), rng.uniform(0, 0.8), rng.uniform(0.0, 0.5)))
    thick = int(rng.integers(1, 3))

    def line(a: tuple[float, float], b: tuple[float, float]) -> None:
        ends = camera.project(np.array([[*(low + step * np.array(p)), 0.0] for p in (a, b)]))
        p, q = ((int(np.clip(v[0], -9e3, 9e3)), int(np.clip(v[1], -9e3, 9e3))) for v in ends)
        cv2.line(picture, p, q, colour.tolist(), thick, cv2.LINE_AA)

    for j in range(10):
        line((0, j), (8, j))
    for i in range(9):
        for a, b in ((0, 4), (5, 9)) if 0 < i < 8 else ((0, 9),):
            line((i, a), (i, b))
    for j in (0, 7):
        line((3, j), (5, j + 2))
        line((5, j), (3, j + 2))


def photograph(
    family: str,
    glyphs: GlyphBank,
    rng: np.random.Generator,
    *,
    side: tuple[int, int] = (448, 448),
    zoom: tuple[float, float] = (14.0, 280.0),
    scraps: Scraps | None = None,
) -> Shot:
    """One picture of one set on one table. `zoom` bounds the width of a face in px (log-uniform between).

    With `scraps` some tables have a photographed top, or things strewn about.
    """
    pieces_set = sample_set(family, glyphs, rng)
    size = pieces_set.size
    stray = float(rng.uniform(0.1, 0.7)) if family == "paigow" and rng.random() < 0.6 else 0.0
    codes = CODES[family]
    few = int(rng.integers(2, 8)) if rng.random() < 0.3 else len(codes)
    pool = tuple(codes[int(i)] for i in rng.permutation(len(codes))[:few])

    def draw() -> str:
        if rng.random() < stray:
            return STRAY_DOMINOES[int(rng.integers(len(STRAY_DOMINOES)))]
        return pool[int(rng.integers(len(pool)))]

    layout, pieces = layouts.sample(family, size, draw, rng)
    picture, seen = render(pieces_set, layout, pieces, glyphs, rng, side, zoom, scraps)
    return Shot(augment.shoot(picture, rng), tuple(seen), family, layout)


@dataclass(frozen=True, slots=True)
class Stand:
    """All of a picture but its pieces: the bare table, (H, W, 3) uint8 BGR, under a camera and a lamp.

    `uneven` is how much the light on one piece differs from that on another.
    """

    table: Picture
    camera: Camera
    lamp: Light
    uneven: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """Pieces drawn on a table: the picture, and of each piece its quad (4, 2), px, and the area of its whole face, px².

    `ids` (H, W) int16 tells which piece is seen where, counted from 1.
    """

    picture: Picture
    ids: NDArray[np.int16]
    quads: list[Floats]
    areas: list[float]


def set_up(
    pieces_set: PieceSet,
    layout: str,
    pieces: list[Piece],
    glyphs: GlyphBank,
    rng: np.random.Generator,
    side: tuple[int, int],
    zoom: tuple[float, float],
    scraps: Scraps | None = None,
) -> Stand:
    """Some table and a camera that has the pieces in view; `side` is width and height in px, the rest as there."""
    points = np.array([[p.x, p.y, 0.0] for p in pieces])
    fit = max(side) / (float(np.ptp(points[:, :2], axis=0).max()) + 1.5 * max(1.0, pieces_set.size.height))
    low, high = zoom[0], min(zoom[1], fit * 1.25)
    near = 3.5 if layout == "standing" else 2.0
    scale = (
        float(np.exp(rng.uniform(np.log(low), np.log(max(high, low * 1.1)))))
        if rng.random() < 0.4
        # some tables reach beyond the picture, so that pieces are cut by its edge
        else float(np.clip(fit * rng.uniform(*((0.6, 1.1) if rng.random() < 0.7 else (1.1, near))), low, zoom[1]))
    )
    camera = _camera(points, side, scale, layout in ("standing", "upright"), rng)
    return before(camera, scale, pieces_set, layout, pieces, glyphs, rng, side, scraps)


def before(
    camera: Camera,
    scale: float,
    pieces_set: PieceSet,
    layout: str,
    pieces: list[Piece],
    glyphs: GlyphBank,
    rng: np.random.Generator,
    side: tuple[int, int],
    scraps: Scraps | None = None,
) -> Stand:
    """Some table before a camera, in whose picture a face is about `scale` px wide; the rest as for `set_up`."""
    points = np.array([[p.x, p.y, 0.0] for p in pieces])
    table = _ground(camera, side, float(rng.uniform(6, 40)), rng, glyphs, pieces_set.style.body, scraps)
    if rng.random() < {"board": 0.4, "chain": 0.5}.get(layout, 0.1):
        _board_under(table, points, camera, glyphs, pieces_set.style.body, rng)
    if layout == "board" and rng.random() < 0.85:
        _board_lines(table, pieces, camera, rng)
    clutter.under(table, scale, glyphs, rng)
    if scraps and rng.random() < 0.3:
        scraps.strew(table, scale, int(rng.integers(1, 12)), rng)
    return Stand(table, camera, Light.sample(rng), float(rng.choice([0.005, 0.03])))


def draw(stand: Stand, pieces_set: PieceSet, pieces: list[Piece], rng: np.random.Generator) -> Drawn:
    """The pieces on that table, lit."""
    camera, lamp, light = stand.camera, stand.lamp, stand.lamp.towards
    height, width = stand.table.shape[:2]
    boxes = [_box(p, pieces_set.size) for p in pieces]
    shadow = _shadows(boxes, pieces_set.size, camera, (width, height), lamp)
    picture = np.clip(stand.table * shadow[..., None], 0, 255).astype(np.uint8)
    ids = np.zeros((height, width), np.int16)
    order = sorted(
        range(len(pieces)), key=lambda i: (pieces[i].z, -float(np.linalg.norm(boxes[i].mean(0) - camera.place)))
    )
    areas: list[float] = [0.0] * len(pieces)
    quads: list[Floats] = [np.zeros((4, 2))] * len(pieces)
    style = pieces_set.style
    body, back = np.array(style.body, float), np.array(style.back, float)
    faces = [rng.normal(1.0, stand.uneven) for _ in pieces]
    for i in order:
        piece, box = pieces[i], boxes[i]
        flipped = piece.code is None
        upper, lower = (back, body) if flipped else (body, back if pieces_set.two_layers else body)
        quads[i], areas[i] = _draw_piece(
            picture, ids, i + 1, box, pieces_set, flipped, camera, light, lamp.ambient, upper, lower
        )
        variant = int(rng.integers(2))
        local = (float(light[0] * np.cos(piece.angle) + light[1] * np.sin(piece.angle)), float(-light[1]))
        art = pieces_set.face(piece.code, variant, local, rng)
        normal = np.cross(box[1] - box[0], box[0] - box[3])
        normal = normal / np.linalg.norm(normal)
        gain = faces[i] * (lamp.ambient + (1 - lamp.ambient) * 1.2 * max(0.0, float(normal @ light)))
        inset = 0.0 if flipped and pieces_set.flutes else pieces_set.bevel + pieces_set.chamfer
        middle = quads[i].mean(axis=0)
        target = _face_quad(box, camera)
        _warp(picture, art, target + inset * (middle - target), gain)
    return Drawn(picture, ids, quads, areas)


def labels(stand: Stand, size: Size, pieces: list[Piece], drawn: Drawn) -> list[Seen]:
    """What can be seen of each piece."""
    seen = []
    counts = np.bincount(drawn.ids.ravel(), minlength=len(pieces) + 1)
    for piece, quad, area, count in zip(pieces, drawn.quads, drawn.areas, counts[1:], strict=True):
        visible = float(count / area) if area > 0 else 0.0
        head = _face_quad(_box(piece, size), stand.camera)
        named = piece.code is None or piece.code not in BLANK_DOMINOES
        seen.append(
            Seen(quad, piece.code, named, size.round, min(1.0, visible), (head[0] + head[1] - head[2] - head[3]) / 2)
        )
    return seen


def render(
    pieces_set: PieceSet,
    layout: str,
    pieces: list[Piece],
    glyphs: GlyphBank,
    rng: np.random.Generator,
    side: tuple[int, int],
    zoom: tuple[float, float],
    scraps: Scraps | None = None,
) -> tuple[Picture, list[Seen]]:
    """The pieces on some table, lit but not yet shot; `side` is width and height in px, the rest as in `photograph`."""
    stand = set_up(pieces_set, layout, pieces, glyphs, rng, side, zoom, scraps)
    drawn = draw(stand, pieces_set, pieces, rng)
    if rng.random() < 0.12:
        clutter.over(drawn.picture, drawn.ids, drawn.quads, rng)
    return drawn.picture, labels(stand, pieces_set.size, pieces, drawn)


def _face_quad(box: Floats, camera: Camera) -> Floats:
    """The projected corners of the face (for a disc, of the square around it)."""
    return camera.project(box[:4])


def _draw_piece(
    picture: Picture,
    ids: NDArray[np.int16],
    number: int,
    box: Floats,
    pieces_set: PieceSet,
    flipped: bool,
    camera: Camera,
    light: Floats,
    ambient: float,
    upper: Floats,
    lower: Floats,
) -> tuple[Floats, float]:
    """Sides and ground of one piece; gives the quad that is its label and the area of the whole face in px."""

    def lit(normal: Floats, colour: Floats) -> Floats:
        return colour * (0.55 * ambient + 0.1 + (1 - ambient) * 1.1 * max(0.0, float(normal @ light)))

    split = 0.6
    size = pieces_set.size
    if size.round:
        top, foot = box[:4].mean(axis=0), box[4:].mean(axis=0)
        ring = np.stack([np.cos(_RIM), np.sin(_RIM), 0 * _RIM], axis=1) / 2
        if pieces_set.flutes:
            return _draw_cap(picture, ids, number, (top, foot), pieces_set.flutes, flipped, camera, lit, upper)
        rim, base = camera.project(ring + top), camera.project(ring * 0.97 + foot)
        toward = camera.place - top
        toward = toward * [1, 1, 0] / (np.linalg.norm(toward[:2]) + 1e-9)
        _fill(picture, _hull(np.concatenate([rim, base])), lit(toward, lower))
        middle = camera.project(ring * 1.03 + (1 - split) * top + split * foot)
        _fill(picture, _hull(np.concatenate([rim, middle])), lit(toward, upper))
        up = np.array([0.0, 0.0, 1.0])
        _fill(picture, rim, lit(up, upper) * 1.1)
        if pieces_set.chamfer:
            inner = camera.project(ring * (1 - pieces_set.chamfer) + top)
            for a in range(len(ring)):
                b = (a + 1) % len(ring)
                slope = (2 * ring[a] + up) / np.sqrt(2)
                _fill(picture, np.array([rim[a], rim[b], inner[b], inner[a]]), lit(slope, upper) * 1.1)
        outline = rim
        low, high = rim.min(axis=0), rim.max(axis=0)
        quad = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        cv2.fillConvexPoly(ids, np.round(_hull(np.concatenate([rim, base]))).astype(np.int32), 0)
    else:
        corners = camera.project(box)
        cv2.fillConvexPoly(ids, np.round(_hull(corners)).astype(np.int32), 0)
        shown: list[tuple[int, Floats]] = []
        for a in range(4):
            b = (a + 1) % 4
            p, q, r = box[a], box[b], box[a + 4]
            normal = np.cross(q - p, r - p)
            normal = normal / (np.linalg.norm(normal) + 1e-9)
            if normal @ (camera.place - p) > 0:
                whole = corners[[a, b, b + 4, a + 4]]
                _fill(picture, whole, lit(normal, lower))
                mid = camera.project(box[[b, a]] * (1 - split) + box[[b + 4, a + 4]] * split)
                half = np.concatenate([corners[[a, b]], mid])
                _fill(picture, half, lit(normal, upper))
                shown.append((a, lit(normal, upper)))
        normal = np.cross(box[1] - box[0], box[0] - box[3])
        normal = normal / np.linalg.norm(normal)
        tone = lit(normal, upper) * 1.08
        _fill(picture, corners[:4], tone)
        if pieces_set.rounded:
            for a, side in shown:
                _bend(picture, box, a, pieces_set.rounded, camera, tone, side)
        outline = quad = corners[:4]
    if pieces_set.seam:
        dark = np.clip(upper * 0.9 * (1 - pieces_set.seam), 0, 255).tolist()
        edge = np.round(outline * 16).astype(np.int32)
        cv2.polylines(picture, [edge], True, dark, 1, cv2.LINE_AA, 4)
    area = float(cv2.contourArea(outline.astype(np.float32)))
    cv2.fillConvexPoly(ids, np.round(outline).astype(np.int32), number)
    return quad, area


def _bend(picture: Picture, box: Floats, edge: int, reach: float, camera: Camera, tone: Floats, side: Floats) -> None:
    """Where the face of a box bends into its side at the `edge` from that corner on, over `reach`, its light turns from
    `tone` to that of the `side`."""
    after, before, beyond = (edge + 1) % 4, (edge - 1) % 4, (edge + 2) % 4
    inward = np.array([box[before] - box[edge], box[beyond] - box[after]])
    down = np.array([box[edge + 4] - box[edge], box[after + 4] - box[after]])
    inward, down = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (inward, down))
    ends = box[[edge, after]]
    lines = [ends + reach * (max(0.0, 1 - t) * inward + max(0.0, t - 1) * down) for t in np.linspace(0, 2, 5)]
    seen = [camera.project(line) for line in lines]
    for k, (a, b) in enumerate(pairwise(seen)):
        share = (k + 0.5) / 4
        _fill(picture, np.array([a[0], a[1], b[1], b[0]]), (1 - share) * tone + share * side)


def _draw_cap(
    picture: Picture,
    ids: NDArray[np.int16],
    number: int,
    ends: tuple[Floats, Floats],
    flutes: int,
    flipped: bool,
    camera: Camera,
    lit: Callable[[Floats, Floats], Floats],
    colour: Floats,
) -> tuple[Floats, float]:
    """A bottle cap: a disc with a fluted skirt that widens away from the closed end. Otherwise as `_draw_piece`."""
    turns = np.linspace(0, 2 * np.pi, 4 * flutes, endpoint=False)
    round_ = np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1) / 2
    toothed = round_ * (1.0 + 0.06 * np.cos(flutes * turns))[:, None]
    # the wide end's outer radius is the piece's own when it lies up, so that the label is the outline that is seen
    wide, narrow = (toothed / 1.06, round_ * 0.88) if flipped else (toothed * 1.1, round_)
    upper, lower = (wide, narrow) if flipped else (narrow, wide)
    rim, foot = camera.project(upper + ends[0]), camera.project(lower + ends[1])
    cv2.fillPoly(ids, [np.round(foot).astype(np.int32)], 0)
    for k in np.argsort(-np.linalg.norm(upper + ends[0] - camera.place, axis=1)):
        after = (int(k) + 1) % len(turns)
        shade = 0.75 + 0.25 * np.cos(flutes * turns[k])
        _fill(picture, np.array([rim[k], rim[after], foot[after], foot[k]]), lit(2 * round_[k], colour) * shade)
    cv2.fillPoly(
        picture, [np.round(rim).astype(np.int32)], np.clip(lit(np.array([0, 0, 1.0]), colour), 0, 255).tolist()
    )
    low, high = rim.min(axis=0), rim.max(axis=0)
    cv2.fillPoly(ids, [np.round(rim).astype(np.int32)], number)
    quad = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    return quad, float(cv2.contourArea(rim.astype(np.float32)))


def empty_table(
    glyphs: GlyphBank, rng: np.random.Generator, side: tuple[int, int] = (448, 448), scraps: Scraps | None = None
) -> Shot:
    """A table, or with `scraps` any picture, without any piece but with all sorts of things that are none."""
    points = np.array([[0.0, 0.0, 0.0], [6.0, 4.0, 0.0]])
    camera = _camera(points, side, float(rng.uniform(20, 80)), False, rng)
    picture = _ground(camera, side, float(rng.uniform(6, 40)), rng, glyphs)
    if scraps and rng.random() < 0.6:
        picture = scraps.texture(*side, rng)
    for _ in range(int(rng.integers(1, 5))):
        clutter.under(picture, float(rng.uniform(20, 90)), glyphs, rng, always=True)
    if scraps:
        scraps.strew(picture, float(rng.uniform(15, 90)), int(rng.integers(0, 40)), rng)
    return Shot(augment.shoot(picture, rng), (), "none", "empty")
