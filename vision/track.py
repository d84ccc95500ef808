"""Tiles followed through the frames of a camera: who is who, what each is, and whether the hand has come to rest.

A frame in which nothing has changed costs a glance. Else the locator looks; its quads are matched with the tiles known
so far, and only tiles that are new, moved, changed or doubtful are named, a few a frame. Names are voted over frames.
A tile that the locator does not find is still there while its marks are seen, covered while something lies over its
place, and gone when its place lies bare. A hand at rest is locked: its names stand until what lies there changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

import scoring
from scoring.tiles import Family
from vision.copies import of_one_set, within
from vision.frames import Frame
from vision.hand import Assembly, HandShape, assemble
from vision.locate import locate
from vision.matching import Array, assign, common_shift, difference, looks
from vision.motion import Change, Glance, change_at, is_still, same_view
from vision.name import TaughtPieces, look, named
from vision.network import Network
from vision.reading import HandReading, Quad, Reading, Sighting
from vision.timing import timed
from vision.votes import Votes

Locate = Callable[[Frame], Sequence[Quad]]
Name = Callable[[Frame, Sequence[Quad]], Sequence[Sighting]]
"""Names quads; those that show no tile may be left out, the others keep their corners."""
Decode = Callable[[Sequence[Sighting]], Assembly]
"""Puts tiles in reading order and finds the hand among them; it may add tiles that it guesses."""

# Times are in seconds, distances in tiles (the side of the square that covers as much).
LOOK_AGAIN: Final = 1.0  # the locator looks so often where nothing changes, for what it may have missed
FIRST_LOOKS: Final = 2  # and so many times at once when things have come to rest

GATE: Final = 1.0  # a tile moves no further between two looks than this beside the motion that all share
SPRINT: Final = 4.0  # and by so much a second further, when it was moving and has been out of sight
TURN: Final = 0.15  # what it costs a tile to be where it was and not where it was going
UNLIKE: Final = 0.3  # what a wholly different look costs a tile that stayed where it was
OTHER_AND_AWAY: Final = 4.0  # and how many times the distance of one that did not
OTHER_SIZE: Final = 0.5  # what another size costs, times its logarithm
UNMATCHED: Final = 1.5

ALIKE_SIZE: Final = 1.3  # beyond this ratio of areas a quad shows but a part of the tile
CALM: Final = 0.06  # an outline that moves by less stays as it is shown
SHAKEN: Final = 0.015  # the tiles as a whole move by more than this only with the camera
MOVED: Final = 0.15
DRIFTED: Final = 0.3
CHANGED_LOOK: Final = 0.25  # a face differs by more than noise and a trembling outline from what was named

NEW_FOR: Final = 0.25  # at rest for so long a new tile counts
LOCK_AFTER: Final = 0.6
FORGET_GHOST: Final = 0.3  # what has not yet counted is forgotten when it is not seen for so long
GONE_AFTER: Final = 0.4
IN_MOTION: Final = 0.2  # what moved so shortly before it was lost from sight is in a hand, and not under it
COVERED_FOR: Final = 15.0
LOST_FOR: Final = 8.0  # within this a tile that turns up elsewhere is known again
STALE: Final = 0.5  # a tile that keeps moving is named all the same when it has waited for so long

SEEN_MARKS: Final = 0.6  # this share of a tile's marks unchanged: it lies there, though the locator missed it
SOME_MARKS: Final = 0.25  # this share: a part of it shows beside what covers it
COVERED_AROUND: Final = 0.5  # this share of the ground around it changed: something lies over the place
BESET: Final = 0.25  # this share: something lies beside the tile, and maybe over a part of it
USED_TO: Final = 0.6  # what has lain there for so long, while the tile is as it was, belongs there
BESET_FOR: Final = 3.0  # and after so long in any case
OTHER_GROUND: Final = 27.0  # grey levels by which a place differs from the ground around it when it is not bare

ON_TOP: Final = 0.35  # where tiles lie on this share of a place, none lies there beneath them

CALM_FOR: Final = 0.3  # a vote counts for most once nothing has happened to the tile for so long
MIN_SIGHTINGS: Final = 2
NAMES_A_FRAME: Final = 8
ASK_AGAIN: Final = 0.08
MIN_VOTES: Final = 2
MAX_VOTES: Final = 6
SURE: Final = 0.9
# A tile that may have been changed for another takes a new name when it is this sure, after `MIN_VOTES`.
CONVINCED: Final = 0.8


@dataclass(frozen=True, slots=True)
class Track:
    """A tile followed. `id` is its own for good, None where the tile is but guessed from the others; `sighting` where
    it is (was, while `covered`) and what it is by all votes; `age` for how many seconds it has been known. While
    `locked` its name does not change."""

    id: int | None
    sighting: Sighting
    age: float
    covered: bool
    locked: bool


@dataclass(frozen=True, slots=True)
class View:
    """What is known after a frame. `tracks` stand in reading order, `groups[i]` is the cluster of track i, the numbers
    of `hand` are places in `tracks`. `locked`: the hand is at rest, its tiles and names stand.

    `located` tells whether the locator looked at this frame, `named` how many tiles the namer saw, `ms` the time by
    part. `width` and `height` are the photo's, in pixels.
    """

    width: int
    height: int
    tracks: tuple[Track, ...]
    groups: tuple[int, ...]
    hand: HandReading
    locked: bool
    located: bool
    named: int
    ms: Mapping[str, float]

    @property
    def assembly(self) -> Assembly:
        """The tiles, the clusters and the hand as they are found in a photo."""
        return Assembly(tuple(track.sighting for track in self.tracks), self.groups, self.hand)

    def reading(self, photo: str, family: str, rules: str | None, set_name: str) -> Reading:
        """The view in the form of a photo's reading."""
        tiles = self.assembly.tiles
        return Reading(
            photo, self.width, self.height, family, rules, set_name, tiles, self.groups, self.hand, dict(self.ms)
        )


_NO_VOTES: Final = Votes()
_NO_HAND: Final = HandReading((), (), None)
_STILL: Final = np.zeros(2)


@dataclass(frozen=True, slots=True, eq=False)
class _Tile:
    """What is remembered of one tile from frame to frame.

    `quad` is its outline as it is shown, `found` as it was found last, `named_at` as it was when it was named last;
    `look` is its last look, `named` the one in which it was named. `seen_in` is the glance in which it was last seen
    whole and without doubt, `shift` how far the picture has moved since (photo pixels), `drift` how far the tile has
    moved against the others (tiles), `speed` how fast it does (photo pixels a second).

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
    seen_in: Glance
    since: float
    seen: float
    rest: float
    shift: Array = field(default_factory=lambda: np.zeros(2))
    drift: Array = field(default_factory=lambda: np.zeros(2))
    speed: Array = field(default_factory=lambda: np.zeros(2))
    sightings: int = 1
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
    def shown(self) -> bool:
        """Whether it belongs to the view."""
        return self.counts and not self.lost and not self.votes.no_tile


@dataclass(frozen=True, slots=True)
class _Laid:
    """The tiles in reading order by their ids, as they were last assembled, and what that rested on."""

    basis: tuple[tuple[int, float, Votes], ...] = ()
    ids: tuple[int | None, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    groups: tuple[int, ...] = ()
    hand: HandReading = _NO_HAND

    def gist(self) -> dict[int, tuple[str | None, str]]:
        """What each tile of the hand is called and is there for, by its id; without a hand, of all tiles."""
        hand = self.hand
        roles = dict.fromkeys(hand.concealed, "concealed")
        roles |= {place: f"meld{number}" for number, meld in enumerate(hand.melds) for place in meld.tiles}
        if hand.win is not None:
            roles[hand.win] = "win"
        places = roles or range(len(self.ids))
        return {
            id: (self.sightings[place].code, roles.get(place, "other"))
            for place in places
            if (id := self.ids[place]) is not None
        }


class Tracker:
    """Follows the tiles of one camera; frames come in order, from one thread at a time.

    `locate` finds the quads of a frame, `name` names some of them, `decode` finds the hand among the tiles.
    """

    def __init__(self, locate: Locate, name: Name, decode: Decode) -> None:
        self._locate, self._name, self._decode = locate, name, decode
        self._next = 0
        self.forget()

    def forget(self) -> None:
        """Begin anew, as before the first frame; no id is given twice."""
        self._tiles: tuple[_Tile, ...] = ()
        self._reference: Glance | None = None  # of the last frame at which the locator looked
        self._located = -math.inf
        self._looks = 0  # how often it looked at what now lies still
        self._laid = _Laid()
        self._changed = -math.inf  # when the hand last became another one
        self._locked = False

    def update(self, frame: Frame, at: float) -> View:
        """What is known after one more frame, taken at a time in seconds that never runs backwards.

        A frame of another size or part of the photo than the one before begins anew.
        """
        ms: dict[str, float] = {}
        with timed(ms, "glance"):
            now = Glance.of(frame)
            if self._reference is not None and not same_view(self._reference, now):
                self.forget()
            still = self._reference is not None and is_still(self._reference, now)
            self._looks = self._looks if still else 0
        again = self._looks < FIRST_LOOKS or at - self._located >= LOOK_AGAIN
        located = not still or again or self._waits_for_a_look(at)
        if located:
            with timed(ms, "detect"):
                quads = self._locate(frame)
            with timed(ms, "follow"):
                self._tiles = self._followed(frame, quads, now, at)
            self._reference, self._located, self._looks = now, at, self._looks + 1
        else:
            self._tiles = tuple(replace(tile, seen=at) if tile.missing is None else tile for tile in self._tiles)
        with timed(ms, "classify"):
            asked = self._ask(frame, at)
        with timed(ms, "assemble"):
            self._tiles = _welcomed(self._tiles, at)
            self._lay(at)
        return self._view(frame, at, located, asked, ms)

    def _waits_for_a_look(self, at: float) -> bool:
        """Whether something hangs on the next look of the locator, even if nothing changes.

        To name a tile again as it was found before would tell little new.
        """
        return any(
            tile.bare is not None or (tile.missing is not None and not tile.counts) or _wants_name(tile, at)
            for tile in self._tiles
            if not tile.lost
        )

    def _followed(self, frame: Frame, quads: Sequence[Quad], now: Glance, at: float) -> tuple[_Tile, ...]:
        """The tiles after a look of the locator."""
        known = [tile for tile in self._tiles if not tile.lost]
        lost = [tile for tile in self._tiles if tile.lost and at - tile.seen < LOST_FOR]
        faces = looks(frame, quads)
        sizes = np.array([tile.quad.size for tile in known]), np.array([quad.size for quad in quads])
        unit = float(np.median(np.concatenate(sizes))) if known or quads else 1.0
        places, centres = _centres([tile.quad for tile in known]), _centres(quads)
        unlike = difference(_stack([tile.look for tile in known], faces), faces)
        way = unit * common_shift(places / unit, centres / unit, unlike)
        ahead = np.array([tile.speed * (at - tile.seen) for tile in known]).reshape(-1, 2)
        gates = np.array([GATE + SPRINT * (at - tile.seen) * (tile.bare is not None) for tile in known])
        apart = _apart((places + way) / unit, ahead / unit, centres / unit, gates)
        cost = apart * (1 + OTHER_AND_AWAY * unlike) + UNLIKE * unlike + _growth(*sizes)
        match = dict(assign(cost, UNMATCHED))
        as_named = looks(frame, [_moved(tile.named_at, way) for tile in known])
        changed = difference(_stack([tile.named for tile in known], faces), as_named).diagonal() > CHANGED_LOOK
        steps = [_centre(quads[other]) - _centre(known[place].found) for place, other in match.items()]
        shaken = bool(np.hypot(*np.median(steps, axis=0)) > SHAKEN * unit) if steps else False
        look = _Look(now, now.covered_by(np.array(quad.corners) for quad in quads), way, shaken, unit, at)
        found: list[_Tile] = []
        for place, tile in enumerate(known):
            if place in match:
                other = match[place]
                found.append(_seen(tile, quads[other], faces[other], bool(changed[place]), look))
                continue
            kept = _missed(tile, look)
            if kept is not None:
                found.append(kept)
        for other in sorted(set(range(len(quads))) - set(match.values())):
            quad, face = quads[other], faces[other]
            found.append(_Tile(self._next, quad, quad, quad, face, face, now, since=at, seen=at, rest=at))
            self._next += 1
        return (*found, *lost)

    def _ask(self, frame: Frame, at: float) -> int:
        """Have the tiles named that need it most; how many."""
        wanted = sorted((tile for tile in self._tiles if _wants_name(tile, at)), key=_urgency)[:NAMES_A_FRAME]
        if not wanted:
            return 0
        answers = {sighting.quad.corners: sighting for sighting in self._name(frame, [tile.found for tile in wanted])}
        voted = {tile.id: _voted(tile, answers.get(tile.found.corners), at) for tile in wanted}
        self._tiles = tuple(voted.get(tile.id, tile) for tile in self._tiles)
        return len(wanted)

    def _lay(self, at: float) -> None:
        """Assemble the hand where something has changed, and lock it or not."""
        shown = [tile for tile in self._tiles if tile.shown]
        basis = tuple((tile.id, tile.rest, tile.votes) for tile in shown)
        if basis != self._laid.basis:
            laid = _laid(shown, self._decode, basis)
            if laid.gist() != self._laid.gist():
                self._locked, self._changed = False, at
            self._laid = laid
        if not self._locked and at - self._changed >= LOCK_AFTER:
            within = self._laid.gist()
            hand = [tile for tile in shown if tile.id in within]
            self._locked = bool(hand) and all(_at_rest(tile, at) for tile in hand)

    def _view(self, frame: Frame, at: float, located: bool, asked: int, ms: Mapping[str, float]) -> View:
        laid = self._laid
        tiles = {tile.id: tile for tile in self._tiles}
        within = laid.gist()
        tracks = []
        for id, sighting in zip(laid.ids, laid.sightings, strict=True):
            if id is None:
                tracks.append(Track(None, sighting, 0.0, covered=True, locked=self._locked))
                continue
            tile = tiles[id]
            here = replace(sighting, quad=replace(tile.quad, face=sighting.quad.face))
            covered, locked = tile.missing is not None, self._locked and id in within
            tracks.append(Track(id, here, at - tile.since, covered, locked))
        size = (frame.width, frame.height)
        return View(*size, tuple(tracks), laid.groups, laid.hand, self._locked, located, asked, ms)


def tracker(
    locator: Network,
    namer: Network,
    *,
    family: str,
    rules: str | None = None,
    pieces: TaughtPieces | None = None,
) -> Tracker:
    """A tracker with two networks for the tiles of a family; with `rules`, a rule set's id, it looks for its hand.

    `pieces` is the set that the tiles are of, where it was taught. Raises ValueError for a family or rule set that does
    not exist.
    """
    kind = Family(family)
    rule_set = None if rules is None else scoring.rule_set(rules)
    copies = None if rule_set is None else {tile.code: rule_set.copies(tile.code) for tile in rule_set.tiles}
    shape = None if rule_set is None else HandShape.of(rule_set)

    def decode(sightings: Sequence[Sighting]) -> Assembly:
        return assemble(of_one_set(sightings, kind) if copies is None else within(sightings, copies), shape)

    return Tracker(
        lambda frame: locate(frame, locator),
        lambda frame, quads: named(look(frame, quads, namer), kind, copies, pieces),
        decode,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A look of the locator: the glance, where in it tiles were found, how far the picture has moved since the last
    look (photo pixels) and whether it has at all, the side of a tile (photo pixels), and the time."""

    glance: Glance
    tiles: NDArray[np.bool_]
    way: Array
    shaken: bool
    unit: float
    at: float

    def change(self, tile: _Tile) -> Change:
        """What has changed about a tile since it was last seen whole."""
        corners = np.array(tile.quad.corners) - tile.shift
        return change_at(tile.seen_in, self.glance, corners, tile.shift, self.tiles, disc=tile.quad.round)


def _stack(found: Sequence[Array], faces: Array) -> Array:
    """Looks as one array, also where there is none."""
    return np.array(found).reshape(-1, *faces.shape[1:])


def _apart(places: Array, ahead: Array, centres: Array, gates: Array) -> Array:
    """How far each of M quads is from each of N tiles, (N, M): from where it was, or from where it was going.

    Infinite beyond the tile's gate.
    """
    going = np.linalg.norm(centres[None] - (places + ahead)[:, None], axis=2)
    staying = np.linalg.norm(centres[None] - places[:, None], axis=2)
    apart = np.minimum(going, staying + TURN * (np.hypot(*ahead.T) > TURN)[:, None])
    return np.asarray(np.where(apart < gates[:, None], apart, np.inf), np.float64)


def _growth(tiles: Array, quads: Array) -> Array:
    """What it costs that a quad has another size than a tile, (N, M)."""
    before, after = np.maximum(tiles, 1e-6), np.maximum(quads, 1e-6)
    return np.asarray(OTHER_SIZE * np.abs(np.log(after[None] / before[:, None])), np.float64)


def _seen(tile: _Tile, quad: Quad, face: Array, changed: bool, look: _Look) -> _Tile:
    """The tile after it was found again, with that look of its face, which has `changed` since it was named or not."""
    way, unit, at = look.way, look.unit, look.at
    kept = replace(_shifted(tile, way), seen=at, missing=None, bare=None)
    beset = None if look.change(kept).around < BESET else at if tile.beset is None else tile.beset
    if _is_part(quad, tile.quad, unit) and beset is not None and at - beset < BESET_FOR and not _in_motion(tile):
        return _doubted(replace(kept, beset=beset, altered=True), at)
    step = _centre(quad) - _centre(tile.quad) - way
    drift = tile.drift + step / unit
    moved = bool(np.hypot(*step) > MOVED * unit or np.hypot(*drift) > DRIFTED)
    calm = bool(np.abs(np.array(quad.corners) - np.array(tile.quad.corners)).max() < CALM * unit)
    kept = replace(
        kept,
        quad=replace(quad, corners=tile.quad.corners) if calm else quad,
        found=quad,
        look=face,
        drift=tile.drift if calm else np.zeros(2) if moved else drift,
        speed=step / max(at - tile.seen, 1e-3) if moved else np.zeros(2),
        rest=at if moved else tile.rest,
        sightings=tile.sightings + 1,
        altered=changed,
    )
    if moved or changed or tile.missing is not None:
        kept = _doubted(kept, at)
    whole = kept.rival is None and (beset is None or at - beset >= USED_TO)
    settling = at - kept.rest < CALM_FOR
    if settling or look.shaken or whole or (beset is not None and at - beset >= BESET_FOR):
        return replace(kept, seen_in=look.glance, shift=np.zeros(2), beset=None)
    return replace(kept, beset=beset)


def _doubted(tile: _Tile, at: float) -> _Tile:
    """The tile after something has happened to it: it may be another one now, if it had a name."""
    return replace(tile, rival=_NO_VOTES, doubted=at) if tile.votes.count else replace(tile, doubted=at)


def _shifted(tile: _Tile, way: Array) -> _Tile:
    """The tile after the whole picture has moved."""
    return replace(
        tile,
        quad=_moved(tile.quad, way),
        found=_moved(tile.found, way),
        named_at=_moved(tile.named_at, way),
        shift=tile.shift + way,
    )


def _in_motion(tile: _Tile) -> bool:
    """Whether the tile was moving when it was last seen."""
    return tile.seen - tile.rest < IN_MOTION


def _is_part(quad: Quad, whole: Quad, unit: float) -> bool:
    """Whether a quad is but a part of the tile: of another area, and further from the area that tiles have."""
    area, known = quad.size**2, whole.size**2
    if 1 / ALIKE_SIZE < area / max(known, 1e-6) < ALIKE_SIZE:
        return False
    return abs(math.log(max(area, 1e-6) / unit**2)) > abs(math.log(max(known, 1e-6) / unit**2))


def _missed(tile: _Tile, look: _Look) -> _Tile | None:
    """The tile after it was not found; None where it is forgotten."""
    tile, at = _shifted(tile, look.way), look.at
    missing = at if tile.missing is None else tile.missing
    if not tile.counts:
        return replace(tile, missing=missing) if at - tile.seen < FORGET_GHOST else None
    covered = False
    if not _in_motion(tile):
        change = look.change(tile)
        under = change.under >= ON_TOP
        if not under and change.marks >= SEEN_MARKS:
            return replace(tile, seen=at, missing=None, bare=None)
        partly = change.around >= BESET and change.ground >= OTHER_GROUND
        covered = not under and (change.marks >= SOME_MARKS or change.around >= COVERED_AROUND or partly)
    bare = None if covered else at if tile.bare is None else tile.bare
    lost = at - missing >= COVERED_FOR or (bare is not None and at - bare >= GONE_AFTER)
    return replace(tile, missing=missing, bare=bare, lost=lost, seen=at if lost else tile.seen)


def _wants_name(tile: _Tile, at: float) -> bool:
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


def _urgency(tile: _Tile) -> tuple[bool, int, float]:
    """A sorting key: first what has no name, then what may have another, then what is in doubt."""
    votes = tile.votes if tile.rival is None else tile.rival
    return tile.votes.count > 0, votes.count, votes.confidence


def _voted(tile: _Tile, sighting: Sighting | None, at: float) -> _Tile:
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
    # Neither is it the old tile for sure nor another one: only what is no tile at all is given up.
    return replace(tile, votes=rival if rival.no_tile else tile.votes, rival=None)


def _welcomed(tiles: Sequence[_Tile], at: float) -> tuple[_Tile, ...]:
    """The tiles with those made to count that have come to rest; one that was lost elsewhere keeps its id."""
    result = {tile.id: tile for tile in tiles}
    for tile in tiles:
        if tile.counts or tile.missing is not None or tile.sightings < MIN_SIGHTINGS or not tile.votes.count:
            continue
        if at - tile.rest < NEW_FOR:
            continue
        del result[tile.id]
        gone = [
            other
            for other in result.values()
            if other.counts and (other.lost or other.bare is not None) and other.votes.code == tile.votes.code
        ]
        if gone and not tile.votes.no_tile:
            before = min(gone, key=lambda other: float(np.hypot(*(_centre(other.quad) - _centre(tile.quad)))))
            tile = replace(tile, id=before.id, since=before.since)
        result[tile.id] = replace(tile, counts=True)
    return tuple(result.values())


def _laid(shown: Sequence[_Tile], decode: Decode, basis: tuple[tuple[int, float, Votes], ...]) -> _Laid:
    """The tiles assembled to a hand."""
    assembly = decode([tile.votes.sighting(tile.quad) for tile in shown])
    ids = {tile.quad.corners: tile.id for tile in shown}
    order = tuple(None if one.guessed else ids[one.quad.corners] for one in assembly.tiles)
    return _Laid(basis, order, assembly.tiles, assembly.groups, assembly.hand)


def _at_rest(tile: _Tile, at: float) -> bool:
    """Whether nothing about a tile is likely to change any more."""
    return tile.missing is None and tile.settled and at - tile.rest >= LOCK_AFTER


def _centre(quad: Quad) -> Array:
    return np.asarray(np.mean(quad.corners, axis=0), np.float64)


def _centres(quads: Sequence[Quad]) -> Array:
    corners = np.array([quad.corners for quad in quads], np.float64).reshape(-1, 4, 2)
    return np.asarray(corners.mean(axis=1), np.float64)


def _moved(quad: Quad, way: Array) -> Quad:
    if not way.any():
        return quad
    a, b, c, d = ((x + float(way[0]), y + float(way[1])) for x, y in quad.corners)
    return replace(quad, corners=(a, b, c, d))
