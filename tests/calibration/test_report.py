"""The report: wrong labels first, what is missing, what may be confused, what would help."""

from __future__ import annotations

import json

import numpy as np
from marks import CoarseNamer, pieces

from calibration.likeness import moved
from calibration.piece_set import PieceSet, Sample, Source
from calibration.prototypes import learn
from calibration.report import HELP_WORDS, WORDS, Report, of
from scoring.tiles import Family

CODES = ["rK", "rR", "bK", "bR"]


def told(labels: list[str], *, side: float = 60.0, wanted: list[str] | None = None) -> Report:
    """The report of three samples of each of CODES under these labels."""
    dim = np.clip(pieces(CODES) * 0.8, 0, 255).astype(np.uint8)
    patches = np.concatenate([pieces(CODES), moved(dim, 70), moved(pieces(CODES), 200)])
    samples = tuple(Sample(f"{n}.png", label, "", Source("p.jpg"), side, 0.6) for n, label in enumerate(labels))
    learned = learn(patches, labels, Family.XIANGQI, True, CoarseNamer())
    return of(PieceSet("wood", Family.XIANGQI, True, samples), learned, wanted)


def test_a_good_set_is_ready_and_lists_what_it_may_lack() -> None:
    good = told(CODES * 3, wanted=CODES)
    assert good.verdict == "ready"
    assert (good.suspects, good.missing) == ((), ())
    assert [kind.code for kind in good.kinds] == CODES
    assert all(kind.samples == 3 and kind.leave_one_out == 1 and not kind.views_only for kind in good.kinds)
    whole = told(CODES * 3)
    assert whole.verdict == "incomplete"
    assert set(whole.missing) == {side + role for side in "rb" for role in "KAERHCP"} - set(CODES)
    assert whole.helps[0][0] == "missing"


def test_a_wrong_label_comes_first_and_is_named() -> None:
    labels = CODES * 3
    labels[4] = "bR"  # a red king
    spoiled = told(labels, wanted=CODES)
    assert spoiled.verdict == "needs_samples"
    assert (spoiled.suspects[0].file, spoiled.suspects[0].label) == ("4.png", "bR")
    assert spoiled.suspects[0].looks_like == "rK"
    assert spoiled.helps[0] == ("sort_out", ("bR",))


def test_small_pieces_call_for_a_nearer_photo() -> None:
    assert ("closer", tuple(CODES)) in told(CODES * 3, side=26.0, wanted=CODES).helps


def test_the_report_is_json_and_every_word_of_it_exists() -> None:
    answer = told(CODES * 3).to_json()
    assert json.loads(json.dumps(answer)) == answer
    assert answer["verdict"] in WORDS
    assert {entry["help"] for entry in answer["helps"]} <= set(HELP_WORDS)
    assert set(answer["kinds"]["rK"]) >= {"samples", "leave_one_out", "confused_with"}
