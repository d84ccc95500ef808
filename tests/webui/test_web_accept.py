"""A scored photo taken into tonight's list in a real browser, seen there, deleted, brought back and exported."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import pytest
from conftest import KnownReader, serving
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect, sync_playwright

import scoring
from webui import create_app, store

CHROMIUM = os.environ.get("HUPAI_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="left out: no Chromium is installed, nor named by HUPAI_CHROMIUM"
)

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "hupai" / "sample.jpg"
SHIPPED = (SAMPLE, ROOT / "models" / "locator.onnx", ROOT / "models" / "namer.onnx")
MISREAD = 7
PATIENCE = 30_000  # milliseconds, for a machine that does much else


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        expect.set_options(timeout=PATIENCE)
        yield browser
        expect.set_options(timeout=None)
        browser.close()


class Open(Protocol):
    """Opens a page of the served app at one size."""

    def __call__(self, address: str, size: str = "phone", path: str = "/") -> Page: ...


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Opens pages; the test fails where a script of theirs did."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(address: str, size: str = "phone", path: str = "/") -> Page:
        width, height = SIZES[size]
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, locale="en-GB"))
        contexts[-1].set_default_timeout(60_000)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}{path}")
        page.wait_for_selector("body[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def address(reader: KnownReader) -> Iterator[str]:
    with serving(create_app({"READER": lambda: reader})) as address:
        yield address


def won(page: Page, photo: bytes) -> None:
    """Read the photo, and mend the tile that was misread, so that the hand wins."""
    page.select_option("#rules", "xiangqi-3")
    page.set_input_files("#file", {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": photo})
    page.locator(f'#hand-parts [data-tile="{MISREAD}"]').click()
    page.locator('#sheet .alternative[data-code="rP"]').click()
    expect(page.locator('#result-body[data-state="win"]')).to_be_attached()


def hands(page: Page) -> Locator:
    return page.locator("#hands .entry")


def no_sideways_scrolling(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.skipif(not all(file.exists() for file in SHIPPED), reason="left out: sample photo or networks are missing")
@pytest.mark.parametrize("size", SIZES)
def test_the_sample_is_scored_accepted_listed_deleted_brought_back_and_exported(
    opened: Open, size: str, tmp_path: Path
) -> None:
    with serving(create_app({"READING_SECONDS": 120.0})) as address:
        page = opened(address, size)
        page.select_option("#rules", "xiangqi-3")
        page.set_input_files("#file", SAMPLE)
        expect(page.locator('#result-body[data-state="win"]')).to_be_attached(timeout=120_000)
        points = page.locator("#result-body .headline .gain").inner_text()
        page.click("#accept")
        expect(page.locator("#accept-bar")).to_contain_text("It is in tonight's list.")
        page.get_by_role("link", name="See the list").click()
        page.wait_for_url("**/tonight")
        page.wait_for_selector("body[data-ready]")
        expect(hands(page)).to_have_count(1)
        expect(hands(page)).to_contain_text(points)
        expect(page.locator("#totals .seat-point strong").first).to_have_text(points)
        picture = page.locator(".thumb-picture")
        expect(picture).to_be_visible()
        assert picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") > 0
        no_sideways_scrolling(page)
        page.locator(".thumb").click()
        expect(page.locator("#sheet .yaku tfoot")).to_be_visible()
        expect(page.locator("#sheet .whole-picture")).to_be_attached()
        page.click("#sheet-close")
        page.get_by_role("button", name="Delete hand 1").click()
        expect(hands(page)).to_have_count(0)
        expect(page.locator("#none")).to_be_visible()
        page.click("#undo")
        expect(hands(page)).to_have_count(1)
        expect(page.locator("#undo")).to_have_count(0)
        with page.expect_download() as saving:
            page.click("#export")
        saving.value.save_as(tmp_path / "evening.json")
        (hand,) = json.loads((tmp_path / "evening.json").read_text("utf-8"))["hands"]
        assert scoring.score_json(hand["hand"]) == hand["score"]
        assert hand["reading"]["tiles"]
        assert hand["picture"] is True


def test_what_was_mended_goes_along_and_a_later_change_takes_its_place(
    opened: Open, address: str, photo: bytes
) -> None:
    page = opened(address)
    won(page, photo)
    page.click("#accept")
    expect(page.locator('[data-key="take-back"]')).to_be_visible()
    (entry,) = store.entries(store.evening())
    assert entry.corrections == [{"op": "name", "tile": MISREAD, "code": "rP", "step": 1}]
    assert entry.reading is not None
    assert entry.reading["tiles"][MISREAD]["code"] == "rC"
    page.locator('label[for="by-discard"]').scroll_into_view_if_needed()
    page.check("#by-discard")
    expect(page.locator("#accept")).to_have_text("Enter the change")
    page.click("#accept")
    expect(page.locator('[data-key="see-list"]')).to_be_visible()
    (changed,) = store.entries(store.evening())
    assert (changed.id, changed.hand["by"]) == (entry.id, "discard")
    page.reload()  # the hand and its place in the list are known again
    page.wait_for_selector("body[data-ready]")
    expect(page.locator('[data-key="see-list"]')).to_be_attached()
    page.click('[data-key="take-back"]')
    expect(page.locator("#accept")).to_have_text("Enter into tonight's list")
    expect(page.locator("#accept")).to_be_enabled()
    assert store.entries(store.evening()) == []


def test_a_hand_on_two_phones_is_entered_once_and_mended_on_the_second(
    opened: Open, address: str, photo: bytes
) -> None:
    phones = [opened(address), opened(address)]
    for phone in phones:
        won(phone, photo)
        phone.click("#accept")
        expect(phone.locator('[data-key="see-list"]')).to_be_visible()
    (entry,) = store.entries(store.evening())
    phones[1].check("#by-discard")
    expect(phones[1].locator("#accept")).to_have_text("Enter the change")
    phones[1].click("#accept")
    expect(phones[1].locator('[data-key="see-list"]')).to_be_visible()
    (changed,) = store.entries(store.evening())
    assert (changed.id, changed.hand["by"]) == (entry.id, "discard")


def test_two_quick_taps_enter_one_hand_and_the_next_hand_is_another(
    opened: Open, address: str, photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SAME", timedelta(0))  # the next hand is of the same tiles, within seconds
    page = opened(address)
    for number in (1, 2):
        won(page, photo)
        page.evaluate("for (let tap = 0; tap < 3; tap += 1) document.getElementById('accept')?.click()")
        expect(page.locator('[data-key="see-list"]')).to_be_visible()
        assert len(store.entries(store.evening())) == number
        page.click("#over")


def test_the_next_hand_begins_without_what_was_special_about_the_last(opened: Open, address: str, photo: bytes) -> None:
    page = opened(address, "phone")
    won(page, photo)
    page.check("#dealer-1")
    page.check("#flag-riichi")
    expect(page.locator(".yaku tfoot td")).to_have_text("5 fan")
    expect(page.locator("#next")).to_have_count(0)
    page.click("#accept")
    page.click("#next")
    expect(page.locator("#start")).to_be_visible()
    assert page.evaluate("window.scrollY") == 0
    won(page, photo)
    expect(page.locator("#flag-riichi")).not_to_be_checked()
    expect(page.locator("#dealer-1")).to_be_checked()
    # The same hand, taken again before it is entered, keeps what was said of it; a photo after that is another hand.
    page.check("#flag-riichi")
    won(page, photo)
    expect(page.locator("#flag-riichi")).to_be_checked()
    page.click("#accept")
    expect(page.locator("#next")).to_be_visible()
    won(page, photo)
    expect(page.locator("#flag-riichi")).not_to_be_checked()
    page.click("#accept")
    expect(page.locator("#next")).to_be_visible()


def test_riichi_and_draws_are_entered_where_the_rules_pay_for_them(opened: Open, address: str) -> None:
    page = opened(address, "phone")
    page.select_option("#rules", "xiangqi-3")
    page.goto(f"{address}/tonight")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#events-panel")).to_be_hidden()
    page.evaluate("localStorage.setItem('hupai-rules', 'xiangqi-4')")
    page.reload()
    page.click('[data-key="riichi-1"]')
    expect(page.locator(".sticks")).to_have_text("Riichi sticks on the table: 1,000")
    expect(page.locator('[data-key="riichi-1"]')).to_be_disabled()
    page.check("#ready-1")
    page.check("#ready-2")
    page.click("#enter-draw")
    expect(hands(page)).to_have_count(2)
    expect(hands(page).first).to_contain_text("Draw; ready: P2, P3")
    expect(page.locator("#totals .seat-point strong")).to_have_text(["−1,500", "+500", "+1,500", "−1,500"])
    expect(page.locator("#ready-1")).not_to_be_checked()
    expect(page.locator('[data-key="riichi-1"]')).to_be_enabled()
    no_sideways_scrolling(page)
    page.click("[data-language=zh]")
    expect(hands(page).first).to_contain_text("流局，听牌：2号、3号")
    page.get_by_role("button", name="删除：2号 立直").click()
    expect(hands(page)).to_have_count(1)
    expect(page.locator(".sticks")).to_have_count(0)
    page.click("#undo")
    expect(page.locator(".sticks")).to_have_text("桌上立直棒：1,000")


def test_an_answer_that_is_lost_enters_nothing_twice(opened: Open, address: str, photo: bytes) -> None:
    page = opened(address)
    won(page, photo)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/tonight", lose)
    page.click("#accept")
    expect(page.locator("#accept-bar")).to_contain_text("hupai cannot be reached")
    page.unroute("**/api/tonight")
    page.click("#accept")
    expect(page.locator('[data-key="see-list"]')).to_be_visible()
    assert len(store.entries(store.evening())) == 1


def test_a_damaged_list_is_told_on_both_pages(opened: Open, address: str, photo: bytes, home: Path) -> None:
    home.mkdir()
    (home / "hands.db").write_bytes(b"no list at all")
    page = opened(address)
    won(page, photo)
    page.click("#accept")
    expect(page.locator("#accept-bar")).to_contain_text("move hands.db away")
    page.goto(f"{address}/tonight")
    expect(page.locator("#notice")).to_contain_text("move hands.db away")
    (home / "hands.db").unlink()  # mended: the page finds out by itself
    expect(page.locator("#notice")).to_be_hidden(timeout=30_000)
    expect(page.locator("#none")).to_be_visible()


def test_a_hand_that_someone_else_enters_appears_by_itself_in_both_languages(opened: Open, address: str) -> None:
    page = opened(address, path="/tonight")
    expect(page.locator("#none")).to_be_visible()
    hand = {
        "rules": "xiangqi-3",
        "concealed": ["rR", "rR", "rR", "rP"],
        "melds": [{"type": "pong", "tiles": ["bC", "bC", "bC"]}],
        "win": "rP",
        "by": "discard",
        "context": {"winner": 1, "discarder": 2},
    }
    store.accept(store.Accepted("from-elsewhere", hand, scoring.score_json(hand)))
    expect(hands(page)).to_have_count(1)
    expect(hands(page)).to_contain_text("P2 on P3's discard")
    page.get_by_role("button", name="中文").click()
    expect(hands(page)).to_contain_text("2号 和（3号 放铳）")
    expect(page.locator("#evening-title")).to_have_text("今晚")
    no_sideways_scrolling(page)
