"""Films of a table whose truth is known: tiles are dealt and sorted, an arm covers them, a group is called, a hand won.

    python -m models.training.film xiangqi-3 --seed 3 --out table.mjpeg

Rendered, so that anyone may have them: for the bench of the live camera, and for a browser's fake one, which takes such
a file (JPEG pictures one after the other). Units are face widths on the table, pixels in the picture, and seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

import scoring
from models.training import tables
from models.training.camera import Camera
from models.training.faces.glyphs import GlyphBank
from models.training.layouts import Piece
from models.training.piece_sets import PieceSet, sample_set
from models.training.tables import Drawn, Seen, Stand

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Hand:
    """What is played: the concealed tiles, the group that is called, the winning tile, and one that is thrown."""

    concealed: tuple[str, ...]
    meld: tuple[str, ...]
    win: str
    thrown: str


HANDS = {
    "xiangqi-3": Hand(("rR", "rR", "rR", "rP"), ("bC", "bC", "bC"), "rP", "bH"),
    "junqi-1": Hand(("r7", "r7", "r7", "r5"), ("bL", "bL", "bL"), "r5", "b8"),
    "paigow-1": Hand(("66", "66", "66", "22"), ("53", "53", "53"), "22", "41"),
    "lata": Hand(("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2z"), ("7z", "7z", "7z"), "2z", "8p"),
}
"""A winning hand of some rule sets, one a family."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A way of a tile: from when to when, and where to; `bow` is how far it swings out, across its way."""

    start: float
    end: float
    to: tuple[float, float]
    bow: float = 0.0


@dataclass(frozen=True, slots=True)
class Actor:
    """A tile, where it lies at first, and the ways that it goes, one after the other."""

    code: str
    place: tuple[float, float]
    legs: tuple[Leg, ...]
    angle: float

    def at(self, time: float) -> Piece:
        """The tile at a time; a hand lifts it a little over the others on its way."""
        place, lift = np.array(self.place), 0.0
        for leg in self.legs:
            if time < leg.start:
                break
            share = min(1.0, (time - leg.start) / (leg.end - leg.start))
            share = share * share * (3 - 2 * share)
            way = np.array(leg.to) - place
            across = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-6)
            place = place + share * way + leg.bow * np.sin(np.pi * share) * across
            lift = 0.5 * float(np.sin(np.pi * share)) if share < 1 else 0.0
        return Piece(float(place[0]), float(place[1]), self.angle, self.code, lift)


@dataclass(frozen=True, slots=True)
class Rest:
    """A time in which nothing moves, and what has just happened."""

    start: float
    end: float
    after: str


@dataclass(frozen=True, slots=True)
class Script:
    """What happens: the tiles, when an arm lies over them (from, to), when the camera moves, and the times of rest."""

    actors: tuple[Actor, ...]
    arm: tuple[float, float]
    pan: tuple[float, float]
    rests: tuple[Rest, ...]

    @property
    def length(self) -> float:
        """How long it takes, in seconds."""
        return self.rests[-1].end


@dataclass(frozen=True, slots=True)
class Still:
    """One picture of a film, a JPEG as a camera gives it; `tiles[i]` is the i-th actor as it can be seen."""

    time: float
    data: bytes
    tiles: tuple[Seen, ...]


_GAP = 1.05
_AWAY = 30.0  # on the far side, off the picture


def script(hand: Hand, height: float, is_round: bool, rng: np.random.Generator) -> Script:
    """A hand from the deal to the win; `height` is the tiles', in widths."""
    rests: list[Rest] = []
    now = 0.3

    def rest(after: str, seconds: float) -> None:
        nonlocal now
        rests.append(Rest(now, now + seconds, after))
        now += seconds

    # All but the called tile and the winning one are dealt, in any order, and one too many that is thrown later.
    codes = [*hand.concealed, *hand.meld[1:], hand.thrown]
    slots = [(n * _GAP, 0.0) for n in range(len(codes))]
    order = rng.permutation(len(codes))
    place = {tile: int(slot) for tile, slot in enumerate(order)}
    legs: list[list[Leg]] = [[] for _ in range(len(codes) + 2)]
    called, won = len(codes), len(codes) + 1
    for tile in sorted(place, key=lambda one: place[one]):
        legs[tile].append(Leg(now, now + 0.5, slots[place[tile]]))
        now += 0.3
    now += 0.2
    rest("the deal", 2.0)
    # Sorting: pairs change places until every tile stands where its code belongs.
    for slot in range(len(codes)):
        if place[slot] == slot:
            continue
        other = next(tile for tile, at in place.items() if at == slot)
        legs[slot].append(Leg(now, now + 0.7, slots[slot], 0.8 * height))
        legs[other].append(Leg(now, now + 0.7, slots[place[slot]], 0.8 * height))
        place[slot], place[other] = slot, place[slot]
        now += 0.8
    rest("sorting", 2.0)
    arm = (now, now + 4.0)
    now += 4.0
    rest("the arm", 1.8)
    # The call: two tiles from the hand and the one that was thrown to it lie down behind the row; one is thrown.
    behind = [(n * _GAP, 1.7 * height) for n in range(len(hand.meld))]
    for n, tile in enumerate([called, *range(len(hand.concealed), len(codes) - 1)]):
        legs[tile].append(Leg(now + 0.2 * n, now + 0.2 * n + 0.7, behind[n]))
    now += 1.4
    legs[len(codes) - 1].append(Leg(now, now + 0.8, (len(codes) * _GAP, _AWAY)))
    now += 1.0
    rest("the call", 2.2)
    legs[won].append(Leg(now, now + 0.6, ((len(hand.concealed) - 1) * _GAP + 1.8, 0.0)))
    now += 0.7
    rest("the win", 2.5)
    pan = (now, now + 3.0)
    now += 3.0
    rest("the camera", 2.0)
    every = [*codes, hand.meld[0], hand.win]
    turn = np.pi if is_round else 0.03
    actors = tuple(
        Actor(code, (float(rng.uniform(0, len(codes))), _AWAY), tuple(ways), float(rng.uniform(-turn, turn)))
        for code, ways in zip(every, legs, strict=True)
    )
    return Script(actors, arm, pan, tuple(rests))


@dataclass(frozen=True, slots=True)
class Scene:
    """A script on a table before a camera, whose frames have `side` pixels."""

    script: Script
    pieces_set: PieceSet
    stand: Stand
    side: tuple[int, int]
    seed: int

    @classmethod
    def sample(cls, rules: str, glyphs: GlyphBank, seed: int, side: tuple[int, int] = (1280, 720)) -> Scene:
        """Some set on some table, with every tile in the picture once it lies; `rules` is one of `HANDS`."""
        rng = np.random.default_rng(seed)
        pieces_set = sample_set(scoring.rule_set(rules).family.value, glyphs, rng)
        size = pieces_set.size
        played = script(HANDS[rules], size.height, size.round, rng)
        pieces_set.fix([actor.code for actor in played.actors], rng)
        lying = [piece for rest in played.rests for piece in _pieces(played, rest.start) if piece.y < _AWAY / 2]
        camera, scale = _overhead(lying, size.height, side, rng)
        stand = tables.before(camera, scale, pieces_set, "hand", lying, glyphs, rng, side)
        return cls(played, pieces_set, stand, side, seed)

    def still(self, time: float) -> Still:
        """The picture at a time."""
        return self._taken(self._seen(time), time)

    def film(self, fps: float) -> Iterator[Still]:
        """All pictures, so many a second."""
        before: object = None
        for number in range(int(self.script.length * fps)):
            time = number / fps
            now = (_pieces(self.script, time), _share(self.script.pan, time), _share(self.script.arm, time))
            if now != before:
                before, seen = now, self._seen(time)
            yield self._taken(seen, time)

    def _seen(self, time: float) -> tuple[Picture, tuple[Seen, ...]]:
        """What is before the camera at a time, and the truth about it."""
        pieces = _pieces(self.script, time)
        stand = _panned(self.stand, self.script.pan, time)
        drawn = tables.draw(stand, self.pieces_set, pieces, np.random.default_rng(self.seed))
        self._arm(drawn, time)
        return drawn.picture, tuple(tables.labels(stand, self.pieces_set.size, pieces, drawn))

    def _taken(self, seen: tuple[Picture, tuple[Seen, ...]], time: float) -> Still:
        picture, tiles = seen
        return Still(time, _shot(picture, np.random.default_rng([self.seed, round(1000 * time)])), tiles)

    def _arm(self, drawn: Drawn, time: float) -> None:
        """An arm that comes from the near edge, lies on the row, moves along it, rests, and leaves."""
        share = _share(self.script.arm, time)
        if not 0 < share < 1:
            return
        corners = np.array([self._place(slot) for slot in self.script.actors[:4]])
        unit = float(np.ptp(corners, axis=0).max()) / 4
        reach = float(np.clip(min(share / 0.15, (1 - share) / 0.15), 0, 1))
        along = float(np.clip((share - 0.2) / 0.3, 0, 1))
        target = corners.mean(axis=0) + (0.3 + along) * unit * np.array([1.0, 0.2])
        far = np.array([target[0] + 0.4 * unit, self.side[1] + 2 * unit])
        tip = far + reach * (target - far)
        ends = [(int(point[0]), int(point[1])) for point in (tip, far)]
        thick = max(4, int(2.2 * unit))
        cv2.line(drawn.picture, ends[0], ends[1], (95, 120, 170), thick, cv2.LINE_AA)
        cv2.line(drawn.picture, ends[0], ends[1], (120, 150, 205), int(0.8 * thick), cv2.LINE_AA)
        cv2.line(drawn.ids, ends[0], ends[1], 0, thick)

    def _place(self, actor: Actor) -> Floats:
        piece = actor.at(self.script.arm[0])
        return np.asarray(self.stand.camera.project(np.array([[piece.x, piece.y, 0.0]]))[0], np.float64)


_PAN = 60.0  # px


def _pieces(played: Script, time: float) -> list[Piece]:
    return [actor.at(time) for actor in played.actors]


def _share(span: tuple[float, float], time: float) -> float:
    """How much of a span of time is over, in [0, 1]."""
    return float(np.clip((time - span[0]) / (span[1] - span[0]), 0, 1))


def _overhead(
    lying: list[Piece], height: float, side: tuple[int, int], rng: np.random.Generator
) -> tuple[Camera, float]:
    """A camera as over a table, whose picture the pieces fill but for a margin; and how many px a width has there."""
    points = np.array([[piece.x, piece.y, 0.0] for piece in lying])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    spread = float(np.ptp(points, axis=0).max())
    elevation, around = np.radians(rng.uniform(48, 88)), rng.normal(0, 0.12)
    camera = Camera.looking_at(middle, 1.5 * spread + 3, elevation, around, rng.normal(0, 0.04), 1.0, np.zeros(2))
    reach = max(1.0, height)
    ends = camera.project(
        np.concatenate([points + np.array([x, y, 0.0]) for x in (-reach, reach) for y in (-reach, reach)])
    )
    low, high = ends.min(axis=0), ends.max(axis=0)
    focal = float(((np.array(side) - 2 * _PAN) / (high - low)).min()) * rng.uniform(0.8, 1.0)
    camera = replace(camera, focal=focal, centre=np.array(side) / 2 - focal * (low + high) / 2)
    left, right = camera.project(middle + np.array([[-0.5, 0, 0], [0.5, 0, 0]]))
    return camera, float(np.linalg.norm(right - left))


def _panned(stand: Stand, pan: tuple[float, float], time: float) -> Stand:
    """The stand after the camera has moved: out in a bow and most of the way back."""
    share = _share(pan, time)
    if share == 0:
        return stand
    way = _PAN * np.array([np.sin(np.pi * share) + 0.5 * share, 0.5 * np.sin(2 * np.pi * share)]) / 1.5
    matrix = np.array([[1, 0, way[0]], [0, 1, way[1]]], np.float32)
    height, width = stand.table.shape[:2]
    moved = cv2.warpAffine(stand.table, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    return replace(
        stand, table=np.asarray(moved, np.uint8), camera=replace(stand.camera, centre=stand.camera.centre + way)
    )


def _shot(picture: Picture, rng: np.random.Generator) -> bytes:
    """The picture as a web camera gives it: a little soft, noisy, and a JPEG."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.6).astype(np.int16)
    height, width = soft.shape[:2]
    grain = rng.normal(0, 3, (height // 2 + 1, width // 2 + 1, 3)).astype(np.int16)
    noisy = np.clip(soft + np.repeat(np.repeat(grain, 2, axis=0), 2, axis=1)[:height, :width], 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()


@click.command()
@click.argument("rules", type=click.Choice(list(HANDS)))
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--fps", type=float, default=15.0, show_default=True)
@click.option("--glyphs", type=click.Path(path_type=Path), default=Path("training/glyphs"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(rules: str, seed: int, fps: float, glyphs: Path, out: Path) -> None:
    """Film a hand of RULES from the deal to the win."""
    scene = Scene.sample(rules, GlyphBank.load(glyphs), seed)
    with out.open("wb") as file, click.progressbar(scene.film(fps), length=int(scene.script.length * fps)) as bar:
        for still in bar:
            file.write(still.data)


if __name__ == "__main__":
    main()
