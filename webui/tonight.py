"""Tonight's list: hands that the players accepted, with their pictures, and what the evening adds up to.

A hand is scored here, whatever the page thinks that it is worth; only one that wins is entered.
"""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from flask import Blueprint, Response, jsonify, render_template, request, send_file

import scoring
from vision.frames import PictureError, decode, to_jpeg
from webui import store
from webui.api import json_object, photo_of_form, scored
from webui.errors import Refused
from webui.language import chosen_language, words
from webui.store import Accepted, Entry, StoreError

tonight = Blueprint("tonight", __name__)

P = ParamSpec("P")
R = TypeVar("R")

HAND: Final = ("rules", "concealed", "melds", "win", "by", "context")
"""What is kept of a hand."""

MAX_RECORD_BYTES: Final = 256 * 1024
MAX_CORRECTIONS: Final = 1000
NUMBER: Final = "<int(max=9007199254740991):number>"

_one_picture = threading.Lock()
"""Held while a picture is made smaller: many at once would take a gigabyte."""

STATUS: Final = {"no_entry": 404, "locked_list": 503}


def refusing(act: Callable[P, R]) -> Callable[P, R]:
    """Turn what the store refuses into an answer with its code and its one line."""

    @wraps(act)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return act(*args, **kwargs)
        except StoreError as error:
            raise Refused(error.code, str(error), STATUS.get(error.code, 422)) from None
        except PictureError as error:
            raise Refused(error.code, str(error), 413 if error.code == "too_large" else 422) from None

    return wrapped


@tonight.get("/tonight")
def page() -> str:
    """The list itself."""
    language = chosen_language(request)
    return render_template("tonight.html", words=words(language), language=language)


@tonight.get("/api/tonight")
@refusing
def list_() -> Response:
    """The hands and events of the evening asked for as `evening` (a date), or of tonight, the last first.

    Each has the `points` of its table's seats after it, and what riichi sticks its winner `collected`. `evenings` are
    those that can be chosen, `undo` is the entry deleted last, null where there is none.
    """
    now = store.evening()
    chosen = request.args.get("evening", now)
    hands = store.entries(chosen)
    told = [
        {**entry.to_json(), "points": list(after.standing.points), "collected": after.collected}
        for entry, after in zip(hands, store.running(hands), strict=True)
    ]
    for entry in told:
        entry.pop("reading", None)
    return jsonify(
        {
            "evening": chosen,
            "tonight": now,
            "evenings": [{"evening": evening, "hands": count} for evening, count in store.evenings()],
            "entries": told[::-1],
            "totals": [total.to_json() for total in store.totals(hands)],
            "undo": store.last_deleted(chosen),
        }
    )


@tonight.post("/api/tonight")
@refusing
def accept() -> tuple[Response, int]:
    """Enter a hand: a form with `record`, JSON, and perhaps the `photo`.

    The record has the `hand` as for a score, its `key` (8 to 64 letters, figures, - and _), perhaps the `reading` as it
    was found and the `corrections`. The answer is the `entry` and its `key`; `again` where the key was known, or
    another phone had entered the hand under its own: the same hand is not entered twice, and a hand mended since takes
    the place of what stood there.
    """
    record = _record(request.form.get("record", ""))
    try:
        result = scoring.score(scoring.hand_from_json(record["hand"]))
    except scoring.HandError as error:
        raise Refused(error.code, str(error), 422, error.to_json()) from None
    if isinstance(result, scoring.NoWin):
        raise Refused("no_win", "This hand does not win, so there is nothing to enter; mend it first.", 422)
    picture = None
    if "photo" in request.files:
        data, _ = photo_of_form()
        with _one_picture:
            picture = to_jpeg(decode(data).image)
    entered = Accepted(record["key"], record["hand"], scored(result), record["reading"], record["corrections"], picture)
    entry, again = store.accept(entered)
    return _entered(entry, again)


@tonight.post("/api/tonight/events")
@refusing
def enter_event() -> tuple[Response, int]:
    """Enter a riichi or a draw: {"key", "event"}, as `scoring.event_from_json` has it, which tells what it moves.

    The answer is as for a hand.
    """
    body = json_object()
    if not _names_a_hand(body.get("key")):
        raise Refused("bad_key", "The event needs a key of 8 to 64 letters, figures, - and _.", 400)
    try:
        event, moved = scoring.event_from_json(body.get("event"))
    except scoring.LedgerError as error:
        raise Refused(error.code, str(error), 422) from None
    entry, again = store.accept(Accepted(body["key"], event, moved.to_json()))
    return _entered(entry, again)


@tonight.delete(f"/api/tonight/{NUMBER}")
@refusing
def delete(number: int) -> Response:
    """Take a hand out of the list; it can be brought back for a week."""
    return jsonify({"deleted": store.delete(number).id})


@tonight.post(f"/api/tonight/{NUMBER}/undo")
@refusing
def undelete(number: int) -> Response:
    """Bring a deleted hand back."""
    return jsonify({"entry": store.undelete(number).to_json()})


@tonight.get(f"/api/tonight/{NUMBER}/picture")
@refusing
def picture(number: int) -> Response:
    """A hand's picture, a JPEG."""
    return send_file(io.BytesIO(store.picture(number)), mimetype="image/jpeg")


@tonight.get("/api/tonight/export")
@refusing
def export() -> Response:
    """An evening as a JSON file."""
    evening = request.args.get("evening", store.evening())
    text = json.dumps(store.exported(evening), ensure_ascii=False, indent=1) + "\n"
    name = f"hupai-{evening}.json" if evening.replace("-", "").isdecimal() else "hupai.json"
    return send_file(io.BytesIO(text.encode()), "application/json", as_attachment=True, download_name=name)


def _entered(entry: Entry, again: bool) -> tuple[Response, int]:
    return jsonify({"entry": entry.to_json(), "key": entry.key, "again": again}), 200 if again else 201


def _record(text: str) -> dict[str, Any]:
    """The record of a request, seen to be well-formed. Raises Refused."""
    if len(text.encode("utf-8", "replace")) > MAX_RECORD_BYTES:
        raise Refused("too_large", f"The record is larger than {MAX_RECORD_BYTES // 1024} KB.", 413)
    try:
        record = json.loads(text)
        # What is kept must be JSON again: neither NaN nor half a character.
        json.dumps(record, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise Refused("not_json", "The record is no well-formed JSON.", 400) from None
    if not isinstance(record, dict):
        raise Refused("not_an_object", "The record must be one JSON object.", 400)
    key, hand = record.get("key"), record.get("hand")
    reading, corrections = record.get("reading"), record.get("corrections", [])
    if not _names_a_hand(key):
        raise Refused("bad_key", "The record needs a key of 8 to 64 letters, figures, - and _.", 400)
    if not isinstance(hand, dict) or not (reading is None or isinstance(reading, dict)):
        raise Refused("wrong_type", "The record's hand and reading must be JSON objects.", 400)
    if not isinstance(corrections, list) or len(corrections) > MAX_CORRECTIONS or not _all_objects(corrections):
        raise Refused("wrong_type", f"The corrections must be a list of at most {MAX_CORRECTIONS} objects.", 400)
    hand = {name: hand[name] for name in HAND if name in hand}
    return {"key": key, "hand": hand, "reading": reading, "corrections": corrections}


def _names_a_hand(key: object) -> bool:
    return (
        isinstance(key, str)
        and 8 <= len(key) <= 64
        and key.isascii()
        and key.replace("-", "").replace("_", "").isalnum()
    )


def _all_objects(values: list[Any]) -> bool:
    return all(isinstance(value, Mapping) for value in values)
