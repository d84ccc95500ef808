"""The page in a real browser, at phone and desktop size: read, mend, type, change language, without a complaint."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import HEIGHT, WIDTH, KnownReader, Served, serving
from painted import paint, row
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from scoring.tiles import Family
from vision.reading import Change, Fault, Reading, Suggestion
from webui import create_app

CHROMIUM = os.environ.get("HUPAI_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="left out: no Chromium is installed, nor named by HUPAI_CHROMIUM"
)

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
MISREAD, WINNER, KONG = 7, 8, 0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(params=SIZES)
def screen(request: pytest.FixtureRequest, browser: Browser, served: Served) -> Iterator[Page]:
    """The page at one size, opened; what the console says is kept, and the test fails where it complained."""
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", accept_downloads=True)
    page = context.new_page()
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(served.address)
    page.wait_for_selector("body[data-ready]")
    page.select_option("#rules", "xiangqi-3")
    yield page
    expected = getattr(page, "expected_complaint", None)
    context.close()
    assert [text for text in complaints if not (expected and expected in text)] == []


def upload(page: Page, photo: bytes) -> None:
    page.set_input_files("#file", {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": photo})
    expect(page.locator("#hand")).to_be_visible()


def card(page: Page, tile: int) -> None:
    page.locator(f'#hand-parts [data-tile="{tile}"]').click()


def result(page: Page, state: str) -> None:
    expect(page.locator(f'#result-body[data-state="{state}"]')).to_be_attached()


def check(page: Page, control: str) -> None:
    page.locator(f'label[for="{control}"]').evaluate("label => label.scrollIntoView({ block: 'center' })")
    page.check(f"#{control}")


def no_sideways_scrolling(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_photo_is_read_and_one_mended_tile_changes_the_score(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    result(screen, "no-win")
    expect(screen.locator(".waits li").first).to_be_visible()
    card(screen, MISREAD)
    expect(screen.locator("#sheet")).to_contain_text("Read as 炮 red cannon, 55")
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    result(screen, "win")
    expect(screen.locator(".headline .gain")).to_have_text("+12,000")
    expect(screen.locator(".yaku")).to_contain_text("Two concealed triplets")
    expect(screen.locator(".payments .seat.loses")).to_have_count(3)
    no_sideways_scrolling(screen)


def test_a_doubtful_tile_that_would_make_the_hand_win_is_offered_but_not_applied(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    offer = screen.get_by_role("button", name="If the red cannon is a red soldier: 4 fan, +12,000")
    expect(offer).to_be_visible()
    result(screen, "no-win")
    expect(screen.locator("#undo")).to_be_disabled()
    offer.click()
    result(screen, "win")
    expect(screen.locator(f'#hand-parts [data-tile="{MISREAD}"]')).to_have_attribute(
        "aria-label", "red soldier, Held, set by you"
    )


def test_the_readers_own_suggestion_of_several_tiles_takes_one_tap(screen: Page, photo: bytes, served: Served) -> None:
    tiles = list(served.reader.reading.tiles)
    for place, read in ((MISREAD, "rC"), (WINNER, "bA")):
        shares = ((read, 0.55), ("rP", 0.4))
        tiles[place] = replace(tiles[place], code=read, confidence=0.55, alternatives=shares)
    suggestion = Suggestion((Change(MISREAD, "rC", "rP", 0.4), Change(WINNER, "bA", "rP", 0.4)))
    served.reader.reading = replace(served.reader.reading, tiles=tuple(tiles), suggestion=suggestion)
    upload(screen, photo)
    result(screen, "no-win")
    screen.get_by_role("button", name="If they are red soldier · red soldier: 4 fan, +12,000").click()
    result(screen, "win")
    screen.click("#undo")
    result(screen, "no-win")
    expect(screen.locator("#undo")).to_be_disabled()


def test_what_is_wrong_with_the_picture_is_said_in_the_visitors_language(
    screen: Page, photo: bytes, served: Served
) -> None:
    upload(screen, photo)
    expect(screen.locator("#faults")).to_be_empty()
    faults = (Fault("blurred", 0.19, 0.25, "", ""), Fault("cut_off", 2.0, 0.0, "", ""))
    served.reader.reading = replace(served.reader.reading, quality=faults)
    upload(screen, photo)
    expect(screen.locator('[data-fault="blurred"]')).to_contain_text("sharpness 19\u00a0%, and 25\u00a0% is needed")
    expect(screen.locator('[data-fault="cut_off"]')).to_contain_text("cut off: 2.")
    screen.click('[data-language="zh"]')
    expect(screen.locator('[data-fault="blurred"]')).to_contain_text("模糊")
    no_sideways_scrolling(screen)
    screen.click('[data-language="en"]')
    screen.click("#over")
    expect(screen.locator("#faults")).to_be_empty()


def test_undo_takes_a_correction_back_and_the_reading_is_kept(
    screen: Page, photo: bytes, reading: Reading, tmp_path: Path
) -> None:
    upload(screen, photo)
    card(screen, MISREAD)
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    result(screen, "win")
    with screen.expect_download() as saving:
        screen.click("#save")
    saving.value.save_as(tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text("utf-8"))
    assert record["reading"] == reading.to_json()
    assert record["corrections"] == [{"op": "name", "tile": MISREAD, "code": "rP", "step": 1}]
    assert record["hand"]["concealed"] == ["rR", "rR", "rR", "rP"]
    assert record["result"]["win"] is True
    screen.click("#undo")
    result(screen, "no-win")
    expect(screen.locator("#undo")).to_be_disabled()


def test_outlines_lie_on_the_tiles(screen: Page, photo: bytes, reading: Reading) -> None:
    upload(screen, photo)
    image = screen.locator("#photo").bounding_box()
    assert image is not None
    scale = image["width"] / WIDTH
    assert image["height"] == pytest.approx(HEIGHT * scale, abs=1)
    outlines = screen.locator("#overlay .outline")
    expect(outlines).to_have_count(len(reading.tiles))
    for number, tile in enumerate(reading.tiles):
        box = screen.locator(f'#overlay [data-tile="{number}"] .casing').bounding_box()
        assert box is not None
        (left, top), _, (right, bottom), _ = tile.quad.corners
        assert box["x"] + box["width"] / 2 == pytest.approx(image["x"] + (left + right) / 2 * scale, abs=1)
        assert box["y"] + box["height"] / 2 == pytest.approx(image["y"] + (top + bottom) / 2 * scale, abs=1)
        assert box["width"] == pytest.approx((right - left) * scale, abs=8)  # the stroke is counted in


def turned(jpeg: bytes, orientation: int) -> bytes:
    """The same JPEG with an EXIF orientation, as a phone writes it."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 1) + entry + bytes(4)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


@pytest.mark.usefixtures("painted_networks")
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_outlines_lie_on_the_tiles_of_a_photo_that_was_turned(browser: Browser, orientation: int) -> None:
    tiles = [*row(["r1", "r2", "r3", "r9"], 50, 300), *row(["r9"], 340, 300), *row(["b4", "b5", "b6"], 60, 180)]
    upright = paint(tiles, Family.JUNQI, (640, 480))
    stored = np.rot90(upright, {1: 0, 3: 2, 6: 1, 8: 3}[orientation])
    quality = [cv2.IMWRITE_JPEG_QUALITY, 97, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    photo = turned(bytes(cv2.imencode(".jpg", stored, quality)[1]), orientation)
    with serving(create_app()) as address:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        page.select_option("#rules", "junqi-1")
        upload(page, photo)
        expect(page.locator("#overlay .outline")).to_have_count(8)
        image = page.locator("#photo").bounding_box()
        assert image is not None
        assert image["width"] / image["height"] == pytest.approx(640 / 480, rel=0.01)
        scale = image["width"] / 640
        boxes = [outline.bounding_box() for outline in page.locator("#overlay .casing").all()]
        middles = sorted((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box)
        wanted = sorted((image["x"] + tile.x * scale, image["y"] + tile.y * scale) for tile in tiles)
        assert np.allclose(middles, wanted, atol=3)
        result(page, "win")
        context.close()


ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "hupai" / "sample.jpg"
SHIPPED = (SAMPLE, ROOT / "models" / "locator.onnx", ROOT / "models" / "namer.onnx")


@pytest.mark.skipif(not all(file.exists() for file in SHIPPED), reason="left out: sample photo or networks are missing")
@pytest.mark.parametrize("size", SIZES)
def test_the_sample_that_ships_is_read_and_mended(browser: Browser, size: str) -> None:
    width, height = SIZES[size]
    with serving(create_app()) as address:
        context = browser.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        page.select_option("#rules", "xiangqi-3")
        upload(page, SAMPLE.read_bytes())
        result(page, "win")
        before = page.locator(".headline").inner_text()
        held = page.locator("#hand-parts .part.held .card").first
        name = held.get_attribute("aria-label")
        held.click()
        other = "bK" if name is None or "black general" not in name else "rK"
        page.locator("#sheet .kinds summary").click()
        page.locator(f'#sheet .key[data-code="{other}"]').click()
        expect(page.locator("#hand-parts .mended")).to_have_count(1)
        result(page, "no-win")
        page.click("#undo")
        result(page, "win")
        assert page.locator(".headline").inner_text() == before
        context.close()


def test_the_link_with_its_key_opens_the_page_on_the_network(
    browser: Browser, reader: KnownReader, photo: bytes
) -> None:
    with serving(create_app({"READER": lambda: reader, "TOKEN": "the-key-in-the-link"})) as address:
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="zh-CN")
        page = context.new_page()
        page.goto(address)
        expect(page.locator("main")).to_contain_text("二维码")
        page.goto(f"{address}/join/the-key-in-the-link")
        page.wait_for_selector("body[data-ready]")
        assert page.url == f"{address}/"
        page.select_option("#rules", "xiangqi-3")
        upload(page, photo)
        expect(page.locator("#overlay .outline")).to_have_count(12)
        assert page.evaluate("document.cookie") == ""
        context.close()


def test_a_tile_can_be_mended_from_the_photo_and_from_the_keyboard(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    screen.locator(f'#overlay [data-tile="{MISREAD}"]').click()
    expect(screen.locator("#sheet")).to_be_visible()
    screen.keyboard.press("Escape")
    expect(screen.locator("#sheet")).to_be_hidden()
    screen.locator(f'#overlay [data-tile="{MISREAD}"]').focus()
    screen.keyboard.press("Enter")
    screen.locator("#sheet .kinds summary").click()
    screen.locator('#sheet .key[data-code="rP"]').focus()
    screen.keyboard.press("Enter")
    result(screen, "win")


def test_a_missed_tile_is_added_where_it_lies_and_a_wrong_one_removed(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    card(screen, MISREAD)
    screen.get_by_role("button", name="This is no tile: remove").click()
    result(screen, "error")
    expect(screen.locator("#summary-text")).to_have_text("Held: 3 of 4 tiles")
    expect(screen.locator("#overlay .outline")).to_have_count(11)
    screen.click("#add")
    overlay = screen.locator("#overlay").bounding_box()
    assert overlay is not None
    scale = overlay["width"] / WIDTH
    screen.mouse.click(overlay["x"] + 526 * scale, overlay["y"] + 560 * scale)
    screen.locator('#sheet .key[data-code="rP"]').click()
    result(screen, "win")
    expect(screen.locator("#overlay .outline")).to_have_count(12)


def test_a_missed_tile_is_drawn_as_a_box(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    screen.click("#add")
    overlay = screen.locator("#overlay").bounding_box()
    assert overlay is not None
    scale = overlay["width"] / WIDTH
    x, y = overlay["x"], overlay["y"]
    screen.mouse.move(x + 900 * scale, y + 200 * scale)
    screen.mouse.down()
    screen.mouse.move(x + 1000 * scale, y + 320 * scale, steps=4)
    screen.mouse.up()
    screen.locator('#sheet .key[data-code="bK"]').click()
    points = screen.locator('#overlay [data-tile="12"] .casing').get_attribute("points")
    assert points is not None
    corners = [tuple(map(float, point.split(","))) for point in points.split()]
    assert corners[0] == pytest.approx((900, 200), abs=5)
    assert corners[2] == pytest.approx((1000, 320), abs=5)


def test_only_a_part_of_the_photo_is_read_where_that_is_wished(screen: Page, photo: bytes, served: Served) -> None:
    upload(screen, photo)
    screen.click("#part")
    overlay = screen.locator("#overlay").bounding_box()
    assert overlay is not None
    scale = overlay["width"] / WIDTH
    screen.mouse.move(overlay["x"] + 50 * scale, overlay["y"] + 100 * scale)
    screen.mouse.down()
    screen.mouse.move(overlay["x"] + 850 * scale, overlay["y"] + 700 * scale, steps=3)
    screen.mouse.up()
    expect(screen.locator("#hand")).to_be_visible()
    expect(screen.locator("#overlay .region")).to_be_attached()
    assert served.reader.calls[-1]["region"] == pytest.approx((50, 100, 800, 600), abs=6)
    screen.click("#whole")
    expect(screen.locator("#hand")).to_be_visible()
    expect(screen.locator("#overlay .region")).to_have_count(0)
    assert served.reader.calls[-1]["region"] is None


def test_another_tile_can_be_the_winning_one(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    card(screen, MISREAD)
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    card(screen, 4)
    check(screen, "place-win")
    expect(screen.locator('#hand-parts .part.win [data-tile="4"]')).to_be_visible()
    check(screen, "by-discard")
    # A triplet that a discard completes is an open one.
    expect(screen.locator(".yaku")).to_contain_text("All triplets")


def test_tiles_can_be_made_a_called_group_and_taken_apart(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    card(screen, MISREAD)
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    screen.click("#choose")
    for tile in (4, 5, 6):
        card(screen, tile)
    screen.locator("#choosing-actions").get_by_text("Pong", exact=True).click()
    expect(screen.locator("#hand-parts .part.called")).to_have_count(2)
    expect(screen.locator(".headline")).to_contain_text("1 fan")
    card(screen, 4)
    screen.get_by_role("button", name="Take the group apart").click()
    expect(screen.locator("#hand-parts .part.called")).to_have_count(1)
    expect(screen.locator(".headline")).to_contain_text("4 fan")


def drag(page: Page, tile: int, part: str) -> None:
    """Take a tile's card to a part of the hand with the mouse; some parts show only while one is dragged."""
    start = page.locator(f'#hand-parts [data-tile="{tile}"]')
    page.locator("#hand-parts").evaluate("parts => parts.scrollIntoView({block: 'center'})")
    box = start.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 20, box["y"] + box["height"] / 2, steps=3)
    target = page.locator(f'[data-part="{part}"]').bounding_box()
    assert target
    page.mouse.move(target["x"] + 20, target["y"] + target["height"] / 2, steps=4)
    expect(page.locator(f'[data-part="{part}"]')).to_have_class(re.compile("target"))
    page.mouse.up()
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator("#sheet")).to_be_hidden()


def held_in(page: Page, part: str) -> list[int]:
    return [
        int(tile)
        for tile in page.locator(f'[data-part="{part}"] [data-tile]').evaluate_all(
            "cards => cards.map((card) => card.dataset.tile)"
        )
    ]


def test_one_drag_takes_a_tile_from_any_part_to_any_other(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    drag(screen, MISREAD, "win")
    assert held_in(screen, "win") == [MISREAD]
    assert WINNER in held_in(screen, "hand")
    drag(screen, MISREAD, "out")
    assert MISREAD in held_in(screen, "out")
    screen.click("#undo")
    assert held_in(screen, "win") == [MISREAD]
    drag(screen, KONG, "hand")
    assert held_in(screen, "hand") == [KONG, 4, 5, 6, WINNER]
    expect(screen.locator(".part.called h3")).to_have_text("Pong")
    drag(screen, KONG, screen.locator(".part.called").get_attribute("data-part") or "")
    assert sorted(
        int(tile.get_attribute("data-tile") or -1) for tile in screen.locator(".part.called [data-tile]").all()
    ) == [0, 1, 2, 3]
    expect(screen.locator(".part.called h3")).to_have_text("Concealed kong")
    no_sideways_scrolling(screen)


def test_a_group_that_loses_too_much_goes_back_to_the_hand(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    drag(screen, KONG, "out")
    drag(screen, 1, "out")
    expect(screen.locator(".part.called")).to_have_count(0)
    assert held_in(screen, "hand") == [2, 3, 4, 5, 6, MISREAD]


def test_a_drag_that_ends_nowhere_or_is_given_up_changes_nothing(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    card_box = screen.locator(f'#hand-parts [data-tile="{WINNER}"]')
    card_box.scroll_into_view_if_needed()
    box = card_box.bounding_box()
    assert box
    for end in ("up", "escape"):
        screen.mouse.move(box["x"] + 15, box["y"] + 15)
        screen.mouse.down()
        screen.mouse.move(box["x"] + 60, box["y"] + 15, steps=3)
        expect(screen.locator(".ghost")).to_have_count(1)
        if end == "escape":
            screen.keyboard.press("Escape")
            expect(screen.locator(".ghost")).to_have_count(0)
        else:
            screen.mouse.move(2, 2)
        screen.mouse.up()
    expect(screen.locator("#undo")).to_be_disabled()
    assert held_in(screen, "win") == [WINNER]


def test_a_guessed_back_is_called_a_guess(screen: Page, photo: bytes, served: Served) -> None:
    tiles = list(served.reader.reading.tiles)
    tiles[KONG] = replace(tiles[KONG], guessed=True)
    served.reader.reading = replace(served.reader.reading, tiles=tuple(tiles))
    upload(screen, photo)
    expect(screen.locator(".part.called h3")).to_have_text("Concealed kong (a guess: its backs were not seen)")


def test_the_circumstances_change_the_score_at_once(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    card(screen, MISREAD)
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    expect(screen.locator("#flag-ippatsu")).to_be_disabled()
    check(screen, "flag-riichi")
    check(screen, "flag-ippatsu")
    expect(screen.locator(".yaku tfoot td")).to_have_text("6 fan")
    check(screen, "by-discard")
    expect(screen.locator("#discarder-0")).to_be_disabled()
    check(screen, "discarder-2")
    expect(screen.locator(".payments .seat.loses .who")).to_have_text("P3 West")
    check(screen, "dealer-1")
    expect(screen.locator(".payments .seat.loses .who")).to_have_text("P3 South")
    check(screen, "players-2")
    expect(screen.locator(".payments .seat")).to_have_count(2)


def test_what_cannot_be_said_of_a_win_is_not_offered_and_says_why(screen: Page, photo: bytes) -> None:
    """The server tells it, of the called groups and of the rest; what was ticked comes back when it can be again."""
    upload(screen, photo)
    card(screen, MISREAD)
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    expect(screen.locator("#ruled-out")).to_have_text(
        "Ippatsu needs a riichi. A win on the first turn has no called groups."
    )
    check(screen, "flag-riichi")
    expect(screen.locator("#flag-ippatsu")).to_be_enabled()
    expect(screen.locator(".yaku tfoot td")).to_have_text("5 fan")
    # The kong is laid open: a hand with a called group declares no riichi.
    card(screen, KONG)
    check(screen, "meld-type-open_kong")
    screen.keyboard.press("Escape")
    for flag in ("riichi", "double_riichi", "ippatsu", "first_turn"):
        expect(screen.locator(f"#flag-{flag}")).to_be_disabled()
    expect(screen.locator("#flag-riichi")).not_to_be_checked()
    expect(screen.locator("#ruled-out")).to_contain_text("Only a closed hand can declare riichi")
    result(screen, "win")
    screen.click("#undo")
    expect(screen.locator("#flag-riichi")).to_be_checked()
    expect(screen.locator(".yaku tfoot td")).to_have_text("5 fan")
    # A robbed kong is no last tile, and no tile drawn after a kong.
    check(screen, "flag-last_tile")
    check(screen, "flag-replacement")
    check(screen, "by-robbed_kong")
    for flag in ("last_tile", "replacement"):
        expect(screen.locator(f"#flag-{flag}")).to_be_disabled()
    expect(screen.locator("#ruled-out")).to_contain_text("Last tile adds nothing beside the rest.")
    result(screen, "win")
    check(screen, "flag-double_riichi")
    expect(screen.locator("#flag-riichi")).to_be_disabled()
    screen.click("[data-language=zh]")
    expect(screen.locator("#ruled-out")).to_contain_text("杠上开花须自摸。")


def test_what_is_tapped_is_large_enough_for_a_thumb(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    result(screen, "no-win")
    small = screen.locator(
        "nav.pages a, .languages button, button:visible, a.button:visible, select:visible, summary:visible, "
        "#context-form .choice"
    ).evaluate_all(
        "all => all.map(node => [node.textContent, node.getBoundingClientRect()])"
        ".filter(([, box]) => box.width > 0 && (box.height < 44 || box.width < 40)).map(([text, box]) => text)"
    )
    assert small == []


def test_a_share_that_is_rounded_to_none_is_not_called_none(screen: Page, photo: bytes, served: Served) -> None:
    tiles = list(served.reader.reading.tiles)
    tiles[MISREAD] = replace(tiles[MISREAD], alternatives=(("rC", 0.996), ("rP", 0.004)))
    served.reader.reading = replace(served.reader.reading, tiles=tuple(tiles))
    upload(screen, photo)
    card(screen, MISREAD)
    expect(screen.locator("#sheet .alternative .caption").last).to_have_text("<1\u00a0%")


def test_the_language_changes_everything_and_is_remembered(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    card(screen, MISREAD)
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    result(screen, "win")
    screen.get_by_role("button", name="中文").click()
    expect(screen.locator("#result h2")).to_have_text("计分")
    expect(screen.locator(".yaku")).to_contain_text("双暗刻")
    expect(screen.locator("#summary-text")).to_have_text("4 番 · +12,000")
    assert screen.evaluate("document.documentElement.lang") == "zh-Hans"
    no_sideways_scrolling(screen)
    screen.click("#over")
    screen.reload()
    screen.wait_for_selector("body[data-ready]")
    expect(screen.locator("#start h2")).to_have_text("这一手怎么和的？")
    expect(screen.locator("#rules")).to_have_value("xiangqi-3")


def test_a_hand_is_typed_without_a_photo(screen: Page) -> None:
    screen.select_option("#rules", "junqi-1")
    screen.click("#type")
    for code in ("r1", "r2", "r3", "r9"):
        screen.locator(f'#typing [data-code="{code}"]').click()
    expect(screen.locator("#summary-text")).to_have_text("Held: 4 of 7 tiles")
    check(screen, "adding-chi")
    for code in ("b4", "b5", "b6"):
        screen.locator(f'#typing [data-code="{code}"]').click()
    result(screen, "no-win")  # seven tiles: what they wait for
    expect(screen.locator(".waits li")).to_have_count(1)
    expect(screen.locator(".waits")).to_contain_text("red engineer")
    screen.locator('#typing [data-code="r9"]').click()
    result(screen, "win")
    no_sideways_scrolling(screen)
    screen.click("#undo")
    result(screen, "no-win")
    screen.click("#undo")
    expect(screen.locator("#hand-parts .part.called")).to_have_count(0)


def test_a_mahjong_hand_is_typed_with_its_wild_tile(screen: Page) -> None:
    screen.select_option("#rules", "quzhou")
    screen.click("#type")
    for code in (*(f"{n}m" for n in range(1, 10)), "1p", "2p", "3p", "5p", "9s"):
        screen.locator(f'#typing [data-code="{code}"]').click()
    result(screen, "no-win")
    screen.get_by_role("button", name="Add: Wild tile").click()
    screen.locator('#sheet .key[data-code="9s"]').click()
    result(screen, "win")
    expect(screen.locator(".yaku")).to_contain_text("自摸")
    expect(screen.locator(".payments .seat.loses")).to_have_count(3)
    no_sideways_scrolling(screen)


def test_a_key_is_off_once_no_such_tile_is_left(screen: Page) -> None:
    screen.click("#type")
    for _ in range(2):
        screen.locator('#typing [data-code="rK"]').click()
    expect(screen.locator('#typing [data-code="rK"]')).to_be_disabled()


def test_the_form_shows_only_what_the_rule_set_knows(screen: Page) -> None:
    screen.click("#type")
    expect(screen.locator("#context-form")).not_to_contain_text("Dora")
    screen.select_option("#rules", "xiangqi-4")
    expect(screen.locator("#context-form")).to_contain_text("Dora indicators")
    expect(screen.locator("#players-3")).to_have_count(0)
    screen.get_by_role("button", name="Add: Dora indicators").click()
    screen.locator('#sheet .key[data-code="rC"]').click()
    expect(screen.get_by_role("button", name="Take away red cannon")).to_be_visible()


def test_every_rule_set_can_be_chosen_and_typed(screen: Page) -> None:
    names = screen.locator("#rules option").evaluate_all("options => options.map((option) => option.value)")
    for rules in names:
        screen.select_option("#rules", rules)
        expect(screen.locator("#example .tile").first).to_be_attached()
        screen.click("#type")
        screen.locator("#typing .key").first.click()
        expect(screen.locator("#hand-parts .part.held .card")).to_have_count(1)
        no_sideways_scrolling(screen)
        screen.click("#over")


def test_a_reload_in_the_middle_keeps_the_hand(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    card(screen, MISREAD)
    screen.locator('#sheet .alternative[data-code="rP"]').click()
    check(screen, "by-discard")
    expect(screen.locator("#summary-text")).to_have_text("3 fan · +6,000")
    screen.reload()
    expect(screen.locator("#notice")).to_contain_text("its tiles are still here")
    expect(screen.locator("#summary-text")).to_have_text("3 fan · +6,000")
    screen.click("#undo")
    result(screen, "no-win")
    screen.click("#over")
    screen.reload()
    expect(screen.locator("#start")).to_be_visible()


def test_a_file_that_is_no_picture_is_said_so_and_the_page_stays_usable(screen: Page, photo: bytes) -> None:
    screen.expected_complaint = "422"  # type: ignore[attr-defined]
    screen.set_input_files("#file", {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": b"no picture at all"})
    expect(screen.locator("#notice")).to_contain_text("This is no picture")
    expect(screen.locator("#start")).to_be_visible()
    upload(screen, photo)
    expect(screen.locator("#notice")).to_be_hidden()


def test_a_busy_server_is_asked_again(screen: Page, photo: bytes) -> None:
    screen.expected_complaint = "503"  # type: ignore[attr-defined]
    busy = {"error": {"code": "busy", "message": "Other photos are being read just now; try again in a moment."}}
    screen.route("**/api/read", lambda route: route.fulfill(status=503, json=busy))
    upload(screen, photo)
    expect(screen.locator("#notice")).to_contain_text("Other photos are being read")
    screen.unroute("**/api/read")
    screen.get_by_role("button", name="Try again").click()
    expect(screen.locator("#overlay .outline")).to_have_count(12)
    expect(screen.locator("#notice")).to_be_hidden()


def test_while_a_photo_is_read_the_page_says_so_and_can_be_left(screen: Page, photo: bytes, served: Served) -> None:
    served.reader.gate.clear()
    screen.set_input_files("#file", {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": photo})
    expect(screen.locator(".reading")).to_be_visible()
    screen.get_by_role("button", name="中文").click()
    expect(screen.locator(".reading")).to_have_text("正在识别照片…")
    served.reader.gate.set()
    expect(screen.locator("#hand")).to_be_visible()
    expect(screen.locator(".reading")).to_be_hidden()


def test_every_control_has_a_name_and_a_size_for_fingers(screen: Page, photo: bytes) -> None:
    upload(screen, photo)
    small = screen.evaluate(
        """() => [...document.querySelectorAll("button, select, .choice label, .way label")]
            .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 40)
            .map((node) => node.outerHTML)"""
    )
    assert small == []
    for control in screen.locator("button:visible, [role=button]:visible, select:visible").all():
        name = control.get_attribute("aria-label") or control.inner_text() or control.get_attribute("id")
        assert re.search(r"\w", name or "")
    assert screen.evaluate("[...document.querySelectorAll('input, select')].every((field) => field.labels.length > 0)")
