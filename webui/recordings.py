"""Snapshots and recordings of the live view: kept in the data directory when somebody asks, listed, deleted.

They never leave this machine by themselves; whoever wants to show a misread hand downloads the file and passes it on.
"""

from __future__ import annotations

import os
import platform
import re
import threading
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, jsonify, send_file

from calibration.home import home
from vision.recording import Moment, as_zip
from webui.api import json_object
from webui.errors import Refused
from webui.live import followed, show_again

recordings = Blueprint("recordings", __name__)

MOST_KEPT: Final = 50
KINDS: Final = ("snapshot", "recording")
NAME: Final = re.compile(r"(snapshot|recording)-\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?\.zip")

_keeping = threading.Lock()


def folder() -> Path:
    """Where they are kept."""
    return home() / "recordings"


@recordings.get("/api/recordings")
def list_() -> Response:
    """What is kept, the last first: each one's `name`, `bytes` and when it was `kept`, in this machine's time."""
    return jsonify({"recordings": [_told(path) for path in sorted(_files(), key=_when, reverse=True)]})


@recordings.get("/api/recordings/<name>")
def file(name: str) -> Response:
    """One of them, a zip file."""
    return send_file(_path(name).resolve(), mimetype="application/zip", as_attachment=True, download_name=name)


@recordings.delete("/api/recordings/<name>")
def delete(name: str) -> Response:
    """Delete one of them for good."""
    path = _path(name)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(error) from None
    return jsonify({"deleted": name})


@recordings.post("/api/live/table/recording", defaults={"phone": None})
@recordings.post("/api/live/phone/<phone>/recording")
def switch(phone: str | None) -> Response:
    """Begin to keep the last 30 seconds in memory, or end it and forget them: {"on": true | false}."""
    on = json_object().get("on")
    if not isinstance(on, bool):
        raise Refused("wrong_type", "Say whether it is on: true or false.", 400)
    follower = followed(phone)
    follower.record(on)
    show_again(phone)
    return jsonify(follower.to_json())


@recordings.post("/api/live/table/keep", defaults={"phone": None})
@recordings.post("/api/live/phone/<phone>/keep")
def keep(phone: str | None) -> tuple[Response, int]:
    """Keep the last picture, or the last 30 seconds, as a file: {"what": "snapshot" | "recording"}."""
    what = json_object().get("what")
    if what not in KINDS:
        raise Refused("wrong_type", "Say what to keep: a snapshot or a recording.", 400)
    follower = followed(phone)
    moments: Sequence[Moment] = follower.recording.moments()
    if what == "snapshot":
        last = follower.snapshot()
        moments = () if last is None else (last,)
    if not moments:
        raise Refused("nothing_recorded", "There is no picture yet; record for a moment first.", 422)
    about = {
        "what": what,
        "hupai": version("hupai"),
        "python": platform.python_version(),
        "camera": "table" if phone is None else "phone",
        "rules": follower.rules,
        "set": follower.set_name,
    }
    return jsonify({"recording": _told(_keep(what, moments, about))}), 201


def _keep(what: str, moments: Sequence[Moment], about: dict[str, Any]) -> Path:
    now = datetime.now().astimezone()
    data = as_zip(moments, {**about, "kept": now.isoformat(timespec="seconds")})
    with _keeping:
        if len(_files()) >= MOST_KEPT:
            raise Refused("too_many_recordings", f"{MOST_KEPT} are kept already; delete some first.", 422)
        stem = f"{what}-{now:%Y-%m-%d-%H%M%S}"
        names = (f"{stem}.zip", *(f"{stem}-{number}.zip" for number in range(2, MOST_KEPT + 2)))
        path = next(folder() / name for name in names if not (folder() / name).exists())
        try:
            folder().mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.write_bytes(data)
            os.replace(part, path)
        except OSError as error:
            raise _unwritable(error) from None
    return path


def _files() -> list[Path]:
    return [path for path in folder().glob("*.zip") if NAME.fullmatch(path.name)]


def _path(name: str) -> Path:
    """The file of a name; Refused where there is none."""
    path = folder() / name
    if not NAME.fullmatch(name) or not path.is_file():
        raise Refused("no_recording", "This recording is not there any more; reload the page.", 404)
    return path


def _when(path: Path) -> tuple[str, int]:
    """By when it was kept, which its name tells; those of one second by their number."""
    parts = path.stem.split("-")
    return "-".join(parts[1:5]), int(parts[5]) if len(parts) > 5 else 1


def _told(path: Path) -> dict[str, Any]:
    kind, year, month, day, clock = path.stem.split("-")[:5]
    kept = f"{year}-{month}-{day}T{clock[:2]}:{clock[2:4]}:{clock[4:]}"
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        size = 0  # deleted at this moment
    return {"name": path.name, "kind": kind, "bytes": size, "kept": kept}


def _unwritable(error: OSError) -> Refused:
    reason = (error.strerror or "unknown reason").lower()
    return Refused("cannot_write", f"{folder()} cannot be written ({reason}); make room or set HUPAI_HOME.", 422)
