"""How many whole hands are read right, from the picture to the called groups, on rendered tables.

    python -m bench.hands [--rules ID ...] [--count 20] [--seed 0] [--models FOLDER] [--sheet FILE]

Each hand is a random winning one of its rule set, laid as in the assembler's tests (rows, called groups beside, before
or behind, turned tiles, kongs of every kind, now and then a wall), of a piece set whose fonts no training uses, on a
table with clutter, photographed from some side. What is wrong is put down to what went wrong first: tiles not found or
found where none lie, tiles misnamed, or the hand put together wrongly from the right tiles. Needs the training extra
and its glyphs. Some of the sets are hard to read for people, too.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import models
import scoring
from models.training import augment, render, tables
from models.training.camera import Camera
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import Piece
from models.training.piece_sets import sample_set
from models.training.tables import Seen
from models.training.train_locator import overlap
from vision.hand import HandShape
from vision.read import Reader
from vision.reading import Reading

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "vision"))

import layouts

SIDE: Final = (1280, 960)
SHOWN: Final = 16
COLUMNS: Final = 4
CELL: Final = (480, 360)


@dataclass(frozen=True, slots=True)
class Shot:
    """A photographed hand: the picture (H, W, 3) uint8 BGR, every tile in it, and the hand as `layouts` has it."""

    picture: NDArray[np.uint8]
    tiles: list[Seen]
    hand: layouts.Scene


def photograph(rules: scoring.RuleSet, seed: int, bank: GlyphBank) -> Shot | None:
    """A random hand on some table; None for a hand with more of a kind than there are."""
    rng = np.random.default_rng([seed, scoring.rule_sets().index(rules.id)])
    family = str(rules.family)
    pieces_set = sample_set(family, bank, rng)
    while not pieces_set.size.round and pieces_set.size.height < 1:
        pieces_set = sample_set(family, bank, rng)
    layouts.LENGTH[family] = pieces_set.size.height
    hand = layouts.scene(family, HandShape.of(rules), [tile.code for tile in rules.tiles], seed)
    used = Counter([*hand.concealed, hand.win, *(code for _, codes in hand.melds for code in codes)])
    if any(count > rules.copies(code) for code, count in used.items()):
        return None
    places = np.array([[tile.x, tile.y] for tile in hand.tiles])
    low, high = places.min(axis=0), places.max(axis=0)
    middle, span = (low + high) / 2, high - low + 2.2 * max(1.0, pieces_set.size.height)
    pieces = [
        Piece(
            tile.x - middle[0],
            tile.y - middle[1],
            rng.uniform(0, 2 * np.pi) if pieces_set.size.round else -np.radians(tile.angle) + rng.normal(0, 0.01),
            tile.code,
        )
        for tile in hand.tiles
    ]
    around = rng.normal(0, 0.2) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
    c, s = abs(np.cos(around)), abs(np.sin(around))
    fit = min(SIDE[0] / (c * span[0] + s * span[1]), SIDE[1] / (s * span[0] + c * span[1]))
    scale, away = fit * rng.uniform(0.72, 0.95), float(span.max()) * rng.uniform(1.5, 4.0) + 2
    camera = Camera.looking_at(
        np.zeros(3),
        away,
        np.radians(rng.uniform(42, 90)),
        around,
        rng.normal(0, 0.05),
        scale * away,
        np.array(SIDE) / 2,
    )
    stand = tables.before(camera, scale, pieces_set, "hand", pieces, bank, rng, SIDE)
    drawn = tables.draw(stand, pieces_set, pieces, rng)
    return Shot(augment.shoot(drawn.picture, rng), tables.labels(stand, pieces_set.size, pieces, drawn), hand)


def verdict(shot: Shot, reading: Reading) -> str:
    """What went wrong first with a reading: found, named or assembled; right where nothing did."""
    quads = np.array([tile.quad.corners for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
    shared = overlap(np.array([tile.corners for tile in shot.tiles], np.float32), quads)
    hand = shot.hand
    if layouts.in_codes(reading) == layouts.truth(hand.concealed, hand.melds, hand.win):
        return "right"
    if not len(quads) or (shared.max(axis=1) < 0.5).any() or len(quads) > len(shot.tiles):
        return "found"
    read = [reading.tiles[k].code for k in shared.argmax(axis=1)]
    return "assembled" if read == [tile.code for tile in shot.tiles] else "named"


def drawn(shot: Shot, reading: Reading, words: str) -> NDArray[np.uint8]:
    """The picture with what was read, as one cell of the sheet."""
    picture = shot.picture.copy()
    for tile in reading.tiles:
        outline = np.array(tile.quad.outline)
        cv2.polylines(picture, [outline.round().astype(np.int32)], True, (0, 200, 0), 2, cv2.LINE_AA)
        at = (int(outline[:, 0].mean()) - 16, int(outline[:, 1].mean()))
        cv2.putText(picture, tile.code or "--", at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 255), 2, cv2.LINE_AA)
    cv2.putText(picture, words, (10, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 0, 255), 2, cv2.LINE_AA)
    return np.asarray(cv2.resize(picture, CELL, interpolation=cv2.INTER_AREA), np.uint8)


@click.command()
@click.option("--rules", "ids", multiple=True, type=click.Choice(scoring.rule_sets()), help="All by default.")
@click.option("--count", type=int, default=20, show_default=True, help="Hands of each rule set.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--glyphs", type=click.Path(exists=True, path_type=Path), default=Path("training/glyphs"))
@click.option("--models", "trained", type=click.Path(exists=True, path_type=Path), default=Path("models"))
@click.option("--sheet", type=click.Path(dir_okay=False, path_type=Path), help="Draw what is wrong (JPEG).")
def main(ids: tuple[str, ...], count: int, seed: int, glyphs: Path, trained: Path, sheet: Path | None) -> None:
    """Print how many hands are read right, rule set by rule set."""
    cv2.setNumThreads(1)
    bank = render.split_fonts(GlyphBank.load(glyphs), validation=True)
    reader = Reader(models.load("locator", folder=trained), models.load("namer", folder=trained))
    table = Table(title="whole hands, rendered", title_justify="left")
    for column in ("rule set", "hands", "right", "tiles not found", "misnamed", "put together wrongly"):
        table.add_column(column, justify="left" if column == "rule set" else "right")
    wrong: list[NDArray[np.uint8]] = []
    total: Counter[str] = Counter()
    for name in ids or scoring.rule_sets():
        verdicts: Counter[str] = Counter()
        number = seed
        while verdicts.total() < count:
            shot = photograph(scoring.rule_set(name), number, bank)
            number += 1
            if shot is None:
                continue
            jpeg = cv2.imencode(".jpg", shot.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            reading = reader.read(jpeg, rules=name)
            said = verdict(shot, reading)
            verdicts[said] += 1
            if said != "right" and len(wrong) < SHOWN:
                wrong.append(drawn(shot, reading, f"{name} {number - 1} {said}"))
        _row(table, name, verdicts)
        total += verdicts
    _row(table, "all", total)
    Console(width=100).print(table)
    if sheet is not None and wrong:
        wrong += [np.zeros_like(wrong[0])] * (-len(wrong) % COLUMNS)
        rows = [np.hstack(wrong[start : start + COLUMNS]) for start in range(0, len(wrong), COLUMNS)]
        sheet.write_bytes(cv2.imencode(".jpg", np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())


def _row(table: Table, name: str, verdicts: Counter[str]) -> None:
    share = f"{verdicts['right']} ({verdicts['right'] / max(1, verdicts.total()):.0%})"
    table.add_row(name, f"{verdicts.total()}", share, *(f"{verdicts[k]}" for k in ("found", "named", "assembled")))


if __name__ == "__main__":
    main()
