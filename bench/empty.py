"""How many tiles are seen in pictures that show none.

    python -m bench.empty FOLDER [--family F ...] [--sheet FILE] [--models models]

FOLDER holds pictures without any tile, at any depth: table tops, coins, cups, cards, stones of other games, landscapes,
scikit-image's samples, desktop wallpapers. Each is read as if it showed each family, and once with the family to be
recognised; every tile that is found is a false one, its back too. The sheet shows the worst pictures, what was taken
for a face outlined in red, what was taken for a back in purple. Ends with exit code 1 where there is more than one
false tile in ten pictures.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

import models
from scoring.tiles import Family
from vision.frames import PictureError, Pixels, decode, load
from vision.read import Reader
from vision.reading import Quad

MOST: Final = 0.1
SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".avif", ".heic"})

WORST: Final = 24
COLUMNS: Final = 6
CELL: Final = 320
_RED: Final = (0, 0, 255)
_PURPLE: Final = (255, 0, 255)


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture without tiles, and the tiles seen in it all the same."""

    path: Path
    quads: tuple[Quad, ...]


def look(paths: list[Path], reader: Reader, family: str | None) -> list[Seen]:
    """What is seen in each picture that can be read."""
    seen = []
    for path in paths:
        try:
            seen.append(Seen(path, tuple(tile.quad for tile in reader.read(path, family=family).tiles)))
        except PictureError as error:
            click.echo(f"{path}: left out, {error}", err=True)
    return seen


def sheet(worst: list[Seen]) -> Pixels:
    """The pictures side by side, each with its false tiles outlined; H×W×3 uint8 BGR."""
    cells = []
    for seen in worst:
        frame = decode(load(seen.path))
        scale = CELL / max(frame.image.shape[:2])
        small = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:CELL, :CELL]
        cell = np.zeros((CELL, CELL, 3), np.uint8)
        cell[: small.shape[0], : small.shape[1]] = small
        for quad in seen.quads:
            outline = (frame.to_image(np.array(quad.outline)) * scale).round().astype(np.int32)
            cv2.polylines(cell, [outline], True, _RED if quad.face == "up" else _PURPLE, 1, cv2.LINE_AA)
        cells.append(cell)
    cells += [np.zeros((CELL, CELL, 3), np.uint8)] * (-len(cells) % COLUMNS)
    return np.vstack([np.hstack(cells[start : start + COLUMNS]) for start in range(0, len(cells), COLUMNS)])


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--family",
    "families",
    multiple=True,
    type=click.Choice([*(family.value for family in Family), "recognised"]),
    help="All of them by default.",
)
@click.option("--sheet", "target", type=click.Path(dir_okay=False, path_type=Path), help="Draw the worst (JPEG).")
@click.option("--models", "trained", type=click.Path(exists=True, path_type=Path), default=Path("models"))
def main(folder: Path, families: tuple[str, ...], target: Path | None, trained: Path) -> None:
    """Print how many tiles are seen in the pictures of FOLDER, family by family."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    if not paths:
        raise click.ClickException(f"{folder}: there are no pictures; give a folder with some")
    cv2.setNumThreads(1)
    reader = Reader(models.load("locator", folder=trained), models.load("namer", folder=trained))
    table = Table(title=f"{len(paths)} pictures without tiles", title_justify="left")
    for column in ("read as", "false tiles", "in pictures", "a picture", "most in one"):
        table.add_column(column, justify="left" if column == "read as" else "right")
    all_seen: list[Seen] = []
    too_many = False
    for family in families or (*Family, "recognised"):
        seen = look(paths, reader, None if family == "recognised" else family)
        counts = np.array([len(picture.quads) for picture in seen])
        share = float(counts.mean()) if len(counts) else 0.0
        too_many |= share > MOST
        table.add_row(family, f"{counts.sum()}", f"{(counts > 0).sum()}", f"{share:.3f}", f"{counts.max(initial=0)}")
        all_seen += [picture for picture in seen if picture.quads]
    Console(width=100).print(table)
    if target is not None and all_seen:
        worst = sorted(all_seen, key=lambda picture: -len(picture.quads))[:WORST]
        target.write_bytes(cv2.imencode(".jpg", sheet(worst), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
    sys.exit(1 if too_many else 0)


if __name__ == "__main__":
    main()
