"""What a phone sees before it trusts this machine, what it sees after, and the invitation for those who are in."""

from __future__ import annotations

import plistlib
import re
from dataclasses import replace

import cv2
import numpy as np
import pytest
import segno
from cryptography import x509
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from webui import create_app
from webui.authority import Certificate
from webui.invite import Invitation
from webui.language import LANGUAGES, terminal_language, words
from webui.machine import is_loopback
from webui.secure import Identity
from webui.trust import SYSTEMS, profile_of

TOKEN = "a-token-that-is-long-enough-to-be-no-guess"
PLAIN = "http://laptop.local:8420"
SECURE = "https://laptop.local:8420"
PHONE = "192.168.1.23"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36"


@pytest.fixture
def authority(identity: Identity) -> Certificate:
    return identity.authority


@pytest.fixture
def invitation(authority: Certificate) -> Invitation:
    return Invitation(f"http://127.0.0.1:8420/join/{TOKEN}", f"{SECURE}/join/{TOKEN}", f"{PLAIN}/trust", authority)


@pytest.fixture
def https_app(reader: object, authority: Certificate, invitation: Invitation) -> Flask:
    return create_app(
        {
            "TESTING": True,
            "READER": lambda: reader,
            "TOKEN": TOKEN,
            "HOST_NAMES": frozenset({"laptop.local"}),
            "AUTHORITY": authority,
            "INVITATION": lambda: invitation,
            "SESSION_COOKIE_NAME": "hupai-8420",
        }
    )


@pytest.fixture
def client(https_app: Flask) -> FlaskClient:
    return https_app.test_client()


def get(client: FlaskClient, base: str, path: str, **more: object) -> TestResponse:
    """A phone's request."""
    return client.get(path, base_url=base, environ_overrides={"REMOTE_ADDR": PHONE}, **more)  # type: ignore[arg-type]


# ---- what may be seen in plain sight ----


@pytest.mark.parametrize(
    "path", ["/", "/calibrate", f"/join/{TOKEN}", "/join/x", "/trust/seen.svg", "/invite", "/none"]
)
def test_a_plain_request_is_shown_the_way_to_trust(client: FlaskClient, path: str) -> None:
    response = get(client, PLAIN, path)
    assert response.status_code == 302
    assert response.headers["Location"] == "/trust"
    assert "Set-Cookie" not in response.headers
    assert TOKEN not in response.get_data(as_text=True)


@pytest.mark.parametrize("path", ["/api/start", "/api/sets", "/api/none"])
def test_a_plain_request_of_a_program_is_refused(client: FlaskClient, path: str) -> None:
    response = get(client, PLAIN, path)
    assert response.status_code == 403
    assert response.get_json()["error"]["code"] == "not_secure"
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize("path", ["/", "/api/score", "/trust", "/api/language"])
def test_nothing_can_be_sent_in_plain_sight(client: FlaskClient, path: str) -> None:
    response = client.post(path, base_url=PLAIN, json={}, environ_overrides={"REMOTE_ADDR": PHONE})
    assert response.status_code in (403, 405)
    assert "Set-Cookie" not in response.headers


def test_even_one_who_is_in_sees_nothing_over_plain_http(client: FlaskClient) -> None:
    assert get(client, SECURE, f"/join/{TOKEN}").status_code == 200
    assert get(client, SECURE, "/").status_code == 200
    assert get(client, PLAIN, "/").status_code == 302


@pytest.mark.parametrize("base", [PLAIN, SECURE])
@pytest.mark.parametrize("path", ["/trust", "/trust/hupai.crt", "/trust/hupai.mobileconfig", "/static/js/trust.js"])
def test_how_to_trust_is_open_to_all(client: FlaskClient, base: str, path: str) -> None:
    with get(client, base, path) as response:
        assert response.status_code == 200
        assert "Set-Cookie" not in response.headers
        assert b"PRIVATE" not in response.data
        assert TOKEN.encode() not in response.data


def test_a_foreign_name_is_turned_away_even_there(client: FlaskClient) -> None:
    assert get(client, "http://evil.example", "/trust").status_code == 403


def test_this_machine_itself_needs_no_https(client: FlaskClient) -> None:
    here = "http://127.0.0.1:8420"
    assert client.get("/", base_url=here).status_code == 403
    joined = client.get(f"/join/{TOKEN}", base_url=here)
    assert "Secure" not in joined.headers["Set-Cookie"]
    assert client.get("/", base_url=here).status_code == 200
    # Neither a name that means this machine nor a loopback address alone makes a phone this machine.
    assert get(client, here, "/").status_code == 302
    assert client.get("/", base_url=PLAIN).status_code == 302


# ---- under https ----


def test_cookies_are_for_https_alone(client: FlaskClient) -> None:
    session = get(client, SECURE, f"/join/{TOKEN}").headers["Set-Cookie"]
    assert session.startswith("__Host-hupai-8420=")
    csrf = get(client, SECURE, "/api/start").get_json()["csrf"]
    headers = {"Origin": SECURE, "X-CSRF-Token": csrf}
    answer = client.post(
        "/api/language",
        base_url=SECURE,
        json={"language": "zh"},
        headers=headers,
        environ_overrides={"REMOTE_ADDR": PHONE},
    )
    assert answer.status_code == 200
    for cookie in (session, *answer.headers.getlist("Set-Cookie")):
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= set(cookie.split("; "))
        assert "Domain" not in cookie


def test_a_cookie_that_did_not_come_over_https_opens_nothing(client: FlaskClient, https_app: Flask) -> None:
    client.get(f"/join/{TOKEN}", base_url="http://127.0.0.1:8420")
    cookie = client.get_cookie("hupai-8420", domain="127.0.0.1")
    assert cookie is not None
    other = https_app.test_client()
    other.set_cookie("hupai-8420", cookie.value, domain="laptop.local")
    assert get(other, SECURE, "/").status_code == 403


@pytest.mark.parametrize(
    "origin", [PLAIN, "https://laptop.local", "https://evil.example", "null", "http://127.0.0.1:8420"]
)
def test_only_the_secure_page_itself_may_post(client: FlaskClient, origin: str) -> None:
    get(client, SECURE, f"/join/{TOKEN}")
    csrf = get(client, SECURE, "/api/start").get_json()["csrf"]
    response = client.post("/api/score", base_url=SECURE, json={}, headers={"Origin": origin, "X-CSRF-Token": csrf})
    assert response.get_json()["error"]["code"] == "foreign_origin"


def test_browsers_are_not_told_to_remember_https(client: FlaskClient) -> None:
    # A phone that is not told about the next authority could not come back.
    assert "Strict-Transport-Security" not in get(client, SECURE, "/trust").headers


def test_that_it_is_trusted_may_be_seen_by_the_plain_page(client: FlaskClient) -> None:
    response = get(client, SECURE, "/trust/seen.svg")
    assert response.status_code == 200
    assert response.mimetype == "image/svg+xml"
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response.headers["Cache-Control"] == "no-store"
    assert get(client, SECURE, "/trust").headers["Cross-Origin-Resource-Policy"] == "same-origin"


# ---- the page and its files ----


@pytest.mark.parametrize("path", ["/trust", "/trust/hupai.crt", "/trust/hupai.mobileconfig", "/trust/seen.svg"])
def test_without_https_there_is_nothing_to_trust(app: Flask, path: str) -> None:
    assert app.test_client().get(path).status_code == 404


def test_the_certificate_is_the_authoritys_and_holds_no_key(client: FlaskClient, authority: Certificate) -> None:
    response = get(client, PLAIN, "/trust/hupai.crt")
    assert response.mimetype == "application/x-x509-ca-cert"
    assert x509.load_pem_x509_certificate(response.data) == authority.x509


def test_the_profile_holds_the_same_certificate_as_a_root(client: FlaskClient, authority: Certificate) -> None:
    response = get(client, PLAIN, "/trust/hupai.mobileconfig")
    assert response.mimetype == "application/x-apple-aspen-config"
    profile = plistlib.loads(response.data)
    (root,) = profile["PayloadContent"]
    assert profile["PayloadType"] == "Configuration"
    assert profile["PayloadDisplayName"] == root["PayloadDisplayName"] == authority.name
    assert root["PayloadType"] == "com.apple.security.root"
    assert x509.load_der_x509_certificate(root["PayloadContent"]) == authority.x509
    assert profile["PayloadUUID"] != root["PayloadUUID"]
    assert all(re.fullmatch(r"[0-9A-F-]{36}", part["PayloadUUID"]) for part in (profile, root))
    # Loaded twice it is one profile and not two.
    assert profile_of(authority) == response.data


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_three_steps_for_each_phone_in_both_languages(
    client: FlaskClient, authority: Certificate, language: str
) -> None:
    html = get(client, PLAIN, "/trust", headers={"Accept-Language": language}).get_data(as_text=True)
    table = words(language)
    assert len(re.findall("<li>", html)) == 3 * len(SYSTEMS) == 6
    for system in SYSTEMS:
        assert all(table[step].format(name=authority.name) in html for step in system.steps)
    assert authority.fingerprint in html.replace("</span><span>", "")


def test_the_other_language_is_a_tap_away(client: FlaskClient) -> None:
    html = get(client, PLAIN, "/trust?language=zh", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert words("zh")["trust.title"] in html
    html = get(client, PLAIN, "/trust?language=xx", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert words("en")["trust.title"] in html


@pytest.mark.parametrize(("browser", "first"), [(IPHONE, "iphone"), (ANDROID, "android")])
def test_a_phones_own_steps_come_first(client: FlaskClient, browser: str, first: str) -> None:
    html = get(client, PLAIN, "/trust", headers={"User-Agent": browser}).get_data(as_text=True)
    assert re.findall('<section class="panel" id="(.*?)"', html)[0] == first


def test_the_page_has_no_inline_script_or_style(client: FlaskClient) -> None:
    html = get(client, PLAIN, "/trust").get_data(as_text=True)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", html)


# ---- inviting ----


def codes(html: str) -> list[np.ndarray]:
    """The QR codes of a page as grey pictures, four pixels a module."""
    drawn = []
    for picture in re.findall(r"<svg[^>]*class=\"code\".*?</svg>", html, re.DOTALL):
        width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', picture).groups())
        image = np.full((height * 4, width * 4), 255, np.uint8)
        moves = re.search(r'<path[^>]*stroke="#000" d="([^"]+)"', picture)[1]
        x, y = 0.0, 0.0
        for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", moves):
            values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
            if kind == "M":
                x, y = values
            elif kind == "m":
                x, y = x + values[0], y + values[1]
            else:
                top = round((y - 0.5) * 4)
                image[top : top + 4, round(x * 4) : round((x + values[0]) * 4)] = 0
                x += values[0]
        drawn.append(image)
    return drawn


def read(image: np.ndarray) -> str:
    return cv2.QRCodeDetector().detectAndDecode(image)[0]


def test_the_invitation_shows_both_codes_to_those_who_are_in(client: FlaskClient, invitation: Invitation) -> None:
    assert get(client, SECURE, "/invite").status_code == 403
    get(client, SECURE, f"/join/{TOKEN}")
    response = get(client, SECURE, "/invite")
    html = response.get_data(as_text=True)
    assert response.headers["Cache-Control"] == "no-store"
    assert [read(code) for code in codes(html)] == [invitation.trust, invitation.network]
    assert invitation.authority is not None
    assert invitation.authority.fingerprint in html.replace("</span><span>", "")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", html)


def test_without_https_there_is_one_code_and_a_word_about_the_camera(reader: object) -> None:
    link = f"{PLAIN}/join/{TOKEN}"
    app = create_app({"READER": lambda: reader, "TOKEN": TOKEN, "INVITATION": lambda: Invitation("", link)})
    client = app.test_client()
    client.get(f"/join/{TOKEN}")
    html = client.get("/invite").get_data(as_text=True)
    assert [read(code) for code in codes(html)] == [link]
    assert words("en")["invite.plain"] in html


def test_on_this_machine_alone_nobody_can_be_invited(app: Flask) -> None:
    html = app.test_client().get("/invite").get_data(as_text=True)
    assert codes(html) == []
    assert words("en")["invite.alone"] in html


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        *(("localhost", True), ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("::ffff:127.0.0.1", True)),
        *(("192.168.1.7", False), ("::ffff:192.168.1.7", False), ("fe80::1%eth0", False), ("laptop.local", False)),
        *(("", False), ("127.0.0.1.evil.example", False)),
    ],
)
def test_what_means_this_machine_alone(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_tells_the_same_as_the_page(invitation: Invitation, language: str) -> None:
    table = words(language)
    text = invitation.text(table)
    assert invitation.authority is not None
    for link in (invitation.here, invitation.network, invitation.trust):
        assert f"{link}\n" in text
    for system in SYSTEMS:
        for at, step in enumerate(system.steps, 1):
            assert f"{at}. {table[step].format(name=invitation.authority.name)}\n" in text
    first, second = re.findall(r"^ +([0-9A-F:]{47,48})$", text, re.MULTILINE)
    assert first + second == invitation.authority.fingerprint
    assert invitation.network is not None
    for link in (invitation.trust, invitation.network):
        assert link is not None
        modules = segno.make(link, error="l")
        assert modules.symbol_size(border=4)[0] <= 80
        assert _in_blocks(modules) in text
    assert text.rstrip().splitlines()[-1].endswith("Ctrl+C.")


def _in_blocks(code: segno.QRCode) -> str:
    """A line through the middle of a code, as block characters show it."""
    rows = [[*row] for row in code.matrix_iter(border=4)]
    upper, lower = rows[16], rows[17]
    return "".join("█▀▄ "[(2 if top else 0) + (1 if below else 0)] for top, below in zip(upper, lower, strict=True))


def test_without_https_the_terminal_says_nothing_of_trust(invitation: Invitation) -> None:
    text = replace(invitation, trust=None, authority=None).text(words("en"))
    assert words("en")["trust.once"] not in text
    assert "SHA-256" not in text


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "zh_CN"}, "zh"),
    ],
)
def test_the_terminals_language_is_its_locales(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert terminal_language() == language
