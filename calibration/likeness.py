"""How alike two tiles look, whatever they show: their marks and colours compared at every turn and a few slips.

The namer's embedding tells shapes apart that it was trained on and heeds colour little; homemade pieces may differ in
colour alone, or show what no font has. So a patch is also described by its own pixels. Logarithms of colour minus those
of the tile's ground do not change with the brightness and the tint of the light; their low frequencies are `tone`,
their middle ones `edge`. A disc, which lies at any angle, is sampled in polar coordinates, where a turn is a shift and
one Fourier transform compares all turns (the circular correlation theorem); a block on a square grid at its four
quarter turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from models.patches import ENLARGE, PATCH
from vision.frames import Pixels

Floats = NDArray[np.float32]

ANGLES: Final = 48  # of a disc's polar grid; the step of a turn is 7.5 degrees
RADII: Final = 10
GRID: Final = 18  # cells along each side of a block
TURNS: Final = 4  # of a block

# What the locator may slip by: shifts in patch pixels across and down, and a scale.
SHIFT: Final = 2.2
SLIPS: Final = (
    *((0.0, 0.0, 1.0), (0.0, 0.0, 0.95), (0.0, 0.0, 1.05)),
    *((x * SHIFT, y * SHIFT, 1.0) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y),
    *((x * SHIFT, y * SHIFT, 1.0) for x, y in ((-2, 0), (2, 0), (0, -2), (0, 2))),
)

CHANNELS: Final = ("tone", "edge", "chroma", "distance", "ground", "hue", "level")
"""What `compare` tells of two tiles, each the larger the more alike: cosines of their tones and edges, minus the
squared distances of the colours of their marks, of marks and all, and of their grounds' colours, the cosine of the
colours of their marks, which thin strokes tell too, and minus the squared distance of their grounds' brightness."""

_FOLLOWS: Final = (1.0, 1.0, 0.3)  # how much tone, edge and chroma count in finding the turn
_TINT: Final = 20.0  # what a squared difference of the marks' colours counts
_FLOORS: Final = (2.0, 1.5, 0.7)  # added to the lengths of tone, edge and chroma: bare faces compare no noise
_TIGHT: Final = 0.05  # squared marks in every cell of a tile that tell as much of a light as was thought before
_SLOW: Final = 1.0  # tiles that tell as much of the grounds' light as was thought before
_MIDDLE: Final = (PATCH - 1) / 2
_REACH: Final = PATCH / 2 / ENLARGE - 2.5  # patch pixels from the middle that surely show the tile
_FAR: Final = 4.0  # beyond this two colours differ, and how much more says nothing


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """N tiles described: `tone` and `edge` (N, ANGLES, RADII, 3) of discs or (N, GRID, GRID, 3) of blocks, and `ground`
    (N, 3), all natural logarithms of colour in BGR order; tone and edge are relative to the ground."""

    tone: Floats
    edge: Floats
    ground: Floats
    round: bool

    def __len__(self) -> int:
        return len(self.tone)

    def under(self, tints: Floats, offsets: Floats) -> Looks:
        """The same tiles in other lights, each in its own: marks' logarithms of colour are multiplied from the right by
        `tints` (N, 3, 3), contrast and all, and `offsets` (N, 3) are added to grounds'."""
        tone, edge = (np.einsum("nabc,ncd->nabd", part, tints, optimize=True) for part in (self.tone, self.edge))
        return Looks(np.asarray(tone, np.float32), np.asarray(edge, np.float32), self.ground + offsets, self.round)

    def __getitem__(self, chosen: NDArray[np.int_]) -> Looks:
        return Looks(self.tone[chosen], self.edge[chosen], self.ground[chosen], self.round)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """N tiles beside K others: `channels` (len(CHANNELS), N, K), the turn (clockwise degrees) by which each of the K is
    to be turned to lie as each of the N does, and the number in `SLIPS` by which it is to be moved before."""

    channels: Floats
    turns: Floats
    slips: NDArray[np.int_]

    def __getitem__(self, chosen: NDArray[np.int_]) -> Comparison:
        return Comparison(self.channels[:, chosen], self.turns[chosen], self.slips[chosen])


def _grid() -> tuple[Floats, Floats]:
    angle = 2 * np.pi * np.arange(ANGLES) / ANGLES
    radius = np.linspace(2.0, _REACH, RADII)
    across = _MIDDLE + radius * np.cos(angle)[:, None]
    down = _MIDDLE + radius * np.sin(angle)[:, None]
    return across.astype(np.float32), down.astype(np.float32)


_ACROSS, _DOWN = _grid()
# Each sample stands for an area that grows with the radius.
_AREA: Final = np.sqrt(np.linspace(2.0, _REACH, RADII) / _REACH).astype(np.float32)[:, None]


def describe(patches: Pixels, is_round: bool) -> Looks:
    """The looks of patches N×64×64×3 uint8 BGR, all of them discs or all of them blocks."""
    rows, columns = np.mgrid[0:PATCH:2, 0:PATCH:2] - _MIDDLE
    inside = np.hypot(rows, columns) < _REACH if is_round else np.maximum(abs(rows), abs(columns)) < _REACH
    shape = (ANGLES, RADII, 3) if is_round else (GRID, GRID, 3)
    tone = np.empty((len(patches), *shape), np.float32)
    edge = np.empty_like(tone)
    ground = np.empty((len(patches), 3), np.float32)
    margin = round(_MIDDLE - _REACH)
    for i, patch in enumerate(patches):
        colour = np.log(cv2.GaussianBlur(patch, (0, 0), 0.8).astype(np.float32) + 16)
        ground[i] = np.median(colour[::2, ::2][inside], axis=0)
        low = cv2.GaussianBlur(colour - ground[i], (0, 0), 1.6)
        middle = low - cv2.GaussianBlur(low, (0, 0), 6)
        for target, plane in ((tone, low), (edge, middle)):
            if is_round:
                target[i] = cv2.remap(plane, _ACROSS, _DOWN, cv2.INTER_LINEAR) * _AREA
            else:
                core = plane[margin : PATCH - margin, margin : PATCH - margin]
                target[i] = cv2.resize(core, (GRID, GRID), interpolation=cv2.INTER_AREA)
    return Looks(tone, edge, ground, is_round)


def moved(patches: Pixels, turn: float = 0.0, slip: tuple[float, float, float] = SLIPS[0]) -> Pixels:
    """Patches N×64×64×3 scaled and moved by a slip, and turned clockwise by degrees about their middle."""
    if turn == 0 and slip == SLIPS[0]:
        return patches
    x, y, scale = slip
    matrix = np.array(cv2.getRotationMatrix2D((_MIDDLE, _MIDDLE), -turn, scale), np.float64)
    matrix[:, 2] += matrix[:, :2] @ np.array((x / scale, y / scale))
    out = [
        cv2.warpAffine(patch, matrix, (PATCH, PATCH), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for patch in patches
    ]
    return np.asarray(out, np.uint8).reshape(patches.shape)


def slipped(patches: Pixels, is_round: bool) -> list[Looks]:
    """The looks of patches at each of `SLIPS`."""
    return [describe(moved(patches, slip=slip), is_round) for slip in SLIPS]


def compare(tiles: Looks, others: list[Looks]) -> Comparison:
    """Each of N tiles beside each of K others, the others at the turn and slip at which the two are most alike.

    `others` are the same K tiles at the first one or more of `SLIPS`.
    """
    count = len(others[0])
    everyone = _joined(others)
    fit = _fits(tiles, everyone)
    turns = fit.shape[2]
    at = fit.reshape(len(tiles), len(others), count, turns).transpose(0, 2, 1, 3).reshape(len(tiles), count, -1)
    slips, turned = np.divmod(at.argmax(axis=2), turns)
    angles = (turned * (360.0 / turns)).astype(np.float32)
    return Comparison(_channels_of(tiles, everyone, slips, turned), angles, slips)


def compare_again(tiles: Looks, others: list[Looks], found: Comparison) -> Comparison:
    """As `compare`, but at the turns and slips that were found before."""
    turned = np.rint(found.turns * ((ANGLES if tiles.round else TURNS) / 360.0)).astype(int)
    return Comparison(_channels_of(tiles, _joined(others), found.slips, turned), found.turns, found.slips)


def lights_between(
    tiles: Looks, others: list[Looks], found: Comparison, kinds: NDArray[np.int_], sure: Floats
) -> tuple[Floats, Floats]:
    """What brings each of N tiles of one photo into the light of the others: `tints` and `offsets` of `Looks.under`.

    Each tile is taken for the one of `kinds` (N,) among the others, as far as `sure` (N,) in 0..1 says; `found` is what
    `compare` said. A tile's own light is told by the other tiles, so that no tile is made alike to what it is not; the
    fewer they are, the less is changed.
    """
    rows = np.arange(len(tiles))
    turned = np.rint(found.turns[rows, kinds] * ((ANGLES if tiles.round else TURNS) / 360.0)).astype(int)
    everyone = _joined(others)
    chosen = found.slips[rows, kinds] * len(others[0]) + kinds
    aim = _laid(everyone.tone[chosen], tiles.round)[rows, turned].reshape(len(tiles), -1, 3)
    seen = tiles.tone.reshape(len(tiles), -1, 3)
    weighed = seen * sure[:, None, None]
    tight = np.eye(3, dtype=np.float32) * np.float32(_TIGHT * _cells(tiles))
    spread, shared = _of_others(weighed.transpose(0, 2, 1) @ seen), _of_others(weighed.transpose(0, 2, 1) @ aim)
    tints = np.linalg.solve(spread + tight, shared + tight)
    apart = _of_others((everyone.ground[kinds] - tiles.ground) * sure[:, None])
    offsets = apart / (_of_others(sure)[:, None] + np.float32(_SLOW))
    return tints.astype(np.float32), offsets.astype(np.float32)


def _of_others(parts: NDArray[Any]) -> Floats:
    """The sum of all others' parts, for each."""
    return np.asarray(parts.sum(axis=0) - parts, np.float32)


def _joined(others: list[Looks]) -> Looks:
    tone, edge, ground = (np.concatenate([getattr(o, part) for o in others]) for part in ("tone", "edge", "ground"))
    return Looks(tone, edge, ground, others[0].round)


def _channels_of(tiles: Looks, everyone: Looks, slips: NDArray[np.int_], turned: NDArray[np.int_]) -> Floats:
    """All channels (len(CHANNELS), N, K) of N tiles beside K others, of which `everyone` holds all slips in turn."""
    count = slips.shape[1]
    channels = _chosen(tiles, everyone, slips * count + np.arange(count), turned)
    ground, level = _grounds(tiles.ground[:, None] - everyone.ground[None, :count])
    return np.concatenate([channels[:4], ground[None], channels[4:], level[None]])


def beside(tiles: Looks, others: Looks) -> Floats:
    """Channels (len(CHANNELS), N) of N tiles, each beside the one of N others in its place, without turn or slip."""
    lengths = [_lengths(looks) for looks in (tiles, others)]
    inner = [
        np.einsum("nabc,nabc->n", a, b)
        for a, b in (
            (tiles.tone, others.tone),
            (tiles.edge, others.edge),
            (_chroma(tiles.tone), _chroma(others.tone)),
        )
    ]
    channels = _channels(inner, lengths[0], lengths[1], _cells(tiles))
    ground, level = _grounds(tiles.ground - others.ground)
    return np.concatenate([channels[:4], ground[None], channels[4:], level[None]])


def _grounds(apart: Floats) -> tuple[Floats, Floats]:
    """How alike grounds are in tint and in brightness, of their differences (..., 3) in logarithms of colour."""
    mean = apart.mean(axis=-1, keepdims=True)
    tint = np.maximum(-10 * ((apart - mean) ** 2).sum(axis=-1), -_FAR)
    return tint.astype(np.float32), np.maximum(-(mean[..., 0] ** 2), -_FAR).astype(np.float32)


def _cells(looks: Looks) -> float:
    return float((_AREA**2).sum() * ANGLES) if looks.round else float(GRID * GRID)


def _chroma(tone: Floats) -> Floats:
    return np.asarray(tone - tone.mean(axis=3, keepdims=True), np.float32)


def _lengths(looks: Looks) -> Floats:
    """Squared lengths (3, N) of tone, edge and chroma."""
    parts = (looks.tone, looks.edge, _chroma(looks.tone))
    return np.stack([np.einsum("nabc,nabc->n", part, part) for part in parts])


def _channels(inner: list[NDArray[np.float32]], a: Floats, b: Floats, cells: float) -> Floats:
    """Tone, edge, chroma, distance and hue from inner products and squared lengths that broadcast against them."""
    tone, _, chroma = inner
    *cosines, hue = (
        product / ((np.sqrt(a[k]) + floor) * (np.sqrt(b[k]) + floor))
        for k, (product, floor) in enumerate(zip(inner, _FLOORS, strict=True))
    )
    colour = np.maximum(-_TINT * (a[2] + b[2] - 2 * chroma) / cells, -_FAR)
    distance = np.maximum(-(a[0] + b[0] - 2 * tone) / cells, -_FAR / 2)
    return np.stack([*cosines, colour, distance, hue]).astype(np.float32)


def _fits(tiles: Looks, others: Looks) -> Floats:
    """(N, K, turns): how alike N tiles are with K others turned clockwise by each turn, for finding the turn."""
    cells = _cells(tiles)
    a, b = (_lengths(looks) for looks in (tiles, others))
    # Tone and edge as cosines, chroma as a distance: all of it one inner product, and what hangs on one tile alone.
    x, y = (
        np.concatenate(
            [
                looks.tone * _each(np.sqrt(_FOLLOWS[0]) / (np.sqrt(squares[0]) + _FLOORS[0])),
                looks.edge * _each(np.sqrt(_FOLLOWS[1]) / (np.sqrt(squares[1]) + _FLOORS[1])),
                _chroma(looks.tone) * np.float32(np.sqrt(2 * _FOLLOWS[2] * _TINT / cells)),
            ],
            axis=3,
        )
        for looks, squares in ((tiles, a), (others, b))
    )
    fit = _products(x, y, tiles.round) - _FOLLOWS[2] * _TINT / cells * b[2][:, None]
    return np.asarray(fit, np.float32)


def _each(factors: Floats) -> Floats:
    return factors[:, None, None, None]


def _products(a: Floats, b: Floats, is_round: bool) -> Floats:
    """Inner products (N, K, turns) of N tiles with K others turned clockwise by each turn."""
    if is_round:
        x, y = (np.fft.rfft(part.reshape(len(part), ANGLES, -1), axis=1) for part in (a, b))
        spectrum = np.matmul(x.transpose(1, 0, 2), y.conj().transpose(1, 2, 0))
        return np.asarray(np.fft.irfft(spectrum.transpose(1, 2, 0), n=ANGLES, axis=2), np.float32)
    flat = a.reshape(len(a), -1)
    turned = [np.rot90(b, -turn, axes=(1, 2)).reshape(len(b), -1) for turn in range(TURNS)]
    return np.stack([flat @ part.T for part in turned], axis=2)


def _chosen(tiles: Looks, others: Looks, chosen: NDArray[np.int_], turns: NDArray[np.int_]) -> Floats:
    """Channels but the ground's, (5, N, K), of N tiles, each beside K `chosen` of the others at their `turns`."""
    inner = np.empty((3, *chosen.shape), np.float32)
    for k, part in enumerate(("tone", "edge")):
        own, laid = getattr(tiles, part).reshape(len(tiles), -1), _laid(getattr(others, part), tiles.round)
        for n in range(len(tiles)):
            inner[k, n] = laid[chosen[n], turns[n]] @ own[n]
    grey, laid = tiles.tone.mean(axis=3).reshape(len(tiles), -1), _laid(others.tone.mean(axis=3), tiles.round)
    for n in range(len(tiles)):
        inner[2, n] = inner[0, n] - 3 * (laid[chosen[n], turns[n]] @ grey[n])
    a, b = (_lengths(looks) for looks in (tiles, others))
    return _channels(list(inner), a[..., None], b[:, chosen], _cells(tiles))


def _laid(part: Floats, is_round: bool) -> Floats:
    """(K, turns, cells) of K tiles' tone or edge, turned clockwise by each turn."""
    if not is_round:
        turned = [np.rot90(part, -turn, axes=(1, 2)).reshape(len(part), -1) for turn in range(TURNS)]
        return np.stack(turned, axis=1)
    # A turn is a shift along the angles: a window on two rounds of them, which copies nothing.
    twice = np.concatenate([part, part], axis=1).reshape(len(part), -1)
    step = twice.shape[1] // (2 * ANGLES)
    return sliding_window_view(twice, ANGLES * step, axis=1)[:, ::step][:, ANGLES:0:-1]
