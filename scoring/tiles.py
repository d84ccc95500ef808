"""The vocabulary: every tile of the four families (rules, section 1).

A code is ASCII so that it can be typed; it names one kind of tile, and no two families share one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Family(StrEnum):
    """A kind of piece set."""

    XIANGQI = "xiangqi"
    JUNQI = "junqi"
    PAIGOW = "paigow"
    MAHJONG = "mahjong"


class Colour(StrEnum):
    """What a tile's side is: the two sides and 天地人 of xiangqi and junqi, red and black dominoes, mahjong suits."""

    RED = "red"
    BLACK = "black"
    BLUE = "blue"
    CHARACTERS = "characters"
    DOTS = "dots"
    BAMBOOS = "bamboos"
    HONORS = "honors"
    BONUS = "bonus"


@dataclass(frozen=True, slots=True)
class Tile:
    """One kind of tile. `order` is its place in `tiles_of(family)`, from 0."""

    code: str
    zh: str
    en: str
    colour: Colour
    order: int
    family: Family

    def __str__(self) -> str:
        return self.code


class TileError(ValueError):
    """A code that names no tile; the message carries it."""


_XIANGQI_ROLES: Final = (
    ("K", "帅", "将", "general"),
    ("A", "仕", "士", "advisor"),
    ("E", "相", "象", "elephant"),
    ("R", "车", "車", "chariot"),
    ("H", "马", "馬", "horse"),
    ("C", "炮", "砲", "cannon"),
    ("P", "兵", "卒", "soldier"),
)
_XIANGQI_BLUE: Final = (("T", "天", "heaven"), ("D", "地", "earth"), ("N", "人", "man"))
_JUNQI_NAMES: Final = (
    ("1", "司令", "field marshal"),
    ("2", "军长", "general"),
    ("3", "师长", "major general"),
    ("4", "旅长", "brigadier"),
    ("5", "团长", "colonel"),
    ("6", "营长", "major"),
    ("7", "连长", "captain"),
    ("8", "排长", "lieutenant"),
    ("9", "工兵", "engineer"),
    ("L", "地雷", "landmine"),
    ("B", "炸弹", "bomb"),
    ("F", "军旗", "flag"),
)
_PAIGOW_CIVIL: Final = (
    ("66", "天", "heaven"),
    ("11", "地", "earth"),
    ("44", "人", "man"),
    ("31", "和", "harmony"),
    ("55", "梅花", "plum"),
    ("33", "长三", "long three"),
    ("22", "板凳", "bench"),
    ("65", "斧头", "axe"),
    ("64", "红头", "red head"),
    ("61", "尖七", "sharp seven"),
    ("51", "铜锤", "hammer"),
)
_PAIGOW_MILITARY: Final = (
    ("54", "红九", "red nine"),
    ("63", "黑九", "black nine"),
    ("53", "斜八", "slanted eight"),
    ("62", "平八", "flat eight"),
    ("43", "红七", "red seven"),
    ("52", "黑七", "black seven"),
    ("41", "红五", "red five"),
    ("32", "黑五", "black five"),
    ("42", "大猴", "great monkey"),
    ("21", "小猴", "small monkey"),
)
_NUMERALS: Final = "一二三四五六七八九"
_MAHJONG_SUITS: Final = (
    ("m", "万", "characters", Colour.CHARACTERS),
    ("p", "筒", "dots", Colour.DOTS),
    ("s", "条", "bamboos", Colour.BAMBOOS),
)
_MAHJONG_HONORS: Final = (
    ("东", "east"),
    ("南", "south"),
    ("西", "west"),
    ("北", "north"),
    ("白", "white dragon"),
    ("发", "green dragon"),
    ("中", "red dragon"),
)
_MAHJONG_BONUS: Final = (
    ("春", "spring"),
    ("夏", "summer"),
    ("秋", "autumn"),
    ("冬", "winter"),
    ("梅", "plum blossom"),
    ("兰", "orchid"),
    ("菊", "chrysanthemum"),
    ("竹", "bamboo plant"),
)

PAIGOW_CIVIL: Final = frozenset(code for code, _, _ in _PAIGOW_CIVIL)
"""Codes of the civil (文) dominoes; the others are military (武)."""

PAIGOW_PARTNERS: Final = {
    "54": "63", "53": "62", "43": "52", "41": "32", "42": "21",
    "63": "54", "62": "53", "52": "43", "32": "41", "21": "42",
}  # fmt: skip
"""The military domino that corresponds to each (rules, section 5); no yaku uses it."""

JUNQI_WEAPONS: Final = "LBF"
"""Second letters of the weapons' codes: mine, bomb, flag. All others are officers, the engineer too."""


def _has_red_pip(code: str) -> bool:
    # Every pip of a half that shows 1 or 4 is red; of 66 half the pips are.
    return code == "66" or "1" in code or "4" in code


def _build() -> dict[Family, tuple[Tile, ...]]:
    rows: dict[Family, list[tuple[str, str, str, Colour]]] = {family: [] for family in Family}
    for letter, colour, side in (("r", Colour.RED, 1), ("b", Colour.BLACK, 2)):
        rows[Family.XIANGQI] += [(letter + r[0], r[side], f"{colour} {r[3]}", colour) for r in _XIANGQI_ROLES]
        rows[Family.JUNQI] += [(letter + c, zh, f"{colour} {en}", colour) for c, zh, en in _JUNQI_NAMES]
    rows[Family.XIANGQI] += [(c, zh, en, Colour.BLUE) for c, zh, en in _XIANGQI_BLUE]
    rows[Family.PAIGOW] += [
        (c, zh, en, Colour.RED if _has_red_pip(c) else Colour.BLACK) for c, zh, en in _PAIGOW_CIVIL + _PAIGOW_MILITARY
    ]
    rows[Family.MAHJONG] += [
        (f"{n}{suit}", _NUMERALS[n - 1] + zh, f"{n} of {en}", colour)
        for suit, zh, en, colour in _MAHJONG_SUITS
        for n in range(1, 10)
    ]
    rows[Family.MAHJONG] += [(f"{n}z", zh, en, Colour.HONORS) for n, (zh, en) in enumerate(_MAHJONG_HONORS, 1)]
    rows[Family.MAHJONG] += [(f"f{n}", zh, en, Colour.BONUS) for n, (zh, en) in enumerate(_MAHJONG_BONUS, 1)]
    return {
        family: tuple(Tile(code, zh, en, colour, order, family) for order, (code, zh, en, colour) in enumerate(table))
        for family, table in rows.items()
    }


_TILES: Final = _build()
_BY_CODE: Final = {tile.code: tile for tiles in _TILES.values() for tile in tiles}


def tiles_of(family: Family) -> tuple[Tile, ...]:
    """All kinds of a family in their fixed order.

    Xiangqi 17 (red, black, 天 地 人), junqi 24, paigow 21 (civil, military), mahjong 42 (34, then the seasons f1–f4 and
    the flowers f5–f8, which no rule set uses).
    """
    return _TILES[family]


def parse_tile(code: str) -> Tile:
    """The tile a code names. Raises TileError where it names none."""
    try:
        return _BY_CODE[code]
    except (KeyError, TypeError):
        raise TileError(f"{code!r} is no tile code; codes look like rK, b7, 64 or 3m") from None


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of a list of codes separated by spaces or commas. Raises TileError at the first that names none."""
    return tuple(parse_tile(code) for code in text.replace(",", " ").split())


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The codes of some tiles, separated by spaces; `parse_tiles` reads them back."""
    return " ".join(tile.code for tile in tiles)
