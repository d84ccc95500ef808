"""Sheets: everything at true size on the paper, as many copies as the rules use; racks that close when folded."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import hypot
from pathlib import Path

import cv2
import numpy as np
import pytest
from fontTools.ttLib import TTFont
from photographed import PX, cut_out, rendered

from calibration import sheets
from calibration.board import Board, print_board
from calibration.drawing import FONT, PAPERS, PaperName
from calibration.faces import HEIGHTS
from calibration.fonts import subset
from calibration.sheets import PANELS, SheetError
from scoring import Family, rule_set, rule_sets

PAPER_NAMES: tuple[PaperName, ...] = ("a4", "letter")


@pytest.mark.parametrize("rules", rule_sets())
@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_a_set_has_as_many_copies_as_its_rules_use(rules: str, paper: PaperName) -> None:
    chosen = rule_set(rules)
    laid = sheets.lay_out(chosen.family, chosen, paper)
    counted = Counter(placed.tile.code for page in laid.pages for placed in page)
    assert counted == {tile.code: number for tile, number in zip(chosen.tiles, chosen.number, strict=True)}


def test_xiangqi_1_has_heaven_earth_and_man() -> None:
    laid = sheets.lay_out(Family.XIANGQI, rule_set("xiangqi-1"), "a4")
    counted = Counter(placed.tile.zh for page in laid.pages for placed in page)
    assert (counted["天"], counted["地"], counted["人"], counted["帅"], sum(counted.values())) == (4, 4, 4, 3, 68)


@pytest.mark.parametrize("family", Family)
@pytest.mark.parametrize("paper", PAPER_NAMES)
@pytest.mark.parametrize("width", [12.0, 25.0, 36.5, 80.0])
def test_faces_lie_apart_within_the_margins(family: Family, paper: PaperName, width: float) -> None:
    laid = sheets.lay_out(family, None, paper, width)
    sheet = PAPERS[paper]
    assert (laid.width, laid.height) == (width, width * HEIGHTS[family])
    for page in laid.pages:
        for placed in page:
            assert sheet.margin <= placed.x - width / 2 < placed.x + width / 2 <= sheet.width - sheet.margin
            assert sheet.margin + 10 <= placed.y - laid.height / 2
            assert placed.y + laid.height / 2 <= sheet.height - sheet.margin - 6
        for one, other in combinations(page, 2):
            across, down = abs(one.x - other.x) - width, abs(one.y - other.y) - laid.height
            assert max(across, down) > 2


@pytest.mark.parametrize(
    ("family", "rules", "width", "words"),
    [
        (Family.JUNQI, "xiangqi-1", None, "xiangqi-1 is played with xiangqi; print xiangqi"),
        (Family.JUNQI, None, 3.0, "give a width of 12 to 80 mm"),
        (Family.PAIGOW, None, 81.0, "give a width of 12 to 80 mm"),
    ],
)
def test_what_cannot_be_laid_out(family: Family, rules: str | None, width: float | None, words: str) -> None:
    with pytest.raises(SheetError, match=words):
        sheets.lay_out(family, rule_set(rules) if rules else None, "a4", width)


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_the_print_has_its_true_size(paper: PaperName) -> None:
    laid = sheets.lay_out(Family.XIANGQI, None, paper)
    page = rendered(sheets.draw(laid))[0]
    sheet = PAPERS[paper]
    assert page.shape[:2] == pytest.approx((sheet.height * PX, sheet.width * PX), abs=1.5)
    # the bar: the longest dark run in the rows where it is drawn
    foot = page[round((sheet.height - sheet.margin - 2) * PX) : round((sheet.height - sheet.margin - 1) * PX)]
    dark = np.flatnonzero((foot.max(axis=2) < 110).any(axis=0)[: round(70 * PX)])
    runs = np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1)
    assert max(len(run) for run in runs) / PX == pytest.approx(50, abs=0.4)
    # a disc's cutting line: a circle of the asked width
    placed = laid.pages[0][7]
    around = cut_out(page, placed.x, placed.y, laid.width + 2, laid.height + 2)
    grey = np.argwhere((around.max(axis=2) < 215) & (np.ptp(around.astype(int), axis=2) < 8))
    outer = np.linalg.norm(grey - np.array(around.shape[:2]) / 2, axis=1).max() / PX
    assert outer == pytest.approx(laid.width / 2, abs=0.2)


def test_crop_marks_point_at_the_corners() -> None:
    laid = sheets.lay_out(Family.PAIGOW, None, "a4")
    page = rendered(sheets.draw(laid))[0]
    placed = laid.pages[0][5]
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = placed.x + sx * laid.width / 2, placed.y + sy * laid.height / 2
            for dx, dy in ((sx * 0.75, 0), (0, sy * 0.75)):
                assert cut_out(page, x + dx, y + dy, 0.4, 0.4).min() < 225
            assert cut_out(page, x - sx * 0.7, y - sy * 0.7, 0.5, 0.5).min() > 245


@pytest.mark.parametrize(("width", "thickness"), [(30.0, 8.0), (24.0, 5.0), (38.0, 12.0), (30.0, 0.3)])
def test_a_rack_closes_when_it_is_folded(width: float, thickness: float) -> None:
    strip = sheets.rack(8, width, thickness)
    sizes = dict(zip(PANELS, strip.depths, strict=True))
    lip, front, ledge, top, foot, end = strip.profile
    assert end == front == (0.0, 0.0)  # the base's end lies under the ledge's front
    assert lip[0] == ledge[1] == foot[1] == 0  # the lip stands upright, ledge and base lie on the table
    assert sizes["base"] > sizes["ledge"] > thickness
    assert sizes["base"] - sizes["ledge"] > hypot(top[0] - ledge[0], 0)  # the strut stands behind the back's top
    assert 0.6 * width < sizes["back"] < width
    assert strip.length > 8 * width
    assert strip.valleys == (True, True, False, False)
    # The heaviest disc's middle, thickness / 2 before the back, stays well within the foot: the rack does not tip over.
    lean = np.arctan2(top[0] - ledge[0], top[1])
    middle = ledge[0] + width / 2 * np.sin(lean) - thickness / 2 * np.cos(lean)
    assert 0 < middle < foot[0]


@pytest.mark.parametrize("paper", PAPER_NAMES)
@pytest.mark.parametrize("places", [5, 8])
@pytest.mark.parametrize("width", [24.0, 30.0, 40.0])
def test_racks_fit_on_the_paper_and_hold_every_hand(paper: PaperName, places: int, width: float) -> None:
    laid = sheets.lay_out_racks(4, places, width, 8.0, paper)
    sheet = PAPERS[paper]
    assert laid.places * laid.count >= 4 * places
    assert laid.count % 4 == 0
    assert laid.rack.length >= laid.places * width
    assert laid.rack.length + 2 * laid.rack.ear <= sheet.height - 2 * sheet.margin
    assert laid.lefts[0] >= sheet.margin
    assert laid.lefts[-1] + laid.rack.depth <= sheet.width - sheet.margin
    assert laid.pages * len(laid.lefts) >= laid.count


def test_the_usual_racks_hold_a_whole_hand_each_and_go_two_on_a_page() -> None:
    for paper in PAPER_NAMES:
        laid = sheets.lay_out_racks(4, 8, 30.0, 8.0, paper)
        assert (laid.places, laid.count, len(laid.lefts), laid.pages) == (8, 4, 2, 2)


def test_discs_that_no_rack_holds() -> None:
    with pytest.raises(SheetError, match="no rack for discs of 80"):
        sheets.lay_out_racks(4, 8, 80.0, 25.0, "a4")


def test_the_nets_are_drawn_as_they_are_worked_out() -> None:
    faces = sheets.lay_out(Family.XIANGQI, None, "a4")
    racks = sheets.lay_out_racks(3, 8, 30.0, 8.0, "a4")
    pages = rendered(sheets.draw(faces, racks))
    assert len(pages) == len(faces.pages) + racks.pages
    ink = [(page.max(axis=2) < 120).astype(np.uint8) for page in pages[len(faces.pages) :]]
    widths = []
    for page in ink:
        columns = np.flatnonzero(page.any(axis=0)) / PX
        rows = np.flatnonzero(page.any(axis=1)) / PX
        widths.append(columns[-1] - columns[0])
        assert rows[-1] - rows[0] == pytest.approx(racks.rack.length + 2 * racks.rack.ear, abs=0.6)
    both = racks.lefts[-1] - racks.lefts[0] + racks.rack.depth
    assert widths == pytest.approx([both, racks.rack.depth], abs=0.6)  # the third rack has a page to itself


def test_the_font_has_every_character_and_is_small() -> None:
    with TTFont(FONT) as font:
        assert {chr(code) for code in font.getBestCmap()} >= subset.needed()
        assert not any("LXGW" in str(record) for record in font["name"].names if record.nameID in (1, 3, 4, 6))
    assert FONT.stat().st_size < 100_000
    assert "SIL OPEN FONT LICENSE" in FONT.with_name("OFL.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("rules", rule_sets())
def test_no_character_of_a_sheet_is_missing(rules: str, caplog: pytest.LogCaptureFixture) -> None:
    chosen = rule_set(rules)
    racks = sheets.lay_out_racks(4, 8, 30.0, 8.0, "a4")
    sheets.draw(sheets.lay_out(chosen.family, chosen, "a4"), racks)
    sheets.draw(sheets.lay_out(chosen.family, None, "a4"))
    print_board("a4")
    assert caplog.messages == []


def test_the_font_is_cut_to_what_is_needed(tmp_path: Path) -> None:
    target = tmp_path / "cut.ttf"
    subset.cut(FONT, target)
    with TTFont(target) as font:
        assert {chr(code) for code in font.getBestCmap()} == subset.needed()
        assert str(font["name"].getDebugName(6)) == "HupaiKai"


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_the_board_is_printed_at_true_size_with_its_greys(paper: PaperName) -> None:
    (page,) = rendered(print_board(paper))
    sheet = PAPERS[paper]
    assert page.shape[:2] == pytest.approx((sheet.width * PX, sheet.height * PX), abs=1.5)
    board = Board()
    view = board.find(page)
    assert view is not None
    assert len(view.ids) == 35
    placed = view.points / PX - board.corners[view.ids, :2]
    assert np.ptp(placed, axis=0).max() < 0.1
    corner = placed.mean(axis=0)
    right, foot = board.patches[-1][2] + corner
    assert right < sheet.height - sheet.margin + 2
    assert foot < sheet.width - sheet.margin
    for patch, grey in zip(board.patches, (190, 130, 75), strict=True):
        x, y = patch.mean(axis=0) + corner
        assert np.abs(cut_out(page, x, y, 8, 30).astype(int) - grey).max() <= 1


def test_a_row_of_corners_is_no_plane() -> None:
    (page,) = rendered(print_board("a4"))
    small = cv2.resize(page, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    assert Board().find(small) is not None
    assert Board().find(np.full_like(small, 200)) is None
    band = np.full_like(small, 255)
    band[100:330] = small[100:330]
    assert Board().find(band) is None
