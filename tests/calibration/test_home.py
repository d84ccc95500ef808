"""The data directory follows its variable, then the platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from calibration.home import home


@pytest.mark.parametrize(
    ("platform", "variables", "place"),
    [
        ("linux", {"HUPAI_HOME": "/data/tiles", "XDG_DATA_HOME": "/else"}, "/data/tiles"),
        ("linux", {"HUPAI_HOME": "~/tiles"}, "/home/someone/tiles"),
        ("linux", {}, "/home/someone/.local/share/hupai"),
        ("linux", {"XDG_DATA_HOME": "/else"}, "/else/hupai"),
        ("darwin", {}, "/home/someone/Library/Application Support/hupai"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/hupai"),
        ("win32", {}, "/home/someone/AppData/Local/hupai"),
    ],
)
def test_the_place_of_data(
    platform: str, variables: dict[str, str], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HUPAI_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"HOME": "/home/someone"} | variables).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert home() == Path(place)
