"""How well sets that no network has seen are read after one photo of each kind, and after three.

    python bench/calibration.py rendered --glyphs training/glyphs     twelve sets without characters, ten with
    python bench/calibration.py real --photos PHOTOS                  photographed sets (scene files with labels),
                                                  cut as they are found, or as the files say with --annotated
    python bench/calibration.py wrong --glyphs training/glyphs        one label of twenty is wrong
    python bench/calibration.py rebuild                               seconds to learn 300 crops

Rendered photos have other light, angle and place than the ones that teach; a photo that hupai would ask to be taken
again (blurred, too dark) is taken again on both sides. Tiles are cut with the slips of a locator.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray

# This file and its neighbours bear names of packages, which are not meant here.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import models
from bench.homemade import RECIPES, homemade
from bench.reliability import matched
from calibration.order import laid_out
from calibration.prototypes import Learned, learn, weathered
from models.training import augment, tables
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import Piece
from models.training.piece_sets import CODES, PieceSet, sample_set
from models.training.render import split_fonts
from scoring.tiles import Family, tiles_of
from vision.crops import cut, patch_corners
from vision.exposure import lightened
from vision.frames import Frame, Pixels, decode
from vision.locate import RIM, locate
from vision.name import Look, decide, views
from vision.network import Network
from vision.quality import faults
from vision.reading import Quad

SIDE: Final = (1024, 768)
LEAST: Final = 0.25  # of a crop, which its tile must fill


@dataclass(frozen=True, slots=True)
class Shots:
    """Crops of one photo: N×64×64×3 patches and their codes; of several, `photos` tells which each is from."""

    patches: Pixels
    codes: tuple[str, ...]
    photos: tuple[str, ...] | None = None


def in_order(pieces_set: PieceSet, family: str, rng: np.random.Generator) -> list[Piece]:
    """Every kind once, in rows as they are laid out to be learned."""
    height, gap = pieces_set.size.height, rng.uniform(0.1, 0.35)
    turn = 0.15 if pieces_set.size.round else 0.04
    return [
        Piece(c * (1 + gap), -r * (height + gap), float(rng.normal(0, turn)), tile.code)
        for r, row in enumerate(laid_out(Family(family)))
        for c, tile in enumerate(row)
    ]


def at_play(pieces_set: PieceSet, family: str, rng: np.random.Generator) -> list[Piece]:
    """Every kind once in any order: discs at any angle, some blocks upside down or lying across."""
    height, round_ = pieces_set.size.height, pieces_set.size.round
    codes = list(rng.permutation(CODES[family]))
    across = int(np.ceil(np.sqrt(len(codes) * height * 1.3)))
    cell = max(1.0, height)
    pieces = []
    for i, code in enumerate(codes):
        quarter = 0 if rng.random() < 0.85 else 1
        turn = rng.uniform(0, 2 * np.pi) if round_ else rng.normal(0, 0.06) + np.pi * (rng.integers(2) + quarter / 2)
        step = 1.12 if round_ else 1.08 * cell
        x, y = (i % across) * step, (i // across) * 1.12 * cell
        pieces.append(Piece(x + rng.normal(0, 0.02), y + rng.normal(0, 0.02), float(turn), str(code)))
    return pieces


def _quads(seen: Sequence[tables.Seen]) -> list[Quad]:
    return [_quad(piece.corners, piece.round) for piece in seen]


def _quad(corners: NDArray[Any], is_round: bool) -> Quad:
    first = int(np.argmin(corners.sum(axis=1)))
    a, b, c, d = ((float(x), float(y)) for x, y in np.roll(corners, -first, axis=0))
    return Quad((a, b, c, d), 0.9, is_round, "up")


def photograph(
    pieces_set: PieceSet, family: str, glyphs: GlyphBank, seed: Sequence[int], *, learning: bool
) -> tuple[Pixels, list[tables.Seen], np.random.Generator]:
    """A photo that hupai finds fault with in nothing; one to learn from shows every kind as a whole."""
    for attempt in range(40):
        rng = np.random.default_rng([*seed, attempt])
        pieces = in_order(pieces_set, family, rng) if learning else at_play(pieces_set, family, rng)
        picture, seen = tables.render(pieces_set, "grid", pieces, glyphs, rng, SIDE, (45.0, 160.0))
        shot = np.asarray(augment.shoot(picture, rng), np.uint8)
        quads = _quads(seen)
        frame = Frame(shot, shot.shape[1], shot.shape[0])
        corners = patch_corners(quads)
        look = Look(tuple(quads), corners, cut(frame, corners), {}, np.zeros(0, int), np.zeros(0, int))
        if not faults(frame, look, [], Family(family)) and (not learning or all(p.visible > 0.85 for p in seen)):
            break
    return shot, seen, rng


def crops(picture: Pixels, seen: Sequence[tables.Seen], rng: np.random.Generator) -> Shots:
    """The faces of a photo, cut with the slips that a locator makes."""
    quads, codes = [], []
    for piece in seen:
        if piece.code is None or piece.visible < 0.85:
            continue
        corners = piece.corners.copy()
        width = float(np.sqrt(max(1.0, cv2.contourArea(corners.astype(np.float32)))))
        if not piece.round:
            corners += rng.normal(0, 0.02, (4, 2)) * width
        centre = corners.mean(axis=0)
        grow = (RIM if piece.round else 1.0) * (1 + rng.normal(0.0, 0.04, 2))
        quads.append(_quad(centre + (corners - centre) * grow + rng.normal(0, 0.025, 2) * width, piece.round))
        codes.append(piece.code)
    frame = Frame(picture, picture.shape[1], picture.shape[0])
    return Shots(cut(frame, patch_corners(quads)), tuple(codes))


def together(shots: Sequence[Shots]) -> Shots:
    """Several photos' crops as one."""
    return Shots(
        np.concatenate([one.patches for one in shots]),
        tuple(code for one in shots for code in one.codes),
        tuple(str(number) for number, one in enumerate(shots) for _ in one.codes),
    )


def taught(shots: Shots, family: str, is_round: bool, namer: Network) -> Learned:
    """What `calibration` learns of labelled crops."""
    return learn(shots.patches, shots.codes, Family(family), is_round, namer, photos=shots.photos)


def named_right(learned: Learned, photos: Sequence[Shots], namer: Network) -> NDArray[np.bool_]:
    """Which crops are named as they should be, photo by photo."""
    return np.concatenate([_right(learned, shots, namer) for shots in photos])


def _right(learned: Learned, shots: Shots, namer: Network) -> NDArray[np.bool_]:
    prototypes = learned.prototypes
    codes = [tile.code for tile in tiles_of(prototypes.family)]
    outputs, owners, quarters = views(lightened(shots.patches), namer, prototypes.round)
    shares, back = decide(outputs[prototypes.family.value], owners, len(shots.codes), np.ones(len(codes), bool))
    seen = Look((), np.zeros((0, 4, 2)), shots.patches, outputs, owners, quarters)
    judgement = prototypes.judge(seen, shares, back)
    best = judgement.shares.argmax(axis=1)
    return np.array(
        [known and codes[k] == code for k, code, known in zip(best, shots.codes, judgement.known, strict=True)], bool
    )


def rendered_sets(glyphs: GlyphBank, seed: int) -> Iterator[tuple[str, str, PieceSet]]:
    """Homemade sets without characters, then sets with characters in fonts that training never draws."""
    for recipe in RECIPES:
        yield recipe.name, recipe.family, homemade(recipe, seed)
    for number, family in enumerate(["xiangqi"] * 4 + ["junqi"] * 3 + ["mahjong"] * 2 + ["paigow"]):
        yield f"{family} {number}", family, sample_set(family, glyphs, np.random.default_rng([seed, number]))


def photographed(
    number: int, family: str, pieces: PieceSet, glyphs: GlyphBank, seed: int, tests: int
) -> tuple[list[Shots], list[Shots]]:
    """The crops of three photos to learn from, and those of others to be named."""
    learning = [crops(*photograph(pieces, family, glyphs, (seed, 1, number, k), learning=True)) for k in range(3)]
    others = [crops(*photograph(pieces, family, glyphs, (seed, 2, number, k), learning=False)) for k in range(tests)]
    return learning, others


def real_scenes(folder: Path, family: str, locator: Network | None) -> dict[str, list[Shots]]:
    """The named tiles of each photographed set, a `Shots` a photo: those that the locator finds, cut as it finds
    them, or without a locator all of them, cut where the scene files say."""
    found: dict[str, list[Shots]] = defaultdict(list)
    for file in sorted((folder / family / "scenes").glob("*.json")):
        scene = json.loads(file.read_text(encoding="utf-8"))
        frame = decode(file.with_name(scene["image"]).read_bytes())
        tiles = [tile for tile in scene["tiles"] if tile["label"] and tile["face"] == "up"]
        if locator is None:
            quads = [_quad(np.array(tile["polygon"], float), family == "xiangqi") for tile in tiles]
        else:
            quads = _found(frame, family, locator) if tiles else []
        pairs = list(matched(tiles, quads))
        if pairs:
            patches = cut(frame, patch_corners([quads[place] for _, place in pairs]))
            found[scene["set_id"]].append(Shots(patches, tuple(tile["label"] for tile, _ in pairs)))
    return found


def _found(frame: Frame, family: str, locator: Network) -> list[Quad]:
    quads = locate(frame, locator, thorough=True)
    return [quad for quad in quads if quad.round == (family == "xiangqi")]


def real_crops(folder: Path, family: str, locator: Network | None) -> dict[str, Shots]:
    """The photographed crops of each set of an index file: the tile that the locator finds to fill enough of a crop,
    or all of the crop where it finds none or is not given. Crops from shops, of many sets each, are left out.
    """
    found: dict[str, list[tuple[Pixels, str]]] = defaultdict(list)
    index = folder / family / "crops" / "index.csv"
    if not index.exists():
        return {}
    for row in csv.DictReader(index.read_text(encoding="utf-8").splitlines()):
        if "shop" in row["kind"]:
            continue
        image = cv2.imread(str(index.parent / row["file"]))
        height, width = image.shape[:2]
        frame = Frame(np.asarray(image, np.uint8), width, height)
        corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], float)
        seen = _found(frame, family, locator) if locator is not None else []
        # A crop is no photo: what is found may be a tile's side, or a neighbour's edge.
        seen = [quad for quad in seen if cv2.contourArea(np.array(quad.corners, np.float32)) > LEAST * width * height]
        if seen:
            corners = patch_corners([max(seen, key=lambda quad: quad.size)])
        found[row["set_id"]].append((cut(frame, corners)[0], row["label"]))
    return {
        name: Shots(np.stack([patch for patch, _ in some]), tuple(label for _, label in some))
        for name, some in found.items()
    }


def one_of_each(shots: Shots, count: int, rng: np.random.Generator) -> tuple[Shots, Shots]:
    """Up to `count` crops of each kind to learn from, and all others of those kinds."""
    order = rng.permutation(len(shots.codes))
    chosen: list[int] = []
    for place in order:
        if sum(shots.codes[k] == shots.codes[place] for k in chosen) < count:
            chosen.append(int(place))
    others = [k for k in range(len(shots.codes)) if k not in chosen]
    part = [Shots(shots.patches[some], tuple(shots.codes[k] for k in some)) for some in (chosen, others)]
    return part[0], part[1]


@click.group()
def main() -> None:
    """Measure what is read after calibration."""
    cv2.setNumThreads(1)


_GLYPHS = click.option("--glyphs", type=click.Path(path_type=Path), default=Path("training/glyphs"), show_default=True)


def _bank(folder: Path) -> GlyphBank:
    return split_fonts(GlyphBank.load(folder), True)


@main.command()
@_GLYPHS
@click.option("--seed", default=5, show_default=True)
@click.option("--photos", default=5, show_default=True, help="Photos whose tiles are named, a set.")
@click.option("--only", default="", help="Only sets with this in their name.")
def rendered(glyphs: Path, seed: int, photos: int, only: str) -> None:
    """Rendered sets: shares named rightly after one photo and after three."""
    namer, bank = models.load("namer"), _bank(glyphs)
    totals: dict[tuple[bool, int], list[float]] = defaultdict(list)
    for number, (name, family, pieces) in enumerate(rendered_sets(bank, seed)):
        if only not in name:
            continue
        learning, others = photographed(number, family, pieces, bank, seed, photos)
        line = f"{name:38s}"
        for count in (1, 3):
            learned = taught(together(learning[:count]), family, pieces.size.round, namer)
            right = named_right(learned, others, namer)
            totals[number < len(RECIPES), count].append(float(right.mean()))
            line += f"  {count} shot {right.mean():6.1%}"
        click.echo(f"{line}  of {len(right)}")
    for homemade_, words in ((True, "without characters"), (False, "with characters")):
        for count in (1, 3):
            if totals[homemade_, count]:
                click.echo(f"mean of sets {words}, {count} shot: {np.mean(totals[homemade_, count]):.1%}")


@main.command()
@click.option("--photos", type=click.Path(exists=True, path_type=Path), required=True, help="With FAMILY/scenes.")
@click.option("--rounds", default=3, show_default=True, help="Choices of the samples, where any will do.")
@click.option("--only", default="", help="Only sets with this in their name.")
@click.option("--annotated", is_flag=True, help="Cut tiles where the files say, not where the locator finds them.")
def real(photos: Path, rounds: int, only: str, annotated: bool) -> None:
    """Photographed sets: one photo teaches, the others are read; and single crops, one to three a kind."""
    if not any(photos.glob("*/scenes")):
        words = f"there is no FAMILY/scenes in {photos}; name the folder that holds them"
        raise click.BadParameter(words, param_hint="--photos")
    namer, locator = models.load("namer"), None if annotated else models.load("locator")
    totals: dict[str, list[bool]] = defaultdict(list)

    def tell(family: str, title: str, lessons: Sequence[tuple[Shots, Sequence[Shots]]]) -> None:
        known: list[bool] = []
        strange: list[bool] = []
        for teaching, others in lessons:
            learned = taught(teaching, family, family == "xiangqi", namer)
            right = named_right(learned, others, namer)
            seen = np.array([code in teaching.codes for shots in others for code in shots.codes], bool)
            known += right[seen].tolist()
            strange += right[~seen].tolist()
        totals[family] += known
        line = f"{family} {title}: {np.mean(known):.1%} of {len(known)}" if known else f"{family} {title}: none"
        click.echo(
            line + (f", of kinds that were not shown {np.mean(strange):.1%} of {len(strange)}" if strange else "")
        )

    for family in ("xiangqi", "mahjong", "paigow", "junqi"):
        for name, scenes in real_scenes(photos, family, locator).items():
            lessons = [
                (one_of_each(scene, 3, np.random.default_rng(k))[0], [one for n, one in enumerate(scenes) if n != k])
                for k, scene in enumerate(scenes)
            ]
            if len(scenes) > 1 and only in name:
                tell(family, f"{name}, one photo of {len(scenes)} teaches", lessons)
        for name, shots in real_crops(photos, family, locator).items():
            for count in (1, 3):
                parts = [one_of_each(shots, count, np.random.default_rng(k)) for k in range(rounds)]
                if len(parts[0][1].codes) > 5 and only in name:
                    tell(family, f"crops {name}, {count} a kind", [(some, [others]) for some, others in parts])
    for family, known in totals.items():
        click.echo(f"{family}, all of kinds that were shown: {np.mean(known):.1%} of {len(known)}")


@main.command()
@_GLYPHS
@click.option("--seed", default=5, show_default=True)
@click.option("--only", default="", help="Only sets with this in their name.")
def wrong(glyphs: Path, seed: int, only: str) -> None:
    """One label of twenty is wrong, of three samples a kind: how many are found first, and what they cost."""
    from calibration.piece_set import PieceSet as Kept
    from calibration.piece_set import Sample, Source
    from calibration.report import of

    namer, bank = models.load("namer"), _bank(glyphs)
    found = wrong_ones = 0
    clean, spoiled = [], []
    for number, (name, family, pieces) in enumerate(rendered_sets(bank, seed)):
        if only not in name:
            continue
        learning, others = photographed(number, family, pieces, bank, seed, 3)
        shots = together(learning)
        rng = np.random.default_rng([seed, number])
        bad = rng.permutation(len(shots.codes))[: max(1, round(0.05 * len(shots.codes)))]
        codes = list(shots.codes)
        for place in bad:
            codes[place] = str(rng.choice([code for code in set(shots.codes) if code != codes[place]]))
        mislabelled = Shots(shots.patches, tuple(codes), shots.photos)
        learned = taught(mislabelled, family, pieces.size.round, namer)
        samples = tuple(Sample(str(n), code, "", Source(""), 64.0, 1.0) for n, code in enumerate(codes))
        suspects = of(Kept(name, Family(family), pieces.size.round, samples), learned).suspects
        first = {int(suspect.file) for suspect in suspects[: 2 * len(bad)]}
        found += len(first & set(bad.tolist()))
        wrong_ones += len(bad)
        clean.append(named_right(taught(shots, family, pieces.size.round, namer), others, namer).mean())
        spoiled.append(named_right(learned, others, namer).mean())
        click.echo(f"{name:38s} {len(first & set(bad.tolist()))} of {len(bad)}; {clean[-1]:.1%} → {spoiled[-1]:.1%}")
    click.echo(f"wrong labels among the first suspects: {found} of {wrong_ones}")
    click.echo(f"named rightly: {np.mean(clean):.2%} with right labels, {np.mean(spoiled):.2%} with wrong ones")


@main.command()
@click.option("--crops", "count", default=300, show_default=True)
def rebuild(count: int) -> None:
    """Seconds to learn a set of so many crops anew."""
    namer = models.load("namer")
    rng = np.random.default_rng(0)
    for recipe in (RECIPES[0], RECIPES[-1]):
        pieces = homemade(recipe, 1)
        codes = [CODES[recipe.family][k % len(CODES[recipe.family])] for k in range(count)]
        faces = [cv2.resize(pieces.paint(code, rng).colour, (64, 64), interpolation=cv2.INTER_AREA) for code in codes]
        shots = Shots(weathered(np.asarray(faces, np.uint8), pieces.size.round, rng), tuple(codes))
        taught(Shots(shots.patches[:8], shots.codes[:8]), recipe.family, pieces.size.round, namer)
        start = time.perf_counter(), time.process_time()
        taught(shots, recipe.family, pieces.size.round, namer)
        spent = time.perf_counter() - start[0], time.process_time() - start[1]
        click.echo(f"{recipe.name}: {count} crops in {spent[0]:.2f} s ({spent[1]:.2f} s of the processors' time)")


if __name__ == "__main__":
    main()
