"""Xiangqi pieces: discs (now and then squares) with one character in a ring, and 天地人 in blue."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces.art import FaceArt
from models.training.faces.glyphs import Cut, GlyphBank
from models.training.materials import Colour, hsv, wood

SIDE = 128

# What sets write for a role, and how often: "帅2帥3" is 帅 twice in five. Colour and role decide the tile; Vietnamese
# sets write 卒 on the red soldier, 兵 on the black one and 包 on either cannon.
RED_CHARS = ("帅2帥3", "仕4士2", "相8象1", "车3車4俥3", "马3馬4傌2", "炮5砲2包2", "兵6卒3")
BLACK_CHARS = ("将2將4", "士5仕1", "象8相1", "车2車5", "马2馬5", "砲3炮3包2", "卒6兵3")
ROLES = "KAERHCP"
HEAVENLY = {"T": "天", "D": "地", "N": "人"}

# Names of fonts written as pieces are: regular script, brush, Song cut bold.
LIKE_PIECES = (
    "kai",
    "wenkai",
    "klee",
    "yuji",
    "kouzan",
    "aoyagi",
    "zhi-mang",
    "ma-shan",
    "long-cang",
    "xiaowei",
    "shu",
)


@dataclass(frozen=True, slots=True)
class XiangqiStyle:
    """The look of one set; colours are BGR."""

    aspect: float
    body: tuple[int, int, int]
    back: tuple[int, int, int]
    thickness: float
    round: bool
    ground: Colour
    grain: bool
    red: Colour
    black: Colour
    blue: Colour
    red_chars: str
    black_chars: str
    font: str
    second_font: str
    size: float
    weight: float
    stretch: float  # width over height of the characters as against the font's; clerical script is wide
    ring: float
    ring_width: float
    ring_own_colour: bool
    second_ring: bool
    filled: bool
    reach: float  # how much of the radius the drawing takes; the rest is a bare or coloured rim
    rim: Colour | None
    seed: int
    cut: Cut


# What takes the place of a character that a font lacks.
STAND_INS = {
    "帅": "帥",
    "帥": "帅",
    "将": "將",
    "將": "将",
    "车": "車",
    "車": "车",
    "俥": "車车",
    "马": "馬",
    "馬": "马",
    "傌": "馬马",
    "砲": "炮",
}


def _in_font(chars: str, font: str, glyphs: GlyphBank) -> str:
    """The characters as that font can write them."""

    return "".join(next((v for v in (c, *STAND_INS.get(c, "")) if glyphs.has(v, font)), c) for c in chars)


def _font(chars: str, glyphs: GlyphBank, rng: np.random.Generator) -> str:
    if rng.random() < 0.55:
        lean = [f for f in glyphs.fonts_with(chars) if any(k in f.lower() for k in LIKE_PIECES)]
        if lean:
            return lean[int(rng.integers(len(lean)))]
    return glyphs.sample_font(chars, rng, hand=0.2)


def _written(table: tuple[str, ...], rng: np.random.Generator) -> str:
    """One set's choice of characters, a character a role."""
    if rng.random() < 0.15:  # all in simplified script
        return "".join(row[0] for row in table)
    pools = ["".join(c * int(n) for c, n in zip(row[::2], row[1::2], strict=True)) for row in table]
    return "".join(pool[int(rng.integers(len(pool)))] for pool in pools)


def _bgr(colour: Colour) -> tuple[int, int, int]:
    return int(colour[0]), int(colour[1]), int(colour[2])


def _faint(ink: Colour, ground: Colour, mix: float, shade: float) -> Colour:
    """A share `mix` of the ink given way to the ground as it looks within a cut."""
    b, g, r = (c * (1 - mix) + under * mix * shade for c, under in zip(ink, ground, strict=True))
    return b, g, r


def sample_style(glyphs: GlyphBank, rng: np.random.Generator) -> XiangqiStyle:
    """A set as one might meet it: plastic, wood, card, glass; filled or cut ink; one of the usual pairs of colours."""
    kind = rng.choice(["plastic", "wood", "dark_wood", "card", "coloured"], p=[0.46, 0.28, 0.06, 0.12, 0.08])
    if kind == "plastic":
        ground = hsv(rng.uniform(20, 70), rng.uniform(0, 0.28), rng.uniform(0.82, 1.0))
    elif kind == "wood":
        ground = hsv(rng.uniform(20, 42), rng.uniform(0.2, 0.65), rng.uniform(0.65, 0.98))
    elif kind == "dark_wood":
        ground = hsv(rng.uniform(5, 30), rng.uniform(0.4, 0.8), rng.uniform(0.25, 0.55))
    elif kind == "card":
        ground = hsv(rng.uniform(0, 360), rng.uniform(0, 0.12), rng.uniform(0.8, 1.0))
    else:
        ground = hsv(rng.uniform(0, 360), rng.uniform(0.1, 0.5), rng.uniform(0.6, 1.0))
    if kind == "dark_wood":
        red = hsv(rng.uniform(-12, 30), rng.uniform(0.6, 1.0), rng.uniform(0.8, 1.0))
        black = hsv(rng.uniform(60, 220), rng.uniform(0.0, 0.5), rng.uniform(0.8, 1.0))
    else:
        red = hsv(rng.uniform(-18, 14), rng.uniform(0.6, 1.0), rng.uniform(0.5, 0.95))
        which = rng.choice(["black", "navy", "blue", "green"], p=[0.5, 0.2, 0.14, 0.16])
        black = {
            "black": hsv(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.02, 0.28)),
            "navy": hsv(rng.uniform(205, 245), rng.uniform(0.4, 0.9), rng.uniform(0.15, 0.5)),
            "blue": hsv(rng.uniform(195, 235), rng.uniform(0.5, 1.0), rng.uniform(0.45, 0.9)),
            "green": hsv(rng.uniform(110, 180), rng.uniform(0.5, 1.0), rng.uniform(0.2, 0.6)),
        }[str(which)]
    if kind == "wood" and rng.random() < 0.15:
        mix = rng.uniform(0.3, 0.6)  # cut, hardly coloured
        red, black = _faint(red, ground, mix, 0.8), _faint(black, ground, mix, 0.6)
    red_chars, black_chars = _written(RED_CHARS, rng), _written(BLACK_CHARS, rng)
    font = _font("士兵卒炮相象天地人", glyphs, rng)
    second_font = font if rng.random() < 0.85 else _font("士兵卒炮相象天地人", glyphs, rng)
    is_round = bool(rng.random() < 0.88)
    ringed = rng.random() < 0.8
    labelled = is_round and rng.random() < 0.14  # a paper disc glued on a bottle cap or a larger disc
    reach = rng.uniform(0.68, 0.92) if labelled else rng.uniform(0.76, 1.0) if rng.random() < 0.4 else 1.0
    side = tuple(int(c * rng.uniform(0.6, 1.02)) for c in ground)
    back = (
        _bgr(ground) if rng.random() < 0.6 else _bgr(hsv(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.2, 1)))
    )
    return XiangqiStyle(
        aspect=1.0 if is_round else float(rng.uniform(0.85, 1.0)),
        body=(side[0], side[1], side[2]) if rng.random() < 0.75 else back,
        back=back,
        thickness=float(rng.uniform(0.08, 0.6)),
        round=is_round,
        ground=ground,
        grain=bool(kind in ("wood", "dark_wood")),
        red=red,
        black=black,
        blue=hsv(rng.uniform(200, 235), rng.uniform(0.6, 1.0), rng.uniform(0.5, 0.95)),
        red_chars=_in_font(red_chars, font, glyphs),
        black_chars=_in_font(black_chars, second_font, glyphs),
        font=font,
        second_font=second_font,
        size=float(rng.uniform(0.5, 0.74) if is_round else rng.uniform(0.6, 0.85)),
        weight=float(rng.normal(0.0, 0.012) if rng.random() < 0.6 else rng.uniform(-0.02, 0.04)),
        stretch=float(np.exp(rng.normal(0.0, 0.05) if rng.random() < 0.6 else rng.uniform(-0.25, 0.5))),
        ring=float(rng.uniform(0.76, 0.93)) if ringed else 0.0,
        ring_width=float(rng.uniform(0.015, 0.06)),
        ring_own_colour=bool(rng.random() < 0.85),
        second_ring=bool(rng.random() < 0.3),
        filled=bool(kind == "plastic" and rng.random() < 0.08),
        reach=float(reach),
        rim=hsv(rng.uniform(0, 360), rng.uniform(0.0, 0.9), rng.uniform(0.15, 0.95)) if labelled else None,
        seed=int(rng.integers(2**31)),
        cut=Cut.sample(rng),
    )


def _stretched(mark: NDArray[np.float32], stretch: float) -> NDArray[np.float32]:
    """The square coverage made wider (above 1) or taller about its middle, within the same square."""
    side = mark.shape[0]
    wide, tall = min(1.0, stretch), min(1.0, 1 / stretch)
    middle = (side - 1) / 2
    matrix = np.array([[wide, 0, middle * (1 - wide)], [0, tall, middle * (1 - tall)]])
    return np.asarray(cv2.warpAffine(mark, matrix, (side, side), flags=cv2.INTER_AREA), np.float32)


def _blend(colour: NDArray[np.float32], cover: NDArray[np.float32], ink: Colour) -> None:
    colour += cover[..., None] * (np.array(ink, np.float32) - colour)


def draw(code: str, style: XiangqiStyle, glyphs: GlyphBank, rng: np.random.Generator) -> FaceArt:
    """One face: 128x128, the disc inscribed in the square. `code` as in `scoring.tiles`, xiangqi family."""
    if code in HEAVENLY:
        char, ink, font = HEAVENLY[code], style.blue, style.font
    elif code[0] == "r":
        char, ink, font = style.red_chars[ROLES.index(code[1])], style.red, style.font
    else:
        char, ink, font = style.black_chars[ROLES.index(code[1])], style.black, style.second_font
    colour = np.empty((SIDE, SIDE, 3), np.float32)
    if style.grain:
        colour[:] = wood(SIDE, np.random.default_rng(style.seed + int(rng.integers(6))), style.ground)
    else:
        colour[:] = style.ground
    if not glyphs.has(char, font):
        font = style.font
    side = int(SIDE * style.size * style.reach * rng.uniform(0.97, 1.03))
    mark = glyphs.mask(char, font, side, weight=style.weight + rng.normal(0, 0.003))
    mark = style.cut.bent(_stretched(mark, style.stretch), rng)
    cover = np.zeros((SIDE, SIDE), np.float32)
    x, y = (int((SIDE - side) / 2 + rng.normal(0, 0.012) * SIDE) for _ in "xy")
    y0, x0 = max(0, y), max(0, x)
    part = mark[y0 - y : y0 - y + SIDE - y0, x0 - x : x0 - x + SIDE - x0]
    cover[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]] = part
    if style.rim:
        paper = np.zeros((SIDE, SIDE), np.float32)
        cv2.circle(paper, (SIDE // 2, SIDE // 2), int(SIDE / 2 * style.reach), 1.0, -1, cv2.LINE_AA)
        _blend(colour, 1 - paper, style.rim)
    lines = np.zeros((SIDE, SIDE), np.float32)
    if style.ring:
        for radius in (style.ring, style.ring - 2.2 * style.ring_width) if style.second_ring else (style.ring,):
            width = max(1, int(style.ring_width * SIDE / 2 * 1.4))
            if style.round:
                cv2.circle(lines, (SIDE // 2, SIDE // 2), int(radius * style.reach * SIDE / 2), 1.0, width, cv2.LINE_AA)
            else:
                a, b = (int(SIDE * (1 + way * radius * style.reach) / 2) for way in (-1, 1))
                cv2.rectangle(lines, (a, a), (b, b), 1.0, width, cv2.LINE_AA)
    ring_ink = ink if style.ring_own_colour else tuple(0.45 * c for c in style.ground)
    if style.filled:
        disc = np.zeros((SIDE, SIDE), np.float32)
        cv2.circle(disc, (SIDE // 2, SIDE // 2), int(SIDE * 0.42 * style.reach), 1.0, -1, cv2.LINE_AA)
        _blend(colour, disc, ink)
        _blend(colour, cover, style.ground)
    else:
        _blend(colour, lines, (ring_ink[0], ring_ink[1], ring_ink[2]))
        _blend(colour, cover, ink)
    return FaceArt(np.clip(colour, 0, 255).astype(np.uint8), np.maximum(cover, lines))
