"""Reading photos for several visitors with one set of models: one at a time, few waiting, none for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import Protocol

from vision.frames import Region
from vision.reading import Reading
from webui.errors import Refused

DESK = "hupai_desk"
"""Under this name a Flask app keeps its desk among its extensions."""


class PhotoReader(Protocol):
    """What the page needs of `vision.read.Reader`."""

    def read(self, source: bytes, /, *, family: str, rules: str, region: Region | None, name: str) -> Reading:
        """Read one photo, or a part of it, from its file's bytes. Raises `vision.frames.PictureError`."""


class ReadingDesk:
    """A queue of `waiting` photos before a single worker; the threads that serve the page stay free.

    `open_reader` is called once, at the first photo or by `warm`. A photo that takes longer than `seconds` is given
    up: its visitor is told so, and its place stays taken until the worker is done with it.
    """

    def __init__(self, open_reader: Callable[[], PhotoReader], *, waiting: int, seconds: float) -> None:
        self._open_reader = open_reader
        self._seconds = seconds
        self._places = threading.BoundedSemaphore(1 + waiting)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hupai-reading")

    @cached_property
    def _reader(self) -> PhotoReader:
        return self._open_reader()

    def _read(self, data: bytes, family: str, rules: str, region: Region | None, name: str) -> Reading:
        return self._reader.read(data, family=family, rules=rules, region=region, name=name)

    def warm(self) -> None:
        """Open the models in the background, so that the first visitor does not wait for them."""
        self._worker.submit(lambda: self._reader)

    def read(self, data: bytes, *, family: str, rules: str, region: Region | None, name: str) -> Reading:
        """Read the encoded picture `data`, or its part `region`, as tiles of `family` under the rule set `rules`.

        Raises Refused with status 503 where the queue is full or the time is over, and what the reader raises.
        """
        if not self._places.acquire(blocking=False):
            raise Refused("busy", "Other photos are being read just now; try again in a moment.", 503)
        future: Future[Reading] = self._worker.submit(self._read, data, family, rules, region, name)
        future.add_done_callback(lambda _: self._places.release())
        try:
            return future.result(timeout=self._seconds)
        except TimeoutError:
            if future.done():
                raise
            future.cancel()
            message = "Reading this photo takes too long; try a smaller or a closer one."
            raise Refused("too_slow", message, 503) from None
