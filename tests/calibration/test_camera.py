"""A camera's lens, plane and colours come out of pictures of the printed board; faults are told in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from photographed import Picture
from seen_board import DISTORTION, FLAT, MATRIX, SIZE, VIEWS, Floats, Pose, page, seen

from calibration import cameras
from calibration.board import Board, View
from calibration.camera import MOVED, Camera, CameraError, Lens, calibrate, calibrate_by_taps, find_lens

CAST = (0.8, 1.0, 1.12)
BOARD = Board()
PAPER = [(0.0, 0.0), (297.0, 0.0), (297.0, 210.0), (0.0, 210.0)]
CORNER = ((297 - 263) / 2, 210 - 8 - 180)
"""Where the board's own corner lies on an A4 page, mm."""


@pytest.fixture(scope="module")
def sheet() -> Picture:
    return page()


@pytest.fixture(scope="module")
def table() -> Picture:
    """A table top with marks, a millimetre a pixel."""
    rng = np.random.default_rng(5)
    top = np.full((1000, 1100, 3), (96, 128, 150), np.uint8)
    for x, y, r, shade in rng.integers((0, 0, 4, 40), (1100, 1000, 16, 220), (600, 4)).tolist():
        cv2.circle(top, (x, y), r, (shade, shade, shade // 2), -1)
    return top


@pytest.fixture(scope="module")
def views(sheet: Picture, table: Picture) -> list[Picture]:
    return [*(seen(sheet, pose, cast=CAST) for pose in VIEWS), seen(sheet, FLAT, cast=CAST, table=table)]


@pytest.fixture(scope="module")
def camera(views: list[Picture]) -> Camera:
    return calibrate("table", views, BOARD)


def bent(points: Floats, pose: Pose) -> Floats:
    """Where (N, 2) mm of the board lie in the picture of that pose."""
    rotation, shift = pose.frame()
    flat = np.column_stack([points + CORNER, np.zeros(len(points))])
    return cv2.projectPoints(flat, cv2.Rodrigues(rotation)[0], shift, MATRIX, DISTORTION)[0].reshape(-1, 2)


def test_the_lens_is_found(camera: Camera) -> None:
    assert camera.lens is not None
    assert camera.lens.error < 0.5
    assert camera.lens.focal == pytest.approx(MATRIX[0, 0], rel=0.01)
    assert camera.lens.matrix[:2, 2] == pytest.approx(MATRIX[:2, 2], abs=4)
    assert camera.lens.distortion[0] == pytest.approx(DISTORTION[0], abs=0.03)
    # What the terms are together counts: how far apart true and found lens put the picture's points.
    edge = np.stack(np.meshgrid(np.linspace(0, SIZE[0], 9), np.linspace(0, SIZE[1], 7)), -1).reshape(-1, 2)
    true = Lens(MATRIX, DISTORTION, 0.0).straightened(edge)
    assert np.linalg.norm(camera.lens.straightened(edge) - true, axis=1).max() < 4


def test_the_plane_is_true_to_a_millimetre(camera: Camera) -> None:
    assert camera.lens is not None
    grid = np.stack(np.meshgrid(np.arange(-20, 280, 25.0), np.arange(-20, 220, 25.0)), -1).reshape(-1, 2)
    pixels = bent(grid, FLAT)
    inside = ((pixels > 0) & (pixels < SIZE)).all(axis=1)
    assert inside.sum() > 60
    off = camera.on_table(camera.lens.straightened(pixels)) - grid
    assert np.linalg.norm(off[inside], axis=1).max() < 1.0


def test_straight_lines_become_straight(camera: Camera, views: list[Picture]) -> None:
    corrected = camera.corrected(views[-1])
    view = BOARD.find(corrected)
    assert view is not None
    assert np.linalg.norm(camera.on_table(view.points) - BOARD.corners[view.ids, :2], axis=1).max() < 1.0
    assert camera.scale() == pytest.approx(560 / 520, rel=0.15)


def test_grey_comes_out_grey(camera: Camera, views: list[Picture]) -> None:
    blue, green, red = camera.gains
    assert (blue, green, red) == pytest.approx([1 / gain for gain in CAST], rel=0.02)
    assert camera.lens is not None
    lit = camera.corrected(views[-1])
    for patch in BOARD.patches:
        x, y = np.round(camera.lens.straightened(bent(patch.mean(axis=0)[None], FLAT))[0]).astype(int)
        colour = lit[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3).mean(axis=0)
        assert np.ptp(colour) < 0.03 * colour.mean() + 1


def test_frames_of_other_sizes(camera: Camera, views: list[Picture]) -> None:
    half = cv2.resize(views[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    whole = cv2.resize(camera.corrected(views[-1]), (320, 240), interpolation=cv2.INTER_AREA)
    assert np.abs(camera.corrected(half).astype(int) - whole)[20:-20, 20:-20].mean() < 3
    with pytest.raises(CameraError, match="640×480 pixels, but this picture has 640×360") as refused:
        camera.corrected(views[-1][:360])
    assert refused.value.code == "other_shape"


@pytest.mark.parametrize(
    ("change", "moved"), [((0.0, 0.0, 0.0), False), ((4.0, 0.0, 0.0), True), ((0.0, 0.0, 3.0), True)]
)
def test_a_camera_that_moved_is_noticed_by_the_table(
    change: tuple[float, float, float], moved: bool, camera: Camera, sheet: Picture, table: Picture
) -> None:
    pose = replace(FLAT, turn=tuple(a + b for a, b in zip(FLAT.turn, change, strict=True)))
    frame = seen(np.full_like(sheet, 140), pose, table=table)
    drift = camera.drift(frame, BOARD)
    assert drift.by == "table"
    assert drift.moved is moved


@pytest.mark.parametrize(
    ("pose", "moved"),
    [
        (FLAT, False),
        (replace(FLAT, turn=(FLAT.turn[0] - 9, *FLAT.turn[1:])), True),
        (replace(FLAT, away=FLAT.away * 1.06), True),
    ],
)
def test_a_camera_that_moved_is_noticed_by_the_board(pose: Pose, moved: bool, camera: Camera, sheet: Picture) -> None:
    drift = camera.drift(seen(sheet, pose), BOARD)
    assert drift.by == "board"
    assert drift.moved is moved
    assert drift.off is not None
    assert (drift.off > MOVED) is moved


def test_a_bare_table_tells_nothing(camera: Camera) -> None:
    drift = camera.drift(np.full((480, 640, 3), 120, np.uint8), BOARD)
    assert (drift.by, drift.off, drift.moved) == ("nothing", None, False)


def test_four_taps_do(views: list[Picture]) -> None:
    corners = np.array([[0, 0], [240, 0], [240, 180], [0, 180]], float)
    taps = bent(corners, FLAT)
    tapped = calibrate_by_taps("taps", views[-1], taps.tolist(), corners.tolist())
    assert tapped.on_table(taps) == pytest.approx(corners, abs=0.01)
    assert tapped.lens is None
    assert np.array_equal(tapped.corrected(views[-1]), views[-1])
    patch = bent(BOARD.patches[1], FLAT)
    low, high = patch.min(axis=0).astype(int) + 5, patch.max(axis=0).astype(int) - 5
    balanced = calibrate_by_taps(
        "taps", views[-1], taps.tolist(), corners.tolist(), (*low.tolist(), *(high - low).tolist())
    )
    assert balanced.gains == pytest.approx([1 / gain for gain in CAST], rel=0.02)


@pytest.mark.parametrize(
    "taps",
    [
        [(10, 10), (200, 200), (200, 10), (10, 200)],
        [(10, 10), (100, 100), (200, 200), (300, 300)],
        [(10, 10), (10, 200), (200, 200), (200, 10)],
    ],
)
def test_taps_that_span_no_plane(taps: list[tuple[float, float]]) -> None:
    with pytest.raises(CameraError, match="clockwise"):
        calibrate_by_taps("taps", np.zeros((480, 640, 3), np.uint8), taps, PAPER)


def test_nothing_neutral() -> None:
    with pytest.raises(CameraError, match="choose grey or shaded white paper"):
        calibrate_by_taps("taps", np.full((480, 640, 3), 255, np.uint8), PAPER, PAPER, (10, 10, 20, 20))


def test_faults_are_told_with_their_mend(views: list[Picture], sheet: Picture) -> None:
    blank = np.full_like(views[0], 90)
    for frames, code, words in (
        ([blank] * 8, "no_board", "print it"),
        (views[4:], "too_few_views", "seen in 4 of 4 pictures: take at least 6"),
        ([*views, blank], "last_not_seen", "should show it flat"),
        ([*views, views[0][:360]], "sizes_differ", "take all with one setting"),
    ):
        with pytest.raises(CameraError, match=words) as refused:
            calibrate("table", frames, BOARD)
        assert refused.value.code == code
        assert "\n" not in str(refused.value)


def test_views_that_give_no_lens() -> None:
    points = [bent(BOARD.corners[:, :2], Pose((3.0 * (n % 2), 2.0 * (n % 3), 7.0 * n), 420 + 12 * n)) for n in range(8)]
    rng = np.random.default_rng(2)
    seen_so = [View(p + rng.normal(0, 0.1, p.shape), np.arange(35)) for p in points]
    with pytest.raises(CameraError, match="tilt it by 20 to 40°") as refused:
        find_lens(seen_so, SIZE, BOARD)
    assert refused.value.code == "one_angle"
    crooked = [View(bent(BOARD.corners[:, :2], pose) + rng.normal(0, 3, (35, 2)), np.arange(35)) for pose in VIEWS]
    with pytest.raises(CameraError, match=r"pixels off\): glue the board") as refused:
        find_lens(crooked, SIZE, BOARD)
    assert refused.value.code == "bad_fit"


def test_a_board_printed_too_small_is_measured(views: list[Picture], camera: Camera) -> None:
    small = calibrate("small", views, Board(square=27.0))
    assert small.scale() == pytest.approx(camera.scale() / 0.9, rel=0.01)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    return tmp_path / "cameras"


def test_cameras_are_kept(camera: Camera, views: list[Picture], kept: Path) -> None:
    assert cameras.names() == []
    assert cameras.save(camera) == kept / "table.json"
    again = cameras.load("table")
    assert again.size == camera.size
    assert again.gains == camera.gains
    assert np.array_equal(again.plane, camera.plane)
    assert np.array_equal(again.corrected(views[0]), camera.corrected(views[0]))
    assert len(again.landmarks.points) == len(camera.landmarks.points) > 30
    assert not again.drift(views[-1], BOARD).moved
    tapped = calibrate_by_taps("桌 2", views[0], PAPER, PAPER)
    cameras.save(tapped)
    assert cameras.load("桌 2").lens is None
    assert cameras.names() == ["table", "桌 2"]
    cameras.forget("table")
    assert cameras.names() == ["桌 2"]
    with pytest.raises(CameraError, match="no camera 'table'"):
        cameras.forget("table")
    with pytest.raises(CameraError, match=r"no camera 'table' \(桌 2\)"):
        cameras.load("table")


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 41, "a\\b", "nul\0"])
def test_names_that_are_none(name: str, kept: Path) -> None:
    with pytest.raises(CameraError, match="is no name for a camera"):
        cameras.load(name)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"version": 2}, "later_version"),
        ({"width": 0}, "damaged"),
        ({"plane": [[1, 2], [3, 4]]}, "damaged"),
        ({"gains": [1, 1]}, "damaged"),
        ({"plane": [[1, 0, 0], [0, 1, 0], [0, 0, None]]}, "damaged"),
        ({"landmarks": {"points": [[1, 2]], "descriptors": "?"}}, "damaged"),
    ],
)
def test_damaged_files_are_named(change: dict[str, object], code: str, camera: Camera, kept: Path) -> None:
    path = cameras.save(camera)
    path.write_text(json.dumps(cameras.to_json(camera) | change), encoding="utf-8")
    with pytest.raises(CameraError, match=r"table\.json") as refused:
        cameras.load("table")
    assert refused.value.code == code
    path.write_text("{", encoding="utf-8")
    with pytest.raises(CameraError, match=r"table\.json is damaged"):
        cameras.load("table")
