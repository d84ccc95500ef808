"""A printed sheet, cut up, glued on pieces and photographed, is read without a miss by the networks that ship."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from photographed import Glued, Light, Picture, cut_out, photograph, rendered

from calibration import sheets
from calibration.sheets import FacePages
from scoring import Family
from vision.read import Reader

COLUMNS = {Family.XIANGQI: 6, Family.JUNQI: 6, Family.PAIGOW: 7, Family.MAHJONG: 9}
LIGHTS = {
    "from above": Light(1, 0.0),
    "across brown wood": Light(3, 30.0, -25.0, table=(60, 75, 110)),
    "under a warm lamp": Light(5, 25.0, 90.0, table=(40, 40, 45), cast=(0.85, 0.97, 1.05)),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=1)


@cache
def printed(family: Family) -> tuple[FacePages, tuple[tuple[str, Picture], ...], tuple[Picture, ...]]:
    """The sheets of every kind of a family, the code and picture of each face cut out, and the pages."""
    laid = sheets.lay_out(family, None, "a4")
    pages = rendered(sheets.draw(laid))
    faces = tuple(
        (placed.tile.code, cut_out(page, placed.x, placed.y, laid.width, laid.height))
        for page, places in zip(pages, laid.pages, strict=True)
        for placed in places
    )
    return laid, faces, tuple(pages)


def spread(family: Family, light: Light) -> list[Glued]:
    """The faces of a family on pieces in rows, discs turned anyhow, some of the others upside down."""
    laid, faces, _ = printed(family)
    rng = np.random.default_rng(light.seed)
    columns = COLUMNS[family]
    return [
        Glued(
            art,
            (n % columns) * 1.12 * laid.width + rng.normal(0, 0.3),
            (n // columns) * 1.2 * laid.height + rng.normal(0, 0.3),
            rng.uniform(0, 360) if laid.round else rng.normal(0, 3) + 180 * (rng.random() < 0.3),
        )
        for n, (_, art) in enumerate(faces)
    ]


def matched(reader: Reader, photo: bytes, family: Family, quads: list[NDArray[np.float64]]) -> list[str | None]:
    """What is read where each face lies, "–" where nothing is; and what is read elsewhere."""
    tiles = list(reader.read(photo, family=family).tiles)
    names: list[str | None] = []
    for quad in quads:
        middle, reach = quad.mean(axis=0), float(np.linalg.norm(quad[0] - quad[2])) / 5
        near = [t for t in tiles if np.linalg.norm(np.mean(t.quad.corners, axis=0) - middle) < reach]
        names.append(near[0].code if near else "–")
        tiles = [tile for tile in tiles if tile not in near]
    return names + [f"elsewhere: {tile.code}" for tile in tiles]


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("family", Family)
def test_printed_pieces_are_read_without_a_miss(family: Family, light: str, reader: Reader) -> None:
    laid, faces, _ = printed(family)
    pieces = spread(family, LIGHTS[light])
    photo, quads = photograph(pieces, (laid.width, laid.height), 8.0, LIGHTS[light], laid.round, (1600, 1200))
    assert matched(reader, photo, family, quads) == [code for code, _ in faces]
