from __future__ import annotations

import io
import struct
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.frames import ENOUGH_SIDE, MAX_BYTES, PictureError, decode, inspect, load


def picture(width: int = 96, height: int = 64) -> np.ndarray:
    """Four flat quarters: red, green, blue and white from the top left on, clockwise."""
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2, : width // 2] = (0, 0, 255)
    image[: height // 2, width // 2 :] = (0, 255, 0)
    image[height // 2 :, width // 2 :] = (255, 0, 0)
    image[height // 2 :, : width // 2] = (255, 255, 255)
    return image


def encode(image: np.ndarray, ending: str, *options: int) -> bytes:
    return bytes(cv2.imencode(ending, image, options)[1])


def exif(orientation: int, order: str = "<") -> bytes:
    start = b"II*\0" if order == "<" else b"MM\0*"
    return start + struct.pack(order + "IHHHIHH", 8, 1, 0x0112, 3, 1, orientation, 0) + b"\0\0\0\0"


def with_exif(jpeg: bytes, tiff: bytes) -> bytes:
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def png_with(png: bytes, kind: bytes, body: bytes) -> bytes:
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return png[:33] + chunk + png[33:]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_all_eight_orientations_come_upright(orientation: int, order: str) -> None:
    data = with_exif(encode(picture(), ".jpg"), exif(orientation, order))
    frame = decode(data)
    expected = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert (frame.width, frame.height) == (expected.shape[1], expected.shape[0])
    assert np.abs(frame.image.astype(int) - expected).max() <= 8


def test_orientation_of_png_and_webp() -> None:
    png = png_with(encode(picture(), ".png"), b"eXIf", exif(6))
    assert inspect(png).upright == (64, 96)
    upright = decode(png).image
    assert tuple(upright[4, 60]) == (0, 0, 255)  # the stored top left lies at the top right
    webp = encode(picture(), ".webp")
    tiff = exif(8)
    head = (
        b"VP8X"
        + struct.pack("<I", 10)
        + bytes([0x08, 0, 0, 0])
        + (95).to_bytes(3, "little")
        + (63).to_bytes(3, "little")
    )
    body = b"WEBP" + head + webp[12:] + b"EXIF" + struct.pack("<I", len(tiff)) + tiff
    extended = b"RIFF" + struct.pack("<I", len(body)) + body
    assert inspect(extended).orientation == 8


def by_pillow(kind: str, image: np.ndarray | None = None, mode: str = "RGB", **options: Any) -> bytes:
    """What OpenCV cannot write, written by Pillow."""
    pillow = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    colours = picture() if image is None else image
    pillow.fromarray(colours[..., ::-1]).convert(mode).save(file, kind, **options)
    return file.getvalue()


def corners(image: np.ndarray) -> list[tuple[int, ...]]:
    """The colours near the four corners, clockwise from the top left, each channel on or off."""
    places = [(8, 8), (8, -8), (-8, -8), (-8, 8)]
    return [tuple(int(value > 128) for value in image[place]) for place in places]


QUARTERS = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)]
UPRIGHT = {
    1: QUARTERS,
    2: [QUARTERS[n] for n in (1, 0, 3, 2)],
    3: [QUARTERS[n] for n in (2, 3, 0, 1)],
    4: [QUARTERS[n] for n in (3, 2, 1, 0)],
    5: [QUARTERS[n] for n in (0, 3, 2, 1)],
    6: [QUARTERS[n] for n in (3, 0, 1, 2)],
    7: [QUARTERS[n] for n in (2, 1, 0, 3)],
    8: [QUARTERS[n] for n in (1, 2, 3, 0)],
}
"""EXIF's orientation → the corners of the picture once it stands upright."""


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF", "HEIF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_format_in_every_orientation(kind: str, orientation: int) -> None:
    if kind == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    data = by_pillow(kind, exif=exif_of(orientation))
    header = inspect(data)
    assert header.orientation == orientation
    frame = decode(data)
    assert (frame.width, frame.height) == header.upright == ((64, 96) if orientation >= 5 else (96, 64))
    assert frame.image.shape == (frame.height, frame.width, 3)
    assert corners(frame.image) == UPRIGHT[orientation]


def exif_of(orientation: int) -> bytes:
    tags = pytest.importorskip("PIL.Image").Exif()
    tags[0x0112] = orientation
    return bytes(tags.tobytes())


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"progressive": True}),
        ("JPEG", {"mode": "CMYK", "quality": 95}),
        ("PNG", {"mode": "P"}),
        ("PNG", {"mode": "P", "transparency": 0}),
        ("PNG", {"mode": "RGBA"}),
        ("WEBP", {"mode": "RGBA"}),
        ("AVIF", {"mode": "RGBA"}),
    ],
)
def test_ways_of_coding_colours(kind: str, options: dict[str, Any]) -> None:
    frame = decode(by_pillow(kind, **options))
    assert (frame.image.shape, frame.image.dtype) == ((64, 96, 3), np.uint8)
    assert corners(frame.image) == QUARTERS


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF", "HEIF"])
def test_grey_pictures(kind: str) -> None:
    if kind == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    frame = decode(by_pillow(kind, mode="L"))
    assert (frame.image.shape, frame.image.dtype) == ((64, 96, 3), np.uint8)
    assert np.ptp(frame.image.astype(int), axis=2).max() <= 3
    assert frame.image[8, 8].max() < frame.image[8, -8].max() < frame.image[-8, 8].max()


def test_fifty_megapixels_come_at_a_quarter() -> None:
    data = encode(cv2.resize(picture(), (8192, 6144), interpolation=cv2.INTER_NEAREST), ".jpg")
    frame = decode(data)
    assert (frame.width, frame.height) == (8192, 6144)
    assert frame.image.shape == (1536, 2048, 3)
    assert decode(data, side=4096).image.shape == (3072, 4096, 3)


@pytest.mark.parametrize("kind", ["AVIF", "HEIF"])
def test_large_pictures_in_boxes_come_smaller(kind: str) -> None:
    if kind == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    image = cv2.resize(picture(), (2 * ENOUGH_SIDE, 400), interpolation=cv2.INTER_NEAREST)
    frame = decode(by_pillow(kind, image))
    assert frame.image.shape == (200, ENOUGH_SIDE, 3)
    assert frame.step == (2.0, 2.0)


def test_without_its_extra_heic_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pillow_heif").register_heif_opener()
    data = by_pillow("HEIF")
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(PictureError, match=r"hupai\[heic\]") as error:
        decode(data)
    assert error.value.code == "unsupported"


def test_without_a_decoder_avif_is_refused_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode(picture(), ".avif")
    monkeypatch.setattr(cv2, "imdecode", lambda *_: None)
    with pytest.raises(PictureError, match="damaged"):
        decode(data)
    monkeypatch.setattr(cv2, "haveImageWriter", lambda name: False)
    with pytest.raises(PictureError, match="installed OpenCV") as error:
        decode(data)
    assert error.value.code == "unsupported"


@pytest.mark.parametrize("at", [4, 40, 60, 100, 140, 180, 220, 260, 300])
@pytest.mark.parametrize("change", [0x00, 0x7F, 0xFF])
def test_boxes_that_lie_are_refused_or_read(at: int, change: int) -> None:
    data = bytearray(encode(picture(), ".avif"))
    data[at : at + 4] = bytes([change]) * 4
    outcome = tried(bytes(data))
    assert outcome == "read" or "; " in outcome


def tried(data: bytes) -> str:
    """What comes of decoding: the message of its refusal, or "read"."""
    try:
        decode(data)
    except PictureError as error:
        return str(error)
    return "read"


@pytest.mark.parametrize("tiff", [b"", b"II*\0", b"XX*\0\0\0\0\0", exif(9), exif(0), b"MM\0*\xff\xff\xff\xff"])
def test_senseless_exif_counts_as_upright(tiff: bytes) -> None:
    assert inspect(with_exif(encode(picture(), ".jpg"), tiff)).orientation == 1


@pytest.mark.parametrize(("ending", "name"), [(".jpg", "JPEG"), (".png", "PNG"), (".webp", "WebP")])
def test_formats(ending: str, name: str) -> None:
    data = encode(picture(), ending)
    header = inspect(data)
    assert (header.format, header.width, header.height) == (name, 96, 64)
    assert np.abs(decode(data).image[8, 8].astype(int) - (0, 0, 255)).max() < 30


def test_lossless_webp() -> None:
    data = encode(picture(), ".webp", cv2.IMWRITE_WEBP_QUALITY, 101)
    assert (inspect(data).width, inspect(data).height) == (96, 64)
    assert np.array_equal(decode(data).image, picture())


@pytest.mark.parametrize("image", [picture()[..., 0], np.dstack([picture(), picture()[..., :1]])])
def test_grey_and_alpha_become_three_channels(image: np.ndarray) -> None:
    assert decode(encode(image, ".png")).image.shape == (64, 96, 3)


def test_sixteen_bits_become_eight() -> None:
    frame = decode(encode(picture().astype(np.uint16) * 257, ".png"))
    assert frame.image.dtype == np.uint8
    assert np.array_equal(frame.image, picture())


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_large_pictures_come_smaller_and_keep_their_coordinates(ending: str) -> None:
    image = cv2.resize(picture(), (2 * ENOUGH_SIDE + 2, 1000), interpolation=cv2.INTER_NEAREST)
    frame = decode(encode(image, ending))
    assert (frame.width, frame.height) == (2 * ENOUGH_SIDE + 2, 1000)
    assert frame.image.shape[:2] == (500, ENOUGH_SIDE + 1)
    assert frame.to_photo(np.array([ENOUGH_SIDE + 1, 500])).tolist() == [2 * ENOUGH_SIDE + 2, 1000]
    points = np.array([[3.0, 4.0], [5.0, 6.0]])
    assert np.allclose(frame.to_image(frame.to_photo(points)), points)


@pytest.mark.parametrize(("ending", "step"), [(".jpg", 4.0), (".png", 2.0), (".webp", 2.0)])
def test_only_a_jpeg_comes_smaller_than_is_enough(ending: str, step: float) -> None:
    """The others are decoded whole in any case: what they hold costs nothing more."""
    image = cv2.resize(picture(), (2 * ENOUGH_SIDE, 400), interpolation=cv2.INTER_NEAREST)
    assert decode(encode(image, ending), side=ENOUGH_SIDE // 2).step == (step, step)


def test_a_region_is_a_part_with_the_photos_coordinates() -> None:
    frame = decode(encode(picture(), ".png"), (48, 32, 48, 32))
    assert frame.image.shape == (32, 48, 3)
    assert (frame.image == (255, 0, 0)).all()
    assert (frame.width, frame.height) == (96, 64)
    assert frame.to_photo(np.array([0, 0])).tolist() == [48, 32]


def test_a_region_speaks_of_the_upright_photo() -> None:
    data = with_exif(encode(picture(960, 640), ".jpg"), exif(6))
    part = decode(data, (0, 0, 320, 480)).image  # the top left of the upright photo is the stored bottom left
    assert np.abs(part[20:-20, 20:-20].astype(int) - (255, 255, 255)).max() < 30


def test_a_region_of_a_large_photo_keeps_more_pixels() -> None:
    image = cv2.resize(picture(), (2 * ENOUGH_SIDE, ENOUGH_SIDE), interpolation=cv2.INTER_NEAREST)
    data = encode(image, ".jpg")
    assert decode(data).step == (2.0, 2.0)
    assert decode(data, (0, 0, ENOUGH_SIDE, ENOUGH_SIDE)).step == (1.0, 1.0)


@pytest.mark.parametrize("region", [(200, 0, 50, 50), (0, 0, 5, 5), (90, 60, 100, 100), (0, 0, -40, 40)])
def test_a_region_outside_is_refused(region: tuple[int, int, int, int]) -> None:
    with pytest.raises(PictureError, match="region") as error:
        decode(encode(picture(), ".png"), region)
    assert error.value.code == "bad_region"


def huge_png(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    return b"\x89PNG\r\n\x1a\n" + chunk


def test_a_huge_header_is_refused_without_decoding() -> None:
    start = time.perf_counter()
    with pytest.raises(PictureError, match="40000×40000") as error:
        decode(huge_png(40_000, 40_000))
    assert error.value.code == "too_large"
    assert time.perf_counter() - start < 0.05


def gif(frames: int) -> bytes:
    still = b"\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
    return b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff" + still * frames + b"\x3b"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"just some text, whatever the name says", "not_a_picture"),
        (b"RIFF", "not_a_picture"),
        (gif(3), "animated"),
        (gif(1), "unsupported"),
        (b"\0\0\0\x1cftypheic\0\0\0\0", "truncated"),
        (b"\0\0\0\x1cftypavif\0\0\0\0", "truncated"),
        (b"\0\0\0\x1cftypavis\0\0\0\0", "animated"),
        (encode(picture(), ".avif")[:-8], "truncated"),
        (b"\0\0\0\x1cftypisom\0\0\0\0", "unsupported"),
        (encode(picture(), ".jpg")[:-2], "truncated"),
        (encode(picture(), ".jpg")[:300], "truncated"),
        (encode(picture(), ".jpg")[:7], "truncated"),
        (encode(picture(), ".png")[:-8], "truncated"),
        (encode(picture(), ".png")[:20], "truncated"),
        (encode(picture(), ".webp")[:-8], "truncated"),
        (encode(picture(), ".webp")[:16], "truncated"),
        (b"\xff\xd8\xff\xe0\0\x02\0\0", "damaged"),
        (b"\xff\xd8\xff\xd9", "truncated"),
        (png_with(encode(picture(), ".png"), b"acTL", bytes(8)), "animated"),
        (huge_png(20_000, 100) + b"\0\0\0\0IEND\0\0\0\0", "too_large"),
        (encode(picture(20, 20), ".png"), "too_small"),
        (b"\x89PNG\r\n\x1a\n" + bytes(MAX_BYTES), "too_large"),
    ],
)
def test_bad_pictures_are_refused_in_one_line(data: bytes, code: str) -> None:
    with pytest.raises(PictureError) as error:
        decode(data)
    assert error.value.code == code
    assert "\n" not in str(error.value)
    assert ";" in str(error.value)  # what is wrong; how to mend it


def test_an_animated_webp_is_refused() -> None:
    head = b"VP8X" + struct.pack("<I", 10) + bytes([0x02, 0, 0, 0]) + bytes(6)
    with pytest.raises(PictureError, match="animated WebP"):
        decode(b"RIFF" + struct.pack("<I", len(head) + 4) + b"WEBP" + head)


def test_damaged_data_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    data = bytearray(encode(picture(), ".png"))
    data[60:70] = bytes(10)
    with pytest.raises(PictureError) as error:
        decode(bytes(data))
    assert error.value.code == "damaged"
    capfd.readouterr()  # libpng speaks for itself


def test_load(tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(b"some bytes")
    assert load(photo) == b"some bytes"
    for wrong in (tmp_path / "other.jpg", tmp_path):
        with pytest.raises(PictureError) as error:
            load(wrong)
        assert error.value.code == "no_file"


def test_load_refuses_a_file_that_is_too_large(tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    with photo.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(PictureError, match="save it smaller"):
        load(photo)
