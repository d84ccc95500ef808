"""The live view in a real browser whose camera is a film: marks on the tiles, score, mending, faults and their end."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import serving
from flask import Flask
from numpy.typing import NDArray
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from webui import create_app
from webui.app import close
from webui.errors import Refused
from webui.live import LIVE
from webui.secure import Identity

CHROMIUM = os.environ.get("HUPAI_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="left out: no Chromium is installed, nor named by HUPAI_CHROMIUM"
)

DATA = Path(__file__).parents[1] / "data"
WIDTH, HEIGHT = 1280, 720
TOP, SCALE = 250, 0.8  # the part of the photo that the film shows, in its pixels, and how large
SECONDS = 60_000  # milliseconds: machines that test are slow
RULES = "lata"
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}

Pixels = NDArray[np.uint8]

# What can be done to a page's camera: `camera.take()` takes it away, `camera.refuse = NAME` refuses it from then on,
# `camera.paint = COLOUR` gives a plain one instead (one that stands still where it is "still"), and `camera.hide(true)`
# puts the page out of sight.
TAMPER = """
const camera = window.camera = {streams: [], refuse: null, paint: null, asked: []};
const media = navigator.mediaDevices;
const real = media.getUserMedia.bind(media);
media.getUserMedia = async (wanted) => {
  camera.asked.push(wanted.video);
  if (camera.refuse) throw new DOMException("refused", camera.refuse);
  if (camera.paint) {
    const canvas = Object.assign(document.createElement("canvas"), {width: 640, height: 480});
    const context = canvas.getContext("2d");
    setInterval(() => {
      if (camera.paint === "still") return;
      context.fillStyle = camera.paint;
      context.fillRect(0, 0, 640, 480);
    }, 50);
    const stream = canvas.captureStream(20);
    camera.streams.push(stream);
    return stream;
  }
  const stream = await real(wanted);
  camera.streams.push(stream);
  return stream;
};
camera.take = () => camera.streams.forEach((stream) => stream.getTracks().forEach((track) => track.stop()));
camera.live = () => camera.streams.flatMap((s) => s.getTracks()).filter((t) => t.readyState === "live").length;
let hidden = false;
Object.defineProperty(document, "hidden", {get: () => hidden});
camera.hide = (away) => { hidden = away; document.dispatchEvent(new Event("visibilitychange")); };
"""


@pytest.fixture(scope="module")
def picture() -> Pixels:
    """What the film shows: a hand that wins by `RULES`, in BGR."""
    photo = cv2.imread(str(DATA / "mahjong_14.jpg"))
    assert photo is not None
    part = photo[TOP : TOP + round(HEIGHT / SCALE)]
    return np.asarray(cv2.resize(part, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.fixture(scope="module")
def tiles() -> list[NDArray[np.float64]]:
    """The corners of its tiles, (4, 2) in the film's pixels."""
    told = json.loads((DATA / "mahjong_14.json").read_text("utf-8"))["tiles"]
    return [(np.array(tile["polygon"]) - (0, TOP)) * SCALE for tile in told]


@pytest.fixture(scope="module")
def film(picture: Pixels, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The picture with a sensor's noise, as the browser's fake camera takes it."""
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("film") / "table.mjpeg"
    with path.open("wb") as file:
        for _ in range(8):
            noisy = np.clip(picture + rng.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)
            file.write(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
    return path


@pytest.fixture(scope="module")
def browser(film: Path) -> Iterator[Browser]:
    flags = (
        *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
        *("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"),
        f"--use-file-for-fake-video-capture={film}",
        "--host-resolver-rules=MAP laptop.local 127.0.0.1",
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        path = tmp_path_factory.mktemp("home")
        patch.setenv("HUPAI_HOME", str(path))
        yield path


@pytest.fixture(scope="module")
def app(home: Path) -> Flask:
    """The app with the networks that ship."""
    return create_app()


@pytest.fixture(scope="module")
def address(app: Flask) -> Iterator[str]:
    with serving(app) as address:
        yield address


def visit(browser: Browser, address: str, size: str = "phone", **options: object) -> Page:
    width, height = SIZES[size]
    context: BrowserContext = browser.new_context(
        viewport={"width": width, "height": height},
        locale="en-GB",
        **options,  # type: ignore[arg-type]
    )
    context.set_default_timeout(SECONDS)
    page = context.new_page()
    page.add_init_script(f"if (navigator.mediaDevices) {{ {TAMPER} }}")
    page.complaints = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.complaints.append(str(error)))  # type: ignore[attr-defined]
    page.goto(f"{address}/live")
    page.wait_for_selector("body[data-ready]")
    return page


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The live view on a phone, opened; the test fails where a script of it failed."""
    page = visit(browser, address)
    page.select_option("#rules", RULES)
    yield page
    page.goto("about:blank")  # a context that is closed lets its pages say nothing, and their places stay taken
    page.context.close()
    assert page.complaints == []  # type: ignore[attr-defined]


def result(page: Page, state: str) -> None:
    expect(page.locator(f'#result-body[data-state="{state}"]')).to_be_attached(timeout=SECONDS)


def notice(page: Page, text: str) -> None:
    expect(page.locator("#notice")).to_contain_text(text, timeout=SECONDS)


def until(page: Page, condition: str) -> None:
    """Wait until it is so; the page's own policy forbids it to evaluate text, as Playwright's waiting would."""
    for _ in range(SECONDS // 100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(condition)


def seen_at_rest(page: Page) -> None:
    expect(page.locator('#rest[data-rest="locked"]')).to_be_visible(timeout=SECONDS)


def stage(page: Page) -> Pixels:
    """The picture with its marks as the screen shows it, in the film's size."""
    page.evaluate("window.scrollTo(0, 0)")
    box = page.locator("#marks").bounding_box()
    assert box is not None
    clip = {side: box[side] for side in ("x", "y", "width", "height")}
    png = page.screenshot(clip=clip)  # type: ignore[arg-type]
    shown = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    return np.asarray(cv2.resize(shown, (WIDTH, HEIGHT)), np.uint8)


@pytest.mark.parametrize("size", SIZES)
def test_the_marks_lie_on_the_tiles(
    browser: Browser, address: str, size: str, picture: Pixels, tiles: list[NDArray[np.float64]]
) -> None:
    page = visit(browser, address, size, device_scale_factor=2)
    page.select_option("#rules", RULES)
    page.click("#from-phone")
    result(page, "win")
    seen_at_rest(page)
    difference = np.abs(cv2.blur(stage(page), (5, 5)).astype(int) - cv2.blur(picture, (5, 5))).max(axis=2)
    marked = cv2.dilate((difference > 40).astype(np.uint8), np.ones((13, 13), np.uint8)) > 0
    table = np.ones((HEIGHT, WIDTH), np.uint8)
    found = []
    for corners in tiles:
        following = np.roll(corners, -1, axis=0)
        edge = np.concatenate([corners + share * (following - corners) for share in np.linspace(0, 1, 20)])
        x, y = np.round(edge).astype(int).T
        found.append(marked[y, x].mean())
        cv2.fillConvexPoly(table, np.round(corners).astype(np.int32), 0)
    # Where a tile ends is read to within some pixels, and one edge of a tile may be off by more.
    assert min(found) > 0.6
    assert np.mean(found) > 0.9
    # Beside the tiles, their names and their groups the picture is as the camera gives it, to the pixel.
    aside = cv2.erode(table, np.ones((111, 111), np.uint8), borderValue=1) > 0
    assert aside.mean() > 0.2
    assert (difference[aside] > 40).mean() < 0.01
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.context.close()


def test_a_hand_at_rest_is_scored_and_one_tap_enters_it(page: Page, address: str) -> None:
    page.click("#from-phone")
    result(page, "win")
    expect(page.locator("#summary-text")).to_have_text("24 units · +24")
    expect(page.locator("#hand-parts .part.called")).to_have_count(2)
    page.click("#accept")
    expect(page.locator("#accepting")).to_contain_text("It is in tonight's list", timeout=SECONDS)
    listed = page.request.get(f"{address}/api/tonight").json()["entries"]
    assert len(listed) == 1
    assert listed[0]["hand"]["win"] == "8s"
    assert listed[0]["score"]["payments"] == [24, -8, -8, -8]
    photo = page.request.get(f"{address}/api/tonight/{listed[0]['id']}/picture")
    image = cv2.imdecode(np.frombuffer(photo.body(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (HEIGHT, WIDTH, 3)
    page.locator("#accepting").get_by_role("button", name="Take it back").click()
    expect(page.locator("#accept")).to_be_visible(timeout=SECONDS)
    assert page.request.get(f"{address}/api/tonight").json()["entries"] == []


def test_a_tap_on_a_tile_mends_it_and_it_stays_mended(page: Page, tiles: list[NDArray[np.float64]]) -> None:
    page.click("#from-phone")
    result(page, "win")
    marks = page.locator("#marks").bounding_box()
    assert marks is not None
    x, y = tiles[7].mean(axis=0) * marks["width"] / WIDTH  # the winning tile, 8s
    page.mouse.click(marks["x"] + x, marks["y"] + y)
    expect(page.locator("#sheet")).to_contain_text("Read as 八条")
    page.locator("#sheet summary").click()
    page.locator('#sheet .key[data-code="9s"]').click()
    result(page, "no-win")
    version = page.evaluate("camera.asked.length")
    page.wait_for_timeout(1500)
    result(page, "no-win")
    expect(page.locator('#hand-parts [aria-label*="set by you"]')).to_have_count(1)
    assert page.evaluate("camera.asked.length") == version
    # The picture may be stopped, to be mended in peace; what was said holds on.
    page.click("#pause")
    expect(page.locator("#rest")).to_have_text("Stopped: tap a tile to mend it")
    assert page.evaluate("camera.live()") == 0
    page.click("#undo")
    result(page, "win")
    page.click("#pause")
    seen_at_rest(page)
    result(page, "win")


def test_the_picture_is_taken_as_a_photo_where_a_tile_is_missed(page: Page, tiles: list[NDArray[np.float64]]) -> None:
    page.click("#from-phone")
    result(page, "win")
    expect(page.locator("#short")).to_be_hidden()
    marks = page.locator("#marks").bounding_box()
    assert marks is not None
    spot = tiles[7].mean(axis=0)  # the winning tile, 8s
    x, y = spot * marks["width"] / WIDTH
    page.mouse.click(marks["x"] + x, marks["y"] + y)
    page.get_by_role("button", name="This is no tile: remove").click()
    expect(page.locator("#short")).to_contain_text("opens as a photo", timeout=SECONDS)
    page.click("#as-photo")
    # It is the very picture, as it was read and mended, with the tools of a photo.
    expect(page.locator("#overlay .outline")).to_have_count(13, timeout=SECONDS)
    assert page.evaluate("document.getElementById('photo').naturalWidth") == WIDTH
    page.click("#add")
    overlay = page.locator("#overlay").bounding_box()
    assert overlay is not None
    x, y = spot * overlay["width"] / WIDTH
    page.mouse.click(overlay["x"] + x, overlay["y"] + y)
    page.locator('#sheet .key[data-code="8s"]').click()
    expect(page.locator("#overlay .outline")).to_have_count(14)
    expect(page.locator("#summary-text")).to_contain_text("24 units", timeout=SECONDS)
    # It was handed over once: like any photo it is gone after a reload, and what was read of it is not.
    page.reload()
    expect(page.locator("#notice")).to_be_visible(timeout=SECONDS)
    expect(page.locator("#summary-text")).to_contain_text("24 units", timeout=SECONDS)


def test_a_camera_that_is_taken_away_comes_back(page: Page) -> None:
    page.click("#from-phone")
    result(page, "win")
    page.evaluate("camera.refuse = 'NotReadableError'; camera.take()")
    notice(page, "another program may be using it")
    result(page, "win")  # what was seen stays to be read
    page.evaluate("camera.refuse = null")
    expect(page.locator("#notice")).to_be_hidden(timeout=SECONDS)
    seen_at_rest(page)
    page.click('[data-language="zh"]')
    page.evaluate("camera.refuse = 'NotReadableError'; camera.take()")
    notice(page, "可能被别的程序占用")


def test_a_camera_that_is_not_allowed_is_said_so_until_it_is(page: Page) -> None:
    page.evaluate("camera.refuse = 'NotAllowedError'")
    page.click("#from-phone")
    notice(page, "The camera may not be used")
    expect(page.locator("#photo-way")).to_be_visible()
    page.wait_for_timeout(1000)
    assert page.evaluate("camera.asked.length") == 1  # nobody is asked again and again
    page.evaluate("camera.refuse = null")
    page.click("#retry")
    expect(page.locator("#notice")).to_be_hidden(timeout=SECONDS)
    seen_at_rest(page)


def test_a_page_out_of_sight_lets_the_camera_go(page: Page) -> None:
    page.click("#from-phone")
    seen_at_rest(page)
    page.evaluate("camera.hide(true)")
    until(page, "camera.live() === 0")
    page.evaluate("camera.hide(false)")
    until(page, "camera.live() === 1")
    seen_at_rest(page)
    expect(page.locator("#notice")).to_be_hidden()


def test_black_and_still_pictures_other_sizes_and_a_lost_connection(page: Page) -> None:
    page.evaluate("camera.paint = '#000'")
    page.click("#from-phone")
    expect(page.locator("#rest")).to_have_text("The picture is black: open the lens, or add light", timeout=SECONDS)
    page.route("**/api/live/**", lambda route: route.abort())
    notice(page, "hupai cannot be reached")
    page.unroute("**/api/live/**")
    expect(page.locator("#notice")).to_be_hidden(timeout=SECONDS)
    page.evaluate("camera.paint = 'still'")
    notice(page, "The camera's picture stands still")
    # Another camera with another resolution takes its place.
    page.evaluate("camera.paint = null; camera.take()")
    result(page, "win")
    seen_at_rest(page)


def test_the_lens_is_remembered(page: Page) -> None:
    page.click("#from-phone")
    seen_at_rest(page)
    lens = page.evaluate("camera.streams[0].getVideoTracks()[0].getSettings().deviceId")
    page.evaluate("localStorage.setItem('hupai-lens', 'one that is gone')")
    page.reload()  # which camera it was is remembered too
    seen_at_rest(page)
    asked = page.evaluate("camera.asked")
    assert asked[0]["deviceId"] == {"exact": "one that is gone"}
    assert asked[1]["facingMode"] == {"ideal": "environment"}
    page.evaluate("lens => localStorage.setItem('hupai-lens', lens)", lens)
    page.reload()
    seen_at_rest(page)
    assert page.evaluate("camera.asked[0].deviceId.exact") == lens


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_without_https_a_photo_is_offered_and_with_it_the_camera_works(
    scheme: str, browser: Browser, home: Path, identity: Identity
) -> None:
    token = "a-token-that-is-long-enough-to-be-no-guess"
    app = create_app({"TOKEN": token, "HOST_NAMES": frozenset({"laptop.local"})})
    with serving(app, identity) as address:
        start = f"{scheme}://laptop.local:{address.rpartition(':')[2]}"
        context = browser.new_context(viewport={"width": 390, "height": 844}, ignore_https_errors=True)
        context.set_default_timeout(SECONDS)
        page = context.new_page()
        page.goto(f"{start}/join/{token}")
        page.wait_for_url(f"{start}/")  # it goes there by itself, and would overtake us on the way elsewhere
        page.goto(f"{start}/live")
        page.wait_for_selector("body[data-ready]")
        if scheme == "http":
            notice(page, "https")
            expect(page.locator("#from-phone")).to_be_disabled()
            page.click("#photo-way")
            expect(page.locator("#start")).to_be_visible()
        else:
            page.select_option("#rules", RULES)
            page.click("#from-phone")
            result(page, "win")
        context.close()


class Still:
    """A camera of the machine that shows one picture, a little lighter or darker each time."""

    def __init__(self, picture: Pixels) -> None:
        self.pictures = [np.clip(picture.astype(int) + level, 0, 255).astype(np.uint8) for level in range(3)]
        self.given = 0

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Pixels]:
        time.sleep(0.1)
        self.given += 1
        return True, self.pictures[self.given % 3].copy()

    def get(self, propId: int, /) -> float:
        return 10.0

    def set(self, propId: int, value: float, /) -> bool:
        return True

    def release(self) -> None:
        pass


def test_two_look_at_the_tables_camera(browser: Browser, home: Path, picture: Pixels) -> None:
    app = create_app({"CAMERA": 0, "CAMERA_OPENER": lambda source: Still(picture)})
    try:
        with serving(app) as address:
            one = visit(browser, address, "desktop")
            one.select_option("#rules", RULES)
            one.click("#from-table")
            result(one, "win")
            other = visit(browser, address)
            expect(other.locator("#rules")).to_have_value(RULES)  # what the first one chose
            other.click("#from-table")
            result(other, "win")
            one.locator("#hand-parts .part.win .card").click()
            one.get_by_role("button", name="This is no tile: remove").click()
            for page in (one, other):
                result(page, "no-win")
                expect(page.locator("#summary-text")).to_contain_text("Waits for", timeout=SECONDS)
            assert [thread.name for thread in threading.enumerate()].count("hupai-watch") == 1
            shown = one.evaluate(
                """() => {
                  const still = document.getElementById("still");
                  return [still.width, still.height];
                }"""
            )
            assert shown == [WIDTH, HEIGHT]
            for page in (one, other):
                page.context.close()
                assert page.complaints == []  # type: ignore[attr-defined]
    finally:
        close(app)
    assert "hupai-watch" not in [thread.name for thread in threading.enumerate()]


def test_a_phone_that_leaves_makes_room(browser: Browser, home: Path) -> None:
    app = create_app({"PHONES": 1})
    phones = app.extensions[LIVE].phones
    with serving(app) as address:
        page = visit(browser, address)
        page.select_option("#rules", RULES)
        page.click("#from-phone")
        seen_at_rest(page)
        (held,) = phones._phones.values()
        with pytest.raises(Refused):
            phones.open(held.follower)
        page.goto(page.url.replace("/live", "/"))
        page.wait_for_selector("body[data-ready]")
        for _ in range(200):  # it says so as it leaves, and asks for no other place on its way
            if len(phones) == 0:
                break
            page.wait_for_timeout(100)
        assert len(phones) == 0
        assert phones.open(held.follower)
        page.context.close()
