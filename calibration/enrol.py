"""From photos of pieces to samples of a set: laid out in order, by guess and mend, or kind by kind.

A photo is looked at once (`view`); what is wrong with it, or with single tiles, is said by the names that
`vision.quality` has for it, and such tiles are not kept. Labels come from places (`in_order`), from groups of
look-alikes (`groups`), or are one for all; `keep` puts the good crops into the set at once, without near-duplicates and
so that no kind outnumbers the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import likeness, piece_set
from calibration.order import laid_out
from calibration.piece_set import CROP, PieceSet, Sample, Source, patches
from calibration.prototypes import BACK, Prototypes, embedded, shapes_alike
from models.patches import PATCH, shorter
from scoring.tiles import Family, Tile, tiles_of
from vision.crops import cut, patch_corners
from vision.frames import Frame, Pixels, decode
from vision.layout import tables
from vision.locate import locate
from vision.name import DOUBTFUL, Look, look, named
from vision.network import Network
from vision.quality import LEAST_SIDE, SOFT, detail, faults
from vision.reading import Fault, Point, Quad

LEAST_FACE: Final = 24.0  # px of the photo, the shorter side of a tile that is worth keeping
SAME: Final = 0.995  # cosine of two crops' low frequencies, laid as they are, from which they say the same
MOST: Final = 3  # times as many samples as the smallest kind has, the largest one keeps
# Faults that spoil the samples; a camera that leans, or tiles cut off beside the ones laid out, do not.
SPOILING: Final = frozenset({"too_dark", "blown_out", "blurred", "shaken", "tiles_too_small"})
_ALIKE: Final = 0.80  # likeness from which two tiles are taken for the same kind
_LIKENESS: Final = (0.6, 0.25, 0.15, 0.3)  # how embedding, tone and edge make it up, and how much other colours mar it
_BARE: Final = 6.0  # levels: tiles whose faces differ less in light show nothing that could be sharp


class EnrolError(ValueError):
    """A photo that teaches nothing as it was given. `code` is stable; the message says how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One photo of pieces, in reading order: what was seen, the crops (N×128×128×3 uint8 BGR), the rows as places, and
    of each tile the shorter side in px of the photo, the sharpness (`vision.quality`), and what is wrong with it, empty
    where nothing is. `faults` are the whole photo's."""

    photo: str
    frame: Frame
    seen: Look
    crops: Pixels
    rows: tuple[tuple[int, ...], ...]
    sides: NDArray[np.float64]
    sharpness: NDArray[np.float64]
    wrong: tuple[str, ...]
    faults: tuple[Fault, ...]

    @property
    def spoiled(self) -> Fault | None:
        """The fault that keeps the whole photo from teaching anything; None where it may."""
        return next((fault for fault in self.faults if fault.code in SPOILING), None)

    def __len__(self) -> int:
        return len(self.seen.quads)


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles of one photo that look alike, by their places, and what they may be, likeliest first."""

    places: tuple[int, ...]
    guesses: tuple[tuple[str, float], ...]

    @property
    def guess(self) -> str | None:
        """The likeliest name; None where nothing can be said."""
        return self.guesses[0][0] if self.guesses else None


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a photo: the set after it, how many crops were added, and those that were not, as (place, reason):
    a fault's code, `duplicate`, or `enough` where the kind has its share."""

    pieces: PieceSet
    added: int
    rejected: tuple[tuple[int, str], ...]


def view(data: bytes, family: Family, locator: Network, namer: Network, *, photo: str = "") -> View:
    """Look at a photo of a set's pieces. Raises `vision.frames.PictureError`, and EnrolError where it shows no tile."""
    frame = decode(data)
    quads = locate(frame, locator, thorough=True)
    first = look(frame, quads, namer)
    # A homemade face may look like a back to the namer: what the locator is sure of is a piece.
    sure = [quad for quad in quads if quad.score >= DOUBTFUL] or quads
    if not sure:
        raise EnrolError("no_tiles", "no piece was found: lay them apart, come closer, and photograph from above")
    rows = tables(sure, [0.0] * len(sure), [None] * len(sure))[0].rows
    order = [place for row in rows for place in row.places]
    ends = np.cumsum([0, *(len(row.places) for row in rows)])
    ordered = [sure[place] for place in order]
    seen = _part(first, [quads.index(quad) for quad in ordered])
    taken = cut(frame, seen.corners, CROP)
    sides = shorter(np.array([quad.corners for quad in ordered]))
    sharp = sharpness(seen.patches)
    found = faults(frame, seen, named(seen, family), family)
    faulty = [wrong(side, sharp) for side, sharp in zip(sides, sharp, strict=True)]
    places = tuple(tuple(range(a, b)) for a, b in pairwise(ends.tolist()))
    return View(photo, frame, seen, taken, places, sides, sharp, tuple(faulty), found)


def sharpness(shown: Pixels) -> NDArray[np.float64]:
    """Detail of one patch pixel over that of one to three, of each of N×64×64×3 patches; infinite for bare faces."""
    _, fine, coarse = detail(shown)
    return np.where(coarse < _BARE / 3, np.inf, fine / np.maximum(coarse, _BARE / 3))


def in_order(views: Sequence[View], labels: Sequence[str]) -> list[list[str]]:
    """Each photo's labels by place: the photos, each in reading order, go on with the list.

    A single label stands for all tiles. Raises EnrolError where the photos show more or fewer tiles than there are
    labels; the message says in which row.
    """
    counts = [len(one) for one in views]
    if len(labels) == 1:
        return [[labels[0]] * count for count in counts]
    if sum(counts) != len(labels):
        raise EnrolError("wrong_count", _miscount(views, labels))
    ends = np.cumsum([0, *counts])
    return [list(labels[a:b]) for a, b in pairwise(ends.tolist())]


OPTIONAL: Final = frozenset({"T", "D", "N", *(f"f{n}" for n in range(1, 9))})
"""Kinds that not every set has: 天地人, seasons and flowers."""


def order_of(family: Family, count: int) -> list[str]:
    """The codes of a family in the order in which a set is laid out; without the kinds that not every set has, where
    `count` pieces are just the others."""
    codes = [tile.code for row in laid_out(family) for tile in row]
    usual = [code for code in codes if code not in OPTIONAL]
    return usual if count == len(usual) else codes


def from_row(one: View, family: Family, row: int | None = None) -> tuple[list[str], int]:
    """The labels by place of a photo that goes on with the order from a row on, and the row that comes after it.

    The photo shows one or more whole rows of the order, each beginning in a row of its own; or all of the order,
    whatever the row, and only that where it is None. Where only kinds are left that not every set has, it may begin
    anew. Rows that are as long as those of the order from the end were photographed from the other side of the table.
    Raises EnrolError where the photo shows something else.
    """
    laid = laid_out(family)
    rest = [tile.code for kinds in laid[row or 0 :] for tile in kinds]
    starts = () if row is None else (row, 0) if OPTIONAL.issuperset(rest) else (row,)
    for start in starts:
        if (found := _whole_rows(one, laid, start)) is not None:
            return found
    whole = order_of(family, len(one))
    if len(whole) != len(one):
        raise EnrolError("wrong_count", _miscount([one], rest))
    rows = [len(kinds) for kinds in laid if set(whole).issuperset(tile.code for tile in kinds)]
    return whole[::-1] if _from_the_other_side(one, rows) else whole, 0


def _whole_rows(one: View, laid: Sequence[Sequence[Tile]], start: int) -> tuple[list[str], int] | None:
    """The labels of a photo of whole rows from `start` on, and the row after them; None where it shows no such rows."""
    ends = set(np.cumsum([len(places) for places in one.rows]).tolist())
    within = True  # whether the rows of the order so far begin in rows of the photo
    for end in range(start + 1, len(laid) + 1):
        codes = [tile.code for kinds in laid[start:end] for tile in kinds]
        within = within and len(codes) in ends
        if len(codes) == len(one):
            turned = _from_the_other_side(one, [len(kinds) for kinds in laid[start:end]])
            following = end % len(laid)
            return (codes[::-1], following) if turned else (codes, following) if within else None
    return None


def _from_the_other_side(one: View, rows: Sequence[int]) -> bool:
    """Whether a photo's rows are as long as `rows` are from the end, and not from the beginning."""
    seen = [len(places) for places in one.rows]
    return seen == list(rows)[::-1] != list(rows)


def groups(one: View, family: Family, namer: Network, known: Prototypes | None = None) -> list[Group]:
    """The tiles of a photo grouped by their looks, in the order of their first tiles, each with guesses of its name.

    The names are guessed from `known` prototypes where the set has some, else from what the namer knows of factory
    pieces. Groups are joined by average linkage.
    """
    together = _linked(_alike(one, namer))
    sightings = {s.quad.corners: s for s in named(one.seen, family, None, known)}
    codes = [tile.code for tile in tiles_of(family)]
    out = []
    for places in together:
        shares = np.zeros(len(codes) + 1)
        for place in places:
            sighting = sightings.get(one.seen.quads[place].corners)
            if sighting is None or sighting.quad.face == "down":
                shares[-1] += 1.0 if sighting is None else sighting.confidence
            else:
                for code, share in sighting.alternatives:
                    shares[codes.index(code)] += share
        shares /= max(shares.sum(), 1e-9)
        best = np.argsort(-shares, kind="stable")[:5]
        names = [*codes, BACK]
        guesses = tuple((names[k], float(shares[k])) for k in best if shares[k] > 0.01)
        out.append(Group(tuple(places), guesses))
    return sorted(out, key=lambda group: group.places[0])


def keep(name: str, one: View, labels: Sequence[str | None], how: Sequence[str], camera: str = "") -> Kept:
    """Put a photo's good crops into a set, each under its label; places with None are left out. `how` says of
    each place where its label came from.

    Raises PieceSetError, and EnrolError where the whole photo is spoiled.
    """
    if (fault := one.spoiled) is not None:
        raise EnrolError(fault.code, f"{one.photo or 'the photo'}: {fault.words}; {fault.hint}")
    pieces = piece_set.load(name)
    rejected = [(place, one.wrong[place]) for place, label in enumerate(labels) if label and one.wrong[place]]
    chosen = [place for place, label in enumerate(labels) if label and not one.wrong[place]]
    double = doubles(pieces, one.crops[chosen], [str(labels[place]) for place in chosen])
    fresh = [n for n in range(len(chosen)) if n not in double]
    rejected += [(chosen[n], "duplicate") for n in double]
    samples = [
        Sample(
            "",
            str(labels[chosen[n]]),
            "",
            Source(one.photo, one.seen.quads[chosen[n]].corners, how[chosen[n]], "", camera),
            round(float(one.sides[chosen[n]]), 1),
            round(float(min(one.sharpness[chosen[n]], 9.0)), 3),
        )
        for n in fresh
    ]
    is_round = sum(quad.round for quad in one.seen.quads) * 2 > len(one)
    before = {sample.file for sample in pieces.samples}
    pieces = piece_set.add(pieces.name, one.crops[[chosen[n] for n in fresh]], samples, is_round)
    added = [sample for sample in pieces.samples if sample.file not in before]
    spare = set(surplus(pieces))
    if spare:
        places = {quad.corners: place for place, quad in enumerate(one.seen.quads)}
        rejected += [(places[_corners(sample)], "enough") for sample in added if sample.file in spare]
        pieces = piece_set.remove(pieces.name, spare)
    return Kept(pieces, sum(sample.file not in spare for sample in added), tuple(sorted(rejected)))


def offer(
    name: str, data: bytes, corners: tuple[Point, Point, Point, Point], label: str, *, photo: str = ""
) -> PieceSet:
    """Keep one tile of a photo of a game, its corners in the photo's pixels, as a sample of what a person called it.

    Raises PieceSetError, `vision.frames.PictureError`, and EnrolError where it would teach nothing.
    """
    pieces = piece_set.load(name)
    quad = Quad(corners, 1.0, bool(pieces.round), "up")
    taken = cut(decode(data), patch_corners([quad]), CROP)
    side, sharp = float(shorter(np.array([quad.corners]))[0]), float(sharpness(patches(taken))[0])
    if fault := wrong(side, sharp):
        raise EnrolError(fault, "this tile is too small or too blurred to teach anything; take a nearer photo")
    if doubles(pieces, taken, [label]):
        raise EnrolError("duplicate", "the set holds this picture already")
    source = Source(photo, quad.corners, "game")
    sample = Sample("", label, "", source, round(side, 1), round(min(sharp, 9.0), 3))
    before = {sample.file for sample in pieces.samples}
    pieces = piece_set.add(pieces.name, taken, [sample], quad.round)
    # What was misread at the table teaches most, sharp or not.
    spare = surplus(pieces, {sample.file for sample in pieces.samples} - before)
    return piece_set.remove(pieces.name, spare) if spare else pieces


def surplus(pieces: PieceSet, kept: Collection[str] = ()) -> list[str]:
    """The files of samples by which kinds outnumber the smallest one `MOST` times; the least sharp ones go, those to be
    `kept` last."""
    counts = Counter(label for label in pieces.labels if label != BACK)
    if not counts:
        return []
    most = MOST * min(counts.values())
    out: list[str] = []
    for label in {*counts, BACK}:
        own = [sample for sample in pieces.samples if sample.label == label]
        own.sort(key=lambda sample: (sample.file in kept, sample.sharpness * min(sample.side, PATCH)))
        out += [sample.file for sample in own[: max(len(own) - most, 0)]]
    return out


def annotated(one: View, marks: Sequence[str]) -> Pixels:
    """The photo with each tile outlined in its place's order, and a mark on it: H×W×3 uint8 BGR."""
    canvas = one.frame.image.copy()
    unit = max(canvas.shape[:2]) / 1000
    for row, places in enumerate(one.rows):
        colour = ((60, 60, 220), (200, 120, 0), (40, 150, 40))[row % 3]
        centres = []
        for place in places:
            corners = one.frame.to_image(np.array(one.seen.quads[place].corners))
            centres.append(corners.mean(axis=0))
            cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, colour, max(2, round(3 * unit)))
        for a, b in pairwise(centres):
            ends = [(int(p[0]), int(p[1])) for p in (a, b)]
            cv2.arrowedLine(canvas, ends[0], ends[1], colour, max(1, round(1.5 * unit)), cv2.LINE_AA, 0, 0.12)
        for place, centre in zip(places, centres, strict=True):
            scale = 0.9 * unit
            (w, h), _ = cv2.getTextSize(marks[place], cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
            x, y = int(centre[0] - w / 2), int(centre[1] + h / 2)
            cv2.rectangle(canvas, (x - 4, y - h - 4), (x + w + 4, y + 6), (255, 255, 255), cv2.FILLED)
            cv2.putText(canvas, marks[place], (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 2, cv2.LINE_AA)
    return canvas


def _part(seen: Look, places: Sequence[int]) -> Look:
    """Some tiles of a look, in another order."""
    count = len(seen.quads)
    rows = np.arange(len(seen.owners)).reshape(count, -1)[list(places)].ravel()
    views = len(seen.owners) // count
    return Look(
        tuple(seen.quads[place] for place in places),
        seen.corners[list(places)],
        seen.patches[list(places)],
        {name: part[rows] for name, part in seen.outputs.items()},
        np.repeat(np.arange(len(places)), views),
        seen.quarters[rows],
    )


def _corners(sample: Sample) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = sample.source.polygon
    return a, b, c, d


def wrong(side: float, sharp: float) -> str:
    """What is wrong with a tile of that shorter side (px) and sharpness, a fault's code; empty where nothing is."""
    if side < max(LEAST_FACE, LEAST_SIDE):
        return "tiles_too_small"
    return "blurred" if sharp < SOFT else ""


def _miscount(views: Sequence[View], labels: Sequence[str]) -> str:
    """Which rows hold what, and which labels that leaves over or asks for."""
    total = sum(len(one) for one in views)
    rows = "; ".join(
        f"{one.photo or 'the photo'}: {' + '.join(str(len(row)) for row in one.rows)} in rows" for one in views
    )
    fault = f"{len(labels) - total} fewer" if total < len(labels) else f"{total - len(labels)} more"
    mend = (
        "lay the missing ones in, or say which lie there" if total < len(labels) else "take away what does not belong"
    )
    return f"{total} pieces were found, {fault} than the {len(labels)} in the order ({rows}); {mend}, and take it again"


def _alike(one: View, namer: Network) -> NDArray[np.float64]:
    """How alike each two tiles of a photo are, (N, N), about 0 to 1: marks of one shape in one colour come near 1."""
    count = len(one)
    is_round = sum(quad.round for quad in one.seen.quads) * 2 > count
    looks = likeness.describe(one.seen.patches, is_round)
    found = likeness.compare(looks, likeness.slipped(one.seen.patches, is_round)).channels
    kept = embedded(one.seen.patches, namer, is_round)
    signs = (shapes_alike(kept[:, 0], kept, is_round), *found[:2], np.maximum(found[2], -1))
    alike = np.asarray(sum(share * sign for share, sign in zip(_LIKENESS, signs, strict=True)), np.float64)
    return np.maximum(alike, alike.T)


def _linked(alike: NDArray[np.float64]) -> list[list[int]]:
    """Groups by average linkage: the two likest are joined as long as they are alike enough on average."""
    clusters = [[n] for n in range(len(alike))]
    mean = alike.copy()
    np.fill_diagonal(mean, -np.inf)
    while len(clusters) > 1:
        a, b = divmod(int(mean.argmax()), len(mean))
        if mean[a, b] < _ALIKE:
            break
        a, b = sorted((a, b))
        sizes = len(clusters[a]), len(clusters[b])
        joined = (sizes[0] * mean[a] + sizes[1] * mean[b]) / sum(sizes)
        clusters[a] += clusters.pop(b)
        mean[a], mean[:, a] = joined, joined
        mean[a, a] = -np.inf
        mean = np.delete(np.delete(mean, b, axis=0), b, axis=1)
    return [sorted(cluster) for cluster in clusters]


def doubles(pieces: PieceSet, taken: Pixels, labels: Sequence[str]) -> list[int]:
    """The places of crops N×128×128×3 that the set has as good as twice under their labels."""
    new = _coarse(patches(taken))
    old = _coarse(patches(piece_set.crops(pieces)))
    return [
        n
        for n, label in enumerate(labels)
        if any(float(new[n] @ old[k]) > SAME for k, held in enumerate(pieces.labels) if held == label)
    ]


def _coarse(shown: Pixels) -> NDArray[np.float32]:
    """Unit vectors (N, 768) of what patches show at 16×16, in logarithms of colour without their mean."""
    out = np.empty((len(shown), 16 * 16 * 3), np.float32)
    for n, patch in enumerate(shown):
        small = np.log(cv2.resize(patch, (16, 16), interpolation=cv2.INTER_AREA).astype(np.float32) + 16)
        flat = (small - small.mean()).ravel()
        out[n] = flat / max(float(np.linalg.norm(flat)), 1e-6)
    return out
