"""Calibrated cameras on disk: one JSON file each in the data directory, written whole or not at all."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from typing import Any, Final

import numpy as np

from calibration.camera import Camera, CameraError, Landmarks, Lens
from calibration.home import home

VERSION: Final = 1
_NAME: Final = re.compile(r"[\w-][\w .-]{0,39}")


def folder() -> Path:
    """Where cameras are kept."""
    return home() / "cameras"


def names() -> list[str]:
    """The cameras that are kept, in alphabetical order."""
    return sorted(path.stem for path in folder().glob("*.json"))


def save(camera: Camera) -> Path:
    """Keep a camera under its name, in place of one of that name; returns its file."""
    path = _path(camera.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part")
    fresh.write_text(json.dumps(to_json(camera), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, path)
    return path


def load(name: str) -> Camera:
    """The camera of that name. Raises CameraError where there is none, or its file is damaged or of a later version."""
    path = _path(name)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(names()) or "none is calibrated yet"
        raise CameraError("no_camera", f"there is no camera {name!r} ({known}); see `hupai camera calibrate`") from None
    except (OSError, ValueError) as error:
        raise _damaged(path, error) from None
    if isinstance(data, dict) and isinstance(data.get("version"), int) and data["version"] > VERSION:
        raise CameraError("later_version", f"{path} was written by a later hupai: update hupai, or calibrate again")
    try:
        return from_json(name, data)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(path, error) from None


def forget(name: str) -> None:
    """Delete a camera. Raises CameraError where there is none."""
    try:
        _path(name).unlink()
    except FileNotFoundError:
        raise CameraError("no_camera", f"there is no camera {name!r}; see `hupai camera list`") from None


def to_json(camera: Camera) -> dict[str, Any]:
    """A camera as its file has it; lengths in px and mm, descriptors in base 64."""
    lens = camera.lens
    return {
        "version": VERSION,
        "width": camera.size[0],
        "height": camera.size[1],
        "lens": None
        if lens is None
        else {"matrix": lens.matrix.tolist(), "distortion": lens.distortion.tolist(), "error": lens.error},
        "plane": camera.plane.tolist(),
        "gains": list(camera.gains),
        "landmarks": {
            "points": camera.landmarks.points.round(1).tolist(),
            "descriptors": base64.b64encode(camera.landmarks.descriptors.tobytes()).decode("ascii"),
        },
    }


def from_json(name: str, data: Any) -> Camera:
    """What `to_json` wrote. Raises KeyError, TypeError or ValueError where it is none."""
    lens = data["lens"]
    blue, green, red = (float(gain) for gain in data["gains"])
    points = np.array(data["landmarks"]["points"], np.float32).reshape(-1, 2)
    marks = np.frombuffer(base64.b64decode(data["landmarks"]["descriptors"], validate=True), np.uint8)
    return Camera(
        name=name,
        size=(_size(data["width"]), _size(data["height"])),
        lens=None
        if lens is None
        else Lens(_array(lens["matrix"], 3, 3), _array(lens["distortion"], 5), float(lens["error"])),
        plane=_array(data["plane"], 3, 3),
        gains=(blue, green, red),
        landmarks=Landmarks(points, marks.reshape(len(points), 32)),
    )


def _array(values: Any, *shape: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    array = np.array(values, np.float64).reshape(shape)
    if not np.isfinite(array).all():
        raise ValueError("a number is missing")
    return array


def _size(value: Any) -> int:
    if not isinstance(value, int) or value <= 0:
        raise ValueError(f"{value!r} is no size")
    return value


def check_name(name: str) -> None:
    """Raises CameraError where a camera cannot have that name."""
    _path(name)


def _path(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise CameraError(
            "bad_name", f"{name!r} is no name for a camera: take up to 40 letters, digits, spaces, - or _"
        )
    return folder() / f"{name}.json"


def _damaged(path: Path, error: Exception) -> CameraError:
    return CameraError("damaged", f"{path} is damaged ({type(error).__name__}): delete it and calibrate again")
