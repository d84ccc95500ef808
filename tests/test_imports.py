"""The rooms import one way, and each only what it may (docs/architecture.md)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ROOMS: dict[str, set[str]] = {
    "scoring": set(),
    "models": {"scoring"},
    "vision": {"models", "scoring"},
    "calibration": {"vision", "models", "scoring"},
    "webui": {"calibration", "vision", "models", "scoring"},
    "hupai": {"webui", "calibration", "vision", "models", "scoring"},
}
"""Each room, and the rooms that it may import."""

PACKAGES: dict[str, set[str]] = {
    "scoring": set(),
    "models": {"numpy", "onnxruntime"},
    "vision": {"numpy", "cv2", "pillow_heif"},
    "calibration": {"numpy", "cv2", "fpdf", "fontTools"},
    "webui": {"flask", "waitress", "segno", "werkzeug", "markupsafe", "cryptography"},
    "hupai": {"click", "rich"},
}
"""Each room, and what it may import from elsewhere, besides the standard library."""


def sources(room: str) -> Iterator[Path]:
    """The files of a room that run in the product; training is apart and may use what it needs."""
    for path in sorted((ROOT / room).rglob("*.py")):
        if "training" not in path.relative_to(ROOT).parts:
            yield path


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The top-level name of everything that a file imports, anywhere in it, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            yield (node.module or "").split(".")[0], node.lineno


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_one_way(room: str) -> None:
    for path in sources(room):
        for name, line in imported(path):
            if name in ROOMS:
                assert name == room or name in ROOMS[room], f"{path}:{line}: {room} may not import {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_use_only_their_packages(room: str) -> None:
    for path in sources(room):
        for name, line in imported(path):
            known = name in ROOMS or name in sys.stdlib_module_names or name in PACKAGES[room]
            assert known, f"{path}:{line}: {room} may not import {name}"


def test_training_reads_no_photo_and_serves_no_page() -> None:
    for path in sorted((ROOT / "models" / "training").rglob("*.py")):
        for name, line in imported(path):
            assert name not in {"vision", "calibration", "webui", "hupai"}, f"{path}:{line}: training imports {name}"


def test_the_rooms_are_the_packages() -> None:
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} <= set(ROOMS)
