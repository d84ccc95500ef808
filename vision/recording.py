"""The last seconds before a camera, kept in memory while that is wished, and as one file when it is asked for.

It is there for showing what was misread: pictures, and what was known after each. Nothing is kept unless it was
switched on, and nothing leaves the memory unless somebody asks for the file.

    about.json          what made it, and whatever the caller tells
    views.jsonl         a line of JSON a picture: `at` (seconds after the first), `picture`, and what was known after it
    pictures/0001.jpg   the pictures, in their order
"""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2

import models

SECONDS: Final = 30.0
MOST_BYTES: Final = 48 * 2**20
EVERY: Final = 0.1  # seconds between two pictures that are kept; those that come sooner are left out
MARGIN: Final = 0.01  # a camera's ten pictures a second are never quite a tenth of a second apart
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Moment:
    """A picture as a JPEG file's bytes, what was known after it as JSON, and its time in seconds."""

    at: float
    jpeg: bytes
    told: bytes

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return len(self.jpeg) + len(self.told)


class Recording:
    """The last `seconds` before a camera, in at most `most_bytes`; off until it is switched on.

    All may be called from any thread.
    """

    def __init__(self, seconds: float = SECONDS, most_bytes: int = MOST_BYTES) -> None:
        self._seconds, self._most = seconds, most_bytes
        self._lock = threading.Lock()
        self._on = False
        self._size = 0
        self._moments: deque[Moment] = deque()

    @property
    def on(self) -> bool:
        """Whether pictures are kept."""
        return self._on

    def switch(self, on: bool) -> None:
        """Begin to keep pictures, or end it and forget those that were kept."""
        with self._lock:
            self._on = on
            if not on:
                self._moments.clear()
                self._size = 0

    def add(self, at: float, picture: Callable[[], bytes], told: Mapping[str, Any]) -> None:
        """Keep a picture of a time in seconds, and what was known after it.

        `picture` makes its JPEG; it is called only where the picture is kept.
        """
        with self._lock:
            last = self._moments[-1].at if self._moments else None
            # A clock that ran backwards begins anew.
            if not self._on or (last is not None and 0 <= at - last < EVERY - MARGIN):
                return
        moment = Moment(at, picture(), _line(told))
        with self._lock:
            if not self._on:
                return
            self._moments.append(moment)
            self._size += moment.size
            while self._moments and (self._size > self._most or not 0 <= at - self._moments[0].at <= self._seconds):
                self._size -= self._moments.popleft().size

    def moments(self) -> tuple[Moment, ...]:
        """What is kept, in its order."""
        with self._lock:
            return tuple(self._moments)


def snapshot(at: float, jpeg: bytes, told: Mapping[str, Any]) -> Moment:
    """One picture with what is known after it, in the form of a recording's."""
    return Moment(at, jpeg, _line(told))


def as_zip(moments: Sequence[Moment], about: Mapping[str, Any]) -> bytes:
    """Moments as one zip file's bytes; `about` is told in it. Raises ValueError where there are none."""
    if not moments:
        raise ValueError("nothing was recorded")
    names = [f"pictures/{number:04}.jpg" for number in range(1, len(moments) + 1)]
    first, last = moments[0].at, moments[-1].at
    head = {
        "format": FORMAT,
        "pictures": len(moments),
        "seconds": round(last - first, 3),
        **about,
        "opencv": cv2.__version__,
        "networks": {name: models.card(name)["sha256"] for name in ("locator", "namer")},
    }
    lines = [
        {"at": round(moment.at - first, 3), "picture": name, **json.loads(moment.told)}
        for moment, name in zip(moments, names, strict=True)
    ]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json", json.dumps(head, ensure_ascii=False, indent=1) + "\n")
        archive.writestr("views.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        for moment, name in zip(moments, names, strict=True):
            archive.writestr(name, moment.jpeg, compress_type=zipfile.ZIP_STORED)
    return file.getvalue()


def _line(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
