"""Faces of mahjong tiles as Chinese, Hong Kong, Taiwanese, Japanese and American sets have them.

Three suits (characters, dots, bamboos), winds, dragons, seasons (f1 to f4) and flowers (f5 to f8).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.training.faces.art import FaceArt
from models.training.faces.canvas import Canvas, Colour, Surface, face_size
from models.training.faces.glyphs import GlyphBank
from models.training.faces.lettering import LATIN_FACES, font_for, latin
from models.training.faces.palette import (
    BACKS,
    BLACKS,
    BLUES,
    GOLDS,
    GREENS,
    IVORIES,
    LIGHTS,
    REDS,
    WOODS,
    mix,
    pick,
    vary,
)
from models.training.faces.pictures import Inks, bird, bouquet, figure, landscape, plant, shoot

CODES = (
    *(f"{n}{suit}" for suit in "mps" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    *(f"f{n}" for n in range(1, 9)),
)
NUMERALS = "一二三四五六七八九"
SEASONS = "春夏秋冬"
FLOWERS = ("梅蘭菊竹", "梅兰菊竹")

# Colours of the dots by number, in the order of _dot_places: A the main ink, G green, R red.
DOT_COLOURS: dict[int, tuple[str, ...]] = {
    2: ("GA", "AG", "GG", "GR", "AA"),
    3: ("ARG", "GRA", "ARA", "GRG"),
    4: ("AGGA", "GAAG", "AAAA", "GGGG"),
    5: ("AGRGA", "GARAG", "AARAA", "GGRGG"),
    6: ("GGRRRR", "GGRRRR", "AARRRR"),
    7: ("GGGRRRR", "GGGRRRR", "AAARRRR"),
    8: ("AAAAAAAA", "AAAAAAAA", "GGGGGGGG"),
    9: ("GGGRRRAAA", "AAARRRGGG", "GGGRRRGGG", "ARGARGARG", "AAARRRAAA"),
}
# Colours of the sticks by number, in the order of _stick_places.
STICK_COLOURS: dict[int, tuple[str, ...]] = {
    2: ("GG", "GG", "AG", "GA"),
    3: ("GGG", "GGG", "AGG", "RGG"),
    4: ("GGGG", "GGGG", "AGGA", "GAAG"),
    5: ("GGRGG", "GGRGG", "AGRGA", "GARAG"),
    6: ("GGGGGG", "GGGGGG", "GGGAAA", "AAAGGG"),
    7: ("RGGGGGG", "RGGGGGG", "RGAGGAG", "RAAAGGG"),
    8: ("GGGGGGGG", "GGGGGGGG", "GGGGAAAA", "AAAAAAAA"),
    9: ("GRGGRGGRG", "GRGGRGGRG", "RRRAAAGGG", "ARGARGARG", "GGGRRRGGG"),
}


@dataclass(frozen=True, slots=True)
class MahjongStyle:
    """One set of tiles. Lengths are shares of the face's width unless said otherwise; colours BGR."""

    aspect: float
    body: Colour
    back: Colour
    thickness: float
    surface: Surface
    inks: Inks
    scale: float  # size of everything on the face
    border: float  # line near the edge, 0 for none
    # characters
    number_ink: Colour
    wan_ink: Colour
    five: str
    three: str
    wan: str
    man_seed: int
    number_size: float
    wan_size: float
    man_split: float  # where the number ends, share of the height
    weight: float  # change of stroke width, share of the glyph
    # dots
    dot: str  # rings, target, solid, wheel, flower or hollow
    dot_line: float  # share of the radius
    dot_radius: float
    dot_spread: float
    dot_turned: bool  # whether the diagonals rise instead of falling
    dot_colours: tuple[int, ...]  # which of DOT_COLOURS, by number from 2
    great_dot: str  # petals, rings, wheel or beads
    great_petals: int
    great_radius: float
    great_inks: tuple[Colour, Colour, Colour]
    # bamboos
    stick: str  # capsule, peanut, joints, outline, bands, twin or beads
    stick_width: float
    stick_fill: float  # length, share of its row
    stick_spread: float
    stick_colours: tuple[int, ...]
    eight_up: bool  # the upper four sticks as M (else W)
    bird: bool
    bird_seed: int
    # honours
    honour_seed: int
    wind_ink: Colour
    east: str
    fa: str
    honour_size: float
    white: str  # blank, single, double, ornate, corners, bars or letter
    white_ink: Colour
    white_line: float
    # figures in the corners
    index: str  # none, left, right or both
    index_ink: Colour | None  # None: changing from tile to tile
    index_face: int
    index_weight: int
    index_size: float
    white_letter: str
    # bonus tiles
    season_picture: str  # bouquet, figure, landscape or plant
    picture_seed: int
    bonus_chinese: bool  # numbered 一 to 四
    bonus_numbers: bool
    bonus_swapped: bool
    bonus_size: float
    flowers: str
    season_ink: Colour
    flower_ink: Colour
    red_fives: bool


def sample_style(rng: np.random.Generator) -> MahjongStyle:
    """A set of any of the common makes."""
    make = str(
        rng.choice(("chinese", "riichi", "american", "bone", "dark", "card"), p=(0.42, 0.24, 0.1, 0.1, 0.07, 0.07))
    )
    base = pick(
        rng, {"bone": IVORIES + LIGHTS[2:], "american": IVORIES + LIGHTS}.get(make, LIGHTS + LIGHTS + IVORIES[:2]), 9
    )
    inks = Inks(
        pick(rng, BLACKS if rng.random() < (0.75 if make == "riichi" else 0.2) else BLUES),
        pick(rng, GREENS),
        pick(rng, REDS),
        pick(rng, BLACKS),
    )
    if rng.random() < 0.08:
        inks = Inks(inks.green, inks.green, inks.red, inks.black)
    if make == "dark":
        base = pick(rng, BLACKS + BLUES + GREENS + REDS[1:3] + WOODS[2:], 20)
        light = pick(rng, LIGHTS + GOLDS, 10)
        white: Colour = (255, 255, 255)
        inks = Inks(
            light if rng.random() < 0.6 else mix(inks.main, white, 0.6),
            mix(inks.green, (190, 255, 190), 0.6),
            mix(inks.red, (190, 190, 255), 0.45),
            light,
        )
    black_numbers = rng.random() < 0.35
    number_ink = inks.black if black_numbers else inks.main
    if rng.random() < 0.06:
        number_ink = inks.green if rng.random() < 0.5 else inks.red
    indexed = rng.random() < {"american": 0.95, "chinese": 0.22, "riichi": 0.25}.get(make, 0.15)
    simplified = rng.random() < 0.08
    radius = rng.uniform(0.125, 0.165)
    return MahjongStyle(
        aspect=rng.uniform(0.62, 0.72) if make == "card" else rng.uniform(0.69, 0.81),
        body=vary(rng, base, 6),
        back=pick(rng, WOODS if make == "bone" else BACKS, 20),
        thickness=rng.uniform(0.02, 0.1) if make == "card" else rng.uniform(0.5, 0.85),
        surface=Surface(
            base=base,
            mottle=rng.uniform(0.0, 0.06 if make == "bone" else 0.03),
            grain=rng.uniform(0.0, 0.05) if make == "bone" else 0.0,
            fibre=int(rng.integers(10, 40)),
            wear=rng.uniform(0.05, 0.35) if rng.random() < (0.4 if make == "bone" else 0.1) else 0.0,
        ),
        inks=inks,
        scale=rng.uniform(0.84, 1.06),
        border=rng.uniform(0.012, 0.03) if rng.random() < (0.4 if make == "card" else 0.04) else 0.0,
        number_ink=number_ink,
        wan_ink=inks.red if rng.random() < 0.93 else inks.main,
        five="伍" if rng.random() < 0.5 else "五",
        three="參" if rng.random() < 0.05 else "三",
        wan="万" if simplified or rng.random() < 0.05 else "萬",
        man_seed=int(rng.integers(1 << 31)),
        number_size=rng.uniform(0.42, 0.6),
        wan_size=rng.uniform(0.5, 0.68),
        man_split=rng.uniform(0.38, 0.46),
        weight=rng.uniform(-0.01, 0.035),
        dot=str(
            rng.choice(("rings", "target", "solid", "wheel", "flower", "hollow"), p=(0.34, 0.24, 0.1, 0.14, 0.1, 0.08))
        ),
        dot_line=rng.uniform(0.16, 0.3),
        dot_radius=radius,
        dot_spread=rng.uniform(0.85, 1.12),
        dot_turned=bool(rng.random() < 0.3),
        dot_colours=tuple(int(i) for i in rng.integers(0, 60, 10)),
        great_dot=str(rng.choice(("petals", "rings", "wheel", "beads"), p=(0.4, 0.22, 0.2, 0.18))),
        great_petals=int(rng.integers(8, 20)),
        great_radius=rng.uniform(0.28, 0.42),
        great_inks=(inks.green if rng.random() < 0.6 else inks.main, inks.red, inks.any(rng)),
        stick=str(
            rng.choice(
                ("capsule", "peanut", "joints", "outline", "bands", "twin", "beads"),
                p=(0.18, 0.24, 0.2, 0.1, 0.1, 0.1, 0.08),
            )
        ),
        stick_width=rng.uniform(0.1, 0.15),
        stick_fill=rng.uniform(0.82, 0.97),
        stick_spread=rng.uniform(0.85, 1.12),
        stick_colours=tuple(int(i) for i in rng.integers(0, 60, 10)) if rng.random() < 0.6 else (0,) * 10,
        eight_up=bool(rng.random() < 0.5),
        bird=bool(rng.random() < 0.93),
        bird_seed=int(rng.integers(1 << 31)),
        honour_seed=int(rng.integers(1 << 31)),
        wind_ink=number_ink if rng.random() < 0.75 else (inks.black if rng.random() < 0.6 else inks.main),
        east="东" if simplified else "東",
        fa="发" if simplified else "發",
        honour_size=rng.uniform(0.56, 0.82),
        white=str(
            rng.choice(
                ("blank", "single", "double", "ornate", "corners", "bars", "letter"),
                p=(0.24, 0.16, 0.22, 0.16, 0.08, 0.09, 0.05),
            )
        ),
        white_ink=inks.any(rng) if rng.random() < 0.3 else inks.main,
        white_line=rng.uniform(0.02, 0.07),
        index=str(rng.choice(("left", "right", "both"), p=(0.6, 0.15, 0.25))) if indexed else "none",
        index_ink=None if rng.random() < 0.3 else inks.any(rng),
        index_face=int(rng.choice(LATIN_FACES)),
        index_weight=int(rng.integers(1, 6)),
        index_size=rng.uniform(0.12, 0.2),
        white_letter=str(rng.choice(("P", "B", "W"), p=(0.6, 0.3, 0.1))),
        season_picture=str(rng.choice(("bouquet", "figure", "landscape", "plant"), p=(0.5, 0.2, 0.15, 0.15))),
        picture_seed=int(rng.integers(1 << 31)),
        bonus_chinese=bool(rng.random() < 0.25),
        bonus_numbers=bool(rng.random() < 0.9),
        bonus_swapped=bool(rng.random() < 0.5),
        bonus_size=rng.uniform(0.18, 0.28),
        flowers=FLOWERS[int(rng.random() < 0.15)],
        season_ink=inks.red if rng.random() < 0.7 else inks.any(rng),
        flower_ink=inks.main if rng.random() < 0.7 else inks.any(rng),
        red_fives=bool(rng.random() < (0.5 if make == "riichi" else 0.03)),
    )


def draw(code: str, style: MahjongStyle, glyphs: GlyphBank, rng: np.random.Generator) -> FaceArt:
    """The face of a tile, upright.

    `code` is one of CODES. Raises KeyError for another one, ValueError where the bank has no font for the set.
    """
    if code not in CODES:
        raise KeyError(code)
    width, height = face_size(style.aspect)
    canvas = Canvas(width, height, style.surface.base)
    if style.border:
        inset, line = 0.05 * width, max(0.8, style.border * width)
        canvas.rectangle(inset, inset, width - inset, height - inset, 0.06 * width, style.inks.main)
        inset += line
        canvas.rectangle(inset, inset, width - inset, height - inset, 0.05 * width, None)
    inks = style.inks
    if style.red_fives and code[0] == "5" and code[1] in "mps" and rng.random() < 0.35:
        inks = Inks(inks.red, inks.red, inks.red, inks.red)
    if code[0] == "f":
        _bonus(canvas, int(code[1]), style, glyphs, rng)
        return canvas.finish(style.surface, rng)
    number, suit = int(code[0]), code[1]
    if suit == "m":
        _man(canvas, number, inks, style, glyphs, rng)
    elif suit == "p":
        _dots(canvas, number, inks, style, rng)
    elif suit == "s":
        _bamboos(canvas, number, inks, style, rng)
    else:
        _honour(canvas, number, style, glyphs, rng)
    if style.index != "none" and not (code == "5z" and style.white == "blank"):
        letter = "ESWN" + style.white_letter + "FC"
        _index(canvas, letter[number - 1] if suit == "z" else str(number), style, rng)
    return canvas.finish(style.surface, rng)


def _weight(style: MahjongStyle, rng: np.random.Generator) -> float:
    return round(style.weight + float(rng.uniform(-0.006, 0.006)), 3)


def _write(
    canvas: Canvas,
    glyphs: GlyphBank,
    char: str,
    font: str,
    place: tuple[float, float, float],
    colour: Colour,
    weight: float,
) -> None:
    """A character centred at place = (x, y, size)."""
    x, y, size = place
    pixels = max(24, min(96, 8 * round(size / 8 + 0.5)))
    canvas.glyph(glyphs.mask(char, font, pixels, weight=weight), x, y, (size, size), colour)


def _man(
    canvas: Canvas, number: int, inks: Inks, style: MahjongStyle, glyphs: GlyphBank, rng: np.random.Generator
) -> None:
    width, height = canvas.width, canvas.height
    numerals = NUMERALS.replace("三", style.three).replace("五", style.five)
    font = font_for(glyphs, numerals + style.wan, style.man_seed)
    same = inks is style.inks
    char, weight = numerals[number - 1], _weight(style, rng)
    number_size = style.number_size * style.scale * width * (1.0 if number in (1, 2, 3) else 0.9)
    wan_size = min(style.wan_size * style.scale * width, 0.52 * height)
    split = style.man_split * height
    y_number = max(split - 0.56 * number_size, 0.52 * number_size) if number > 3 else split * 0.5
    _write(
        canvas,
        glyphs,
        char,
        font,
        (width / 2, y_number, min(number_size, 0.42 * height)),
        style.number_ink if same else inks.red,
        weight,
    )
    room = height - split
    place = (width / 2, split + room * 0.48, min(wan_size, 0.9 * room))
    _write(canvas, glyphs, style.wan, font, place, style.wan_ink if same else inks.red, weight)


def _ink(letter: str, inks: Inks) -> Colour:
    return {"A": inks.main, "G": inks.green, "R": inks.red}[letter]


def _dots(canvas: Canvas, number: int, inks: Inks, style: MahjongStyle, rng: np.random.Generator) -> None:
    width, height = canvas.width, canvas.height
    if number == 1:
        _great_dot(canvas, style)
        return
    choices = DOT_COLOURS[number]
    letters = choices[style.dot_colours[number] % len(choices)]
    radius, places = _dot_places(number, style)
    radius *= width * style.scale
    for (u, v), letter in zip(places, letters, strict=True):
        x = width / 2 + u * width * style.scale + 0.004 * width * rng.normal()
        y = height / 2 + v * height * style.scale * 0.97 + 0.004 * width * rng.normal()
        _dot(canvas, x, y, radius * rng.uniform(0.97, 1.03), _ink(letter, inks), style)


def _dot_places(number: int, style: MahjongStyle) -> tuple[float, list[tuple[float, float]]]:
    """Radius (share of the width) and places from the centre (shares of width and height)."""
    r = style.dot_radius
    lean = -1.0 if style.dot_turned else 1.0
    s = style.dot_spread
    tall = 1.0 / style.aspect  # the height in widths
    side = max(0.19 * s, 1.03 * r)
    if number == 2:
        return 1.2 * r, [(0.0, -0.23 * s), (0.0, 0.23 * s)]
    if number == 3:
        return 1.12 * r, [(-0.26 * s * lean, -0.28 * s), (0.0, 0.0), (0.26 * s * lean, 0.28 * s)]
    if number == 4:
        return 1.08 * r, [(u * max(0.21 * s, 1.1 * r), v * 0.23 * s) for v in (-1, 1) for u in (-1, 1)]
    if number == 5:
        corner = 0.25 * s
        return r, [(-corner, -0.27 * s), (corner, -0.27 * s), (0, 0), (-corner, 0.27 * s), (corner, 0.27 * s)]
    if number == 6:
        step = max(2.05 * r / tall, 0.21 * s)
        low = 0.36 - r / tall * 0.3
        return r, [(u * side, v) for v in (-0.32, low - step, low) for u in (-1, 1)]
    if number == 7:
        step = max(2.0 * r * 0.92 / tall, 0.19 * s)
        three = [(-0.27 * lean, -0.37), (0.0, -0.26), (0.27 * lean, -0.15)]
        return 0.92 * r, three + [(u * side, v) for v in (0.37 - step, 0.37) for u in (-1, 1)]
    if number == 8:
        q = min(r, 0.105 * tall)
        return q, [(u * max(side, 1.03 * q), v) for v in (-0.36, -0.12, 0.12, 0.36) for u in (-1, 1)]
    q = min(r, 0.15)
    return q, [(u * max(0.29, 2.02 * q), v * 0.3) for v in (-1, 0, 1) for u in (-1, 0, 1)]


def _dot(canvas: Canvas, x: float, y: float, radius: float, colour: Colour, style: MahjongStyle) -> None:
    line = style.dot_line * radius
    if style.dot == "rings":
        canvas.ring(x, y, radius, line, colour)
        canvas.ring(x, y, radius - 1.8 * line, 0.9 * line, colour)
        canvas.disc(x, y, max(0.5, radius - 3.4 * line) * 0.7, colour)
    elif style.dot == "target":
        canvas.disc(x, y, radius, colour)
        canvas.disc(x, y, radius - line, None)
        canvas.disc(x, y, radius - 1.6 * line, colour)
        canvas.disc(x, y, radius * 0.3, None)
        canvas.disc(x, y, radius * 0.14, colour)
    elif style.dot == "solid":
        canvas.disc(x, y, radius, colour)
        canvas.disc(x, y, line, None)
    elif style.dot == "wheel":
        canvas.disc(x, y, radius, colour)
        canvas.disc(x, y, radius - line * 0.8, None)
        arm = radius - line * 0.5
        canvas.stroke(((x - arm, y), (x + arm, y)), line * 0.8, colour)
        canvas.stroke(((x, y - arm), (x, y + arm)), line * 0.8, colour)
        canvas.disc(x, y, radius * 0.34, colour)
    elif style.dot == "flower":
        canvas.disc(x, y, radius, colour)
        for k in range(6):
            a = k * np.pi / 3
            canvas.disc(x + 0.58 * radius * float(np.cos(a)), y + 0.58 * radius * float(np.sin(a)), 0.2 * radius, None)
        canvas.disc(x, y, 0.18 * radius, None)
    else:
        canvas.ring(x, y, radius, line * 1.3, colour)
        canvas.disc(x, y, radius * 0.2, colour)


def _great_dot(canvas: Canvas, style: MahjongStyle) -> None:
    """The one of dots: a large ornate disc."""
    x, y = canvas.width / 2, canvas.height / 2
    radius = style.great_radius * style.scale * canvas.width
    first, second, third = style.great_inks
    n = style.great_petals
    if style.great_dot == "petals":
        canvas.ellipse(x, y, (radius, radius), 0, None)
        inner = 0.72 * radius
        for k in range(n):
            a = 2 * np.pi * k / n
            c, s = float(np.cos(a)), float(np.sin(a))
            canvas.ellipse(
                x + inner * c,
                y + inner * s,
                (0.28 * radius, 2.0 * radius / n),
                360.0 * k / n,
                first,
                line=0.06 * radius,
            )
        canvas.ring(x, y, 0.5 * radius, 0.1 * radius, first)
        canvas.disc(x, y, 0.34 * radius, second)
        canvas.disc(x, y, 0.14 * radius, None)
        canvas.disc(x, y, 0.07 * radius, second)
    elif style.great_dot == "rings":
        for share, colour in ((1.0, first), (0.86, None), (0.76, third), (0.56, None), (0.46, second), (0.22, None)):
            canvas.disc(x, y, share * radius, colour)
        canvas.disc(x, y, 0.12 * radius, first)
    elif style.great_dot == "wheel":
        canvas.disc(x, y, radius, first)
        canvas.disc(x, y, 0.9 * radius, None)
        for k in range(n):
            a = 2 * np.pi * k / n
            c, s = float(np.cos(a)), float(np.sin(a))
            ends = ((x + 0.5 * radius * c, y + 0.5 * radius * s), (x + 0.92 * radius * c, y + 0.92 * radius * s))
            canvas.stroke(ends, 0.07 * radius, third)
        canvas.disc(x, y, 0.52 * radius, first)
        canvas.disc(x, y, 0.42 * radius, None)
        canvas.disc(x, y, 0.34 * radius, second)
        canvas.stroke(((x - 0.3 * radius, y), (x + 0.3 * radius, y)), 0.07 * radius, None)
        canvas.stroke(((x, y - 0.3 * radius), (x, y + 0.3 * radius)), 0.07 * radius, None)
    else:
        canvas.disc(x, y, radius, first)
        for k in range(n):
            a = 2 * np.pi * k / n
            c, s = float(np.cos(a)), float(np.sin(a))
            canvas.disc(x + 0.8 * radius * c, y + 0.8 * radius * s, min(0.12, 1.9 / n) * radius, None)
        canvas.disc(x, y, 0.6 * radius, None)
        canvas.disc(x, y, 0.5 * radius, second)
        canvas.disc(x, y, 0.26 * radius, None)
        canvas.disc(x, y, 0.14 * radius, third)


def _bamboos(canvas: Canvas, number: int, inks: Inks, style: MahjongStyle, rng: np.random.Generator) -> None:
    width, height = canvas.width, canvas.height
    if number == 1:
        picture = np.random.default_rng(style.bird_seed)
        half = 0.4 * style.scale
        box = (width * (0.5 - half), height * (0.5 - half), width * (0.5 + half), height * (0.5 + half))
        (bird if style.bird else shoot)(canvas, box, inks, picture)
        return
    choices = STICK_COLOURS[number]
    letters = choices[style.stick_colours[number] % len(choices)]
    thick = style.stick_width * width * style.scale * (0.92 if number >= 6 else 1.0)
    sx, sy = width * style.scale, height * style.scale * 0.86
    for (u0, v0, u1, v1), letter in zip(_stick_places(number, style), letters, strict=True):
        dx, dy = 0.004 * width * rng.normal(), 0.004 * width * rng.normal()
        start = (width / 2 + u0 * sx + dx, height / 2 + v0 * sy + dy)
        end = (width / 2 + u1 * sx + dx, height / 2 + v1 * sy + dy)
        _stick(canvas, start, end, thick * rng.uniform(0.97, 1.03), _ink(letter, inks), style)


def _stick_places(number: int, style: MahjongStyle) -> list[tuple[float, float, float, float]]:
    """The two ends of each stick, shares of width and height from the centre."""
    s, f = style.stick_spread, style.stick_fill

    def column(u: float, v: float, length: float) -> tuple[float, float, float, float]:
        return (u, v - length / 2, u, v + length / 2)

    half, third = 0.5 * f, f / 3
    wide = min(0.31, 0.25 * s)
    if number == 2:
        return [column(0.0, v, half) for v in (-0.25, 0.25)]
    if number == 3:
        return [column(0.0, -0.25, half), column(-wide * 0.8, 0.25, half), column(wide * 0.8, 0.25, half)]
    if number == 4:
        return [column(u * wide * 0.85, v, half) for v in (-0.25, 0.25) for u in (-1, 1)]
    if number == 5:
        corners = [column(u * wide, v, half) for v in (-0.25, 0.25) for u in (-1, 1)]
        return [*corners[:2], column(0.0, 0.0, half), *corners[2:]]
    if number == 6:
        return [column(u * wide, v, half) for v in (-0.25, 0.25) for u in (-1, 0, 1)]
    if number == 7:
        return [column(0.0, -1 / 3, third)] + [column(u * wide, v, third) for v in (0.0, 1 / 3) for u in (-1, 0, 1)]
    if number == 9:
        return [column(u * wide, v, third) for v in (-1 / 3, 0.0, 1 / 3) for u in (-1, 0, 1)]
    out = max(0.28, wide)
    sticks = []
    for top in (True, False):
        near, far = (-0.03, -0.03 - 0.46 * f) if top else (0.03, 0.03 + 0.46 * f)
        # an M hangs its inner sticks from the outer ones' tops to the middle, a W stands them on their feet
        peaked = style.eight_up == top
        a, b = (far, near) if top else (near, far)
        start, end = (a, b) if peaked else (b, a)
        reach = start + (end - start) * 0.8
        sticks += [
            (-out, far, -out, near),
            (-out * 0.72, start + (end - start) * 0.1, -0.05, reach),
            (out * 0.72, start + (end - start) * 0.1, 0.05, reach),
            (out, far, out, near),
        ]
    return sticks


def _stick(
    canvas: Canvas,
    start: tuple[float, float],
    end: tuple[float, float],
    width: float,
    colour: Colour,
    style: MahjongStyle,
) -> None:
    (x0, y0), (x1, y1) = start, end
    length = max(1.0, float(np.hypot(x1 - x0, y1 - y0)))
    ax, ay = (x1 - x0) / length, (y1 - y0) / length
    nx, ny = -ay, ax

    def at(t: float, across: float = 0.0) -> tuple[float, float]:
        """A point t pixels along from the start and `across` pixels to the side."""
        return x0 + ax * t + nx * across, y0 + ay * t + ny * across

    def bar(t0: float, t1: float, thick: float, paint: Colour | None) -> None:
        """A rounded bar whose ends lie at t0 and t1, its round caps included."""
        cap = min(thick / 2, (t1 - t0) / 2)
        canvas.stroke((at(t0 + cap), at(t1 - cap)), thick, paint)

    middle = length / 2
    kind = style.stick
    if kind == "capsule":
        bar(0, length, width, colour)
        bar(width * 0.5, length - width * 0.5, width * 0.24, None)
    elif kind == "peanut":
        bar(0, middle + 0.1 * width, width, colour)
        bar(middle - 0.1 * width, length, width, colour)
        bar(width * 0.4, middle - width * 0.3, width * 0.26, None)
        bar(middle + width * 0.3, length - width * 0.4, width * 0.26, None)
    elif kind == "joints":
        bar(0.1 * width, length - 0.1 * width, width * 0.62, colour)
        knob = width * 0.5
        for t in (knob * 0.5, middle, length - knob * 0.5):
            canvas.stroke((at(t, -width * 0.28), at(t, width * 0.28)), knob, colour)
        for t0, t1 in ((knob, middle - knob * 0.6), (middle + knob * 0.6, length - knob)):
            if t1 - t0 > 1.5:
                canvas.stroke((at(t0), at(t1)), width * 0.16, None)
    elif kind == "outline":
        bar(0, length, width, colour)
        bar(width * 0.26, length - width * 0.26, width * 0.5, None)
        canvas.stroke((at(middle, -width * 0.4), at(middle, width * 0.4)), width * 0.22, colour)
    elif kind == "bands":
        bar(0, length, width, colour)
        for t in (length * 0.33, length * 0.67) if length > 4 * width else (middle,):
            canvas.stroke((at(t, -width * 0.5), at(t, width * 0.5)), width * 0.18, None)
    elif kind == "twin":
        for across in (-width * 0.32, width * 0.32):
            canvas.stroke((at(width * 0.2, across), at(length - width * 0.2, across)), width * 0.26, colour)
        for t in (width * 0.2, middle, length - width * 0.2):
            canvas.stroke((at(t, -width * 0.4), at(t, width * 0.4)), width * 0.28, colour)
    else:
        count = 3 if length > 2.6 * width else 2
        step = length / count
        for k in range(count):
            x, y = at((k + 0.5) * step)
            angle = float(np.degrees(np.arctan2(ay, ax)))
            canvas.ellipse(x, y, (step * 0.54, width * 0.5), angle, colour)
            canvas.ellipse(x, y, (step * 0.28, width * 0.18), angle, None)


def _honour(canvas: Canvas, number: int, style: MahjongStyle, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    width, height = canvas.width, canvas.height
    if number == 5:
        _white(canvas, style)
        return
    winds = style.east + "南西北"
    chars = winds + style.fa + "中"
    font = font_for(glyphs, chars, style.honour_seed)
    char = chars[number - 1] if number <= 4 else chars[number - 2]
    colour = {6: style.inks.green, 7: style.inks.red}.get(number, style.wind_ink)
    size = style.honour_size * style.scale * width * (1.12 if number == 7 else 1.0)
    _write(canvas, glyphs, char, font, (width / 2, height / 2, size), colour, _weight(style, rng))


def _white(canvas: Canvas, style: MahjongStyle) -> None:
    """The white dragon: bare, or one of the usual frames."""
    width, height = canvas.width, canvas.height
    colour, line = style.white_ink, style.white_line * width
    x0, y0 = width * (0.5 - 0.33 * style.scale), height * (0.5 - 0.37 * style.scale)
    x1, y1 = width - x0, height - y0
    bend = 0.05 * width if style.great_petals % 2 else 0.0
    kind = style.white
    if kind in ("single", "double", "ornate"):
        canvas.rectangle(x0, y0, x1, y1, bend, colour)
        canvas.rectangle(x0 + line, y0 + line, x1 - line, y1 - line, max(0.0, bend - line), None)
    if kind in ("double", "ornate"):
        gap = line + 0.05 * width
        canvas.rectangle(x0 + gap, y0 + gap, x1 - gap, y1 - gap, bend, colour)
        gap += 0.6 * line
        canvas.rectangle(x0 + gap, y0 + gap, x1 - gap, y1 - gap, bend, None)
        if kind == "ornate":
            cut = 0.12 * width
            for x, dx in ((x0 + gap, cut), (x1 - gap, -cut)):
                for y, dy in ((y0 + gap, cut), (y1 - gap, -cut)):
                    canvas.polygon(((x, y), (x + dx, y), (x, y + dy)), colour)
    elif kind == "corners":
        for x, dx in ((x0, 0.2 * width), (x1, -0.2 * width)):
            for y, dy in ((y0, 0.2 * width), (y1, -0.2 * width)):
                canvas.stroke(((x + dx, y), (x, y), (x, y + dy)), line, colour)
    elif kind == "bars":
        canvas.rectangle(x0, y0, x1, y1, 0.0, colour)
        thick = max(line, 0.1 * width)
        canvas.rectangle(x0 + thick, y0 + thick, x1 - thick, y1 - thick, 0.0, None)
        for k in range(4):
            y = y0 + (y1 - y0) * (k + 0.5) / 4
            canvas.rectangle(x0 + 0.2 * thick, y - 0.07 * height, x0 + 0.8 * thick, y + 0.07 * height, 0.0, None)
            canvas.rectangle(x1 - 0.8 * thick, y - 0.07 * height, x1 - 0.2 * thick, y + 0.07 * height, 0.0, None)
    elif kind == "letter":
        mask = latin(style.white_letter, style.index_face, style.index_weight)
        canvas.glyph(mask, width / 2, height / 2, (0.5 * width, 0.5 * width), colour)


def _index(canvas: Canvas, char: str, style: MahjongStyle, rng: np.random.Generator) -> None:
    """The figure or letter in one corner or two."""
    width, height = canvas.width, canvas.height
    size = style.index_size * width
    mask = latin(char, style.index_face, style.index_weight)
    colour = style.index_ink if style.index_ink is not None else style.inks.any(rng)
    edge = 0.07 * width + size / 2
    x = width - edge if style.index == "right" else edge
    canvas.glyph(mask, x, edge, (size, size), colour)
    if style.index == "both":
        canvas.glyph(mask, width - x, height - edge, (size, size), colour, turn=180.0)


def _bonus(canvas: Canvas, number: int, style: MahjongStyle, glyphs: GlyphBank, rng: np.random.Generator) -> None:
    """A season (1 to 4) or flower (5 to 8): its character, its number and a picture."""
    width, height = canvas.width, canvas.height
    season = number <= 4
    order = (number - 1) % 4
    names = SEASONS if season else style.flowers
    colour = style.season_ink if season else style.flower_ink
    picture = np.random.default_rng((style.picture_seed, number))
    half = 0.42 * style.scale
    box = (width * (0.5 - half), height * 0.28, width * (0.5 + half), height * (0.5 + 0.46 * style.scale))
    if not season or style.season_picture == "plant":
        plant(canvas, box, order + 1, style.inks, picture)
    else:
        {"bouquet": bouquet, "figure": figure, "landscape": landscape}[style.season_picture](
            canvas, box, style.inks, picture
        )
    size = style.bonus_size * width
    edge = 0.09 * width + size / 2
    left = (order % 2 == 0) != style.bonus_swapped if style.index_weight == 3 else style.bonus_swapped
    x = edge if left else width - edge
    font = font_for(glyphs, names, style.honour_seed)
    _write(canvas, glyphs, names[order], font, (x, edge, size), colour, _weight(style, rng))
    if style.bonus_numbers:
        if style.bonus_chinese:
            font = font_for(glyphs, "一二三四", style.man_seed)
            _write(canvas, glyphs, "一二三四"[order], font, (width - x, edge, size * 0.9), colour, _weight(style, rng))
        else:
            mask = latin(str(order + 1), style.index_face, style.index_weight)
            canvas.glyph(mask, width - x, edge, (size * 0.85, size * 0.85), colour)
