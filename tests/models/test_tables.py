"""Rendered tables: what is labelled is what is drawn."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.training import clutter, layouts, tables
from models.training.camera import Camera, Light
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import LAYOUTS, Piece, Size
from models.training.piece_sets import CODES, FAMILIES, PieceSet, sample_set
from models.training.tables import BLANK_DOMINOES, Seen

SEEDS = range(5)
FRONT = (-1.0, -1.0, 1.0)


def area(corners: NDArray[np.float64]) -> float:
    """Signed area in px², positive for corners that run clockwise in the picture."""
    x, y = corners.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def size_of(family: str) -> Size:
    """As wide and high as a family's pieces often are."""
    return Size({"xiangqi": 1.0, "junqi": 0.6, "paigow": 2.4, "mahjong": 1.35}[family], 0.4, family == "xiangqi")


def shown(pieces: list[Piece], bank: GlyphBank, seed: int, family: str = "mahjong") -> list[Seen]:
    """Those pieces of some set of a family under some camera, without a finger before them."""
    pieces_set = sample_set(family, bank, np.random.default_rng(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clutter, "over", lambda *_: None)
        rng = np.random.default_rng(seed)
        return tables.render(pieces_set, "scatter", pieces, bank, rng, (448, 448), (30.0, 40.0))[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_gives_one_picture(family: str, bank: GlyphBank) -> None:
    one, two = (tables.photograph(family, bank, np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(one.picture, two.picture)
    assert one.layout == two.layout
    assert [p.code for p in one.pieces] == [p.code for p in two.pieces]
    for p, q in zip(one.pieces, two.pieces, strict=True):
        assert np.array_equal(p.corners, q.corners)
        assert p.visible == q.visible
    other = tables.photograph(family, bank, np.random.default_rng(5))
    assert not np.array_equal(one.picture, other.picture)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_labels_are_sound(family: str, seed: int, bank: GlyphBank) -> None:
    shot = tables.photograph(family, bank, np.random.default_rng([seed, 1]), side=(384, 320))
    assert shot.picture.shape == (320, 384, 3)
    assert shot.picture.dtype == np.uint8
    assert shot.family == family
    assert shot.layout in {layout.__name__ for layout, _ in LAYOUTS[family]}
    assert shot.pieces
    for piece in shot.pieces:
        assert piece.corners.shape == (4, 2)
        assert 0.0 <= piece.visible <= 1.0
        blank = piece.code in BLANK_DOMINOES
        assert piece.named != blank
        assert piece.code is None or blank or piece.code in CODES[family]
        if piece.visible > 0.3:
            assert area(piece.corners) > 0
            centre = piece.corners.mean(axis=0)
            reach = np.linalg.norm(piece.corners - centre, axis=1).max()
            assert -reach <= centre[0] <= 384 + reach
            assert -reach <= centre[1] <= 320 + reach
        if piece.visible == 1.0:
            frame = np.array([[0, 0], [384, 0], [384, 320], [0, 320]], np.float32)
            shared, _ = cv2.intersectConvexConvex(piece.corners.astype(np.float32), frame)
            assert shared > 0.8 * area(piece.corners)  # the edges of small pieces lie on whole pixels


@pytest.mark.parametrize("family", FAMILIES)
def test_heads_point_from_foot_to_head(family: str, bank: GlyphBank) -> None:
    up = shown([Piece(0, 0, 0.0, CODES[family][0]), Piece(4, 0, np.pi, CODES[family][0])], bank, 3, family)
    assert float(up[0].up @ up[1].up) < 0
    for piece in up:
        middle = piece.corners.mean(axis=0)
        inside = cv2.pointPolygonTest(
            piece.corners.astype(np.float32), tuple(map(float, middle + 0.4 * piece.up)), True
        )
        assert inside > -1


@pytest.mark.parametrize("seed", SEEDS)
def test_backs_have_no_code(seed: int, bank: GlyphBank) -> None:
    front, back = shown([Piece(0, 0, 0.0, "5m"), Piece(2, 0, 0.0, None)], bank, seed)
    assert front.code == "5m"
    assert back.code is None
    assert back.named


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_less_is_visible_of_a_covered_piece(seed: int, family: str, bank: GlyphBank) -> None:
    code = CODES[family][0]
    thick = sample_set(family, bank, np.random.default_rng(seed)).size.thickness
    alone = shown([Piece(0, 0, 0.0, code)], bank, seed, family)
    apart = shown([Piece(0, 0, 0.0, code), Piece(6, 0, 0.0, code)], bank, seed, family)
    covered = shown([Piece(0, 0, 0.0, code), Piece(0.5, 0, 0.0, code, z=thick)], bank, seed, family)
    assert alone[0].visible > 0.9
    assert apart[0].visible > 0.9
    assert covered[0].visible < 0.75
    assert covered[1].visible > 0.9


@pytest.mark.parametrize("seed", SEEDS)
def test_what_lies_outside_the_picture_is_not_visible(seed: int, bank: GlyphBank) -> None:
    near, far = shown([Piece(0, 0, 0.0, "1z"), Piece(400, 0, 0.0, "2z")], bank, seed)
    assert min(near.visible, far.visible) == 0.0


def test_a_finger_hides_what_it_covers() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    quad = np.array([[80.0, 80], [120, 80], [120, 120], [80, 120]])
    ids = np.zeros((200, 200), np.int16)
    cv2.fillConvexPoly(ids, quad.astype(np.int32), 1)
    before = int((ids == 1).sum())
    clutter.over(picture, ids, [quad], np.random.default_rng(2))
    assert 0 <= int((ids == 1).sum()) < before
    assert picture.any()


@pytest.mark.parametrize("seed", SEEDS)
def test_an_empty_table_has_no_piece(seed: int, bank: GlyphBank) -> None:
    shot = tables.empty_table(bank, np.random.default_rng(seed), side=(160, 128))
    assert shot.pieces == ()
    assert shot.picture.shape == (128, 160, 3)
    assert shot.picture.std() > 0


@pytest.mark.parametrize("scale", [8.0, 40.0, 160.0])
@pytest.mark.parametrize("thing", [thing for thing, _ in clutter.THINGS], ids=lambda thing: thing.__name__)
def test_clutter_draws_something(thing: clutter.Thing, scale: float, bank: GlyphBank) -> None:
    pictures = np.full((2, 300, 300, 3), 90, np.uint8)
    for picture in pictures:
        rng = np.random.default_rng(1)
        for _ in range(12):
            thing(picture, scale, bank, rng)
    assert (pictures[0] != 90).any()
    assert np.array_equal(*pictures)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(20))
def test_pieces_of_a_layout_do_not_lie_in_one_another(family: str, seed: int) -> None:
    size = size_of(family)
    rng = np.random.default_rng(seed)
    for layout, _ in LAYOUTS[family]:
        pieces = layout(size, lambda: CODES[family][0], rng)
        assert pieces
        lying = [p for p in pieces if not p.standing]
        places = np.array([[p.x, p.y, 1e3 * p.z] for p in lying]).reshape(-1, 3)
        apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e3 * np.eye(len(lying))
        assert not len(lying) or apart.min() > 0.5 * min(1.0, size.height), layout.__name__


@pytest.mark.parametrize("family", FAMILIES)
def test_carried_pieces_pass_over_lying_ones(family: str) -> None:
    size = size_of(family)
    for seed in range(40):
        with pytest.MonkeyPatch.context() as patch:
            plain, carried = [], []
            for share, pieces in ((0.0, plain), (1.0, carried)):
                patch.setattr(layouts, "CARRIED", share)
                pieces += layouts.sample(family, size, lambda: CODES[family][0], np.random.default_rng(seed))[1]
        moved = [k for k, (before, after) in enumerate(zip(plain, carried, strict=True)) if before != after]
        lying = sum(not piece.standing for piece in plain)
        assert lying < 2 or 1 <= len(moved) <= 5
        for k in moved:
            assert not plain[k].standing
            over = [p for p in plain if not p.standing and p.z <= carried[k].z - size.thickness + 1e-6]
            assert any(abs(p.x - carried[k].x) <= 1 and abs(p.y - carried[k].y) <= size.height for p in over)


def test_faces_of_a_set_are_drawn_once(bank: GlyphBank) -> None:
    rng = np.random.default_rng(0)
    pieces: PieceSet = replace(sample_set("junqi", bank, rng), relief=0.3)
    first = pieces.face("r1", 0, FRONT[:2], rng)
    assert pieces.face("r1", 0, FRONT[:2], rng) is first
    assert pieces.face("r1", 1, FRONT[:2], rng) is not first
    assert [level.shape[2] for level in first] == [4] * 4
    assert [level.shape[0] for level in first[1:]] == [level.shape[0] // 2 for level in first[:-1]]
    assert {0, 255} <= set(np.unique(first[0][..., 3]))


@pytest.mark.parametrize("flipped", [False, True])
def test_a_bottle_cap_is_labelled_by_the_outline_that_is_seen(flipped: bool, bank: GlyphBank) -> None:
    flat = sample_set("xiangqi", bank, np.random.default_rng(1))
    cap = replace(flat, size=Size(1.0, 0.3, True), flutes=21, style=replace(flat.style, round=True))  # type: ignore[type-var]
    pieces = [Piece(0.0, 0.0, 0.3, None if flipped else "rK"), Piece(2.0, 1.0, 1.3, None if flipped else "bP")]
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clutter, "over", lambda *_: None)
            _, seen = tables.render(cap, "scatter", pieces, bank, rng, (448, 448), (30.0, 40.0))
        for piece in seen:
            assert piece.round
            assert piece.visible > 0.9
            low, high = piece.corners.min(axis=0), piece.corners.max(axis=0)
            assert np.allclose(piece.corners, [low, [high[0], low[1]], high, [low[0], high[1]]])


def test_caps_chamfers_and_glued_faces_are_met(bank: GlyphBank) -> None:
    discs = [sample_set("xiangqi", bank, np.random.default_rng(seed)) for seed in range(60)]
    assert any(s.flutes for s in discs)
    assert any(s.chamfer for s in discs)
    assert not any(s.flutes and s.chamfer for s in discs)
    assert not any((s.flutes or s.chamfer) and not s.size.round for s in discs)
    blocks = [sample_set("junqi", bank, np.random.default_rng(seed)) for seed in range(60)]
    assert any(s.rounded for s in blocks)
    assert all(s.bevel >= s.rounded for s in blocks)
    assert not any(s.rounded and s.size.round for s in discs)
    bare = [s for s in blocks if s.bevel > 0.05 and not s.rounded]
    assert bare
    assert all(s.style.body == s.style.back and not s.two_layers for s in bare)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_piece_that_moves_leaves_the_rest_of_the_picture_alone(family: str, bank: GlyphBank) -> None:
    pieces_set = sample_set(family, bank, np.random.default_rng(2))
    code = CODES[family][0]
    here = [Piece(0, 0, 0.0, code), Piece(6, 0, 0.0, code)]
    pieces_set.fix([code, None], np.random.default_rng(2))
    assert set(pieces_set.cache) == {(code, 0), (code, 1), ("", 0), ("", 1)}
    stand = tables.set_up(pieces_set, "hand", here, bank, np.random.default_rng(3), (320, 240), (30.0, 40.0))
    bare = stand.table.copy()
    one, same, other = (
        tables.draw(stand, pieces_set, pieces, np.random.default_rng(0))
        for pieces in (here, here, [here[0], replace(here[1], x=7.5)])
    )
    assert np.array_equal(one.picture, same.picture)
    assert np.array_equal(stand.table, bare)
    assert np.array_equal(one.quads[0], other.quads[0])
    assert not np.array_equal(one.quads[1], other.quads[1])
    x, y = one.quads[0].mean(axis=0).astype(int)
    assert np.array_equal(one.picture[y - 3 : y + 4, x - 3 : x + 4], other.picture[y - 3 : y + 4, x - 3 : x + 4])
    seen = tables.labels(stand, pieces_set.size, here, one)
    assert [piece.code for piece in seen] == [code, code]
    assert min(piece.visible for piece in seen) > 0.9


def test_a_rounded_edge_turns_from_one_light_to_the_other_and_moves_no_label(bank: GlyphBank) -> None:
    block = replace(sample_set("mahjong", bank, np.random.default_rng(3)), seam=0.0, rounded=0.0, bevel=0.1)
    block = replace(block, size=Size(1.4, 0.7, False))
    pieces = [Piece(0.0, 0.0, 0.0, "5z", standing=True)]
    camera = Camera.looking_at(np.array([0.0, 0.0, 0.7]), 8.0, 0.8, 0.0, 0.0, 800.0, np.array([160.0, 120.0]))
    lamp = Light(np.array([0.0, 0.1, 1.0]) / np.hypot(0.1, 1.0), 1.0, 0.3, 0.5)
    stand = tables.Stand(np.full((240, 320, 3), 90, np.uint8), camera, lamp, 0.0)
    sharp, soft = (
        tables.draw(stand, replace(block, rounded=reach), pieces, np.random.default_rng(0)) for reach in (0.0, 0.1)
    )
    assert np.array_equal(sharp.quads[0], soft.quads[0])
    assert np.array_equal(sharp.ids, soft.ids)
    top = sharp.quads[0][:2].mean(axis=0).round().astype(int)
    across = slice(top[1] - 12, top[1] + 13)
    steps = [np.abs(np.diff(drawn.picture[across, top[0]].sum(axis=1).astype(int))).max() for drawn in (sharp, soft)]
    assert steps[1] < 0.6 * steps[0]
