"""The live view's server side: one reading for all who look at the table, a tracker of its own for each phone."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from conftest import Page, draw
from flask import Flask
from werkzeug.test import TestResponse

from hupai.serve import serve
from vision import video
from vision.frames import Frame
from vision.reading import Reading
from vision.track import LOST_FOR, Track, View
from webui import create_app, watch
from webui.app import close
from webui.errors import Refused
from webui.watch import Follower, Phones

RULES = {"rules": "xiangqi-3"}
SIZE = (640, 480)


class KnownTracker:
    """Sees a reading's tiles in every frame, track by track; `busy` is cleared while it shall not be done."""

    def __init__(self, reading: Reading, *, locked: bool = True) -> None:
        self.reading, self.locked = reading, locked
        self.hidden: set[int] = set()
        self.updates = 0
        self.free = threading.Event()
        self.free.set()
        self.begun = threading.Event()

    def update(self, frame: Frame, at: float) -> View:
        self.updates += 1
        self.begun.set()
        assert self.free.wait(10)
        shown = [place for place in range(len(self.reading.tiles)) if place not in self.hidden]
        tracks = [
            Track(None if tile.guessed else place, tile, 1.0, covered=False, locked=self.locked)
            for place, tile in enumerate(self.reading.tiles)
            if place in shown
        ]
        groups = tuple(self.reading.groups[place] for place in shown)
        hand = replace(self.reading.hand) if not self.hidden else replace(self.reading.hand, melds=(), win=None)
        hand = hand if not self.hidden else replace(hand, concealed=())
        return View(frame.width, frame.height, tuple(tracks), groups, hand, self.locked, True, 0, {"glance": 1.0})


class Camera:
    """A camera of the machine that gives a picture whenever one is allowed, and none once it was unplugged."""

    def __init__(self, *, opens: bool = True) -> None:
        self.opens = opens
        self.allowed = threading.Semaphore(1)
        self.endless = threading.Event()
        self.unplugged = threading.Event()
        self.read_so_far = 0
        self.released = False

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, Any]:
        while not (self.endless.wait(0.004) or self.unplugged.is_set() or self.allowed.acquire(blocking=False)):
            pass
        if self.unplugged.is_set():
            return False, None
        self.read_so_far += 1
        return True, np.full((SIZE[1], SIZE[0], 3), 60 + self.read_so_far % 150, np.uint8)

    def get(self, propId: int, /) -> float:
        return 250.0

    def set(self, propId: int, value: float, /) -> bool:
        return True

    def release(self) -> None:
        self.released = True


class Plugs:
    """Opens the cameras one after the other, the last one again and again."""

    def __init__(self, *cameras: Camera) -> None:
        self.cameras = list(cameras)
        self.opened = 0

    def __call__(self, source: int | str) -> Camera:
        self.opened += 1
        camera = self.cameras[min(self.opened, len(self.cameras)) - 1]
        camera.released = False
        return camera


@dataclass
class Table:
    """An app whose camera and tracker are known."""

    app: Flask
    camera: Camera
    plugs: Plugs
    trackers: list[KnownTracker]

    @property
    def tracker(self) -> KnownTracker:
        return self.trackers[-1]

    def viewer(self) -> Viewer:
        return Viewer(Page(self.app.test_client()))


@dataclass
class Viewer:
    """One who looks at the table: asks for what is newer than the number that it has."""

    page: Page
    have: int = 0

    def start(self, **choice: str) -> TestResponse:
        return self.page.post("/api/live/table", RULES | choice)

    def ask(self) -> dict[str, Any] | None:
        """What is new, with the `jpeg`; None where nothing is."""
        response = self.page.client.get(f"/api/live/table?have={self.have}")
        if response.status_code == 204:
            assert response.data == b""
            return None
        assert response.status_code == 200, response.get_json()
        line, _, jpeg = response.data.partition(b"\n")
        told: dict[str, Any] = json.loads(line)
        self.have = told["number"]
        return {**told, "jpeg": jpeg}

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What is new once it is so."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            told = self.ask()
            if told is not None and condition(told):
                return told
            time.sleep(0.01)
        raise AssertionError("it never was so")


def is_live(told: dict[str, Any]) -> bool:
    return bool(told["state"] == "live" and told["jpeg"])


def threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith(("hupai-watch", "video"))]


@pytest.fixture
def make(reading: Reading, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Makes apps with a camera; none of their threads outlives the test."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    monkeypatch.setattr(video, "PATIENCE", (0.01, 0.02))
    monkeypatch.setattr(watch, "TRY_AGAIN", 0.02)
    tables: list[Table] = []

    def new(*cameras: Camera, source: int | str = 0, **config: Any) -> Table:
        trackers: list[KnownTracker] = []

        def open_tracker(*_: object) -> KnownTracker:
            trackers.append(KnownTracker(reading))
            return trackers[-1]

        plugs = Plugs(*(cameras or (Camera(),)))
        settings = {"TESTING": True, "READER": lambda: None, "TRACKER": open_tracker, "CAMERA": source}
        app = create_app(settings | {"CAMERA_OPENER": plugs} | config)
        tables.append(Table(app, plugs.cameras[0], plugs, trackers))
        return tables[-1]

    yield new
    for table in tables:
        for camera in table.plugs.cameras:
            camera.endless.set()
        close(table.app)
    assert threads() == []


def test_ten_viewers_cost_one_reading(make: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    encode = watch.to_jpeg
    monkeypatch.setattr(watch, "to_jpeg", lambda *given: encoded.append(1) or encode(*given))
    table = make()
    viewers = [table.viewer() for _ in range(10)]
    for viewer in viewers:
        assert viewer.start().status_code == 200
    for pictures in range(1, 6):
        told = [viewer.until(is_live) for viewer in viewers]
        assert len({one["jpeg"] for one in told}) == 1
        assert len(encoded) == table.tracker.updates == table.camera.read_so_far == pictures
        table.camera.allowed.release()
        viewers[0].until(lambda told, before=told[0]: told["jpeg"] != before["jpeg"])
        viewers[0].have = 0
    assert table.plugs.opened == 1
    assert len(table.trackers) == 1
    assert sorted(threads()) == ["hupai-watch", "video 0"]


def test_who_has_all_gets_nothing_and_who_is_slow_gets_the_newest(make: Callable[..., Table]) -> None:
    table = make()
    viewer = table.viewer()
    viewer.start()
    first = viewer.until(is_live)
    image = cv2.imdecode(np.frombuffer(first["jpeg"], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (SIZE[1], SIZE[0], 3)
    assert viewer.ask() is None
    quick = table.viewer()
    quick.until(is_live)
    for _ in range(5):
        table.camera.allowed.release()
        quick.until(is_live)
    late = viewer.until(is_live)
    assert late["number"] >= first["number"] + 5
    assert viewer.ask() is None


def test_asking_starts_nothing(make: Callable[..., Table]) -> None:
    table = make()
    viewer = table.viewer()
    assert viewer.ask() is None
    assert viewer.page.client.get("/api/live").get_json() == {"table": {"state": "resting", "rules": None, "set": None}}
    assert table.plugs.opened == 0
    assert threads() == []


def test_a_camera_that_nobody_looks_at_is_released_and_opened_again(make: Callable[..., Table]) -> None:
    table = make(CAMERA_IDLE=0.3)
    table.camera.endless.set()
    viewer = table.viewer()
    viewer.start()
    viewer.until(is_live)
    end = time.monotonic() + 20
    while threads() and time.monotonic() < end:
        time.sleep(0.05)
    assert threads() == []
    assert table.camera.released
    assert viewer.until(lambda told: True)["state"] == "resting"
    viewer.start()
    viewer.until(is_live)
    assert (table.plugs.opened, len(table.trackers)) == (2, 1)


def test_a_camera_that_is_unplugged_is_told_and_shown_again(make: Callable[..., Table]) -> None:
    first, second = Camera(), Camera(opens=False)
    second.endless.set()
    table = make(first, second)
    viewer = table.viewer()
    viewer.start()
    before = viewer.until(is_live)
    first.unplugged.set()
    lost = viewer.until(lambda told: told["state"] == "lost")
    assert lost["jpeg"] == before["jpeg"]  # what was seen last stays
    second.opens = True
    again = viewer.until(is_live)
    assert again["reading"] == before["reading"]
    assert table.plugs.opened >= 2


def test_a_camera_that_is_busy_at_first_is_tried_again(make: Callable[..., Table]) -> None:
    table = make(Camera(opens=False))
    table.camera.endless.set()
    viewer = table.viewer()
    viewer.start()
    assert viewer.until(lambda told: told["state"] == "lost")["jpeg"] == b""
    table.camera.opens = True
    viewer.until(is_live)


def test_a_film_that_has_ended_begins_again_on_wish(make: Callable[..., Table]) -> None:
    table = make(source="film.avi")
    viewer = table.viewer()
    viewer.start()
    viewer.until(is_live)
    table.camera.unplugged.set()
    viewer.until(lambda told: told["state"] == "ended")
    table.camera.unplugged.clear()
    table.camera.endless.set()
    viewer.start()
    viewer.until(is_live)


def test_what_one_viewer_says_of_a_tile_all_see(make: Callable[..., Table]) -> None:
    table = make()
    one, other = table.viewer(), table.viewer()
    one.start()
    one.until(is_live)
    other.until(is_live)
    said = [{"op": "name", "tile": 7, "code": "rP"}, {"op": "win", "tile": 8}]
    answer = one.page.post("/api/live/table/corrections", {"corrections": said})
    assert answer.status_code == 200
    seen = other.until(lambda told: bool(told["corrections"]))
    assert seen["corrections"] == answer.get_json()["corrections"] == [{**one_said, "step": 1} for one_said in said]
    assert seen["version"] == answer.get_json()["version"]
    assert seen["reading"]["tiles"][7]["code"] == "rC"  # the reading stays as it came
    other.page.post("/api/live/table/corrections", {"undo": True})
    assert one.until(lambda told: told["version"] > seen["version"])["corrections"] == []


def test_other_rules_are_chosen_for_all(make: Callable[..., Table]) -> None:
    table = make()
    one, other = table.viewer(), table.viewer()
    one.start()
    one.until(is_live)
    one.page.post("/api/live/table/corrections", {"corrections": [{"op": "remove", "tile": 2}]})
    assert other.start(rules="xiangqi-4").get_json()["rules"] == "xiangqi-4"
    assert one.until(lambda told: told["rules"] == "xiangqi-4")["corrections"] == []
    assert len(table.trackers) == 2
    assert one.start(rules="xiangqi-4").status_code == 200
    assert len(table.trackers) == 2
    assert table.plugs.opened == 1


def test_no_thread_is_left_after_closing(make: Callable[..., Table]) -> None:
    table = make()
    table.camera.endless.set()
    viewer = table.viewer()
    viewer.start()
    viewer.until(is_live)
    close(table.app)
    assert threads() == []
    assert table.camera.released
    viewer.start()
    assert threads() == []  # closed for good


def test_without_a_camera_the_page_is_told_so(page: Page) -> None:
    assert page.client.get("/api/live").get_json() == {"table": None}
    for response in (page.post("/api/live/table", RULES), page.client.get("/api/live/table")):
        assert response.status_code == 404
        assert response.get_json()["error"]["code"] == "no_camera"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "unknown_rules"),
        ({"rules": "chess"}, 400, "unknown_rules"),
        ({"rules": ["xiangqi-3"]}, 400, "unknown_rules"),
        ({"rules": "xiangqi-3", "set": "absent"}, 422, "no_set"),
        ({"rules": "xiangqi-3", "set": 3}, 422, "no_set"),
        ([], 400, "not_an_object"),
    ],
)
@pytest.mark.parametrize("path", ["/api/live/table", "/api/live/phone"])
def test_a_choice_that_cannot_be_is_refused(
    make: Callable[..., Table],
    path: str,
    body: object,
    status: int,
    code: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: object,
) -> None:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    response = Page(make().app.test_client()).post(path, body)
    assert (response.status_code, response.get_json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("have", ["x", "1.5", "", "-", "9" * 400])
def test_a_number_that_is_none_is_refused(make: Callable[..., Table], have: str) -> None:
    response = make().app.test_client().get(f"/api/live/table?have={have}")
    assert response.status_code in (204, 400)


# ---- phones ----


def jpeg(width: int = SIZE[0], height: int = SIZE[1], level: int = 90) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((height, width, 3), level, np.uint8))[1])


def joined(page: Page) -> str:
    response = page.post("/api/live/phone", RULES)
    assert response.status_code == 200, response.get_json()
    key: str = response.get_json()["phone"]
    return key


def send(page: Page, key: str, data: bytes, csrf: str | None = None) -> TestResponse:
    headers = {"Origin": page.origin, "X-CSRF-Token": csrf or page.csrf(), "Content-Type": "image/jpeg"}
    return page.client.post(f"/api/live/phone/{key}/frame", data=data, headers=headers)


def test_a_phone_gets_what_its_own_frames_show(make: Callable[..., Table], reading: Reading) -> None:
    table = make(source=None)
    page, other = Page(table.app.test_client()), Page(table.app.test_client())
    key, other_key = joined(page), joined(other)
    assert key != other_key
    assert len(table.trackers) == 2
    answer = send(page, key, jpeg()).get_json()
    assert (answer["locked"], answer["black"], answer["corrections"]) == (True, False, [])
    tiles = answer["reading"]["tiles"]
    assert [tile["track"] for tile in tiles] == list(range(len(reading.tiles)))
    assert (answer["reading"]["width"], answer["reading"]["height"]) == SIZE
    assert send(page, key, jpeg()).get_json()["version"] == answer["version"]  # nothing has changed
    assert [tracker.updates for tracker in table.trackers] == [2, 0]
    said = page.post(f"/api/live/phone/{key}/corrections", {"corrections": [{"op": "remove", "tile": 3}]}).get_json()
    assert said["version"] > answer["version"]
    assert send(page, key, jpeg()).get_json()["corrections"] == [{"op": "remove", "tile": 3, "step": 1}]
    assert send(other, other_key, jpeg()).get_json()["corrections"] == []
    assert send(page, key, jpeg(level=0)).get_json()["black"] is True


def test_phones_are_bounded_and_those_that_leave_make_room(make: Callable[..., Table]) -> None:
    table = make(source=None, PHONES=2)
    page = Page(table.app.test_client())
    first, _ = joined(page), joined(page)
    refused = page.post("/api/live/phone", RULES)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (503, "too_many_phones")
    assert page.post(f"/api/live/phone/{first}/close", {}).status_code == 200
    third = joined(page)
    gone = send(page, first, jpeg())
    assert (gone.status_code, gone.get_json()["error"]["code"]) == (404, "no_phone")
    assert send(page, third, jpeg()).status_code == 200


def test_a_phone_that_falls_silent_is_forgotten(reading: Reading) -> None:
    phones = Phones(most=1, idle=0.15)
    key = phones.open(Follower(KnownTracker(reading), "xiangqi-3", "xiangqi", "factory"))
    phones.look(key, jpeg())
    time.sleep(0.1)
    phones.look(key, jpeg())
    time.sleep(0.1)
    assert len(phones) == 1
    time.sleep(0.1)
    assert len(phones) == 0
    with pytest.raises(Refused) as refused:
        phones.look(key, jpeg())
    assert refused.value.code == "no_phone"
    phones.open(Follower(KnownTracker(reading), "xiangqi-3", "xiangqi", "factory"))


def test_a_quiet_phone_gives_its_place_to_another(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.watch.QUIET", 0.2)
    phones = Phones(most=1, idle=60)

    def follower() -> Follower:
        return Follower(KnownTracker(reading), "xiangqi-3", "xiangqi", "factory")

    first = phones.open(follower())
    with pytest.raises(Refused) as refused:
        phones.open(follower())
    assert refused.value.code == "too_many_phones"
    time.sleep(0.3)
    assert len(phones) == 1  # nobody has asked for its place
    second = phones.open(follower())
    phones.look(second, jpeg())
    with pytest.raises(Refused) as gone:
        phones.look(first, jpeg())
    assert gone.value.code == "no_phone"


def test_a_phone_has_one_frame_on_its_way(make: Callable[..., Table]) -> None:
    table = make(source=None)
    page = Page(table.app.test_client())
    key, csrf = joined(page), page.csrf()
    table.tracker.free.clear()
    answers: list[int] = []
    cookie = page.client.get_cookie("hupai")
    assert cookie is not None

    def sending() -> None:
        client = table.app.test_client()
        client.set_cookie("hupai", cookie.value)
        answers.append(send(Page(client), key, jpeg(), csrf).status_code)

    first = threading.Thread(target=sending)
    first.start()
    assert table.tracker.begun.wait(10)
    second = send(page, key, jpeg(), csrf)
    assert (second.status_code, second.get_json()["error"]["code"]) == (503, "busy")
    assert second.headers["Retry-After"]
    table.tracker.free.set()
    first.join(10)
    assert answers == [200]
    assert table.tracker.updates == 1


def test_only_some_phones_are_read_at_once(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "FRAME_TURN", 0.05)
    phones = Phones(most=3, at_once=1)
    slow, quick = KnownTracker(reading), KnownTracker(reading)
    keys = [phones.open(Follower(tracker, "xiangqi-3", "xiangqi", "factory")) for tracker in (slow, quick)]
    slow.free.clear()
    first = threading.Thread(target=phones.look, args=(keys[0], jpeg()))
    first.start()
    assert slow.begun.wait(10)
    with pytest.raises(Refused) as refused:
        phones.look(keys[1], jpeg())
    assert refused.value.status == 503
    slow.free.set()
    first.join(10)
    assert phones.look(keys[1], jpeg())["locked"] is True


def bomb() -> bytes:
    """A JPEG that says of itself that it is 30,000 pixels a side."""
    data = bytearray(jpeg(64, 64))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = (30_000).to_bytes(2, "big") * 2
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 422, "empty"),
        (b"no picture at all", 422, "not_a_picture"),
        (bytes(cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1]), 422, "unsupported"),
        (jpeg()[:600], 422, "truncated"),
        (jpeg(8, 8), 422, "too_small"),
        (jpeg(2400, 2000), 413, "too_large"),
        (bomb(), 413, "too_large"),
        (jpeg() + bytes(3 * 2**20), 413, "too_large"),
    ],
)
def test_hostile_frames_are_refused_and_nothing_is_lost(
    make: Callable[..., Table], data: bytes, status: int, code: str
) -> None:
    table = make(source=None)
    page = Page(table.app.test_client())
    key = joined(page)
    response = send(page, key, data)
    assert (response.status_code, response.get_json()["error"]["code"]) == (status, code)
    assert table.tracker.updates == 0
    assert send(page, key, jpeg()).status_code == 200


@pytest.mark.parametrize("key", ["x", "a" * 500, "../table", "%00", "..%2f..%2fetc"])
def test_a_key_that_nobody_was_given_opens_nothing(make: Callable[..., Table], key: str) -> None:
    table = make()
    page = Page(table.app.test_client())
    response = send(page, key, jpeg())
    assert response.status_code == 404
    assert response.get_json()["error"]["code"] in ("no_phone", "not_found")


@pytest.mark.parametrize(
    "path", ["table", "table/corrections", "phone", "phone/KEY/frame", "phone/KEY/corrections", "phone/KEY/close"]
)
def test_other_sites_may_do_nothing_here(make: Callable[..., Table], path: str) -> None:
    table = make()
    page = Page(table.app.test_client())
    path = f"/api/live/{path.replace('KEY', joined(page))}"
    token = page.csrf()
    for headers in (
        {"Origin": "http://evil.example", "X-CSRF-Token": token},
        {"Origin": page.origin},
        {"X-CSRF-Token": token},
        {"Origin": page.origin, "X-CSRF-Token": token, "Host": "evil.example"},
    ):
        assert page.client.post(path, json=RULES, headers=headers).status_code == 403
    assert table.plugs.opened == 0
    assert len(table.trackers) == 1


def test_on_the_network_nobody_looks_without_the_key_of_the_link(make: Callable[..., Table]) -> None:
    client = make(TOKEN="a-token-that-is-long-enough-to-be-no-guess").app.test_client()
    for path in ("/live", "/api/live", "/api/live/table"):
        assert client.get(path).status_code == 403


def test_only_pages_with_a_camera_may_ask_for_one(make: Callable[..., Table]) -> None:
    client = make().app.test_client()
    assert "camera=(self)" in client.get("/live").headers["Permissions-Policy"]
    for path in ("/", "/tonight", "/api/live"):
        assert "camera=()" in client.get(path).headers["Permissions-Policy"]
    policy = client.get("/live").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


# ---- what was said of tiles ----


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        "name",
        [3],
        [{}],
        [{"op": "add", "tile": 1, "code": "rK", "polygon": None}],
        [{"op": "name", "tile": 1}],
        [{"op": "name", "tile": 1, "code": "1m"}],
        [{"op": "name", "tile": 1, "code": ["rK"]}],
        [{"op": "name", "tile": "1", "code": "rK"}],
        [{"op": "name", "tile": True, "code": "rK"}],
        [{"op": "name", "tile": 2**60, "code": "rK"}],
        [{"op": "win"}],
        [{"op": ["win"], "tile": 1}],
        [{"op": "place", "tiles": [1], "place": "pocket"}],
        [{"op": "place", "tiles": 1, "place": "hand"}],
        [{"op": "place", "tiles": [], "place": "hand"}],
        [{"op": "meld", "tiles": [1, 2, 3], "type": "chi"}],
        [{"op": "meld", "tiles": list(range(100)), "type": "pong"}],
        [{"op": "remove", "tile": 1}] * 100,
    ],
)
def test_what_cannot_be_said_of_a_tile_is_refused(make: Callable[..., Table], said: object) -> None:
    table = make(source=None)
    page = Page(table.app.test_client())
    key = joined(page)
    response = page.post(f"/api/live/phone/{key}/corrections", {"corrections": said})
    assert response.status_code == 422
    assert response.get_json()["error"]["code"] in ("bad_correction", "too_many_corrections")
    assert send(page, key, jpeg()).get_json()["corrections"] == []


def test_nothing_but_the_form_of_a_correction_is_kept(make: Callable[..., Table]) -> None:
    table = make(source=None)
    page = Page(table.app.test_client())
    key = joined(page)
    said = [{"op": "meld", "tiles": [4, 5, 6], "type": "pong", "concealed": "yes", "more": "x" * 1000, "step": 99}]
    kept = page.post(f"/api/live/phone/{key}/corrections", {"corrections": said}).get_json()["corrections"]
    assert kept == [{"op": "meld", "tiles": [4, 5, 6], "type": "pong", "step": 1}]


def frame() -> Frame:
    return Frame(np.full((SIZE[1], SIZE[0], 3), 90, np.uint8), *SIZE)


def test_a_correction_holds_as_long_as_its_tile_is_known(reading: Reading) -> None:
    tracker = KnownTracker(reading)
    follower = Follower(tracker, "xiangqi-3", "xiangqi", "factory")
    follower.update(frame(), 1.0)
    follower.correct([{"op": "name", "tile": 7, "code": "rP"}])
    follower.correct([{"op": "place", "tiles": [7, 8], "place": "out"}])
    tracker.hidden = {7}
    follower.update(frame(), 2.0)
    assert len(follower.to_json()["corrections"]) == 2  # it may turn up again
    follower.update(frame(), 2.0 + LOST_FOR)
    assert follower.to_json()["corrections"] == [{"op": "place", "tiles": [8], "place": "out", "step": 2}]
    tracker.hidden = {7, 8}
    follower.update(frame(), 3.0 + 2 * LOST_FOR)
    assert follower.to_json()["corrections"] == []


def test_the_version_grows_only_when_something_changes(reading: Reading) -> None:
    tracker = KnownTracker(reading)
    follower = Follower(tracker, "xiangqi-3", "xiangqi", "factory")
    versions = []
    for at, change in enumerate((None, None, "locked", None, "hidden", None)):
        if change == "locked":
            tracker.locked = False
        if change == "hidden":
            tracker.hidden = {9}
        follower.update(frame(), float(at))
        versions.append(follower.to_json()["version"])
    assert versions == [1, 1, 2, 2, 3, 3]


def test_guessed_tiles_have_numbers_of_their_own(reading: Reading) -> None:
    tiles = list(reading.tiles)
    for place in (0, 3):
        tiles[place] = replace(tiles[place], guessed=True)
    follower = Follower(KnownTracker(replace(reading, tiles=tuple(tiles))), "xiangqi-3", "xiangqi", "factory")
    follower.update(frame(), 1.0)
    told = follower.to_json()["reading"]["tiles"]
    assert [tile["track"] for tile in told[:5]] == [-1, 1, 2, -2, 4]
    assert not any(tile["covered"] for tile in told)


def test_a_reading_that_is_accepted_has_the_form_of_a_photos(reading: Reading) -> None:
    follower = Follower(KnownTracker(reading), "xiangqi-3", "xiangqi", "factory")
    follower.update(Frame(cv2.imdecode(np.frombuffer(draw(reading), np.uint8), cv2.IMREAD_COLOR), 1280, 960), 1.0)
    told, photo = follower.to_json()["reading"], reading.to_json()
    assert set(photo) - set(told) == {"ms"}
    assert told["hand"] == photo["hand"]
    for seen, read in zip(told["tiles"], photo["tiles"], strict=True):
        assert {key: seen[key] for key in read} == read


@pytest.mark.parametrize(
    ("camera", "words"), [("absent.avi", "cannot be played"), ("93", "camera 93 gives no picture")]
)
def test_a_camera_that_cannot_be_opened_is_said_before_the_page_is_served(camera: str, words: str) -> None:
    result = CliRunner().invoke(serve, ["--camera", camera, "--port", "0"])
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
