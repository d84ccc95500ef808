"""Real photographs of the sets that may be trained on, in the form that `render` writes.

    python -m models.training.real --photos FOLDER --out training/real

FOLDER holds `mahjong/scenes` (pictures with polygons) and `xiangqi/crops` (single pieces in folders by code). Written
are `scenes` and `patches`. Sets that are measured on must not be in it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from models.patches import PATCH
from models.training.piece_sets import CODES, FAMILIES
from models.training.render import SIDE, cut, turned

VIEWS = 10  # of each scene
TURNS = 8  # of each single piece


def _views(
    picture: NDArray[np.uint8], quads: NDArray[np.float64], rng: np.random.Generator
) -> list[tuple[NDArray[np.uint8], NDArray[np.float64]]]:
    """Square cuts of a photo in which a tile is 16 to 110 px wide."""
    short = float(np.median(np.ptp(quads, axis=1).min(axis=1)))
    out = []
    for _ in range(VIEWS):
        scale = float(np.exp(rng.uniform(np.log(16), np.log(110)))) / short
        around = quads[int(rng.integers(len(quads)))].mean(axis=0) * scale
        matrix = np.array([[scale, 0, 0], [0, scale, 0]])
        matrix[:, 2] = rng.uniform(0.2, 0.8, 2) * SIDE - around
        source, step = picture, 1.0
        if scale < 0.6:
            smaller = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            source, step = np.asarray(smaller, np.uint8), scale
        warp = matrix.copy()
        warp[:, :2] /= step
        tone = [float(v) for v in rng.integers(0, 255, 3)]
        view = cv2.warpAffine(source, warp, (SIDE, SIDE), borderValue=tone)
        moved = quads @ matrix[:, :2].T + matrix[:, 2]
        out.append((np.asarray(view, np.uint8), np.asarray(moved, np.float64)))
    return out


def _mahjong(
    folder: Path, rng: np.random.Generator
) -> tuple[list[NDArray[np.uint8]], list[list[float]], list[NDArray[np.uint8]], list[list[float]]]:
    pictures: list[NDArray[np.uint8]] = []
    rows: list[list[float]] = []
    patches: list[NDArray[np.uint8]] = []
    labels: list[list[float]] = []
    family = FAMILIES.index("mahjong")
    for path in sorted(folder.glob("*.json")):
        scene = json.loads(path.read_text(encoding="utf-8"))
        read = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_COLOR)
        tiles = scene["tiles"]
        if read is None or not tiles:
            continue
        picture = np.asarray(read, np.uint8)
        quads = np.array([t["polygon"] for t in tiles], float)
        if scene.get("complete", True):
            for image, moved in _views(picture, quads, rng):
                for quad, tile in zip(moved, tiles, strict=True):
                    low, high = quad.min(axis=0), quad.max(axis=0)
                    share = np.prod(np.clip(np.minimum(high, SIDE) - np.maximum(low, 0), 0, None)) / np.prod(high - low)
                    up = float(tile.get("face", "up") == "up")
                    if share > 0.03:
                        rows.append([len(pictures), *quad.ravel(), 0.0, up, float(share), 0.0])
                pictures.append(image)
        for quad, tile in zip(quads, tiles, strict=True):
            if tile.get("label") in CODES["mahjong"]:
                kind = CODES["mahjong"].index(tile["label"])
                for _ in range(3):
                    span = np.ptp(quad, axis=0)
                    loose = quad + rng.normal(0, 0.04, 2) * span
                    middle = loose.mean(axis=0)
                    loose = middle + (loose - middle) * rng.uniform(0.92, 1.02, 2)
                    patches.append(cut(picture, turned(loose, False))[0])
                    labels.append([family, kind, 0.0, 0.0])
    return pictures, rows, patches, labels


def recoloured(piece: NDArray[np.uint8], red: bool) -> NDArray[np.uint8]:
    """A photographed disc, (H, W, 3) uint8 BGR on a pale ground, with its `red` ink made black, or its dark ink red.

    What a set writes for a role on one side another set writes for the other side; a few sets cannot show that.
    """
    colour = piece.astype(np.float32)
    ground = np.median(colour[colour.mean(axis=2) >= np.quantile(colour.mean(axis=2), 0.6)], axis=0)
    share = colour / np.maximum(ground, 1.0)
    if red:
        share[..., 2] = np.minimum(share[..., 2], share[..., 1])
    else:
        share[..., 2] = np.maximum(share[..., 2], 0.8 + 0.2 * np.minimum(share[..., 1], 1.0))
    return np.asarray(np.clip(share * ground, 0, 255), np.uint8)


def _xiangqi(folder: Path, rng: np.random.Generator) -> tuple[list[NDArray[np.uint8]], list[list[float]]]:
    patches: list[NDArray[np.uint8]] = []
    labels: list[list[float]] = []
    for path in sorted(folder.glob("*/*.png")):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None or path.parent.name not in CODES["xiangqi"]:
            continue
        height, width = picture.shape[:2]
        code = path.parent.name
        other = {"r": "b", "b": "r"}.get(code[0], "") + code[1:]
        swapped = recoloured(np.asarray(picture, np.uint8), code[0] == "r")
        for turn_number in range(TURNS):
            swap = turn_number % 2 == 1 and other in CODES["xiangqi"]
            scale = PATCH / max(height, width) * rng.uniform(0.85, 1.1)
            turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(0, 360), scale)
            matrix = np.asarray(turn, np.float64)
            matrix[:, 2] += PATCH / 2 - np.array([width, height]) / 2 + rng.normal(0, 2, 2)
            patch = cv2.warpAffine(
                swapped if swap else picture,
                matrix,
                (PATCH, PATCH),
                flags=cv2.INTER_AREA,
                borderMode=cv2.BORDER_REPLICATE,
            )
            patches.append(np.asarray(patch, np.uint8))
            labels.append([FAMILIES.index("xiangqi"), CODES["xiangqi"].index(other if swap else code), 0.0, 0.0])
    return patches, labels


@click.command()
@click.option("--photos", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--seed", type=int, default=5, show_default=True)
def main(photos: Path, out: Path, seed: int) -> None:
    """Cut the photographs in PHOTOS into scenes and patches under OUT."""
    rng = np.random.default_rng(seed)
    pictures, rows, patches, labels = _mahjong(photos / "mahjong" / "scenes", rng)
    more, names = _xiangqi(photos / "xiangqi" / "crops", rng)
    written: dict[str, dict[str, NDArray[Any]]] = {
        "scenes": {
            "pictures": np.array(pictures, np.uint8).reshape(-1, SIDE, SIDE, 3),
            "quads": np.array(rows, np.float32).reshape(-1, 13),
        },
        "patches": {
            "pictures": np.array(patches + more, np.uint8).reshape(-1, PATCH, PATCH, 3),
            "labels": np.array(labels + names, np.float32).reshape(-1, 4),
        },
    }
    for name, arrays in written.items():
        (out / name).mkdir(parents=True, exist_ok=True)
        for key, array in arrays.items():
            np.save(out / name / f"{key}.npy", array)
    click.echo(f"{len(pictures)} scenes, {len(patches)} mahjong and {len(more)} xiangqi patches in {out}")


if __name__ == "__main__":
    main()
