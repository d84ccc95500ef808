"""Snapshots and recordings: nothing is kept unless it is wished, all see that it is, and files stay until deleted."""

from __future__ import annotations

import io
import json
import os
import shutil
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import KnownReader, Page, serving
from flask import Flask
from playwright.sync_api import expect, sync_playwright

from vision.frames import Frame
from vision.reading import Reading
from vision.track import Track, View
from webui import create_app, recordings
from webui.app import close

CHROMIUM = os.environ.get("HUPAI_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
PATIENCE = 30_000  # milliseconds, for a machine that does much else


class StillTracker:
    """Sees a reading's tiles at rest in every frame."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def update(self, frame: Frame, at: float) -> View:
        tiles = enumerate(self.reading.tiles)
        tracks = tuple(Track(place, tile, 1.0, covered=False, locked=True) for place, tile in tiles)
        return View(frame.width, frame.height, tracks, self.reading.groups, self.reading.hand, True, True, 0, {})


class Camera:
    """A camera of the machine that always gives a picture."""

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Any]:
        time.sleep(0.03)
        return True, np.random.default_rng().integers(60, 90, (480, 640, 3), np.uint8)

    def get(self, propId: int, /) -> float:
        return 0.0

    def set(self, propId: int, value: float, /) -> bool:
        return True

    def release(self) -> None: ...


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def app(reader: KnownReader, reading: Reading) -> Iterator[Flask]:
    app = create_app(
        {
            "TESTING": True,
            "READER": lambda: reader,
            "CAMERA": 0,
            "CAMERA_OPENER": lambda source: Camera(),
            "TRACKER": lambda reader, rules, pieces: StillTracker(reading),
        }
    )
    yield app
    close(app)


def joined(page: Page) -> str:
    return f"/api/live/phone/{page.post('/api/live/phone', {'rules': 'xiangqi-3'}).get_json()['phone']}"


def show(page: Page, phone: str, level: int = 90) -> dict[str, Any]:
    """Send one picture of a phone."""
    data = bytes(cv2.imencode(".jpg", np.full((480, 640, 3), level, np.uint8))[1])
    answer = page.client.post(f"{phone}/frame", data=data, headers=page.headers() | {"Content-Type": "image/jpeg"})
    told: dict[str, Any] = answer.get_json()
    return told


def kept(page: Page) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = page.client.get("/api/recordings").get_json()["recordings"]
    return files


def opened(page: Page, name: str) -> zipfile.ZipFile:
    with page.client.get(f"/api/recordings/{name}") as response:
        return zipfile.ZipFile(io.BytesIO(response.data))


def code(response: Any) -> str:
    assert 400 <= response.status_code < 500
    found: str = response.get_json()["error"]["code"]
    return found


def test_nothing_is_kept_unless_it_is_wished(page: Page, home: Path) -> None:
    phone = joined(page)
    assert show(page, phone)["recording"] is False
    assert code(page.post(f"{phone}/keep", {"what": "recording"})) == "nothing_recorded"
    assert kept(page) == []
    assert not home.exists()


def test_a_snapshot_is_the_last_picture_with_what_was_read(page: Page, reading: Reading) -> None:
    phone = joined(page)
    assert code(page.post(f"{phone}/keep", {"what": "snapshot"})) == "nothing_recorded"
    told = show(page, phone, level=120)
    response = page.post(f"{phone}/keep", {"what": "snapshot"})
    assert response.status_code == 201
    (file,) = kept(page)
    assert response.get_json()["recording"] == file
    assert (file["kind"], file["bytes"] > 500) == ("snapshot", True)
    with opened(page, file["name"]) as archive:
        (line,) = [json.loads(line) for line in archive.read("views.jsonl").splitlines()]
        picture = cv2.imdecode(np.frombuffer(archive.read("pictures/0001.jpg"), np.uint8), cv2.IMREAD_COLOR)
        about = json.loads(archive.read("about.json"))
    assert line["reading"] == told["reading"]
    assert [tile["code"] for tile in line["reading"]["tiles"]] == [tile.code for tile in reading.tiles]
    assert picture is not None
    assert abs(float(picture.mean()) - 120) < 2
    assert (about["what"], about["camera"], about["rules"], about["set"]) == (
        "snapshot",
        "phone",
        "xiangqi-3",
        "factory",
    )
    assert about["hupai"]


def test_a_recording_holds_what_came_since_it_was_switched_on(page: Page) -> None:
    phone = joined(page)
    show(page, phone)
    assert page.post(f"{phone}/recording", {"on": True}).get_json()["recording"] is True
    for level in (100, 110):
        assert show(page, phone, level)["recording"] is True
        time.sleep(0.12)
    page.post(f"{phone}/keep", {"what": "recording"})
    (file,) = kept(page)
    with opened(page, file["name"]) as archive:
        lines = [json.loads(line) for line in archive.read("views.jsonl").splitlines()]
    assert [line["picture"] for line in lines] == ["pictures/0001.jpg", "pictures/0002.jpg"]
    assert lines[1]["at"] > 0.1
    assert page.post(f"{phone}/recording", {"on": False}).get_json()["recording"] is False
    assert code(page.post(f"{phone}/keep", {"what": "recording"})) == "nothing_recorded"
    assert len(kept(page)) == 1


def test_several_files_of_one_second_stand_in_their_order_and_are_deleted(page: Page) -> None:
    phone = joined(page)
    show(page, phone)
    names = [page.post(f"{phone}/keep", {"what": "snapshot"}).get_json()["recording"]["name"] for _ in range(4)]
    assert len(set(names)) == 4
    assert [file["name"] for file in kept(page)] == names[::-1]
    assert page.client.delete(f"/api/recordings/{names[1]}", headers=page.headers()).get_json() == {"deleted": names[1]}
    assert code(page.client.delete(f"/api/recordings/{names[1]}", headers=page.headers())) == "no_recording"
    assert [file["name"] for file in kept(page)] == [names[3], names[2], names[0]]


def test_files_are_bounded_in_number(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "MOST_KEPT", 2)
    phone = joined(page)
    show(page, phone)
    codes = [page.post(f"{phone}/keep", {"what": "snapshot"}).status_code for _ in range(3)]
    assert codes == [201, 201, 422]
    assert len(kept(page)) == 2


@pytest.mark.parametrize(
    "name", ["..%2Fhands.db", "hands.db", "snapshot-1.zip", ".snapshot-2026-11-28-210000.zip.part"]
)
def test_only_what_was_kept_here_can_be_fetched_or_deleted(page: Page, home: Path, name: str) -> None:
    (home / "recordings").mkdir(parents=True)
    (home / "hands.db").write_bytes(b"mine")
    for path in ("hands.db", "snapshot-1.zip", ".snapshot-2026-11-28-210000.zip.part"):
        (home / "recordings" / path).write_bytes(b"mine")
    assert code(page.client.get(f"/api/recordings/{name}")) in ("no_recording", "not_found")
    assert code(page.client.delete(f"/api/recordings/{name}", headers=page.headers())) in ("no_recording", "not_found")
    assert (home / "hands.db").read_bytes() == b"mine"
    assert kept(page) == []


@pytest.mark.parametrize("body", [{}, {"on": 1}, {"on": None}, {"on": "true"}])
def test_a_switch_is_on_or_off(page: Page, body: object) -> None:
    assert code(page.post(f"{joined(page)}/recording", body)) == "wrong_type"


@pytest.mark.parametrize("what", [None, "film", 1, ["snapshot"]])
def test_what_is_kept_is_a_snapshot_or_a_recording(page: Page, what: object) -> None:
    assert code(page.post(f"{joined(page)}/keep", {"what": what})) == "wrong_type"


def test_a_camera_that_nobody_looks_through_records_nothing(page: Page) -> None:
    assert code(page.post("/api/live/table/recording", {"on": True})) == "no_camera"
    assert code(page.post("/api/live/phone/nobody/recording", {"on": True})) == "no_phone"


def test_a_folder_that_cannot_be_written_is_said_so(page: Page, home: Path) -> None:
    home.mkdir()
    (home / "recordings").write_text("a file in its way")
    phone = joined(page)
    show(page, phone)
    assert code(page.post(f"{phone}/keep", {"what": "snapshot"})) == "cannot_write"
    assert kept(page) == []


@pytest.mark.parametrize("path", ["/api/live/table/recording", "/api/live/phone/x/keep"])
def test_other_sites_may_not_record(page: Page, path: str) -> None:
    response = page.client.post(path, json={"on": True}, headers=page.headers() | {"Origin": "http://evil.example"})
    assert code(response) == "foreign_origin"


@pytest.mark.skipif(CHROMIUM is None, reason="left out: no Chromium is installed, nor named by HUPAI_CHROMIUM")
def test_who_looks_at_the_table_sees_that_it_is_recorded(app: Flask, tmp_path: Path) -> None:
    with serving(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        complaints: list[str] = []
        pages = []
        for _ in range(2):
            one = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
            one.set_default_timeout(2 * PATIENCE)
            one.on("pageerror", lambda error: complaints.append(str(error)))
            one.goto(f"{address}/live")
            one.wait_for_selector("body[data-ready]")
            one.click("#from-table")
            pages.append(one)
        mine, other = pages
        expect(mine.locator("#record")).to_be_enabled(timeout=PATIENCE)
        expect(mine.locator("#recording-sign")).to_be_hidden()
        mine.click("#record")
        expect(mine.locator("#recording-sign")).to_be_visible(timeout=PATIENCE)
        expect(other.locator("#recording-sign")).to_be_visible(timeout=PATIENCE)
        mine.wait_for_timeout(1000)
        mine.click("#keep-recording")
        expect(mine.locator("#recordings li")).to_have_count(1, timeout=PATIENCE)
        with mine.expect_download() as saving:
            mine.get_by_role("link", name="Download").click()
        saving.value.save_as(tmp_path / "recording.zip")
        with zipfile.ZipFile(tmp_path / "recording.zip") as archive:
            assert archive.testzip() is None
            assert json.loads(archive.read("about.json"))["camera"] == "table"
        other.click("#record")  # anyone may end it
        expect(mine.locator("#recording-sign")).to_be_hidden(timeout=PATIENCE)
        mine.get_by_role("button", name="Delete").click()
        expect(mine.locator("#recordings li")).to_have_count(0, timeout=PATIENCE)
        assert mine.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        browser.close()
        assert complaints == []
