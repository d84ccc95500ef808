"""Faces of mahjong tiles as Chinese, Hong Kong, Taiwanese, Japanese and American sets have them.

Three suits (characters, dots, bamboos), winds, dragons, seasons (f1 to f4) and flowers (f5 to f8).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.training.faces.art import FaceArt
from models.training.faces.canvas import Canvas, Colour, Surface, face_size
from models.training.faces.glyphs import GlyphBank
from models.training.faces.lettering import figure, font_for
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
    legible,
    mix,
    pick,
    vary,
)
from models.training.faces.pictures import Inks, bird, bouquet, landscape, person, plant, potted, shoot

CODES = (
    *(f"{n}{suit}" for suit in "mps" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    *(f"f{n}" for n in range(1, 9)),
)
NUMERALS = "一二三四五六七八九"
SEASONS = "春夏秋冬"
FLOWERS = ("梅蘭菊竹", "梅兰菊竹")
OTHERS = ("山水日月", "大小天地")  # sets that tell seasons and flowers by colour alone write all kinds of things

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
    label: float  # how far from the edge a glued label ends, 0 for none
    ground: Colour  # of the piece around the label
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
    brush: bool  # lettered as with a brush
    rise: float  # slant of level strokes
    stretch: tuple[float, float, float]  # width/height of numbers, wan and honours beyond the glyph's own
    weight: float  # change of stroke width, share of the glyph
    # dots
    dot: str  # rings, target, solid, wheel, flower, daisy or hollow
    dot_core: Colour | None  # its heart's ink where it differs
    dot_line: float  # share of the radius
    dot_radius: float
    dot_spread: float
    dot_few: float  # how much larger dots are where there are few
    dot_turned: bool  # whether the diagonals rise instead of falling
    dot_colours: tuple[int, ...]  # which of DOT_COLOURS, by number from 2
    great_dot: str  # petals, rings, wheel, beads or daisy
    great_petals: int
    great_radius: float
    great_inks: tuple[Colour, Colour, Colour]
    # bamboos
    stick: str  # capsule, peanut, scallop, joints, girder, outline, bands, twin or beads
    stick_width: float
    stick_fill: float  # length, share of its row
    stick_spread: float
    stick_colours: tuple[int, ...]
    eight: str  # the upper and lower four sticks: MW, WM, MM
    eight_joined: bool  # drawn as one bent bamboo
    eight_tip: float  # how far its inner bend reaches, share of its height
    eight_lean: float  # how far its outer sticks lean inwards
    bird: bool
    bird_seed: int
    # honours
    honour_seed: int
    wind_ink: Colour
    east: str
    fa: str
    honour_size: float
    red_size: float  # of 中
    red_stretch: float
    white: str  # blank, single, double, ornate, corners, bars or letter
    white_ink: Colour
    white_line: float
    white_marked: bool  # the letter stands in the frame
    # figures in the corners
    index: str  # none, left, right or both
    index_inks: tuple[Colour, Colour, Colour, Colour]  # of m, p, s and z
    figure_seed: int  # of the hand of figures and letters
    index_size: float
    white_letter: str
    # bonus tiles
    season_picture: str  # bouquet, person, landscape, plant or potted
    flower_picture: str  # plant, bouquet or potted
    picture_seed: int
    bonus_chinese: bool  # numbered 一 to 四
    bonus_numbers: bool
    bonus_swapped: bool  # the character stands on the left
    bonus_crossed: bool  # seasons the other way round than flowers
    bonus_size: float
    seasons: str
    flowers: str
    season_ink: Colour
    flower_ink: Colour
    red_fives: bool
    slip: tuple[float, float]  # how far the middle of the face is moved away from its figures

    def centre(self, canvas: Canvas) -> tuple[float, float]:
        """The middle of what stands on a face, in pixels."""
        return canvas.width * (0.5 + self.slip[0]), canvas.height * (0.5 + self.slip[1])


def sample_style(rng: np.random.Generator) -> MahjongStyle:
    """A set of any of the common makes."""
    make = str(
        rng.choice(("chinese", "riichi", "american", "bone", "dark", "card"), p=(0.42, 0.24, 0.1, 0.1, 0.07, 0.07))
    )
    base = pick(
        rng, {"bone": IVORIES + LIGHTS[2:], "american": IVORIES + LIGHTS}.get(make, LIGHTS + LIGHTS + IVORIES[:2]), 6
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
        inks = Inks(*(legible(ink, base, 50.0) for ink in (inks.main, inks.green, inks.red, inks.black)))
    labelled = rng.random() < (0.45 if make == "card" else 0.01)
    ground = pick(rng, WOODS + WOODS + LIGHTS + GREENS + BLUES + BLACKS) if labelled else base
    black_numbers = rng.random() < 0.35
    number_ink = inks.black if black_numbers else inks.main
    if rng.random() < 0.06:
        number_ink = inks.green if rng.random() < 0.5 else inks.red
    indexed = rng.random() < {"american": 0.95, "chinese": 0.22, "riichi": 0.25}.get(make, 0.15)
    other = rng.random() < 0.05
    simplified = rng.random() < 0.08
    radius = rng.uniform(0.12, 0.165) if rng.random() < 0.75 else rng.uniform(0.16, 0.2)
    brush = rng.random() < 0.62
    corner = str(rng.choice(("left", "right", "both"), p=(0.6, 0.15, 0.25))) if indexed else "none"
    aside = rng.uniform(0.0, 0.05)
    slip = {"left": (aside, aside), "right": (-aside, aside)}.get(corner, (0.0, 0.0))
    index_ink = inks.any(rng)
    index_inks = (index_ink,) * 4
    if rng.random() < 0.4:
        index_inks = (inks.any(rng), inks.any(rng), inks.any(rng), inks.any(rng))
    return MahjongStyle(
        aspect=rng.uniform(0.62, 0.72) if make == "card" else rng.uniform(0.69, 0.81),
        body=vary(rng, ground, 6),
        back=pick(rng, WOODS if make == "bone" else BACKS, 20),
        thickness=rng.uniform(0.02, 0.1) if make == "card" and not labelled else rng.uniform(0.5, 0.85),
        surface=Surface(
            base=base,
            mottle=rng.uniform(0.0, 0.06 if make == "bone" else 0.03),
            grain=rng.uniform(0.0, 0.05) if make == "bone" else 0.0,
            fibre=int(rng.integers(10, 40)),
            wear=rng.uniform(0.05, 0.35) if rng.random() < (0.4 if make == "bone" else 0.1) else 0.0,
            pool=rng.uniform(0.1, 0.6) if rng.random() < 0.4 else 0.0,
            unsteady=rng.uniform(0.004, 0.014) if rng.random() < {"bone": 0.6, "card": 0.3}.get(make, 0.06) else 0.0,
        ),
        inks=inks,
        scale=rng.uniform(0.8, 0.98) if indexed else rng.uniform(0.86, 1.06),
        border=rng.uniform(0.012, 0.03) if rng.random() < (0.4 if make == "card" else 0.04) else 0.0,
        label=rng.uniform(0.02, 0.08) if labelled else 0.0,
        ground=ground,
        number_ink=number_ink,
        wan_ink=inks.red if rng.random() < 0.93 else inks.main,
        five="伍" if rng.random() < 0.5 else "五",
        three="參" if rng.random() < 0.05 else "三",
        wan="万" if simplified or rng.random() < 0.03 else "萬",
        man_seed=int(rng.integers(1 << 31)),
        number_size=rng.uniform(0.42, 0.6),
        wan_size=rng.uniform(0.52, 0.74),
        man_split=rng.uniform(0.38, 0.46),
        brush=brush,
        rise=rng.uniform(0.0, 0.2) if brush and rng.random() < 0.6 else rng.uniform(-0.03, 0.05),
        stretch=(rng.uniform(0.95, 1.3), rng.uniform(0.9, 1.25), rng.uniform(0.78, 1.15)),
        weight=rng.uniform(-0.01, 0.03),
        dot=str(
            rng.choice(
                ("rings", "target", "solid", "wheel", "flower", "daisy", "hollow"),
                p=(0.32, 0.22, 0.07, 0.13, 0.09, 0.12, 0.05),
            )
        ),
        dot_core=inks.any(rng) if rng.random() < 0.2 else None,
        dot_line=rng.uniform(0.16, 0.3),
        dot_radius=radius,
        dot_spread=rng.uniform(0.85, 1.12),
        dot_few=rng.uniform(0.95, 1.25),
        dot_turned=bool(rng.random() < 0.3),
        dot_colours=tuple(int(i) for i in rng.integers(0, 60, 10)),
        great_dot=str(rng.choice(("petals", "rings", "wheel", "beads", "daisy"), p=(0.3, 0.2, 0.18, 0.16, 0.16))),
        great_petals=int(rng.integers(8, 20)),
        great_radius=rng.uniform(0.29, 0.43),
        great_inks=(inks.green if rng.random() < 0.6 else inks.main, inks.red, inks.any(rng)),
        stick=str(
            rng.choice(
                ("capsule", "peanut", "scallop", "joints", "girder", "outline", "bands", "twin", "beads"),
                p=(0.14, 0.19, 0.18, 0.13, 0.14, 0.06, 0.06, 0.05, 0.05),
            )
        ),
        stick_width=rng.uniform(0.09, 0.15) if rng.random() < 0.7 else rng.uniform(0.14, 0.19),
        stick_fill=rng.uniform(0.82, 0.97),
        stick_spread=rng.uniform(0.85, 1.12),
        stick_colours=tuple(int(i) for i in rng.integers(0, 60, 10)) if rng.random() < 0.6 else (0,) * 10,
        eight=str(rng.choice(("MW", "WM", "MM"), p=(0.46, 0.42, 0.12))),
        eight_joined=bool(rng.random() < 0.35),
        eight_tip=rng.uniform(0.5, 0.9),
        eight_lean=rng.uniform(0.0, 0.35) if rng.random() < 0.5 else 0.0,
        bird=bool(rng.random() < 0.93),
        bird_seed=int(rng.integers(1 << 31)),
        honour_seed=int(rng.integers(1 << 31)),
        wind_ink=number_ink if rng.random() < 0.75 else (inks.black if rng.random() < 0.6 else inks.main),
        east="东" if simplified else "東",
        fa="发" if simplified else "發",
        honour_size=rng.uniform(0.56, 0.82),
        red_size=rng.uniform(0.6, 0.9),
        red_stretch=rng.uniform(0.6, 1.1),
        white=str(
            rng.choice(
                ("blank", "single", "double", "ornate", "corners", "bars", "letter"),
                p=(0.24, 0.16, 0.22, 0.16, 0.08, 0.09, 0.05),
            )
        ),
        white_ink=inks.any(rng) if rng.random() < 0.3 else inks.main,
        white_line=rng.uniform(0.02, 0.07),
        white_marked=bool(rng.random() < 0.08),
        index=corner,
        index_inks=index_inks,
        figure_seed=int(rng.integers(1 << 31)),
        index_size=rng.uniform(0.12, 0.2),
        white_letter=str(rng.choice(("P", "B", "W"), p=(0.6, 0.3, 0.1))),
        season_picture=str(
            rng.choice(("bouquet", "person", "landscape", "plant", "potted"), p=(0.44, 0.2, 0.14, 0.14, 0.08))
        ),
        flower_picture=str(rng.choice(("plant", "bouquet", "potted"), p=(0.68, 0.2, 0.12))),
        picture_seed=int(rng.integers(1 << 31)),
        bonus_chinese=bool(rng.random() < 0.25),
        bonus_numbers=bool(rng.random() < 0.9),
        bonus_swapped=bool(rng.random() < 0.5),
        bonus_crossed=bool(rng.random() < 0.3),
        bonus_size=rng.uniform(0.18, 0.28),
        seasons=OTHERS[0] if other else SEASONS,
        flowers=OTHERS[1] if other else FLOWERS[int(rng.random() < 0.15)],
        season_ink=inks.red if other or rng.random() < 0.7 else inks.any(rng),
        flower_ink=inks.main if other or rng.random() < 0.7 else inks.any(rng),
        red_fives=bool(rng.random() < (0.5 if make == "riichi" else 0.03)),
        slip=slip,
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
    else:
        _plain(canvas, code, inks, style, glyphs, rng)
    if style.label:
        canvas.margin(style.label * width, style.ground)
    return canvas.finish(style.surface, rng, turn=2.5 if style.label else 1.2)


def _plain(
    canvas: Canvas, code: str, inks: Inks, style: MahjongStyle, glyphs: GlyphBank, rng: np.random.Generator
) -> None:
    """A tile of a suit or an honour, with its figure if the set has figures."""
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
        ink = style.index_inks["mpsz".index(suit)]
        _index(canvas, letter[number - 1] if suit == "z" else str(number), ink, style)


def _write(
    canvas: Canvas,
    mask: NDArray[np.float32],
    place: tuple[float, float, float],
    stretch: float,
    colour: Colour,
    style: MahjongStyle,
) -> None:
    """A character centred at place = (x, y, size), `stretch` times as wide as its font has it."""
    x, y, size = place
    wide = stretch**0.5
    canvas.glyph(mask, x, y, (size * wide, size / wide), colour, rise=style.rise)


def _mask(
    glyphs: GlyphBank, char: str, font: str, size: float, style: MahjongStyle, rng: np.random.Generator
) -> NDArray[np.float32]:
    """A character's coverage, large enough for `size` pixels, as heavy as this piece has it."""
    weight = round(style.weight + float(rng.uniform(-0.006, 0.006)), 3)
    return glyphs.mask(char, font, max(24, min(96, 8 * round(size / 8 + 0.5))), weight=weight)


def _man(
    canvas: Canvas, number: int, inks: Inks, style: MahjongStyle, glyphs: GlyphBank, rng: np.random.Generator
) -> None:
    width, height = canvas.width, canvas.height
    cx = style.centre(canvas)[0]
    numerals = NUMERALS.replace("三", style.three).replace("五", style.five)
    font = font_for(glyphs, numerals + style.wan, style.man_seed, brush=style.brush)
    plain = inks is style.inks
    char = numerals[number - 1]
    size = min(style.number_size * style.scale * width * (1.0 if number <= 3 else 0.9), 0.42 * height)
    split = style.man_split * height
    tall = size / style.stretch[0] ** 0.5
    y = split * 0.5 if number <= 3 else max(split - 0.56 * tall, 0.52 * tall)
    ink = style.number_ink if plain else inks.red
    _write(canvas, _mask(glyphs, char, font, size, style, rng), (cx, y, size), style.stretch[0], ink, style)
    room = height - split
    size = min(style.wan_size * style.scale * width, 0.9 * room * style.stretch[1] ** 0.5)
    place = (cx, split + room * 0.48, size)
    ink = style.wan_ink if plain else inks.red
    _write(canvas, _mask(glyphs, style.wan, font, size, style, rng), place, style.stretch[1], ink, style)


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
    cx, cy = style.centre(canvas)
    for (u, v), letter in zip(places, letters, strict=True):
        x = cx + u * width * style.scale + 0.004 * width * rng.normal()
        y = cy + v * height * style.scale * 0.97 + 0.004 * width * rng.normal()
        _dot(canvas, x, y, radius * rng.uniform(0.97, 1.03), _ink(letter, inks), style)


def _dot_places(number: int, style: MahjongStyle) -> tuple[float, list[tuple[float, float]]]:
    """Radius (share of the width) and places from the centre (shares of width and height)."""
    r = style.dot_radius
    lean = -1.0 if style.dot_turned else 1.0
    s = style.dot_spread
    tall = 1.0 / style.aspect  # the height in widths
    if number in (2, 3):
        r *= style.dot_few
        if number == 2:
            q = min(1.15 * r, 0.2 * tall)
            return q, [(0.0, -0.23 * s), (0.0, 0.23 * s)]
        return min(1.08 * r, 0.2), [(-0.26 * s * lean, -0.28 * s), (0.0, 0.0), (0.26 * s * lean, 0.28 * s)]
    if number == 4:
        q = min(1.05 * r * style.dot_few, 0.21)
        return q, [(u * max(0.21 * s, 1.03 * q), v * 0.24 * s) for v in (-1, 1) for u in (-1, 1)]
    if number == 5:
        q, across = min(r, 0.18), 0.25 * s
        return q, [(-across, -0.27 * s), (across, -0.27 * s), (0, 0), (-across, 0.27 * s), (across, 0.27 * s)]
    if number == 6:
        r = min(r, 0.165)
        side = max(0.19 * s, 1.03 * r)
        step = max(2.05 * r / tall, 0.21 * s)
        low = 0.37 - r / tall * 0.3
        top = min(-0.32, low - 2 * step)
        return r, [(u * side, v) for v in (top, low - step, low) for u in (-1, 1)]
    if number == 7:
        q = min(0.92 * r, 0.15)
        step = max(2.03 * q / tall, 0.19 * s)
        three = [(-0.27 * lean, -0.37), (0.0, -0.26), (0.27 * lean, -0.15)]
        return q, three + [(u * max(0.19 * s, 1.03 * q), v) for v in (0.37 - step, 0.37) for u in (-1, 1)]
    if number == 8:
        q = min(r, 0.12 * tall)
        return q, [(u * max(0.17 * s, 1.03 * q), v) for v in (-0.36, -0.12, 0.12, 0.36) for u in (-1, 1)]
    q = min(r, 0.15)
    return q, [(u * max(0.27 * s, 2.02 * q), v * 0.3) for v in (-1, 0, 1) for u in (-1, 0, 1)]


def _dot(canvas: Canvas, x: float, y: float, radius: float, colour: Colour, style: MahjongStyle) -> None:
    line = style.dot_line * radius
    core = style.dot_core if style.dot_core is not None else colour
    kind = style.dot
    if kind == "rings":
        canvas.ring(x, y, radius, line, colour)
        canvas.ring(x, y, radius - 1.8 * line, 0.9 * line, core)
        canvas.disc(x, y, max(0.5, radius - 3.4 * line) * 0.7, core)
    elif kind == "target":
        canvas.disc(x, y, radius, colour)
        canvas.disc(x, y, radius - line, None)
        canvas.disc(x, y, radius - 1.6 * line, core)
        canvas.disc(x, y, radius * 0.3, None)
        canvas.disc(x, y, radius * 0.14, core)
    elif kind == "solid":
        canvas.disc(x, y, radius, colour)
        canvas.disc(x, y, line, None)
    elif kind == "wheel":
        canvas.disc(x, y, radius, colour)
        canvas.disc(x, y, radius - line * 0.8, None)
        arm = radius - line * 0.5
        canvas.stroke(((x - arm, y), (x + arm, y)), line * 0.8, colour)
        canvas.stroke(((x, y - arm), (x, y + arm)), line * 0.8, colour)
        canvas.disc(x, y, radius * 0.34, core)
    elif kind == "flower":
        canvas.disc(x, y, radius, colour)
        for c, s in _circle(6):
            canvas.disc(x + 0.58 * radius * c, y + 0.58 * radius * s, 0.2 * radius, None)
        canvas.disc(x, y, 0.18 * radius, None)
    elif kind == "daisy":
        n = 8 + style.great_petals % 3
        canvas.disc(x, y, 0.94 * radius, colour)
        for c, s in _circle(n):
            canvas.stroke(
                ((x + 0.48 * radius * c, y + 0.48 * radius * s), (x + 0.74 * radius * c, y + 0.74 * radius * s)),
                1.9 * radius / n,
                None,
            )
        canvas.disc(x, y, 0.28 * radius, core)
        canvas.disc(x, y, 0.12 * radius, None)
    else:
        canvas.ring(x, y, radius, line * 1.3, colour)
        canvas.disc(x, y, radius * 0.2, core)


@lru_cache(maxsize=32)
def _circle(count: int) -> tuple[tuple[float, float], ...]:
    """That many even directions, as cosine and sine."""
    angles = 2 * np.pi * np.arange(count) / count
    return tuple(zip(np.cos(angles).tolist(), np.sin(angles).tolist(), strict=True))


def _great_dot(canvas: Canvas, style: MahjongStyle) -> None:
    """The one of dots: a large ornate disc."""
    x, y = style.centre(canvas)
    radius = style.great_radius * style.scale * canvas.width
    first, second, third = style.great_inks
    n = style.great_petals
    if style.great_dot == "petals":
        inner = 0.72 * radius
        for k, (c, s) in enumerate(_circle(n)):
            size = (0.28 * radius, 2.0 * radius / n)
            canvas.ellipse(x + inner * c, y + inner * s, size, 360.0 * k / n, first, line=0.06 * radius)
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
        for c, s in _circle(n):
            ends = ((x + 0.5 * radius * c, y + 0.5 * radius * s), (x + 0.92 * radius * c, y + 0.92 * radius * s))
            canvas.stroke(ends, 0.07 * radius, third)
        canvas.disc(x, y, 0.52 * radius, first)
        canvas.disc(x, y, 0.42 * radius, None)
        canvas.disc(x, y, 0.34 * radius, second)
        canvas.stroke(((x - 0.3 * radius, y), (x + 0.3 * radius, y)), 0.07 * radius, None)
        canvas.stroke(((x, y - 0.3 * radius), (x, y + 0.3 * radius)), 0.07 * radius, None)
    elif style.great_dot == "daisy":
        canvas.disc(x, y, 0.93 * radius, first)
        for c, s in _circle(n):
            canvas.disc(x + 0.9 * radius * c, y + 0.9 * radius * s, 1.9 / n * radius, first)
        for c, s in _circle(n):
            ends = ((x + 0.58 * radius * c, y + 0.58 * radius * s), (x + 0.86 * radius * c, y + 0.86 * radius * s))
            canvas.stroke(ends, 2.4 * radius / n, None)
        canvas.disc(x, y, 0.4 * radius, None)
        for c, s in _circle(5):
            canvas.stroke(((x, y), (x + 0.24 * radius * c, y + 0.24 * radius * s)), 0.13 * radius, second)
    else:
        canvas.disc(x, y, radius, first)
        for c, s in _circle(n):
            canvas.disc(x + 0.8 * radius * c, y + 0.8 * radius * s, min(0.12, 1.9 / n) * radius, None)
        canvas.disc(x, y, 0.6 * radius, None)
        canvas.disc(x, y, 0.5 * radius, second)
        canvas.disc(x, y, 0.26 * radius, None)
        canvas.disc(x, y, 0.14 * radius, third)


def _bamboos(canvas: Canvas, number: int, inks: Inks, style: MahjongStyle, rng: np.random.Generator) -> None:
    width, height = canvas.width, canvas.height
    cx, cy = style.centre(canvas)
    if number == 1:
        picture = np.random.default_rng(style.bird_seed)
        half = (0.4 + 0.02 * (style.bird_seed % 4)) * style.scale
        box = (cx - half * width, cy - half * height, cx + half * width, cy + half * height)
        (bird if style.bird else shoot)(canvas, box, inks, picture)
        return
    choices = STICK_COLOURS[number]
    letters = choices[style.stick_colours[number] % len(choices)]
    thick = style.stick_width * width * style.scale * (1.0 if number <= 5 else 0.92)
    if number in (6, 7, 9):
        thick = min(thick, 0.94 * _wide(style) * width * style.scale)
    sx, sy = width * style.scale, min(height * style.scale * 0.86, 0.92 * height)
    if number == 8:
        _eight(canvas, (sx, sy), min(0.9 * thick, 0.115 * sx), letters, inks, style)
        return
    for (u, v, length), letter in zip(_stick_places(number, style), letters, strict=True):
        x = cx + u * sx + 0.004 * width * rng.normal()
        y = cy + v * sy + 0.004 * width * rng.normal()
        half = length * sy / 2
        stick = thick * rng.uniform(0.97, 1.03)
        _stick(canvas, (x, y - half), (x, y + half), stick, _ink(letter, inks), style)


def _wide(style: MahjongStyle) -> float:
    """Distance of two columns of sticks, share of the width."""
    return min(0.31, 0.25 * style.stick_spread)


def _stick_places(number: int, style: MahjongStyle) -> list[tuple[float, float, float]]:
    """Place from the centre and length of each stick, shares of width, height and height."""
    half, third = 0.5 * style.stick_fill, style.stick_fill / 3
    wide = _wide(style)
    if number == 2:
        return [(0.0, v, half) for v in (-0.25, 0.25)]
    if number == 3:
        return [(0.0, -0.25, half), (-wide * 0.8, 0.25, half), (wide * 0.8, 0.25, half)]
    if number == 4:
        return [(u * wide * 0.85, v, half) for v in (-0.25, 0.25) for u in (-1, 1)]
    if number == 5:
        corners = [(u * wide, v, half) for v in (-0.25, 0.25) for u in (-1, 1)]
        return [*corners[:2], (0.0, 0.0, half), *corners[2:]]
    if number == 6:
        return [(u * wide, v, half) for v in (-0.25, 0.25) for u in (-1, 0, 1)]
    if number == 7:
        return [(0.0, -1 / 3, third), *((u * wide, v, third) for v in (0.0, 1 / 3) for u in (-1, 0, 1))]
    return [(u * wide, v, third) for v in (-1 / 3, 0.0, 1 / 3) for u in (-1, 0, 1)]


def _eight(
    canvas: Canvas, size: tuple[float, float], thick: float, letters: str, inks: Inks, style: MahjongStyle
) -> None:
    """Eight bamboos: four as an M or W above, four below; an M's inner pair hangs from the outer sticks' tops."""
    x, y = style.centre(canvas)
    out = 0.27 * size[0]
    gap = (0.02 + 0.02 * (1 - style.stick_fill) / 0.18) * size[1]
    gap = max(gap, (0.7 if style.eight_joined else 0.1) * thick)
    for half, shape in enumerate(style.eight):
        span = 0.49 * size[1] - gap
        top = y - gap - span if half == 0 else y + gap
        high, low = (top, top + span) if shape == "M" else (top + span, top)
        tip = high + (low - high) * style.eight_tip
        near = out * (1 - style.eight_lean)
        inks_here = [_ink(letter, inks) for letter in letters[4 * half : 4 * half + 4]]
        if style.eight_joined:
            path = ((x - out, low), (x - near, high), (x, tip), (x + near, high), (x + out, low))
            canvas.stroke(path, thick, inks_here[0])
            if style.stick in ("scallop", "joints", "girder", "peanut"):
                middle = ((x - (out + near) / 2, (low + high) / 2), (x + (out + near) / 2, (low + high) / 2))
                for px, py in (*path, *middle):
                    canvas.disc(px, py, thick * 0.62, inks_here[0])
            canvas.stroke(path, thick * 0.26, None)
            continue
        step = 0.04 * (low - high)
        for side, outer, inner in ((-1, inks_here[0], inks_here[1]), (1, inks_here[3], inks_here[2])):
            ends = ((x + side * out, low), (x + side * near, high))
            _stick(canvas, ends[0], ends[1], thick, outer, style)
            start = (x + side * (near - 0.75 * thick), high + step)
            _stick(canvas, start, (x + side * 0.35 * thick, tip), 0.9 * thick, inner, style)


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
    elif kind == "scallop":
        swell = min(width * 0.5, length / 5)
        bar(0.1 * width, length - 0.1 * width, width * 0.8, colour)
        for t in (swell, middle, length - swell):
            canvas.disc(*at(t), swell * 1.02, colour)
        bar(width * 0.45, length - width * 0.45, width * 0.22, None)
    elif kind == "girder":
        cap = min(width * 0.32, length / 6)
        bar(0.0, length, width * 0.66, colour)
        for t in (cap / 2, length - cap / 2):
            canvas.stroke((at(t, -width * 0.36), at(t, width * 0.36)), cap, colour)
        canvas.stroke((at(middle, -width * 0.26), at(middle, width * 0.26)), cap, colour)
        for t0, t1 in ((1.4 * cap, middle - 0.8 * cap), (middle + 0.8 * cap, length - 1.4 * cap)):
            if t1 - t0 > 1.0:
                bar(t0, t1, width * 0.32, None)
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
    width = canvas.width
    if number == 5:
        _white(canvas, style)
        return
    winds = style.east + "南西北"
    chars = winds + style.fa + "中"
    font = font_for(glyphs, chars, style.honour_seed, brush=style.brush)
    char = chars[number - 1] if number <= 4 else chars[number - 2]
    colour = {6: style.inks.green, 7: style.inks.red}.get(number, style.wind_ink)
    size, stretch = (style.red_size, style.red_stretch) if number == 7 else (style.honour_size, style.stretch[2])
    size *= style.scale * width
    cx, cy = style.centre(canvas)
    _write(canvas, _mask(glyphs, char, font, size, style, rng), (cx, cy, size), stretch, colour, style)


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
    if kind == "letter" or (style.white_marked and kind != "blank"):
        size = (0.5 if kind == "letter" else 0.25) * width
        mask = figure(style.white_letter, style.figure_seed)
        canvas.glyph(mask, width / 2, height / 2, (size, size), colour)


def _index(canvas: Canvas, char: str, colour: Colour, style: MahjongStyle) -> None:
    """The figure or letter in one corner or two."""
    width, height = canvas.width, canvas.height
    size = style.index_size * width
    mask = figure(char, style.figure_seed)
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
    names = style.seasons if season else style.flowers
    colour = style.season_ink if season else style.flower_ink
    picture = np.random.default_rng((style.picture_seed, number))
    half = 0.42 * style.scale
    box = (width * (0.5 - half), height * 0.28, width * (0.5 + half), height * (0.5 + 0.46 * style.scale))
    kind = style.season_picture if season else style.flower_picture
    if kind == "plant":
        plant(canvas, box, order + 1, style.inks, picture)
    else:
        {"bouquet": bouquet, "person": person, "landscape": landscape, "potted": potted}[kind](
            canvas, box, style.inks, picture
        )
    size = style.bonus_size * width
    edge = 0.09 * width + size / 2
    left = style.bonus_swapped != (season and style.bonus_crossed)
    x = edge if left else width - edge
    font = font_for(glyphs, names, style.honour_seed, brush=style.brush)
    _write(canvas, _mask(glyphs, names[order], font, size, style, rng), (x, edge, size), 1.0, colour, style)
    if not style.bonus_numbers:
        return
    x, size = width - x, size * 0.86
    if style.bonus_chinese:
        font = font_for(glyphs, NUMERALS[:4], style.man_seed, brush=style.brush)
        mask = _mask(glyphs, NUMERALS[order], font, size, style, rng)
    else:
        mask = figure(str(order + 1), style.figure_seed)
    canvas.glyph(mask, x, edge, (size, size), colour)
