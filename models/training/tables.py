"""Photographs of tables that never were: pieces as boxes and discs under a pinhole camera, lit, shadowed and shot.

`photograph(family, ...)` gives a picture and, for each piece, its quad, name and how much of it can be seen. Units are
face widths on the table and pixels in the picture; everything is drawn from a seeded generator.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import augment, boards, clutter, layouts, materials
from models.training.camera import Camera, Light, facing
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import Piece, Size
from models.training.piece_sets import CODES, PieceSet, sample_set
from models.training.scraps import Scraps
from models.training.solids import box_of, draw_piece, face_quad, shadows, warp

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

BLANK_DOMINOES = tuple(f"{n}0" for n in range(7))
# The fewer marks a domino bears, the harder it is to find: those are met more often.
STRAY_DOMINOES = (*BLANK_DOMINOES, "00", "00", "00", "00", "00", "10", "10", "20")


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
    warp(picture, levels, camera.project(ground), 1.0)


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
    camera = facing(points, side, scale, layout in ("standing", "upright"), rng)
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
    boxes = [box_of(p, pieces_set.size) for p in pieces]
    shadow = shadows(boxes, pieces_set.size, camera, (width, height), lamp)
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
        quads[i], areas[i] = draw_piece(
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
        target = face_quad(box, camera)
        warp(picture, art, target + inset * (middle - target), gain)
    return Drawn(picture, ids, quads, areas)


def labels(stand: Stand, size: Size, pieces: list[Piece], drawn: Drawn) -> list[Seen]:
    """What can be seen of each piece."""
    seen = []
    counts = np.bincount(drawn.ids.ravel(), minlength=len(pieces) + 1)
    for piece, quad, area, count in zip(pieces, drawn.quads, drawn.areas, counts[1:], strict=True):
        visible = float(count / area) if area > 0 else 0.0
        head = face_quad(box_of(piece, size), stand.camera)
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


def empty_table(
    glyphs: GlyphBank, rng: np.random.Generator, side: tuple[int, int] = (448, 448), scraps: Scraps | None = None
) -> Shot:
    """A table, or with `scraps` any picture, without any piece but with all sorts of things that are none."""
    points = np.array([[0.0, 0.0, 0.0], [6.0, 4.0, 0.0]])
    camera = facing(points, side, float(rng.uniform(20, 80)), False, rng)
    picture = _ground(camera, side, float(rng.uniform(6, 40)), rng, glyphs)
    if scraps and rng.random() < 0.6:
        picture = scraps.texture(*side, rng)
    for _ in range(int(rng.integers(1, 5))):
        clutter.under(picture, float(rng.uniform(20, 90)), glyphs, rng, always=True)
    if scraps:
        scraps.strew(picture, float(rng.uniform(15, 90)), int(rng.integers(0, 40)), rng)
    return Shot(augment.shoot(picture, rng), (), "none", "empty")
