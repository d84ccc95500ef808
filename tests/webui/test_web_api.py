"""The JSON interface: what it offers, what it reads, what it scores, and how it turns bad input away."""

from __future__ import annotations

import io
import struct
import threading
import zlib
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import HEIGHT, WIDTH, KnownReader, Page
from flask import Flask
from hands import HAND_OF_FOUR as HAND
from painted import Painted, paint, row

import scoring
from models import ModelError
from scoring.tiles import Family
from vision.reading import HandReading, Reading
from webui import create_app
from webui.app import warm
from webui.desk import ReadingDesk


def refusal(response: Any) -> str:
    """The code of a refusal, once it is seen to be one in every respect."""
    assert 400 <= response.status_code < 500
    assert response.mimetype == "application/json"
    error = response.get_json()["error"]
    assert error["message"].strip() == error["message"] != ""
    assert "\n" not in error["message"]
    assert "Traceback" not in response.get_data(as_text=True)
    code: str = error["code"]
    return code


# ---- what there is to choose ----


def test_the_start_names_every_rule_set_with_its_tiles(page: Page) -> None:
    answer = page.client.get("/api/start").get_json()
    rule_sets = {rules["id"]: rules for rules in answer["rule_sets"]}
    assert tuple(rule_sets) == scoring.rule_sets()
    assert rule_sets["xiangqi-3"]["copies"]["rP"] == 10
    assert rule_sets["xiangqi-3"]["hand_size"] == 7
    assert "chi" not in rule_sets["xiangqi-3"]["melds"]
    assert "chi" in rule_sets["junqi-1"]["melds"]
    tiles = {tile["code"]: tile for family in answer["families"] for tile in family["tiles"]}
    assert tiles["rK"] == {"code": "rK", "zh": "帅", "en": "red general", "colour": "red"}
    for rules in rule_sets.values():
        assert set(rules["tiles"]) <= set(tiles)
        assert set(rules["melds"]) <= set(answer["meld_sizes"])


@pytest.mark.parametrize(
    ("header", "language"),
    [("zh-CN,zh;q=0.9", "zh"), ("de, zh-Hans;q=0.5, en;q=0.4", "zh"), ("en-GB,en", "en"), ("fr", "en"), ("", "en")],
)
def test_the_language_follows_the_browser(app: Flask, header: str, language: str) -> None:
    client = app.test_client()
    assert client.get("/api/start", headers={"Accept-Language": header}).get_json()["language"] == language
    assert f'data-language="{language}"' in client.get("/", headers={"Accept-Language": header}).get_data(as_text=True)


def test_a_chosen_language_is_remembered_over_the_browsers(page: Page) -> None:
    answer = page.post("/api/language", {"language": "zh"}).get_json()
    assert answer["words"]["score.fan"] == "{count} 番"
    english = {"Accept-Language": "en"}
    assert page.client.get("/api/start", headers=english).get_json()["language"] == "zh"
    assert "拍照" in page.client.get("/", headers=english).get_data(as_text=True)


@pytest.mark.parametrize("language", ["fr", "", None, 3, ["en"], {"en": 1}])
def test_an_unknown_language_is_refused(page: Page, language: object) -> None:
    assert refusal(page.post("/api/language", {"language": language})) == "unknown_language"


# ---- scoring ----


def test_a_hand_is_scored_as_scoring_does_it(page: Page) -> None:
    response = page.post("/api/score", HAND)
    assert response.status_code == 200
    assert response.get_json() == scoring.score(scoring.hand_from_json(HAND)).to_json()
    assert response.get_json()["win"] is True
    assert sum(response.get_json()["payments"]) == 0


def test_units_come_with_the_sum_of_their_list() -> None:
    groups = [f"{number}m" for number in (1, 4, 7) for _ in range(3)]
    hand = {"rules": "duanzi", "concealed": [*groups, "1p", "1p", "1p", "5p"], "win": "5p", "by": "discard"}
    page = Page(create_app({"TESTING": True}).test_client())
    answer = page.post("/api/score", {**hand, "context": {"discarder": 1}}).get_json()
    assert (answer["steps_total"], answer["units"]) == (3, 7)


def test_a_hand_that_does_not_win_says_what_it_waits_for(page: Page) -> None:
    answer = page.post("/api/score", {**HAND, "win": "bK"}).get_json()
    assert answer["win"] is False
    assert answer["reasons"]
    assert answer.pop("chances") == [{"tile": "rP", "left": 9, "discard": 1000, "self_draw": 1100}]
    assert answer == scoring.score(scoring.hand_from_json({**HAND, "win": "bK"})).to_json()


def test_a_hand_without_its_winning_tile_says_what_it_waits_for(page: Page) -> None:
    answer = page.post("/api/score", {**HAND, "win": None}).get_json()
    assert answer["win"] is False
    assert "rP" in answer["waits"]


def test_waits_are_found_where_the_first_kinds_are_used_up(page: Page) -> None:
    hand = {**HAND, "concealed": ["rK", "rK", "bP", "bP"], "win": None}
    assert set(page.post("/api/score", hand).get_json()["waits"]) <= {"bP"}


def changed(**changes: object) -> dict[str, Any]:
    return {**HAND, **changes}


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        (changed(concealed=["rA"] * 4, win="rA"), "too_many_copies"),
        (changed(concealed=["rR", "rR", "rR", "xx"]), "unknown_tile"),
        (changed(win="四"), "unknown_tile"),
        (changed(win="66"), "foreign_tile"),
        (changed(melds=[{"type": "pong", "tiles": ["bC", "bC", "bR"]}]), "not_a_meld"),
        (changed(melds=[{"type": "chi", "tiles": ["rK", "rA", "rE"]}]), "call_not_allowed"),
        (changed(melds=[{"type": "flock", "tiles": ["bC", "bC", "bC"]}]), "unknown_meld"),
        (changed(concealed=["rR"]), "wrong_tile_count"),
        (changed(rules="mah-jongg"), "unknown_rules"),
        (changed(by="luck"), "unknown_by"),
        (changed(context={"discarder": 0}), "discarder_is_winner"),
        (changed(context={}), "discarder_missing"),
        (changed(context={"discarder": 1, "ippatsu": True}), "ippatsu_without_riichi"),
        ({}, "missing_key"),
        (changed(win=None, rules="mah-jongg"), "unknown_rules"),
        (changed(win=None, concealed=["rA"] * 5), "wrong_tile_count"),
        (changed(win=None, concealed=["bK", "bK", "bK", "rA"]), "too_many_copies"),
    ],
)
def test_an_impossible_hand_is_refused_with_its_reason(page: Page, hand: dict[str, Any], code: str) -> None:
    assert refusal(page.post("/api/score", hand)) == code


ODD = [None, True, -1, 10**30, 1.5, "", "rK", [], [[]], [None], {}, {"type": None}, [{"type": "pong", "tiles": 3}]]


@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("key", [*HAND, "context.players", "context.winner", "context.dora_indicators", "context.wild"])
def test_a_value_of_any_other_type_never_breaks_the_server(page: Page, key: str, value: object) -> None:
    outer, _, inner = key.partition(".")
    hand = changed(**{outer: {**HAND["context"], inner: value} if inner else value})
    response = page.post("/api/score", hand)
    assert response.status_code in (200, 422)
    if response.status_code == 422:
        refusal(response)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'"hand"', b"null", b"NaN", b"\xff\xfe", b"[" * 30000, b'{"a":' * 10000, b"9" * 9000],
    ids=lambda body: repr(body[:6]),
)
def test_a_body_that_is_no_json_object_is_refused(page: Page, body: bytes) -> None:
    headers = {**page.headers(), "Content-Type": "application/json"}
    assert refusal(page.client.post("/api/score", data=body, headers=headers)) in ("not_json", "not_an_object")


def test_json_must_be_sent_as_json(page: Page) -> None:
    response = page.client.post("/api/score", data="{}", headers={**page.headers(), "Content-Type": "text/plain"})
    assert refusal(response) == "not_json"


def test_json_is_bounded(page: Page) -> None:
    assert refusal(page.post("/api/score", {"concealed": ["rK"] * 20000})) == "too_large"


# ---- reading ----


def test_a_photo_is_read_under_its_rule_set(page: Page, reader: KnownReader, photo: bytes, reading: Reading) -> None:
    response = page.upload(photo, "IMG_1.jpg")
    assert response.status_code == 200
    answer = response.get_json()
    assert (answer["width"], answer["height"]) == (WIDTH, HEIGHT)
    assert len(answer["tiles"]) == len(reading.tiles)
    assert answer["hand"]["win"] == "rP"
    assert [tile["role"] for tile in answer["tiles"]].count("meld0") == 4
    asked = {"family": "xiangqi", "rules": "xiangqi-3", "region": None, "name": "IMG_1.jpg"}
    assert reader.calls == [{"bytes": len(photo), **asked}]


def test_a_part_of_a_photo_can_be_read(page: Page, reader: KnownReader, photo: bytes) -> None:
    assert page.upload(photo, region="10,20,300,400").status_code == 200
    assert reader.calls[0]["region"] == (10, 20, 300, 400)


@pytest.mark.parametrize(
    "region", ["1,2,3", "a,b,c,d", "-1,0,5,5", "1.5,0,9,9", "1,2,3,4,5", "٣,1,1,1", "999999,0,1,1"]
)
def test_a_region_that_is_none_is_refused(page: Page, photo: bytes, region: str) -> None:
    assert refusal(page.upload(photo, region=region)) == "bad_region"


def test_a_photo_without_tiles_is_said_so_and_can_still_be_marked_by_hand(photo: bytes) -> None:
    empty = Reading("hand.jpg", WIDTH, HEIGHT, "xiangqi", "xiangqi-3", "factory", (), (), HandReading((), (), None))
    client = create_app({"TESTING": True, "READER": lambda: KnownReader(empty)}).test_client()
    response = Page(client).upload(photo)
    assert response.status_code == 422
    assert refusal(response) == "no_tiles"
    assert response.get_json()["reading"]["width"] == WIDTH


def png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


def animated_gif() -> bytes:
    frame = b"\x21\xf9\x04\x00\x0a\x00\x00\x00\x2c\x00\x00\x00\x00\x40\x00\x40\x00\x00\x02\x02\x44\x01\x00"
    return b"GIF89a\x40\x00\x40\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff" + frame * 3 + b"\x3b"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"these are the tiles: rK rK rK", "hand.jpg", "not_a_picture"),
        (b"", "hand.jpg", "empty"),
        (png_header(40_000, 40_000), "bomb.png", "too_large"),
        (animated_gif(), "dance.gif", "animated"),
        (b"\xff\xd8\xff", "short.jpg", "truncated"),
        (b"RIFF\x00\x00\x00\x00WEBP", "short.webp", "truncated"),
        (b"%PDF-1.7 ...", "scan.pdf", "not_a_picture"),
    ],
)
def test_a_file_that_is_no_usable_picture_is_refused(
    page: Page, reader: KnownReader, data: bytes, name: str, code: str
) -> None:
    assert refusal(page.upload(data, name)) == code
    assert reader.calls == []


def test_a_truncated_photo_is_refused(page: Page, photo: bytes) -> None:
    assert refusal(page.upload(photo[: len(photo) // 2])) == "truncated"


def test_a_tiny_picture_is_refused(page: Page) -> None:
    tiny = bytes(cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1])
    assert refusal(page.upload(tiny, "dot.png")) == "too_small"


def test_a_form_without_a_file_is_refused(page: Page) -> None:
    assert refusal(page.upload(None)) == "no_file"


@pytest.mark.parametrize("rules", ["", "chess", "../rules", "xiangqi-3\n"])
def test_a_photo_needs_a_rule_set_that_exists(page: Page, photo: bytes, rules: str) -> None:
    assert refusal(page.upload(photo, rules=rules)) == "unknown_rules"


def test_an_upload_is_bounded_in_bytes(page: Page, app: Flask) -> None:
    app.config["MAX_CONTENT_LENGTH"] = 1000
    response = page.upload(b"\xff\xd8\xff" + bytes(2000))
    assert response.status_code == 413
    assert refusal(response) == "too_large"


def test_a_form_of_very_many_parts_is_refused(page: Page) -> None:
    form = {f"part{n}": "x" for n in range(100)}
    assert refusal(
        page.client.post("/api/read", data=form | {"photo": (io.BytesIO(b"x"), "x")}, headers=page.headers())
    )


def test_a_body_that_is_no_form_is_refused(page: Page) -> None:
    headers = {**page.headers(), "Content-Type": "multipart/form-data; boundary=x"}
    assert refusal(page.client.post("/api/read", data=b"--x\r\nbroken", headers=headers))


@pytest.mark.parametrize("name", ["../../etc/passwd", "a" * 5000 + ".jpg", "牌.jpg", "<b>.jpg"])
def test_a_strange_file_name_does_no_harm(page: Page, photo: bytes, reader: KnownReader, name: str) -> None:
    assert page.upload(photo, name).status_code == 200
    assert len(reader.calls[0]["name"]) <= 120


PAINTED = [*row(["r1", "r2", "r3", "r9"], 50, 300), *row(["r9"], 340, 300), *row(["b4", "b5", "b6"], 60, 180)]


def painted(tiles: list[Painted]) -> bytes:
    return bytes(cv2.imencode(".png", paint(tiles, Family.JUNQI, (640, 480)))[1])


@pytest.mark.usefixtures("painted_networks")
def test_the_readers_own_reading_goes_the_whole_way_to_a_score() -> None:
    page = Page(create_app({"TESTING": True}).test_client())
    reading = page.upload(painted(PAINTED), rules="junqi-1").get_json()
    assert reading["hand"]["win"] == "r9"
    hand = {key: reading["hand"][key] for key in ("concealed", "melds", "win")}
    answer = page.post("/api/score", {"rules": "junqi-1", "by": "self_draw", **hand}).get_json()
    assert answer["win"] is True
    assert [yaku["id"] for yaku in answer["yaku"]] == ["all_officers"]


@pytest.mark.usefixtures("painted_networks")
def test_an_empty_table_has_no_tiles() -> None:
    page = Page(create_app({"TESTING": True}).test_client())
    assert refusal(page.upload(painted([]), rules="junqi-1")) == "no_tiles"


@pytest.mark.usefixtures("painted_networks")
def test_a_region_outside_the_photo_is_refused() -> None:
    page = Page(create_app({"TESTING": True}).test_client())
    assert refusal(page.upload(painted(PAINTED), rules="junqi-1", region="600,470,5,5")) == "bad_region"


# ---- the desk ----


def test_what_is_short_waits_for_its_turn(reader: KnownReader) -> None:
    opened = threading.Event()

    def slow() -> KnownReader:
        opened.wait(10)
        return reader

    desk = ReadingDesk(slow, waiting=0, seconds=20.0)
    made: list[bool] = []
    threads = [
        threading.Thread(target=lambda: made.append(desk.do(lambda opened: opened is reader, 10.0))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    opened.set()
    for thread in threads:
        thread.join(20)
    assert made == [True] * 4


def test_more_photos_than_may_wait_are_sent_away(reader: KnownReader, photo: bytes) -> None:
    app = create_app({"TESTING": True, "READER": lambda: reader, "READINGS_WAITING": 0})
    reader.gate.clear()
    answers: list[int] = []
    thread = threading.Thread(target=lambda: answers.append(Page(app.test_client()).upload(photo).status_code))
    thread.start()
    assert reader.begun.wait(10)
    refused = Page(app.test_client()).upload(photo)
    assert refused.status_code == 503
    assert refused.get_json()["error"]["code"] == "busy"
    assert refused.headers["Retry-After"] == "2"
    assert Page(app.test_client()).post("/api/score", HAND).status_code == 200  # the page goes on meanwhile
    reader.gate.set()
    thread.join(10)
    assert answers == [200]
    assert Page(app.test_client()).upload(photo).status_code == 200


def test_a_photo_that_takes_too_long_is_given_up(reader: KnownReader, photo: bytes) -> None:
    app = create_app({"TESTING": True, "READER": lambda: reader, "READING_SECONDS": 0.05})
    reader.gate.clear()
    response = Page(app.test_client()).upload(photo)
    assert response.status_code == 503
    assert response.get_json()["error"]["code"] == "too_slow"
    reader.gate.set()


def test_models_are_opened_once_and_before_the_first_photo(reader: KnownReader, photo: bytes) -> None:
    opened = threading.Event()
    count = []

    def open_reader() -> KnownReader:
        count.append(1)
        opened.set()
        return reader

    app = create_app({"TESTING": True, "READER": open_reader})
    warm(app)
    assert opened.wait(10)
    for _ in range(2):
        assert Page(app.test_client()).upload(photo).status_code == 200
    assert count == [1]


def test_missing_models_are_said_so_and_scoring_goes_on(photo: bytes, caplog: pytest.LogCaptureFixture) -> None:
    def missing() -> KnownReader:
        raise ModelError("model 'namer' is missing")

    page = Page(create_app({"TESTING": True, "READER": missing}).test_client())
    response = page.upload(photo)
    assert response.status_code == 503
    assert response.get_json()["error"]["code"] == "no_models"
    # The terminal names the file in one line, without a traceback.
    assert [(record.getMessage(), record.exc_info) for record in caplog.records] == [
        ("pictures cannot be read: model 'namer' is missing", None)
    ]
    watching = page.post("/api/live/phone", {"rules": "xiangqi-3"})
    assert (watching.status_code, watching.get_json()["error"]["code"]) == (503, "no_models")
    assert page.post("/api/score", HAND).status_code == 200


def test_what_cannot_be_said_of_a_win_is_told_of_a_hand_that_is_not_whole(page: Page) -> None:
    unfinished = {"rules": "xiangqi-3", "melds": [{"type": "pong", "tiles": []}], "by": "self_draw"}
    answer = page.post("/api/circumstances", {**unfinished, "context": {"riichi": True}})
    assert answer.status_code == 200
    ruled_out = answer.get_json()["ruled_out"]
    assert set(ruled_out) == {"riichi", "double_riichi", "ippatsu", "replacement", "first_turn"}
    assert ruled_out["riichi"]["code"] == "riichi_with_call"
    assert refusal(page.post("/api/circumstances", {**unfinished, "context": {"riichi": 1}})) == "wrong_type"
    assert refusal(page.post("/api/circumstances", {"rules": "none", "by": "discard"})) == "unknown_rules"


# ---- everything else ----


@pytest.mark.parametrize("path", ["/", "/live", "/tonight", "/calibrate", "/invite"])
def test_a_page_leads_to_each_other_one_once(page: Page, path: str) -> None:
    text = page.client.get(path).get_data(as_text=True)
    for other in ("/tonight", "/calibrate", "/invite"):
        assert text.count(f'href="{other}"') == 1


def test_an_unknown_address_is_said_so_in_json_and_on_a_page(page: Page) -> None:
    assert refusal(page.client.get("/api/nothing")) == "not_found"
    response = page.client.get("/nothing", headers={"Accept-Language": "zh"})
    assert response.status_code == 404
    assert "这里什么也没有" in response.get_data(as_text=True)


def test_a_wrong_method_is_said_so(page: Page) -> None:
    response = page.client.get("/api/score")
    assert refusal(response) == "method_not_allowed"
    assert "POST" in response.headers["Allow"]


def test_a_fault_of_our_own_is_no_traceback(
    reader: KnownReader, photo: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> KnownReader:
        raise RuntimeError("the models are gone")

    response = Page(create_app({"READER": broken}).test_client()).upload(photo)
    assert response.status_code == 500
    assert response.get_json()["error"]["code"] == "failed"
    assert "models are gone" not in response.get_data(as_text=True)
    assert "models are gone" in caplog.text
