"""A camera, a film or a stream, read in a thread of its own: whoever asks gets the newest picture, and none waits.

A camera that is lost (unplugged, busy, asleep, frozen, silent) is opened again and again, ever more rarely, until it is
back. Pictures may come back in another size.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision.frames import Frame, Pixels

WIDTH, HEIGHT = 1280, 720
PATIENCE: Final = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds before each further try, the last again and again
FROZEN_AFTER: Final = 5.0  # seconds; a sensor's noise makes no two pictures alike
SILENT_AFTER: Final = 5.0  # seconds without a picture
STREAM_PATIENCE: Final = 5000  # milliseconds that a stream's server gets to answer
CLOSING: Final = 3.0  # seconds that a thread gets to end
BLACK: Final = 10.0  # mean grey level below which a picture shows nothing

# FFmpeg would tell on standard error what it thinks of a file; OpenCV asks this once, before it opens the first.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


class VideoError(RuntimeError):
    """What was named cannot be opened; the message is one line and says how to mend it."""


class Capture(Protocol):
    """What is asked of an opened source, as of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def get(self, propId: int, /) -> float: ...
    def set(self, propId: int, value: float, /) -> bool: ...
    def release(self) -> None: ...


class State(StrEnum):
    """How a source is: it gives pictures, it was lost and is tried again, or its film has ended."""

    LIVE = "live"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture of a source, numbered from 1, and when it came, in seconds of `time.monotonic`."""

    number: int
    frame: Frame
    at: float


class Video:
    """A source that is open while its `with` block runs.

    `source` is the number of a camera of this machine, a file's path or a stream's URL. Entering the block raises
    VideoError where it cannot be opened; leaving it ends the thread. `opener` opens a source, as OpenCV does.
    """

    def __init__(self, source: int | str, opener: Callable[[int | str], Capture] | None = None) -> None:
        self.source = source
        self._open: Callable[[int | str], Capture] = opener or _opened
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._picture: Picture | None = None
        self._state = State.LIVE
        self._tries = 0  # to open it, since it gave its last picture
        self._stuck: Pixels | None = None  # the picture at which it froze
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Video:
        capture = self._open(self.source)
        image = _grabbed(capture) if capture.isOpened() else None
        if image is None:
            capture.release()
            raise VideoError(self._trouble())
        self._show(image)
        self._thread = threading.Thread(target=self._run, args=(capture,), name=f"video {self.source}", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(CLOSING)

    @property
    def state(self) -> State:
        """How the source is; one that is waited for in vain is lost, though it is live again once a picture comes."""
        with self._changed:
            silent = self._picture is not None and time.monotonic() - self._picture.at > SILENT_AFTER
            return State.LOST if silent and self._state is State.LIVE and not self._is_file() else self._state

    def newer(self, number: int, timeout: float) -> Picture | None:
        """The newest picture, once there is one after that number; None where none came within so many seconds, or the
        source has changed its state."""
        with self._changed:
            state = self._state
            self._changed.wait_for(lambda: self._number > number or self._state is not state, timeout)
            return self._picture if self._number > number else None

    @property
    def _number(self) -> int:
        return self._picture.number if self._picture else 0

    def _run(self, capture: Capture) -> None:
        try:
            while self._play(capture):
                capture.release()
                capture = self._again()
        finally:
            capture.release()

    def _play(self, capture: Capture) -> bool:
        """Read pictures until the source gives none; whether to open it again."""
        # A file gives its pictures as fast as one asks; a camera blocks until it has one.
        pause = 1 / (capture.get(cv2.CAP_PROP_FPS) or 25.0) if self._is_file() else 0.0
        due = time.monotonic()
        alike_since, before = due, self._picture.frame.image if self._picture else None
        while not self._stop.is_set():
            image, now = _grabbed(capture), time.monotonic()
            if image is None:
                self._tell(State.ENDED if self._is_file() else State.LOST)
                return not self._is_file()
            if before is None or not np.array_equal(before, image):
                alike_since = now
            elif now - alike_since >= FROZEN_AFTER and not self._is_file() and not self._is_stuck(image):
                self._stuck = image
                self._tell(State.LOST)
                return True
            self._show(image)
            before, due = image, max(now, due + pause)
            self._stop.wait(due - now)
        return False

    def _is_stuck(self, image: Pixels) -> bool:
        """Whether the source froze at this picture before: opening it again did not help, so that it may be all that it
        has to show, such as a covered lens or a still."""
        return self._stuck is not None and np.array_equal(self._stuck, image)

    def _again(self) -> Capture:
        """The source, opened again as soon as it can be; closed where there is no more need."""
        while True:
            self._stop.wait(PATIENCE[min(self._tries, len(PATIENCE) - 1)])
            self._tries += 1
            capture = self._open(self.source)
            if self._stop.is_set() or capture.isOpened():
                return capture
            capture.release()

    def _show(self, image: Pixels) -> None:
        height, width = image.shape[:2]
        with self._changed:
            self._picture = Picture(self._number + 1, Frame(image, width, height), time.monotonic())
            self._state, self._tries = State.LIVE, 0
            self._changed.notify_all()

    def _tell(self, state: State) -> None:
        with self._changed:
            self._state = state
            self._changed.notify_all()

    def _is_file(self) -> bool:
        return isinstance(self.source, str) and "://" not in self.source

    def _trouble(self) -> str:
        if isinstance(self.source, int):
            return (
                f"camera {self.source} gives no picture: plug it in, close what else uses it, or allow its use; "
                "other numbers stand for other cameras"
            )
        if self._is_file():
            return f"{self.source} cannot be played: check the path, or save it as MP4 or MJPEG"
        return f"{self.source} gives no picture: check the address, and that the stream runs"


def is_black(frame: Frame) -> bool:
    """Whether a frame shows nothing: the lens is covered, or the room is dark."""
    return float(frame.image[::16, ::16].mean()) < BLACK


def _grabbed(capture: Capture) -> Pixels | None:
    """The next picture; None where there is none, or none that can be decoded."""
    try:
        grabbed, image = capture.read()
    except cv2.error:
        return None
    return np.asarray(image, np.uint8) if grabbed and image is not None and image.size else None


def _opened(source: int | str) -> Capture:
    # OpenCV tells at length of every backend that does not know the source; what matters is said once, by the caller.
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        capture = _stream(source) if isinstance(source, str) and "://" in source else cv2.VideoCapture(source)
    finally:
        cv2.utils.logging.setLogLevel(level)
    if isinstance(source, int):
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        # Old pictures in a queue are of no use.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _stream(url: str) -> cv2.VideoCapture:
    patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC]
    return cv2.VideoCapture(url, cv2.CAP_ANY, [value for name in patience for value in (name, STREAM_PATIENCE)])
