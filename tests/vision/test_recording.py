"""The last seconds before a camera: bounded in time and bytes, off until wished for, one file when asked for."""

from __future__ import annotations

import io
import json
import threading
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

import models
from vision.recording import EVERY, Moment, Recording, as_zip, snapshot

JPEG = b"\xff\xd8a picture\xff\xd9"


def times(recording: Recording) -> list[float]:
    return [moment.at for moment in recording.moments()]


def recorded(*at: float, recording: Recording | None = None, size: int = len(JPEG)) -> Recording:
    recording = recording or Recording()
    recording.switch(True)
    for moment in at:
        recording.add(moment, lambda: bytes(size), {"version": 1})
    return recording


def unexpected() -> bytes:
    raise AssertionError("no picture is wanted")


def test_nothing_is_kept_until_it_is_switched_on_and_all_is_forgotten_when_it_is_off() -> None:
    recording = Recording()
    recording.add(0.0, unexpected, {})
    assert (recording.on, recording.moments()) == (False, ())
    recorded(0.0, 1.0, recording=recording)
    assert times(recording) == [0.0, 1.0]
    recording.switch(False)
    assert (recording.on, recording.moments()) == (False, ())
    recording.add(2.0, unexpected, {})


def test_the_last_seconds_are_kept() -> None:
    recording = recorded(*(number / 2 for number in range(200)))
    assert times(recording)[0] == pytest.approx(99.5 - 30.0)
    assert times(recording)[-1] == 99.5


def test_pictures_that_come_too_soon_are_not_even_encoded() -> None:
    recording = recorded(0.0)
    recording.add(EVERY / 2, unexpected, {})
    recording.add(EVERY, lambda: JPEG, {})
    assert times(recording) == [0.0, EVERY]


def test_a_clock_that_was_put_back_begins_anew() -> None:
    assert times(recorded(50.0, 51.0, 3.0, 4.0)) == [3.0, 4.0]


@given(st.lists(st.tuples(st.floats(0.0, 9.0), st.integers(0, 400)), max_size=60))
def test_bytes_and_seconds_are_bounded_whatever_comes(steps: list[tuple[float, int]]) -> None:
    recording = Recording(seconds=20.0, most_bytes=1000)
    recording.switch(True)
    at = 0.0
    for step, size in steps:
        at += step
        recording.add(at, lambda size=size: bytes(size), {"version": 1})
        kept = recording.moments()
        assert sum(moment.size for moment in kept) <= 1000
        assert all(at - moment.at <= 20.0 for moment in kept)
        assert times(recording) == sorted(times(recording))


def test_a_picture_larger_than_all_is_not_kept() -> None:
    assert recorded(0.0, recording=Recording(most_bytes=10), size=11).moments() == ()


def test_it_may_be_switched_and_read_while_pictures_come() -> None:
    recording, failed = Recording(seconds=1e9, most_bytes=10_000), []

    def add(thread: int) -> None:
        try:
            for number in range(300):
                recording.add(number + thread / 10, lambda: JPEG, {"version": number})
                assert sum(moment.size for moment in recording.moments()) <= 10_000
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for number in range(50):
        recording.switch(number % 2 == 0)
    for thread in threads:
        thread.join(30)
    assert failed == []
    recording.switch(False)
    assert recording.moments() == ()
    assert times(recorded(1.0, recording=recording)) == [1.0]  # what was forgotten counts no more


def test_the_file_holds_pictures_lines_and_versions() -> None:
    moments = [
        Moment(10.0, JPEG, b'{"version":1,"locked":false}'),
        snapshot(10.25, JPEG + b"2", {"version": 2, "x": "兵"}),
    ]
    with zipfile.ZipFile(io.BytesIO(as_zip(moments, {"rules": "xiangqi-3"}))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["about.json", "views.jsonl", "pictures/0001.jpg", "pictures/0002.jpg"]
        about = json.loads(archive.read("about.json"))
        lines = [json.loads(line) for line in archive.read("views.jsonl").splitlines()]
        assert archive.read("pictures/0002.jpg") == JPEG + b"2"
    assert lines == [
        {"at": 0.0, "picture": "pictures/0001.jpg", "version": 1, "locked": False},
        {"at": 0.25, "picture": "pictures/0002.jpg", "version": 2, "x": "兵"},
    ]
    assert (about["pictures"], about["seconds"], about["rules"]) == (2, 0.25, "xiangqi-3")
    assert about["networks"]["namer"] == models.card("namer")["sha256"]


def test_of_nothing_there_is_no_file() -> None:
    with pytest.raises(ValueError, match="nothing was recorded"):
        as_zip([], {})
