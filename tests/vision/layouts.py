"""Hands laid on a table that does not exist, photographed from any side: the truth for the tests of the assembler.

Lengths are in breadths of a tile (diameters of a disc), x to the right and y away from the winner; the camera looks at
the middle of what lies there.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.hand import Assembly, HandShape
from vision.reading import Quad, Reading, Sighting

LENGTH = {"xiangqi": 1.0, "junqi": 1.5, "paigow": 2.2, "mahjong": 1.35}
"""Length over breadth of a family's tiles."""


@dataclass(frozen=True)
class Laid:
    """A tile on the table: its middle, the angle in degrees by which it is turned, its code (None: back up), role."""

    x: float
    y: float
    angle: float
    code: str | None
    role: str


@dataclass
class Scene:
    """A hand on the table: its tiles, what the assembler sees of them, and the truth, codes as in the JSON hand."""

    family: str
    tiles: list[Laid]
    concealed: list[str]
    melds: list[tuple[str, tuple[str, ...]]]
    win: str
    notes: list[str] = field(default_factory=list)
    seen: list[tuple[int, Sighting]] = field(default_factory=list)
    """The place of a tile among `tiles`, and how it is seen; in no order."""

    @property
    def sightings(self) -> list[Sighting]:
        """All that is seen."""
        return [sighting for _, sighting in self.seen]


def scene(family: str, shape: HandShape, kinds: list[str], seed: int, *, mirrored: bool = False) -> Scene:
    """A random winning hand of a rule set's shape, laid and photographed at random, perhaps in a mirror."""
    rng = random.Random(seed)
    melds, concealed, win = _hand(rng, shape, kinds)
    laid = Scene(family, [], concealed, melds, win)
    _lay(laid, rng)
    _photograph(laid, rng, np.random.default_rng(seed), mirrored)
    return laid


def in_codes(read: Assembly | Reading) -> tuple[Counter[str | None], Counter[Any], str | None]:
    """A hand as it was read, for comparison; an added kong looks like an open one where nothing is stacked."""
    tiles, hand = read.tiles, read.hand
    return (
        Counter(tiles[place].code for place in hand.concealed),
        Counter((meld.type.replace("added", "open"), tuple(sorted(meld.codes))) for meld in hand.melds),
        None if hand.win is None else tiles[hand.win].code,
    )


def truth(concealed: list[str], melds: list[tuple[str, tuple[str, ...]]], win: str) -> Any:
    """A hand as it is, in the form of `in_codes`."""
    return (
        Counter(concealed),
        Counter((kind.replace("added", "open"), tuple(sorted(codes))) for kind, codes in melds),
        win,
    )


def without_backs(laid: Scene, seed: int) -> tuple[Sighting, ...]:
    """What is seen where the locator misses one or both backs of each concealed kong."""
    rng = random.Random(seed)
    kongs = [f"meld{n}" for n, (kind, _) in enumerate(laid.melds) if kind == "concealed_kong"]
    missed: set[int] = set()
    for kong in kongs:
        backs = [n for n, tile in enumerate(laid.tiles) if tile.role == kong and tile.code is None]
        missed.update(backs if rng.random() < 0.5 else [rng.choice(backs)])
    return tuple(sighting for n, sighting in laid.seen if n not in missed)


def _hand(
    rng: random.Random, shape: HandShape, kinds: list[str]
) -> tuple[list[tuple[str, tuple[str, ...]]], list[str], str]:
    groups = shape.hand_size // 3
    runs = sorted(sorted(run) for run in shape.runs)
    while True:
        melds: list[tuple[str, tuple[str, ...]]] = []
        for _ in range(rng.randint(0, min(shape.calls, groups))):
            choices = ["pong", "open_kong", "added_kong", "concealed_kong"]
            choices += ["chi"] * 2 * bool(shape.runs) + ["super_kong"] * shape.fifths
            kind = rng.choice(choices)
            code = rng.choice(sorted(shape.triplets if kind == "pong" else shape.kongs))
            if kind == "chi":
                melds.append((kind, tuple(rng.sample(rng.choice(runs), 3))))
            else:
                melds.append((kind, (code,) * {"pong": 3, "super_kong": 5}.get(kind, 4)))
        tiles: list[str] = []
        for _ in range(groups - len(melds)):
            if shape.runs and rng.random() < 0.6:
                tiles += rng.choice(runs)
            else:
                tiles += [rng.choice(kinds)] * 3
        tiles += [rng.choice(kinds)] * 2
        every = Counter(tiles) + Counter(code for _, codes in melds for code in codes)
        if max(every.values()) <= 6:
            break
    rng.shuffle(tiles)
    return melds, (sorted(tiles[:-1]) if rng.random() < 0.6 else tiles[:-1]), tiles[-1]


def _lay(laid: Scene, rng: random.Random) -> None:
    long = LENGTH[laid.family]
    discs = laid.family == "xiangqi"
    inside = rng.choice([0.02, 0.06, 0.1])

    def row(codes: list[str | None], role: str, x: float, y: float, sideways: int | None = None) -> float:
        """Lay tiles from x on, their near sides at y; returns where the row ends."""
        for n, code in enumerate(codes):
            x += rng.uniform(0.5, 1.5) * inside if n else 0
            if n == sideways:
                laid.tiles.append(Laid(x + long / 2, y + 0.5, 90 + rng.gauss(0, 2), code, role))
                x += long
            else:
                upside_down = 180 if rng.random() < 0.1 else 0
                laid.tiles.append(Laid(x + 0.5, y + long / 2, upside_down + rng.gauss(0, 1.5), code, role))
                x += 1
        return x

    concealed: list[str | None] = list(laid.concealed)
    y = 0.0
    if len(concealed) > 6 and rng.random() < 0.4:
        laid.notes.append("two rows")
        half = (len(concealed) + 1) // 2
        row(concealed[:half], "concealed", rng.uniform(-0.2, 0.2), y + long * rng.uniform(1.02, 1.1))
        concealed = concealed[half:]
    end = row(concealed, "concealed", 0, y)
    if discs or rng.random() < 0.6:
        laid.notes.append("win apart")
        end = row([laid.win], "win", end + rng.uniform(0.45, 1.0), y + rng.gauss(0, 0.05))
    else:
        laid.notes.append("win turned")
        end = row([laid.win], "win", end + rng.uniform(0.05, 0.5), y, 0)

    place = rng.choice(["right", "behind near", "behind far", "before"])
    laid.notes.append(f"melds {place}")
    depth = {"behind near": 0.35, "behind far": 0.9}.get(place, 0.5) + (long + 0.1 if "two rows" in laid.notes else 0)
    x, y = (end + rng.uniform(0.9, 1.6), 0.0) if place == "right" else (rng.uniform(-0.3, 0.3), long + depth)
    if place == "before":
        y = -long - 0.5
    for n, (kind, codes) in enumerate(laid.melds):
        role = f"meld{n}"
        faces: list[str | None] = list(codes)
        sideways: int | None = None
        if kind == "concealed_kong":
            hidden = rng.choice([(0, 3), (1, 2)])
            faces = [None if i in hidden else code for i, code in enumerate(codes)]
        elif not discs and kind in ("chi", "pong", "open_kong", "added_kong") and rng.random() < 0.8:
            sideways = rng.randrange(3)
        if kind == "added_kong" and sideways is not None:
            x = row(faces[:3], role, x, y, sideways)
            under = laid.tiles[-3 + sideways]
            laid.tiles.append(Laid(under.x, under.y + 1 + rng.uniform(0, 0.06), 90, codes[3], role))
        else:
            x = row(faces, role, x, y, sideways)
        if place == "right" or n % 2 == 0:
            x += rng.uniform(0.8, 1.4)
        else:
            step = long + (0.35 if place == "behind near" else 0.7)
            x, y = rng.uniform(-0.3, 0.3), y + (-step if place == "before" else step)
    if rng.random() < 0.35:
        laid.notes.append("wall")
        top = max(tile.y for tile in laid.tiles) + long / 2
        row([None] * rng.randint(5, 10), "other", rng.uniform(-2, 2), top + rng.uniform(0.3, 1.0))


def _photograph(laid: Scene, rng: random.Random, noise: np.random.Generator, mirrored: bool) -> None:
    long = LENGTH[laid.family]
    discs = laid.family == "xiangqi"
    outlines = np.array([_outline(tile, long, discs) for tile in laid.tiles])
    middle = (outlines.reshape(-1, 2).max(axis=0) + outlines.reshape(-1, 2).min(axis=0)) / 2
    span = float(np.abs(outlines.reshape(-1, 2) - middle).max())
    side, tilt, distance = rng.uniform(0, 360), rng.uniform(0, 55), rng.uniform(3.0, 5.0) * span
    laid.notes.append(f"side {side:.0f}, tilt {tilt:.0f}")
    seen = _project(outlines - middle, side, tilt, distance)
    if mirrored:
        laid.notes.append("mirrored")
        # Corners go round clockwise in the picture all the same.
        seen = (seen * (-1.0, 1.0))[:, ::-1]
    seen = (seen - seen.reshape(-1, 2).min(axis=0)) * (1200 / float(np.ptp(seen.reshape(-1, 2), axis=0).max())) + 40
    for place, (tile, outline) in enumerate(zip(laid.tiles, seen, strict=True)):
        corners = _bounds(outline) if discs else outline
        size = float(np.linalg.norm(corners[0] - corners[2]))
        corners = corners + noise.normal(0, 0.012 * size, corners.shape)
        first = int(np.argmin(corners.sum(axis=1)))
        points = tuple((float(x), float(y)) for x, y in np.roll(corners, -first, axis=0))
        quad = Quad((points[0], points[1], points[2], points[3]), 0.9, discs, "up" if tile.code else "down")
        turn = rng.uniform(-180, 180) if discs else (tile.angle + side) * (-1 if mirrored else 1)
        if not discs and rng.random() < 0.15:
            turn += rng.choice([90, 180, 270])  # what looks alike from all sides
        alternatives = ((tile.code, 0.99),) if tile.code else ()
        laid.seen.append((place, Sighting(quad, tile.code, 0.99, alternatives, (turn + 180) % 360 - 180)))
    rng.shuffle(laid.seen)


def _outline(tile: Laid, long: float, disc: bool) -> NDArray[np.float64]:
    """Points of the outline, clockwise as seen from above with y away from the winner."""
    angle = -math.radians(tile.angle)
    if disc:
        turns = np.linspace(0, -2 * np.pi, 24, endpoint=False)
        points = 0.5 * np.column_stack([np.cos(turns), np.sin(turns)])
    else:
        points = np.array([[-0.5, long / 2], [0.5, long / 2], [0.5, -long / 2], [-0.5, -long / 2]])
    rotation = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    placed: NDArray[np.float64] = points @ rotation.T + (tile.x, tile.y)
    return placed


def _project(points: NDArray[np.float64], side: float, tilt: float, distance: float) -> NDArray[np.float64]:
    """Points of the table in a picture whose camera has gone `side` degrees round and leans by `tilt`."""
    a, t = math.radians(side), math.radians(tilt)
    x = points[..., 0] * math.cos(a) + points[..., 1] * math.sin(a)
    y = -points[..., 0] * math.sin(a) + points[..., 1] * math.cos(a)
    depth = distance + y * math.sin(t)
    return np.stack([x / depth, -y * math.cos(t) / depth], axis=-1)


def _bounds(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def seeds(count: int, start: int = 0) -> Iterator[int]:
    """Seeds for so many scenes."""
    return iter(range(start, start + count))
