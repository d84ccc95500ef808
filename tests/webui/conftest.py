"""What the tests of the page share: a photo whose reading is known, an app that reads it, a client that may post."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from vision.frames import Region
from vision.reading import HandReading, MeldReading, Quad, Reading, Sighting
from webui import create_app
from webui.authority import Keyring
from webui.machine import IpAddress
from webui.secure import Identity
from webui.serve import wsgi_server

WIDTH, HEIGHT, RADIUS = 1280, 960, 58


def sighting(code: str | None, x: int, y: int, alternatives: tuple[tuple[str, float], ...] = ()) -> Sighting:
    """A disc around (x, y), face down where it has no code."""
    left, right, top, bottom = x - RADIUS, x + RADIUS, y - RADIUS, y + RADIUS
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    quad = Quad(corners, 0.95, True, "down" if code is None else "up")
    shares = alternatives or (((code, 0.97),) if code else ())
    return Sighting(quad, code, shares[0][1] if shares else 0.99, shares)


def table() -> Reading:
    """A concealed kong of black horses; three red chariots and a red soldier misread as a cannon; a soldier wins.

    With the soldier mended the hand wins; three backs in the corner belong to the wall.
    """
    kong = [sighting(None if place in (0, 3) else "bH", 160 + place * 122, 250) for place in range(4)]
    row = [sighting("rR", 160 + place * 122, 560) for place in range(3)]
    misread = sighting("rC", 526, 560, (("rC", 0.55), ("rP", 0.40), ("rH", 0.03)))
    wall = [sighting(None, 900 + place * 122, 880) for place in range(3)]
    return Reading(
        photo="hand.jpg",
        width=WIDTH,
        height=HEIGHT,
        family="xiangqi",
        rules="xiangqi-3",
        set_name="factory",
        tiles=(*kong, *row, misread, sighting("rP", 770, 560), *wall),
        groups=(0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 3),
        hand=HandReading((4, 5, 6, 7), (MeldReading("concealed_kong", (0, 1, 2, 3), ("bH",) * 4),), 8),
        ms={"decode": 1.0, "detect": 2.0, "classify": 3.0, "assemble": 4.0},
    )


def draw(reading: Reading) -> bytes:
    """A JPEG that shows discs where the reading has its tiles."""
    image = np.full((reading.height, reading.width, 3), (78, 96, 62), np.uint8)
    for tile in reading.tiles:
        xs, ys = zip(*tile.quad.corners, strict=True)
        centre = (round(sum(xs) / 4), round(sum(ys) / 4))
        cv2.circle(image, centre, RADIUS - 2, (140, 190, 222), -1, cv2.LINE_AA)
        cv2.circle(image, centre, RADIUS - 2, (40, 85, 120), 5, cv2.LINE_AA)
        if tile.code:
            colour = (20, 30, 170) if tile.code.startswith("r") else (20, 20, 20)
            cv2.putText(image, tile.code[1:], (centre[0] - 22, centre[1] + 24), 0, 2.2, colour, 6, cv2.LINE_AA)
    return bytes(cv2.imencode(".jpg", image)[1])


class KnownReader:
    """Reads every photo as `reading`, once `gate` is open; `begun` is set meanwhile, `calls` keeps what was asked."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.gate = threading.Event()
        self.gate.set()
        self.begun = threading.Event()
        self.calls: list[dict[str, Any]] = []

    def read(self, source: bytes, /, *, family: str, rules: str, region: Region | None, name: str) -> Reading:
        self.calls.append({"bytes": len(source), "family": family, "rules": rules, "region": region, "name": name})
        self.begun.set()
        self.gate.wait(10)
        return self.reading


@dataclass
class Page:
    """A browser's part: posts with the page's origin and its CSRF token."""

    client: FlaskClient
    origin: str = "http://localhost"

    def csrf(self) -> str:
        token: str = self.client.get("/api/start").get_json()["csrf"]
        return token

    def headers(self) -> dict[str, str]:
        return {"Origin": self.origin, "X-CSRF-Token": self.csrf()}

    def post(self, path: str, body: object) -> TestResponse:
        return self.client.post(path, json=body, headers=self.headers())

    def upload(self, data: bytes | None, name: str = "hand.jpg", rules: str = "xiangqi-3", **form: Any) -> TestResponse:
        form["rules"] = rules
        if data is not None:
            form["photo"] = (io.BytesIO(data), name)
        return self.client.post("/api/read", data=form, headers=self.headers())


@pytest.fixture(scope="session")
def reading() -> Reading:
    return table()


@pytest.fixture(scope="session")
def photo(reading: Reading) -> bytes:
    return draw(reading)


@pytest.fixture
def reader(reading: Reading) -> KnownReader:
    return KnownReader(reading)


@pytest.fixture
def app(reader: KnownReader) -> Flask:
    return create_app({"TESTING": True, "READER": lambda: reader})


@pytest.fixture
def page(app: Flask) -> Page:
    return Page(app.test_client())


@dataclass
class Served:
    """An app behind the real server, on a free port of this machine."""

    address: str
    reader: KnownReader


@contextmanager
def serving(app: Flask, identity: Identity | None = None, host: str = "127.0.0.1") -> Iterator[str]:
    """The app behind the real server, at the plain address that is given back; over TLS too under an identity."""
    listener = socket.socket()
    listener.bind((host, 0))
    server = wsgi_server(app, listener, identity)
    over = threading.Event()

    def run() -> None:
        # closed by the thread that waits on its sockets, once no other one answers anybody
        while not over.is_set():
            server.asyncore.loop(timeout=0.05, map=server._map, count=1)
        server.task_dispatcher.shutdown()
        server.asyncore.close_all(server._map)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield f"http://{host}:{server.effective_port}"
    finally:
        over.set()
        thread.join(15)


@pytest.fixture
def served(reader: KnownReader) -> Iterator[Served]:
    with serving(create_app({"READER": lambda: reader})) as address:
        yield Served(address, reader)


LAPTOP: frozenset[str | IpAddress] = frozenset({"laptop.local", "localhost", ip_address("127.0.0.1")})
"""What the machine of the tests over https is called."""


@pytest.fixture
def identity(tmp_path: Path) -> Identity:
    """An authority of its own, and the certificate that a server shows."""
    keyring = Keyring(tmp_path / "https")
    return Identity(keyring, keyring.authority("laptop", LAPTOP), LAPTOP)
