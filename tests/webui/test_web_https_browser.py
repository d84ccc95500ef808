"""A real browser over https: without trust it is shown the way to it, with trust the page is whole."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import LAPTOP, KnownReader, serving
from cryptography.hazmat.primitives import hashes, serialization
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from webui import create_app
from webui.authority import Keyring, make_authority
from webui.invite import Invitation
from webui.secure import Identity

CHROMIUM = os.environ.get("HUPAI_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="left out: no Chromium is installed, nor named by HUPAI_CHROMIUM"
)

# A name of the network: to pages of its own machine a browser gives everything over http too.
HOST = "laptop.local"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
)
TOKEN = "a-token-that-is-long-enough-to-be-no-guess"
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture
def port(identity: Identity, reader: KnownReader) -> Iterator[int]:
    """The port of a page for the network, over https and for trusting over http."""
    links: list[Invitation] = []
    config = {
        "READER": lambda: reader,
        "TOKEN": TOKEN,
        "HOST_NAMES": frozenset({HOST}),
        "AUTHORITY": identity.authority,
        "INVITATION": lambda: links[0],
    }
    with serving(create_app(config), identity) as address:
        here = f"{HOST}:{address.rpartition(':')[2]}"
        links.append(
            Invitation(address, f"https://{here}/join/{TOKEN}", f"http://{here}/trust", identity.authority),
        )
        yield int(address.rpartition(":")[2])


@contextmanager
def by_key(playwright: Playwright, identity: Identity, home: Path) -> Iterator[Browser]:
    """A browser that lets this very key of the page pass, and no other."""
    key = identity.certificate.x509.public_key()
    info = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    digest = hashes.Hash(hashes.SHA256())
    digest.update(info)
    pin = base64.b64encode(digest.finalize()).decode()
    flags = [*FLAGS, f"--ignore-certificate-errors-spki-list={pin}"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
    yield browser
    browser.close()


@contextmanager
def by_authority(playwright: Playwright, identity: Identity, home: Path) -> Iterator[Browser]:
    """A browser whose user has told it to trust the authority."""
    certutil = shutil.which("certutil")
    if certutil is None:
        pytest.skip("left out: certutil, which tells Chromium whom to trust, is missing (libnss3-tools)")
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    file = home / "hupai.crt"
    file.write_bytes(identity.authority.pem)
    subprocess.run([certutil, "-d", f"sql:{store}", "-N", "--empty-password"], check=True)
    subprocess.run([certutil, "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "hupai", "-i", str(file)], check=True)
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, args=FLAGS, env={**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home)}
    )
    yield browser
    browser.close()


TRUST = {"key": by_key, "authority": by_authority}


@pytest.fixture(params=TRUST)
def trusting(
    request: pytest.FixtureRequest, playwright: Playwright, identity: Identity, tmp_path: Path
) -> Iterator[Browser]:
    """A browser that trusts the page, in each of the ways that there are."""
    with TRUST[request.param](playwright, identity, tmp_path / "home") as browser:
        yield browser


@pytest.fixture(scope="module")
def wary(playwright: Playwright) -> Iterator[Browser]:
    """A browser that trusts nobody new."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@contextmanager
def opened(browser: Browser, size: str = "phone") -> Iterator[Page]:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    page = context.new_page()
    yield page
    context.close()


def test_over_https_the_page_is_secure_and_may_post(trusting: Browser, port: int, photo: bytes) -> None:
    with opened(trusting) as page:
        said: list[ConsoleMessage] = []
        page.on("console", lambda message: said.append(message))
        page.goto(f"https://{HOST}:{port}/join/{TOKEN}")
        page.wait_for_url(f"https://{HOST}:{port}/")
        page.wait_for_selector("body[data-ready]")
        assert page.evaluate("window.isSecureContext")
        assert page.evaluate("typeof navigator.mediaDevices.getUserMedia") == "function"
        page.select_option("#rules", "xiangqi-3")
        page.set_input_files("#file", {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": photo})
        expect(page.locator('#result-body[data-state="no-win"]')).to_be_attached()
        page.click('[data-language="zh"]')
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
        assert set(cookies) == {"__Host-hupai", "hupai-language"}
        assert all(cookie["secure"] and cookie["httpOnly"] for cookie in cookies.values())
        assert [(message.text, message.location) for message in said if message.type in ("error", "warning")] == []


def test_the_key_of_another_page_is_not_let_pass(playwright: Playwright, port: int, tmp_path: Path) -> None:
    # The check of the check above: a browser that lets another key pass turns this page away.
    keyring = Keyring(tmp_path / "other")
    other = Identity(keyring, make_authority("laptop", LAPTOP, keyring.clock()), LAPTOP)
    turned_away = pytest.raises(PlaywrightError, match="ERR_CERT_AUTHORITY_INVALID")
    with by_key(playwright, other, tmp_path) as browser, opened(browser) as page, turned_away:
        page.goto(f"https://{HOST}:{port}/join/{TOKEN}")


def test_without_trust_https_is_refused_and_http_shows_the_way(wary: Browser, port: int) -> None:
    with opened(wary) as page, pytest.raises(PlaywrightError, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto(f"https://{HOST}:{port}/")
    with opened(wary) as page:
        page.goto(f"http://{HOST}:{port}/join/{TOKEN}")
        assert page.url == f"http://{HOST}:{port}/trust"
        assert not page.evaluate("window.isSecureContext")
        expect(page.locator("#waiting")).to_be_visible()
        expect(page.locator("#done")).to_be_hidden()
        assert page.context.cookies() == []
        for endpoint, name in (("#android", "hupai.crt"), ("#iphone", "hupai.mobileconfig")):
            with page.expect_download() as download:
                page.click(f"{endpoint} .load")
            assert download.value.suggested_filename == name


def test_a_browser_that_trusts_is_told_so_on_the_plain_page(trusting: Browser, port: int) -> None:
    with opened(trusting) as page:
        page.goto(f"http://{HOST}:{port}/trust")
        expect(page.locator("#done")).to_be_visible()
        expect(page.locator("#waiting")).to_be_hidden()
        page.click("#done a")
        page.wait_for_url(f"https://{HOST}:{port}/")
        expect(page.locator("body")).to_contain_text("QR code")  # it has not joined yet


@pytest.mark.parametrize("size", SIZES)
def test_the_codes_of_the_invitation_can_be_scanned_in_light_and_dark(
    playwright: Playwright, identity: Identity, tmp_path: Path, port: int, size: str
) -> None:
    with by_key(playwright, identity, tmp_path) as browser, opened(browser, size) as page:
        page.goto(f"https://{HOST}:{port}/join/{TOKEN}")
        page.wait_for_selector("body[data-ready]")
        page.goto(f"https://{HOST}:{port}/invite")
        page.wait_for_selector("body[data-ready]")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            shown = {part: _scanned(page.locator(f"#{part} svg").screenshot()) for part in ("first", "join")}
            assert shown == {"first": f"http://{HOST}:{port}/trust", "join": f"https://{HOST}:{port}/join/{TOKEN}"}
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.click('[data-language="zh"]')
        expect(page.locator("#first h2")).to_contain_text("信任")


def _scanned(png: bytes) -> str:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    return cv2.QRCodeDetector().detectAndDecode(image)[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_steps_fit_the_screen(wary: Browser, port: int, size: str, language: str) -> None:
    with opened(wary, size) as page:
        page.goto(f"http://{HOST}:{port}/trust?language={language}")
        expect(page.locator("#waiting")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        for link in page.locator(".load").all():
            box = link.bounding_box()
            assert box is not None
            assert box["height"] >= 44
