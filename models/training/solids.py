"""Pieces drawn as what they are: boxes, discs and bottle caps under a camera, lit, with their shadows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.camera import Camera, Light
from models.training.layouts import Piece, Size
from models.training.piece_sets import PieceSet

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

_RIM = np.linspace(0, 2 * np.pi, 28, endpoint=False)


def box_of(piece: Piece, size: Size) -> Floats:
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


def _fill(picture: Picture, polygon: Floats, colour: Floats | tuple[float, ...]) -> None:
    points = np.round(polygon * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, points, [float(v) for v in np.clip(colour, 0, 255)], cv2.LINE_AA, 4)


def warp(picture: Picture, levels: list[Picture], corners: Floats, gain: float) -> None:
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


def shadows(boxes: list[Floats], size: Size, camera: Camera, side: tuple[int, int], lamp: Light) -> NDArray[np.float32]:
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


def face_quad(box: Floats, camera: Camera) -> Floats:
    """The projected corners of the face (for a disc, of the square around it)."""
    return camera.project(box[:4])


def draw_piece(
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
    """A bottle cap: a disc with a fluted skirt that widens away from the closed end. Otherwise as `draw_piece`."""
    turns = np.linspace(0, 2 * np.pi, 4 * flutes, endpoint=False)
    round_ = np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1) / 2
    toothed = round_ * (1.0 + 0.06 * np.cos(flutes * turns))[:, None]
    wide, narrow = toothed * 1.1, round_
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
