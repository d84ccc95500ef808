"""How fast and how well a camera's table is followed, on rendered films whose truth is known.

    python bench/live.py [--rules xiangqi-3 ...] [--seed 1] [--fps 15] [--glyphs training/glyphs] [--json]
    python bench/live.py --soak 3600

Each film is drawn anew from its seed (models/training/film.py; needs the training extra and its glyphs): tiles are
dealt and sorted, an arm lies over them, a group is called, a hand wins, the camera moves. Every frame is a 1280×720
JPEG; what is timed is decoding it, following the tiles, and the reading as JSON. Beside it every fifth frame is read
anew, as a photo is. Frames carry the film's time, so that all but the times comes out the same on any machine.

With --soak a camera shows the film again and again for so many seconds, 30 frames a second, is unplugged each time that
it ends, and is read as fast as it can be; it fails where memory or threads have become more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, perf_counter, process_time

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

# Beside this file lies bench/scoring.py, which is not the package of that name.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.append(str(Path(__file__).resolve().parent))

from soak import Looped, Work, watched

import models
import scoring
from models.training.faces.glyphs import GlyphBank
from models.training.film import HANDS, Scene, Script, Still
from models.training.tables import Seen
from vision import frames
from vision.hand import HandShape, assemble
from vision.locate import locate
from vision.matching import assign
from vision.name import name_tiles
from vision.network import Network
from vision.reading import FACTORY_SET, Sighting
from vision.track import Tracker, View, tracker
from vision.video import Video

ANEW = 5
CAMERA_FPS = 30.0
SETTLED = 1.0  # seconds of rest after which names are to be right
VISIBLE = 0.5  # of a tile; what shows less is asked for nothing
NEAR = 0.5  # in sides of a tile: what is found further away is another one
HIDDEN = 0.5  # seconds


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame: what was to be seen, what was made of it, and how many milliseconds that took, by the clock and of
    all cores together."""

    still: Still
    view: View
    ms: float
    cpu_ms: float


@dataclass(frozen=True, slots=True)
class Anew:
    """One frame read as a photo is."""

    still: Still
    tiles: tuple[Sighting, ...]
    ms: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What a film shows. Rates are frames a second, times are seconds, shares lie in [0, 1]; None where there was
    nothing to measure."""

    rules: str
    seed: int
    frames: int
    steady_fps: float
    moving_fps: float
    anew_fps: float
    p95_ms: float
    steady_cpu_ms: float
    moving_cpu_ms: float
    right: float
    right_anew: float
    right_hands: float
    changes_while_locked: int
    rests_locked: str
    lock_after: float | None
    switches_a_minute: float
    vanished: int


def followed(film: Sequence[Still], rules: str, locator: Network, namer: Network) -> list[Moment]:
    """The film, every frame followed."""
    follower = tracker(locator, namer, family=scoring.rule_set(rules).family, rules=rules)
    moments = []
    for still in film:
        start, busy = perf_counter(), process_time()
        view = follower.update(frames.decode(still.data), still.time)
        json.dumps(view.reading("camera", scoring.rule_set(rules).family, rules, FACTORY_SET).to_json())
        moments.append(Moment(still, view, 1000 * (perf_counter() - start), 1000 * (process_time() - busy)))
    return moments


def read_anew(film: Sequence[Still], rules: str, locator: Network, namer: Network) -> list[Anew]:
    """Every so many frames of the film, each read as a photo of its own."""
    rule_set = scoring.rule_set(rules)
    kinds, shape = {tile.code for tile in rule_set.tiles}, HandShape.of(rule_set)
    moments = []
    for still in film[::ANEW]:
        start = perf_counter()
        frame = frames.decode(still.data)
        sightings = name_tiles(frame, locate(frame, locator), namer, rule_set.family, kinds)
        tiles = assemble(sightings, shape).tiles
        moments.append(Anew(still, tiles, 1000 * (perf_counter() - start)))
    return moments


def side(tile: Seen) -> float:
    """The side of the square that covers as much as the tile does, in pixels."""
    return float(np.sqrt(max(1.0, float(cv2.contourArea(tile.corners.astype(np.float32))))))


def apart(truth: Sequence[Seen], tiles: Sequence[Sighting]) -> NDArray[np.float64]:
    """How far each tile of the truth is from each that was found, in its own sides; infinite where they are not near,
    or it cannot be seen."""
    centres = np.array([tile.quad.corners for tile in tiles], np.float64).reshape(-1, 4, 2).mean(axis=1)
    found = np.full((len(truth), len(tiles)), np.inf)
    for place, seen in enumerate(truth):
        if seen.visible >= VISIBLE:
            found[place] = np.linalg.norm(centres - seen.corners.mean(axis=0), axis=1) / side(seen)
    return np.where(found < NEAR, found, np.inf)


def in_rest(script: Script, time: float, after: float) -> bool:
    """Whether all has been at rest for so long."""
    return any(rest.start + after <= time < rest.end for rest in script.rests)


def right_names(truth: Sequence[Seen], tiles: Sequence[Sighting]) -> Iterator[bool]:
    """For each tile that can be seen, whether it was found and named right."""
    pairs = dict(assign(apart(truth, tiles), NEAR))
    for place, seen in enumerate(truth):
        if seen.visible >= VISIBLE:
            yield place in pairs and tiles[pairs[place]].code == seen.code


def sightings(view: View) -> list[Sighting]:
    """The tiles of a view."""
    return [track.sighting for track in view.tracks]


def changes_while_locked(moments: Sequence[Moment]) -> int:
    """How often a locked tile had another name in the next frame, in which it was still locked."""
    changes, before = 0, dict[int, str | None]()
    for moment in moments:
        now = {track.id: track.sighting.code for track in moment.view.tracks if track.locked}
        changes += sum(before[id] != now[id] for id in before.keys() & now.keys())
        before = now
    return changes


def switches(moments: Sequence[Moment]) -> int:
    """How often a tile was followed under another id than before, as CLEAR MOT counts it (Bernardin and Stiefelhagen,
    2008).

    A tile that can be seen belongs to the track that it belonged to last, as long as this is near; the tiles and tracks
    that are left are matched one to one, the nearest ones, but for tracks of what is covered: a tile that comes to lie
    on another is not followed under that one's id. A switch is a track whose id differs from the tile's last one,
    however long ago that was. A tile that comes to light elsewhere after it was out of sight for `HIDDEN` may be known
    or not: nothing can tell alike tiles apart that change places in a closed hand.
    """
    ids = dict[int, int]()
    sights = dict[int, tuple[float, Seen]]()
    count = 0
    for moment in moments:
        time, truth = moment.still.time, moment.still.tiles
        for place, seen in enumerate(truth):
            if seen.visible < VISIBLE:
                continue
            before, was = sights.get(place, (time, seen))
            way = float(np.hypot(*(seen.corners - was.corners).mean(axis=0)))
            if time - before >= HIDDEN and way >= NEAR * side(seen):
                ids.pop(place, None)
            sights[place] = time, seen
        tracks = {track.id: track.sighting for track in moment.view.tracks if track.id is not None}
        names, cost = list(tracks), apart(truth, list(tracks.values()))
        own = [(place, names.index(id)) for place, id in ids.items() if id in tracks]
        held = [(place, column) for place, column in own if np.isfinite(cost[place, column])]
        covered = {track.id for track in moment.view.tracks if track.covered}
        cost[:, [id in covered for id in names]] = np.inf
        for place, column in held:
            cost[place], cost[:, column], cost[place, column] = np.inf, np.inf, 0.0
        for place, number in assign(cost, NEAR):
            count += ids.get(place, names[number]) != names[number]
            ids[place] = names[number]
    return count


def locks(script: Script, moments: Sequence[Moment]) -> list[float | None]:
    """After how many seconds of each rest the hand was locked for the rest of it; None where it was not."""
    after: list[float | None] = []
    for rest in script.rests:
        views = [moment for moment in moments if rest.start <= moment.still.time < rest.end]
        loose = [moment.still.time for moment in views if not moment.view.locked]
        locked = views[-1].view.locked
        after.append((max(loose, default=rest.start) - rest.start) if locked else None)
    return after


def vanished(script: Script, moments: Sequence[Moment]) -> int:
    """How many tiles that were known before the arm came are missing in frames with it, all added up."""
    start, end = script.arm
    before = [moment for moment in moments if moment.still.time < start][-1]
    known = {track.id for track in before.view.tracks}
    during = [moment for moment in moments if start <= moment.still.time < end]
    return sum(len(known - {track.id for track in moment.view.tracks}) for moment in during)


def hand_is_right(rules: str, view: View) -> bool:
    """Whether the hand that was laid out is the one that was read: concealed tiles, called group, winning tile."""
    wanted = HANDS[rules]
    read = view.reading("", scoring.rule_set(rules).family, rules, FACTORY_SET).to_json()["hand"]
    melds = [sorted(meld["tiles"]) for meld in read["melds"]]
    return (sorted(map(str, read["concealed"])), melds, read["win"]) == (
        sorted(wanted.concealed),
        [sorted(wanted.meld)],
        wanted.win,
    )


def rate(ms: Sequence[float]) -> float:
    """Frames a second."""
    return 1000 / float(np.mean(ms)) if ms else 0.0


def measure(rules: str, seed: int, fps: float, glyphs: GlyphBank, networks: tuple[Network, Network]) -> Figures:
    """All figures of one film."""
    scene = Scene.sample(rules, glyphs, seed)
    film = list(scene.film(fps))
    followed(film[: int(fps)], rules, *networks)
    moments, anew = followed(film, rules, *networks), read_anew(film, rules, *networks)
    script = scene.script
    settled = [moment for moment in moments if in_rest(script, moment.still.time, SETTLED)]
    right = [one for moment in settled for one in right_names(moment.still.tiles, sightings(moment.view))]
    right_anew = [
        one
        for moment in anew
        if in_rest(script, moment.still.time, SETTLED)
        for one in right_names(moment.still.tiles, moment.tiles)
    ]
    steady = [moment for moment in moments if in_rest(script, moment.still.time, 0.2)]
    moving = [moment for moment in moments if not in_rest(script, moment.still.time, 0.0)]
    won = [moment for moment in settled if moment.still.time > script.rests[-2].start]
    after = locks(script, moments)
    times = [time for time in after if time is not None]
    return Figures(
        rules=rules,
        seed=seed,
        frames=len(film),
        steady_fps=rate([moment.ms for moment in steady]),
        moving_fps=rate([moment.ms for moment in moving]),
        anew_fps=rate([moment.ms for moment in anew]),
        p95_ms=float(np.percentile([moment.ms for moment in moments], 95)),
        steady_cpu_ms=float(np.mean([moment.cpu_ms for moment in steady])),
        moving_cpu_ms=float(np.mean([moment.cpu_ms for moment in moving])),
        right=float(np.mean(right)),
        right_anew=float(np.mean(right_anew)),
        right_hands=float(np.mean([hand_is_right(rules, moment.view) for moment in won])),
        changes_while_locked=changes_while_locked(moments),
        rests_locked=f"{len(times)} of {len(after)}",
        lock_after=max(times, default=None),
        switches_a_minute=60 * switches(moments) / script.length,
        vanished=vanished(script, moments),
    )


@contextmanager
def live(film: Sequence[bytes], rules: str, follower: Tracker, fps: float) -> Iterator[Work]:
    """A camera that shows the film, followed as fast as it goes."""
    family, number = scoring.rule_set(rules).family, 0

    def work(until: float) -> int:
        nonlocal number
        done = 0
        while (left := until - monotonic()) > 0:
            if (picture := camera.newer(number, left)) is not None:
                number, done = picture.number, done + 1
                view = follower.update(picture.frame, picture.at)
                json.dumps(view.reading("camera", family, rules, FACTORY_SET).to_json())
        return done

    with Video(0, lambda source: Looped(film, fps)) as camera:
        yield work


ROWS = (
    ("frames/s at rest", "steady_fps", ".1f"),
    ("frames/s while something moves", "moving_fps", ".1f"),
    ("frames/s, every frame read anew", "anew_fps", ".1f"),
    ("95 % of frames within, ms", "p95_ms", ".0f"),
    ("ms of all cores a frame, at rest", "steady_cpu_ms", ".0f"),
    ("  while something moves", "moving_cpu_ms", ".0f"),
    ("names right after 1 s of rest", "right", ".2%"),
    ("  each frame read anew", "right_anew", ".2%"),
    ("the won hand read right", "right_hands", ".2%"),
    ("names changed while locked", "changes_while_locked", "d"),
    ("rests that were locked", "rests_locked", "s"),
    ("locked at the latest after, s", "lock_after", ".2f"),
    ("identity switches a minute", "switches_a_minute", ".2f"),
    ("tiles vanished under the arm", "vanished", "d"),
)


@click.command()
@click.option("--rules", type=click.Choice(list(HANDS)), multiple=True, help="Of these rule sets. [default: all]")
@click.option("--seed", "seeds", type=int, multiple=True, default=[1], show_default=True, help="A film for each seed.")
@click.option("--fps", default=15.0, show_default=True, help="Frames a second in the film's time.")
@click.option("--threads", default=2, show_default=True)
@click.option("--glyphs", type=click.Path(path_type=Path), default=Path("training/glyphs"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a film.")
@click.option("--soak", "seconds", type=float, help="Follow the first film for so many seconds, and fail if it grows.")
def main(
    rules: tuple[str, ...],
    seeds: tuple[int, ...],
    fps: float,
    threads: int,
    glyphs: Path,
    as_json: bool,
    seconds: float | None,
) -> None:
    """Print what each film shows."""
    try:
        bank = GlyphBank.load(glyphs)
    except FileNotFoundError:
        raise click.ClickException(f"no glyphs in {glyphs}: build them as docs/models.md says") from None
    networks = (models.load("locator", threads=threads), models.load("namer", threads=threads))
    if seconds is not None:
        name = next(iter(rules or HANDS))
        film = [still.data for still in Scene.sample(name, bank, seeds[0]).film(fps)]
        follower = tracker(*networks, family=scoring.rule_set(name).family, rules=name)
        for number, data in enumerate(film):
            follower.update(frames.decode(data), number / fps)
        follower.forget()
        run = watched(seconds, live(film, name, follower, CAMERA_FPS), click.echo)
        if run.faults:
            raise click.ClickException("; ".join(run.faults))
        return
    found = []
    for name in rules or HANDS:
        for seed in seeds:
            found.append(measure(name, seed, fps, bank, networks))
            if as_json:
                click.echo(json.dumps(asdict(found[-1])))
    if as_json:
        return
    table = Table(title=f"1280×720 at {fps:g} frames/s", title_justify="left")
    table.add_column("")
    for one in found:
        table.add_column(f"{one.rules} #{one.seed}", justify="right")
    for words, key, form in ROWS:
        values = [getattr(one, key) for one in found]
        table.add_row(words, *("–" if value is None else format(value, form) for value in values))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
