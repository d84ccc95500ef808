"""What light, lens, sensor and file do to a picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.materials import cloud

Picture = NDArray[np.uint8]

DARKEST = 10.0  # grey levels to which the darkest picture is brought down on average; below, people see nothing either


def shoot(picture: Picture, rng: np.random.Generator) -> Picture:
    """The (H, W, 3) uint8 BGR picture as a phone or web camera would have taken it."""
    height, width = picture.shape[:2]
    out: NDArray[np.float32] = picture.astype(np.float32)
    side = max(height, width)
    if rng.random() < 0.7:  # light that falls off, or the edge of a shadow
        slope = cloud(side, int(rng.integers(1, 4)), rng)[:height, :width]
        if rng.random() < 0.2:
            slope = np.asarray(np.tanh(slope * 12) * 0.8, np.float32)
        out *= np.clip(1 + rng.uniform(0.05, 0.3) * slope, 0.25, 1.6)[..., None]
    cast = np.exp(rng.normal(0, 0.09, 3)).astype(np.float32)
    gain = float(np.exp(rng.normal(0.0, 0.28)))
    out *= cast * gain / cast.mean()
    if rng.random() < 0.15:
        _glare(out, rng)
    if rng.random() < 0.5:
        contrast, mean = rng.uniform(0.7, 1.25), float(out.mean())
        out = np.asarray((out - mean) * contrast + mean, np.float32)
    if rng.random() < 0.25:
        grey = out.mean(axis=2, keepdims=True)
        out = np.asarray(grey + (out - grey) * rng.uniform(0.3, 1.3), np.float32)
    out = np.clip(out, 0, 255)
    if rng.random() < 0.3:  # the response of the sensor
        out = np.asarray(255 * (out / 255) ** rng.uniform(0.75, 1.35), np.float32)
    blur = rng.random()
    if blur < 0.45:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.3)), np.float32)
    elif blur < 0.52:
        n = int(rng.integers(3, 7))
        ends = [(int(v), int(w)) for v, w in rng.integers(0, n, (2, 2))]
        out = np.asarray(cv2.filter2D(out, -1, _way(n, *ends)), np.float32)
    if rng.random() < 0.35:  # phones sharpen
        out += rng.uniform(0.2, 1.2) * (out - cv2.GaussianBlur(out, (0, 0), rng.uniform(0.8, 2.0)))
    if rng.random() < 0.7:
        noise = rng.normal(0, rng.uniform(0.5, 9), (height // 2 + 1, width // 2 + 1, 3)).astype(np.float32)
        soft = rng.random() < 0.4
        out += cv2.resize(noise, (width, height)) if soft else np.tile(noise, (2, 2, 1))[:height, :width]
    shot = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.uniform(30, 95))
        file = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        shot = np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)
    return shot


def spoil(picture: Picture, unit: float, rng: np.random.Generator) -> Picture:
    """The (H, W, 3) uint8 BGR picture as taken in haste or at night: out of focus, shaken, dark, under a coloured lamp.

    `unit` is the side of a tile in px: it tells how much of its marks a blur takes away.
    """
    kind = rng.random()
    if kind < 0.45:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), max(0.4, unit * rng.uniform(0.015, 0.08))), np.uint8)
    elif kind < 0.7:
        half = max(1, round(unit * rng.uniform(0.08, 0.28) / 2))
        angle = rng.uniform(0, np.pi)
        x, y = round(half * np.cos(angle)), round(half * np.sin(angle))
        kernel = _way(2 * half + 1, (half - x, half - y), (half + x, half + y))
        picture = np.asarray(cv2.filter2D(picture, -1, kernel), np.uint8)
    night = kind >= 0.7 or rng.random() < 0.25
    least = min(1.0, DARKEST / (1 + float(picture.mean())))
    gain = np.exp(rng.uniform(np.log(least), 0.0)) if night else 1.0
    cast = np.exp(rng.uniform(-0.7, 0.15, 3)) if rng.random() < 0.35 else np.ones(3)
    out = picture * (gain * cast).astype(np.float32)
    if night:
        noise = rng.normal(0, rng.uniform(0.5, 4), (64, 64, 3)).astype(np.float32)
        height, width = picture.shape[:2]
        out += np.tile(noise, (height // 64 + 1, width // 64 + 1, 1))[:height, :width]
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _way(size: int, start: tuple[int, int], end: tuple[int, int]) -> NDArray[np.float32]:
    """The kernel, `size` px a side, that draws a picture out along a camera's way."""
    kernel = np.zeros((size, size), np.float32)
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _glare(out: NDArray[np.float32], rng: np.random.Generator) -> None:
    """One or two bright reflections with soft edges, added in place."""
    height, width = out.shape[:2]
    for _ in range(int(rng.integers(1, 3))):
        spot = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
        centre = (int(rng.uniform(0, width / 4)), int(rng.uniform(0, height / 4)))
        axes = (int(rng.uniform(3, 24)), int(rng.uniform(2, 14)))
        cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), rng.uniform(1.5, 9))
        out += (rng.uniform(60, 220) * cv2.resize(spot, (width, height)))[..., None]
