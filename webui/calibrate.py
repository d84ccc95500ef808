"""The calibration view: sets, photos that teach them, mending by groups, the report.

Each accepted photo is kept at once, so that neither a reload nor a closed laptop loses anything; what the page shows is
always what the set on disk holds. Photos are looked at in the queue of `webui.desk`.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from flask import Blueprint, Response, current_app, jsonify, render_template, request, send_file

from calibration import enrol, piece_set
from calibration.enrol import EnrolError, View
from calibration.order import laid_out
from calibration.piece_set import PieceSet, PieceSetError
from calibration.prototypes import BACK
from calibration.report import report
from scoring.tiles import Family
from vision.frames import PictureError, inspect
from vision.reading import Point
from webui.api import json_object, photo_of_form
from webui.desk import DESK, ReadingDesk
from webui.errors import Refused
from webui.language import chosen_language, words

calibrate = Blueprint("calibrate", __name__)

P = ParamSpec("P")
R = TypeVar("R")

MAX_ARCHIVE = 40 * 2**20


def refusing(act: Callable[P, R]) -> Callable[P, R]:
    """Turn what calibration refuses into an answer with its code and its one line."""

    @wraps(act)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return act(*args, **kwargs)
        except PieceSetError as error:
            raise Refused(error.code, str(error), 404 if error.code == "no_set" else 422) from None
        except EnrolError as error:
            raise Refused(error.code, str(error), 422) from None
        except PictureError as error:
            raise Refused(error.code, str(error), 413 if error.code == "too_large" else 422) from None

    return wrapped


@calibrate.get("/calibrate")
def page() -> str:
    """The view itself."""
    language = chosen_language(request)
    return render_template("calibrate.html", words=words(language), language=language)


@calibrate.get("/api/sets")
@refusing
def sets() -> Response:
    """All sets, the `deleted` one that can be brought back, and for each family the rows in which it is laid out."""
    told: list[dict[str, Any]] = []
    for name in piece_set.names():
        try:
            pieces = piece_set.load(name)
        except PieceSetError as error:
            told.append({"name": name, "error": {"code": error.code, "message": str(error)}})
        else:
            told.append({"name": name, "family": pieces.family.value, "samples": len(pieces.samples)})
    orders = {f.value: [[tile.code for tile in row] for row in laid_out(f)] for f in Family}
    return jsonify({"sets": told, "deleted": piece_set.deleted(), "orders": orders})


@calibrate.post("/api/sets")
@refusing
def create() -> Response:
    """Make the set {"name", "family"}."""
    body = json_object()
    if body.get("family") not in {family.value for family in Family}:
        raise Refused("unknown_family", "Choose a family of tiles.", 400)
    return _told(piece_set.create(_text(body, "name"), Family(body["family"])))


@calibrate.get("/api/sets/<name>")
@refusing
def one(name: str) -> Response:
    """A set with its samples."""
    return _told(piece_set.load(name))


@calibrate.post("/api/sets/<name>/photos")
@refusing
def photos(name: str) -> Response:
    """Keep what the uploaded `photo` teaches: `way` is in_order, guess or kind (with `label` for all its pieces).

    In order, a photo shows all kinds, or, with `row`, whole rows of the order from that one on. The answer is the set
    with what was `added` and `rejected` (place, label, reason), and the `next_row`. Where an order has another number
    of pieces than the photo, the refusal's `counted` holds the pieces' polygons row by row, for the page to show.
    """
    pieces = piece_set.load(name)
    way, label = request.form.get("way", ""), request.form.get("label", "")
    data, photo = photo_of_form()
    desk: ReadingDesk = current_app.extensions[DESK]
    inspect(data)
    seen = desk.do(lambda reader: enrol.view(data, pieces.family, reader.locator, reader.namer, photo=photo))
    if seen.spoiled is not None:
        fault = seen.spoiled
        raise Refused(f"{fault.code}", f"{fault.words}; {fault.hint}", 422)
    if way == "in_order":
        labels, next_row = _in_order(pieces, seen, request.form.get("row", ""))
        return _kept(name, seen, labels, [way] * len(seen), {"next_row": next_row})
    if way == "guess":
        labels = [""] * len(seen)
        known = desk.do(lambda reader: piece_set.prototypes(pieces, reader.namer)) if any(pieces.labels) else None
        found = desk.do(lambda reader: enrol.groups(seen, pieces.family, reader.namer, known))
        ways = [""] * len(seen)
        for number, group in enumerate(found, 1):
            for place in group.places:
                labels[place] = group.guess or BACK
                ways[place] = f"guess {number}"
        return _kept(name, seen, labels, ways)
    if way == "kind":
        return _kept(name, seen, [label] * len(seen), [way] * len(seen))
    raise Refused("unknown_way", "Say what the photo shows: in_order, guess or kind.", 400)


def _in_order(pieces: PieceSet, seen: View, row: str) -> tuple[list[str], int]:
    """The labels by place, and the row of the order that comes next."""
    laid = laid_out(pieces.family)
    start = int(row) if re.fullmatch("[0-9]", row) and int(row) < len(laid) else None
    try:
        return enrol.from_row(seen, pieces.family, start)
    except EnrolError as error:
        counted = [[seen.seen.quads[place].corners for place in row] for row in seen.rows]
        wanted = sum(len(kinds) for kinds in laid[start or 0 :])
        size = {"width": seen.frame.width, "height": seen.frame.height}
        answer = {"counted": counted, "found": len(seen), "wanted": wanted, **size}
        raise Refused(error.code, str(error), 422, answer) from None


def _kept(name: str, seen: View, labels: list[str], ways: list[str], more: Mapping[str, Any] | None = None) -> Response:
    kept = enrol.keep(name, seen, labels, ways)
    rejected = [[place, labels[place], reason] for place, reason in kept.rejected]
    return _told(kept.pieces, {"added": kept.added, "rejected": rejected, **(more or {})})


@calibrate.post("/api/sets/<name>/labels")
@refusing
def labels(name: str) -> Response:
    """Give the samples {"files": [...]} the {"label"}."""
    body = json_object()
    label = _text(body, "label")
    return _told(piece_set.relabel(name, dict.fromkeys(_files(body), label)))


@calibrate.post("/api/sets/<name>/remove")
@refusing
def remove(name: str) -> Response:
    """Take the samples {"files": [...]} out."""
    return _told(piece_set.remove(name, _files(json_object())))


@calibrate.post("/api/sets/<name>/rename")
@refusing
def rename(name: str) -> Response:
    """Give the set the name {"to"}."""
    return _told(piece_set.rename(name, _text(json_object(), "to")))


@calibrate.post("/api/sets/<name>/duplicate")
@refusing
def duplicate(name: str) -> Response:
    """Copy the set to {"to"}."""
    return _told(piece_set.duplicate(name, _text(json_object(), "to")))


@calibrate.post("/api/sets/<name>/delete")
@refusing
def delete(name: str) -> Response:
    """Delete the set."""
    piece_set.delete(name)
    return jsonify({"deleted": name})


@calibrate.post("/api/sets/undelete")
@refusing
def undelete() -> Response:
    """Bring the last deleted set back."""
    return _told(piece_set.load(piece_set.undelete()))


@calibrate.post("/api/sets/import")
@refusing
def import_() -> Response:
    """Take in the uploaded zip file `archive`."""
    archive = request.files.get("archive")
    if archive is None:
        raise Refused("no_file", "No file came with the request; choose one.", 400)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.zip"
        path.write_bytes(archive.read(MAX_ARCHIVE))
        return _told(piece_set.import_(path))


@calibrate.get("/api/sets/<name>/export")
@refusing
def export(name: str) -> Response:
    """The set as a zip file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.zip"
        piece_set.export(name, path)
        data = io.BytesIO(path.read_bytes())
    return send_file(data, mimetype="application/zip", as_attachment=True, download_name=f"{name}.zip")


@calibrate.get("/api/sets/<name>/crops/<file>")
@refusing
def crop(name: str, file: str) -> Response:
    """One sample's picture."""
    pieces = piece_set.load(name)
    if file not in {sample.file for sample in pieces.samples}:
        raise PieceSetError("no_sample", f"there is no sample {file[:60]!r} in {name!r}; load the set again")
    data = (piece_set.folder() / pieces.name / "crops" / file).read_bytes()
    return send_file(io.BytesIO(data), mimetype="image/png")


@calibrate.get("/api/sets/<name>/report")
@refusing
def tell(name: str) -> Response:
    """How well the set is learned."""
    pieces = piece_set.load(name)
    desk: ReadingDesk = current_app.extensions[DESK]
    return jsonify(desk.do(lambda reader: report(pieces, reader.namer)).to_json())


@calibrate.post("/api/sets/<name>/samples")
@refusing
def offer(name: str) -> Response:
    """Keep one tile of the uploaded `photo` as a sample.

    `polygon` is a JSON list of four corners in the photo's pixels, `label` what a person said that it is.
    """
    data, photo = photo_of_form()
    corners = _corners(request.form.get("polygon", ""))
    return _told(enrol.offer(name, data, corners, request.form.get("label", ""), photo=photo))


def _corners(text: str) -> tuple[Point, Point, Point, Point]:
    try:
        a, b, c, d = ((float(x), float(y)) for x, y in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        raise Refused("bad_polygon", "The polygon must be four corners in pixels of the photo.", 400) from None
    limit = 100_000.0
    if not all(-limit < value < limit for point in (a, b, c, d) for value in point):
        raise Refused("bad_polygon", "The polygon must be four corners in pixels of the photo.", 400)
    return a, b, c, d


def _told(pieces: PieceSet, more: Mapping[str, Any] | None = None) -> Response:
    samples = [
        {
            "file": sample.file,
            "label": sample.label,
            "photo": sample.source.photo,
            "how": sample.source.how,
            "side": sample.side,
            "sharpness": sample.sharpness,
        }
        for sample in pieces.samples
    ]
    told = {"name": pieces.name, "family": pieces.family.value, "samples": samples, "damaged": list(pieces.damaged)}
    return jsonify({"set": told, **(more or {})})


def _text(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str):
        raise Refused("missing_key", f"The request needs {key!r}.", 400)
    return value


def _files(body: Mapping[str, Any]) -> list[str]:
    files = body.get("files")
    if not isinstance(files, list) or not all(isinstance(file, str) for file in files):
        raise Refused("missing_key", "The request needs 'files'.", 400)
    return files
