"""What the tiles are: the namer over every tile, and over those it is not sure of at every turn they may lie at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import Family, tiles_of
from vision.crops import cut, patch_corners
from vision.exposure import brightened, brightening
from vision.frames import Frame, Pixels
from vision.network import Network
from vision.reading import Quad, Sighting

# Quarter turns at which a patch is looked at: a disc lies at any angle, and in a steep picture a block's long side may
# look like the short one.
TURNS: Final = (0, 1, 2, 3)

# One view is enough of what the locator is sure of, where the view is as sure that it shows this kind and no other; two
# that agree may be less sure. Turns in the order in which they are tried, and how sure those so far must be.
FOUND_SURELY: Final = 0.75
STAGES: Final = (((0,), 0.9), ((2,), 0.8), ((1, 3), 0.0))

# A disc is looked at as a whole and, at every other turn, at the middle of its patch alone.
NEARER: Final = 0.7

ALTERNATIVES: Final = 5

# What the locator is not sure of and the namer takes for no face is no tile: print on a board, a coin, a die. What is
# found nearly as surely as a face in the same photo is sure enough.
DOUBTFUL: Final = 0.45
AS_SURE: Final = 0.9
NOTHING: Final = 0.5
# Where most tiles are found as surely, or one or two are found and named as surely, all are believable.
GOOD_FIND: Final = 0.75
GOOD_TILE: Final = 0.4
FAIR_TILE: Final = 0.32
GOOD_FAR_TILE: Final = 0.57
FAIR_FAR_TILE: Final = 0.54
CHANCE: Final = 20
_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the namer says of each quad, at every turn, or at the first alone where that was enough.

    `corners` (N, 4, 2) are the patches' in the photo, `patches` N×64×64×3 uint8 BGR. `outputs` are the namer's, by
    name, a row a view; `owners` and `quarters` tell each view's quad and by how many quarters it was turned.
    """

    quads: tuple[Quad, ...]
    corners: NDArray[np.float64]
    patches: Pixels
    outputs: Mapping[str, NDArray[Any]]
    owners: NDArray[np.int_]
    quarters: NDArray[np.int_]


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What N tiles are: `shares` (N, K) of the family's kinds, summing to 1, the probability `back` (N,) that none of
    them shows, and `known` (N,), false where a tile is like no kind that was seen."""

    shares: NDArray[np.float64]
    back: NDArray[np.float64]
    known: NDArray[np.bool_]


class TaughtPieces(Protocol):
    """A piece set that was taught; it judges by its own pieces beside what the namer says in general."""

    @property
    def name(self) -> str:
        """What the set is called."""
        ...

    @property
    def family(self) -> Family:
        """The family of its pieces."""
        ...

    def judge(self, seen: Look, shares: NDArray[np.float64], back: NDArray[np.float64]) -> Judgement:
        """Judge what was seen, given the general `shares` (N, K), 0 where a kind cannot occur, and `back` (N,)."""
        ...


def look(frame: Frame, quads: Sequence[Quad], namer: Network, family: Family | None = None) -> Look:
    """Cut the quads' patches and let the namer see them, all in one batch.

    Of a known family, tiles that one or two views tell are seen no more than that, and only the others at every turn:
    names come out the same for half the time.
    """
    corners = patch_corners(quads)
    patches = cut(frame, corners)
    lighter = brightened(patches, brightening(frame.image))
    discs = np.array([quad.round for quad in quads], bool)
    if family is None or not quads:
        return Look(tuple(quads), corners, patches, *views(lighter, namer, discs))
    found = np.array([quad.score for quad in quads]) >= FOUND_SURELY
    outputs: Mapping[str, NDArray[Any]] = {}
    owners, quarters = np.zeros((2, 0), int)
    waiting = np.arange(len(quads))
    for turns, enough in STAGES:
        more, places, turned = views(lighter[waiting], namer, discs[waiting], turns)
        outputs = {name: np.concatenate([outputs[name], rows]) if outputs else rows for name, rows in more.items()}
        owners, quarters = np.concatenate([owners, waiting[places]]), np.concatenate([quarters, turned])
        likeliest = np.exp(_means(outputs[family.value], owners, len(quads)))[:, :-1].max(axis=1)
        waiting = waiting[~found[waiting] | (likeliest[waiting] < enough)]
        if not len(waiting):
            break
    return Look(tuple(quads), corners, patches, outputs, owners, quarters)


def views(
    patches: Pixels, namer: Network, discs: NDArray[np.bool_] | bool = False, turns: Sequence[int] = TURNS
) -> tuple[Mapping[str, NDArray[Any]], NDArray[np.int_], NDArray[np.int_]]:
    """What the namer says of N×64×64×3 patches at so many turns: `outputs`, `owners` and `quarters` of a `Look`.

    Those of `discs` are seen from nearer at every other turn: a rim may be any part of a disc, and beyond it may lie a
    bare side.
    """
    owners = np.repeat(np.arange(len(patches)), len(turns))
    quarters = np.tile(turns, len(patches))
    if not len(patches):
        return {}, owners, quarters
    seen = patches[owners]
    near = np.broadcast_to(discs, len(patches))[owners] & (quarters % 2 == 1)
    seen[near] = _nearer(seen[near])
    return namer.run(_turned(seen, quarters)), owners, quarters


def _nearer(patches: Pixels) -> Pixels:
    """The middle of each patch, NEARER of its width, in full size."""
    size = patches.shape[1]
    points = np.arange(size, dtype=np.float32)
    points = (size - 1) / 2 + (points - (size - 1) / 2) * NEARER
    x, y = np.meshgrid(points, points)
    near = [cv2.remap(patch, x, y, cv2.INTER_LINEAR) for patch in patches]
    return np.array(near, np.uint8).reshape(patches.shape)


def name_tiles(
    frame: Frame, quads: Sequence[Quad], namer: Network, family: Family, kinds: Collection[str] | None = None
) -> list[Sighting]:
    """Look at each quad and name its tile, as `named` does."""
    return named(look(frame, quads, namer, family), family, kinds)


# What the namer says of a domino's turn is without meaning.
_NO_UPRIGHT: Final = frozenset({Family.PAIGOW})

# How surely a tile must be of a family's shape: pieces of other games are cut round too, and xiangqi's square.
_ROUND: Final = {Family.XIANGQI: 0.7}
_NOT_ROUND: Final = 0.3
_UNREADABLE: Final = float(np.log(1e-3))


def recognise(seen: Look) -> Family | None:
    """The family whose pieces the tiles are; None where no tile was seen.

    Each head knows its own family's tiles alone. On those it is sure, and of one mind at every turn; on others' it
    wavers from turn to turn, so that the shares averaged over the turns are small. The tiles count as far as the
    locator is sure of them and sees their face.
    """
    if not seen.quads:
        return None
    weights = np.array([quad.score * (1.0 if quad.face == "up" else 0.1) for quad in seen.quads])
    discs = np.array([quad.round for quad in seen.quads])
    evidence = {}
    for family in Family:
        likeliest = _means(seen.outputs[family.value], seen.owners, len(seen.quads))[:, :-1].max(axis=1)
        share = _ROUND.get(family, _NOT_ROUND)
        shape = np.log(np.where(discs, share, 1 - share))
        evidence[family] = float(weights @ (np.maximum(likeliest, _UNREADABLE) + shape))
    return max(evidence, key=evidence.__getitem__)


def named(
    seen: Look, family: Family, kinds: Collection[str] | None = None, pieces: TaughtPieces | None = None
) -> list[Sighting]:
    """The sightings of what was seen, in the order of the quads, without those that show no tile.

    `kinds` are the codes that can occur (a rule set's), all of the family's when None. `pieces` is the set that the
    tiles are of, where it was taught. A tile whose back is up gets face `down` and no code, one that is like no kind
    of its set face `up` and no code.
    """
    quads = seen.quads
    if not quads:
        return []
    codes = [tile.code for tile in tiles_of(family)]
    allowed = np.array([kinds is None or code in kinds for code in codes])
    shares, back = decide(seen.outputs[family.value], seen.owners, len(quads), allowed)
    known = np.ones(len(quads), bool)
    if pieces is not None:
        judgement = pieces.judge(seen, shares, back)
        shares, back, known = judgement.shares, judgement.back, judgement.known
    up = _upright(seen.outputs["up"], seen.owners, seen.quarters, len(quads)) + _patch_turn(seen.corners)
    upright = family not in _NO_UPRIGHT
    faces = [quad.score for quad, down in zip(quads, back, strict=True) if quad.face == "up" and down < NOTHING]
    sure = min(DOUBTFUL, AS_SURE * max(faces, default=1.0))
    # A disc without a face among tiles that are no discs is a coin.
    discs = family in _ROUND or pieces is not None
    return [
        _sighting(quad, codes, shares[i], float(back[i]), float(up[i]) if upright else None, bool(known[i]))
        for i, quad in enumerate(quads)
        if (quad.score >= sure and (discs or not quad.round)) or back[i] < NOTHING
    ]


def believed(sightings: list[Sighting], far: bool = False) -> list[Sighting]:
    """All sightings of a photo where one is a good tile, two are fair ones, or most are good finds, else none.

    Among tiles that is so nearly always, among the things in a photo without tiles hardly ever. Of many finds the best
    may be so by chance: of each `CHANCE` one is left out of account. Where tiles that lie `far` off were looked at more
    closely, more must be shown: the small things of the world are many.
    """
    if not sightings:
        return []
    tiles = [seen.quad.score * seen.confidence for seen in sightings if seen.quad.face == "up"]
    lucky = len(sightings) // CHANCE
    best, second = sorted((*tiles, *[0.0] * (lucky + 2)), reverse=True)[lucky : lucky + 2]
    finds = float(np.median([seen.quad.score for seen in sightings]))
    good, fair = (GOOD_FAR_TILE, FAIR_FAR_TILE) if far else (GOOD_TILE, FAIR_TILE)
    return sightings if best >= good or second >= fair or finds >= GOOD_FIND else []


def _turned(patches: Pixels, quarters: NDArray[np.int_]) -> Pixels:
    """Each N×64×64×3 patch turned clockwise by its number of quarters."""
    for quarter in (1, 2, 3):
        chosen = quarters == quarter
        if chosen.any():
            patches[chosen] = np.rot90(patches[chosen], -quarter, axes=(1, 2))
    return patches


def decide(
    logits: NDArray[Any], owners: NDArray[np.int_], count: int, allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per tile, the shares of the kinds (N, K), summing to 1, and the probability of "no tile / back" (N,).

    The views of one tile are averaged as log-probabilities.
    """
    scores = logits.astype(np.float64)
    scores[:, :-1][:, ~allowed] = -np.inf
    mean = np.exp(_means(scores, owners, count))
    mean[:, :-1][:, ~allowed] = 0.0
    mean /= mean.sum(axis=1, keepdims=True)
    kinds = mean[:, :-1]
    return kinds / np.maximum(kinds.sum(axis=1, keepdims=True), 1e-12), mean[:, -1]


def _means(logits: NDArray[Any], owners: NDArray[np.int_], count: int) -> NDArray[np.float64]:
    """The log-probabilities (N, K+1) of each tile's views, averaged; the less the views agree, the lower they are."""
    scores = logits.astype(np.float64)
    scores -= scores.max(axis=1, keepdims=True)
    scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
    totals = np.zeros((count, scores.shape[1]))
    np.add.at(totals, owners, np.maximum(scores, -50.0))
    means: NDArray[np.float64] = totals / np.bincount(owners, minlength=count)[:, None]
    return means


def _upright(up: NDArray[Any], owners: NDArray[np.int_], quarters: NDArray[np.int_], count: int) -> NDArray[np.float64]:
    """Clockwise turn of each face in its unturned patch, degrees, from cos and sin per view."""
    angles = np.arctan2(up[:, 1], up[:, 0]) - quarters * (np.pi / 2)
    cosine = np.bincount(owners, np.cos(angles), count)
    sine = np.bincount(owners, np.sin(angles), count)
    angle: NDArray[np.float64] = np.degrees(np.arctan2(sine, cosine))
    return angle


def _patch_turn(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Clockwise turn of each patch in the picture, degrees."""
    up = (corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]).T
    angle: NDArray[np.float64] = np.degrees(np.arctan2(up[0], -up[1]))
    return angle


def _sighting(
    quad: Quad, codes: Sequence[str], shares: NDArray[np.float64], back: float, turn: float | None, known: bool
) -> Sighting:
    # The locator and the namer each judge which side is up; their odds multiply.
    seen_down = 0.9 if quad.face == "down" else 0.1
    back = min(max(back, _LEAST), 1 - _LEAST)
    down = seen_down * back / (seen_down * back + (1 - seen_down) * (1 - back))
    turn = None if turn is None else (turn + 180) % 360 - 180
    if down > 0.5:
        return Sighting(Quad(quad.corners, quad.score, quad.round, "down"), None, down, (), turn)
    best = np.argsort(-shares, kind="stable")[:ALTERNATIVES]
    alternatives = tuple((codes[k], float(shares[k])) for k in best if shares[k] > 0)
    quad = Quad(quad.corners, quad.score, quad.round, "up")
    return Sighting(quad, alternatives[0][0] if known else None, alternatives[0][1], alternatives, turn)
