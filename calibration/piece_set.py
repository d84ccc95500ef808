"""Piece sets on disk: a folder each in the data directory, with the crops that were taken as its truth.

    sets/NAME/set.json          what the set is and where each crop came from (schema `VERSION`)
    sets/NAME/crops/rK-1a2b….png  a sample: 128×128 px, its label before the dash, the beginning of its hash after it
    sets/NAME/prototypes.npz    worked out from the crops and the namer; made anew whenever either changed
    sets/.deleted/…             sets that were deleted, until the next one is

Every file is written beside its place and moved there whole. A file that is damaged is named and left out, and the
rest stays usable; since a crop's name holds its label, even a lost `set.json` can be written again (`repair`).
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import threading
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final

import cv2
import numpy as np

from calibration.home import home
from calibration.prototypes import BACK, Learned, Prototypes, learn
from models.patches import PATCH
from scoring.tiles import Family, TileError, parse_tile
from vision.frames import PictureError, Pixels, inspect
from vision.network import Network
from vision.reading import FACTORY_SET

VERSION: Final = 1
CROP: Final = 2 * PATCH  # px, the side of a crop; what the namer sees is half as large

MAX_SAMPLES: Final = 3000
MAX_CROP_BYTES: Final = 256 * 1024
MAX_SET_BYTES: Final = 8 * 2**20  # of set.json

_NAME: Final = re.compile(r"[^\W_][\w .()+-]{0,39}")
_DEVICES: Final = frozenset({"con", "prn", "aux", "nul"}) | {f"{d}{n}" for d in ("com", "lpt") for n in range(10)}
_CROP_NAME: Final = re.compile(r"([A-Za-z0-9]{1,4})-([0-9a-f]{16})\.png")
_LEARNED_BY: Final = 5
"""Counts up when `prototypes.learn` learns otherwise, so that what it learned before is not used."""

_lock = threading.RLock()


class PieceSetError(ValueError):
    """A piece set that cannot be used or changed as asked. `code` is stable; the message says how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Source:
    """Where a crop came from: the photo's name, four corners in its pixels (clockwise, x then y), how it was
    labelled (in_order, labels, mended, game), when (ISO 8601), and the camera, where something is known of it."""

    photo: str
    polygon: tuple[tuple[float, float], ...] = ()
    how: str = ""
    added: str = ""
    camera: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One crop: its file's name, label (a code or `BACK`), SHA-256, source, and how the tile was seen: `side` its
    shorter side in px of the photo, `sharpness` as `vision.quality` measures it."""

    file: str
    label: str
    sha256: str
    source: Source
    side: float
    sharpness: float


@dataclass(frozen=True, slots=True)
class PieceSet:
    """A set as `set.json` tells it. `round` is None as long as there is no sample; `notes` are the user's own.

    `damaged` are crops that are missing or are not what they were; they take no part in anything.
    """

    name: str
    family: Family
    round: bool | None
    samples: tuple[Sample, ...]
    notes: str = ""
    created: str = ""
    damaged: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The samples' labels, in their order."""
        return tuple(sample.label for sample in self.samples)


def folder() -> Path:
    """Where piece sets are kept."""
    return home() / "sets"


def names() -> list[str]:
    """The sets that are kept, in alphabetical order; damaged ones too."""
    return sorted(path.name for path in folder().glob("*") if path.is_dir() and _NAME.fullmatch(path.name))


def proper_name(name: str) -> str:
    """The name as it is kept. Raises PieceSetError where it cannot name a set."""
    name = unicodedata.normalize("NFC", name).strip()
    if not _NAME.fullmatch(name) or name.endswith((".", " ")) or name.split(".")[0].lower() in _DEVICES:
        raise PieceSetError(
            "bad_name", f"{name[:60]!r} cannot name a set: take up to 40 letters, figures, spaces, dots or dashes"
        )
    if name.lower() == FACTORY_SET:
        raise PieceSetError("bad_name", f"{FACTORY_SET!r} is what hupai knows by itself; take another name")
    return name


def create(name: str, family: Family, notes: str = "") -> PieceSet:
    """A new set without samples. Raises PieceSetError where the name is bad or taken."""
    name = proper_name(name)
    with _lock:
        _must_be_free(name)
        made = PieceSet(name, family, None, (), notes, _now())
        return _write_set(made)


def load(name: str) -> PieceSet:
    """The set of that name; crops that are missing or changed are left out and named in `damaged`.

    Raises PieceSetError where there is no such set, its `set.json` is damaged, or a later hupai wrote it.
    """
    name = proper_name(name)
    path = folder() / name / "set.json"
    if not path.parent.is_dir():
        known = ", ".join(names()) or "none is calibrated yet"
        raise PieceSetError("no_set", f"there is no piece set {name!r} ({known}); see `hupai calibrate`")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        told = _from_json(name, data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, PieceSetError):
            raise
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise PieceSetError(
            "damaged_set", f"{path} {reason}; `hupai sets repair {name}` writes it again from the crops"
        ) from None
    good = tuple(sample for sample in told.samples if _crop_bytes(name, sample) is not None)
    kept = set(good)
    return replace(told, samples=good, damaged=tuple(s.file for s in told.samples if s not in kept))


def crops(pieces: PieceSet) -> Pixels:
    """The crops of a set's samples, N×128×128×3 uint8 BGR."""
    out = np.empty((len(pieces.samples), CROP, CROP, 3), np.uint8)
    for n, sample in enumerate(pieces.samples):
        data = _crop_bytes(pieces.name, sample)
        crop = None if data is None else _decoded(data)
        if crop is None:
            raise PieceSetError("damaged_crop", f"{sample.file} of {pieces.name!r} is damaged; load the set again")
        out[n] = crop
    return out


def patches(taken: Pixels) -> Pixels:
    """What the namer sees of crops N×128×128×3: N×64×64×3."""
    size = (PATCH, PATCH)
    small = [cv2.resize(crop, size, interpolation=cv2.INTER_AREA) for crop in taken]
    return np.asarray(small, np.uint8).reshape(-1, PATCH, PATCH, 3)


def add(name: str, taken: Pixels, samples: Sequence[Sample], is_round: bool) -> PieceSet:
    """Keep crops N×128×128×3, uint8 BGR, each told of by a sample whose file and hash are filled in here.

    A crop that the set holds already, to the last pixel, is not kept twice. Raises PieceSetError for labels of another
    family, or too many samples.
    """
    with _lock:
        pieces = load(name)
        for sample in samples:
            _check_label(sample.label, pieces.family)
        if len(pieces.samples) + len(samples) > MAX_SAMPLES:
            raise PieceSetError("too_many_samples", f"a set holds {MAX_SAMPLES} samples at most; delete some first")
        held = {sample.sha256 for sample in pieces.samples}
        fresh, now = [], _now()
        for crop, sample in zip(taken, samples, strict=True):
            data = cv2.imencode(".png", crop)[1].tobytes()
            digest = hashlib.sha256(data).hexdigest()
            if digest in held:
                continue
            held.add(digest)
            file = f"{sample.label}-{digest[:16]}.png"
            _write(folder() / pieces.name / "crops" / file, data)
            source = replace(sample.source, added=sample.source.added or now)
            fresh.append(replace(sample, file=file, sha256=digest, source=source))
        shape = pieces.round if pieces.round is not None and pieces.samples else is_round
        return _write_set(replace(pieces, samples=pieces.samples + tuple(fresh), round=shape))


def remove(name: str, files: Iterable[str]) -> PieceSet:
    """Take samples out of a set, and their crops with them. Raises PieceSetError where one is not in the set."""
    with _lock:
        pieces = load(name)
        gone = set(files)
        for file in gone - {sample.file for sample in pieces.samples}:
            raise PieceSetError("no_sample", f"there is no sample {file[:60]!r} in {pieces.name!r}; load the set again")
        left = tuple(sample for sample in pieces.samples if sample.file not in gone)
        changed = _write_set(replace(pieces, samples=left))
        for file in gone:
            (folder() / pieces.name / "crops" / file).unlink(missing_ok=True)
        return changed


def relabel(name: str, labels: Mapping[str, str]) -> PieceSet:
    """Give samples, by their files, other labels. Raises PieceSetError where one is not in the set or no such tile."""
    with _lock:
        pieces = load(name)
        by_file = {sample.file: sample for sample in pieces.samples}
        renamed: dict[str, Sample] = {}
        for file, label in labels.items():
            if file not in by_file:
                raise PieceSetError("no_sample", f"there is no sample {file[:60]!r} in {pieces.name!r}; load it again")
            _check_label(label, pieces.family)
            sample = by_file[file]
            fresh = f"{label}-{sample.sha256[:16]}.png"
            if fresh != file:
                data = (folder() / pieces.name / "crops" / file).read_bytes()
                _write(folder() / pieces.name / "crops" / fresh, data)
            renamed[file] = replace(sample, file=fresh, label=label, source=replace(sample.source, how="mended"))
        told = tuple(renamed.get(sample.file, sample) for sample in pieces.samples)
        changed = _write_set(replace(pieces, samples=told))
        for file, sample in renamed.items():
            if sample.file != file:
                (folder() / pieces.name / "crops" / file).unlink(missing_ok=True)
        return changed


def annotate(name: str, notes: str) -> PieceSet:
    """Put the user's own notes on a set: about the camera, the light, the pieces."""
    with _lock:
        pieces = load(name)
        return _write_set(replace(pieces, notes=notes[:2000]))


def rename(name: str, to: str) -> PieceSet:
    """Give a set another name. Raises PieceSetError."""
    with _lock:
        pieces, to = load(name), proper_name(to)
        _must_be_free(to, but=pieces.name)
        (folder() / pieces.name).rename(folder() / to)
        renamed = replace(pieces, name=to)
        return _write_set(renamed)


def duplicate(name: str, to: str) -> PieceSet:
    """A copy of a set under another name. Raises PieceSetError."""
    with _lock:
        pieces, to = load(name), proper_name(to)
        _must_be_free(to)
        part = folder() / f".{to}.part"
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(folder() / pieces.name, part)
        part.rename(folder() / to)
        copied = replace(pieces, name=to, created=_now())
        return _write_set(copied)


def delete(name: str) -> None:
    """Delete a set; `undelete` brings the last one back. Raises PieceSetError where there is none."""
    with _lock:
        name = proper_name(name)
        path = folder() / name
        if not path.is_dir():
            load(name)
        bin_ = folder() / ".deleted"
        shutil.rmtree(bin_, ignore_errors=True)
        bin_.mkdir()
        path.rename(bin_ / name)


def deleted() -> str | None:
    """The set that `undelete` would bring back; None where none was deleted, or a new one has its name by now."""
    return next((name for name in _held() if name.lower() not in {other.lower() for other in names()}), None)


def undelete() -> str:
    """Bring the set back that was deleted last, and return its name.

    Raises PieceSetError where there is none, or a new set has its name by now.
    """
    with _lock:
        held = _held()
        if not held:
            raise PieceSetError("nothing_to_undo", "no deleted set is kept; only the last one can be brought back")
        _must_be_free(held[0])
        (folder() / ".deleted" / held[0]).rename(folder() / held[0])
        return held[0]


def _held() -> list[str]:
    """The deleted sets that are kept: one at most."""
    return [path.name for path in (folder() / ".deleted").glob("*") if path.is_dir()]


def repair(name: str) -> PieceSet:
    """Write `set.json` again from the crops, whose names hold their labels; where it can be read, only what is damaged
    is forgotten. Raises PieceSetError where there is no set, or no crop of which a family can be told."""
    with _lock:
        try:
            pieces = load(name)
            return _write_set(pieces)
        except PieceSetError as error:
            if error.code != "damaged_set":
                raise
        name = proper_name(name)
        found = []
        for path in sorted((folder() / name / "crops").glob("*.png")):
            match = _CROP_NAME.fullmatch(path.name)
            data = path.read_bytes()
            if match and _decoded(data) is not None and hashlib.sha256(data).hexdigest().startswith(match[2]):
                digest = hashlib.sha256(data).hexdigest()
                found.append(Sample(path.name, match[1], digest, Source("", how="repaired", added=_now()), 0.0, 0.0))
        families = {parse_tile(sample.label).family for sample in found if sample.label != BACK}
        if len(families) != 1:
            raise PieceSetError("damaged_set", f"the crops of {name!r} do not tell its family; calibrate it again")
        pieces = PieceSet(name, families.pop(), None, tuple(found), "", _now())
        pieces = replace(pieces, round=_seems_round(crops(pieces)))
        return _write_set(pieces)


def prototypes(pieces: PieceSet, namer: Network) -> Prototypes:
    """The set's prototypes: those that are kept where they fit the crops and the namer, else learned now and kept.

    Raises PieceSetError where the set has no samples.
    """
    path = folder() / pieces.name / "prototypes.npz"
    fingerprint = _fingerprint(pieces, namer)
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
            if str(kept["fingerprint"]) == fingerprint:
                found = Prototypes.of(
                    pieces.family,
                    bool(pieces.round),
                    [str(kind) for kind in kept["kinds"]],
                    np.asarray(kept["patches"], np.uint8),
                    np.asarray(kept["embeddings"], np.float32),
                    np.asarray(kept["weights"], np.float64),
                    float(kept["threshold"]),
                    float(kept["level"]),
                    float(kept["stranger"]),
                    float(kept["trust"]),
                )
                return replace(found, name=pieces.name)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        # Missing or damaged: it is made of the crops again.
        pass
    return relearn(pieces, namer).prototypes


def relearn(pieces: PieceSet, namer: Network) -> Learned:
    """Learn the set from its crops, keep the prototypes, and return all that was found out.

    Raises PieceSetError where the set has no samples.
    """
    if not any(label != BACK for label in pieces.labels):
        raise PieceSetError("no_samples", f"{pieces.name!r} holds no face yet: photograph some with `hupai calibrate`")
    # Phones give many a photo the same name; what was added at one time is from one.
    photos = [f"{sample.source.photo} {sample.source.added}" for sample in pieces.samples]
    learned = learn(patches(crops(pieces)), pieces.labels, pieces.family, bool(pieces.round), namer, photos=photos)
    learned = replace(learned, prototypes=replace(learned.prototypes, name=pieces.name))
    found = learned.prototypes
    path = folder() / pieces.name / "prototypes.npz"
    with _lock:
        part = path.with_name(".prototypes.part.npz")
        np.savez(
            part,
            fingerprint=np.array(_fingerprint(pieces, namer)),
            kinds=np.array(found.kinds),
            patches=found.patches,
            embeddings=found.embeddings.astype(np.float16),
            weights=found.weights,
            threshold=np.array(found.threshold),
            level=np.array(found.level),
            stranger=np.array(found.stranger),
            trust=np.array(found.trust),
        )
        os.replace(part, path)
    return learned


def export(name: str, target: Path) -> None:
    """Write a set as one zip file. Raises PieceSetError, and OSError where the file cannot be written."""
    pieces = load(name)
    part = target.with_name(target.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("set.json", _text(pieces))
        for sample in pieces.samples:
            data = _crop_bytes(pieces.name, sample)
            if data is not None:
                archive.writestr(f"crops/{sample.file}", data)
    os.replace(part, target)


def import_(source: Path, name: str | None = None) -> PieceSet:
    """A set from a zip file that `export` wrote, under its own name or another.

    The file may come from anyone: names in it are only compared, never used as paths; sizes are bounded while reading;
    pictures are judged by their headers before they are decoded. Raises PieceSetError.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            listed = archive.infolist()
            if len(listed) > MAX_SAMPLES + 2:
                raise _bad_archive("it holds too many files")
            for entry in listed:
                if not _proper_member(entry.filename):
                    raise _bad_archive(f"it holds {entry.filename[:60]!r}, which no set has")
            told = json.loads(_member(archive, "set.json", MAX_SET_BYTES))
            pieces = _from_json(proper_name(name or str(told["name"])), told)
            data = {s.file: _member(archive, f"crops/{s.file}", MAX_CROP_BYTES) for s in pieces.samples}
    except PieceSetError:
        raise
    except FileNotFoundError:
        raise PieceSetError("no_file", f"there is no file {source}; check the path") from None
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise _bad_archive(f"it cannot be read ({type(error).__name__})") from None
    for sample in pieces.samples:
        if hashlib.sha256(data[sample.file]).hexdigest() != sample.sha256 or _decoded(data[sample.file]) is None:
            raise _bad_archive(f"the crop {sample.file} is not what the set says of it")
    with _lock:
        _must_be_free(pieces.name)
        for sample in pieces.samples:
            _write(folder() / pieces.name / "crops" / sample.file, data[sample.file])
        _write_set(pieces)
    return load(pieces.name)


def contact_sheet(pieces: PieceSet, cell: int = 96) -> Pixels:
    """All samples in one picture, H×W×3 uint8 BGR: a row a kind, its code before it."""
    rows: dict[str, list[Pixels]] = {}
    for sample, crop in zip(pieces.samples, crops(pieces), strict=True):
        rows.setdefault(sample.label, []).append(np.asarray(cv2.resize(crop, (cell, cell)), np.uint8))
    longest = min(max((len(row) for row in rows.values()), default=1), 12)
    order = sorted(rows, key=_order)
    sheet = np.full((max(len(order), 1) * cell, (longest + 1) * cell, 3), 245, np.uint8)
    for r, label in enumerate(order):
        y = r * cell
        scale = cell / 96
        cv2.putText(
            sheet, label, (6, y + cell // 2 + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.9 * scale, (40, 40, 40), 2, cv2.LINE_AA
        )
        for c, crop in enumerate(rows[label][:longest]):
            sheet[y : y + cell, (c + 1) * cell : (c + 2) * cell] = crop
    return sheet


def _order(label: str) -> int:
    return 10_000 if label == BACK else parse_tile(label).order


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _check_label(label: str, family: Family) -> None:
    if label == BACK:
        return
    try:
        tile = parse_tile(label)
    except TileError as error:
        raise PieceSetError("unknown_tile", str(error)) from None
    if tile.family is not family:
        raise PieceSetError("wrong_family", f"{label} is a {tile.family} tile, and the set is {family}; mend the label")


def _must_be_free(name: str, but: str = "") -> None:
    taken = {other.lower() for other in names()} - {but.lower()}
    if name.lower() in taken:
        raise PieceSetError("set_exists", f"there is a set {name!r} already; take another name, or delete it first")


def _write_set(pieces: PieceSet) -> PieceSet:
    """Write what is told of a set; crops that were found damaged are not told of any more."""
    pieces = replace(pieces, damaged=())
    _write(folder() / pieces.name / "set.json", _text(pieces).encode())
    return pieces


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise PieceSetError(
            "cannot_write", f"{path} cannot be written ({reason}); make room or set HUPAI_HOME"
        ) from None


def _text(pieces: PieceSet) -> str:
    told = {
        "version": VERSION,
        "name": pieces.name,
        "family": pieces.family.value,
        "created": pieces.created,
        "notes": pieces.notes,
        "shape": None if pieces.round is None else "disc" if pieces.round else "block",
        "colours": _colours(pieces),
        "samples": [asdict(sample) for sample in pieces.samples],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _colours(pieces: PieceSet) -> dict[str, str]:
    """The usual colour of the marks of each side or suit, #rrggbb, from the crops that can be read."""
    marks: dict[str, list[Any]] = {}
    for sample in pieces.samples:
        data = _crop_bytes(pieces.name, sample)
        crop = None if data is None else _decoded(data)
        if crop is None or sample.label == BACK:
            continue
        middle = crop[CROP // 5 : -CROP // 5, CROP // 5 : -CROP // 5].reshape(-1, 3).astype(np.float32)
        apart = np.abs(middle - np.median(middle, axis=0)).sum(axis=1)
        strongest = middle[apart >= np.quantile(apart, 0.9)]
        marks.setdefault(parse_tile(sample.label).colour.value, []).append(np.median(strongest, axis=0))
    usual = {side: np.median(colours, axis=0).round().astype(int) for side, colours in marks.items()}
    return {side: f"#{int(bgr[2]):02x}{int(bgr[1]):02x}{int(bgr[0]):02x}" for side, bgr in usual.items()}


def _from_json(name: str, data: Any) -> PieceSet:
    """A set from the JSON form; raises ValueError, KeyError or TypeError where it is none."""
    if isinstance(data["version"], int) and data["version"] > VERSION:
        raise PieceSetError("later_version", f"the set {name!r} was written by a later hupai; update hupai")
    family = Family(data["family"])
    samples = []
    for entry in data["samples"]:
        source = entry["source"]
        polygon = tuple((float(x), float(y)) for x, y in source["polygon"])
        match = _CROP_NAME.fullmatch(entry["file"])
        if not match or match[1] != entry["label"] or not re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]):
            raise ValueError(entry["file"])
        _check_label(entry["label"], family)
        where = Source(
            str(source["photo"])[:200],
            polygon[:4],
            str(source["how"])[:40],
            str(source["added"])[:40],
            str(source["camera"])[:200],
        )
        seen = (float(entry["side"]), float(entry["sharpness"]))
        samples.append(Sample(entry["file"], entry["label"], entry["sha256"], where, *seen))
    shape = {None: None, "disc": True, "block": False}[data["shape"]]
    return PieceSet(name, family, shape, tuple(samples), str(data["notes"])[:2000], str(data["created"])[:40])


def _crop_bytes(name: str, sample: Sample) -> bytes | None:
    """A crop's file; None where it is missing or not the one that was kept."""
    try:
        data = (folder() / name / "crops" / sample.file).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == sample.sha256 else None


def _decoded(data: bytes) -> Pixels | None:
    """A crop from its PNG; None where it is none, or not of a crop's size."""
    try:
        header = inspect(data)
    except PictureError:
        return None
    if header.format != "PNG" or (header.width, header.height) != (CROP, CROP):
        return None
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, np.uint8)


def _seems_round(taken: Pixels) -> bool:
    """Whether crops show discs: their corners, all table, differ from crop to crop more than discs and blocks do."""
    corners = taken[:, [4, 4, -5, -5], [4, -5, 4, -5]].astype(np.float32)
    middles = taken[:, [4, CROP // 2, CROP // 2, -5], [CROP // 2, 4, -5, CROP // 2]].astype(np.float32)
    return bool(np.abs(corners - middles).mean() > 25)


def _fingerprint(pieces: PieceSet, namer: Network) -> str:
    card = getattr(namer, "card", {})
    parts = [str(_LEARNED_BY), str(card.get("sha256", "")), pieces.family.value, str(pieces.round)]
    parts += [f"{sample.label} {sample.sha256}" for sample in pieces.samples]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _bad_archive(reason: str) -> PieceSetError:
    return PieceSetError("bad_archive", f"this is no piece set that hupai exported: {reason}; export it again")


def _proper_member(name: str) -> bool:
    path = PurePosixPath(name)
    if name in ("set.json", "crops/"):
        return True
    return len(path.parts) == 2 and name == f"crops/{path.name}" and bool(_CROP_NAME.fullmatch(path.name))


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise _bad_archive(f"{name} is larger than a set has it")
    return data
