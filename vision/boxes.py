"""What an AVIF or HEIC file says of itself: boxes in boxes (ISO/IEC 14496-12), properties of the main item (23008-12).

Nothing is decoded. Phones write the picture as the sensor saw it and say in `irot` and `imir` how it is turned.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Codec = Literal["AVIF", "HEIC"]

_BRANDS: Final[dict[bytes, Codec]] = {
    b"avif": "AVIF",
    b"heic": "HEIC",
    b"heix": "HEIC",
    b"heim": "HEIC",
    b"heis": "HEIC",
}
_SEQUENCES: Final = frozenset({b"avis", b"hevc", b"hevx", b"msf1"})

# Quarter turns anticlockwise (irot), then the mirror (imir: 0 swaps top and bottom, 1 left and right) → EXIF's number.
_ORIENTATIONS: Final = {
    (0, None): 1,
    (0, 0): 4,
    (0, 1): 2,
    (1, None): 8,
    (1, 0): 5,
    (1, 1): 7,
    (2, None): 3,
    (2, 0): 2,
    (2, 1): 4,
    (3, None): 6,
    (3, 0): 7,
    (3, 1): 5,
}


@dataclass(frozen=True, slots=True)
class Still:
    """The main picture of a file: stored width and height in pixels, EXIF's orientation 1–8."""

    width: int
    height: int
    orientation: int


def codec(data: bytes) -> Codec | Literal["sequence"] | None:
    """How the pictures of a file with an `ftyp` box are coded; None where it holds no picture that is known."""
    (size,) = struct.unpack_from(">I", data, 0)
    brands = [data[8:12], *(data[at : at + 4] for at in range(16, min(size, 256), 4))]
    if brands[0] in _SEQUENCES:
        return "sequence"
    return next((_BRANDS[brand] for brand in brands if brand in _BRANDS), None)


def still(data: bytes) -> Still:
    """The main picture of an AVIF or HEIC file.

    Raises struct.error where the file breaks off or its boxes make no sense.
    """
    top = {kind: (start, end) for kind, start, end in _boxes(data, 0, len(data))}
    meta = _children(data, *_one(top, b"meta"), skip=4)
    properties = _children(data, *_one(meta, b"iprp"))
    start, _ = _one(meta, b"pitm")
    (main,) = struct.unpack_from(">I" if data[start] else ">H", data, start + 4)
    container = list(_boxes(data, *_one(properties, b"ipco")))
    size: tuple[int, int] | None = None
    turns, mirror = 0, None
    for number in _associated(data, _one(properties, b"ipma")[0], main):
        if not 1 <= number <= len(container):
            raise struct.error("a property that is not there")
        kind, start, _ = container[number - 1]
        if kind == b"ispe":
            size = struct.unpack_from(">II", data, start + 4)
        elif kind == b"irot":
            turns = data[start] & 3
        elif kind == b"imir":
            mirror = data[start] & 1
    if size is None:
        raise struct.error("a picture without a size")
    return Still(*size, _ORIENTATIONS[turns, mirror])


def _boxes(data: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """The boxes between two places: kind, and where the body starts and ends."""
    while at < end:
        size, kind = struct.unpack_from(">I4s", data, at)
        start = at + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, start)
            start += 8
        stop = at + size if size else end
        if not start <= stop <= end:
            raise struct.error("a box that ends outside its own")
        yield kind, start, stop
        at = stop


def _children(data: bytes, start: int, end: int, skip: int = 0) -> dict[bytes, tuple[int, int]]:
    return {kind: (first, last) for kind, first, last in _boxes(data, start + skip, end)}


def _one(boxes: dict[bytes, tuple[int, int]], kind: bytes) -> tuple[int, int]:
    if kind not in boxes:
        raise struct.error(f"no {kind.decode()} box")
    return boxes[kind]


def _associated(data: bytes, at: int, item: int) -> list[int]:
    """The numbers, from 1, of the properties of an item, in the order in which they are to be applied (`ipma`)."""
    version, wide = data[at], data[at + 3] & 1
    (entries,) = struct.unpack_from(">I", data, at + 4)
    at += 8
    for _ in range(entries):
        (owner,) = struct.unpack_from(">I" if version else ">H", data, at)
        at += 4 if version else 2
        count = data[at]
        at += 1
        numbers = struct.unpack_from(f">{count}{'H' if wide else 'B'}", data, at)
        at += count * (2 if wide else 1)
        if owner == item:
            return [number & (0x7FFF if wide else 0x7F) for number in numbers]
    return []
