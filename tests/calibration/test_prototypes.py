"""Sets are learned from one sample a kind or more: weights, outliers, unknown tiles, kinds without samples."""

from __future__ import annotations

import numpy as np
import pytest
from marks import BLUE, CoarseNamer, KnowingNamer, disc, pieces
from numpy.typing import NDArray

from calibration.prototypes import BACK, SIGNS, Learned, learn, weathered
from scoring.tiles import Family, tiles_of
from vision.name import Judgement, Look, decide, views
from vision.network import Network

CODES = ["rK", "rR", "rP", "bK", "bR", "bP"]
ALL = [tile.code for tile in tiles_of(Family.XIANGQI)]


def judged(learned: Learned, patches: NDArray[np.uint8], namer: Network) -> Judgement:
    outputs, owners, quarters = views(patches, namer, True)
    shares, back = decide(outputs["xiangqi"], owners, len(patches), np.ones(len(ALL), bool))
    seen = Look((), np.zeros((0, 4, 2)), patches, outputs, owners, quarters)
    return learned.prototypes.judge(seen, shares, back)


def names(judgement: Judgement) -> list[str]:
    return [ALL[k] for k in judgement.shares.argmax(axis=1)]


def taught(shots: int, namer: Network, codes: list[str] = CODES) -> Learned:
    rng = np.random.default_rng(5)
    samples = [pieces(codes)] + [weathered(pieces(codes), True, rng) for _ in range(shots - 1)]
    return learn(np.concatenate(samples), codes * shots, Family.XIANGQI, True, namer)


@pytest.mark.parametrize("shots", [1, 3])
def test_pieces_that_no_network_knows_are_named_in_other_light(shots: int) -> None:
    learned = taught(shots, CoarseNamer())
    other = weathered(pieces(CODES), True, np.random.default_rng(9))
    judgement = judged(learned, other, CoarseNamer())
    assert np.mean([a == b for a, b in zip(names(judgement), CODES, strict=True)]) >= 0.8
    assert judgement.known.mean() >= 0.8
    assert np.allclose(judgement.shares.sum(axis=1), 1)
    assert learned.prototypes.trust < 0.2
    assert (learned.prototypes.weights > 0).all()


def plain(paints: NDArray[np.float64], light: tuple[float, float, float] = (1, 1, 1)) -> NDArray[np.uint8]:
    """Bare discs, each in one paint, in some light."""
    patches = np.clip(paints[:, None, None] * np.array(light), 0, 255)
    return np.broadcast_to(patches, (len(paints), 64, 64, 3)).astype(np.uint8)


def test_paints_that_only_the_light_could_confuse_are_told_by_the_others_beside_them() -> None:
    paints = np.array(
        [[40, 40, 190], [30, 120, 190], [60, 180, 190], [170, 90, 30], [120, 40, 110], [45, 45, 45]], float
    )
    namer = CoarseNamer()
    learned = learn(plain(paints), CODES, Family.XIANGQI, True, namer)
    warm = plain(paints, (0.6, 0.68, 1.0))  # yellow looks as orange does by day
    assert names(judged(learned, warm, namer)) == CODES
    alone = [names(judged(learned, one[None], namer))[0] for one in warm]
    assert alone != CODES


def test_a_dark_photo_makes_no_piece_unknown() -> None:
    learned = taught(3, CoarseNamer())
    dark = np.clip(pieces(CODES) * 0.25 + 4, 0, 255).astype(np.uint8)
    judgement = judged(learned, dark, CoarseNamer())
    assert names(judgement) == CODES
    assert judgement.known.all()


def test_photos_are_told_apart_where_that_is_known() -> None:
    rng = np.random.default_rng(5)
    dim = np.clip(pieces(CODES) * np.array([0.4, 0.5, 0.7]), 0, 255).astype(np.uint8)
    samples = np.concatenate([pieces(CODES), dim, weathered(pieces(CODES), True, rng, np.zeros(6, int))])
    at = SIGNS.index("ground")
    one, three = (
        learn(samples, CODES * 3, Family.XIANGQI, True, CoarseNamer(), photos=photos).trial
        for photos in (None, [name for name in "abc" for _ in CODES])
    )
    own = [trial.signs[at, ~trial.artificial, trial.truth[~trial.artificial]].mean() for trial in (one, three)]
    assert own[1] > own[0] + 0.1


def test_the_same_samples_teach_the_same() -> None:
    a, b = taught(2, CoarseNamer()).prototypes, taught(2, CoarseNamer()).prototypes
    assert np.array_equal(a.patches, b.patches)
    assert np.array_equal(a.weights, b.weights)
    assert a.threshold == b.threshold


def test_a_wrong_label_takes_no_part_where_its_kind_has_others() -> None:
    rng = np.random.default_rng(5)
    samples = np.concatenate([pieces(CODES), weathered(pieces(CODES), True, rng), weathered(pieces(CODES), True, rng)])
    labels = CODES * 3
    labels[6] = "bP"  # a red king
    learned = learn(samples, labels, Family.XIANGQI, True, CoarseNamer())
    assert learned.dropped == {6}
    worst = int(learned.trial.margins().argmin())
    assert learned.trial.samples[worst] == 6
    assert learned.prototypes.kinds[int(learned.trial.rivals()[worst])] == "rK"


@pytest.mark.parametrize(("many", "dropped"), [(1, {24}), (5, set())])
def test_where_much_of_a_photo_looks_wrong_its_light_is_to_blame(many: int, dropped: set[int]) -> None:
    codes = ALL[:12]
    hues = 2 * np.pi * np.arange(12)[:, None] / 12 + 2 * np.pi * np.arange(3) / 3
    paints = 120 + 70 * np.cos(hues)
    odd = paints.copy()
    odd[:many] = paints[3 : 3 + many]
    samples = np.concatenate([plain(paints), plain(paints, (0.9, 1.0, 0.95)), plain(odd)])
    photos = [name for name in "abc" for _ in codes]
    assert learn(samples, codes * 3, Family.XIANGQI, True, CoarseNamer(), photos=photos).dropped == dropped


def test_a_set_taught_in_the_dark_is_read_by_day() -> None:
    dark = np.clip(pieces(CODES) * 0.12, 0, 255).astype(np.uint8)
    learned = learn(dark, CODES, Family.XIANGQI, True, CoarseNamer())
    assert learned.prototypes.patches.max() >= 200
    judgement = judged(learned, pieces(CODES), CoarseNamer())
    assert names(judgement) == CODES
    assert judgement.known.all()


def test_something_else_is_unknown() -> None:
    learned = taught(3, CoarseNamer())
    strange = np.stack([np.full((64, 64, 3), 200, np.uint8), np.zeros((64, 64, 3), np.uint8)])
    assert not judged(learned, strange, CoarseNamer()).known.any()


def test_a_kind_without_samples_is_named_by_the_head_where_it_reads_the_set() -> None:
    strange = np.stack([disc(8, BLUE)])
    shares = np.full((1, len(ALL)), 0.001)
    shares[0, ALL.index("bC")] = 1 - 0.001 * (len(ALL) - 1)
    for namer, trust, known in ((KnowingNamer(), 1.0, True), (CoarseNamer(), 0.0, False)):
        learned = learn(pieces(["rR"]), ["rR"], Family.XIANGQI, True, namer)
        assert learned.prototypes.trust == trust
        outputs, owners, quarters = views(strange, namer, True)
        seen = Look((), np.zeros((0, 4, 2)), strange, outputs, owners, quarters)
        judgement = learned.prototypes.judge(seen, shares, np.array([0.01]))
        assert names(judgement) == ["bC"]
        assert judgement.known.tolist() == [known]


def test_a_head_that_reads_the_set_tells_kinds_by_other_looks_than_their_samples() -> None:
    namer = KnowingNamer()
    shown = ["rR", "bC"]
    learned = learn(pieces(shown), shown, Family.XIANGQI, True, namer)
    strange = np.full((1, 64, 64, 3), 200, np.uint8)
    outputs, owners, quarters = views(strange, namer, True)
    seen = Look((), np.zeros((0, 4, 2)), strange, outputs, owners, quarters)
    for said in ("bC", "bH"):  # one with a sample that looks otherwise, one without any
        shares = np.full((1, len(ALL)), 0.02)
        shares[0, ALL.index(said)] = 1 - 0.02 * (len(ALL) - 1)
        judgement = learned.prototypes.judge(seen, shares, np.array([0.01]))
        assert names(judgement) == [said]
        assert judgement.known.all()


def test_a_photo_of_kinds_without_samples_stays_with_the_head() -> None:
    namer = KnowingNamer()
    learned = learn(pieces(["rR"]), ["rR"], Family.XIANGQI, True, namer)
    warm = np.clip(pieces(CODES) * np.array([0.6, 0.75, 1.1]), 0, 255).astype(np.uint8)
    shares = np.full((len(CODES), len(ALL)), 0.001)
    shares[np.arange(len(CODES)), [ALL.index(code) for code in CODES]] = 1 - 0.001 * (len(ALL) - 1)
    seen = Look((), np.zeros((0, 4, 2)), warm, *views(warm, namer, True))
    judgement = learned.prototypes.judge(seen, shares, np.full(len(CODES), 0.01))
    assert names(judgement) == CODES
    assert judgement.known.all()


def test_backs_are_a_kind_of_their_own() -> None:
    plain = np.full((64, 64, 3), (90, 110, 130), np.uint8)
    backs = np.stack([plain, np.clip(plain.astype(int) + 8, 0, 255).astype(np.uint8)])
    learned = learn(np.concatenate([pieces(CODES), backs]), [*CODES, BACK, BACK], Family.XIANGQI, True, CoarseNamer())
    judgement = judged(learned, np.concatenate([pieces(CODES)[:3], backs[:1]]), CoarseNamer())
    assert (judgement.back > 0.5).tolist() == [False, False, False, True]


def test_a_kind_that_cannot_occur_is_not_named() -> None:
    learned = taught(1, CoarseNamer())
    patches = pieces(["rK"])
    outputs, owners, quarters = views(patches, CoarseNamer(), True)
    shares = np.full((1, len(ALL)), 1.0)
    shares[0, ALL.index("rK")] = 0
    seen = Look((), np.zeros((0, 4, 2)), patches, outputs, owners, quarters)
    judgement = learned.prototypes.judge(seen, shares / shares.sum(), np.array([0.1]))
    assert judgement.shares[0, ALL.index("rK")] == 0


def test_nothing_teaches_nothing() -> None:
    with pytest.raises(ValueError, match="needs a sample"):
        learn(np.zeros((0, 64, 64, 3), np.uint8), [], Family.XIANGQI, True, CoarseNamer())
