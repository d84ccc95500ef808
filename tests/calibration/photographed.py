"""Printed sheets, rendered, cut up, glued on pieces and photographed on a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

DPI = 300
PX = DPI / 25.4
"""Pixels of a rendered page in a millimetre."""


def rendered(pdf: bytes) -> list[Picture]:
    """The pages of a PDF at 300 dots per inch, (H, W, 3) uint8 BGR."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.render(scale=DPI / 72, rev_byteorder=False).to_numpy()[..., :3].copy() for page in document]
    document.close()
    return pages


def cut_out(page: Picture, x: float, y: float, width: float, height: float) -> Picture:
    """The part around (x, y) in mm, of that size in mm."""
    left, top = round((x - width / 2) * PX), round((y - height / 2) * PX)
    return page[top : top + round(height * PX), left : left + round(width * PX)]


@dataclass(frozen=True)
class Glued:
    """A printed face on a piece whose middle lies at (x, y) mm on the table, turned clockwise by `turn` degrees."""

    art: Picture
    x: float
    y: float
    turn: float


@dataclass(frozen=True)
class Light:
    """What a photo is taken with: a seed for the small things, and how far the camera is tilted from straight above."""

    seed: int
    tilt: float
    around: float = 0.0
    table: tuple[int, int, int] = (70, 110, 60)
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)


def photograph(
    pieces: Sequence[Glued],
    size: tuple[float, float],
    thickness: float,
    light: Light,
    round_: bool,
    side: tuple[int, int],
) -> tuple[bytes, list[Floats]]:
    """A JPEG of the pieces and the (4, 2) corners of each face in it, clockwise from the face's own top left.

    `size` is a face's width and height in mm, `side` the photo's in px.
    """
    rng = np.random.default_rng(light.seed)
    boxes = [_corners(piece, size, thickness) for piece in pieces]
    project = _camera(np.concatenate(boxes), light, side)
    picture = _table(light, side, rng)
    shadow = np.zeros(side[::-1], np.float32)
    for box in boxes:
        cast = np.concatenate([box[:4] + np.array([0.7, 0.5, -1]) * thickness, box[4:]])
        cv2.fillConvexPoly(shadow, _hull(project(_rim(cast, round_))), 1.0, cv2.LINE_AA)
    picture *= 1 - 0.45 * cv2.GaussianBlur(shadow, (0, 0), 4)[..., None]
    quads = [project(box[:4]) for box in boxes]
    far_first = sorted(range(len(pieces)), key=lambda i: float(quads[i][:, 1].mean()))
    for i in far_first:
        cv2.fillConvexPoly(picture, _hull(project(_rim(boxes[i], round_))), (120, 150, 175), cv2.LINE_AA)
        _stick(picture, pieces[i].art, quads[i], round_)
    return _developed(picture, light, rng), quads


def _camera(points: Floats, light: Light, side: tuple[int, int]) -> Callable[[Floats], Floats]:
    """The projection of (n, 3) points on px that has all of `points` in view."""
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    away = 2.2 * float(np.ptp(points[:, :2], axis=0).max())
    (ct, st), (ca, sa) = ((np.cos(a), np.sin(a)) for a in np.radians([light.tilt, light.around]))
    spin = np.array([[ca, -sa, 0], [sa, ca, 0], [0, 0, -1]])
    turn = np.array([[1, 0, 0], [0, ct, st], [0, -st, ct]]) @ spin

    def seen(points: Floats) -> Floats:
        turned = (points - middle) @ turn.T + [0, 0, away]
        return np.asarray(turned[:, :2] / turned[:, 2:])

    flat = seen(points)
    low, high = flat.min(axis=0), flat.max(axis=0)
    focal = 0.92 * float((np.array(side) / (high - low)).min())
    return lambda points: (seen(points) - (low + high) / 2) * focal + np.array(side) / 2


def _corners(piece: Glued, size: tuple[float, float], thickness: float) -> Floats:
    """(8, 3): corners of the face, then of the foot."""
    angle = np.radians(piece.turn)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2 @ turn.T + (piece.x, piece.y)
    return np.concatenate([np.column_stack([flat, np.full(4, z)]) for z in (thickness, 0.0)])


def _rim(box: Floats, round_: bool) -> Floats:
    """Points around both ends of a piece."""
    if not round_:
        return box
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    rims = []
    for end in (box[:4], box[4:]):
        across, down = (end[1] - end[0]) / 2, (end[3] - end[0]) / 2
        rims.append(end.mean(axis=0) + np.outer(np.cos(angle), across) + np.outer(np.sin(angle), down))
    return np.concatenate(rims)


def _hull(points: Floats) -> NDArray[np.int32]:
    return np.asarray(cv2.convexHull(np.round(points).astype(np.int32)), np.int32)


def _stick(picture: NDArray[np.float32], art: Picture, quad: Floats, round_: bool) -> None:
    """Draw the face over its quad; of a disc only what lies within the circle."""
    reach = float(np.linalg.norm(quad[1] - quad[0]))
    shrink = min(1.0, 2.0 * reach / art.shape[1])
    art = cv2.resize(art, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    height, width = art.shape[:2]
    alpha = np.full((height, width), 255, np.uint8)
    if round_:
        alpha[:] = 0
        cv2.ellipse(
            alpha, (width // 2, height // 2), (width // 2 - 1, height // 2 - 1), 0, 0, 360, 255, -1, cv2.LINE_AA
        )
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    warped = cv2.warpPerspective(np.dstack([art, alpha]), matrix, picture.shape[1::-1], flags=cv2.INTER_AREA)
    cover = warped[..., 3:].astype(np.float32) / 255
    picture[:] = picture * (1 - cover) + warped[..., :3] * cover


def _table(light: Light, side: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """A table top with some grain."""
    grain = cv2.resize(rng.normal(0, 1, (side[1] // 3, side[0] // 3)).astype(np.float32), side)
    return np.asarray(np.array(light.table, np.float32) * (1 + 0.05 * grain[..., None]), np.float32)


def _developed(picture: NDArray[np.float32], light: Light, rng: np.random.Generator) -> bytes:
    """Uneven light, its colour, a soft lens, noise and JPEG."""
    height, width = picture.shape[:2]
    shade = cv2.resize(
        rng.uniform(0.72, 1.0, (3, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    shot = cv2.GaussianBlur(picture * shade[..., None] * np.array(light.cast, np.float32), (0, 0), 0.8)
    shot += rng.normal(0, 3, shot.shape)
    return bytes(cv2.imencode(".jpg", np.clip(shot, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])[1])
