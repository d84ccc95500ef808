"""The whole trip of a photo: decode, locate, name, assemble."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import models
from scoring import RuleSet
from scoring.tiles import Family
from vision import frames
from vision.frames import Region
from vision.hand import HandShape, assemble
from vision.locate import locate
from vision.name import name
from vision.network import Network
from vision.reading import Reading

FACTORY_SET = "factory"
"""The name of the networks' own knowledge of pieces, where no piece set has been taught."""


class Reader:
    """Reads photos with two networks that it keeps; safe to share between threads if the networks are."""

    def __init__(self, locator: Network, namer: Network) -> None:
        self.locator = locator
        self.namer = namer

    @classmethod
    def standard(cls, threads: int = 2) -> Reader:
        """The reader with the networks that ship with the project, each on so many threads."""
        return cls(models.load("locator", threads=threads), models.load("namer", threads=threads))

    def read(
        self,
        source: bytes | Path,
        *,
        family: Family,
        rules: RuleSet | None = None,
        region: Region | None = None,
        photo: str = "",
    ) -> Reading:
        """Read one photo, given as a file's bytes or its path.

        With `rules` only its kinds are named and its hand is looked for. `region` is x, y, width, height in pixels of
        the upright photo: tiles elsewhere are not seen. `photo` is the name that the reading carries, a path's own
        name when empty. Raises `vision.frames.PictureError`.
        """
        ms: dict[str, float] = {}
        with _timed(ms, "decode"):
            data = frames.load(source) if isinstance(source, Path) else source
            frame = frames.decode(data, region)
        with _timed(ms, "detect"):
            quads = locate(frame, self.locator)
        with _timed(ms, "classify"):
            kinds = None if rules is None else {tile.code for tile in rules.tiles}
            sightings = name(frame, quads, self.namer, family, kinds)
        with _timed(ms, "assemble"):
            assembly = assemble(sightings, None if rules is None else HandShape.of(rules))
        return Reading(
            photo=photo or (source.name if isinstance(source, Path) else ""),
            width=frame.width,
            height=frame.height,
            family=family.value,
            rules=None if rules is None else rules.id,
            set_name=FACTORY_SET,
            tiles=assembly.tiles,
            groups=assembly.groups,
            hand=assembly.hand,
            ms=ms,
        )


@contextmanager
def _timed(ms: dict[str, float], part: str) -> Iterator[None]:
    start = perf_counter()
    yield
    ms[part] = (perf_counter() - start) * 1000
