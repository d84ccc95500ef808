"""Things and textures that are no tiles, cut from the pictures of free packages, to be strewn over rendered tables.

    python -m models.training.scraps --pictures FOLDER [--pictures FOLDER ...] --out training/scraps

FOLDER is searched for PNG and JPEG files, such as those of Debian's tuxpaint-stamps-default, openclipart-png and
supertuxkart-data (see `DEBIAN`). A picture with a transparent ground becomes a thing, a large opaque one a texture.
Nothing of it is committed; training works without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.materials import blend, cloud, hsv

DEBIAN = (
    "tuxpaint-stamps-default openclipart-png supertuxkart-data neverball-data minetest-data gimp-data"
    " mint-y-icons moka-icon-theme oxygen-icon-theme"
)

THING, TEXTURE = 128, 512  # px
STRUCK = 0.12  # share of the things that are coins and medals with a picture of the thing
PARTS = 3  # squares cut from a large picture at its own scale, besides the whole of it

# Pictures of what the locator is to find would teach it the opposite.
LIKE_TILES = ("domino", "mahj", "xiangqi", "chess", "draught", "checker")

Picture = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Scraps:
    """`things` (N, 128, 128, 4) uint8 BGRA, centred on nothing; `textures` (M, 512, 512, 3) uint8 BGR."""

    things: Picture
    textures: Picture

    @classmethod
    def load(cls, folder: Path) -> Scraps:
        """What `main` wrote in `folder`. Raises FileNotFoundError where there is nothing."""
        return cls(np.load(folder / "things.npy", mmap_mode="r"), np.load(folder / "textures.npy", mmap_mode="r"))

    def texture(self, width: int, height: int, rng: np.random.Generator) -> Picture:
        """A part of some texture at some scale, turned by quarters, over the whole of a picture of that size."""
        texture = np.rot90(self.textures[int(rng.integers(len(self.textures)))], int(rng.integers(4)))
        if rng.random() < 0.5:
            texture = np.tile(texture, (2, 2, 1))
        span = int(texture.shape[0] * rng.uniform(0.4, 1.0))
        x, y = (int(v) for v in rng.integers(0, texture.shape[0] - span + 1, 2))
        part = np.ascontiguousarray(texture[y : y + span, x : x + span])
        return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)

    def strew(self, picture: Picture, scale: float, count: int, rng: np.random.Generator) -> None:
        """Lay some things anywhere on the picture, about `scale` px large, now and then a row or a heap of one kind."""
        height, width = picture.shape[:2]
        while count > 0:
            thing = self.things[int(rng.integers(len(self.things)))]
            if rng.random() < STRUCK:
                thing = struck(thing, rng)
            alike = int(rng.integers(2, 9)) if rng.random() < 0.25 else 1
            size = scale * float(np.exp(rng.uniform(np.log(0.5), np.log(4.0))))
            at = rng.uniform(0, 1, 2) * (width, height)
            step = rng.uniform(-1.2, 1.2, 2) * size
            for k in range(alike):
                turn = rng.uniform(0, 360) if rng.random() < 0.7 else 0.0
                _paste(picture, thing, at + k * step + rng.normal(0, 0.05, 2) * size, size, turn)
            count -= alike


def struck(thing: Picture, rng: np.random.Generator) -> Picture:
    """A coin or medal, (128, 128, 4) uint8 BGRA, whose relief is a thing of that shape."""
    tall = thing[..., :3].mean(axis=2).astype(np.float32) / 255 * (thing[..., 3] / np.float32(255))
    inner = int(THING * rng.uniform(0.55, 0.8))
    margin = (THING - inner) // 2
    relief = np.zeros((THING, THING), np.float32)
    relief[margin : margin + inner, margin : margin + inner] = cv2.resize(tall, (inner, inner))
    middle, radius = (THING // 2, THING // 2), THING // 2 - 2
    cv2.circle(relief, middle, radius - 2, float(rng.uniform(0.3, 1.0)), int(rng.integers(2, 7)), cv2.LINE_AA)
    relief = np.asarray(cv2.GaussianBlur(relief, (0, 0), rng.uniform(0.8, 2.5)), np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    slope = np.cos(angle) * cv2.Sobel(relief, cv2.CV_32F, 1, 0) + np.sin(angle) * cv2.Sobel(relief, cv2.CV_32F, 0, 1)
    light = 1 + rng.uniform(0.3, 1.2) * slope + rng.uniform(-0.3, 0.3) * relief + 0.06 * cloud(THING, 5, rng)
    metal = np.array(hsv(rng.uniform(15, 50), rng.uniform(0.0, 0.45), rng.uniform(0.35, 0.85)), np.float32)
    out = np.zeros((THING, THING, 4), np.uint8)
    out[..., :3] = np.clip(light[..., None] * metal, 0, 255)
    outline = np.zeros((THING, THING), np.uint8)
    cv2.circle(outline, middle, radius, 255, -1, cv2.LINE_AA)
    out[..., 3] = outline
    return out


def _paste(picture: Picture, thing: Picture, at: NDArray[np.float64], size: float, turn: float) -> None:
    height, width = picture.shape[:2]
    half = int(size * 0.75) + 2
    x0, y0 = max(0, int(at[0]) - half), max(0, int(at[1]) - half)
    x1, y1 = min(width, int(at[0]) + half), min(height, int(at[1]) + half)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    matrix = np.asarray(cv2.getRotationMatrix2D((THING / 2, THING / 2), turn, size / THING), np.float64)
    matrix[:, 2] += at - THING / 2 - np.array([x0, y0])
    source = np.ascontiguousarray(thing)
    seen = cv2.warpAffine(source, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    blend(picture[y0:y1, x0:x1], seen[..., :3], seen[..., 3].astype(np.float32) / np.float32(255))


def _cut(path: Path, rng: np.random.Generator) -> tuple[str, list[Picture]] | None:
    """The picture as a thing, or as textures: all of it, and of a large one parts too; None where it is neither."""
    read = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if read is None or read.dtype != np.uint8 or read.ndim != 3 or min(read.shape[:2]) < 48:
        return None
    height, width = read.shape[:2]
    if read.shape[2] == 4 and 0.05 < float((read[..., 3] > 127).mean()) < 0.92:
        scale = THING / max(height, width)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(read, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        out = np.zeros((THING, THING, 4), np.uint8)
        y, x = (THING - size[1]) // 2, (THING - size[0]) // 2
        out[y : y + size[1], x : x + size[0]] = small
        return "things", [out]
    opaque = read.shape[2] == 3 or float((read[..., 3] > 250).mean()) > 0.99
    if opaque and min(height, width) >= 128 and max(height, width) <= 2.2 * min(height, width):
        small = cv2.resize(read[..., :3], (TEXTURE, TEXTURE), interpolation=cv2.INTER_AREA)
        squares = [np.asarray(small, np.uint8)]
        # what is as fine as the picture's own pixels is lost in the whole, and looks most like many small tiles
        for _ in range(PARTS if min(height, width) >= 1.5 * TEXTURE else 0):
            x, y = int(rng.integers(width - TEXTURE + 1)), int(rng.integers(height - TEXTURE + 1))
            squares.append(np.array(read[y : y + TEXTURE, x : x + TEXTURE, :3], np.uint8))
        full = [square for square in squares if square.std() > 6]
        return ("textures", full) if full else None
    return None


def gather(folders: Iterable[Path], most: int, rng: np.random.Generator) -> Scraps:
    """Things and textures from the pictures under `folders`, at most `most` of each. Raises ValueError if none."""
    paths = sorted(p for f in folders for p in f.rglob("*") if p.suffix.lower() in {".png", ".jpg", ".jpeg"})
    found: dict[str, list[Picture]] = {"things": [], "textures": []}
    for k in rng.permutation(len(paths)):
        path = paths[int(k)]
        if any(word in str(path).lower() for word in LIKE_TILES):
            continue
        cut = _cut(path, rng)
        if cut:
            kept = found[cut[0]]
            kept += cut[1][: most - len(kept)]
        if all(len(pictures) >= most for pictures in found.values()):
            break
    if not all(found.values()):
        raise ValueError("no pictures of things and textures: install " + DEBIAN)
    return Scraps(np.array(found["things"], np.uint8), np.array(found["textures"], np.uint8))


@click.command()
@click.option("--pictures", type=click.Path(path_type=Path, exists=True), multiple=True, required=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("training/scraps"), show_default=True)
@click.option("--most", type=int, default=1500, show_default=True, help="Of things, and of textures.")
@click.option("--seed", type=int, default=1, show_default=True)
def main(pictures: tuple[Path, ...], out: Path, most: int, seed: int) -> None:
    """Gather things and textures from the PICTURES folders."""
    try:
        scraps = gather(pictures, most, np.random.default_rng(seed))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "things.npy", scraps.things)
    np.save(out / "textures.npy", scraps.textures)
    click.echo(f"{len(scraps.things)} things and {len(scraps.textures)} textures in {out}")


if __name__ == "__main__":
    main()
