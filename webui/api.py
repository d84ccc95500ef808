"""The JSON interface of the page: what there is to choose, a photo's reading, a hand's score.

It hands requests to `vision` and `scoring` and their answers back; it computes neither.
"""

from __future__ import annotations

import json
import re
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

import scoring
from calibration.piece_set import PieceSetError
from vision.frames import PictureError, Region, inspect
from vision.reading import FACTORY_SET
from webui.catalogue import catalogue
from webui.desk import DESK, ReadingDesk
from webui.errors import Refused
from webui.guard import csrf_token
from webui.language import LANGUAGE_COOKIE, LANGUAGES, chosen_language, words

MAX_JSON_BYTES = 64 * 1024
YEAR = 365 * 24 * 3600

api = Blueprint("api", __name__, url_prefix="/api")


@api.get("/start")
def start() -> Response:
    """What the page needs before anything else: rule sets, tiles, words, and this session's CSRF token."""
    language = chosen_language(request)
    return jsonify({"csrf": csrf_token(), "language": language, "words": words(language), **catalogue()})


@api.post("/language")
def language() -> Response:
    """Remember the language {"language": "en" | "zh"} for a year and return its words."""
    chosen = json_object().get("language")
    if chosen not in LANGUAGES:
        raise Refused("unknown_language", f"The language must be one of: {', '.join(LANGUAGES)}.", 400)
    response = jsonify({"language": chosen, "words": words(chosen)})
    response.set_cookie(
        LANGUAGE_COOKIE, chosen, max_age=YEAR, secure=request.is_secure, httponly=True, samesite="Strict"
    )
    return response


@api.post("/score")
def score() -> Response:
    """Score a hand given as in the interface of `hupai hand`.

    Where `win` is null the winning tile is still to come, and the hand is no win yet. A hand that is none gets a
    further member `chances`: for each tile it waits for, how many are `left` and what the winner would receive by
    `discard` and by `self_draw` (null where that would be no win). A score in units has `steps_total`, the sum of its
    list, where a discard makes more of it.
    """
    body = json_object()
    try:
        if "win" in body and body["win"] is None:
            hand = _waiting_hand(body)
            waits = [tile.code for tile in scoring.waits(hand)]
            answer = {"win": False, "reason": "the winning tile is missing", "reasons": [], "waits": waits}
        else:
            hand = scoring.hand_from_json(body)
            answer = scored(scoring.score(hand))
    except scoring.HandError as error:
        raise Refused(error.code, str(error), 422, error.to_json()) from None
    if not answer["win"]:
        answer["chances"] = [_chance(wait, hand.context.winner) for wait in scoring.what_if(hand)]
    return jsonify(answer)


@api.post("/circumstances")
def circumstances() -> Response:
    """What cannot be said of how a hand was won, beside its called groups and the rest that is said.

    The hand is as for a score but need not be whole: `concealed` and `win` are not looked at, nor the melds' tiles. The
    answer is `ruled_out`: for each field of the context that cannot be set, a `code` and a `message`.
    """
    try:
        return jsonify({"ruled_out": scoring.ruled_out_json(json_object())})
    except scoring.HandError as error:
        raise Refused(error.code, str(error), 422, error.to_json()) from None


def scored(result: scoring.Score | scoring.NoWin) -> dict[str, Any]:
    """A result as the page has it: in units with `steps_total`, the sum of its list."""
    answer = result.to_json()
    if isinstance(result, scoring.UnitScore):
        answer["steps_total"] = result.steps_total
    return answer


def _chance(wait: scoring.Wait, winner: int) -> dict[str, Any]:
    return {
        "tile": wait.tile.code,
        "left": wait.left,
        "discard": wait.by_discard.payments[winner] if wait.by_discard else None,
        "self_draw": wait.by_self_draw.payments[winner] if wait.by_self_draw else None,
    }


def _waiting_hand(body: dict[str, Any]) -> scoring.Hand:
    """The hand of `body` with a winning tile put in that may be there; waits do not look at it. Raises HandError."""
    known = body.get("rules") in scoring.rule_sets()
    *first, last = [tile.code for tile in scoring.rule_set(body["rules"]).tiles] if known else ["rK"]
    for code in first:
        try:
            return scoring.hand_from_json({**body, "win": code})
        except scoring.HandError as error:
            if error.code != "too_many_copies":
                raise
    return scoring.hand_from_json({**body, "win": last})


@api.post("/read")
def read() -> Response:
    """Read the uploaded file `photo` as tiles of the rule set `rules` (a multipart form).

    `region`, where it is given, is x,y,width,height in pixels of the upright photo: tiles elsewhere are not seen. `set`
    names the piece set that the tiles are of.
    """
    rules_id = request.form.get("rules", "")
    if rules_id not in scoring.rule_sets():
        raise Refused("unknown_rules", f"There is no rule set {rules_id[:40]!r}; choose one of the list.", 400)
    data, name = photo_of_form()
    desk: ReadingDesk = current_app.extensions[DESK]
    try:
        inspect(data)  # a hopeless file does not wait in the queue
        reading = desk.read(
            data,
            family=scoring.rule_set(rules_id).family,
            rules=rules_id,
            region=_region(request.form.get("region")),
            name=name,
            set_name=request.form.get("set", FACTORY_SET),
        )
    except PieceSetError as error:
        raise Refused(error.code, str(error), 422) from None
    except PictureError as error:
        raise Refused(error.code, str(error), 413 if error.code == "too_large" else 422) from None
    answer = reading.to_json()
    if not reading.tiles:
        message = "No tile was found in this photo; take it closer, from above, in better light, or type the hand."
        raise Refused("no_tiles", message, 422, {"reading": answer})
    return jsonify(answer)


def photo_of_form() -> tuple[bytes, str]:
    """The bytes of the uploaded file `photo`, and its name. Raises Refused."""
    photo = request.files.get("photo")
    if photo is None:
        raise Refused("no_file", "No photo came with the request; choose one.", 400)
    return photo.read(), (photo.filename or "photo")[:120]


def _region(text: str | None) -> Region | None:
    if not text:
        return None
    numbers = re.fullmatch(r"(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5})", text, re.ASCII)
    if numbers is None:
        raise Refused("bad_region", "The region must be x,y,width,height in whole pixels of the photo.", 400)
    x, y, width, height = (int(number) for number in numbers.groups())
    return x, y, width, height


def json_object() -> dict[str, Any]:
    """The body of a request that is one JSON object. Raises Refused."""
    if not request.is_json:
        raise Refused("not_json", "Send JSON, with the content type application/json.", 415)
    if (request.content_length or 0) > MAX_JSON_BYTES:
        raise Refused("too_large", f"The JSON is larger than {MAX_JSON_BYTES // 1024} KB.", 413)
    data = request.get_data(cache=False)
    if len(data) > MAX_JSON_BYTES:
        raise Refused("too_large", f"The JSON is larger than {MAX_JSON_BYTES // 1024} KB.", 413)
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise Refused("not_json", "The request is no well-formed JSON.", 400) from None
    if not isinstance(body, dict):
        raise Refused("not_an_object", "The request must be one JSON object.", 400)
    return body
