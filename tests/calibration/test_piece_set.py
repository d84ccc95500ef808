"""Sets on disk: kept whole, damaged files named and left out, archives from anyone taken in safely."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from marks import BLUE, RED, CoarseNamer, disc
from numpy.typing import NDArray

from calibration import piece_set
from calibration.piece_set import CROP, PieceSet, PieceSetError, Sample, Source
from calibration.prototypes import BACK
from scoring.tiles import Family

CODES = ["rK", "rR", "bK", "bR"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    return tmp_path


def crop(code: str) -> NDArray[np.uint8]:
    return disc("KAERHCP".index(code[1]), RED if code[0] == "r" else BLUE, CROP)


def sample(label: str) -> Sample:
    corners = ((1.0, 2.0), (50.0, 2.0), (50.0, 51.0), (1.0, 51.0))
    return Sample("", label, "", Source("photo.jpg", corners, "in_order"), 49.0, 0.6)


def made(name: str = "house set") -> PieceSet:
    piece_set.create(name, Family.XIANGQI, "the brown ones")
    return piece_set.add(name, np.stack([crop(code) for code in CODES]), [sample(code) for code in CODES], True)


def refused(code: str, act: Callable[[], object]) -> str:
    with pytest.raises(PieceSetError) as error:
        act()
    assert error.value.code == code
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_set_comes_back_as_it_was_kept() -> None:
    pieces = made()
    again = piece_set.load("house set")
    assert again == pieces
    assert (again.labels, again.round, again.notes) == (tuple(CODES), True, "the brown ones")
    assert np.array_equal(piece_set.crops(again), np.stack([crop(code) for code in CODES]))
    told = json.loads((piece_set.folder() / "house set" / "set.json").read_text("utf-8"))
    assert (told["version"], told["shape"]) == (1, "disc")
    red = told["colours"]["red"]
    assert int(red[1:3], 16) > int(red[5:7], 16)
    assert piece_set.names() == ["house set"]


def test_the_same_picture_is_not_kept_twice() -> None:
    made()
    assert len(piece_set.add("house set", crop("rK")[None], [sample("rK")], True).samples) == 4


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "factory", "nul", "x" * 41, "end."])
def test_names_that_would_leave_the_folder_or_mean_something_else_are_refused(name: str) -> None:
    refused("bad_name", lambda: piece_set.create(name, Family.XIANGQI))


def test_chinese_names_will_do_and_a_taken_one_will_not() -> None:
    piece_set.create("外婆的棋", Family.XIANGQI)
    refused("set_exists", lambda: piece_set.create("外婆的棋", Family.XIANGQI))
    refused("no_set", lambda: piece_set.load("another"))


def test_labels_of_another_family_and_no_labels_are_refused() -> None:
    made()
    refused("wrong_family", lambda: piece_set.add("house set", crop("rK")[None], [sample("1m")], True))
    refused("unknown_tile", lambda: piece_set.relabel("house set", {made_file("rK"): "zz"}))


def made_file(label: str) -> str:
    return next(s.file for s in piece_set.load("house set").samples if s.label == label)


def test_samples_get_other_labels_and_go() -> None:
    made()
    pieces = piece_set.relabel("house set", {made_file("rK"): "rR", made_file("bK"): BACK})
    assert sorted(pieces.labels) == sorted(["rR", "rR", BACK, "bR"])
    assert piece_set.load("house set") == pieces
    pieces = piece_set.remove("house set", [s.file for s in pieces.samples if s.label == "rR"])
    assert pieces.labels == (BACK, "bR")
    assert len(list((piece_set.folder() / "house set" / "crops").iterdir())) == 2
    refused("no_sample", lambda: piece_set.remove("house set", ["rK-0000000000000000.png"]))


def test_rename_duplicate_delete_and_undo() -> None:
    made()
    piece_set.rename("house set", "club set")
    piece_set.duplicate("club set", "second")
    assert piece_set.names() == ["club set", "second"]
    assert piece_set.load("second").labels == tuple(CODES)
    refused("set_exists", lambda: piece_set.rename("second", "club set"))
    piece_set.delete("club set")
    assert piece_set.names() == ["second"]
    assert piece_set.undelete() == "club set"
    assert piece_set.load("club set").labels == tuple(CODES)
    refused("nothing_to_undo", piece_set.undelete)
    refused("no_set", lambda: piece_set.delete("nothing"))


def test_a_damaged_crop_is_named_and_the_rest_is_usable() -> None:
    pieces = made()
    crops = piece_set.folder() / "house set" / "crops"
    (crops / pieces.samples[0].file).write_bytes(b"\x89PNG nothing")
    (crops / pieces.samples[1].file).unlink()
    again = piece_set.load("house set")
    assert again.damaged == (pieces.samples[0].file, pieces.samples[1].file)
    assert again.labels == ("bK", "bR")
    assert piece_set.prototypes(again, CoarseNamer()).kinds == ("bK", "bR")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}', '{"version": 1, "family": "chess"}'])
def test_a_damaged_description_is_named_and_written_again_from_the_crops(text: str) -> None:
    made()
    (piece_set.folder() / "house set" / "set.json").write_text(text, "utf-8")
    assert "hupai sets repair" in refused("damaged_set", lambda: piece_set.load("house set"))
    assert piece_set.names() == ["house set"]
    repaired = piece_set.repair("house set")
    assert sorted(repaired.labels) == sorted(CODES)
    assert (repaired.family, repaired.round) == (Family.XIANGQI, True)
    assert piece_set.load("house set") == repaired


def test_a_later_hupais_set_is_not_touched() -> None:
    made()
    path = piece_set.folder() / "house set" / "set.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "version": 99}), "utf-8")
    refused("later_version", lambda: piece_set.load("house set"))
    refused("later_version", lambda: piece_set.repair("house set"))


def test_prototypes_are_kept_until_crops_change_and_made_again_where_damaged() -> None:
    pieces = made()
    namer = CoarseNamer()
    first = piece_set.prototypes(pieces, namer)
    path = piece_set.folder() / "house set" / "prototypes.npz"
    kept = path.stat().st_mtime_ns
    again = piece_set.prototypes(pieces, namer)
    assert path.stat().st_mtime_ns == kept
    assert (again.kinds, again.threshold, again.name) == (first.kinds, first.threshold, "house set")
    assert np.array_equal(again.patches, first.patches)
    path.write_bytes(path.read_bytes()[:100])
    assert piece_set.prototypes(pieces, namer).threshold == first.threshold
    changed = piece_set.remove("house set", [pieces.samples[0].file])
    assert piece_set.prototypes(changed, namer).kinds == ("rR", "bK", "bR")


def test_a_set_without_faces_cannot_name_anything() -> None:
    refused("no_samples", lambda: piece_set.prototypes(piece_set.create("empty", Family.JUNQI), CoarseNamer()))


def test_a_contact_sheet_shows_each_kind_in_a_row() -> None:
    assert piece_set.contact_sheet(made()).shape == (4 * 96, 2 * 96, 3)


def test_export_and_import_bring_the_same_set(tmp_path: Path) -> None:
    pieces = made()
    file = tmp_path / "set.zip"
    piece_set.export("house set", file)
    refused("set_exists", lambda: piece_set.import_(file))
    copy = piece_set.import_(file, "copy")
    assert replace(copy, name="house set") == pieces
    refused("no_file", lambda: piece_set.import_(tmp_path / "nothing.zip"))


def rewritten(file: Path, change: Callable[[dict[str, bytes]], dict[str, bytes]]) -> Path:
    with zipfile.ZipFile(file) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    bad = file.with_name("bad.zip")
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in change(held).items():
            archive.writestr(name, data)
    return bad


def first(held: dict[str, bytes]) -> str:
    return next(name for name in held if name.startswith("crops/"))


@pytest.mark.parametrize(
    "change",
    [
        lambda held: {**held, "../outside.png": b"x"},
        lambda held: {**held, "/etc/outside": b"x"},
        lambda held: {**held, "crops/../../outside.png": b"x"},
        lambda held: {**held, "crops\\outside.png": b"x"},
        lambda held: {**held, "set.json": b" " * (9 * 2**20)},
        lambda held: {**held, first(held): b"\0" * (2**20)},
        lambda held: {**held, first(held): held[first(held)][:-20]},
        lambda held: {name: data for name, data in held.items() if name != "set.json"},
        lambda held: {name: data for name, data in held.items() if name != first(held)},
        lambda held: {**held, "set.json": held["set.json"].replace(b"xiangqi", b"mahjong")},
        lambda held: {**held, "set.json": b"{" * 100_000},
        lambda held: {**held, **{f"crops/rK-{n:016x}.png": b"" for n in range(3100)}},
    ],
)
def test_archives_with_tricks_in_them_are_refused_and_leave_nothing(
    tmp_path: Path, change: Callable[[dict[str, bytes]], dict[str, bytes]]
) -> None:
    made()
    piece_set.export("house set", tmp_path / "set.zip")
    piece_set.delete("house set")
    bad = rewritten(tmp_path / "set.zip", change)
    before = sorted(path for path in tmp_path.rglob("*"))
    with pytest.raises(PieceSetError) as error:
        piece_set.import_(bad)
    assert error.value.code in ("bad_archive", "wrong_family")
    assert sorted(path for path in tmp_path.rglob("*")) == before


def test_a_picture_of_another_size_is_no_crop(tmp_path: Path) -> None:
    made()
    piece_set.export("house set", tmp_path / "set.zip")
    piece_set.delete("house set")
    large = cv2.imencode(".png", np.zeros((2000, 2000, 3), np.uint8))[1].tobytes()
    bad = rewritten(tmp_path / "set.zip", lambda held: {**held, first(held): large})
    refused("bad_archive", lambda: piece_set.import_(bad))


def test_something_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no archive")
    refused("bad_archive", lambda: piece_set.import_(tmp_path / "text.zip"))
