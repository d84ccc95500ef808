"""Who may talk to the page: hosts, origins, tokens, cookies, and what every answer forbids the browser."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webui import create_app
from webui.guard import new_token

TOKEN = "a-token-that-is-long-enough-to-be-no-guess"


@pytest.fixture
def lan_app(reader: object) -> Flask:
    config = {"TESTING": True, "READER": lambda: reader, "TOKEN": TOKEN, "HOST_NAMES": frozenset({"laptop.local"})}
    return create_app(config)


@pytest.mark.parametrize("host", ["localhost", "localhost:8420", "127.0.0.1:8420", "[::1]:8420", "127.9.9.9"])
def test_this_machine_may_come(app: Flask, host: str) -> None:
    assert app.test_client().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "192.168.1.7:8420",
        "laptop.local",
        "127.0.0.1.evil.example",
        "[::1",
        "",
    ],
)
def test_names_that_are_not_this_machine_are_turned_away(app: Flask, host: str) -> None:
    response = app.test_client().get("/api/start", headers={"Host": host})
    assert response.status_code in (400, 403)
    assert response.get_json()["error"]["code"] in ("foreign_host", "bad_request")


@pytest.mark.parametrize(
    "host", ["192.168.1.7:8420", "[fd00::7]:8420", "laptop.local:8420", "LAPTOP.local", "localhost"]
)
def test_on_the_network_own_addresses_and_names_may_come(lan_app: Flask, host: str) -> None:
    client = lan_app.test_client()
    response = client.get(f"/join/{TOKEN}", headers={"Host": host})
    assert response.status_code == 200


def test_on_the_network_a_foreign_name_is_turned_away_even_with_the_token(lan_app: Flask) -> None:
    assert lan_app.test_client().get(f"/join/{TOKEN}", headers={"Host": "evil.example"}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/start"])
def test_on_the_network_nothing_opens_without_the_token(lan_app: Flask, path: str) -> None:
    response = lan_app.test_client().get(path)
    assert response.status_code == 403
    assert "QR" in response.get_data(as_text=True)


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "%F0%9F%80%84"])
def test_a_wrong_token_opens_nothing(lan_app: Flask, token: str) -> None:
    client = lan_app.test_client()
    assert client.get(f"/join/{token}").status_code in (403, 404)
    assert client.get("/api/start").status_code == 403


def test_the_token_is_exchanged_for_a_cookie_and_not_seen_again(lan_app: Flask) -> None:
    client = lan_app.test_client()
    joined = client.get(f"/join/{TOKEN}")
    cookie = joined.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert TOKEN not in joined.get_data(as_text=True)
    assert client.get("/").status_code == 200
    assert TOKEN not in client.get("/").get_data(as_text=True)


def test_a_cookie_of_another_token_opens_nothing(lan_app: Flask) -> None:
    client = lan_app.test_client()
    client.get(f"/join/{TOKEN}")
    lan_app.config["TOKEN"] = "another-token-after-a-restart"
    assert client.get("/api/start").status_code == 403


def test_without_a_token_there_is_nothing_to_join(app: Flask) -> None:
    assert app.test_client().get("/join/anything").status_code == 403


def test_tokens_are_long_and_new_each_time() -> None:
    tokens = {new_token() for _ in range(50)}
    assert len(tokens) == 50
    assert all(re.fullmatch(r"[\w-]{32,}", token) for token in tokens)


def csrf(client: FlaskClient) -> str:
    token: str = client.get("/api/start").get_json()["csrf"]
    return token


@pytest.mark.parametrize("path", ["/api/score", "/api/read", "/api/language"])
@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://localhost", "http://localhost:81"])
def test_other_origins_may_not_post(app: Flask, path: str, origin: str | None) -> None:
    client = app.test_client()
    headers = {"X-CSRF-Token": csrf(client)} | ({} if origin is None else {"Origin": origin})
    response = client.post(path, json={}, headers=headers)
    assert response.status_code == 403
    assert response.get_json()["error"]["code"] == "foreign_origin"


@pytest.mark.parametrize("token", [None, "", "wrong", "ü"])
def test_a_post_needs_the_sessions_csrf_token(app: Flask, token: str | None) -> None:
    client = app.test_client()
    csrf(client)
    headers = {"Origin": "http://localhost"} | ({} if token is None else {"X-CSRF-Token": token})
    response = client.post("/api/language", json={"language": "zh"}, headers=headers)
    assert response.status_code == 403
    assert response.get_json()["error"]["code"] == "stale_page"


def test_the_csrf_token_of_another_session_is_no_use(app: Flask) -> None:
    token = csrf(app.test_client())
    headers = {"Origin": "http://localhost", "X-CSRF-Token": token}
    assert app.test_client().post("/api/language", json={"language": "zh"}, headers=headers).status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/start", "/static/js/main.js", "/nothing/here", "/api/nothing"])
def test_every_answer_forbids_what_a_hostile_page_would_want(app: Flask, path: str) -> None:
    with app.test_client().get(path) as response:
        headers = response.headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


def test_pages_and_answers_are_not_kept_by_caches(app: Flask) -> None:
    client = app.test_client()
    for path, control in (("/", "no-store"), ("/api/start", "no-store"), ("/static/js/main.js", "no-cache")):
        with client.get(path) as response:
            assert response.headers["Cache-Control"] == control


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(app: Flask) -> None:
    client = app.test_client()
    token = csrf(client)
    headers = {"Origin": "http://localhost", "X-CSRF-Token": token}
    response = client.post("/api/language", json={"language": "zh"}, headers=headers)
    cookies = client.get("/api/start").headers.getlist("Set-Cookie") + response.headers.getlist("Set-Cookie")
    assert cookies
    assert all("HttpOnly" in cookie and "SameSite=Strict" in cookie for cookie in cookies)


def test_the_page_has_no_inline_script_or_style(app: Flask) -> None:
    html = app.test_client().get("/").get_data(as_text=True)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", html)
