"""Whether a set is learned well enough: kind by kind, pair by pair, sample by sample, and what would help most.

Everything rests on `prototypes.Trial`: each sample named with itself left out, and views of it in other light. Where a
kind has one sample alone only the views speak, which flatters it a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration import piece_set
from calibration.enrol import OPTIONAL
from calibration.piece_set import PieceSet
from calibration.prototypes import BACK, SIGNS, Learned, Trial
from scoring.tiles import parse_tile, tiles_of
from vision.network import Network

Verdict = Literal["ready", "one_more_photo", "needs_samples", "incomplete"]
Help = Literal["sort_out", "missing", "one_more", "mark", "light", "closer", "sharper"]

WORDS: Final[dict[Verdict, str]] = {
    "ready": "ready: this set reads as well as a factory set",
    "one_more_photo": "usable: one more photo in other light makes it sure",
    "needs_samples": "some kinds are not told apart surely yet: take one more of those named",
    "incomplete": "kinds are missing: what was not shown is read only as far as hupai knows it by itself",
}
HELP_WORDS: Final[dict[Help, str]] = {
    "sort_out": "look at the samples that disagree with their label: {kinds}",
    "missing": "photograph the kinds that are missing: {kinds}",
    "one_more": "take one more of these: {kinds}",
    "mark": "these look alike even with several samples; a dot of paint on one helps most: {kinds}",
    "light": "these differ in colour alone: use whiter, brighter light, or stronger colours: {kinds}",
    "closer": "come closer: the pieces are small in the photos: {kinds}",
    "sharper": "the sharpest photo wins; let the camera focus for these: {kinds}",
}
SURE: Final = 0.99  # of the trials named rightly, in a set that is ready
CLOSE: Final = 1.0  # nats: a pair whose trials are led by less may be confused
SMALL: Final = 36.0  # px, and below it or
SOFT: Final = 0.32  # of sharpness better photos help
PAIRS: Final = 8
FEW: Final = 2  # samples; a kind with fewer was seen in one light alone


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: how many samples, their usual sharpness and side (px), the share of its trials named rightly, whether
    only artificial views could be tried, what it was or nearly was taken for, and whether one more sample is wanted."""

    code: str
    samples: int
    sharpness: float
    side: float
    leave_one_out: float
    views_only: bool
    confused_with: tuple[str, ...]
    one_more: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """Two kinds that may be confused, a sample of each, and by how little the right one led in the closest trial."""

    codes: tuple[str, str]
    files: tuple[str, str]
    margin: float


@dataclass(frozen=True, slots=True)
class Suspect:
    """A sample that disagrees with its label, what it looks like instead, and by how much (nats)."""

    file: str
    label: str
    looks_like: str
    by: float


@dataclass(frozen=True, slots=True)
class Report:
    """All of it; `suspects` come first because the rest hangs on them. `with_head` and `without_head` are the shares of
    the trials named rightly with the general head's help and without."""

    pieces: PieceSet
    verdict: Verdict
    suspects: tuple[Suspect, ...]
    kinds: tuple[Kind, ...]
    missing: tuple[str, ...]
    pairs: tuple[Pair, ...]
    helps: tuple[tuple[Help, tuple[str, ...]], ...]
    leave_one_out: float
    with_head: float
    without_head: float

    @property
    def words(self) -> str:
        """The verdict in words."""
        return WORDS[self.verdict]

    def to_json(self) -> dict[str, Any]:
        """The report as `hupai calibrate --json` prints it."""
        return {
            "set": self.pieces.name,
            "family": self.pieces.family.value,
            "verdict": self.verdict,
            "words": self.words,
            "leave_one_out": round(self.leave_one_out, 4),
            "with_head": round(self.with_head, 4),
            "without_head": round(self.without_head, 4),
            "kinds": {
                kind.code: {
                    "samples": kind.samples,
                    "leave_one_out": round(kind.leave_one_out, 4),
                    "views_only": kind.views_only,
                    "confused_with": list(kind.confused_with),
                    "sharpness": round(kind.sharpness, 3),
                    "side": round(kind.side, 1),
                    "one_more": kind.one_more,
                }
                for kind in self.kinds
            },
            "missing": list(self.missing),
            "suspects": [
                {"file": one.file, "label": one.label, "looks_like": one.looks_like, "by": round(one.by, 2)}
                for one in self.suspects
            ],
            "pairs": [
                {"codes": list(pair.codes), "files": list(pair.files), "margin": round(pair.margin, 2)}
                for pair in self.pairs
            ],
            "helps": [{"help": name, "kinds": list(codes)} for name, codes in self.helps],
            "damaged": list(self.pieces.damaged),
        }


def report(pieces: PieceSet, namer: Network, wanted: Sequence[str] | None = None) -> Report:
    """Learn the set anew and say how well. `wanted` are the codes that must be there; all but 天地人 and the bonus
    tiles, which not every set has, when None. Raises PieceSetError where there is nothing to learn from."""
    return of(pieces, piece_set.relearn(pieces, namer), wanted)


def of(pieces: PieceSet, learned: Learned, wanted: Sequence[str] | None = None) -> Report:
    """The report of what was learned."""
    trial, names = learned.trial, learned.prototypes.kinds
    margins, rivals = trial.margins(), trial.rivals()
    shaky = _suspects(pieces, learned)
    doubted = {suspect.file for suspect in shaky}
    sound = np.array([pieces.samples[i].file not in doubted for i in trial.samples], bool)
    kinds = tuple(_kind(pieces, trial, margins, rivals, sound, names, k) for k in range(len(names)))
    required = wanted if wanted is not None else [t.code for t in tiles_of(pieces.family) if t.code not in OPTIONAL]
    missing = tuple(code for code in required if code not in names)
    right = float((margins[sound] > 0).mean()) if sound.any() else 0.0
    pairs = _pairs(pieces, trial, margins, sound, names)
    weights = learned.prototypes.weights
    bare = np.tensordot(weights[:-1], trial.signs[:-1], 1)
    without = float((_lead(bare, trial.truth)[sound] > 0).mean()) if sound.any() else 0.0
    verdict: Verdict = "ready"
    if missing:
        verdict = "incomplete"
    elif right < SURE or any(kind.leave_one_out < 0.9 for kind in kinds) or shaky:
        verdict = "needs_samples"
    elif any(kind.samples < FEW for kind in kinds if kind.code != BACK):
        verdict = "one_more_photo"
    helps = _helps(kinds, pairs, shaky, missing, trial, names)
    return Report(pieces, verdict, shaky, kinds, missing, pairs, helps, right, right, without)


def _lead(scores: NDArray[np.float64], truth: NDArray[np.int_]) -> NDArray[np.float64]:
    rows = np.arange(len(truth))
    others = scores.copy()
    others[rows, truth] = -np.inf
    return np.asarray(scores[rows, truth] - others.max(axis=1))


def _suspects(pieces: PieceSet, learned: Learned) -> tuple[Suspect, ...]:
    """The samples that look more like another kind than like the rest of their own, the plainest first.

    A kind's only sample has no rest to be compared with; there the general head speaks, where it reads this set.
    """
    trial, names = learned.trial, learned.prototypes.kinds
    margins, rivals = trial.margins(), trial.rivals()
    found: dict[int, Suspect] = {}
    for row in np.flatnonzero(~trial.artificial):
        i = int(trial.samples[row])
        if margins[row] < 0:
            sample = pieces.samples[i]
            found[i] = Suspect(sample.file, sample.label, names[int(rivals[row])], float(-margins[row]))
    alone = set(range(len(pieces.samples))) - set(trial.samples[~trial.artificial].tolist())
    if learned.prototypes.trust >= 0.7:
        for i in alone:
            if not learned.head_right[i]:
                rows = np.flatnonzero(trial.samples == i)
                if len(rows):
                    head = trial.signs[SIGNS.index("head"), rows].mean(axis=0)
                    sample = pieces.samples[i]
                    by = float(head.max() - head[names.index(sample.label)])
                    found[i] = Suspect(sample.file, sample.label, names[int(head.argmax())], by)
    return tuple(sorted(found.values(), key=lambda suspect: -suspect.by))


def _kind(
    pieces: PieceSet,
    trial: Trial,
    margins: NDArray[np.float64],
    rivals: NDArray[np.int_],
    sound: NDArray[np.bool_],
    names: Sequence[str],
    k: int,
) -> Kind:
    own = [sample for sample in pieces.samples if sample.label == names[k]]
    rows = np.flatnonzero((trial.truth == k) & sound)
    real = rows[~trial.artificial[rows]]
    counted = real if len(real) else rows
    right = float((margins[counted] > 0).mean()) if len(counted) else 0.0
    near = sorted({names[int(rivals[row])] for row in rows if margins[row] < 0})
    shaky = right < 1 or (len(counted) > 0 and float(margins[counted].min()) < CLOSE)
    return Kind(
        code=names[k],
        samples=len(own),
        sharpness=float(np.median([sample.sharpness for sample in own])),
        side=float(np.median([sample.side for sample in own])),
        leave_one_out=right,
        views_only=not len(real),
        confused_with=tuple(near),
        one_more=shaky or len(own) < FEW,
    )


def _pairs(
    pieces: PieceSet,
    trial: Trial,
    margins: NDArray[np.float64],
    sound: NDArray[np.bool_],
    names: Sequence[str],
) -> tuple[Pair, ...]:
    closest: dict[tuple[int, int], tuple[float, int]] = {}
    for row in np.flatnonzero(sound):
        own = int(trial.truth[row])
        leads = trial.scores[row, own] - trial.scores[row]
        for other in np.argsort(leads)[:3]:
            if int(other) == own or leads[other] >= CLOSE:
                continue
            pair = (min(own, int(other)), max(own, int(other)))
            if pair not in closest or leads[other] < closest[pair][0]:
                closest[pair] = (float(leads[other]), int(trial.samples[row]))
    found = sorted(closest.items(), key=lambda item: item[1][0])[:PAIRS]
    out = []
    for (a, b), (margin, sample) in found:
        shown = pieces.samples[sample]
        first = {one.label: one.file for one in reversed(pieces.samples)} | {shown.label: shown.file}
        files = (first[names[a]], first[names[b]])
        out.append(Pair((names[a], names[b]), files, margin))
    return tuple(out)


def _helps(
    kinds: Sequence[Kind],
    pairs: Sequence[Pair],
    shaky: Sequence[Suspect],
    missing: Sequence[str],
    trial: Trial,
    names: Sequence[str],
) -> tuple[tuple[Help, tuple[str, ...]], ...]:
    """What would help, the most helpful first."""
    out: list[tuple[Help, tuple[str, ...]]] = []
    if shaky:
        out.append(("sort_out", tuple(sorted({suspect.label for suspect in shaky}))))
    if missing:
        out.append(("missing", tuple(missing)))
    by_code = {kind.code: kind for kind in kinds}
    confused = [pair for pair in pairs if pair.margin < 0]
    tinted = [pair for pair in confused if _one_shape(pair.codes)]
    alike = [pair for pair in confused if pair not in tinted and all(by_code[code].samples >= 3 for code in pair.codes)]
    if tinted:
        out.append(("light", tuple(dict.fromkeys(code for pair in tinted for code in pair.codes))))
    if alike:
        out.append(("mark", tuple(dict.fromkeys(code for pair in alike for code in pair.codes))))
    small = tuple(kind.code for kind in kinds if 0 < kind.side < SMALL)
    if small:
        out.append(("closer", small))
    soft = tuple(kind.code for kind in kinds if 0 < kind.sharpness < SOFT)
    if soft:
        out.append(("sharper", soft))
    more = tuple(kind.code for kind in kinds if kind.one_more and kind.code != BACK)
    if more:
        out.append(("one_more", more))
    return tuple(out)


def _one_shape(codes: tuple[str, str]) -> bool:
    """Whether two kinds are the same role in two colours."""
    if BACK in codes:
        return False
    a, b = (parse_tile(code) for code in codes)
    return a.colour is not b.colour and a.code[1:] == b.code[1:] and a.family.value in ("xiangqi", "junqi")
