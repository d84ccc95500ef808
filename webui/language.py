"""The languages of the page: tables of words, and which one a visitor gets."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import resources

from flask import Request

LANGUAGES = ("en", "zh")
LANGUAGE_COOKIE = "hupai-language"


@cache
def words(language: str) -> dict[str, str]:
    """The table of one language: key -> text, where `{name}` stands for a value that the page fills in.

    Raises KeyError for a language that is not in `LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    text = resources.files("webui").joinpath("translations", f"{language}.json").read_text("utf-8")
    table: dict[str, str] = json.loads(text)
    return table


def chosen_language(request: Request) -> str:
    """The language this visitor chose before, or else the one their browser asks for, or else English."""
    remembered = request.cookies.get(LANGUAGE_COOKIE)
    if remembered in LANGUAGES:
        return remembered
    # By order of preference, a variety (zh-Hans, en-GB) standing for its language.
    preferred = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((language for language in preferred if language in LANGUAGES), "en")


def terminal_language() -> str:
    """The language of the terminal's locale where it is one of ours, or else English."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    tag = next((name for name in names if name), "")
    return next((language for language in LANGUAGES if tag.lower().startswith(language)), "en")
