from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from moving import Lying, Table, row

from vision.matching import Array, assign, common_shift, difference, looks


def cheapest(cost: Array, dearest: Array) -> float:
    """The least total cost by trying everything; a column past the last leaves its row out."""
    rows, columns = cost.shape
    places = [*range(columns), *([columns] * rows)]
    tried = {order[:rows] for order in permutations(places, rows)} if rows else {()}
    return min(
        sum(dearest[row] if column == columns else cost[row, column] for row, column in enumerate(order))
        for order in tried
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_assignment_is_the_cheapest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(0, 5, 2)
    cost = rng.uniform(0, 2, (rows, columns))
    cost[rng.random(cost.shape) < 0.2] = np.inf
    dearest = rng.uniform(0.2, 2, rows)
    pairs = assign(cost, dearest)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert all(cost[row, column] < dearest[row] for row, column in pairs)
    left = set(range(rows)) - {row for row, _ in pairs}
    total = sum(cost[pair] for pair in pairs) + sum(dearest[row] for row in left)
    assert total == pytest.approx(cheapest(cost, dearest))


def test_the_whole_counts_and_not_the_nearest() -> None:
    before = np.arange(5.0)[:, None]
    cost = np.abs(before - (np.arange(5.0) + 0.55)[None])
    assert assign(cost, 1.5) == [(n, n) for n in range(5)]


def test_looks_tell_faces_apart_and_know_them_again() -> None:
    table = Table(row("rR rH rC - bP bP"), noise=6.0)
    quads = [table.quad(tile) for tile in table.tiles]
    first, again = (looks(table.frame(), quads) for _ in range(2))
    apart = difference(first, again)
    assert apart.shape == (6, 6)
    same = np.eye(6, dtype=bool)
    same[4, 5] = same[5, 4] = True
    assert apart[same].max() < 0.05
    assert apart[~same].min() > 0.3
    # The corners in another order are no other look.
    a, b, c, d = quads[0].corners
    turned = looks(table.frame(), [type(quads[0])((b, c, d, a), 0.9, False, "up")])
    assert difference(first[:1], turned)[0, 0] < 0.2
    assert looks(table.frame(), []).shape == (0, 10, 10, 3)
    assert difference(first, looks(table.frame(), [])).shape == (6, 0)


def test_blank_faces_are_alike_whatever_the_noise() -> None:
    rng = np.random.default_rng(0)
    blank = rng.normal(0, 3, (2, 10, 10, 3))
    assert difference(blank[:1], blank[1:])[0, 0] < 0.15


@pytest.mark.parametrize("way", [(0.0, 0.0), (1.04, 0.0), (-2.3, 0.7)])
def test_the_motion_that_all_share_is_seen(way: tuple[float, float]) -> None:
    table = Table([*row("rR rH rC rP bR bH bC"), *row("rA rE rK", y=120.0)])
    quads = [table.quad(tile) for tile in table.tiles]
    faces = looks(table.frame(), quads)
    places = np.array([(tile.x, tile.y) for tile in table.tiles]) / 34
    order = np.random.default_rng(1).permutation(len(quads))
    shift = common_shift(places, (places + way)[order], difference(faces, faces[order]))
    assert shift == pytest.approx(way, abs=1e-6)


def test_one_tile_that_moves_is_no_motion_of_all() -> None:
    table = Table([*row("rR rH rC"), Lying(300.0, 100.0, "rK")])
    faces = looks(table.frame(), [table.quad(tile) for tile in table.tiles])
    places = np.array([(tile.x, tile.y) for tile in table.tiles]) / 34
    moved = places + np.array([[0, 0], [0, 0], [0, 0], [1.5, 0.5]])
    assert not common_shift(places, moved, difference(faces, faces)).any()
    # Nor is it one where nothing else is seen.
    assert not common_shift(places[3:], moved[3:], difference(faces[3:], faces[3:])).any()
    assert not common_shift(places, moved[3:], difference(faces, faces[3:])).any()
    assert not common_shift(places[:0], moved, difference(faces[:0], faces)).any()
    assert not common_shift(places, moved[:0], difference(faces, faces[:0])).any()
