"""The words of the page: both languages complete, nothing unused, nothing missing."""

from __future__ import annotations

import re
from importlib import resources
from typing import get_args

import pytest

import scoring
from calibration.enrol import SPOILING
from calibration.report import HELP_WORDS, WORDS
from scoring.tiles import Colour, Family
from vision.reading import FaultCode, Reading
from webui.language import LANGUAGES, words
from webui.recordings import KINDS
from webui.trust import SYSTEMS

EN, ZH = words("en"), words("zh")
WEBUI = resources.files("webui")
STATIC = WEBUI / "static" / "js"
TEMPLATES = WEBUI / "templates"
SCRIPTS = {file.name: file.read_text("utf-8") for file in STATIC.iterdir()}
PAGES = {file.name: file.read_text("utf-8") for file in TEMPLATES.iterdir()}

# Keys that are put together at run time, with the values that can stand at their end.
FAMILIES = [family.value for family in Family]
MADE_UP = {
    "family": FAMILIES,
    "meld": [meld.value for meld in scoring.MeldType],
    "by": [by.value for by in scoring.By],
    "side": [Colour.RED.value, Colour.BLACK.value, Colour.BLUE.value],
    "group": ["run", "triplet", "kong", "super_kong", "pair", "tiles"],
    "place": ["hand", "win", "out"],
    "context": ["winner", "dealer", "discarder", "wild", "dora_indicators", "ura_indicators"],
    "quality": list(get_args(FaultCode)),
    "way": ["in_order", "guess", "kind"],
    "way_note": ["in_order", "guess", "kind"],
    "reject": ["tiles_too_small", "blurred", "duplicate", "enough"],
    "verdict": list(WORDS),
    "help": list(HELP_WORDS),
    "column": ["kind", "count", "left_out", "sharp", "size", "confused", "more"],
    "tool": ["rename", "duplicate", "delete"],
    "kept": list(KINDS),
    "fault": ["insecure", "unsupported", "denied", "none", "in_use", "gone", "frozen"],
    "flag": ["riichi", "double_riichi", "ippatsu", "replacement"],
}


REFUSALS = "Refused|PictureError|PieceSetError|EnrolError|StoreError|Reason"
"""What carries a code that a visitor may be told."""


def used_literally() -> set[str]:
    in_scripts = (re.findall(r'"([a-z]+\.[a-z_]+)"', text) for text in SCRIPTS.values())
    in_pages = (re.findall(r'(?:text\(|label\(|words\[)"([a-z]+\.[a-z_]+)"', text) for text in PAGES.values())
    in_terminal = re.findall(r'table\["([a-z]+\.[a-z_]+)"\]', (WEBUI / "invite.py").read_text("utf-8"))
    of_systems = [key for system in SYSTEMS for key in (system.title, *system.steps, system.load)]
    return {key for keys in (*in_scripts, *in_pages, in_terminal, of_systems) for key in keys}


def refusal_codes() -> set[str]:
    """Every code that a refusal of the page, of a picture or of a hand can carry."""
    found: set[str] = set()
    sources = [file for room in ("webui", "vision") for file in resources.files(room).iterdir()]
    sources += [resources.files("calibration") / name for name in ("piece_set.py", "enrol.py")]
    sources += [resources.files("scoring") / name for name in ("hand.py", "possible.py", "between.py")]
    for file in sources:
        if file.name.endswith(".py"):
            text = file.read_text("utf-8")
            found |= set(re.findall(rf'(?:{REFUSALS})\(\s*"([a-z_]+)"', text))
            found |= set(re.findall(r'\d{3}: \("([a-z_]+)"', text))
    found |= SPOILING
    for text in SCRIPTS.values():
        found |= set(re.findall(r'(?:ApiError\(|code: )"([a-z_]+)"', text))
    return found


def made_up() -> set[str]:
    return {f"{start}.{end}" for start, ends in MADE_UP.items() for end in ends}


def test_both_languages_have_the_same_keys() -> None:
    assert set(LANGUAGES) == {"en", "zh"}
    assert list(EN) == list(ZH)


@pytest.mark.parametrize("key", sorted(EN))
def test_both_languages_have_the_same_places_for_values(key: str) -> None:
    assert sorted(re.findall(r"\{(\w+)\}", EN[key])) == sorted(re.findall(r"\{(\w+)\}", ZH[key]))
    assert EN[key].strip() == EN[key]
    assert not re.search(r"[\u4e00-\u9fff]", EN[key])


def test_seats_are_called_alike_on_the_page_and_in_the_terminal() -> None:
    for seat in range(4):
        assert EN["seat.name"].format(number=seat + 1) == scoring.seat_name(seat, "en")
        assert ZH["seat.name"].format(number=seat + 1) == scoring.seat_name(seat, "zh")


def test_every_word_that_is_used_exists() -> None:
    assert {key for key in used_literally() | made_up() if key not in EN} == set()


def test_every_word_is_used() -> None:
    errors = {f"error.{code}" for code in refusal_codes()}
    assert {key for key in EN if key not in used_literally() | made_up() | errors} == set()


def test_every_key_made_at_run_time_is_listed_here() -> None:
    starts = {start for text in SCRIPTS.values() for start in re.findall(r"ord\(`(\w+)\.\$", text)}
    assert starts == {*MADE_UP, "error"}


def test_every_refusal_that_a_visitor_can_meet_has_its_words() -> None:
    # These the page itself never causes: it sends well-formed requests.
    not_met = {
        *("not_json", "bad_request", "method_not_allowed", "foreign_host", "foreign_origin", "failed"),
        *("not_an_object", "missing_key", "wrong_type", "unknown_language", "unknown_rules", "unknown_tile"),
        *("unknown_meld", "unknown_by", "unknown_context", "unknown_family", "unknown_way", "bad_key"),
    }
    assert {code for code in refusal_codes() - not_met if f"error.{code}" not in EN} == set()


def test_every_page_has_the_same_head() -> None:
    whole = {name for name, text in PAGES.items() if "<!doctype html>" in text}
    assert {"layout.html", "refused.html", "join.html", "trust.html"} == whole
    assert all(text.count('{% include "head.html" %}') == (name in whole) for name, text in PAGES.items())
    assert [name for name, text in PAGES.items() if "<meta charset" in text] == ["head.html"]


def test_a_reading_has_no_place_that_the_page_does_not_know(reading: Reading) -> None:
    assert {re.sub(r"\d+", "", role) for role in reading.roles()} <= {"concealed", "win", "other", "meld"}
