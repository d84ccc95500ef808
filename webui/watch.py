"""What a camera sees, followed for the live view: one camera of this machine for all viewers, and one of each phone.

However many look at the table's camera, its pictures are read once, in one thread that runs while somebody looks. A
phone's pictures are read as they come, in the thread of the request.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from vision.frames import Frame, PictureError, decode, inspect, to_jpeg
from vision.recording import Moment, Recording, snapshot
from vision.track import LOST_FOR, View
from vision.video import Capture, Picture, State, Video, VideoError, is_black
from webui.errors import Refused

LOOK_UP: Final = 0.5  # seconds after which a camera that gives nothing is looked at again
TRY_AGAIN: Final = 2.0  # seconds before a camera that could not be opened is tried once more
CLOSING: Final = 8.0  # seconds that the thread gets to end
SHOWN_SIDE, SHOWN_QUALITY = 1280, 78

MAX_FRAME_BYTES: Final = 2 * 2**20
MAX_FRAME_PIXELS: Final = 4_000_000
FRAME_TURN: Final = 2.0  # seconds that a phone's picture waits for its turn
QUIET: Final = 8.0  # seconds without a picture after which a phone gives its place to another

Correction = dict[str, Any]
"""What a person said of tiles, in the form of the page's records; tiles are named by their track's number."""


class Tracking(Protocol):
    """What is needed of `vision.track.Tracker`."""

    def update(self, frame: Frame, at: float) -> View:
        """What is known after one more frame."""


class Follower:
    """The tiles before one camera, and what people have said of them.

    A correction holds as long as its tile is known. Frames come from one thread at a time; the rest may be asked from
    any. `rules` and `set_name` say what the tracker looks for.
    """

    def __init__(self, tracker: Tracking, rules: str, family: str, set_name: str) -> None:
        self.rules, self.family, self.set_name = rules, family, set_name
        self._tracker = tracker
        self._lock = threading.Lock()
        self._known: dict[str, Any] = {"locked": False, "black": False, "reading": None}
        self._seen: dict[int, float] = {}  # when each track was last known
        self._corrections: list[Correction] = []
        self._version = 0
        self._last: tuple[Frame, float] | None = None
        self.recording = Recording()

    def update(self, frame: Frame, at: float) -> None:
        """Look at one more frame, taken at a time in seconds that never runs backwards."""
        known = self._told(self._tracker.update(frame, at), is_black(frame))
        tracks = [tile["track"] for tile in known["reading"]["tiles"]]
        with self._lock:
            self._seen |= dict.fromkeys(tracks, at)
            self._seen = {track: seen for track, seen in self._seen.items() if at - seen < LOST_FOR}
            kept = [held for one in self._corrections if (held := _among(one, self._seen)) is not None]
            if known != self._known or kept != self._corrections:
                self._version += 1
            self._known, self._corrections, self._last = known, kept, (frame, at)
        if self.recording.on:
            self.recording.add(at, lambda: to_jpeg(frame.image, SHOWN_SIDE), self.to_json())

    def correct(self, corrections: Sequence[Correction]) -> None:
        """Take down what a person said; all of it is one step, which undo takes back."""
        with self._lock:
            step = max((one["step"] for one in self._corrections), default=0) + 1
            self._corrections = [*self._corrections, *({**one, "step": step} for one in corrections)]
            self._version += 1

    def undo(self) -> None:
        """Take the last step back."""
        with self._lock:
            last = max((one["step"] for one in self._corrections), default=0)
            self._corrections = [one for one in self._corrections if one["step"] != last]
            self._version += 1

    def record(self, on: bool) -> None:
        """Keep the last seconds in memory from now on, or forget them."""
        self.recording.switch(on)
        with self._lock:
            self._version += 1

    def snapshot(self) -> Moment | None:
        """The last picture with what is known; None before the first."""
        last = self._last
        return None if last is None else snapshot(last[1], to_jpeg(last[0].image, SHOWN_SIDE), self.to_json())

    def to_json(self) -> dict[str, Any]:
        """What is known: `version` grows whenever any of it changes, and `reading` is as of a photo.

        Each tile has a `track`, its number for as long as it is followed (below zero where it is but guessed), and
        is `covered` or not. `locked` says that the hand is at rest, `black` that the picture shows nothing,
        `recording` that the last seconds are kept.
        """
        with self._lock:
            choice: dict[str, Any] = {"rules": self.rules, "set": self.set_name, "version": self._version}
            choice["recording"] = self.recording.on
            return {**choice, **self._known, "corrections": self._corrections}

    def _told(self, view: View, black: bool) -> dict[str, Any]:
        reading = view.reading("", self.family, self.rules, self.set_name).to_json()
        del reading["ms"]  # it differs from frame to frame, though nothing else may
        guessed = 0
        for tile, track in zip(reading["tiles"], view.tracks, strict=True):
            guessed += track.id is None
            tile["track"] = -guessed if track.id is None else track.id
            tile["covered"] = track.covered and track.id is not None
        return {"locked": view.locked, "black": black, "reading": reading}


def _among(correction: Correction, tracks: dict[int, float]) -> Correction | None:
    """What is left of a correction when only those tracks are still known; None where nothing is."""
    if "tile" in correction:
        return correction if correction["tile"] in tracks else None
    tiles = [tile for tile in correction["tiles"] if tile in tracks]
    return {**correction, "tiles": tiles} if tiles else None


class Status(StrEnum):
    """How the table's camera is: being opened, giving pictures, lost and tried again, at its film's end, or at rest
    because nobody looks."""

    OPENING = "opening"
    LIVE = "live"
    LOST = "lost"
    ENDED = "ended"
    RESTING = "resting"


@dataclass(frozen=True, slots=True)
class News:
    """What a viewer is shown: what is known as JSON, and the picture as JPEG, empty while there is none."""

    told: dict[str, Any]
    jpeg: bytes


class Watch:
    """The camera of this machine that all viewers share.

    `source` is its number, a film's path or a stream's URL, `opener` what opens it (OpenCV, where None). It is open
    while viewers look, and released when none has asked for `idle` seconds.
    """

    def __init__(
        self, source: int | str, opener: Callable[[int | str], Capture] | None = None, *, idle: float = 30.0
    ) -> None:
        self.source = source
        self._opener, self._idle = opener, idle
        self._lock = threading.RLock()
        self._encoding = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._follower: Follower | None = None
        self._status = Status.RESTING
        self._asked = 0.0
        self._number = 0  # of what is known: grows with each picture, and with all else that a viewer would see
        self._picture: Picture | None = None
        self._jpeg: tuple[Picture, bytes] | None = None

    @property
    def follower(self) -> Follower | None:
        """What follows the tiles now; None before anyone has looked."""
        return self._follower

    def start(self, follower: Follower | None = None) -> None:
        """Look at the table from now on, with another follower where one is given."""
        with self._lock:
            self._asked = time.monotonic()
            if follower is not None:
                self._follower = follower
            self._number += 1
            if self._thread is None and not self._stop.is_set():
                self._status = Status.OPENING
                self._thread = threading.Thread(target=self._run, name="hupai-watch", daemon=True)
                self._thread.start()

    def touch(self) -> None:
        """Tell viewers that what they see has changed by itself, such as by a correction."""
        with self._lock:
            self._number += 1

    def news(self, have: int) -> News | None:
        """What is newer than the number that a viewer has; None where nothing is. Asking keeps the camera open."""
        with self._lock:
            self._asked = time.monotonic()
            if self._number == have or self._follower is None:
                return None
            told = {"number": self._number, "state": self._status, **self._follower.to_json()}
            picture = self._picture
        return News(told, b"" if picture is None else self._as_jpeg(picture))

    def status(self) -> dict[str, Any]:
        """How the camera is, and what is looked for; both null before anyone has looked."""
        with self._lock:
            held = self._follower
            choice = (held.rules, held.set_name) if held else (None, None)
            return {"state": self._status, "rules": choice[0], "set": choice[1]}

    def close(self) -> None:
        """End for good: the camera is released and its thread has ended."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join(CLOSING)

    def _as_jpeg(self, picture: Picture) -> bytes:
        # Encoded when the first viewer asks; the others of the same moment get the same bytes.
        with self._encoding:
            if self._jpeg is None or self._jpeg[0] is not picture:
                self._jpeg = picture, to_jpeg(picture.frame.image, SHOWN_SIDE, SHOWN_QUALITY)
            return self._jpeg[1]

    def _run(self) -> None:
        try:
            while not self._play():
                pass
        finally:
            # Whatever ended it, the next viewer who asks begins anew.
            with self._lock:
                if self._thread in (None, threading.current_thread()):
                    self._thread = None
                    if self._status is not Status.ENDED:
                        self._tell(Status.RESTING)

    def _play(self) -> bool:
        """Open the camera and follow its pictures; whether this is the end."""
        try:
            with Video(self.source, self._opener) as video:
                self._follow(video)
        except VideoError:
            self._tell(Status.LOST)
            self._stop.wait(TRY_AGAIN)
        with self._lock:
            ends = self._status is Status.ENDED or not self._wanted()
            if ends:
                self._thread = None
            return ends

    def _follow(self, video: Video) -> None:
        number = 0
        while self._wanted():
            picture = video.newer(number, LOOK_UP)
            if picture is not None:
                number = picture.number
                self._take(picture)
            elif video.state is State.ENDED:
                return self._tell(Status.ENDED)
            elif video.state is State.LOST:
                self._tell(Status.LOST)
        return None

    def _take(self, picture: Picture) -> None:
        follower = self._follower
        if follower is not None:
            follower.update(picture.frame, picture.at)
        with self._lock:
            self._picture = picture
            self._status = Status.LIVE
            self._number += 1

    def _tell(self, status: Status) -> None:
        with self._lock:
            if self._status is not status:
                self._status = status
                self._number += 1

    def _wanted(self) -> bool:
        return not self._stop.is_set() and time.monotonic() - self._asked < self._idle


@dataclass(slots=True)
class _Phone:
    """A phone's own tiles, and when it was last heard of."""

    follower: Follower
    heard: float
    turn: threading.Lock = field(default_factory=threading.Lock)


class Phones:
    """What phones see through their own cameras, each for itself; at most `most` at once.

    One that is not heard of for `idle` seconds is forgotten; where another wants its place, after `QUIET` seconds: its
    page was closed without a word. `at_once` pictures are read at a time.
    """

    def __init__(self, *, most: int = 4, idle: float = 120.0, at_once: int = 2) -> None:
        self._most, self._idle = most, idle
        self._lock = threading.Lock()
        self._turns = threading.BoundedSemaphore(at_once)
        self._phones: dict[str, _Phone] = {}

    def __len__(self) -> int:
        with self._lock:
            self._forget(self._idle)
            return len(self._phones)

    def open(self, follower: Follower) -> str:
        """Take one more phone in; the key under which it sends its pictures. Raises Refused where all places are
        taken."""
        with self._lock:
            self._forget(self._idle)
            if len(self._phones) >= self._most:
                self._forget(min(self._idle, QUIET))
            if len(self._phones) >= self._most:
                message = f"{self._most} phones send their pictures already; close the live view on one of them."
                raise Refused("too_many_phones", message, 503)
            key = secrets.token_urlsafe(16)
            self._phones[key] = _Phone(follower, time.monotonic())
            return key

    def close(self, key: str) -> None:
        """Forget a phone, if it is known."""
        with self._lock:
            self._phones.pop(key, None)

    def follower(self, key: str) -> Follower:
        """What follows a phone's tiles. Raises Refused where that phone is not known (any more)."""
        return self._phone(key).follower

    def look(self, key: str, data: bytes) -> dict[str, Any]:
        """Look at one more picture of a phone, a JPEG file; what is known after it.

        Raises Refused where the phone is not known, or sends faster than it gets answers, and PictureError.
        """
        phone = self._phone(key)
        header = inspect(data)
        if header.format != "JPEG":
            raise PictureError("unsupported", "the live view takes JPEG pictures only")
        if header.width * header.height > MAX_FRAME_PIXELS:
            raise PictureError("too_large", f"a picture of the live view has at most {MAX_FRAME_PIXELS} pixels")
        if not phone.turn.acquire(blocking=False):
            raise _busy()
        try:
            if not self._turns.acquire(timeout=FRAME_TURN):
                raise _busy()
            try:
                phone.follower.update(decode(data), time.monotonic())
            finally:
                self._turns.release()
        finally:
            phone.turn.release()
        return phone.follower.to_json()

    def _phone(self, key: str) -> _Phone:
        with self._lock:
            self._forget(self._idle)
            phone = self._phones.get(key)
            if phone is None:
                raise Refused("no_phone", "This phone is not known any more; start its camera again.", 404)
            phone.heard = time.monotonic()
            return phone

    def _forget(self, silent: float) -> None:
        now = time.monotonic()
        self._phones = {key: one for key, one in self._phones.items() if now - one.heard < silent}


def _busy() -> Refused:
    return Refused("busy", "Other pictures are being read just now; try again in a moment.", 503)
