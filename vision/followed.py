"""One tile followed: what is remembered of it, and what one more look of the locator or the namer changes about that.

Times are in seconds, distances in tiles (the side of the square that covers as much).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

import cv2
import numpy as np

from vision.matching import Array
from vision.motion import Change, Ground, Scenery, change_at
from vision.reading import Quad, Sighting
from vision.votes import Votes

ALIKE_SIZE: Final = 1.3  # beyond this ratio of areas two quads show other parts of a tile
INSIDE: Final = 0.06  # by what share of the tile's sides a part may stand out over its outline
LESS: Final = 0.8  # what lies inside and covers less than this share of the tile is a part of it
CALM: Final = 0.06  # an outline that moves by less stays as it is shown
MOVED: Final = 0.15
DRIFTED: Final = 0.3

IN_MOTION: Final = 0.2  # what moved so shortly before it was lost from sight is in a hand, and not under it
STEPS: Final = 2  # so many looks in a row tell a motion from a quad that was found badly once
FORGET_GHOST: Final = 0.3  # what has not yet counted is forgotten when it is not seen for so long
GONE_AFTER: Final = 0.4
COVERED_FOR: Final = 15.0
UNCLEAR_FOR: Final = 3.0
PASSING_FOR: Final = 1.0  # what was seen at its place for a moment only may have been on its way

SEEN_MARKS: Final = 0.6  # this share of a tile's marks unchanged: it lies there, though the locator missed it
WHOLE: Final = 0.9  # this share: nothing covers a part of it
SOME_MARKS: Final = 0.25  # this share: a part of it shows beside what covers it
BESET: Final = 0.2  # something lies on this share of the ground around it, and maybe over a part of the tile
TOUCHED: Final = 0.05  # on this share: it may cover the tile, and what is found inside the outline is what it leaves
MUCH: Final = 0.3  # on this share: what looks like the rest of the ground may be a sleeve of its colour
USED_TO: Final = 0.6  # what has lain there for so long, while the tile is as it was, belongs there
BESET_FOR: Final = 3.0  # and after so long in any case
ON_TOP: Final = 0.35  # where tiles lie on this share of a place, none lies there beneath them

CALM_FOR: Final = 0.3  # a vote counts for most once nothing has happened to the tile for so long
STALE: Final = 0.5  # a tile that keeps moving is named all the same when it has waited for so long
MIN_SIGHTINGS: Final = 2
ASK_AGAIN: Final = 0.08
MANY_LOOKS: Final = 8  # after so many a tile that was found in fewer than half of them, and has no sure face, is none
MIN_VOTES: Final = 2
MAX_VOTES: Final = 6
SURE: Final = 0.9
# A tile that may have been changed for another takes a new name when it is this sure, after `MIN_VOTES`.
CONVINCED: Final = 0.8

_NO_VOTES: Final = Votes()


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """What is remembered of one tile from frame to frame.

    `quad` is its outline as it is shown, `found` as it was found last, `named_at` as it was when it was named last;
    `look` is its last look, `named` the one in which it was named, `laid` the one in which it had just come to rest.
    `seen_in` is the scenery in which it was last seen whole and without doubt, `shift` how far the picture has moved
    since (photo pixels), `drift` how far the tile has moved against the others (tiles), `speed` how fast it does (photo
    pixels a second), `gain` by how much faster than a look before, `steps` in how many looks on end it has, without
    turning back.

    `looks` is in how many looks its place lay open, and `sightings` in how many of these it was found.
    `since` and `seen` are the times of its first and its last sighting, `rest` the time since which it has not moved;
    `missing`, `bare` and `beset` since when it is not seen, its place lies bare, and something lies beside it that was
    not there, each None where that is not so; `altered` tells whether its face is another than was named. A tile
    `counts` once it has been at rest; one that is `lost` may turn up elsewhere. `rival` are the votes since it may have
    become another tile, None where there is no doubt of it; `doubted` is when that doubt last rose, `asked` when the
    tile was last named.
    """

    id: int
    quad: Quad
    found: Quad
    named_at: Quad
    look: Array
    named: Array
    laid: Array
    seen_in: Scenery
    since: float
    seen: float
    rest: float
    shift: Array = field(default_factory=lambda: np.zeros(2))
    drift: Array = field(default_factory=lambda: np.zeros(2))
    speed: Array = field(default_factory=lambda: np.zeros(2))
    gain: Array = field(default_factory=lambda: np.zeros(2))
    steps: int = 0
    sightings: int = 1
    looks: int = 1
    missing: float | None = None
    bare: float | None = None
    beset: float | None = None
    altered: bool = False
    lost: bool = False
    counts: bool = False
    votes: Votes = _NO_VOTES
    rival: Votes | None = None
    doubted: float = -math.inf
    asked: float = -math.inf

    @classmethod
    def new(cls, id: int, quad: Quad, look: Array, scenery: Scenery, at: float) -> Followed:
        """A tile at its first sighting."""
        return cls(id, quad, quad, quad, look, look, look, scenery, since=at, seen=at, rest=at)

    @property
    def settled(self) -> bool:
        """Whether more votes would tell nothing new: there are enough, and the last was cast at rest."""
        return (
            self.rival is None
            and self.votes.count >= (MIN_VOTES if self.sure else MAX_VOTES)
            and self.asked >= self.calm
        )

    @property
    def sure(self) -> bool:
        """Whether its votes leave little doubt."""
        return self.votes.no_tile or self.votes.confidence >= SURE

    @property
    def calm(self) -> float:
        """The time from which on nothing has happened to it for a while."""
        return max(self.rest, self.doubted) + CALM_FOR

    @property
    def print_of_the_table(self) -> bool:
        """Whether it is found too rarely for what has no sure face: a back shows nothing that the table might not."""
        rarely = self.looks >= MANY_LOOKS and 2 * self.sightings < self.looks
        return rarely and (self.votes.code is None or not self.sure)

    @property
    def shown(self) -> bool:
        """Whether it belongs to the view."""
        return self.counts and not self.lost and not self.votes.no_tile and not self.print_of_the_table

    @property
    def in_motion(self) -> bool:
        """Whether it was moving when it was last seen."""
        return self.steps >= STEPS and self.moved_last

    @property
    def moved_last(self) -> bool:
        """Whether it had just moved, be it to and fro, when it was last seen."""
        return self.seen - self.rest < IN_MOTION

    def shifted(self, way: Array) -> Followed:
        """The tile after the whole picture has moved."""
        return replace(
            self,
            quad=_moved(self.quad, way),
            found=_moved(self.found, way),
            named_at=_moved(self.named_at, way),
            shift=self.shift + way,
        )

    def questioned(self, at: float) -> Followed:
        """The tile after something has happened to it: it may be another one now, if it had a name."""
        return replace(self, rival=_NO_VOTES, doubted=at) if self.votes.count else replace(self, doubted=at)


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """A look of the locator: what it saw, how far the picture has moved since the last scan (photo pixels) and whether
    it has at all, the side of a tile (photo pixels), how much two tiles' looks differ usually, the time, and what is
    known of the bare table."""

    scenery: Scenery
    way: Array
    shaken: bool
    unit: float
    contrast: float
    at: float
    ground: Ground
    passing: Sequence[tuple[int, Quad]]

    def is_passed(self, tile: Followed) -> bool:
        """Whether another tile that is in motion lies over a part of it; the tile is `shifted` already."""
        corners = np.array(tile.quad.corners, np.float32)
        others = (np.array(quad.corners, np.float32) for id, quad in self.passing if id != tile.id)
        return any(cv2.intersectConvexConvex(corners, other)[0] > 0 for other in others)

    def is_bare(self, tile: Followed) -> bool:
        """Whether the table shows where a tile lay, as it looked before it came; the tile is `shifted` already."""
        return self.ground.shows_at(self.scenery.glance, np.array(tile.quad.corners), disc=tile.quad.round)

    def change(self, tile: Followed) -> Change:
        """What has changed about a tile since it was last seen whole."""
        corners = np.array(tile.quad.corners) - tile.shift
        return change_at(tile.seen_in, self.scenery, corners, tile.shift, disc=tile.quad.round)


class Place(Enum):
    """What shows where a tile lay that was not found: the tile all the same, something that covers it, something else
    that does not reach beyond it, other tiles, or the bare table. What was moving has left its place."""

    TILE = auto()
    COVERED = auto()
    UNCLEAR = auto()
    TAKEN = auto()
    BARE = auto()


def place_of(tile: Followed, scan: Scan) -> Place:
    """What shows at a tile's place; the tile is `shifted` already."""
    if tile.in_motion:
        return Place.BARE
    change = scan.change(tile)
    if change.taken >= ON_TOP or (change.under >= ON_TOP and change.around < BESET):
        return Place.TAKEN
    if change.marks >= SEEN_MARKS:
        return Place.TILE
    like_the_ground = change.ground < 1 and change.around < MUCH
    if (change.marks < SOME_MARKS and like_the_ground) or scan.is_bare(tile):
        return Place.BARE
    return Place.COVERED if change.around >= TOUCHED or math.isinf(change.ground) else Place.UNCLEAR


def missed(tile: Followed, place: Place, at: float) -> Followed | None:
    """The tile after it was not found; None where it is forgotten. It is `shifted` already."""
    missing = at if tile.missing is None else tile.missing
    if not tile.counts:
        return replace(tile, missing=missing) if at - tile.seen < FORGET_GHOST else None
    if place is Place.TILE:
        here = replace(tile, seen=at, missing=None, bare=None, looks=tile.looks + 1)
        return replace(here, speed=np.zeros(2), gain=np.zeros(2), steps=0)
    hidden = place in (Place.COVERED, Place.UNCLEAR)
    bare = None if hidden else at if tile.bare is None else tile.bare
    patience = COVERED_FOR if place is Place.COVERED else UNCLEAR_FOR
    if tile.moved_last:
        patience = PASSING_FOR
    lost = at - missing >= patience if hidden else bare is not None and at - bare >= GONE_AFTER
    if lost:
        return replace(tile, missing=missing, bare=bare, lost=True, seen=at, speed=np.zeros(2), gain=np.zeros(2))
    return replace(tile, missing=missing, bare=bare)


def found(tile: Followed, quad: Quad, face: Array, changed: bool, scan: Scan) -> Followed:
    """The tile after it was found at a quad, with that look of its face, which has `changed` since it was named or
    not."""
    unit, at = scan.unit, scan.at
    here = tile.shifted(scan.way)
    kept = replace(here, seen=at, missing=None, bare=None, lost=False)
    change = scan.change(kept)
    around = change.around
    step = centre(quad) - centre(here.quad)
    inside = is_inside(quad, here.quad) and (around >= TOUCHED or scan.is_passed(here))
    covered = around >= (TOUCHED if changed else BESET)
    beset = None if not inside and not covered else at if tile.beset is None else tile.beset
    leapt, onward = leaps(here.quad, quad, unit), tile.steps > 0 and bool(step @ tile.speed > 0)
    part = change.marks < WHOLE and (inside or (covered and _is_misshapen(quad, here.quad, unit)))
    if part and not (leapt and onward) and beset is not None and at - beset < BESET_FOR and not tile.in_motion:
        return replace(kept, beset=beset, altered=True).questioned(at)
    drift = tile.drift + step / unit
    # An outline may leap though the tile does not: where tiles lie close, it may be found about the wrong edges.
    lies = change.marks >= WHOLE and at - tile.rest >= CALM_FOR
    moved = not lies and (leapt or bool(np.hypot(*drift) > DRIFTED))
    speed = step / max(at - tile.seen, 1e-3) if moved else np.zeros(2)
    off = float(np.abs(np.array(quad.corners) - np.array(tile.quad.corners)).max())
    calm = off < CALM * unit or (lies and off > MOVED * unit and quad.score < tile.quad.score)
    kept = replace(
        kept,
        quad=replace(quad, corners=tile.quad.corners) if calm else quad,
        found=quad,
        look=face,
        laid=face if not moved and at - tile.rest < CALM_FOR else tile.laid,
        drift=tile.drift if calm else np.zeros(2) if moved else drift,
        speed=speed,
        gain=speed - tile.speed if moved else np.zeros(2),
        steps=tile.steps + 1 if moved and onward else int(moved),
        rest=at if moved else tile.rest,
        sightings=tile.sightings + 1,
        looks=tile.looks + 1,
        altered=changed,
    )
    if moved or changed or tile.missing is not None or not _is_alike(quad, here.named_at):
        kept = kept.questioned(at)
    whole = kept.rival is None and (beset is None or at - beset >= USED_TO)
    settling = at - kept.rest < CALM_FOR
    if settling or scan.shaken or whole or (beset is not None and at - beset >= BESET_FOR):
        return replace(kept, seen_in=scan.scenery, shift=np.zeros(2), beset=None)
    return replace(kept, beset=beset)


def wants_name(tile: Followed, at: float) -> bool:
    """Whether the namer should see a tile now: it is new, moved, changed or doubtful, and lies open.

    It is asked once when that happens and again when all has been calm for a while, and as often as it takes from then.
    """
    if tile.settled or tile.lost or tile.missing is not None or at - tile.asked < ASK_AGAIN:
        return False
    half_covered = tile.altered and tile.beset is not None and at - tile.beset < BESET_FOR
    if tile.sightings < MIN_SIGHTINGS or half_covered:
        return False
    first = (tile.votes if tile.rival is None else tile.rival).count == 0
    return (first and tile.rest < at) or at >= tile.calm or at - max(tile.asked, tile.since) >= STALE


def urgency(tile: Followed) -> tuple[bool, int, float]:
    """A sorting key: first what has no name, then what may have another, then what is in doubt."""
    votes = tile.votes if tile.rival is None else tile.rival
    return tile.votes.count > 0, votes.count, votes.confidence


def voted(tile: Followed, sighting: Sighting | None, at: float) -> Followed:
    """The tile after it was named; None where the namer saw no tile."""
    tile = replace(tile, named=tile.look, named_at=tile.found, asked=at)
    rival = (tile.rival or _NO_VOTES).add(sighting)
    settles = tile.votes.count >= MIN_VOTES and tile.sure
    if tile.rival is None and (not settles or rival.code == tile.votes.code):
        return replace(tile, votes=tile.votes.add(sighting))
    if rival.count < MIN_VOTES:
        return replace(tile, rival=rival)
    if (rival.code, rival.no_tile) == (tile.votes.code, tile.votes.no_tile):
        return replace(tile, rival=None)
    if rival.confidence >= CONVINCED and not rival.no_tile:
        return replace(tile, votes=rival, rival=None)
    if rival.count < MAX_VOTES:
        return replace(tile, rival=rival)
    # Neither is it the old tile for sure nor another one: only what never was one for sure is given up as no tile.
    gives_up = rival.no_tile and not tile.sure
    return replace(tile, votes=rival if gives_up else tile.votes, rival=None)


def centre(quad: Quad) -> Array:
    """The middle of a quad, (2,), photo pixels."""
    return np.asarray(np.mean(quad.corners, axis=0), np.float64)


def leaps(before: Quad, quad: Quad, unit: float) -> bool:
    """Whether a quad lies elsewhere than the one before, which has moved with the picture already."""
    return bool(np.hypot(*(centre(quad) - centre(before))) > MOVED * unit)


def is_inside(quad: Quad, whole: Quad) -> bool:
    """Whether a quad is but a part of the tile: less of it, and within its outline."""
    if quad.size**2 >= LESS * whole.size**2:
        return False
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(whole.corners, np.float32), square)
    places = cv2.perspectiveTransform(np.array([quad.corners], np.float64), matrix)
    return bool((places > -INSIDE).all() and (places < 1 + INSIDE).all())


def _is_alike(quad: Quad, other: Quad) -> bool:
    """Whether two quads cover about as much."""
    return 1 / ALIKE_SIZE < max(quad.size**2, 1e-6) / max(other.size**2, 1e-6) < ALIKE_SIZE


def _is_misshapen(quad: Quad, whole: Quad, unit: float) -> bool:
    """Whether a quad is of another area than the tile, and further from the one that tiles have."""
    if _is_alike(quad, whole):
        return False
    area, known = max(quad.size**2, 1e-6), max(whole.size**2, 1e-6)
    return abs(math.log(area / unit**2)) > abs(math.log(known / unit**2))


def _moved(quad: Quad, way: Array) -> Quad:
    if not way.any():
        return quad
    a, b, c, d = ((x + float(way[0]), y + float(way[1])) for x, y in quad.corners)
    return replace(quad, corners=(a, b, c, d))
