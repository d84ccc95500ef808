"""The rule pages in docs are those that the tables give."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_pages_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("write_rules", DOCS / "write_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages = module.pages()
    assert sorted(path.name for path in (DOCS / "rules").glob("*.md")) == sorted(pages)
    for name, text in pages.items():
        assert (DOCS / "rules" / name).read_text(encoding="utf-8") == text, "run python docs/write_rules.py"
