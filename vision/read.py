"""The whole trip of a photo: decode, locate, name, assemble."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

import models
import scoring
from models.patches import PATCH
from scoring.tiles import Family
from vision import frames
from vision.copies import beyond, of_one_set, within
from vision.frames import Frame, Region
from vision.hand import HandShape, assemble
from vision.locate import LONG_SIDE, SECOND_LOOK, is_far, locate, look_closer
from vision.name import TURNS, TaughtPieces, believed, look, named, recognise
from vision.network import Network
from vision.quality import faults
from vision.reading import FACTORY_SET, Quad, Reading
from vision.standing import without_sides
from vision.suggest import nearest_win
from vision.timing import timed

# The longer side with which a photo is decoded at first, enough for the locator; and the side of a tile, in frame
# pixels, from which its name is as right as from more (on photographs, 44 are enough).
FIRST_SIDE: Final = 800
ENOUGH: Final = 48


class Reader:
    """Reads photos with two networks that it keeps; safe to share between threads if the networks are.

    Without networks given, those that ship with the project are loaded, each on `threads` threads.
    """

    def __init__(self, locator: Network | None = None, namer: Network | None = None, *, threads: int = 2) -> None:
        self.locator = locator or models.load("locator", threads=threads)
        self.namer = namer or models.load("namer", threads=threads)

    def warm(self) -> None:
        """Run both networks once on nothing, so that the first photo waits for no memory."""
        canvas = np.zeros((1, LONG_SIDE, LONG_SIDE, 3), np.uint8)
        for feed in (canvas, canvas[:, :SECOND_LOOK, :SECOND_LOOK]):
            self.locator.run(np.ascontiguousarray(feed))
        self.namer.run(np.zeros((len(TURNS), PATCH, PATCH, 3), np.uint8))

    def read(
        self,
        source: bytes | Path,
        *,
        family: str | None = None,
        rules: str | None = None,
        region: Region | None = None,
        name: str = "",
        pieces: TaughtPieces | None = None,
    ) -> Reading:
        """Read one photo of tiles of a family, given as a file's bytes or its path.

        With `rules`, a rule set's id, only its kinds are named and its hand is looked for; without a family and rules
        the family is recognised. `region` is x, y, width, height in pixels of the upright photo: tiles elsewhere are
        not seen. `name` is what the reading calls the photo; a path's own where it is empty. `pieces` is the set that
        the tiles are of, where it was taught. Raises `vision.frames.PictureError`, and `ValueError` for a family or
        rule set that does not exist, or is not the one of the pieces.
        """
        rule_set = None if rules is None else scoring.rule_set(rules)
        kind = None if family is None else Family(family)
        if kind is None and rule_set is not None:
            kind = rule_set.family
        if pieces is not None:
            kind = kind or pieces.family
            if kind is not pieces.family:
                raise ValueError(f"the set {pieces.name!r} is of {pieces.family} pieces, not {kind}")
        ms: dict[str, float] = {}
        with timed(ms, "decode"):
            data = frames.load(source) if isinstance(source, Path) else source
            frame = frames.decode(data, region, FIRST_SIDE)
        with timed(ms, "detect"):
            quads = locate(frame, self.locator, thorough=True)
        with timed(ms, "decode"):
            frame = _fine_enough(frame, quads, data, region)
        far = is_far(frame, quads)
        if far:
            with timed(ms, "detect"):
                quads = look_closer(frame, quads, self.locator)
        with timed(ms, "classify"):
            copies = None if rule_set is None else {tile.code: rule_set.copies(tile.code) for tile in rule_set.tiles}
            # To tell the family, and by taught pieces, every tile is seen at every turn.
            seen = look(frame, quads, self.namer, kind if pieces is None else None)
            kind = kind or recognise(seen)
            sightings = [] if kind is None else believed(without_sides(named(seen, kind, copies, pieces)), far)
            if copies is not None:
                sightings = within(sightings, copies)
            elif kind is not None:
                sightings = of_one_set(sightings, kind)
        with timed(ms, "assemble"):
            assembly = assemble(sightings, None if rule_set is None else HandShape.of(rule_set))
            quality = faults(frame, seen, assembly.own_tiles(), kind)
            suggestion = None if rule_set is None else nearest_win(assembly, rule_set)
        return Reading(
            photo=name or (source.name if isinstance(source, Path) else ""),
            width=frame.width,
            height=frame.height,
            family=None if kind is None else kind.value,
            rules=rules,
            set_name=FACTORY_SET if pieces is None else pieces.name,
            tiles=assembly.tiles,
            groups=assembly.groups,
            hand=assembly.hand,
            ms=ms,
            quality=quality,
            suggestion=suggestion,
            too_many=tuple(beyond(assembly.tiles, copies or {}).items()),
        )


def _fine_enough(frame: Frame, quads: Sequence[Quad], data: bytes, region: Region | None) -> Frame:
    """The frame, decoded once more at a larger scale where the photo has more pixels and patches need them."""
    if not quads or min(frame.step) < 2:
        return frame
    side = float(np.median([quad.size for quad in quads])) / max(frame.step)
    if side >= ENOUGH:
        return frame
    return frames.decode(data, region, side=round(max(frame.image.shape[:2]) * PATCH / side))
