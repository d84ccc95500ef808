"""Picture files become frames: checked by their headers, decoded once, upright.

Everything here treats the bytes as hostile: format, size and completeness are judged from the header before a decoder
sees them, so that a small file that claims to be huge costs nothing.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import boxes

MAX_BYTES: Final = 40 * 2**20
MAX_PIXELS: Final = 60_000_000
MAX_SIDE: Final = 16_384
MIN_SIDE: Final = 32

# A tile of a laid-out hand is then some 100 px wide: enough for a 64 px patch, for a quarter of the decoding.
ENOUGH_SIDE: Final = 1600

Region = tuple[int, int, int, int]
Pixels = NDArray[np.uint8]


class PictureError(ValueError):
    """A picture that cannot be read. `code` is stable; the message is one line and says how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself: format, stored width and height in pixels, EXIF orientation 1–8."""

    format: str
    width: int
    height: int
    orientation: int

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height once the orientation is applied."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """An upright picture, H×W×3 uint8 in BGR order, and where its pixels lie in the photo.

    `width` and `height` are the whole upright photo's, in its own pixels. The image may be a part of it (`origin`, the
    photo pixel of the image's top left corner) at a smaller scale (`step`, photo pixels per image pixel, x and y).
    """

    image: Pixels
    width: int
    height: int
    origin: tuple[float, float] = (0.0, 0.0)
    step: tuple[float, float] = (1.0, 1.0)

    @property
    def span(self) -> float:
        """The longer side of what the image holds, in the photo's pixels."""
        height, width = self.image.shape[:2]
        return float(max(width * self.step[0], height * self.step[1]))

    def within(self, side: int) -> Frame:
        """The frame no larger than `side` pixels along its longer side."""
        height, width = self.image.shape[:2]
        if max(height, width) <= side:
            return self
        image = scaled(self.image, side)
        step = (self.step[0] * width / image.shape[1], self.step[1] * height / image.shape[0])
        return Frame(image, self.width, self.height, self.origin, step)

    def to_photo(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Image points, shape (..., 2) as x, y, in the photo's pixels."""
        return np.asarray(points, np.float64) * self.step + self.origin

    def to_image(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Photo points, shape (..., 2) as x, y, in this image's pixels."""
        return (np.asarray(points, np.float64) - self.origin) / self.step


def load(path: Path) -> bytes:
    """The bytes of a picture file.

    Raises PictureError where there is no such file, it cannot be opened, or it is larger than `MAX_BYTES`.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _too_many_bytes(path.stat().st_size)
        return path.read_bytes()
    except FileNotFoundError:
        raise PictureError("no_file", "there is no such file; check the path") from None
    except IsADirectoryError:
        raise PictureError("no_file", "this is a folder; name the picture files in it") from None
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise PictureError("no_file", f"{reason}; check the path and its permissions") from None


def inspect(data: bytes) -> Header:
    """What the file says of itself, read without decoding; raises PictureError where the file should not be decoded."""
    if len(data) > MAX_BYTES:
        raise _too_many_bytes(len(data))
    if not data:
        raise PictureError("empty", "the file is empty (0 bytes); copy or take the picture again")
    try:
        header = _header(data)
    except (struct.error, IndexError):
        raise _truncated() from None
    width, height = header.width, header.height
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        limit = f"{MAX_PIXELS // 1_000_000} megapixels and {MAX_SIDE} pixels a side"
        raise PictureError("too_large", f"the picture is {width}×{height} pixels; scale it down to at most {limit}")
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            "too_small", f"the picture is {width}×{height} pixels, too small to show a tile; take a larger one"
        )
    return header


def decode(data: bytes, region: Region | None = None, side: int = ENOUGH_SIDE) -> Frame:
    """Decode a JPEG, PNG, WebP, AVIF or HEIC file into an upright frame.

    `region` is x, y, width, height in pixels of the upright photo: the frame then holds that part only. Large pictures
    come at 1/2, 1/4 or 1/8 of their size, as long as the longer side of what is asked for keeps `side` pixels, or
    `ENOUGH_SIDE` where the format decodes smaller for no less time, as all but JPEG do.
    Raises PictureError, also for AVIF and HEIC where what decodes them is not installed.
    """
    header = inspect(data)
    width, height = header.upright
    x, y, w, h = _clip(region, width, height)
    least = side if header.format == "JPEG" else max(side, ENOUGH_SIDE)
    divisor = next((n for n in (8, 4, 2) if max(w, h) >= n * least), 1)
    image = _pixels(data, header, divisor)
    step = (width / image.shape[1], height / image.shape[0])
    if (w, h) != (width, height):
        left, top = int(x / step[0]), int(y / step[1])
        image = image[top : round((y + h) / step[1]), left : round((x + w) / step[0])]
        x, y = round(left * step[0]), round(top * step[1])
    return Frame(np.ascontiguousarray(image), width, height, (float(x), float(y)), step)


def scaled(image: Pixels, side: int) -> Pixels:
    """A picture H×W×3 uint8 whose longer side has `side` pixels."""
    height, width = image.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)


def to_jpeg(image: Pixels, side: int = ENOUGH_SIDE, quality: int = 85) -> bytes:
    """A picture H×W×3 uint8 BGR as a JPEG file's bytes, made smaller where its longer side has more than `side` pixels.

    `quality` is 1 to 100. Nothing of a photo's own file goes along, such as where and when it was taken.
    """
    if max(image.shape[:2]) > side:
        image = scaled(image, side)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def _clip(region: Region | None, width: int, height: int) -> Region:
    if region is None:
        return 0, 0, width, height
    x, y, w, h = region
    left, top = max(0, x), max(0, y)
    right, bottom = min(width, x + w), min(height, y + h)
    if right - left < MIN_SIDE or bottom - top < MIN_SIDE:
        raise PictureError(
            "bad_region",
            f"the region {x},{y},{w},{h} leaves less than {MIN_SIDE} pixels of the {width}×{height} picture; "
            "give x,y,width,height inside it",
        )
    return left, top, right - left, bottom - top


_REDUCED: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _pixels(data: bytes, header: Header, divisor: int) -> Pixels:
    """The upright picture, at a divisor of its size."""
    # Only JPEG decodes at a smaller scale for less; the others are decoded whole and then averaged down.
    if header.format == "HEIC":
        return _smaller(_heic(data), divisor)
    flags = _REDUCED[divisor] if header.format == "JPEG" else cv2.IMREAD_COLOR
    try:
        image: Any = cv2.imdecode(np.frombuffer(data, np.uint8), flags | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        image = None
    if image is None:
        if header.format == "AVIF" and not cv2.haveImageWriter(".avif"):
            raise PictureError(
                "unsupported", "this is AVIF, which the installed OpenCV cannot decode; save it as JPEG or PNG"
            )
        raise _damaged(header.format)
    if header.format != "JPEG":
        image = _smaller(image, divisor)
    return _turn_upright(np.asarray(image, np.uint8), header.orientation)


def _smaller(image: Pixels, divisor: int) -> Pixels:
    if divisor == 1:
        return image
    size = (-(-image.shape[1] // divisor), -(-image.shape[0] // divisor))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _heic(data: bytes) -> Pixels:
    """The picture of a HEIC file, turned upright by its decoder, which is an extra."""
    try:
        import pillow_heif
    except ImportError:
        message = "this is HEIC; install hupai[heic] to read it, or save it as JPEG (iPhone: Formats, Most Compatible)"
        raise PictureError("unsupported", message) from None
    try:
        # Ten bits a colour become eight.
        file = pillow_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        image = np.asarray(file)
    except (ValueError, RuntimeError, OSError, SyntaxError, EOFError):
        raise _damaged("HEIC") from None
    colours = image if image.ndim == 3 else image[..., None]
    # Grey, with or without alpha, has one or two channels.
    return np.ascontiguousarray(colours[..., :3] if colours.shape[2] >= 3 else colours[..., :1].repeat(3, axis=2))


def _turn_upright(image: Pixels, orientation: int) -> Pixels:
    if orientation >= 5:
        image = image.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        image = image[:, ::-1]
    if orientation in (3, 4, 7, 8):
        image = image[::-1]
    return image


def _too_many_bytes(size: int) -> PictureError:
    megabytes = MAX_BYTES // 2**20
    return PictureError("too_large", f"the file has {size / 2**20:.0f} MB; save it smaller (at most {megabytes} MB)")


def _damaged(kind: str) -> PictureError:
    return PictureError("damaged", f"the {kind} data is damaged; open the picture and save it again")


def _truncated() -> PictureError:
    return PictureError("truncated", "the picture breaks off before its end; copy or upload it again")


def _header(data: bytes) -> Header:
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    if data.startswith((b"GIF87a", b"GIF89a")):
        # A second image descriptor follows a graphic control extension; one of them is enough for a still.
        if data.count(b"\x21\xf9\x04") > 1:
            raise PictureError("animated", "this is an animated GIF; save one frame of it as JPEG or PNG")
        raise PictureError("unsupported", "this is a GIF; save it as JPEG or PNG")
    if data[4:8] == b"ftyp":
        return _boxed(data)
    raise PictureError("not_a_picture", "this is no JPEG, PNG, WebP, AVIF or HEIC picture; choose a photo")


def _boxed(data: bytes) -> Header:
    kind = boxes.codec(data)
    if kind == "sequence":
        raise PictureError("animated", "this is a sequence of pictures; save one frame of it as JPEG or PNG")
    if kind is None:
        raise PictureError("unsupported", "this is a film or an unknown picture; take a still one (JPEG, PNG or WebP)")
    still = boxes.still(data)
    return Header(kind, still.width, still.height, still.orientation)


# Start-of-frame markers: all of C0–CF but DHT, JPG and DAC.
_SOF: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _jpeg(data: bytes) -> Header:
    at, size, orientation = 2, (0, 0), 1
    while True:
        if data[at] != 0xFF:
            raise _damaged("JPEG")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if marker in _SOF:
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = (width, height)
        elif marker == 0xE1 and data[at + 4 : at + 10] == b"Exif\0\0":
            orientation = _exif_orientation(data[at + 10 : at + 2 + length])
        elif marker == 0xDA:
            break
        elif marker == 0xD9:
            raise _truncated()
        at += 2 + length
    # Within the scan every FF is followed by 00 or a restart, so that an end marker can only be the true one.
    if data.rfind(b"\xff\xd9", at) < 0:
        raise _truncated()
    return Header("JPEG", *size, orientation)


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    if width * height > MAX_PIXELS:
        return Header("PNG", width, height, 1)
    at, orientation = 8, 1
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"acTL":
            raise PictureError("animated", "this is an animated PNG; save one frame of it as JPEG or PNG")
        if kind == b"eXIf":
            orientation = _exif_orientation(data[at + 8 : at + 8 + length])
        if kind == b"IEND":
            return Header("PNG", width, height, orientation)
        at += 12 + length


def _webp(data: bytes) -> Header:
    (size,) = struct.unpack_from("<I", data, 4)
    if len(data) < size + 8:
        raise _truncated()
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return Header("WebP", width & 0x3FFF, height & 0x3FFF, 1)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return Header("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, 1)
    flags = data[20]
    if flags & 0x02:
        raise PictureError("animated", "this is an animated WebP; save one frame of it as JPEG or PNG")
    width = int.from_bytes(data[24:27], "little") + 1
    height = int.from_bytes(data[27:30], "little") + 1
    at, orientation = 30, 1
    while flags & 0x08 and at + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, at)
        if kind == b"EXIF":
            orientation = _exif_orientation(data[at + 8 : at + 8 + length].removeprefix(b"Exif\0\0"))
            break
        at += 8 + length + length % 2
    return Header("WebP", width, height, orientation)


def _exif_orientation(tiff: bytes) -> int:
    """The orientation of a TIFF block, 1–8; 1 where it has none or makes no sense."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, start)
        for entry in range(min(count, 512)):
            tag, kind, _, value = struct.unpack_from(order + "HHIH", tiff, start + 2 + 12 * entry)
            if (tag, kind) == (0x0112, 3):
                return value if 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1
