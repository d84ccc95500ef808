"""Tiles followed through the frames of a camera: who is who, what each is, and whether the hand has come to rest.

A frame in which nothing has changed costs a glance. Else the locator looks; its quads are matched with the tiles known
so far, and only tiles that are new, moved, changed or doubtful are named, a few a frame. Names are voted over frames.
A tile that the locator does not find is still there while its marks are seen, covered while something lies over its
place, and gone when its place lies bare. A hand at rest is locked: its names stand until what lies there changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

import scoring
from scoring.tiles import Family
from vision.copies import of_one_set, within
from vision.followed import (
    MIN_SIGHTINGS,
    ON_TOP,
    Followed,
    Place,
    Scan,
    centre,
    found,
    is_inside,
    leaps,
    missed,
    place_of,
    urgency,
    voted,
    wants_name,
)
from vision.frames import Frame
from vision.hand import Assembly, HandShape, assemble
from vision.locate import locate
from vision.matching import Array, assign, common_shift, contrast, difference, looks
from vision.motion import Glance, Ground, Scenery, is_still, same_view
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
FOLLOWED: Final = 0.5  # tile-ness; less sure finds come and go, take the places of tiles, and there is a next frame
GLIMPSED: Final = 0.3  # but a tile that was on its way may be found no surer than this
LOOK_AGAIN: Final = 1.0  # the locator looks so often where nothing changes, for what it may have missed
FIRST_LOOKS: Final = 2  # and so many times at once when things have come to rest

GATE: Final = 1.0  # a tile moves no further between two looks than this beside the motion that all share
TURN: Final = 0.15  # what it costs a tile to be where it was and not where it was going
UNLIKE: Final = 0.5  # what the look of another tile costs one that stayed where it was
OTHER_AND_AWAY: Final = 2.5  # and how many times the distance of one that did not
OTHER_LOOK: Final = 1.5  # times as much as two tiles differ usually; what differs more, is half covered or blurred
DOUBT: Final = 0.3  # what it costs that a tile on its way was but glimpsed
PART: Final = 0.8  # what it costs at most that but a part of a tile is found
ALONE: Final = 0.5  # what is so near to a tile as to no other
ONLY: Final = 1.4  # costs no more than this
OTHER_SIZE: Final = 0.5  # what another size costs, times its logarithm
UNMATCHED: Final = 1.5
ON_TOP_OF_OTHERS: Final = 0.7  # so much more for one in motion: it passes over those that lie still, and hides them
NEW: Final = -0.5  # and for what is not shown, which may be no tile

# A tile that has left its place is looked for further away, where something looks much like it.
FAST: Final = 25.0  # tiles a second that a hand moves it
FARTHEST: Final = 5.0
AWAY_FOR: Final = 1.0  # after so long it may be anywhere, or where it was
SAME_LOOK: Final = 0.6  # of what looks differ usually

SHAKEN: Final = 0.015  # the tiles as a whole move by more than this only with the camera
CHANGED_LOOK: Final = 0.25  # a face differs by more than noise and a trembling outline from what was named

PUSHED: Final = 0.6  # so far from where a covered tile was found last, or a part of it, it may come to light
NEW_FOR: Final = 0.25  # at rest for so long a new tile counts
LOCK_AFTER: Final = 0.6
LOST_FOR: Final = 8.0  # within this a tile that turns up elsewhere is known again
NAMES_A_FRAME: Final = 8


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


_NO_HAND: Final = HandReading((), (), None)


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
        self._tiles: tuple[Followed, ...] = ()
        self._reference: Glance | None = None  # of the last frame at which the locator looked
        self._ground: Ground | None = None
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
                finds = self._locate(frame)
            with timed(ms, "follow"):
                self._tiles = self._followed(frame, finds, now, at)
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
            tile.bare is not None or (tile.missing is not None and not tile.counts) or wants_name(tile, at)
            for tile in self._tiles
            if not tile.lost
        )

    def _followed(self, frame: Frame, finds: Sequence[Quad], now: Glance, at: float) -> tuple[Followed, ...]:
        """The tiles after a look of the locator.

        What was but glimpsed is no new tile, but may be one that was on its way (after Zhang et al., "ByteTrack",
        2022).
        """
        known = [tile for tile in self._tiles if not tile.lost]
        lost = [tile for tile in self._tiles if tile.lost and at - tile.seen < LOST_FOR]
        quads = sorted(finds, key=lambda quad: quad.score < FOLLOWED)
        sure = sum(quad.score >= FOLLOWED for quad in quads)
        faces = looks(frame, quads)
        sizes = [tile.quad.size for tile in known], [quad.size for quad in quads[:sure]]
        unit = float(np.median(np.concatenate(sizes))) if known or sure else 1.0
        places, centres = _centres([tile.quad for tile in known]), _centres(quads[:sure])
        unlike = _unlike(known, faces)
        way = unit * common_shift(places / unit, centres / unit, unlike[:, :sure])
        usual = contrast(faces[:sure])
        cost = _cost(known, quads, unlike / usual, way, unit, at)
        cost[:, sure:] += DOUBT * np.array([tile.steps > 0 for tile in known])[:, None]
        unmatched = np.array([UNMATCHED + (ON_TOP_OF_OTHERS * tile.in_motion if tile.shown else NEW) for tile in known])
        match = {known[place].id: other for place, other in assign(cost, unmatched)}
        # Where a tile lies still, what it shows tells more than a glimpse of it.
        glimpsed = [match[tile.id] for tile in known if tile.steps and match.get(tile.id, -1) >= sure]
        kept = [*range(sure), *glimpsed]
        match = {id: kept.index(other) for id, other in match.items() if other in kept}
        quads, faces = [quads[other] for other in kept], faces[kept]
        steps = [centre(quads[match[tile.id]]) - centre(tile.found) for tile in known if tile.id in match]
        shaken = bool(np.hypot(*np.median(steps, axis=0)) > SHAKEN * unit) if steps else False
        outlines = [np.array(quad.corners) for quad in quads]
        named = (outlines[match[tile.id]] for tile in known if tile.id in match and tile.shown and tile.sure)
        scenery = Scenery.of(now, outlines, named)
        self._ground = self._seen_ground(scenery, known, way, at)
        pairs = ((tile.shifted(way), quads[match[tile.id]]) for tile in known if tile.id in match)
        passing = [(tile.id, quad) for tile, quad in pairs if tile.in_motion or leaps(tile.quad, quad, unit)]
        scan = Scan(scenery, way, shaken, unit, usual, at, self._ground, passing)
        shows = {tile.id: place_of(tile.shifted(way), scan) for tile in known if tile.id not in match}
        away = [tile for tile in known if shows.get(tile.id) is Place.BARE]
        match |= _found_further_away([*away, *lost], quads, faces, match.values(), scan)
        as_named = looks(frame, [tile.shifted(way).named_at for tile in known])
        changed = difference(_stack([tile.named for tile in known], faces), as_named).diagonal() > CHANGED_LOOK
        alters = dict(zip((tile.id for tile in known), changed.tolist(), strict=True))
        tiles: list[Followed] = []
        for tile in (*known, *lost):
            if tile.id in match:
                other = match[tile.id]
                tiles.append(found(tile, quads[other], faces[other], alters.get(tile.id, True), scan))
            elif tile.lost:
                tiles.append(tile.shifted(way))
            elif (still := missed(tile.shifted(way), shows[tile.id], at)) is not None:
                tiles.append(still)
        for other in sorted(set(range(len(quads))) - set(match.values())):
            tiles.append(Followed.new(self._next, quads[other], faces[other], scan.scenery, at))
            self._next += 1
        return tuple(tiles)

    def _seen_ground(self, now: Scenery, known: Sequence[Followed], way: Array, at: float) -> Ground:
        """What is known of the bare table; of one that has moved in the picture nothing yet."""
        if self._ground is None or self._reference is None or way.any():
            return Ground.unseen(now.glance)
        lying = (np.array(tile.quad.corners) for tile in known if tile.shown)
        return self._ground.after(self._reference, now, lying, at)

    def _ask(self, frame: Frame, at: float) -> int:
        """Have the tiles named that need it most; how many."""
        wanted = sorted((tile for tile in self._tiles if wants_name(tile, at)), key=urgency)[:NAMES_A_FRAME]
        if not wanted:
            return 0
        answers = {sighting.quad.corners: sighting for sighting in self._name(frame, [tile.found for tile in wanted])}
        told = {tile.id: voted(tile, answers.get(tile.found.corners), at) for tile in wanted}
        self._tiles = tuple(told.get(tile.id, tile) for tile in self._tiles)
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

    # What one view tells is seen no more than that; a taught set judges by all views.
    views_of = kind if pieces is None else None
    return Tracker(
        lambda frame: locate(frame, locator, GLIMPSED),
        lambda frame, quads: named(look(frame, quads, namer, views_of), kind, copies, pieces),
        decode,
    )


def _stack(found: Sequence[Array], faces: Array) -> Array:
    """Looks as one array, also where there is none."""
    return np.array(found).reshape(-1, *faces.shape[1:])


def _unlike(tiles: Sequence[Followed], faces: Array) -> Array:
    """How much each of M faces differs from each of N tiles, (N, M): from its last look, or from that in which it was
    named, since a tile in motion may be found so badly that its look is another's, or from that in which it came to
    rest, since what creeps over it changes both little by little."""
    seen = ([tile.look for tile in tiles], [tile.named for tile in tiles], [tile.laid for tile in tiles])
    return np.asarray(np.min([difference(_stack(looks, faces), faces) for looks in seen], axis=0), np.float64)


def _apart(tiles: Sequence[Followed], quads: Sequence[Quad], way: Array, unit: float, at: float) -> Array:
    """How far each of M quads is from each of N tiles, (N, M): from where it was, or from the way that it was going: as
    fast as before, or faster by as much as it had become."""
    if not tiles or not quads:
        return np.zeros((len(tiles), len(quads)))
    places, centres = (_centres([tile.quad for tile in tiles]) + way) / unit, _centres(quads) / unit
    since = np.array([at - tile.seen for tile in tiles])[:, None] / unit
    ahead = since * np.array([tile.speed for tile in tiles])
    further = since * np.array([tile.gain for tile in tiles])
    beyond = centres[None] - (places + ahead)[:, None]
    along = (beyond * further[:, None]).sum(axis=2) / np.maximum((further**2).sum(axis=1), 1e-9)[:, None]
    going = np.linalg.norm(beyond - np.clip(along, 0, 1)[..., None] * further[:, None], axis=2)
    staying = np.linalg.norm(centres[None] - places[:, None], axis=2)
    return np.asarray(np.minimum(going, staying + TURN * (np.hypot(*ahead.T) > TURN)[:, None]), np.float64)


def _cost(tiles: Sequence[Followed], quads: Sequence[Quad], unlike: Array, way: Array, unit: float, at: float) -> Array:
    """What it costs that each of M quads is each of N tiles, (N, M); infinite where it is too far off. `unlike` is how
    much their looks differ, as a share of what those of two tiles do usually."""
    apart, unlike = _apart(tiles, quads, way, unit, at), np.minimum(unlike, OTHER_LOOK)
    sizes = np.array([tile.quad.size for tile in tiles]), np.array([quad.size for quad in quads])
    cost = np.where(apart < GATE, apart * (1 + OTHER_AND_AWAY * unlike) + UNLIKE * unlike + _growth(*sizes), np.inf)
    for place, other in np.argwhere((apart < GATE) & (cost > PART)):
        if is_inside(quads[other], tiles[place].shifted(way).quad):
            cost[place, other] = PART
    if cost.size:
        # Nothing else is likelier for either of the two: a face that turns or is lifted looks otherwise.
        only = (cost == cost.min(axis=0)) & (cost == cost.min(axis=1)[:, None]) & (apart < ALONE)
        cost = np.where(only, np.minimum(cost, ONLY), cost)
    return cost


def _growth(tiles: Array, quads: Array) -> Array:
    """What it costs that a quad has another size than a tile, (N, M)."""
    before, after = np.maximum(tiles, 1e-6), np.maximum(quads, 1e-6)
    return np.asarray(OTHER_SIZE * np.abs(np.log(after[None] / before[:, None])), np.float64)


def _found_further_away(
    tiles: Sequence[Followed], quads: Sequence[Quad], faces: Array, taken: Collection[int], scan: Scan
) -> dict[int, int]:
    """Which of the quads that are not `taken` are tiles that have left their places, or were lost: ids to quads."""
    left = sorted(set(range(len(quads))) - set(taken))
    apart = _apart(tiles, [quads[other] for other in left], scan.way, scan.unit, scan.at)
    unlike = _unlike(tiles, faces[left]) / scan.contrast
    last = [tile.missing if tile.lost and tile.missing is not None else tile.seen for tile in tiles]
    gone = scan.at - np.array(last)
    reach = np.where(gone < AWAY_FOR, np.minimum(GATE + FAST * gone, FARTHEST), GATE / 2)[:, None]
    cost = np.where((apart < reach) & (unlike < SAME_LOOK), apart / reach + unlike / SAME_LOOK, np.inf)
    return {tiles[row].id: left[column] for row, column in assign(cost, UNMATCHED)}


def _welcomed(tiles: Sequence[Followed], at: float) -> tuple[Followed, ...]:
    """The tiles with those made to count that have come to rest; one that was lost elsewhere keeps its id.

    What lies where a tile is covered may be the part of it that shows, and counts only once its name is sure.
    """
    result = {tile.id: tile for tile in tiles}
    hidden = [tile.quad for tile in tiles if tile.shown and tile.missing is not None and tile.bare is None]
    for tile in tiles:
        if tile.counts or tile.missing is not None or tile.sightings < MIN_SIGHTINGS or not tile.votes.count:
            continue
        if at - tile.rest < NEW_FOR or (not tile.sure and any(_lies_on(tile.quad, place) for place in hidden)):
            continue
        del result[tile.id]
        gone = [
            other
            for other in result.values()
            if other.counts and _may_be(tile, other) and other.votes.code == tile.votes.code
        ]
        if gone and not tile.votes.no_tile:
            before = min(gone, key=lambda other: float(np.hypot(*(centre(other.quad) - centre(tile.quad)))))
            tile = replace(tile, id=before.id, since=before.since)
        result[tile.id] = replace(tile, counts=True)
    return tuple(result.values())


def _lies_on(quad: Quad, place: Quad) -> bool:
    """Whether a good part of a quad lies within another."""
    one, other = np.array(quad.corners, np.float32), np.array(place.corners, np.float32)
    shared, _ = cv2.intersectConvexConvex(one, other)
    return bool(shared >= ON_TOP * cv2.contourArea(one))


def _may_be(tile: Followed, other: Followed) -> bool:
    """Whether what came to rest may be another tile: one that is lost, had left its place by then, or is not seen while
    this one lies about where it was, or where it may have got to if it was moving."""
    reach = FARTHEST if other.moved_last else PUSHED
    near = float(np.hypot(*(centre(other.quad) - centre(tile.quad)))) < reach * tile.quad.size
    return other.lost or (other.bare is not None and other.bare <= tile.rest) or (other.missing is not None and near)


def _laid(shown: Sequence[Followed], decode: Decode, basis: tuple[tuple[int, float, Votes], ...]) -> _Laid:
    """The tiles assembled to a hand."""
    assembly = decode([tile.votes.sighting(tile.quad) for tile in shown])
    ids = {tile.quad.corners: tile.id for tile in shown}
    order = tuple(None if one.guessed else ids[one.quad.corners] for one in assembly.tiles)
    return _Laid(basis, order, assembly.tiles, assembly.groups, assembly.hand)


def _at_rest(tile: Followed, at: float) -> bool:
    """Whether nothing about a tile is likely to change any more."""
    return tile.missing is None and tile.settled and at - tile.rest >= LOCK_AFTER


def _centres(quads: Sequence[Quad]) -> Array:
    corners = np.array([quad.corners for quad in quads], np.float64).reshape(-1, 4, 2)
    return np.asarray(corners.mean(axis=1), np.float64)
