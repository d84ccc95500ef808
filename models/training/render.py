"""Render the training data once, into memory-mapped arrays, so that no training ever waits for a drawing.

    python -m models.training.render scenes --count 12000 --out training/scenes
    python -m models.training.render patches --count 300000 --out training/patches
    python -m models.training.render episodes --count 80000 --out training/episodes
    python -m models.training.render stills --count 4000 --out training/stills

`scenes`: pictures.npy (N, 448, 448, 3) uint8 BGR and quads.npy (M, 13) float32, a row a tile: scene, four corners
clockwise (px), round, face up, visible, and 1 where the corners are exact (0 for a box around a real tile).
`patches`: pictures.npy (N, 64, 64, 3) uint8 BGR and labels.npy (N, 4) float32: family, kind in that family's order (the
number of kinds for none), cosine and sine of the clockwise turn.
`episodes`: pictures.npy as of patches and labels.npy (N, 2) int32: the set, and the kind within it. Each set lies on
several tables under other light; most bear marks without a name, some are of the families.
`stills`: as scenes, cut from pictures of films, as a camera over a table sees tiles that are dealt and sorted.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

import scoring
from models.patches import COARSEST, PATCH, enlarged, stood_up
from models.training import augment, tables
from models.training.faces.glyphs import GlyphBank
from models.training.film import HANDS, Scene, Script, Still
from models.training.layouts import Piece
from models.training.piece_sets import CODES, FAMILIES, PieceSet, sample_marks, sample_set
from models.training.scraps import Scraps
from models.training.tables import Seen, Shot

SIDE = 448
VIEWS = 3  # tables on which each set of an episode lies
STILLS = 12  # pictures of one film
AT_ANY_TIME = 0.3  # of these; the others show a tile that moves
MARKED = 0.65  # share of the episodes whose sets bear marks
VALIDATION = 0.12  # share of the fonts that only validation pictures use
_SHARES = {"xiangqi": 0.25, "junqi": 0.19, "paigow": 0.19, "mahjong": 0.25, "none": 0.12}
_STILL_SHARES = dict.fromkeys(FAMILIES, 1.0)
_PATCH_SHARES = {"xiangqi": 0.28, "junqi": 0.24, "paigow": 0.16, "mahjong": 0.32}


def split_fonts(bank: GlyphBank, validation: bool) -> GlyphBank:
    """The part of the bank that training (or validation) draws from; the split hangs on the font's name alone."""
    order = sorted(bank.fonts, key=hash_name)
    cut = int(len(order) * VALIDATION)
    return bank.only(order[:cut] if validation else order[cut:])


def hash_name(name: str) -> int:
    """A number from a name that is the same in every process."""
    value = 2166136261
    for byte in name.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def turned(corners: NDArray[np.float64], is_round: bool) -> NDArray[np.float64]:
    """The corners that a patch is cut by: long side vertical (discs as they are), enlarged about the centre."""
    if not is_round:
        start = int(np.argmin(corners.sum(axis=1)))
        corners = np.roll(corners, -start, axis=0)
    return np.asarray(enlarged(stood_up(corners[None], np.array([is_round])))[0], np.float64)


def cut(picture: NDArray[np.uint8], corners: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The patch under (4, 2) corners, and the homography from the picture to it."""
    span = min(float(np.linalg.norm(corners[k] - corners[k + 1])) for k in (0, 1))
    shrink = max(1.0, span / (COARSEST * PATCH))
    if shrink > 1.0:
        smaller = cv2.resize(picture, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        picture = np.asarray(smaller, np.uint8)
    target = np.array([[0, 0], [PATCH, 0], [PATCH, PATCH], [0, PATCH]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((corners / shrink).astype(np.float32), target)
    patch = cv2.warpPerspective(
        picture, matrix, (PATCH, PATCH), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    scaled = np.diag(np.array([1 / shrink, 1 / shrink, 1.0]))
    return np.asarray(patch, np.uint8), np.asarray(matrix @ scaled, np.float64)


def _rows(scene: int, shot: Shot) -> list[list[float]]:
    return [
        [scene, *piece.corners.ravel(), float(piece.round), float(piece.code is not None), piece.visible, 1.0]
        for piece in shot.pieces
        if piece.visible > 0.05
    ]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to draw from and where to: pictures of `families`, by their usual shares, into `out`/pictures.npy."""

    seed: int
    out: Path
    glyphs: Path
    scraps: Path
    validation: bool
    families: tuple[str, ...]

    def opened(self) -> tuple[GlyphBank, Scraps | None, np.memmap[Any, np.dtype[np.uint8]]]:
        """The glyphs, the scraps where there are some, and the pictures to fill; for one process."""
        cv2.setNumThreads(1)
        bank = split_fonts(GlyphBank.load(self.glyphs), self.validation)
        strewn = Scraps.load(self.scraps) if self.scraps.is_dir() else None
        return bank, strewn, np.load(self.out / "pictures.npy", mmap_mode="r+")

    def family(self, usual: Mapping[str, float], rng: np.random.Generator) -> str:
        """One of the families, by the `usual` shares of all."""
        names = [name for name in usual if name in self.families]
        weights = np.array([usual[name] for name in names])
        return str(rng.choice(names, p=weights / weights.sum()))


def _scene_part(recipe: Recipe, first: int, count: int) -> list[list[float]]:
    bank, strewn, pictures = recipe.opened()
    rows: list[list[float]] = []
    for index in range(first, first + count):
        rng = np.random.default_rng([recipe.seed, index])
        family = recipe.family(_SHARES, rng)
        shot = (
            tables.empty_table(bank, rng, scraps=strewn)
            if family == "none"
            else tables.photograph(family, bank, rng, scraps=strewn)
        )
        pictures[index] = shot.picture
        rows += _rows(index, shot)
    pictures.flush()
    return rows


def _still_part(recipe: Recipe, first: int, count: int) -> list[list[float]]:
    bank, _, pictures = recipe.opened()
    rules = {scoring.rule_set(name).family.value: name for name in HANDS}
    rows: list[list[float]] = []
    for index in range(first, first + count):
        if (index - first) % STILLS == 0:
            rng = np.random.default_rng([recipe.seed, index])
            scene = Scene.sample(rules[recipe.family(_STILL_SHARES, rng)], bank, int(rng.integers(2**31)))
        shot = part_of(scene.still(a_time(scene.script, rng)), rng)
        pictures[index] = shot.picture
        rows += _rows(index, shot)
    pictures.flush()
    return rows


def a_time(script: Script, rng: np.random.Generator) -> float:
    """A time of a film, mostly one at which some tile is on its way."""
    if rng.random() < AT_ANY_TIME:
        return float(rng.uniform(0, script.length))
    legs = [leg for actor in script.actors for leg in actor.legs]
    leg = legs[int(rng.integers(len(legs)))]
    return float(rng.uniform(leg.start, leg.end))


def part_of(still: Still, rng: np.random.Generator) -> Shot:
    """A square of a film's picture, SIDE px, and what of the tiles lies in it."""
    picture = cv2.imdecode(np.frombuffer(still.data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    side = int(rng.integers(SIDE, min(picture.shape[:2]) + 1))
    x, y = (int(rng.integers(0, length - side + 1)) for length in picture.shape[1::-1])
    part = cv2.resize(picture[y : y + side, x : x + side], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    whole = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    tiles = []
    for tile in still.tiles:
        corners = (tile.corners - (x, y)) * (SIDE / side)
        inside, _ = cv2.intersectConvexConvex(cv2.convexHull(corners.astype(np.float32)), whole)
        share = inside / max(1.0, cv2.contourArea(corners.astype(np.float32)))
        tiles.append(replace(tile, corners=corners, visible=tile.visible * min(1.0, share)))
    return Shot(np.asarray(part, np.uint8), tuple(tiles), "", "film")


def _patch_of(shot: Shot, piece: Seen, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    width = np.sqrt(max(1.0, float(cv2.contourArea(piece.corners.astype(np.float32)))))
    corners = piece.corners.copy()
    if not piece.round:
        corners += rng.normal(0, 0.03, (4, 2)) * width
    centre = corners.mean(axis=0)
    # now and then a quad is drawn much too wide, as of a disc whose rim is taken for its ground
    slack = rng.normal(0.0, 0.06, 2) if rng.random() < 0.85 else rng.uniform(-0.1, 0.28) + rng.normal(0.0, 0.03, 2)
    corners = centre + (corners - centre) * (1 + slack) + rng.normal(0, 0.035, 2) * width
    patch, matrix = cut(shot.picture, turned(corners, piece.round))
    ends = cv2.perspectiveTransform(np.array([[centre, centre + 0.2 * piece.up]]), matrix)[0]
    return patch, ends[1] - ends[0]


def _patch_part(recipe: Recipe, first: int, count: int) -> list[list[float]]:
    bank, strewn, pictures = recipe.opened()
    labels: list[list[float]] = []
    scene = first
    while len(labels) < count:
        rng = np.random.default_rng([recipe.seed, scene])
        scene += 1
        family = recipe.family(_PATCH_SHARES, rng)
        shot = tables.photograph(family, bank, rng, side=(512, 512), zoom=(26.0, 120.0), scraps=strewn)
        good = [p for p in shot.pieces if p.visible > 0.85 and p.named]
        backs = [p for p in good if p.code is None]
        faces = [p for p in good if p.code is not None]
        chosen = [faces[i] for i in rng.permutation(len(faces))[:14]] + [
            backs[i] for i in rng.permutation(len(backs))[:1]
        ]
        for piece in chosen:
            if len(labels) == count:
                break
            patch, up = _patch_of(shot, piece, rng)
            kind = CODES[family].index(piece.code) if piece.code else len(CODES[family])
            length = float(np.hypot(*up)) or 1.0
            pictures[first + len(labels)] = patch
            labels.append([FAMILIES.index(family), kind, -up[1] / length, up[0] / length])
        if len(labels) < count and rng.random() < 0.5:
            centre, half = rng.uniform(40, 470, 2), rng.uniform(10, 60)
            square = centre + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * rng.uniform(0.6, 1.0, 2)
            near = [np.abs(p.corners.mean(axis=0) - centre).max() for p in shot.pieces]
            if not near or min(near) > half:
                pictures[first + len(labels)] = cut(shot.picture, square)[0]
                labels.append([FAMILIES.index(family), len(CODES[family]), 1.0, 0.0])
    pictures.flush()
    return labels


def _episode_part(recipe: Recipe, first: int, count: int) -> list[list[float]]:
    """Sets of some kinds, photographed `VIEWS` times each; the set's number is that of its first picture."""
    bank, strewn, pictures = recipe.opened()
    labels: list[list[float]] = []
    attempt = first
    while len(labels) < count:
        rng = np.random.default_rng([recipe.seed, attempt])
        attempt += 1
        if rng.random() < MARKED:
            pieces_set, codes = sample_marks(bank, strewn, rng)
        else:
            family = recipe.family(_PATCH_SHARES, rng)
            pieces_set, codes = sample_set(family, bank, rng), CODES[family]
        some = tuple(codes[int(k)] for k in rng.permutation(len(codes))[:12])
        episode = first + len(labels)
        found: list[tuple[NDArray[np.uint8], int]] = []
        for _ in range(VIEWS):
            found += _view(pieces_set, some, bank, strewn, rng)
        kinds = [kind for _, kind in found]
        for patch, kind in found:
            if kinds.count(kind) > 1 and len(labels) < count:
                pictures[first + len(labels)] = patch
                labels.append([episode, kind])
    pictures.flush()
    return labels


def _view(
    pieces_set: PieceSet,
    codes: tuple[str, ...],
    bank: GlyphBank,
    strewn: Scraps | None,
    rng: np.random.Generator,
) -> list[tuple[NDArray[np.uint8], int]]:
    """Patches of the kinds, one each, that can be seen on one more table, with the place of each kind in `codes`."""
    order = rng.permutation(len(codes))
    columns = int(rng.integers(3, 7))
    step = rng.uniform(1.05, 1.5) * np.array([1.0, pieces_set.size.height])
    pieces = [
        Piece(step[0] * (n % columns), step[1] * (n // columns), rng.normal(0, 0.08) + np.pi * n, codes[int(k)])
        for n, k in enumerate(order)
    ]
    picture, seen = tables.render(pieces_set, "grid", pieces, bank, rng, (512, 512), (40.0, 120.0), strewn)
    shot = Shot(augment.shoot(picture, rng), tuple(seen), "", "grid")
    return [(_patch_of(shot, p, rng)[0], int(k)) for p, k in zip(seen, order, strict=True) if p.visible > 0.85]


def _build(kind: str, count: int, recipe: Recipe, workers: int) -> None:
    out = recipe.out
    out.mkdir(parents=True, exist_ok=True)
    side = SIDE if kind in ("scenes", "stills") else PATCH
    np.lib.format.open_memmap(out / "pictures.npy", "w+", np.uint8, (count, side, side, 3)).flush()
    part = 2000 if side == PATCH else 20 * STILLS
    work, columns = {
        "scenes": (_scene_part, 13),
        "stills": (_still_part, 13),
        "patches": (_patch_part, 4),
        "episodes": (_episode_part, 2),
    }[kind]
    starts = list(range(0, count, part))
    rows: list[list[float]] = []
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        jobs = [pool.submit(work, recipe, s, min(part, count - s)) for s in starts]
        with click.progressbar(jobs, label=kind) as bar:
            for job in bar:
                rows += job.result()
    name, dtype = ("labels.npy" if side == PATCH else "quads.npy"), np.int32 if kind == "episodes" else np.float32
    np.save(out / name, np.array(rows, dtype).reshape(-1, columns))


@click.command()
@click.argument("kind", type=click.Choice(["scenes", "stills", "patches", "episodes"]))
@click.option("--count", type=int, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--glyphs", type=click.Path(path_type=Path), default=Path("training/glyphs"), show_default=True)
@click.option(
    "--scraps",
    type=click.Path(path_type=Path),
    default=Path("training/scraps"),
    show_default=True,
    help="Things and textures that are no tiles; may be missing.",
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--validation", is_flag=True, help="Draw from the fonts that training never uses.")
@click.option("--workers", type=int, default=os.cpu_count() or 1)
@click.option(
    "--only", "families", type=click.Choice(list(_SHARES)), multiple=True, help="A family to draw; may be given again."
)
def main(
    kind: str,
    count: int,
    out: Path,
    glyphs: Path,
    scraps: Path,
    seed: int,
    validation: bool,
    workers: int,
    families: tuple[str, ...],
) -> None:
    """Render COUNT pictures of tables, or COUNT patches of single tiles, by family or by set."""
    if kind != "scenes" and families == ("none",):
        raise click.UsageError(f"{kind} show tiles: name a family with --only")
    recipe = Recipe(seed, out, glyphs, scraps, validation, families or tuple(_SHARES))
    _build(kind, count, recipe, workers)


if __name__ == "__main__":
    main()
