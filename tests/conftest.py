from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from painted import PaintedLocator, PaintedNamer

import models


@pytest.fixture
def painted_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the shipped networks be those that read painted pictures, with rectangular tiles."""
    fakes: dict[str, Any] = {"locator": PaintedLocator(), "namer": PaintedNamer()}
    monkeypatch.setattr(models, "load", lambda name, threads=2: fakes[name], raising=False)


@pytest.fixture(scope="session")
def real_photos() -> Path:
    """The folder of real photographs beside the checkout; tests that need them are left out where it is absent."""
    folder = Path(__file__).parents[2] / "shared" / "real"
    if not folder.is_dir():
        pytest.skip(f"no real photographs: {folder} is absent")
    return folder
