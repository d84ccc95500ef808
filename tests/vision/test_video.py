"""Cameras that are read in a thread: newest pictures first, lost ones opened again, no thread left behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from vision import video
from vision.video import State, Video, VideoError


class Fake:
    """A camera that gives pictures until its time comes; `opened` counts how often each was opened."""

    def __init__(self, pictures: int, *, opens: bool = True, alike: bool = False) -> None:
        self.left, self.opens, self.alike = pictures, opens, alike
        self.released = False

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, Any]:
        time.sleep(0.002)
        self.left -= 1
        return self.left >= 0, np.full((48, 64, 3), 7 if self.alike else self.left % 250, np.uint8)

    def get(self, propId: int, /) -> float:
        return 500.0

    def set(self, propId: int, value: float, /) -> bool:
        return True

    def release(self) -> None:
        self.released = True


class Torn(Fake):
    """A camera whose pictures cannot be decoded, or have nothing in them."""

    def read(self) -> tuple[bool, Any]:
        if self.left % 2:
            raise cv2.error("corrupt picture")
        return True, np.zeros((0, 0, 3), np.uint8)


class Silent(Fake):
    """A camera whose driver waits for a picture once it has given its last; `woken`, it has more."""

    def __init__(self, pictures: int) -> None:
        super().__init__(pictures)
        self.woken = threading.Event()

    def read(self) -> tuple[bool, Any]:
        if self.left <= 0:
            self.woken.wait(10)
            self.left = 10_000
        return super().read()


class Streaming(BaseHTTPRequestHandler):
    """Sends JPEG pictures as network cameras do: `rounds` tells how many to each who asks, and then falls silent."""

    rounds: ClassVar[list[int]] = []

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        try:
            for n in range(self.rounds.pop(0) if self.rounds else 10_000):
                data = cv2.imencode(".jpg", np.full((48, 64, 3), n % 250, np.uint8))[1].tobytes()
                self.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
                self.wfile.write(data + b"\r\n")
                time.sleep(0.01)
            time.sleep(3)
        except OSError:
            return

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


class Bench:
    """Opens the given cameras one after the other."""

    def __init__(self, *cameras: Fake) -> None:
        self.cameras = list(cameras)
        self.opened = 0

    def __call__(self, source: int | str) -> Fake:
        self.opened += 1
        return self.cameras[min(self.opened, len(self.cameras)) - 1]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No patience, and no thread that outlives its test."""
    monkeypatch.setattr(video, "PATIENCE", (0.01, 0.02))
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def until(condition: Any) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_pictures_come_newest_first() -> None:
    camera = Fake(10_000)
    with Video(0, Bench(camera)) as source:
        first = source.newer(0, 5.0)
        assert first is not None
        until(lambda: camera.left < 9_900)
        later = source.newer(first.number, 5.0)
        assert later is not None
        assert later.number > first.number + 20
        assert later.at > first.at
        assert (later.frame.width, later.frame.height) == (64, 48)
        assert source.state is State.LIVE
    assert camera.released


def test_none_comes_where_there_is_none_in_time() -> None:
    with Video("film.mp4", Bench(Fake(1))) as source:
        until(lambda: source.state is State.ENDED)
        assert source.newer(1, 0.01) is None


@pytest.mark.parametrize(
    ("source", "words"),
    [(3, "camera 3 gives no picture"), ("none.mp4", "none.mp4 cannot be played"), ("rtsp://x/y", "check the address")],
)
@pytest.mark.parametrize("camera", [Fake(0, opens=False), Fake(0)], ids=["closed", "empty"])
def test_what_cannot_be_opened_is_refused(source: int | str, words: str, camera: Fake) -> None:
    with pytest.raises(VideoError, match=words), Video(source, Bench(camera)):
        pass
    assert camera.released


@pytest.mark.parametrize("source", [0, "http://camera/stream"])
def test_a_lost_camera_is_opened_until_it_is_back(source: int | str) -> None:
    lost, gone, dead, back = Fake(3), Fake(0, opens=False), Fake(0), Fake(10_000)
    bench = Bench(lost, gone, dead, gone, back)
    with Video(source, bench) as camera:
        until(lambda: camera.state is State.LOST or bench.opened > 1)
        until(lambda: bench.opened == 5 and camera.state is State.LIVE)
        picture = camera.newer(4, 5.0)
        assert picture is not None
    assert lost.released
    assert gone.released
    assert dead.released
    assert back.released


def test_a_frozen_camera_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "FROZEN_AFTER", 0.05)
    frozen, back = Fake(10_000, alike=True), Fake(10_000)
    bench = Bench(frozen, back)
    with Video(0, bench) as camera:
        until(lambda: bench.opened == 2)
        until(lambda: camera.state is State.LIVE)
    assert frozen.released


def test_a_camera_that_has_but_one_picture_to_show_is_opened_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "FROZEN_AFTER", 0.05)
    bench = Bench(Fake(10_000, alike=True))
    with Video(0, bench) as camera:
        until(lambda: bench.opened == 2 and camera.state is State.LIVE)
        picture = camera.newer(0, 5.0)
        assert picture is not None
        until(lambda: camera.newer(picture.number + 100, 0.0) is not None)
        assert camera.state is State.LIVE
    assert bench.opened == 2


def test_a_picture_that_cannot_be_decoded_is_a_loss() -> None:
    torn, back = Torn(3), Fake(10_000)
    bench = Bench(Fake(3), torn, Torn(4), back)
    with Video(0, bench) as camera:
        until(lambda: bench.opened == 4 and camera.state is State.LIVE)
    assert torn.released


def test_what_cannot_be_decoded_from_the_start_is_refused() -> None:
    with pytest.raises(VideoError, match="camera 0 gives no picture"), Video(0, Bench(Torn(3))):
        pass


def test_a_camera_that_falls_silent_is_lost_until_it_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "SILENT_AFTER", 0.1)
    silent = Silent(5)
    with Video(0, Bench(silent)) as camera:
        until(lambda: camera.state is State.LOST)
        picture = camera.newer(0, 0.0)
        assert picture is not None
        silent.woken.set()
        assert camera.newer(picture.number, 5.0) is not None
        until(lambda: camera.state is State.LIVE)


def test_pictures_may_come_back_in_another_size() -> None:
    class Large(Fake):
        def read(self) -> tuple[bool, Any]:
            grabbed, image = super().read()
            return grabbed, cv2.resize(image, (128, 96))

    with Video(0, Bench(Fake(3), Large(10_000))) as camera:
        sizes = set[tuple[int, int]]()
        number = 0
        while len(sizes) < 2:
            picture = camera.newer(number, 5.0)
            if picture is not None:
                number = picture.number
                sizes.add((picture.frame.width, picture.frame.height))
                assert picture.frame.image.shape[:2] == (picture.frame.height, picture.frame.width)
    assert sizes == {(64, 48), (128, 96)}


def test_a_camera_that_opens_without_giving_anything_is_tried_ever_more_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "PATIENCE", (0.001, 0.002, 60.0))
    bench = Bench(Fake(1), Fake(0))
    with Video(0, bench) as camera:
        until(lambda: bench.opened == 3)
        time.sleep(0.1)
        assert (bench.opened, camera.state) == (3, State.LOST)


def test_a_stream_that_falls_silent_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "STREAM_PATIENCE", 300)
    monkeypatch.setattr(Streaming, "rounds", [100, 100])
    with ThreadingHTTPServer(("127.0.0.1", 0), Streaming) as server:
        server.daemon_threads = True
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        with Video(f"http://127.0.0.1:{server.server_port}/video") as camera:
            until(lambda: camera.state is State.LOST)
            until(lambda: camera.state is State.LIVE)
            picture = camera.newer(0, 5.0)
            assert picture is not None
            assert (picture.frame.width, picture.frame.height) == (64, 48)
        server.shutdown()
        serving.join()
    until(lambda: not [thread for thread in threading.enumerate() if "process_request" in thread.name])


def test_a_film_at_rest_is_not_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "FROZEN_AFTER", 0.01)
    bench = Bench(Fake(50, alike=True))
    with Video("film.mp4", bench) as film:
        until(lambda: film.state is State.ENDED)
    assert bench.opened == 1


def test_a_loss_wakes_whoever_waits() -> None:
    with Video(0, Bench(Fake(100), Fake(0, opens=False))) as camera:
        start = time.monotonic()
        picture = camera.newer(1000, 30.0)
        assert picture is None
        assert time.monotonic() - start < 10
        assert camera.state is State.LOST


def test_closing_does_not_wait_for_a_lost_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "PATIENCE", (60.0,))
    with Video(0, Bench(Fake(1))) as camera:
        until(lambda: camera.state is State.LOST)
        start = time.monotonic()
    assert time.monotonic() - start < 2


def test_a_file_plays_at_its_own_pace(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for n in range(10):
        writer.write(np.full((48, 64, 3), 20 * n, np.uint8))
    writer.release()
    numbers, start = [], time.monotonic()
    with Video(str(path)) as film:
        number = 0
        while picture := film.newer(number, 2.0):
            number = picture.number
            numbers.append(number)
        assert film.state is State.ENDED
    assert numbers[-1] == 10
    assert time.monotonic() - start > 0.35


@pytest.mark.parametrize("source", ["film.mp4", 63])
def test_what_opencv_cannot_open_is_told_in_one_line(
    source: int | str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if isinstance(source, str):
        source = str(tmp_path / source)
        Path(source).write_bytes(b"no film" * 100)
    with pytest.raises(VideoError, match=r"film\.mp4 cannot be played|camera 63 gives no picture"), Video(source):
        pass
    assert capfd.readouterr().err == ""
