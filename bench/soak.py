"""Whether something may run for hours: its memory and its threads, looked at again and again while it does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

FLAT = 0.05
"""By what share memory may grow."""
SAMPLES = 120
"""How often a run is looked at."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process holds after so many seconds: bytes of memory, threads; and how often it has done its work."""

    after: float
    memory: int
    threads: int
    done: int


@dataclass(frozen=True, slots=True)
class Run:
    """A run that was looked at; `left` is how many threads it left behind."""

    samples: tuple[Sample, ...]
    left: int

    @property
    def growth(self) -> float:
        """By what share memory has grown, once all had been used for the first time: the last quarter of the run
        against its second."""
        quarter = max(1, len(self.samples) // 4)
        before, after = self.samples[quarter : 2 * quarter] or self.samples, self.samples[-quarter:]
        return median(one.memory for one in after) / median(one.memory for one in before) - 1

    @property
    def more_threads(self) -> int:
        """How many more threads it had at the end than when all had begun."""
        quarter = len(self.samples) // 4
        return self.samples[-1].threads - self.samples[quarter].threads

    @property
    def faults(self) -> list[str]:
        """What speaks against running it for hours, a line each."""
        found = []
        if self.growth > FLAT:
            found.append(f"memory grew by {self.growth:.1%}")
        if self.more_threads > 0:
            found.append(f"{self.more_threads} threads more at the end than at the beginning")
        if self.left > 0:
            found.append(f"{self.left} threads left behind")
        if not self.samples[-1].done:
            found.append("nothing was done")
        return found

    def told(self) -> str:
        """The run in a line."""
        last = self.samples[-1]
        return (
            f"{last.after:.0f} s, {last.done} done, {last.done / last.after:.1f}/s: {last.memory / 2**20:.0f} MiB, "
            f"{self.growth:+.1%}; {last.threads} threads"
        )


def resident() -> int:
    """The bytes of memory that this process holds; where the system does not tell, the most that it has held."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource  # not on every system

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def threads() -> int:
    """How many threads this process has; where the system does not tell, those that Python started."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()


Work = Callable[[float], int]
"""Works until a time of `time.monotonic`; how much it has done."""


def watched(
    seconds: float, opened: AbstractContextManager[Work], say: Callable[[str], None] = lambda line: None
) -> Run:
    """Open some work, let it go on for so many seconds, and close it; `say` is told ten times how it goes."""
    before, samples, done = threading.active_count(), list[Sample](), 0
    with opened as work:
        start = time.monotonic()
        for number in range(1, SAMPLES + 1):
            done += work(start + seconds * number / SAMPLES)
            samples.append(Sample(time.monotonic() - start, resident(), threads(), done))
            if number % (SAMPLES // 10) == 0:
                say(Run(tuple(samples), 0).told())
    return Run(tuple(samples), threading.active_count() - before)


class Looped:
    """A camera that shows a film, JPEG pictures, at so many a second of this clock, and is unplugged at its end.

    It is what `vision.video.Video` opens; opened again, it shows the film from the start.
    """

    def __init__(self, film: Sequence[bytes], fps: float) -> None:
        self._film, self._pause = film, 1 / fps
        self._next, self._due = 0, time.monotonic()

    def isOpened(self) -> bool:
        """It always is."""
        return True

    def read(self) -> tuple[bool, Any]:
        """The next picture, when its time has come."""
        if self._next == len(self._film):
            return False, None
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._due = max(self._due + self._pause, time.monotonic())
        self._next += 1
        return True, cv2.imdecode(np.frombuffer(self._film[self._next - 1], np.uint8), cv2.IMREAD_COLOR)

    def get(self, propId: int, /) -> float:
        """Its rate, whatever is asked."""
        return 1 / self._pause

    def set(self, propId: int, value: float, /) -> bool:
        """Nothing can be set."""
        return False

    def release(self) -> None:
        """It holds nothing."""
