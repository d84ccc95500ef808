"""The measures that the benches print, on cases that can be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from painted import Painted, PaintedLocator, PaintedNamer, paint

from bench import empty, naming, reliability
from bench.reliability import Said
from scoring.tiles import Family
from vision.read import Reader
from vision.reading import Quad


def square(x: float, y: float, side: float) -> Quad:
    return Quad(((x, y), (x + side, y), (x + side, y + side), (x, y + side)), 0.9, False, "up")


def test_of_names_said_surely_those_right_are_counted() -> None:
    said = [Said(Family.XIANGQI, p, right) for p, right in ((0.95, True), (0.9, False), (0.89, True), (0.2, False))]
    assert reliability.sure(said) == (2, 0.5)
    assert reliability.sure([]) == (0, 0.0)


def test_the_expected_error_is_what_confidence_and_truth_differ_by() -> None:
    said = [Said(Family.JUNQI, 0.6, True), Said(Family.JUNQI, 0.6, False), Said(Family.JUNQI, 1.0, True)]
    assert reliability.expected_error(said) == pytest.approx(0.2 / 3)


def test_annotated_tiles_are_matched_with_what_overlaps_them_most() -> None:
    truth = [{"polygon": [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]]} for x in (0, 20, 40)]
    pairs = list(reliability.matched(truth, [square(21, 0, 10), square(4, 0, 10), square(0, 1, 10)]))
    assert sorted((truth.index(tile), place) for tile, place in pairs) == [(0, 2), (1, 0)]
    assert list(reliability.matched(truth, [])) == []


def test_scenes_are_read_and_compared(tmp_path: Path) -> None:
    folder = tmp_path / "xiangqi" / "scenes"
    folder.mkdir(parents=True)
    tiles = [Painted(100, 100, 60, 60, "rK"), Painted(220, 100, 60, 60, "bC")]
    cv2.imwrite(str(folder / "table.jpg"), paint(tiles, Family.XIANGQI, (320, 200)))
    labels = [
        {"polygon": tile.corners().tolist(), "label": code} for tile, code in zip(tiles, ("rK", "bR"), strict=True)
    ]
    (folder / "table.json").write_text(json.dumps({"tiles": labels}), encoding="utf-8")
    said = list(reliability.of_scenes(tmp_path, Reader(PaintedLocator(round=True), PaintedNamer())))
    assert sorted(name.right for name in said) == [False, True]
    assert {name.family for name in said} == {Family.XIANGQI}


def test_false_tiles_are_drawn_on_the_sheet(tmp_path: Path) -> None:
    picture = paint([Painted(100, 100, 60, 60, "rK")], Family.XIANGQI, (320, 200))
    cv2.imwrite(str(tmp_path / "cup.png"), picture)
    (tmp_path / "torn.png").write_bytes(b"no picture")
    reader = Reader(PaintedLocator(round=True), PaintedNamer())
    paths = sorted(tmp_path.iterdir())
    (seen,) = empty.look(paths, reader, "xiangqi")
    assert len(seen.quads) == 1
    sheet = empty.sheet([seen])
    assert sheet.shape == (empty.CELL, empty.CELL * empty.COLUMNS, 3)
    assert (sheet[..., 2].astype(int) - sheet[..., 1] > 150).sum() > 100  # an outline in red


def test_a_piece_is_cut_with_a_little_around_it(tmp_path: Path) -> None:
    files = [tmp_path / "piece.png", tmp_path / "bare.png"]
    cv2.imwrite(str(files[0]), paint([Painted(50, 60, 50, 50, "rK")], Family.XIANGQI, (112, 112)))
    cv2.imwrite(str(files[1]), np.full((112, 112, 3), 128, np.uint8))
    piece, bare = naming.cuts(files, PaintedLocator(round=True))
    assert piece.shape == (naming.CUT, naming.CUT, 3)
    rows, columns = np.nonzero(piece[..., 0].astype(int) - piece[..., 2] > 90)
    assert (rows.mean(), columns.mean()) == pytest.approx((49.5, 49.5), abs=2)
    assert np.ptp(columns) == pytest.approx(naming.CUT / naming.WIDER / 1.08, abs=6)
    assert (bare == 128).all()
