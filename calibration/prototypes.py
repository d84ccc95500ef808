"""What a piece set's kinds look like, learned from a few samples, and how far to trust which sign of likeness.

A prototype is the mean picture of a kind's samples, laid over each other; a sample that looks far more like another
kind than like its own takes no part in it where its kind has others. A tile is compared with every prototype by several
signs (the namer's embedding, marks, colours: `likeness`) and by what the general head says of it. Tiles of one photo
lie in one light: it is told from all of them together and taken off before colours are compared. How much each sign
counts is learned by logistic regression from the samples themselves: each is named with itself left out, and so are
views of it under other light, turned and blurred. The regression is drawn towards weights that suit most sets, since a
few samples say little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import likeness
from calibration.likeness import SLIPS, Looks
from models.patches import PATCH
from scoring.tiles import Family, tiles_of
from vision.exposure import lightened
from vision.frames import Pixels
from vision.name import Judgement, Look, decide, views
from vision.network import Network

Floats = NDArray[np.float32]

BACK: Final = "back"
"""The label of a sample that shows a piece's back."""

SIGNS: Final = ("embedding", *likeness.CHANNELS, "head")
_USUAL: Final = np.array([32.0, 3.0, 3.0, 6.0, 3.0, 2.5, 8.0, 0.5])  # what learning is drawn towards, but the head's
_HEAD: Final = (0.15, 1.35)  # the head's where it names no sample rightly, and how much more where it names all
_PULL: Final = 0.02  # how strongly
_LEAST_LOG: Final = -12.0  # a kind that the head rules out is not ruled out for good
_HALF_TURNS: Final = tuple(22.5 * k for k in range(8))  # of a disc, at which its embedding is kept
_VIEWS: Final = 160  # trials that learning looks at, as far as artificial views can fill them up
_VIEWS_EACH: Final = 12
_SEEN_LEFT_OUT: Final = 3.0  # a real sample left out counts as much as so many artificial views
_MARGIN: Final = 1.5  # how far below the least likeness of its own, in its spread, a tile counts as unknown
_AMISS: Final = 7.0  # nats by which a sample is more like another kind where its label, not its photo, is to blame
_ODD_LIGHT: Final = 0.25  # of a photo's samples, of which so many are not all called wrongly
_WHOLE_PHOTO: Final = 10  # samples
_FEW: Final = 4.0  # so many other tiles of a photo tell half of what the photo takes from likeness
_COPIES: Final = 4.0  # of a kind that a photo is believed to show
_ROUNDS: Final = 2  # of telling the light from what the tiles seem to be
_TRUST: Final = 0.5  # share of the samples that the general head must name rightly to be heard on what none is like
_VARIANT: Final = 1.0  # nats by which a second look of a kind with samples is less likely than a kind without any
_AGREED: Final = 1 / 3  # of the head's shares, by which it tells a tile that is like no sample


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Samples named with themselves left out, and artificial views of them.

    `samples` tells whose trial each row is, `artificial` whether it is a view; `scores` (M, K) are those of the kinds,
    `signs` (len(SIGNS), M, K) what they come from, `truth` the place of each row's own kind.
    """

    samples: NDArray[np.int_]
    artificial: NDArray[np.bool_]
    truth: NDArray[np.int_]
    signs: Floats
    scores: NDArray[np.float64]

    def margins(self) -> NDArray[np.float64]:
        """By how much each row's own kind leads the best other one; below zero it is named wrongly."""
        return _margins(self.scores, self.truth)

    def rivals(self) -> NDArray[np.int_]:
        """The best other kind of each row."""
        others = self.scores.copy()
        others[np.arange(len(others)), self.truth] = -np.inf
        return np.asarray(others.argmax(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """A set's kinds, ready to name tiles by; made by `learn`, kept by `calibration.piece_set`.

    `kinds` are codes and perhaps `BACK`, `patches` K×64×64×3 their mean pictures, `embeddings` (K, turns, 4, 128).
    `weights` go with `SIGNS`. Below `threshold` of likeness a tile is of no kind that was seen; `level` is
    the upper quartile of the samples' likeness, and the threshold falls in a photo that does not reach it.
    `stranger` is how like the likest kind a tile is that is not of it. `trust` is the share of the samples that the
    general head names rightly, `name` the set's.
    """

    family: Family
    round: bool
    kinds: tuple[str, ...]
    patches: Pixels
    embeddings: Floats
    weights: NDArray[np.float64]
    threshold: float
    level: float
    stranger: float
    trust: float
    looks: tuple[Looks, ...]
    name: str = ""

    @classmethod
    def of(
        cls,
        family: Family,
        is_round: bool,
        kinds: Sequence[str],
        patches: Pixels,
        embeddings: Floats,
        weights: NDArray[np.float64],
        threshold: float,
        level: float,
        stranger: float,
        trust: float,
    ) -> Prototypes:
        """With the looks worked out from the pictures."""
        looks = tuple(likeness.slipped(patches, is_round))
        kept = (weights, threshold, level, stranger, trust)
        return cls(family, is_round, tuple(kinds), patches, embeddings, *kept, looks)

    def judge(self, seen: Look, shares: NDArray[np.float64], back: NDArray[np.float64]) -> Judgement:
        """What each tile is, given what the general head says: `shares` (N, kinds of the family) and `back` (N,).

        Kinds of share 0 are not allowed and stay so. A kind without samples competes with what the head says of it and
        with the likeness of a stranger, or with that at the threshold where the head does not read this set. A head
        that does may also tell a kind by another look than its samples', as of a red five.
        """
        codes = [tile.code for tile in tiles_of(self.family)]
        embedding = seen.outputs["embedding"].reshape(len(back), -1, 128)
        head = _head(shares, back, codes, self.kinds)
        looks = likeness.describe(lightened(seen.patches), self.round)
        scores = np.full((len(back), len(codes) + 1), -np.inf)
        own = [codes.index(kind) if kind != BACK else len(codes) for kind in self.kinds]
        strange = [k for k in range(len(codes)) if k not in own]
        log = np.maximum(np.log(np.maximum(shares[:, strange], 1e-9)), _LEAST_LOG)
        read = self.trust >= _TRUST
        scores[:, strange] = self.stranger + log if read else self.threshold + self.weights[-1] * log - 1.0
        scores[:, : len(codes)][shares <= 0] = -np.inf
        rest = scores.max(axis=1)
        signs, _ = _signs(looks, embedding, self, head, np.zeros(len(back), int), rest=rest)
        alike = np.tensordot(self.weights[:-1], signs[:-1], 1)
        scores[:, own] = alike + self.weights[-1] * signs[-1]
        if read:
            scores[:, own] = np.logaddexp(scores[:, own], self.stranger - _VARIANT + signs[-1])
        scores[:, : len(codes)][shares <= 0] = -np.inf
        likest = alike.max(axis=1)
        lost = 0.0
        if not np.isfinite(rest).any():
            # A dark or soft photo makes all its tiles less like the samples; where kinds lack, that may be why.
            told = (len(likest) - 1) / (len(likest) - 1 + _FEW)
            lost = told * max(self.level - float(np.quantile(likest, 0.75)), 0.0)
        faces = _softmax(scores[:, : len(codes)])
        unlike = likest < self.threshold - lost
        # What looks like one of the faces is no back, whatever the head thinks of faces that it never saw.
        most = 1.0 if read else 0.5
        unseen = np.where(unlike, np.minimum(back, most), np.minimum(back, 0.02))
        back = _softmax(scores)[:, -1] if BACK in self.kinds else unseen
        best = faces.argmax(axis=1)
        # Where the head reads this set, what both agree on is known, however unlike the samples this photo is.
        agreed = (best == shares.argmax(axis=1)) & (shares.max(axis=1) > _AGREED)
        known = ~unlike | (agreed & read)
        return Judgement(faces, back, known)


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What `learn` found out: the prototypes, the samples that took no part in them, and the trials behind it."""

    prototypes: Prototypes
    dropped: frozenset[int]
    trial: Trial
    head_right: NDArray[np.bool_]


def learn(
    patches: Pixels,
    labels: Sequence[str],
    family: Family,
    is_round: bool,
    namer: Network,
    *,
    photos: Sequence[str] | None = None,
    weights: NDArray[np.float64] | None = None,
    seed: int = 0,
) -> Learned:
    """Prototypes from samples: N×64×64×3 patches uint8 BGR, each with a code of the family or `BACK`.

    `photos` tell which photo each is from; all are of one when None. `weights`, where given, are taken instead of
    learned ones. Raises ValueError where there is no sample.
    """
    if not len(patches):
        raise ValueError("a set needs a sample to learn from")
    kinds = _kinds(labels, family)
    truth = np.array([kinds.index(label) for label in labels])
    photos_of = np.unique(photos if photos is not None else [""] * len(labels), return_inverse=True)[1]
    members = [np.flatnonzero(truth == k) for k in range(len(kinds))]
    patches = patches.copy()
    for photo in np.unique(photos_of):
        patches[photos_of == photo] = lightened(patches[photos_of == photo])
    aligned = _aligned(patches, members, is_round)
    outputs, owners, _ = views(aligned, namer, is_round)
    embedding = outputs["embedding"].reshape(len(patches), -1, 128)
    head = _heads(outputs, owners, len(patches), family, kinds)

    head_right = _reads(outputs, owners, labels, family)
    trust = float(head_right.mean())
    usual = np.append(_USUAL, _HEAD[0] + _HEAD[1] * trust)
    means = _means(aligned, embedding, members, is_round, namer)
    everyone = Prototypes.of(family, is_round, kinds, *means, usual, 0.0, 0.0, 0.0, trust)
    looks = likeness.describe(aligned, is_round)
    signs, lit = _signs(looks, embedding, everyone, head, photos_of, truth)
    _leave_out(signs, lit, aligned, embedding, members)
    real = np.array([len(members[k]) > 1 for k in truth])
    dropped = _outliers(np.tensordot(usual, signs, 1), truth, members, photos_of)
    if dropped:
        members = [np.array([i for i in rows if i not in dropped]) for rows in members]
        fewer = sorted({int(truth[i]) for i in dropped})
        pictures, kept = means
        pictures[fewer], kept[fewer] = _means(aligned, embedding, [members[k] for k in fewer], is_round, namer)
        everyone = Prototypes.of(family, is_round, kinds, pictures, kept, usual, 0.0, 0.0, 0.0, trust)
        signs, lit = _signs(looks, embedding, everyone, head, photos_of, truth)
        _leave_out(signs, lit, aligned, embedding, members)

    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(real)
    # A kind's only sample is tried by its views alone; where many are left out in turn, few others need views.
    chosen = np.array([i for i in range(len(patches)) if i not in dropped])
    room = max(_VIEWS - len(rows), 0)
    alone = chosen[~real[chosen]]
    others = rng.permutation(chosen[real[chosen]])
    each = int(np.clip(room // len(chosen), 1, _VIEWS_EACH))
    origin = np.repeat(np.concatenate([alone, others[: room // each]]), each)
    # Each sample once in every artificial photo.
    shots = np.arange(len(origin)) % each
    artificial = weathered(aligned[origin], is_round, rng, shots)
    view_signs = np.empty((len(SIGNS), 0, len(kinds)), np.float32)
    if len(origin):
        outputs, owners, _ = views(artificial, namer, is_round)
        view_signs, _ = _signs(
            likeness.describe(artificial, is_round),
            outputs["embedding"].reshape(len(origin), -1, 128),
            everyone,
            _heads(outputs, owners, len(origin), family, kinds),
            shots,
        )
    all_signs = np.concatenate([signs[:, rows], view_signs], axis=1)
    samples = np.concatenate([rows, origin])
    is_view = np.arange(len(samples)) >= len(rows)
    counts = np.where(is_view, 1.0, _SEEN_LEFT_OUT)
    counts[np.isin(samples, list(dropped))] = 0.0
    own = truth[samples]
    if weights is None:
        weights = _fit(all_signs, own, counts, usual)
    likes = np.tensordot(weights[:-1], all_signs[:-1], 1)[counts > 0]
    rows_left, kinds_left = np.arange(len(likes)), own[counts > 0]
    alike = likes[rows_left, kinds_left]
    low, middle = np.quantile(alike, 0.02), np.median(alike)
    threshold = float(low - _MARGIN * (middle - low))
    rivals = float(np.median(alike - _margins(likes, kinds_left))) if len(kinds) > 1 else threshold
    if not len(rows) and len(kinds) > 1:
        # Artificial views alone are tamer than photos; what is as like as the own kinds are to each other is known.
        threshold = min(float(low - 2 * _MARGIN * (middle - low)), rivals)
    stranger = max(threshold, min(rivals, float(low)))
    level = float(np.quantile(likes.max(axis=1), 0.75))
    prototypes = replace(everyone, weights=weights, threshold=threshold, level=level, stranger=stranger)
    scores = np.tensordot(weights, all_signs, 1)
    return Learned(prototypes, dropped, Trial(samples, is_view, own, all_signs, scores), head_right)


def embedded(patches: Pixels, namer: Network, is_round: bool) -> Floats:
    """Embeddings (N, turns, 4, 128) of patches, at the turns by which `shapes_alike` lays them over others."""
    turns = _HALF_TURNS if is_round else _HALF_TURNS[:1]
    turned = np.concatenate([likeness.moved(patches, turn) for turn in turns])
    outputs, _, _ = views(turned, namer, is_round)
    seen = outputs["embedding"].reshape(len(turns), len(patches), -1, 128)
    return np.asarray(seen.transpose(1, 0, 2, 3), np.float32)


def shapes_alike(embedding: Floats, others: Floats, is_round: bool) -> Floats:
    """Mean cosines (N, K) of tiles' views (N, 4, 128) with those of others (K, turns, 4, 128), laid as they fit best.

    A disc's views are from far and near by turns (`vision.name.views`), so that it is laid over at half turns only.
    """
    quarters = embedding.shape[1]
    flat = embedding.reshape(len(embedding), -1)
    steps = range(0, quarters, 2 if is_round else 1)
    rolled = np.stack([np.roll(others, step, axis=2) for step in steps], axis=2).reshape(-1, flat.shape[1])
    cosine = (flat @ rolled.T / quarters).reshape(len(flat), len(others), -1)
    return np.asarray(cosine.max(axis=2), np.float32)


def weathered(
    patches: Pixels, is_round: bool, rng: np.random.Generator, photos: NDArray[np.int_] | None = None
) -> Pixels:
    """Each of N×64×64×3 patches as another photo might show it: turned, slipped, in other light, blurred, noisy. Those
    of one of the `photos` (N,), numbers from 0, are in one light; when None each is from a photo of its own."""
    out = np.empty_like(patches)
    rows, columns = np.mgrid[0:PATCH, 0:PATCH].astype(np.float32) / PATCH - 0.5
    photos = np.arange(len(patches)) if photos is None else photos
    count = int(photos.max(initial=-1)) + 1
    tints = np.exp(rng.normal(0, 0.25, (count, 1)) + rng.normal(0, 0.1, (count, 3)))
    curves, blurs = np.exp(rng.normal(0, 0.2, count)), rng.uniform(0.3, 1.4, count)
    for i, patch in enumerate(patches):
        turn = rng.uniform(0, 360) if is_round else 90.0 * rng.choice([0, 1, 2, 3], p=[0.46, 0.04, 0.46, 0.04])
        turn += rng.normal(0, 2)
        matrix = cv2.getRotationMatrix2D(((PATCH - 1) / 2, (PATCH - 1) / 2), turn, 1.0)
        skew = np.eye(2) + rng.normal(0, 0.035, (2, 2))
        matrix[:, :2] = skew @ matrix[:, :2]
        middle = np.full(2, (PATCH - 1) / 2)
        matrix[:, 2] = middle - matrix[:, :2] @ middle + rng.normal(0, 1.6, 2)
        seen = cv2.warpAffine(patch, matrix, (PATCH, PATCH), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        light: NDArray[Any] = seen.astype(np.float64)
        slope = 1 + rng.normal(0, 0.2) * rows + rng.normal(0, 0.2) * columns
        light *= slope[..., None] * tints[photos[i]] * np.exp(rng.normal(0, 0.1) + rng.normal(0, 0.03, 3))
        light = 255 * (np.clip(light, 0, 255) / 255) ** float(curves[photos[i]])
        light = cv2.GaussianBlur(light, (0, 0), float(blurs[photos[i]]))
        light = light + rng.normal(0, rng.uniform(1, 6), light.shape)
        out[i] = np.clip(light, 0, 255)
    return out


def _kinds(labels: Sequence[str], family: Family) -> tuple[str, ...]:
    given = set(labels)
    return tuple(code for code in (*(tile.code for tile in tiles_of(family)), BACK) if code in given)


def _heads(
    outputs: Mapping[str, NDArray[Any]], owners: NDArray[np.int_], count: int, family: Family, kinds: Sequence[str]
) -> Floats:
    codes = [tile.code for tile in tiles_of(family)]
    shares, back = decide(outputs[family.value], owners, count, np.ones(len(codes), bool))
    return _head(shares, back, codes, kinds)


def _reads(
    outputs: Mapping[str, NDArray[Any]], owners: NDArray[np.int_], labels: Sequence[str], family: Family
) -> NDArray[np.bool_]:
    """Which samples the general head names rightly, among all kinds of the family."""
    names = [*(tile.code for tile in tiles_of(family)), BACK]
    shares, back = decide(outputs[family.value], owners, len(labels), np.ones(len(names) - 1, bool))
    best = np.where(back > 0.5, len(names) - 1, shares.argmax(axis=1))
    return np.array([names[k] == label for k, label in zip(best, labels, strict=True)], bool)


def _head(shares: NDArray[np.float64], back: NDArray[np.float64], codes: Sequence[str], kinds: Sequence[str]) -> Floats:
    """What the general head says of `kinds`, (N, K) log-probabilities."""
    whole = np.concatenate([shares * (1 - back[:, None]), back[:, None]], axis=1)
    places = [codes.index(kind) if kind != BACK else len(codes) for kind in kinds]
    return np.asarray(np.maximum(np.log(np.maximum(whole[:, places], 1e-9)), _LEAST_LOG), np.float32)


def _signs(
    looks: Looks,
    embedding: Floats,
    prototypes: Prototypes,
    head: Floats,
    photos: NDArray[np.int_],
    truth: NDArray[np.int_] | None = None,
    rest: NDArray[np.float64] | None = None,
) -> tuple[Floats, Looks]:
    """(len(SIGNS), N, K): each sign of likeness of N tiles with the prototypes; and the tiles in the prototypes' light.

    Tiles of the same one of `photos` (N,) lie in one light. Which it is, is told by what the other tiles seem to be or,
    where it is given, by the `truth` (N,); `rest` (N,) scores that a tile is of a kind without a prototype.
    """
    rest = np.full(len(looks), -np.inf) if rest is None else rest
    others = list(prototypes.looks)
    found = likeness.compare(looks, others)
    cosine = shapes_alike(embedding, prototypes.embeddings, prototypes.round)
    signs = np.concatenate([cosine[None], found.channels, head[None]]).astype(np.float32)
    tints, offsets = np.empty((len(looks), 3, 3), np.float32), np.empty((len(looks), 3), np.float32)
    for photo in np.unique(photos):
        rows = np.flatnonzero(photos == photo)
        own, laid = looks[rows], found[rows]
        for _ in range(_ROUNDS if truth is None else 1):
            if truth is None:
                scores = np.tensordot(prototypes.weights, signs[:, rows], 1)
                shares = _softmax(np.column_stack([scores, rest[rows]]))[:, :-1]
                kinds, sure = shares.argmax(axis=1), shares.max(axis=1) ** 2
                # What seems to be everywhere is not: in a pale photo all paints may look black at first.
                claims = np.bincount(kinds, sure)
                sure *= _COPIES / np.maximum(claims[kinds], _COPIES)
            else:
                kinds, sure = truth[rows], np.ones(len(rows))
            light = likeness.lights_between(own, others, laid, kinds, sure.astype(np.float32))
            signs[1:-1, rows] = likeness.compare_again(own.under(*light), others, laid).channels
        tints[rows], offsets[rows] = light
    return signs, looks.under(tints, offsets)


def _aligned(patches: Pixels, members: Sequence[NDArray[np.int_]], is_round: bool) -> Pixels:
    """Each sample turned and moved so that it lies as the one of its kind that is most like all of them."""
    looks = likeness.describe(patches, is_round)
    out = patches.copy()
    for rows in members:
        if len(rows) < 2:
            continue
        own = looks[rows]
        alike = likeness.compare(own, [own]).channels[:2].sum(axis=0)
        medoid = int(alike.sum(axis=0).argmax())
        found = likeness.compare(own, likeness.slipped(patches[rows[medoid]][None], is_round))
        for i, row in enumerate(rows):
            if i != medoid:
                x, y, scale = SLIPS[int(found.slips[i, 0])]
                level = likeness.moved(patches[row][None], -float(found.turns[i, 0]))
                out[row] = likeness.moved(level, slip=(-x, -y, 1 / scale))[0]
    return out


def _levelled(patches: Pixels) -> tuple[Floats, Floats]:
    """Patches in logarithms of colour, without their level, so that no light outshines the others; and the levels."""
    logs = np.log(patches.astype(np.float32) + 16)
    level = np.median(logs[:, ::2, ::2], axis=(1, 2), keepdims=True)
    return logs - level, level


def _pictured(logs: Floats, level: Floats) -> Pixels:
    """Pictures again of what `_levelled` gives."""
    return np.asarray(np.clip(np.exp(logs + level) - 16, 0, 255), np.uint8)


def _mean_patch(patches: Pixels) -> Pixels:
    """The mean of aligned patches in logarithms of colour."""
    if len(patches) == 1:
        return np.asarray(patches[0], np.uint8)
    logs, level = _levelled(patches)
    return _pictured(logs.mean(axis=0), level.mean(axis=0))


def _means(
    aligned: Pixels, embedding: Floats, members: Sequence[NDArray[np.int_]], is_round: bool, namer: Network
) -> tuple[Pixels, Floats]:
    """The mean pictures of the kinds and their embeddings: the mean picture's at each turn, and the samples' mean."""
    pictures = np.stack([_mean_patch(aligned[rows]) for rows in members])
    seen = embedded(pictures, namer, is_round)
    mean = np.stack([_unit(embedding[rows].mean(axis=0)) for rows in members])
    return pictures, np.concatenate([seen, mean[:, None]], axis=1).astype(np.float32)


def _leave_out(
    signs: Floats,
    looks: Looks,
    aligned: Pixels,
    embedding: Floats,
    members: Sequence[NDArray[np.int_]],
) -> None:
    """Put in `signs`, in place, how like its kind each sample is if it takes no part in the kind's mean."""
    rows, pictures, means, kinds = [], [], [], []
    for kind, own in enumerate(members):
        if len(own) < 2:
            continue
        others = len(own) - 1
        logs, level = _levelled(aligned[own])
        pictures.append(_pictured((logs.sum(axis=0) - logs) / others, (level.sum(axis=0) - level) / others))
        means.append(_unit((embedding[own].sum(axis=0) - embedding[own]) / others))
        rows.append(own)
        kinds.append(np.full(len(own), kind))
    if not rows:
        return
    at = np.concatenate(rows)
    cosine = np.einsum("ntd,ntd->n", embedding[at], np.concatenate(means)) / embedding.shape[1]
    channels = likeness.beside(looks[at], likeness.describe(np.concatenate(pictures), looks.round))
    signs[:-1, at, np.concatenate(kinds)] = np.concatenate([cosine[None], channels])


def _outliers(
    scores: NDArray[np.float64], truth: NDArray[np.int_], members: Sequence[NDArray[np.int_]], photos: NDArray[np.int_]
) -> frozenset[int]:
    """The samples that look far more like another kind; of each kind a third at most, and two always stay.

    Where many of one of the `photos` (N,) do, it lies in an odd light, and its labels are as good as others'.
    """
    margins = _margins(scores, truth)
    odd = margins < -_AMISS
    for photo in np.unique(photos):
        rows = photos == photo
        if rows.sum() >= _WHOLE_PHOTO and odd[rows].mean() > _ODD_LIGHT:
            odd[rows] = False
    out: set[int] = set()
    for rows in members:
        most = min(len(rows) // 3, len(rows) - 2)
        out |= {int(i) for i in rows[np.argsort(margins[rows])][: max(most, 0)] if odd[i]}
    return frozenset(out)


def _fit(
    signs: Floats, truth: NDArray[np.int_], counts: NDArray[np.float64], usual: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weights, all above zero, under which the trials' own kinds are likeliest, drawn towards the usual ones.

    Newton's method on the logarithms of the weights, with the Fisher information of the softmax as curvature.
    """
    log = np.log(usual)
    own = np.arange(len(truth))
    part = counts / counts.sum()
    for _ in range(25):
        weights = np.exp(log)
        shares = _softmax(np.tensordot(weights, signs, 1))
        mean = (signs * shares).sum(axis=2)
        slope = weights * ((mean - signs[:, own, truth]) @ part) + 2 * _PULL * (log - np.log(usual))
        centred = signs - mean[..., None]
        spread = np.einsum("imk,jmk,mk,m->ij", centred, centred, shares, part, optimize=True)
        curve = spread * np.outer(weights, weights) + 2 * _PULL * np.eye(len(log))
        step = np.clip(np.linalg.solve(curve, slope), -0.5, 0.5)
        log = np.clip(log - step, np.log(usual) - 3, np.log(usual) + 3)
        if float(np.abs(step).max()) < 1e-3:
            break
    return np.asarray(np.exp(log), np.float64)


def _margins(scores: NDArray[np.float64], truth: NDArray[np.int_]) -> NDArray[np.float64]:
    rows = np.arange(len(truth))
    others = scores.copy()
    others[rows, truth] = -np.inf
    return np.asarray(scores[rows, truth] - others.max(axis=1), np.float64)


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    highest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(highest), highest, 0))
    return np.asarray(powers / np.maximum(powers.sum(axis=1, keepdims=True), 1e-12), np.float64)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9), np.float32)
