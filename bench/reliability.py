"""Whether what is said with much confidence is right: tables of how often names of some confidence are.

    python -m bench.reliability --photos ../shared/real/dev --patches training/patches_val [--models models]

PHOTOS holds annotated scenes (NAME.json beside NAME.jpg: `tiles` with `polygon`, `label`, `face`) below folders named
after the families, and FAMILY/crops/index.csv (`file`, `label`), each crop a tile that fills it. Scenes go through the
whole reader, crops through the namer alone. PATCHES is what `models.training.render patches` wrote, in fonts that no
training drew. Ends with exit code 1 where of the tiles photographed and named with a confidence of 0.9 or more less
than 97 % are right.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import models
from models.patches import ENLARGE
from scoring.tiles import Family, tiles_of
from vision.frames import Frame
from vision.locate import RIM
from vision.name import decide, name_tiles, views
from vision.network import Network
from vision.read import Reader
from vision.reading import Quad

BORDERS: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97, 1.0)
SURE: Final = 0.9
WANTED: Final = 0.97
LEAST_IOU: Final = 0.5
BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class Said:
    """One name: the family, how confidently it was said, and whether it is right."""

    family: Family
    confidence: float
    right: bool


def of_scenes(folder: Path, reader: Reader) -> Iterator[Said]:
    """The names of annotated tiles in photographs."""
    for path in sorted(folder.rglob("*.json")):
        scene = json.loads(path.read_text(encoding="utf-8"))
        if "tiles" not in scene:
            continue
        photo = path.with_name(scene.get("image") or path.stem + ".jpg")
        family = Family(scene.get("family") or next(part for part in reversed(path.parts) if part in set(Family)))
        tiles = reader.read(photo, family=family).tiles
        for truth, place in matched(scene["tiles"], [tile.quad for tile in tiles]):
            if truth["label"] and truth.get("face", "up") == "up" and tiles[place].code is not None:
                yield Said(family, tiles[place].confidence, tiles[place].code == truth["label"])


def matched(truth: list[dict[str, Any]], quads: list[Quad]) -> Iterator[tuple[dict[str, Any], int]]:
    """The annotated tiles with the place of the quad that was found for each, by the boxes around both."""
    boxes, found = (
        np.array([[np.min(shape, axis=0), np.max(shape, axis=0)] for shape in shapes], float).reshape(-1, 2, 2)
        for shapes in ([tile["polygon"] for tile in truth], [quad.outline for quad in quads])
    )
    low = np.maximum(boxes[:, None, 0], found[None, :, 0])
    high = np.minimum(boxes[:, None, 1], found[None, :, 1])
    both = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = [np.prod(each[:, 1] - each[:, 0], axis=1) for each in (boxes, found)]
    iou = both / np.maximum(areas[0][:, None] + areas[1] - both, 1e-9)
    while iou.size and iou.max() >= LEAST_IOU:
        i, j = np.unravel_index(int(iou.argmax()), iou.shape)
        yield truth[int(i)], int(j)
        iou[i], iou[:, j] = 0, 0


def of_crops(folder: Path, namer: Network) -> Iterator[Said]:
    """The names of photographed or drawn tiles that fill their pictures."""
    for index in sorted(folder.rglob("crops/index.csv")):
        family = Family(index.parts[-3])
        for row in csv.DictReader(index.read_text(encoding="utf-8").splitlines()):
            image = np.asarray(cv2.imread(str(index.parent / row["file"])), np.uint8)
            frame = Frame(image, image.shape[1], image.shape[0])
            for tile in name_tiles(frame, [_filling(frame, family is Family.XIANGQI)], namer, family):
                if tile.code is not None:
                    yield Said(family, tile.confidence, tile.code == row["label"])


def _filling(frame: Frame, disc: bool) -> Quad:
    """The quad whose patch is the whole picture."""
    middle = np.array([frame.width, frame.height]) / 2
    times = RIM / ENLARGE if disc else 1 / ENLARGE
    a, b, c, d = (tuple(middle + times * middle * way) for way in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return Quad((a, b, c, d), 1.0, disc, "up")


def of_patches(folder: Path, namer: Network) -> Iterator[Said]:
    """The names of rendered patches; those that show no face are left out."""
    pictures, labels = np.load(folder / "pictures.npy", mmap_mode="r"), np.load(folder / "labels.npy")
    for number, family in enumerate(Family):
        codes = tiles_of(family)
        own = np.flatnonzero((labels[:, 0] == number) & (labels[:, 1] < len(codes)))
        for part in np.split(own, range(BATCH, len(own), BATCH)):
            outputs, owners, _ = views(np.asarray(pictures[part]), namer, family is Family.XIANGQI)
            shares, back = decide(outputs[family.value], owners, len(part), np.ones(len(codes), bool))
            shown = back <= 0.5
            for share, kind in zip(shares[shown], labels[part, 1][shown], strict=True):
                yield Said(family, float(share.max()), int(share.argmax()) == int(kind))


def sure(said: list[Said]) -> tuple[int, float]:
    """How many names are said with a confidence of at least SURE, and the share of them that is right."""
    right = [name.right for name in said if name.confidence >= SURE]
    return len(right), sum(right) / max(1, len(right))


def expected_error(said: list[Said]) -> float:
    """The expected calibration error (Guo et al., "On Calibration of Modern Neural Networks", 2017) over BORDERS."""
    confidence, right = _columns(said)
    bins = np.digitize(confidence, BORDERS[1:-1])
    off = [abs(float(confidence[bins == b].sum() - right[bins == b].sum())) for b in range(len(BORDERS) - 1)]
    return sum(off) / max(1, len(said))


def _columns(said: list[Said]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.array([name.confidence for name in said]), np.array([float(name.right) for name in said])


def summary(title: str, said: list[Said]) -> Table:
    """Family by family: names, those right, those sure, those of the sure that are right."""
    table = Table(title=title, title_justify="left")
    for column in ("family", "named", "right", f"p ≥ {SURE}", "of these right", "expected error"):
        table.add_column(column, justify="left" if column == "family" else "right")
    by_family: dict[str, list[Said]] = defaultdict(list)
    for name in said:
        by_family[name.family].append(name)
    for family, names in [*sorted(by_family.items()), ("all", said)]:
        count, share = sure(names)
        right = sum(name.right for name in names) / max(1, len(names))
        cells = (f"{len(names)}", f"{right:.1%}", f"{count}", f"{share:.1%}", f"{expected_error(names):.3f}")
        table.add_row(family, *cells, style="bold" if family == "all" else None)
    return table


def reliability(title: str, said: list[Said]) -> Table:
    """Bin by bin: names, their mean confidence, the share of them that is right."""
    confidence, right = _columns(said)
    bins = np.digitize(confidence, BORDERS[1:-1])
    table = Table(title=f"{title}, by confidence", title_justify="left")
    for column in ("confidence", "named", "mean", "right"):
        table.add_column(column, justify="right")
    for number in range(len(BORDERS) - 1):
        own = bins == number
        if own.any():
            border = f"{BORDERS[number]:.2f}–{BORDERS[number + 1]:.2f}"
            table.add_row(border, str(own.sum()), f"{confidence[own].mean():.3f}", f"{right[own].mean():.1%}")
    return table


@click.command()
@click.option("--photos", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Annotated photographs.")
@click.option("--patches", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Rendered patches.")
@click.option("--models", "folder", type=click.Path(exists=True, path_type=Path), default=Path("models"))
def main(photos: Path | None, patches: Path | None, folder: Path) -> None:
    """Print how often names of some confidence are right."""
    if photos is None and patches is None:
        raise click.UsageError("give --photos, --patches or both")
    cv2.setNumThreads(1)
    locator, namer = (models.load(name, folder=folder) for name in ("locator", "namer"))
    sources: list[tuple[str, list[Said]]] = []
    if photos is not None:
        sources.append(("tiles in photographs", list(of_scenes(photos, Reader(locator, namer)))))
        sources.append(("single tiles", list(of_crops(photos, namer))))
    if patches is not None:
        sources.append(("rendered tiles", list(of_patches(patches, namer))))
    console = Console(width=100)
    for title, said in sources:
        console.print(summary(title, said))
        console.print(reliability(title, said))
    if photos is not None:
        count, share = sure([name for _, said in sources[:2] for name in said])
        console.print(f"photographed, named with p ≥ {SURE}: {count}, of which {share:.2%} are right")
        sys.exit(0 if share >= WANTED else 1)


if __name__ == "__main__":
    main()
