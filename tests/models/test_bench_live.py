"""What the benches of the live camera count: identity, and what may run for hours."""

from __future__ import annotations

import importlib.util
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.training.faces.glyphs import GlyphBank
from models.training.film import Scene, Still
from models.training.tables import Seen
from vision.hand import HandReading
from vision.reading import Quad, Sighting
from vision.track import Track, View

SIDE = 40.0


@pytest.fixture(scope="module")
def bench() -> Iterator[dict[str, ModuleType]]:
    """The scripts of the benches by name; beside them lies a scoring.py, which is not the package."""
    folder = Path(__file__).parents[2] / "bench"
    path, found = sys.path.copy(), dict[str, ModuleType]()
    for name in ("live", "viewers"):
        spec = importlib.util.spec_from_file_location(f"bench_{name}", folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found[name] = module
    yield found | {"soak": sys.modules["soak"]}
    sys.path[:] = path


def corners(x: float) -> Any:
    return np.array([[x, 0.0], [x + SIDE, 0.0], [x + SIDE, SIDE], [x, SIDE]])


def moment(
    bench: Any, at: float, truth: Sequence[tuple[float, float]], tracks: Sequence[tuple[int | None, float]]
) -> Any:
    """One frame: how far along each tile is and how much of it shows; the tracks, and how far along they are."""
    seen = tuple(Seen(corners(x), "rP", True, False, shows, np.zeros(2)) for x, shows in truth)
    quads = [Quad(tuple(map(tuple, corners(x).tolist())), 0.9, False, "up") for _, x in tracks]  # type: ignore[arg-type]
    followed = tuple(
        Track(id, Sighting(quad, "rP", 0.9, ()), 1.0, covered=False, locked=False)
        for (id, _), quad in zip(tracks, quads, strict=True)
    )
    view = View(640, 360, followed, (0,) * len(followed), HandReading((), (), None), False, True, 0, {})
    return bench.Moment(Still(at, b"", seen), view, 1.0, 1.0)


def counted(
    bench: Any, *frames: tuple[float, Sequence[tuple[float, float]], Sequence[tuple[int | None, float]]]
) -> int:
    count: int = bench.switches([moment(bench, *frame) for frame in frames])
    return count


BOTH = [(0.0, 1.0), (100.0, 1.0)]
"""Two tiles that can be seen whole."""


def test_tiles_that_keep_their_ids_switch_none(bench: dict[str, Any]) -> None:
    frames = [(n / 10, BOTH, [(7, 0.0), (3, 100.0)]) for n in range(3)]
    assert counted(bench["live"], *frames) == 0


def test_two_tiles_that_change_ids_are_two_switches(bench: dict[str, Any]) -> None:
    before, after = [(7, 0.0), (3, 100.0)], [(3, 0.0), (7, 100.0)]
    assert counted(bench["live"], (0.0, BOTH, before), (0.1, BOTH, after), (0.2, BOTH, after)) == 2
    assert counted(bench["live"], (0.0, BOTH, before), (0.1, BOTH, after), (0.2, BOTH, before)) == 4


def test_a_tile_keeps_its_track_while_this_is_near(bench: dict[str, Any]) -> None:
    """Two tiles pass each other, and for a moment each is nearer to the other's track."""
    passing = [(40.0, 1.0), (50.0, 1.0)]
    frames = [(0.0, BOTH, [(7, 0.0), (3, 100.0)]), (0.1, passing, [(7, 52.0), (3, 38.0)])]
    assert counted(bench["live"], *frames) == 0


def test_a_tile_that_was_not_followed_for_a_while_is_still_asked_for(bench: dict[str, Any]) -> None:
    one = [(0.0, 1.0)]
    frames = [(0.0, one, [(7, 0.0)]), (0.1, one, []), (2.0, one, []), (2.1, [(200.0, 1.0)], [(8, 200.0)])]
    assert counted(bench["live"], *frames) == 1


@pytest.mark.parametrize(
    ("hidden", "place", "switches"),
    [(2.0, 200.0, 0), (0.3, 200.0, 1), (2.0, 0.0, 1)],
    ids=["carried in a hand", "behind another for a moment", "under an arm"],
)
def test_what_a_hand_carries_may_be_known_or_not(
    bench: dict[str, Any], hidden: float, place: float, switches: int
) -> None:
    frames = [
        (0.0, [(0.0, 1.0)], [(7, 0.0)]),
        (hidden / 2, [(0.0, 0.2)], [(7, 0.0)]),
        (hidden, [(place, 1.0)], [(8, place)]),
    ]
    assert counted(bench["live"], *frames) == switches


def test_what_is_guessed_or_hardly_shows_is_nobody(bench: dict[str, Any]) -> None:
    frames = [(0.0, BOTH, [(7, 0.0), (3, 100.0)]), (0.1, [(0.0, 1.0), (100.0, 0.3)], [(None, 0.0), (8, 100.0)])]
    assert counted(bench["live"], *frames) == 0


def test_names_are_right_where_they_belong_to_the_tile(bench: dict[str, Any]) -> None:
    one = moment(bench["live"], 0.0, [(0.0, 1.0), (100.0, 1.0), (300.0, 0.2)], [(7, 4.0)])
    assert list(bench["live"].right_names(one.still.tiles, bench["live"].sightings(one.view))) == [True, False]


@contextmanager
def working(step: Any) -> Iterator[Any]:
    """Work that does a step each time that it is asked."""

    def work(until: float) -> int:
        step()
        time.sleep(max(0.0, until - time.monotonic()))
        return 1

    yield work


def test_what_grows_is_found(bench: dict[str, Any]) -> None:
    soak, kept, said = bench["soak"], list[Any](), list[str]()
    part = int(max(0.01 * soak.resident(), 2**20))
    grown = soak.watched(0.3, working(lambda: kept.append(np.ones(part, np.uint8))), said.append)
    assert any("memory grew by" in fault for fault in grown.faults)
    assert len(said) == 10
    assert "threads" in said[-1]
    kept.clear()
    flat = soak.watched(0.3, working(lambda: None), said.append)
    assert flat.faults == []


def test_threads_left_behind_are_found(bench: dict[str, Any]) -> None:
    stop, started = threading.Event(), list[threading.Thread]()

    def start() -> None:
        started.append(threading.Thread(target=stop.wait))
        started[-1].start()

    run = bench["soak"].watched(0.3, working(start), lambda line: None)
    stop.set()
    for one in started:
        one.join()
    assert any("threads more at the end" in fault for fault in run.faults)
    assert "120 threads left behind" in run.faults


def test_nothing_done_is_a_fault(bench: dict[str, Any]) -> None:
    @contextmanager
    def idle() -> Iterator[Any]:
        yield lambda until: 0

    assert bench["soak"].watched(0.1, idle(), lambda line: None).faults == ["nothing was done"]


def test_a_camera_that_shows_a_film_is_unplugged_at_its_end(bench: dict[str, Any]) -> None:
    film = [cv2.imencode(".png", np.full((4, 6, 3), level, np.uint8))[1].tobytes() for level in (10, 20)]
    camera = bench["soak"].Looped(film, 50.0)
    start = time.monotonic()
    levels = [camera.read()[1][0, 0, 0] for _ in film]
    assert (levels, camera.read(), camera.isOpened(), camera.get(5)) == ([10, 20], (False, None), True, 50)
    assert time.monotonic() - start >= 0.02


def test_the_live_camera_is_soaked(bench: dict[str, Any], bank_folder: Path) -> None:
    """Some seconds of what runs for an hour, on a film of few pictures, so that the camera is lost again and again."""
    command = ["--soak", "4", "--fps", "0.25", "--rules", "xiangqi-3", "--glyphs", str(bank_folder)]
    done = CliRunner().invoke(bench["live"].main, command)
    assert done.exit_code == 0, done.output
    assert len(done.output.splitlines()) == 10
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("video")]


def test_viewers_and_a_phone_are_served(bench: dict[str, Any], bank: GlyphBank) -> None:
    film = [still.data for still in Scene.sample("xiangqi-3", bank, 3, (320, 180)).film(0.25)]
    seen: list[Any] = []
    run = bench["soak"].watched(4.0, bench["viewers"].visited(film, "xiangqi-3", 3, 30.0, seen), lambda line: None)
    assert run.left <= 1
    assert len(seen) == 4
    assert [visitor.failed for visitor in seen] == [[]] * 4
    assert min(len(visitor.ms) for visitor in seen) > 1


def test_a_visitor_who_is_refused_is_told(bench: dict[str, Any], bank: GlyphBank) -> None:
    film = [still.data for still in Scene.sample("xiangqi-3", bank, 3, (320, 180)).film(0.1)]
    seen: list[Any] = []
    bench["soak"].watched(0.5, bench["viewers"].visited(film, "no-such-rules", 1, 30.0, seen), lambda line: None)
    assert all("unknown_rules" in visitor.failed[0] for visitor in seen)
