"""Reading photos for several visitors with one set of models: one at a time, few waiting, none for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import Protocol, TypeVar

from calibration import piece_set
from vision.frames import Region
from vision.name import TaughtPieces
from vision.network import Network
from vision.reading import FACTORY_SET, Reading
from webui.errors import Refused

T = TypeVar("T")

DESK = "hupai_desk"
"""Under this name a Flask app keeps its desk among its extensions."""


class PhotoReader(Protocol):
    """What the page needs of `vision.read.Reader`."""

    @property
    def locator(self) -> Network:
        """The network that finds tiles."""

    @property
    def namer(self) -> Network:
        """The network that names them."""

    def read(
        self,
        source: bytes,
        /,
        *,
        family: str,
        rules: str,
        region: Region | None,
        name: str,
        pieces: TaughtPieces | None = None,
    ) -> Reading:
        """Read one photo, or a part of it, from its file's bytes; `pieces` is the taught set that the tiles are of.

        Raises `vision.frames.PictureError`.
        """


def taught(set_name: str, family: str, reader: PhotoReader) -> TaughtPieces | None:
    """The piece set of that name, ready to name tiles by; None for what the networks know by themselves.

    Raises PieceSetError where there is no such set, or its pieces are of another family.
    """
    if set_name == FACTORY_SET:
        return None
    held = piece_set.load(set_name)
    if held.family != family:
        message = f"the set {held.name!r} is of {held.family} pieces, not {family}; take another set"
        raise piece_set.PieceSetError("wrong_family", message)
    return piece_set.prototypes(held, reader.namer)


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

    def warm(self) -> None:
        """Open the models in the background, so that the first visitor does not wait for them."""
        self._worker.submit(lambda: self._reader)

    def read(
        self, data: bytes, *, family: str, rules: str, region: Region | None, name: str, set_name: str = FACTORY_SET
    ) -> Reading:
        """Read the encoded picture `data`, or its part `region`, as tiles of `family` under the rule set `rules`.

        `set_name` is the piece set that the tiles are of. Raises what `do` and the reader raise, and PieceSetError.
        """

        def act(reader: PhotoReader) -> Reading:
            if set_name == FACTORY_SET:
                return reader.read(data, family=family, rules=rules, region=region, name=name)
            pieces = taught(set_name, family, reader)
            return reader.read(data, family=family, rules=rules, region=region, name=name, pieces=pieces)

        return self.do(act)

    def do(self, act: Callable[[PhotoReader], T], patience: float = 0.0) -> T:
        """What `act` makes with the reader, once its turn comes.

        Where the queue is full, a place in it is waited for, `patience` seconds at most: what is short itself had
        better wait than be refused. Raises Refused with status 503 where none becomes free or the time is over, and
        what `act` raises.
        """
        if not self._places.acquire(timeout=patience):
            raise Refused("busy", "Other photos are being read just now; try again in a moment.", 503)
        future: Future[T] = self._worker.submit(lambda: act(self._reader))
        future.add_done_callback(lambda _: self._places.release())
        try:
            return future.result(timeout=self._seconds)
        except TimeoutError:
            if future.done():
                raise
            future.cancel()
            message = "Reading this photo takes too long; try a smaller or a closer one."
            raise Refused("too_slow", message, 503) from None
