"""Characters as distance fields, from every font found and from stroke medians drawn by an unsteady hand.

A field is resized and thresholded at will, so that one stored glyph gives every size and stroke weight. The bank is
built once (`python -m models.training.faces.glyphs`) and read through a memory map afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

XIANGQI = "帅帥仕相车車俥马馬傌炮包砲兵将將士象卒天地人"
JUNQI = "司令军軍长長师師旅团團营營连連排工兵地雷炸弹彈旗"
MAHJONG = "一二三四五六七八九伍參万萬東东南西北中發发梅蘭兰菊竹春夏秋冬"
CLUTTER = "楚河漢界汉中国象棋将军大小水火木金土年月日上下左右山口手目田"
CHARACTERS = "".join(dict.fromkeys(XIANGQI + JUNQI + MAHJONG + CLUTTER))

SIDE = 96  # px, side of a stored field
SPREAD = 12.0  # px, the distance that a field can tell; a field stores 128 + 127 * distance / SPREAD
HANDS = 48  # pseudo-fonts drawn from stroke medians


@dataclass(frozen=True, eq=False)
class GlyphBank:
    """Glyphs by font and character. `fields` is (fonts, characters, SIDE, SIDE) uint8, all zero where missing."""

    fonts: tuple[str, ...]
    characters: str
    fields: NDArray[np.uint8]
    present: NDArray[np.bool_]

    @classmethod
    def load(cls, folder: Path) -> GlyphBank:
        """The bank built in `folder`. Raises FileNotFoundError where there is none."""
        index = json.loads((folder / "glyphs.json").read_text(encoding="utf-8"))
        fields = np.load(folder / "glyphs.npy", mmap_mode="r")
        return cls(tuple(index["fonts"]), index["characters"], fields, np.array(index["present"], bool))

    def only(self, fonts: Iterable[str]) -> GlyphBank:
        """The same bank with some fonts alone, to keep others for validation."""
        rows = [i for i, name in enumerate(self.fonts) if name in set(fonts)]
        return GlyphBank(tuple(self.fonts[i] for i in rows), self.characters, self.fields[rows], self.present[rows])

    def has(self, char: str, font: str) -> bool:
        """Whether that font has that character."""
        return bool(self.present[self.fonts.index(font), self.characters.index(char)])

    def fonts_with(self, chars: str) -> tuple[str, ...]:
        """The fonts that have every one of `chars`."""
        columns = [self.characters.index(c) for c in chars]
        return tuple(name for name, row in zip(self.fonts, self.present, strict=True) if row[columns].all())

    def sample_font(self, chars: str, rng: np.random.Generator, *, hand: float = 0.25) -> str:
        """A font with all of `chars`; with probability `hand` one drawn from strokes. Raises ValueError if none has."""
        names = self.fonts_with(chars)
        drawn = tuple(n for n in names if n.startswith("stroke:"))
        cut = tuple(n for n in names if not n.startswith("stroke:"))
        if not names:
            raise ValueError(f"no font has all of {chars!r}")
        pool = drawn if drawn and (not cut or rng.random() < hand) else cut
        return pool[int(rng.integers(len(pool)))]

    def mask(self, char: str, font: str, size: int, *, weight: float = 0.0) -> NDArray[np.float32]:
        """(size, size) float32 coverage in 0..1; the ink fills the square along its longer side.

        `weight` thickens (or, below zero, thins) every stroke by that fraction of `size` on each side; up to ±0.1.
        """
        field = np.asarray(self.fields[self.fonts.index(font), self.characters.index(char)])
        way = cv2.INTER_AREA if size < SIDE else cv2.INTER_LINEAR
        small = cv2.resize(field, (size, size), interpolation=way).astype(np.float32)
        distance = (small - 128.0) * (SPREAD / 127.0 * size / SIDE)
        return np.asarray(np.clip(distance + weight * size + 0.5, 0.0, 1.0), np.float32)


@dataclass(frozen=True, slots=True)
class Cut:
    """How one set's letters stray from the font that they are drawn from, as those of an unknown font would.

    `bend` (share of the letter) shifts its parts; `level` (the same) thickens level strokes, or upright ones where
    below zero. All letters of a set stray alike, by `seed`, and each a little on its own.
    """

    bend: float
    level: float
    seed: int

    @classmethod
    def sample(cls, rng: np.random.Generator) -> Cut:
        """Half of the sets keep to the font."""
        bend = rng.uniform(0.0, 0.045) if rng.random() < 0.5 else 0.0
        level = rng.uniform(-0.035, 0.035) if rng.random() < 0.3 else 0.0
        return cls(float(bend), float(level), int(rng.integers(2**31)))

    def bent(self, mark: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """A letter's square coverage as this set has it."""
        side = mark.shape[0]
        thick = round(abs(self.level) * side)
        if thick:
            shape = (1 + thick, 1) if self.level > 0 else (1, 1 + thick)
            mark = np.asarray(cv2.dilate(mark, np.ones(shape, np.uint8)), np.float32)
        if not self.bend:
            return mark
        own = np.random.default_rng(self.seed).normal(0, 1, (2, 4, 4)) + rng.normal(0, 0.4, (2, 4, 4))
        across, down = (
            cv2.resize((self.bend * side * part).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
            for part in own
        )
        rows, columns = np.mgrid[:side, :side].astype(np.float32)
        return np.asarray(cv2.remap(mark, columns + across, rows + down, cv2.INTER_LINEAR), np.float32)


def _field(coverage: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """The signed distance field of a drawn glyph, cut tight and centred; None where nothing is drawn."""
    ys, xs = np.nonzero(coverage > 127)
    if len(xs) < 12:
        return None
    cut = coverage[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    inner = 2 * (SIDE - 4)
    scale = inner / max(cut.shape)
    size = (max(2, round(cut.shape[1] * scale)), max(2, round(cut.shape[0] * scale)))
    big = np.zeros((2 * SIDE, 2 * SIDE), np.uint8)
    y, x = (2 * SIDE - size[1]) // 2, (2 * SIDE - size[0]) // 2
    big[y : y + size[1], x : x + size[0]] = cv2.resize(cut, size, interpolation=cv2.INTER_LINEAR)
    on = (big > 127).astype(np.uint8)
    inside = cv2.distanceTransform(on, cv2.DIST_L2, 3)
    outside = cv2.distanceTransform(1 - on, cv2.DIST_L2, 3)
    signed = cv2.resize(inside - outside, (SIDE, SIDE), interpolation=cv2.INTER_AREA) / 2.0
    return np.asarray(np.clip(128.0 + 127.0 * signed / SPREAD, 1, 255), np.uint8)


def _sheets(modules: Path) -> Iterator[tuple[str, Path]]:
    """The style sheets of web fonts under a folder of packages, one a weight, each with a name for its font."""
    for sheet in sorted((modules / "@fontsource").glob("*/*.css")):
        if re.fullmatch(r"[1-9]00\.css", sheet.name):
            yield f"{sheet.parent.name}-{sheet.stem}", sheet
    for sheet in sorted((modules / "@chinese-fonts").glob("*/dist/*/result.css")):
        yield f"{sheet.parents[2].name}-{sheet.parent.name}", sheet


def _holders(sheet: Path) -> dict[str, Path]:
    """Which file of a web font holds which character."""
    holders: dict[str, Path] = {}
    for block in re.findall(r"@font-face\s*\{(.*?)\}", sheet.read_text(encoding="utf-8"), re.DOTALL):
        file = re.search(r"""url\(["']?\./([^)"']+\.woff2)""", block)
        spans = re.search(r"unicode-range:\s*([^;]+);", block)
        if not file:
            continue
        for span in re.findall(r"U\+([0-9A-Fa-f]+)(?:-([0-9A-Fa-f]+))?", spans.group(1) if spans else "U+0-10FFFF"):
            low, high = int(span[0], 16), int(span[1] or span[0], 16)
            for char in CHARACTERS:
                if low <= ord(char) <= high:
                    holders.setdefault(char, sheet.parent / file.group(1))
    return holders


def _drawn(path: Path, chars: Iterable[str], face: int = 0) -> dict[str, NDArray[np.uint8]]:
    """The fields of those of `chars` that a font file has."""
    from fontTools.ttLib import TTFont
    from PIL import Image, ImageDraw, ImageFont

    with path.open("rb") as file, TTFont(file, fontNumber=face, lazy=True) as tables:
        cmap = tables.getBestCmap() or {}
    font = ImageFont.truetype(str(path), 240, index=face)
    found = {}
    for char in chars:
        if ord(char) not in cmap:
            continue
        canvas = Image.new("L", (400, 400), 0)
        ImageDraw.Draw(canvas).text((80, 60), char, fill=255, font=font)
        field = _field(np.array(canvas))
        if field is not None:
            found[char] = field
    return found


def _hand(medians: list[list[list[float]]], steady: float, thick: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """One character as a marker would write it: medians bent by smooth noise, ends that overshoot, uneven pressure."""
    canvas = np.zeros((512, 512), np.uint8)
    slant = rng.normal(0.0, 0.05)
    grow = rng.normal(1.0, 0.05, 2)
    for stroke in medians:
        points = np.array(stroke, float)
        points[:, 1] = 900.0 - points[:, 1]
        t = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        along = np.linspace(0.0, t[-1], max(6, int(t[-1] / 40)))
        line = np.stack([np.interp(along, t, points[:, k]) for k in (0, 1)], axis=1)
        knots = rng.normal(0.0, steady, (4, 2))
        line += np.stack([np.interp(np.linspace(0, 3, len(line)), range(4), knots[:, k]) for k in (0, 1)], axis=1)
        line[:, 0] += slant * (512 - line[:, 1])
        line = 48 + (line - 512) * grow * 0.40 + 208
        pressure = thick * rng.uniform(0.85, 1.15) * np.linspace(1.0, rng.uniform(0.6, 1.1), len(line))
        for a, b, width in zip(line[:-1], line[1:], pressure[1:], strict=True):
            ends = [(int(p[0] * 16), int(p[1] * 16)) for p in (a, b)]
            cv2.line(canvas, ends[0], ends[1], 255, max(1, round(width)), cv2.LINE_AA, shift=4)
    return canvas


def _hands(folder: Path) -> Iterator[tuple[str, dict[str, NDArray[np.uint8]]]]:
    for number in range(HANDS):
        rng = np.random.default_rng(7000 + number)
        steady, thick = rng.uniform(6.0, 34.0), rng.uniform(12.0, 46.0)
        found = {}
        for char in CHARACTERS:
            path = folder / f"{char}.json"
            if path.exists():
                medians = json.loads(path.read_text(encoding="utf-8"))["medians"]
                field = _field(_hand(medians, steady, thick, rng))
                if field is not None:
                    found[char] = field
        yield f"stroke:{number:02d}", found


def build(fonts: Path, system: Path, out: Path) -> int:
    """Draw every character in every font under both folders and write the bank to `out`; gives the number of fonts."""
    rows: list[tuple[str, dict[str, NDArray[np.uint8]]]] = []
    for name, sheet in _sheets(fonts / "node_modules"):
        holders = _holders(sheet)
        found: dict[str, NDArray[np.uint8]] = {}
        for path in sorted(set(holders.values())):
            found |= _drawn(path, [c for c, p in holders.items() if p == path])
        rows.append((name, found))
    for path in sorted(p for p in system.rglob("*") if p.suffix.lower() in {".ttf", ".otf", ".ttc"}):
        faces = 1
        if path.suffix.lower() == ".ttc":
            faces = int.from_bytes(path.read_bytes()[8:12], "big")
        for face in range(faces if "Noto" not in path.name else min(faces, 4)):
            try:
                rows.append((f"{path.stem}-{face}" if faces > 1 else path.stem, _drawn(path, CHARACTERS, face)))
            except Exception as error:  # a font file may be broken in any way; one less does no harm
                click.echo(f"left out: {path.name} ({error})")
    rows = [(name, found) for name, found in rows if len(found) >= 40]
    rows += list(_hands(fonts / "node_modules" / "hanzi-writer-data"))
    fields = np.zeros((len(rows), len(CHARACTERS), SIDE, SIDE), np.uint8)
    present = np.zeros((len(rows), len(CHARACTERS)), bool)
    for i, (_, found) in enumerate(rows):
        for char, field in found.items():
            j = CHARACTERS.index(char)
            fields[i, j], present[i, j] = field, True
    keep = _distinct(fields, present)
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "glyphs.npy", fields[keep])
    index = {"fonts": [rows[i][0] for i in keep], "characters": CHARACTERS, "present": present[keep].tolist()}
    (out / "glyphs.json").write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")
    return len(keep)


def _distinct(fields: NDArray[np.uint8], present: NDArray[np.bool_]) -> list[int]:
    """The fonts that are not copies of an earlier one (families share their ideographs across files)."""
    seen: set[bytes] = set()
    keep = []
    probe = [CHARACTERS.index(c) for c in "車馬兵地中東"]
    for i in range(len(fields)):
        key = np.ascontiguousarray(fields[i, probe, ::4, ::4] >> 3).tobytes()
        if key not in seen and present[i].sum() >= 40:
            seen.add(key)
            keep.append(i)
    return keep


@click.command()
@click.option("--fonts", type=click.Path(path_type=Path), default=Path("training/fonts"), show_default=True)
@click.option("--system", type=click.Path(path_type=Path), default=Path("/usr/share/fonts"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("training/glyphs"), show_default=True)
def main(fonts: Path, system: Path, out: Path) -> None:
    """Build the bank of glyphs."""
    click.echo(f"{build(fonts, system, out)} fonts in {out}")


if __name__ == "__main__":
    main()
