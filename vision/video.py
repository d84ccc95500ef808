"""A camera, a film or a stream, read in a thread of its own: whoever asks gets the newest picture, and none waits.

A camera that is lost (unplugged, busy, asleep, frozen) is opened again and again, ever more rarely, until it is back.
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
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Video:
        capture = self._open(self.source)
        grabbed, image = capture.read() if capture.isOpened() else (False, None)
        if not grabbed:
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
        """How the source is."""
        return self._state

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
            grabbed, image = capture.read()
            now = time.monotonic()
            if not grabbed:
                self._tell(State.ENDED if self._is_file() else State.LOST)
                return not self._is_file()
            if before is None or before.shape != image.shape or not np.array_equal(before, image):
                alike_since = now
            elif now - alike_since >= FROZEN_AFTER and not self._is_file():
                self._tell(State.LOST)
                return True
            before = self._show(image)
            due = max(now, due + pause)
            self._stop.wait(due - now)
        return False

    def _again(self) -> Capture:
        """The source, opened again as soon as it can be; closed where there is no more need."""
        tries = 0
        while True:
            self._stop.wait(PATIENCE[min(tries, len(PATIENCE) - 1)])
            capture = self._open(self.source)
            if self._stop.is_set() or capture.isOpened():
                return capture
            capture.release()
            tries += 1

    def _show(self, image: Any) -> Pixels:
        pixels = np.asarray(image, np.uint8)
        height, width = pixels.shape[:2]
        with self._changed:
            self._picture = Picture(self._number + 1, Frame(pixels, width, height), time.monotonic())
            self._state = State.LIVE
            self._changed.notify_all()
        return pixels

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


def _opened(source: int | str) -> Capture:
    # OpenCV tells at length of every backend that does not know the source; what matters is said once, by the caller.
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        capture = cv2.VideoCapture(source)
    finally:
        cv2.utils.logging.setLogLevel(level)
    if isinstance(source, int):
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        # Old pictures in a queue are of no use.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture
