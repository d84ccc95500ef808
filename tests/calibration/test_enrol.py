"""Photos laid out in order: whole rows a photo, going on from one to the next, and what is refused."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from marks import CoarseNamer, DiscLocator, photo

from calibration import piece_set
from calibration.enrol import MOST, EnrolError, View, from_row, offer, view
from calibration.order import laid_out
from calibration.piece_set import Sample, Source
from scoring.tiles import Family

SQUARE = ((30.0, 30.0), (170.0, 30.0), (170.0, 170.0), (30.0, 170.0))
ORDER = [[tile.code for tile in row] for row in laid_out(Family.XIANGQI)]


def seen(*lengths: int) -> View:
    """A photo of so many discs in each row, whatever they show."""
    rows: list[list[str | None]] = [["rK"] * length for length in lengths]
    return view(photo(rows), Family.XIANGQI, DiscLocator(), CoarseNamer(), photo="p.jpg")


@pytest.mark.parametrize(
    ("lengths", "row", "rows", "following"),
    [
        ((7,), 0, (0,), 1),
        ((7,), 1, (1,), 2),
        ((7, 7), 0, (0, 1), 2),
        ((7, 3), 1, (1, 2), 0),
        ((7, 7, 3), 0, (0, 1, 2), 0),
        ((4, 3, 7), 0, (0, 1), 2),
        ((7, 7), 1, (0, 1), 0),  # another photo of all that every set has
        ((7,), 2, (0,), 1),  # a set without 天地人 begins anew
        ((5, 5, 4), 0, (0, 1), 0),  # all of them, laid otherwise
    ],
)
def test_a_photo_of_whole_rows_goes_on_with_the_order(
    lengths: tuple[int, ...], row: int, rows: tuple[int, ...], following: int
) -> None:
    labels = [code for number in rows for code in ORDER[number]]
    assert from_row(seen(*lengths), Family.XIANGQI, row) == (labels, following)


@pytest.mark.parametrize(("lengths", "row", "rows"), [((3, 7, 7), None, (0, 1, 2)), ((3, 7), 1, (1, 2))])
def test_a_photo_from_the_other_side_of_the_table_is_read_from_its_end(
    lengths: tuple[int, ...], row: int | None, rows: tuple[int, ...]
) -> None:
    labels = [code for number in rows for code in ORDER[number]]
    assert from_row(seen(*lengths), Family.XIANGQI, row) == (labels[::-1], 0)


def test_without_a_row_a_photo_shows_all_of_the_order() -> None:
    assert from_row(seen(7, 7), Family.XIANGQI) == (ORDER[0] + ORDER[1], 0)
    with pytest.raises(EnrolError, match="7 in rows"):
        from_row(seen(7), Family.XIANGQI)


@pytest.mark.parametrize(("lengths", "row"), [((6,), 0), ((8,), 0), ((3,), 1), ((5, 5), 1)])
def test_a_photo_that_ends_within_a_row_is_refused_with_its_rows(lengths: tuple[int, ...], row: int) -> None:
    with pytest.raises(EnrolError, match=" \\+ ".join(map(str, lengths))) as error:
        from_row(seen(*lengths), Family.XIANGQI, row)
    assert error.value.code == "wrong_count"


def test_a_tile_mended_at_the_table_is_kept_before_sharper_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    piece_set.create("ours", Family.XIANGQI)
    rng = np.random.default_rng(1)
    crops = rng.integers(0, 256, (1 + MOST, 128, 128, 3), np.uint8)
    samples = [Sample("", label, "", Source("p.jpg", SQUARE, "order"), 90.0, 9.0) for label in ("rR", *["rK"] * MOST)]
    piece_set.add("ours", crops, samples, False)
    picture = np.full((200, 200, 3), 230, np.uint8)
    cv2.putText(picture, "K", (60, 140), cv2.FONT_HERSHEY_SIMPLEX, 3.0, (0, 0, 200), 6, cv2.LINE_AA)
    game = cv2.imencode(".png", picture)[1].tobytes()
    kept = offer("ours", game, SQUARE, "rK", photo="game.png")
    assert [sample.source.photo for sample in kept.samples if sample.label == "rK"].count("game.png") == 1
    assert kept.labels.count("rK") == MOST
