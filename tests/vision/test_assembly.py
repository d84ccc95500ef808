from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import layouts
import pytest
from layouts import Scene, in_codes, scene, seeds, truth, without_backs

from scoring import MeldType, rule_set, rule_sets
from scoring.tiles import Family, tiles_of
from vision.hand import Assembly, HandShape, assemble
from vision.reading import Quad, Sighting

SCENES_A_RULE_SET = 60


def laid(rules: str, seed: int, *, mirrored: bool = False) -> tuple[Scene, HandShape]:
    chosen = rule_set(rules)
    shape = HandShape.of(chosen)
    return scene(str(chosen.family), shape, [tile.code for tile in chosen.tiles], seed, mirrored=mirrored), shape


@cache
def wrongly_assembled(rules: str) -> list[tuple[int, list[str]]]:
    """Seeds and notes of the random scenes that come out wrong, given the right names."""
    wrong = []
    for seed in seeds(SCENES_A_RULE_SET):
        hand, shape = laid(rules, seed)
        if in_codes(assemble(hand.sightings, shape)) != truth(hand.concealed, hand.melds, hand.win):
            wrong.append((seed, hand.notes))
    return wrong


@pytest.mark.parametrize("rules", rule_sets())
def test_hands_of_each_rule_set_are_assembled(rules: str) -> None:
    assert len(wrongly_assembled(rules)) <= 0.05 * SCENES_A_RULE_SET, wrongly_assembled(rules)


def test_at_least_97_of_100_hands_are_assembled_wholly_right() -> None:
    wrong = {rules: wrongly_assembled(rules) for rules in rule_sets()}
    assert sum(map(len, wrong.values())) <= 0.03 * SCENES_A_RULE_SET * len(wrong), wrong


def test_the_scenes_show_every_call_and_every_way_of_laying() -> None:
    scenes = [laid(rules, seed)[0] for rules in rule_sets() for seed in seeds(SCENES_A_RULE_SET)]
    assert len(scenes) >= 300
    calls = Counter(kind for hand in scenes for kind, _ in hand.melds)
    assert min(calls[kind.value] for kind in MeldType) >= 15
    notes = Counter(note for hand in scenes for note in hand.notes)
    ways = ("two rows", "win apart", "win turned", "wall", "melds right", "melds before")
    assert min(notes[note] for note in (*ways, "melds behind near", "melds behind far")) >= 100


@pytest.mark.parametrize("rules", ["lata", "quzhou", "junqi-1", "junqi-3"])
def test_hands_of_nearly_square_tiles_are_assembled(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # That a tile lies sideways is told by its face then, and by the one like it behind.
    for family in ("mahjong", "junqi"):
        monkeypatch.setitem(layouts.LENGTH, family, 1.24)
    wrong = []
    for seed in seeds(30):
        hand, shape = laid(rules, seed)
        if in_codes(assemble(hand.sightings, shape)) != truth(hand.concealed, hand.melds, hand.win):
            wrong.append((seed, hand.notes))
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize("rules", rule_sets())
def test_hands_in_a_mirror_are_assembled(rules: str) -> None:
    wrong = []
    for seed in seeds(20, start=2000):
        hand, shape = laid(rules, seed, mirrored=True)
        if in_codes(assemble(hand.sightings, shape)) != truth(hand.concealed, hand.melds, hand.win):
            wrong.append((seed, hand.notes))
    assert len(wrong) <= 1, wrong


def test_concealed_kongs_are_seen_where_their_backs_are_not() -> None:
    right, wrong = 0, []
    for rules in rule_sets():
        for seed in seeds(25, start=3000):
            hand, shape = laid(rules, seed)
            if "concealed_kong" not in dict(hand.melds):
                continue
            assembly = assemble(without_backs(hand, seed), shape)
            if in_codes(assembly) == truth(hand.concealed, hand.melds, hand.win):
                right += 1
                assert any(tile.guessed for tile in assembly.tiles)
            else:
                wrong.append((rules, seed, hand.notes))
    assert right >= 50
    assert len(wrong) <= 0.05 * right, wrong


def test_nothing_is_guessed_where_every_tile_was_found() -> None:
    for rules in rule_sets():
        for seed in seeds(8, start=4000):
            hand, shape = laid(rules, seed)
            assert not any(tile.guessed for tile in assemble(hand.sightings, shape).tiles)


# Shapes of hands that no rule set above may have: thirteen tiles, calls of one only, a fifth tile to a kong.
MAHJONG = [tile.code for tile in tiles_of(Family.MAHJONG)[:34]]
RUNS = frozenset(frozenset(f"{n + i}{suit}" for i in range(3)) for suit in "mps" for n in range(1, 8))
XIANGQI = [tile.code for tile in tiles_of(Family.XIANGQI)]
SHAPES = [
    ("mahjong", HandShape(13, 4, frozenset(MAHJONG), frozenset(MAHJONG), RUNS), MAHJONG),
    ("xiangqi", HandShape(7, 2, frozenset(XIANGQI), frozenset(XIANGQI), frozenset(), fifths=True), XIANGQI),
    (
        "xiangqi",
        HandShape(
            4,
            1,
            frozenset({"rP", "bP"}),
            frozenset({"rP", "bP"}),
            frozenset(map(frozenset, (("rK", "rA", "rE"), ("rR", "rH", "rC")))),
            fifths=True,
        ),
        XIANGQI[:14],
    ),
]


@pytest.mark.parametrize(("family", "shape", "kinds"), SHAPES, ids=["thirteen", "fifths", "one call"])
def test_hands_of_other_shapes_are_assembled(family: str, shape: HandShape, kinds: list[str]) -> None:
    wrong = []
    for seed in seeds(SCENES_A_RULE_SET, start=1000):
        hand = scene(family, shape, kinds, seed)
        if in_codes(assemble(hand.sightings, shape)) != truth(hand.concealed, hand.melds, hand.win):
            wrong.append((seed, hand.notes))
    assert len(wrong) <= 0.03 * SCENES_A_RULE_SET, wrong


def test_annotated_hands_are_assembled(real_photos: Path) -> None:
    """Given the true outlines and names, the hands of the development scenes come out whole."""
    seen = 0
    for file in sorted(real_photos.glob("dev/*/hands/*.json")):
        data = json.loads(file.read_text())
        if data["rules"] not in rule_sets():
            continue
        sightings = [
            Sighting(
                Quad(tuple(map(tuple, tile["polygon"])), 1.0, data["family"] == "xiangqi", tile["face"]),  # type: ignore[arg-type]
                tile["label"],
                1.0,
                ((tile["label"], 1.0),) if tile["label"] else (),
            )
            for tile in data["tiles"]
        ]
        hand = data["hand"]
        melds = [(meld["type"], tuple(meld["tiles"])) for meld in hand["melds"]]
        assembly = assemble(sightings, HandShape.of(rule_set(data["rules"])))
        assert in_codes(assembly) == truth(hand["concealed"], melds, hand["win"]), file.name
        seen += 1
    assert seen


def block(x: float, y: float, code: str | None, wide: float = 40, high: float = 60, **alternatives: float) -> Sighting:
    corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
    shares = tuple(alternatives.items()) or (((code, 0.98),) if code else ())
    confidence = shares[0][1] if shares else 0.9
    return Sighting(Quad(corners, 0.9, False, "up" if code else "down"), code, confidence, shares)


JUNQI = HandShape.of(rule_set("junqi-1"))


def line(codes: str, x: float = 0, y: float = 0) -> list[Sighting]:
    return [block(x + 42 * n, y, None if code == "-" else code) for n, code in enumerate(codes.split())]


def test_the_last_tile_of_the_row_is_a_guess_where_none_lies_apart() -> None:
    assembly = assemble(line("r1 r2 r3 r5 r5 b2 b3 b4"), JUNQI)
    assert assembly.hand.win == 7
    assert assembly.hand.win_is_guess
    assert [assembly.tiles[place].code for place in assembly.hand.concealed] == [
        "r1",
        "r2",
        "r3",
        "r5",
        "r5",
        "b2",
        "b3",
    ]


def test_a_turned_tile_at_the_end_is_the_winning_one() -> None:
    tiles = [*line("r1 r2 r3 r5 r5 b2 b3"), block(298, 20, "b4", 60, 40)]
    hand = assemble(tiles, JUNQI).hand
    assert hand.win == 7
    assert not hand.win_is_guess


def test_a_misread_tile_of_a_called_group_is_mended() -> None:
    pong = [block(0, 100, "bL"), block(42, 100, "bB", bB=0.6, bL=0.39), block(84, 100, "bL")]
    assembly = assemble([*line("r1 r2 r3 r5"), *line("r5", 230), *pong], JUNQI)
    (meld,) = assembly.hand.melds
    assert (meld.type, meld.codes) == ("pong", ("bL", "bL", "bL"))
    mended = assembly.tiles[meld.tiles[1]]
    assert (mended.code, mended.confidence) == ("bL", 0.39)
    assert mended.alternatives == (("bB", 0.6), ("bL", 0.39))


def test_a_misread_tile_of_a_called_run_is_mended() -> None:
    run = [block(0, 100, "r4"), block(42, 100, "b5", b5=0.5, r5=0.45), block(84, 100, "r6")]
    assembly = assemble([*line("r1 r2 r3 r9"), *line("r9", 230), *run], JUNQI)
    assert [meld.codes for meld in assembly.hand.melds] == [("r4", "r5", "r6")]


def test_a_wall_belongs_to_no_hand() -> None:
    tiles = [*line("r1 r2 r3 r5"), *line("r5", 230), *line("bL bL bL", 0, 100), *line("- - - - - - -", 0, -70)]
    assembly = assemble(tiles, JUNQI)
    assert in_codes(assembly) == truth(["r1", "r2", "r3", "r5"], [("pong", ("bL",) * 3)], "r5")


@pytest.mark.parametrize("lying", ["- bL bL -", "bL - - bL"])
def test_a_concealed_kong_shows_two_backs(lying: str) -> None:
    assembly = assemble([*line("r1 r2 r3 r5"), *line("r5", 230), *line(lying, 0, 100)], JUNQI)
    assert [(meld.type, meld.codes) for meld in assembly.hand.melds] == [("concealed_kong", ("bL",) * 4)]


def test_a_missing_tile_leaves_the_rest_of_the_hand() -> None:
    assembly = assemble([*line("r1 r2 r5"), *line("r5", 230), *line("bL bL bL", 0, 100)], JUNQI)
    assert in_codes(assembly) == truth(["r1", "r2", "r5"], [("pong", ("bL",) * 3)], "r5")


def test_tiles_stand_in_reading_order_whatever_order_they_come_in() -> None:
    tiles = [*line("r1 r2 r3", 0, 0), *line("r4 r5 r6", 10, 100), *line("r7", 400, 5)]
    order = [6, 4, 0, 5, 2, 3, 1]
    read = assemble([tiles[n] for n in order], None)
    assert [tile.code for tile in read.tiles] == ["r1", "r2", "r3", "r7", "r4", "r5", "r6"]
    assert read.groups == (0, 0, 0, 1, 2, 2, 2)


def test_an_upside_down_picture_is_read_from_the_faces_side() -> None:
    tiles = line("r1 r2 r3 r4 r5")
    over = [
        Sighting(t.quad, t.code, t.confidence, t.alternatives, turn=179 if n % 2 else -179) for n, t in enumerate(tiles)
    ]
    assert [tile.code for tile in assemble(over, None).tiles] == ["r5", "r4", "r3", "r2", "r1"]


def test_nothing_on_the_table() -> None:
    assert assemble([], JUNQI) == Assembly((), (), assemble([], None).hand)
