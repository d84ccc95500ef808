"""How long each part of a reading takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


@contextmanager
def timed(ms: dict[str, float], part: str) -> Iterator[None]:
    """Add to `part` for how many milliseconds the block ran."""
    start = perf_counter()
    yield
    ms[part] = ms.get(part, 0.0) + (perf_counter() - start) * 1000
