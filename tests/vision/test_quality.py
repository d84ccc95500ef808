"""The sample, made worse step by step: the faults are told where reading begins to fail, and not before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.tiles import Family
from vision.frames import Frame, Pixels, decode, load
from vision.locate import locate
from vision.name import Look, look, named
from vision.quality import faults
from vision.read import Reader
from vision.reading import Quad, Reading, Sighting

SAMPLE = Path(__file__).parents[2] / "hupai" / "sample.jpg"
HAND = Counter(["rR"] * 3 + ["bC"] * 3 + ["rP"] * 2)

reader = cache(Reader)


@cache
def sample() -> Pixels:
    return decode(load(SAMPLE)).image


def noisy(picture: np.ndarray) -> Pixels:
    """A sensor's noise, and its end at 255."""
    grain = np.random.default_rng(0).normal(0, 2, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def light(gain: float) -> Pixels:
    return noisy(sample() * gain)


def veiled(share: float) -> Pixels:
    return noisy(sample() * 2.0 * (1 - share) + 255 * share)


def blurred(sigma: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(sample(), (0, 0), sigma), np.uint8)


def shaken(way: int) -> Pixels:
    kernel = np.zeros((way, way), np.float32)
    kernel[way // 2] = 1 / way
    return np.asarray(cv2.filter2D(sample(), -1, kernel), np.uint8)


def shrunk(scale: float) -> Pixels:
    return np.asarray(cv2.resize(sample(), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def far(scale: float) -> Pixels:
    """The same picture from afar: shrunk, on a larger table."""
    table = np.full_like(sample(), (83, 88, 104))
    small = shrunk(scale)
    table[: small.shape[0], : small.shape[1]] = small
    return table


def leaning(degrees: float) -> Pixels:
    """The table under a camera that leans towards it."""
    height, width = sample().shape[:2]
    away, lean = 2.0 * width, np.radians(degrees)
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    depth = away - corners[:, 1] * np.sin(lean)
    seen = np.column_stack([corners[:, 0], corners[:, 1] * np.cos(lean)]) * (away / depth)[:, None]
    middle = (width / 2, height / 2)
    matrix = cv2.getPerspectiveTransform((corners + middle).astype(np.float32), (seen + middle).astype(np.float32))
    return np.asarray(cv2.warpPerspective(sample(), matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def cut() -> Pixels:
    """Without what lies right of the middle of the rightmost tile of the hand."""
    reading = read(sample())
    rightmost = max(np.mean([x for x, _ in tile.quad.corners]) for tile in reading.tiles)
    return np.ascontiguousarray(sample()[:, : int(rightmost) + 25])


def read(picture: Pixels) -> Reading:
    data = bytes(cv2.imencode(".png", picture)[1])
    return reader().read(data, family="xiangqi", rules="xiangqi-3")


@pytest.mark.parametrize(
    ("degrade", "steps", "code"),
    [
        (light, (0.3, 0.1, 0.05), "too_dark"),
        (light, (2.5, 10.0, 16.0), "blown_out"),
        (veiled, (0.1, 0.6, 0.8), "blown_out"),
        (blurred, (2.4, 4.8, 6.4), "blurred"),
        (shaken, (7, 23, 31), "shaken"),
        (shrunk, (0.2, 0.1), "tiles_too_small"),
        (far, (0.4, 0.2), "tiles_too_small"),
        (leaning, (45.0, 60.0), "too_steep"),
    ],
)
def test_no_picture_reads_wrong_without_a_word(
    degrade: Callable[[float], Pixels], steps: tuple[float, ...], code: str
) -> None:
    first, *rest = (read(degrade(step)) for step in steps)
    assert right(first)
    assert first.quality == ()
    for reading in rest:
        assert right(reading) or reading.quality
    assert [fault.code for fault in rest[-1].quality] == [code]
    (fault,) = rest[-1].quality
    assert fault.measure < fault.limit
    assert fault.to_json().keys() == {"code", "measure", "limit", "hint"}
    assert "{" not in fault.words


def right(reading: Reading) -> bool:
    return Counter(tile.code for tile in reading.tiles) == HAND


def test_the_sample_has_no_fault() -> None:
    assert read(sample()).quality == ()


def test_a_tile_of_the_hand_that_is_cut_off_is_told() -> None:
    reading = read(cut())
    assert [(fault.code, fault.measure) for fault in reading.quality] == [("cut_off", 1.0)]


@pytest.mark.parametrize(
    ("picture", "code"), [(light(0.005), "too_dark"), (light(200.0), "blown_out"), (blurred(16.0), "blurred")]
)
def test_a_picture_without_tiles_is_judged_as_a_whole(picture: Pixels, code: str) -> None:
    reading = read(picture)
    assert reading.tiles == ()
    assert [fault.code for fault in reading.quality] == [code]


def test_an_empty_table_is_no_fault() -> None:
    cloth = noisy(np.full((600, 800, 3), (70, 90, 60), np.uint8))
    assert read(cloth).quality == ()


def test_the_patches_of_tiles_are_judged_and_not_the_table() -> None:
    """A sharp pattern on the cloth hides no blurred tile, and a black cloth makes no dark one."""
    frame = Frame(blurred(5.6), 1200, 1600)
    quads = locate(frame, reader().locator)
    seen = look(frame, quads, reader().namer)
    frame.image[:, ::8] = 0
    assert [fault.code for fault in faults(frame, seen, named(seen, Family.XIANGQI), Family.XIANGQI)] == ["blurred"]


def block(width: float, height: float, turn: float) -> Sighting:
    corners = ((100.0, 100.0), (100.0 + width, 100.0), (100.0 + width, 100.0 + height), (100.0, 100.0 + height))
    return Sighting(Quad(corners, 0.9, False, "up"), "1m", 0.9, (("1m", 0.9),), turn)


@pytest.mark.parametrize(
    ("width", "height", "turn", "steep"),
    [(40, 54, 0, False), (54, 40, 90, False), (40, 27, 0, True), (40, 54, 90, True), (20, 54, 180, True)],
)
def test_the_face_tells_which_side_of_a_mahjong_tile_is_shortened(
    width: float, height: float, turn: float, steep: bool
) -> None:
    tile = block(width, height, turn)
    patches = np.tile(np.random.default_rng(0).integers(0, 255, (1, 64, 64, 3), np.uint8), (1, 1, 1, 1))
    seen = Look((tile.quad,), np.array([tile.quad.corners]), patches, {}, np.zeros(4, int), np.arange(4))
    found = faults(Frame(np.zeros((400, 400, 3), np.uint8), 400, 400), seen, [tile], Family.MAHJONG)
    assert ("too_steep" in [fault.code for fault in found]) == steep
