"""The whole trip of a photo: decode, locate, name, assemble."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import models
import scoring
from scoring.tiles import Family
from vision import frames
from vision.frames import Region
from vision.hand import HandShape, assemble
from vision.locate import locate
from vision.name import look, named
from vision.network import Network
from vision.quality import faults
from vision.reading import FACTORY_SET, Reading


class Reader:
    """Reads photos with two networks that it keeps; safe to share between threads if the networks are.

    Without networks given, those that ship with the project are loaded, each on `threads` threads.
    """

    def __init__(self, locator: Network | None = None, namer: Network | None = None, *, threads: int = 2) -> None:
        self.locator = locator or models.load("locator", threads=threads)
        self.namer = namer or models.load("namer", threads=threads)

    def read(
        self,
        source: bytes | Path,
        *,
        family: str,
        rules: str | None = None,
        region: Region | None = None,
        name: str = "",
    ) -> Reading:
        """Read one photo of tiles of a family, given as a file's bytes or its path.

        With `rules`, a rule set's id, only its kinds are named and its hand is looked for. `region` is x, y, width,
        height in pixels of the upright photo: tiles elsewhere are not seen. `name` is what the reading calls the
        photo; a path's own where it is empty. Raises `vision.frames.PictureError`, and `ValueError` for a family or
        rule set that does not exist.
        """
        kind = Family(family)
        rule_set = None if rules is None else scoring.rule_set(rules)
        ms: dict[str, float] = {}
        with _timed(ms, "decode"):
            data = frames.load(source) if isinstance(source, Path) else source
            frame = frames.decode(data, region)
        with _timed(ms, "detect"):
            quads = locate(frame, self.locator)
        with _timed(ms, "classify"):
            kinds = None if rule_set is None else {tile.code for tile in rule_set.tiles}
            seen = look(frame, quads, self.namer)
            sightings = named(seen, kind, kinds)
        with _timed(ms, "assemble"):
            assembly = assemble(sightings, None if rule_set is None else HandShape.of(rule_set))
            quality = faults(frame, seen, assembly.own_tiles(), kind)
        return Reading(
            photo=name or (source.name if isinstance(source, Path) else ""),
            width=frame.width,
            height=frame.height,
            family=kind.value,
            rules=rules,
            set_name=FACTORY_SET,
            tiles=assembly.tiles,
            groups=assembly.groups,
            hand=assembly.hand,
            ms=ms,
            quality=quality,
        )


@contextmanager
def _timed(ms: dict[str, float], part: str) -> Iterator[None]:
    start = perf_counter()
    yield
    ms[part] = (perf_counter() - start) * 1000
