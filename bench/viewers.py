"""Ten viewers of the table's camera and one phone that sends its own pictures, over HTTP, for some minutes.

    python bench/viewers.py [--rules xiangqi-3] [--viewers 10] [--minutes 10] [--glyphs training/glyphs]

A rendered film (models/training/film.py) stands in for both cameras: the table's shows it at 30 frames a second and is
unplugged each time that it ends, the phone sends its next frame once the one before is answered. The server is the one
that `hupai serve` runs. It fails where a request fails, or memory or threads have become more; the thread that reads
photos stays until the process ends.
"""

from __future__ import annotations

import http.client
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import click
import numpy as np

# Beside this file lies bench/scoring.py, which is not the package of that name.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.append(str(Path(__file__).resolve().parent))

from soak import Looped, Work, watched

from models.training.faces.glyphs import GlyphBank
from models.training.film import HANDS, Scene
from webui.app import close, create_app
from webui.serve import wsgi_server

CAMERA_FPS = 30.0
PAUSE = 0.1  # seconds between an answer and what is asked next
PHONE_FPS = 10.0


class Visitor:
    """A browser that has opened the page; `ms` is how long each answer took, `failed` what was refused."""

    def __init__(self, port: int) -> None:
        host = f"127.0.0.1:{port}"
        self._connection = http.client.HTTPConnection(host, timeout=30)
        self._headers = {"Origin": f"http://{host}"}
        self.ms: list[float] = []
        self.failed: list[str] = []
        self._headers["X-CSRF-Token"] = json.loads(self.ask("GET", "/api/start") or b'{"csrf": ""}')["csrf"]

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        """The body of the answer; empty where there is none, or the request failed."""
        start = time.perf_counter()
        try:
            self._connection.request(method, path, body, {**self._headers, "Content-Type": kind})
            answer = self._connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()  # the next request opens it again
            self.failed.append(f"{method} {path}: {error!r}")
            return b""
        self.ms.append(1000 * (time.perf_counter() - start))
        if cookie := answer.getheader("Set-Cookie"):
            self._headers["Cookie"] = cookie.split(";")[0]
        if answer.status < 400:
            return data
        self.failed.append(f"{method} {path}: {answer.status} {data[:200].decode(errors='replace')}")
        return b""

    def post(self, path: str, value: Mapping[str, object]) -> bytes:
        """Post a value as JSON."""
        return self.ask("POST", path, json.dumps(value).encode())

    def close(self) -> None:
        """Leave."""
        self._connection.close()


def watching(visitor: Visitor, rules: str) -> Iterator[float]:
    """What a viewer does, step by step: the seconds until its next."""
    visitor.post("/api/live/table", {"rules": rules})
    have = 0
    while True:
        news = visitor.ask("GET", f"/api/live/table?have={have}")
        if news:
            have = json.loads(news.partition(b"\n")[0])["number"]
        yield PAUSE


def sending(visitor: Visitor, rules: str, film: Sequence[bytes]) -> Iterator[float]:
    """What a phone does, step by step: the seconds until its next."""
    phone = json.loads(visitor.post("/api/live/phone", {"rules": rules}) or b'{"phone": ""}')["phone"]
    for picture in cycle(film):
        start = time.monotonic()
        visitor.ask("POST", f"/api/live/phone/{phone}/frame", picture, "image/jpeg")
        yield max(0.0, start + 1 / PHONE_FPS - time.monotonic())


@contextmanager
def visited(film: Sequence[bytes], rules: str, viewers: int, fps: float, seen: list[Visitor]) -> Iterator[Work]:
    """The server with its visitors, who are `seen`; the work done is the answers that they got."""
    app = create_app({"CAMERA": 0, "CAMERA_OPENER": lambda source: Looped(film, fps)})
    listener = socket.create_server(("127.0.0.1", 0))
    server = wsgi_server(app, listener, None)
    serving = threading.Thread(target=server.run)
    serving.start()
    stop = threading.Event()

    def go(steps: Callable[[Visitor], Iterator[float]]) -> None:
        visitor = Visitor(listener.getsockname()[1])
        seen.append(visitor)
        for pause in steps(visitor):
            if stop.wait(pause):
                break
        visitor.close()

    ways: list[Callable[[Visitor], Iterator[float]]] = [lambda one: watching(one, rules)] * viewers
    ways.append(lambda one: sending(one, rules, film))
    visitors = [threading.Thread(target=go, args=(way,)) for way in ways]
    for one in visitors:
        one.start()

    def work(until: float) -> int:
        before = sum(len(visitor.ms) for visitor in seen)
        time.sleep(max(0.0, until - time.monotonic()))
        return sum(len(visitor.ms) for visitor in seen) - before

    try:
        yield work
    finally:
        stop.set()
        for one in visitors:
            one.join()
        close(app)
        server.close()
        serving.join()
        server.task_dispatcher.shutdown()


@click.command()
@click.option("--rules", type=click.Choice(list(HANDS)), default="xiangqi-3", show_default=True)
@click.option("--viewers", default=10, show_default=True)
@click.option("--minutes", default=10.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--fps", default=15.0, show_default=True, help="Frames a second in the film's time.")
@click.option("--glyphs", type=click.Path(path_type=Path), default=Path("training/glyphs"), show_default=True)
def main(rules: str, viewers: int, minutes: float, seed: int, fps: float, glyphs: Path) -> None:
    """Let viewers and a phone visit hupai, and fail if one is refused or it grows."""
    try:
        bank = GlyphBank.load(glyphs)
    except FileNotFoundError:
        raise click.ClickException(f"no glyphs in {glyphs}: build them as docs/models.md says") from None
    film = [still.data for still in Scene.sample(rules, bank, seed).film(fps)]
    seen: list[Visitor] = []
    run = watched(60 * minutes, visited(film, rules, viewers, CAMERA_FPS, seen), click.echo)
    ms = [one for visitor in seen for one in visitor.ms]
    click.echo(f"{len(seen)} visitors, {len(ms)} answers, 95 % of them within {np.percentile(ms, 95):.0f} ms")
    faults = [
        *replace(run, left=max(0, run.left - 1)).faults,
        *(failed for visitor in seen for failed in visitor.failed),
    ]
    if len(seen) <= viewers:
        faults.append(f"{viewers + 1 - len(seen)} visitors could not come in")
    if faults:
        raise click.ClickException("; ".join(faults[:10]))


if __name__ == "__main__":
    main()
