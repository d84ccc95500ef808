"""Faces with marks that have no name, and the patches that sets of them give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from models.training import render
from models.training.faces import marks
from models.training.faces.canvas import Surface
from models.training.faces.glyphs import GlyphBank

SEEDS = range(40)


@pytest.fixture(scope="module")
def things() -> NDArray[np.uint8]:
    """Cutouts: ovals and rectangles of many colours."""
    rng = np.random.default_rng(1)
    out = np.zeros((30, 128, 128, 4), np.uint8)
    for k, thing in enumerate(out):
        paint = (*(int(v) for v in rng.integers(0, 256, 3)), 255)
        if k % 2:
            cv2.ellipse(thing, (64, 64), (int(rng.integers(15, 60)), int(rng.integers(15, 60))), 0, 0, 360, paint, -1)
        else:
            x, y = (int(v) for v in rng.integers(5, 50, 2))
            cv2.rectangle(thing, (x, y), (128 - x, 128 - y), paint, -1)
    return out


def test_every_way_of_marking_comes_up_and_draws(bank: GlyphBank, things: NDArray[np.uint8]) -> None:
    ways = set()
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        style = marks.sample_style(bank, things, rng)
        ways.add(style.way)
        assert 1 <= len(style.codes) <= 19
        for code in style.codes:
            art = marks.draw(code, style, bank, things, rng)
            assert max(art.colour.shape[:2]) == 128
            assert art.ink.max() > 0.5
    assert ways == set(marks.WAYS)


def test_no_two_kinds_look_alike_however_they_are_turned(bank: GlyphBank, things: NDArray[np.uint8]) -> None:
    for seed in SEEDS:
        style = marks.sample_style(bank, things, np.random.default_rng(seed))
        clean = replace(style, surface=Surface(style.ground))
        small = [
            cv2.resize(
                marks.draw(code, clean, bank, things, np.random.default_rng(0)).colour,
                (24, 24),
                interpolation=cv2.INTER_AREA,
            ).astype(float)
            for code in style.codes
        ]
        apart = [np.abs(np.rot90(a, k) - b).mean() for i, a in enumerate(small) for b in small[:i] for k in range(4)]
        assert not apart or min(apart) > marks.LIKE


def test_without_cutouts_other_marks_are_drawn(bank: GlyphBank) -> None:
    for seed in SEEDS:
        style = marks.sample_style(bank, None, np.random.default_rng(seed))
        assert style.way not in ("things", "outlines", "pictures")


def test_a_seed_gives_one_face(bank: GlyphBank, things: NDArray[np.uint8]) -> None:
    style = marks.sample_style(bank, things, np.random.default_rng(7))
    assert style == marks.sample_style(bank, things, np.random.default_rng(7))
    one, two = (marks.draw("0", style, bank, things, np.random.default_rng(2)) for _ in range(2))
    assert np.array_equal(one.colour, two.colour)


def test_each_kind_of_an_episode_is_seen_more_than_once(bank_folder: Path, tmp_path: Path) -> None:
    arguments = ["episodes", "--count", "90", "--out", str(tmp_path / "episodes"), "--glyphs", str(bank_folder)]
    result = CliRunner().invoke(render.main, [*arguments, "--workers", "1"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    pictures = np.load(tmp_path / "episodes" / "pictures.npy")
    labels = np.load(tmp_path / "episodes" / "labels.npy")
    assert pictures.shape == (90, 64, 64, 3)
    assert pictures.std(axis=(1, 2, 3)).min() > 1
    assert labels.shape == (90, 2)
    assert (np.diff(labels[:, 0]) >= 0).all()
    assert len(np.unique(labels[:, 0])) > 1
    whole = labels[labels[:, 0] != labels[-1, 0]]  # the last set is cut off at the count
    _, counts = np.unique(whole, axis=0, return_counts=True)
    assert counts.min() >= 2
