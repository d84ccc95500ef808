from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from alphabet import made_up_bank, write_bank

from models.training.faces.glyphs import GlyphBank


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """A renderer's many small calls are quickest on one thread, as its workers make them."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.fixture(scope="session")
def bank() -> GlyphBank:
    """Two made-up fonts."""
    return made_up_bank()


@pytest.fixture(scope="session")
def bank_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A written bank of enough made-up fonts for some to be kept for validation."""
    folder = tmp_path_factory.mktemp("bank")
    write_bank(made_up_bank((*(f"font-{n}" for n in range(8)), "stroke:00", "stroke:01")), folder)
    return folder
