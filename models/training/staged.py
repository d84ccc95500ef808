"""Photographs of chosen hands, for the sample that ships and for tests: rendered, so that anyone may have them.

    python -m models.training.staged xiangqi "rR rR rR rP" "bC bC bC" --win rP --seed 3 --out hupai/sample.jpg

The first group is the concealed row, the others are called groups; the winning tile lies apart. Beside the picture a
JSON file names every tile and its quad.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
import cv2
import numpy as np

from models.training import tables
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import Piece
from models.training.piece_sets import FAMILIES, sample_set
from models.training.tables import Shot


def lay(
    groups: list[list[str | None]], win: str, height: float, is_round: bool, rng: np.random.Generator
) -> list[Piece]:
    """The pieces of a hand as a player lays it: the row, the winning tile apart to its right, called groups behind."""
    pieces = [Piece(i * 1.04, 0.0, 0.0, code) for i, code in enumerate(groups[0])]
    pieces.append(Piece(len(groups[0]) * 1.04 + 0.7, 0.0, 0.0, win))
    x = 0.0
    for group in groups[1:]:
        pieces += [Piece(x + i * 1.04, height * 1.6, 0.0, code) for i, code in enumerate(group)]
        x += len(group) * 1.04 + 1.2
    turn = 3.1 if is_round else 0.02
    return [
        Piece(p.x + rng.normal(0, 0.02), p.y + rng.normal(0, 0.02), rng.uniform(-turn, turn) * 0.4, p.code)
        for p in pieces
    ]


def stage(
    family: str, groups: list[list[str | None]], win: str, glyphs: GlyphBank, seed: int, side: tuple[int, int]
) -> Shot:
    """The hand on some table, lit and photographed as the seed has it."""
    rng = np.random.default_rng(seed)
    pieces_set = sample_set(family, glyphs, rng)
    pieces = lay(groups, win, pieces_set.size.height, pieces_set.size.round, rng)
    zoom = side[0] / 12.0
    picture, seen = tables.render(pieces_set, "hand", pieces, glyphs, rng, side, (zoom, zoom))
    return Shot(picture, tuple(seen), family, "hand")


@click.command()
@click.argument("family", type=click.Choice(FAMILIES))
@click.argument("groups", nargs=-1, required=True)
@click.option("--win", required=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--size", type=(int, int), default=(1600, 1200), show_default=True)
@click.option("--glyphs", type=click.Path(path_type=Path), default=Path("training/glyphs"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(
    family: str, groups: tuple[str, ...], win: str, seed: int, size: tuple[int, int], glyphs: Path, out: Path
) -> None:
    """Photograph a hand. GROUPS are codes in quotes, `--` for a tile with its back up."""
    hand = [[None if code == "--" else code for code in group.split()] for group in groups]
    shot = stage(family, hand, win, GlyphBank.load(glyphs), seed, size)
    cv2.imwrite(str(out), shot.picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    tiles = [
        {"polygon": np.round(p.corners, 1).tolist(), "label": p.code, "face": "up" if p.code else "down"}
        for p in shot.pieces
    ]
    truth = {"family": family, "width": size[0], "height": size[1], "complete": True, "tiles": tiles}
    out.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
