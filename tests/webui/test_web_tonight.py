"""Tonight's list over HTTP: what is entered, what is refused, and that the server scores by itself."""

from __future__ import annotations

import io
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import Page, table
from flask import Flask
from hands import HAND_OF_FOUR as HAND
from werkzeug.test import TestResponse

import scoring
from vision.frames import inspect
from webui import create_app, store

DOCUMENT = Path(__file__).parents[2] / "docs" / "tonight.md"
KEY = "0123456789abcdef"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    return tmp_path


def enter(page: Page, record: object = None, photo: bytes | None = None, **changes: Any) -> TestResponse:
    record = {"key": KEY, "hand": HAND, **changes} if record is None else record
    form: dict[str, Any] = {"record": record if isinstance(record, str) else json.dumps(record)}
    if photo is not None:
        form["photo"] = (io.BytesIO(photo), "hand.jpg")
    return page.client.post("/api/tonight", data=form, headers=page.headers())


def told(page: Page, query: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = page.client.get(f"/api/tonight{query}").get_json()
    return answer


def refusal(response: TestResponse) -> str:
    error = response.get_json()["error"]
    assert 400 <= response.status_code < 500
    assert error["message"].strip()
    assert "\n" not in error["message"]
    code: str = error["code"]
    return code


def test_a_hand_is_entered_with_the_servers_own_score(page: Page, photo: bytes) -> None:
    reading = table().to_json()
    corrections = [{"op": "name", "tile": 7, "code": "rP", "step": 1}]
    lied = {"payments": [10**6, 0, 0, 0], "win": True}
    response = enter(page, reading=reading, corrections=corrections, score=lied, result=lied, photo=photo)
    assert response.status_code == 201
    entry = response.get_json()["entry"]
    assert entry["score"] == scoring.score_json(HAND)
    assert (entry["hand"], entry["reading"], entry["corrections"]) == (HAND, reading, corrections)
    (listed,) = told(page)["entries"]
    assert "reading" not in listed
    assert listed["points"] == entry["score"]["payments"] == told(page)["totals"][0]["points"]


def test_only_what_makes_a_hand_is_kept_of_it(page: Page) -> None:
    entry = enter(page, hand={**HAND, "win_is_guess": True, "score": 9}).get_json()["entry"]
    assert entry["hand"] == HAND


def test_units_keep_the_sum_of_their_list(page: Page) -> None:
    groups = [f"{number}m" for number in (1, 4, 7) for _ in range(3)]
    hand = {"rules": "duanzi", "concealed": [*groups, "1p", "1p", "1p", "5p"], "win": "5p", "by": "discard"}
    score = enter(page, hand={**hand, "context": {"discarder": 1}}).get_json()["entry"]["score"]
    assert (score["steps_total"], score["units"]) == (3, 7)


def test_two_taps_enter_one_hand(page: Page) -> None:
    assert enter(page).status_code == 201
    second = enter(page)
    assert (second.status_code, second.get_json()["again"]) == (200, True)
    assert len(told(page)["entries"]) == 1


def test_two_taps_at_once_enter_one_hand(app: Flask, photo: bytes) -> None:
    pages = [Page(app.test_client()) for _ in range(6)]
    start = threading.Barrier(6)

    def tap(page: Page) -> int:
        start.wait()
        return enter(page, photo=photo).status_code

    with ThreadPoolExecutor(6) as pool:
        codes = sorted(pool.map(tap, pages))
    assert codes == [200] * 5 + [201]
    assert len(told(pages[0])["entries"]) == 1


def test_a_mended_hand_takes_the_place_of_what_was_entered(page: Page) -> None:
    enter(page)
    drawn = {**HAND, "by": "self_draw", "context": {"players": 4, "winner": 1, "dealer": 0}}
    assert enter(page, hand=drawn).get_json()["again"] is True
    (entry,) = told(page)["entries"]
    assert entry["hand"] == drawn


def test_two_phones_enter_a_hand_once_and_either_may_mend_it(page: Page) -> None:
    assert enter(page).get_json()["key"] == KEY
    answer = enter(page, key="of-another-phone").get_json()
    assert (answer["again"], answer["key"], answer["entry"]["id"]) == (True, KEY, 1)
    drawn = {**HAND, "by": "self_draw", "context": {"players": 4, "winner": 1, "dealer": 0}}
    enter(page, key=answer["key"], hand=drawn)
    (entry,) = told(page)["entries"]
    assert entry["hand"] == drawn


def test_the_newest_hand_stands_first_and_points_run_on(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SAME", timedelta(0))
    for number in range(3):
        enter(page, key=f"the-key-{number}")
    answer = told(page)
    assert [entry["id"] for entry in answer["entries"]] == [3, 2, 1]
    assert [entry["points"][1] for entry in answer["entries"]] == [3000, 2000, 1000]
    assert answer["totals"] == [
        {"rules": "xiangqi-3", "players": 4, "hands": 3, "points": [0, 3000, -3000, 0], "sticks": 0, "declared": []}
    ]


RIICHI = {"event": "riichi", "rules": "xiangqi-4", "players": 4, "seat": 2}


def test_a_riichi_and_a_draw_are_entered_and_taken_out_again(page: Page) -> None:
    answer = page.post("/api/tonight/events", {"key": "riichi-1", "event": RIICHI})
    assert answer.status_code == 201
    entry = answer.get_json()["entry"]
    assert (entry["event"], entry["payments"], entry["sticks"]) == ("riichi", [0, 0, -1000, 0], 1000)
    # Another phone tells of the same riichi.
    assert refusal(page.post("/api/tonight/events", {"key": "riichi-2", "event": RIICHI})) == "riichi_twice"
    drawn = {"event": "draw", "rules": "xiangqi-4", "players": 4, "waiting": [0, 2], "payments": [10**6, 0, 0, 0]}
    page.post("/api/tonight/events", {"key": "the-draw", "event": drawn})
    assert page.post("/api/tonight/events", {"key": "the-draw", "event": drawn}).get_json()["again"] is True
    listed = told(page)
    assert [entry["points"] for entry in listed["entries"]] == [[1500, -1500, 500, -1500], [0, 0, -1000, 0]]
    (total,) = listed["totals"]
    assert (total["points"], total["sticks"], total["declared"]) == ([1500, -1500, 500, -1500], 1000, [])
    assert page.client.delete("/api/tonight/1", headers=page.headers()).get_json() == {"deleted": 1}
    assert told(page)["totals"][0]["sticks"] == 0
    assert page.post("/api/tonight/1/undo", {}).get_json()["entry"] == entry


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"key": "riichi-1"}, "wrong_type"),
        ({"key": "short", "event": RIICHI}, "bad_key"),
        ({"key": "riichi-1", "event": {**RIICHI, "seat": 4}}, "no_such_seat"),
        ({"key": "riichi-1", "event": {**RIICHI, "rules": "xiangqi-3"}}, "no_sticks"),
        ({"key": "riichi-1", "event": {**RIICHI, "event": "draw", "rules": "junqi-1"}}, "draw_pays_nothing"),
    ],
)
def test_an_event_that_cannot_be_is_refused(page: Page, body: object, code: str) -> None:
    assert refusal(page.post("/api/tonight/events", body)) == code
    assert told(page)["entries"] == []


def test_a_hand_is_deleted_and_brought_back(page: Page) -> None:
    enter(page)
    assert told(page)["undo"] is None
    assert page.client.delete("/api/tonight/1", headers=page.headers()).get_json() == {"deleted": 1}
    answer = told(page)
    assert (answer["entries"], answer["totals"], answer["undo"]) == ([], [], 1)
    assert page.client.get("/api/tonight/1/picture").status_code == 404
    assert refusal(page.client.delete("/api/tonight/1", headers=page.headers())) == "no_entry"
    assert page.post("/api/tonight/1/undo", {}).get_json()["entry"]["id"] == 1
    answer = told(page)
    assert ([entry["id"] for entry in answer["entries"]], answer["undo"]) == ([1], None)


@pytest.mark.parametrize("number", ["0", "99", "9007199254740991", "9007199254740992", "1" * 40, "-1", "x", "1.5"])
def test_a_hand_that_is_not_there_is_said_so(page: Page, number: str) -> None:
    enter(page)
    for response in (
        page.client.delete(f"/api/tonight/{number}", headers=page.headers()),
        page.post(f"/api/tonight/{number}/undo", {}),
        page.client.get(f"/api/tonight/{number}/picture"),
    ):
        assert response.status_code in (404, 405)
        assert refusal(response) in ("no_entry", "not_found", "method_not_allowed")


def test_a_picture_is_kept_as_a_jpeg_of_a_bounded_size(page: Page) -> None:
    large = np.full((2500, 3500, 3), 90, np.uint8)
    cv2.circle(large, (1700, 1200), 800, (30, 60, 200), -1)
    sent = bytes(cv2.imencode(".png", large)[1])
    assert enter(page, photo=sent).get_json()["entry"]["picture"] is True
    kept = page.client.get("/api/tonight/1/picture")
    assert kept.mimetype == "image/jpeg"
    header = inspect(kept.data)
    assert (header.format, max(header.width, header.height)) == ("JPEG", 1600)
    assert len(kept.data) < len(sent)
    assert header.width / header.height == pytest.approx(3500 / 2500, rel=0.01)


def test_where_a_photo_was_taken_is_not_kept(page: Page, photo: bytes) -> None:
    noted = photo[:2] + b"\xff\xe1\x00\x14Exif\0\0GPS-52.5N-13" + photo[2:]
    assert enter(page, photo=noted).status_code == 201
    assert b"GPS" not in page.client.get("/api/tonight/1/picture").data


@pytest.mark.parametrize(
    ("photo", "code"), [(b"", "empty"), (b"GIF89a" + bytes(40), "unsupported"), (b"x" * 99, "not_a_picture")]
)
def test_a_picture_that_is_none_enters_nothing(page: Page, photo: bytes, code: str) -> None:
    assert refusal(enter(page, photo=photo)) == code
    assert told(page)["entries"] == []


def test_a_hand_that_does_not_win_is_not_entered(page: Page) -> None:
    assert refusal(enter(page, hand={**HAND, "win": "bK"})) == "no_win"
    assert refusal(enter(page, hand={**HAND, "win": "66"})) == "foreign_tile"
    assert refusal(enter(page, hand={**HAND, "win": None})) == "wrong_type"
    assert told(page)["entries"] == []


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("", "not_json"),
        ("{", "not_json"),
        ("[" * 20_000, "not_json"),
        (json.dumps({"key": KEY, "hand": HAND})[:-1] + ', "corrections": [{"x": NaN}]}', "not_json"),
        (json.dumps({"key": KEY, "hand": HAND})[:-1] + ', "reading": {"x": 1e999}}', "not_json"),
        (json.dumps({"key": KEY, "hand": HAND})[:-1] + ', "reading": {"x": "\\ud800"}}', "not_json"),
        ([], "not_an_object"),
        ({}, "bad_key"),
        ({"key": "short", "hand": HAND}, "bad_key"),
        ({"key": "k" * 65, "hand": HAND}, "bad_key"),
        ({"key": "with a blank", "hand": HAND}, "bad_key"),
        ({"key": "键键键键键键键键", "hand": HAND}, "bad_key"),
        ({"key": 12345678, "hand": HAND}, "bad_key"),
        ({"key": KEY}, "wrong_type"),
        ({"key": KEY, "hand": [HAND]}, "wrong_type"),
        ({"key": KEY, "hand": HAND, "reading": "none"}, "wrong_type"),
        ({"key": KEY, "hand": HAND, "corrections": {}}, "wrong_type"),
        ({"key": KEY, "hand": HAND, "corrections": [1]}, "wrong_type"),
        ({"key": KEY, "hand": HAND, "corrections": [{}] * 1001}, "wrong_type"),
        ({"key": KEY, "hand": HAND, "reading": {"x": "y" * 300_000}}, "too_large"),
        ({"key": KEY, "hand": HAND, "reading": {"x": "y" * 900_000}}, "too_large"),
        ({"key": KEY, "hand": {}}, "missing_key"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_record_that_is_none_is_refused(page: Page, record: object, code: str) -> None:
    assert refusal(enter(page, record)) == code
    assert told(page)["entries"] == []


ODD = [None, True, -1, 10**30, 1.5, "", [], [[]], {}, {"type": None}]


@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("key", ["key", "hand", "reading", "corrections", "hand.rules", "hand.win", "hand.context"])
def test_a_value_of_any_other_type_never_breaks_the_server(page: Page, key: str, value: object) -> None:
    outer, _, inner = key.partition(".")
    record = {"key": KEY, "hand": HAND, outer: {**HAND, inner: value} if inner else value}
    response = enter(page, record)
    assert response.status_code in (201, 400, 413, 422)
    assert told(page)["tonight"]


@pytest.mark.parametrize("evening", ["2026-11-28", "", "%00", "'; DROP TABLE hands", "x" * 5000, "晚", "%ED%A0%80"])
def test_an_evening_without_hands_is_empty(page: Page, evening: str) -> None:
    enter(page)
    answer = told(page, f"?evening={evening}")
    assert (answer["entries"], answer["totals"]) == ([], [])
    assert len(told(page)["entries"]) == 1
    assert page.client.get(f"/api/tonight/export?evening={evening}").get_json()["hands"] == []


def test_earlier_evenings_can_be_chosen(page: Page) -> None:
    from datetime import timedelta

    before = store.now() - timedelta(days=3)
    store.accept(store.Accepted("an-old-hand", HAND, scoring.score_json(HAND)), before)
    enter(page)
    answer = told(page)
    assert [one["hands"] for one in answer["evenings"]] == [1, 1]
    assert [entry["id"] for entry in answer["entries"]] == [2]
    earlier = answer["evenings"][1]["evening"]
    assert [entry["id"] for entry in told(page, f"?evening={earlier}")["entries"]] == [1]


def test_an_evening_is_exported_as_it_is_documented(page: Page) -> None:
    enter(page, reading={"tiles": []}, corrections=[{"op": "remove", "tile": 1}])
    response = page.client.get("/api/tonight/export")
    evening = told(page)["tonight"]
    assert response.headers["Content-Disposition"] == f"attachment; filename=hupai-{evening}.json"
    exported = response.get_json()
    (block,) = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    documented = json.loads(block)
    assert list(exported) == list(documented)
    (hand,) = exported["hands"]
    assert list(hand) == list(documented["hands"][0])
    assert documented["totals"] == exported["totals"]
    drawn = {"event": "draw", "rules": "xiangqi-4", "players": 4, "waiting": [1]}
    page.post("/api/tonight/events", {"key": "the-draw", "event": drawn})
    (event,) = page.client.get("/api/tonight/export").get_json()["events"]
    assert {**event, "at": "", "evening": ""} == {**documented["events"][0], "at": "", "evening": ""}
    assert scoring.score_json(hand["hand"]) == hand["score"]


def test_a_damaged_list_is_told_and_left_alone(page: Page, home: Path) -> None:
    (home / "hands.db").write_bytes(b"no list at all" * 50)
    for response in (
        page.client.get("/api/tonight"),
        page.client.get("/api/tonight/export"),
        enter(page),
        page.client.delete("/api/tonight/1", headers=page.headers()),
    ):
        assert refusal(response) == "damaged_list"
    assert (home / "hands.db").read_bytes() == b"no list at all" * 50
    assert page.client.get("/tonight").status_code == 200


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/api/tonight"), ("DELETE", "/api/tonight/1"), ("POST", "/api/tonight/1/undo")]
)
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"Origin": "http://evil.example"}, "foreign_origin"),
        ({"X-CSRF-Token": "wrong"}, "stale_page"),
        ({"Host": "evil.example"}, "foreign_host"),
    ],
)
def test_nobody_else_may_change_the_list(
    page: Page, method: str, path: str, changes: dict[str, str], code: str
) -> None:
    enter(page)
    headers = page.headers() | changes
    form = {"record": json.dumps({"key": "another-key", "hand": HAND})}
    assert refusal(page.client.open(path, method=method, data=form, headers=headers)) == code
    assert len(told(page)["entries"]) == 1


@pytest.mark.parametrize("path", ["/tonight", "/api/tonight", "/api/tonight/1/picture", "/api/tonight/export"])
def test_on_the_network_nobody_reads_it_without_the_key(path: str) -> None:
    client = create_app({"TESTING": True, "TOKEN": "the-key-in-the-link"}).test_client()
    assert client.get(path).status_code == 403
