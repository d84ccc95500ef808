"""The live view: the page, the camera of this machine as snapshots, and the pictures that phones send.

A viewer asks for what is newer than the number that it has, and asks again when that has come: whoever is slow gets
fewer pictures, and nothing piles up. No answer waits for anything, so that no thread of the server is held.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Flask, Response, current_app, jsonify, render_template, request

import scoring
from calibration.piece_set import PieceSetError
from vision.frames import PictureError
from vision.name import TaughtPieces
from vision.reading import FACTORY_SET
from vision.track import tracker
from webui.api import json_object
from webui.desk import DESK, PhotoReader, ReadingDesk, taught
from webui.errors import Refused
from webui.language import chosen_language, words
from webui.watch import MAX_FRAME_BYTES, Correction, Follower, Phones, Tracking, Watch

live = Blueprint("live", __name__)

LIVE: Final = "hupai_live"
"""Under this name a Flask app keeps its `Cameras` among its extensions."""

MAX_CORRECTIONS: Final = 64
# All who sit at the table may open the page at once, while the networks are still being loaded: seconds.
OPENING: Final = 10.0
PLACES: Final = ("hand", "out")

OpenTracker = Callable[[PhotoReader, scoring.RuleSet, TaughtPieces | None], Tracking]


def open_tracker(reader: PhotoReader, rules: scoring.RuleSet, pieces: TaughtPieces | None) -> Tracking:
    """A tracker that looks for the hand of a rule set, with the networks that read photos."""
    return tracker(reader.locator, reader.namer, family=rules.family, rules=rules.id, pieces=pieces)


DEFAULTS: Final[Mapping[str, Any]] = {
    # The camera of this machine: its number, a film's path or a stream's URL; None where there is none.
    "CAMERA": None,
    # What opens it, as OpenCV does (None: OpenCV itself), and after how many seconds without a viewer it is released.
    "CAMERA_OPENER": None,
    "CAMERA_IDLE": 30.0,
    # What follows tiles: a callable like `open_tracker`.
    "TRACKER": open_tracker,
    # How many phones may send their own pictures, and after how many seconds of silence one is forgotten.
    "PHONES": 4,
    "PHONE_IDLE": 120.0,
}


class Cameras:
    """All cameras of one app: `table`, this machine's (None where there is none), and those of the `phones`."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        source = config["CAMERA"]
        opener, idle = config["CAMERA_OPENER"], config["CAMERA_IDLE"]
        self.table = None if source is None else Watch(source, opener, idle=idle)
        self.phones = Phones(most=config["PHONES"], idle=config["PHONE_IDLE"])

    def close(self) -> None:
        """Release the table's camera and end its thread."""
        if self.table is not None:
            self.table.close()


def init_live(app: Flask) -> None:
    """Give an app the live view; its camera is opened when somebody looks."""
    app.extensions[LIVE] = Cameras(app.config)
    app.register_blueprint(live)


def _cameras() -> Cameras:
    cameras: Cameras = current_app.extensions[LIVE]
    return cameras


def _table() -> Watch:
    table = _cameras().table
    if table is None:
        raise Refused("no_camera", "hupai was started without a camera; start it with --camera 0.", 404)
    return table


def followed(phone: str | None) -> Follower:
    """What follows the tiles of a phone, or of the table where none is named. Raises Refused where nothing does."""
    if phone is not None:
        return _cameras().phones.follower(phone)
    follower = _table().follower
    if follower is None:
        raise Refused("no_camera", "Nobody has looked at the table yet; start the camera first.", 404)
    return follower


def show_again(phone: str | None) -> None:
    """Let all who look at the table see what has changed beside its picture; a phone is told in the answer."""
    if phone is None:
        _table().touch()


def _new_follower(rules_id: str, set_name: str) -> Follower:
    """What follows tiles by these rules, of this piece set. Raises Refused."""
    rules = scoring.rule_set(rules_id)
    open_one: OpenTracker = current_app.config["TRACKER"]
    desk: ReadingDesk = current_app.extensions[DESK]
    try:
        found = desk.do(lambda reader: open_one(reader, rules, taught(set_name, rules.family, reader)), OPENING)
    except PieceSetError as error:
        raise Refused(error.code, str(error), 422) from None
    return Follower(found, rules_id, rules.family, set_name)


def _choice() -> tuple[str, str]:
    """The rule set and the piece set of the request {"rules", "set"}; the latter may be left out. Raises Refused."""
    body = json_object()
    rules_id, set_name = body.get("rules"), body.get("set", FACTORY_SET)
    if not isinstance(rules_id, str) or rules_id not in scoring.rule_sets():
        raise Refused("unknown_rules", f"There is no rule set {str(rules_id)[:40]!r}; choose one of the list.", 400)
    if not isinstance(set_name, str):
        raise Refused("no_set", "The piece set must be a name.", 422)
    return rules_id, set_name


@live.get("/live")
def page() -> str:
    """The view itself."""
    language = chosen_language(request)
    return render_template("live.html", words=words(language), language=language)


@live.get("/api/live")
def cameras() -> Response:
    """How the camera of this machine is, and what it looks for: {"table"}, null where there is none."""
    table = _cameras().table
    return jsonify({"table": None if table is None else table.status()})


@live.post("/api/live/table")
def start_table() -> Response:
    """Look at the table by {"rules", "set"}; all viewers see the same, so that others get this choice too."""
    table = _table()
    rules, set_name = _choice()
    held = table.follower
    same = held is not None and (held.rules, held.set_name) == (rules, set_name)
    table.start(None if same else _new_follower(rules, set_name))
    return jsonify(table.status())


@live.get("/api/live/table")
def table_news() -> Response:
    """What is newer than the number `have`: a line of JSON and then a JPEG file, or 204 where nothing is.

    The JSON is as of a phone's picture, with `number` and `state`. Before the first picture there is no JPEG.
    """
    try:
        have = int(request.args.get("have", "0")[:18])
    except ValueError:
        raise Refused("bad_request", "The number `have` must be a whole one.", 400) from None
    table = _table()
    news = table.news(have)
    if news is None:
        return Response(status=204)
    line = json.dumps(news.told, ensure_ascii=False).encode()
    return Response(line + b"\n" + news.jpeg, mimetype="application/octet-stream")


@live.post("/api/live/table/corrections")
def correct_table() -> Response:
    """Take down what a viewer said of tiles, for all: {"corrections"} or {"undo": true}; what is known then."""
    answer = _corrected(followed(None))
    show_again(None)
    return answer


@live.post("/api/live/phone")
def start_phone() -> Response:
    """Begin to follow a phone's pictures by {"rules", "set"}: {"phone"} is the key for what it sends from then on."""
    follower = _new_follower(*_choice())
    return jsonify({"phone": _cameras().phones.open(follower)})


@live.post("/api/live/phone/<key>/frame")
def frame(key: str) -> Response:
    """Look at one picture of a phone, a JPEG as the body: what is known after it.

    `reading` is as of a photo, each tile with its `track` and whether it is `covered`; `corrections` are what was said
    of it; `locked`: the hand is at rest; `black`: the picture shows nothing; `version` grows when any of it changes.
    """
    request.max_content_length = MAX_FRAME_BYTES
    try:
        return jsonify(_cameras().phones.look(key, request.get_data(cache=False)))
    except PictureError as error:
        raise Refused(error.code, str(error), 413 if error.code == "too_large" else 422) from None


@live.post("/api/live/phone/<key>/corrections")
def correct_phone(key: str) -> Response:
    """As for the table, of a phone's own tiles."""
    return _corrected(_cameras().phones.follower(key))


@live.post("/api/live/phone/<key>/close")
def close_phone(key: str) -> Response:
    """Forget a phone."""
    _cameras().phones.close(key)
    return jsonify({})


def _corrected(follower: Follower) -> Response:
    body = json_object()
    if body.get("undo") is True:
        follower.undo()
        return jsonify(follower.to_json())
    given = body.get("corrections")
    if not isinstance(given, list) or not given:
        raise Refused("bad_correction", "A correction must name what was said of which tile.", 422)
    held = follower.to_json()["corrections"]
    if len(held) + len(given) > MAX_CORRECTIONS:
        raise Refused(
            "too_many_corrections", "There are too many corrections; take some back, or lay the hand anew.", 422
        )
    follower.correct([_correction(one, follower.rules) for one in given])
    return jsonify(follower.to_json())


def _correction(given: object, rules_id: str) -> Correction:
    """A correction as it may be kept: nothing but what its form has. Raises Refused."""
    refused = Refused("bad_correction", "A correction must name what was said of which tile.", 422)
    if not isinstance(given, dict):
        raise refused
    rules = scoring.rule_set(rules_id)
    match given.get("op"):
        case "name" if given.get("code") in [tile.code for tile in rules.tiles]:
            return {"op": "name", "tile": _track(given.get("tile")), "code": given["code"]}
        case "remove" | "win" as op:
            return {"op": op, "tile": _track(given.get("tile"))}
        case "place" if given.get("place") in PLACES:
            return {"op": "place", "tiles": _tracks(given.get("tiles")), "place": given["place"]}
        case "meld" if given.get("type") in rules.calls:
            concealed = {"concealed": True} if given.get("concealed") is True else {}
            return {"op": "meld", "tiles": _tracks(given.get("tiles")), "type": given["type"], **concealed}
    raise refused


def _track(given: object) -> int:
    if type(given) is not int or abs(given) > 2**31:
        raise Refused("bad_correction", "A tile is named by its track's number.", 422)
    return given


def _tracks(given: object) -> list[int]:
    if not isinstance(given, list) or not 0 < len(given) <= MAX_CORRECTIONS:
        raise Refused("bad_correction", "Tiles are named by their tracks' numbers.", 422)
    return [_track(one) for one in given]
