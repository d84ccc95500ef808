"""The bank of glyphs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.training.faces.glyphs import CHARACTERS, SIDE, GlyphBank, _holders, _sheets, build


@pytest.mark.parametrize("size", [9, 40, 96, 150])
def test_a_mask_is_a_square_of_coverage(bank: GlyphBank, size: int) -> None:
    mask = bank.mask("車", "print", size)
    assert mask.shape == (size, size)
    assert mask.dtype == np.float32
    assert 0.0 <= float(mask.min()) < float(mask.max()) <= 1.0


@pytest.mark.parametrize("size", [24, 64, 150])
def test_weight_thickens_every_stroke(bank: GlyphBank, size: int) -> None:
    thin, plain, thick = (bank.mask("帥", "print", size, weight=weight) for weight in (-0.02, 0.0, 0.03))
    assert (thin <= plain).all()
    assert (plain <= thick).all()
    assert thin.sum() < plain.sum() < thick.sum()


def test_a_mask_is_the_same_glyph_at_every_size(bank: GlyphBank) -> None:
    small, large = bank.mask("馬", "print", 48), bank.mask("馬", "print", 96)
    shrunk = large.reshape(48, 2, 48, 2).mean(axis=(1, 3))
    assert np.abs(small - shrunk).mean() < 0.05


def test_only_fonts_that_have_the_characters_are_sampled() -> None:
    fonts = ("bare", "full", "stroke:00")
    present = np.ones((3, len(CHARACTERS)), bool)
    present[0, CHARACTERS.index("象")] = False
    present[2, CHARACTERS.index("兵")] = False
    bank = GlyphBank(fonts, CHARACTERS, np.zeros((3, len(CHARACTERS), SIDE, SIDE), np.uint8), present)
    rng = np.random.default_rng(0)
    assert not bank.has("象", "bare")
    assert bank.has("兵", "bare")
    assert bank.fonts_with("象兵") == ("full",)
    assert {bank.sample_font("象兵", rng) for _ in range(20)} == {"full"}
    assert {bank.sample_font("兵", rng, hand=1.0) for _ in range(40)} == {"bare", "full"}
    assert {bank.sample_font("帥", rng, hand=1.0) for _ in range(20)} == {"stroke:00"}
    assert {bank.sample_font("帥", rng, hand=0.0) for _ in range(40)} == {"bare", "full"}
    nobody = replace(bank, present=np.zeros_like(present))
    with pytest.raises(ValueError, match="no font has all of '帥'"):
        nobody.sample_font("帥", rng)


def test_a_part_of_a_bank_keeps_its_glyphs(bank_folder: Path) -> None:
    bank = GlyphBank.load(bank_folder)
    part = bank.only(["font-3", "stroke:01"])
    assert part.fonts == ("font-3", "stroke:01")
    for font in part.fonts:
        assert np.array_equal(part.mask("天", font, 32), bank.mask("天", font, 32))


def system_font() -> Path | None:
    """Some font file of one face that has the characters, by the names of those that Debian ships."""
    found = (p for p in Path("/usr/share/fonts").rglob("*.tt[fc]"))
    known = ("uming", "ukai", "wqy-", "LXGWWenKai-", "cwhei", "gbsn00", "gkai00", "bkai00")
    return next((p for p in sorted(found) if p.name.startswith(known)), None)


def test_a_bank_is_built_from_a_font(tmp_path: Path) -> None:
    pytest.importorskip("fontTools")
    pytest.importorskip("PIL")
    font = system_font()
    if font is None:
        pytest.skip("no Chinese font under /usr/share/fonts")
    system = tmp_path / "system"
    system.mkdir()
    shutil.copy(font, system)
    (system / "broken.ttf").write_bytes(b"no font")
    count = build(tmp_path / "none", system, tmp_path / "bank")
    bank = GlyphBank.load(tmp_path / "bank")
    assert count == len(bank.fonts) >= 1
    assert all(name.startswith(font.stem) for name in bank.fonts)
    assert bank.fields.shape == (count, len(CHARACTERS), SIDE, SIDE)
    assert bank.characters == CHARACTERS
    name = bank.fonts[0]
    for char in "車馬兵":
        if bank.has(char, name):
            mask = bank.mask(char, name, SIDE)
            assert 0.05 < float(mask.mean()) < 0.6
            ys, xs = np.nonzero(mask > 0.5)
            assert max(np.ptp(ys), np.ptp(xs)) == pytest.approx(SIDE - 3, abs=3)  # the ink fills the square
    one, two = ([bank.mask(char, name, 32) for char in chars] for chars in ("中東", "東中"))
    assert not np.allclose(one[0], two[0])


def test_web_fonts_are_found_in_both_forms_of_package(tmp_path: Path) -> None:
    plain, split = tmp_path / "@fontsource" / "some-kai", tmp_path / "@chinese-fonts" / "tjl" / "dist" / "Some Face"
    block = "@font-face {{font-family: X;src:local('X'),url({}) format('woff2');unicode-range:{};}}"
    for folder, names in ((plain, ("400.css", "400-italic.css")), (split, ("result.css",))):
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).write_text(
                block.format("./files/a.woff2" if folder == plain else '"./b.woff2"', "U+8eca,U+99ac-99ad"),
                encoding="utf-8",
            )
    sheets = dict(_sheets(tmp_path))
    assert sheets == {"some-kai-400": plain / "400.css", "tjl-Some Face": split / "result.css"}
    assert _holders(sheets["some-kai-400"]) == dict.fromkeys("車馬", plain / "files" / "a.woff2")
    assert _holders(sheets["tjl-Some Face"]) == dict.fromkeys("車馬", split / "b.woff2")
