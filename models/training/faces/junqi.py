"""Faces of junqi (army chess) blocks: two characters side by side or one above the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.training.faces.art import FaceArt
from models.training.faces.canvas import Canvas, Colour, Surface, face_size
from models.training.faces.glyphs import Cut, GlyphBank
from models.training.faces.lettering import font_for
from models.training.faces.palette import (
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

NAMES = {  # rank: simplified, traditional
    "1": ("司令", "司令"),
    "2": ("军长", "軍長"),
    "3": ("师长", "師長"),
    "4": ("旅长", "旅長"),
    "5": ("团长", "團長"),
    "6": ("营长", "營長"),
    "7": ("连长", "連長"),
    "8": ("排长", "排長"),
    "9": ("工兵", "工兵"),
    "L": ("地雷", "地雷"),
    "B": ("炸弹", "炸彈"),
    "F": ("军旗", "軍旗"),
}
CODES = tuple(side + rank for side in "rb" for rank in NAMES)
LETTERS = tuple("".join(dict.fromkeys("".join(pair[i] for pair in NAMES.values()))) for i in (0, 1))

ORANGES: tuple[Colour, ...] = ((30, 110, 225), (20, 140, 240), (40, 90, 200), (30, 130, 215))
PURPLES: tuple[Colour, ...] = ((140, 50, 120), (120, 30, 90), (160, 70, 140))
BRIGHT_BLUES: tuple[Colour, ...] = ((200, 120, 40), (220, 150, 60), (170, 90, 30))
BRIGHT_GREENS: tuple[Colour, ...] = ((70, 160, 60), (60, 130, 40), (90, 180, 120), (20, 150, 120))
YELLOWS: tuple[Colour, ...] = ((60, 200, 235), (40, 180, 225), (90, 215, 240))


@dataclass(frozen=True, slots=True)
class Side:
    """How one of the two armies looks (colours BGR). `lining` edges the text, None where it has no edge."""

    base: Colour
    text: Colour
    frame: Colour
    field: Colour | None
    lining: Colour | None


@dataclass(frozen=True, slots=True)
class JunqiStyle:
    """One set of blocks. Lengths are shares of the face's short side."""

    aspect: float
    body: Colour
    back: Colour
    thickness: float
    red: Side
    black: Side
    mottle: float
    grain: float
    fibre: int
    wear: float
    pool: float  # how much paint gathered along the edges of grooves
    wobble: float  # of the hand that drew, share of the long side
    traditional: bool
    font_seed: int
    weight: float  # change of stroke width, share of the glyph
    size: float
    gap: float  # between the two characters, share of a character's size
    squeeze: float  # width/height of a character
    frame: str  # none, line, double, band or corners
    frame_inset: float
    frame_line: float
    frame_round: float
    label: float  # how far from the edge a glued label ends, 0 for none
    ground: Colour  # of the piece around the label
    special: Colour | None  # the colour of text on flag, mine and bomb where it differs
    unsteady: float  # how far characters stray and lean, 0 for print
    cut: Cut


def sample_style(rng: np.random.Generator) -> JunqiStyle:
    """A set: coloured text on pale or wooden blocks, or pale text on coloured ones."""
    coloured = rng.random() < 0.45
    warm, cool = _armies(rng)
    labelled = not coloured and rng.random() < 0.22
    grain = 0.0
    if coloured:
        letters = pick(rng, LIGHTS + LIGHTS + IVORIES[:2] + GOLDS + YELLOWS, 10)
        if rng.random() < 0.12:
            letters = pick(rng, BLACKS)
        red = Side(warm, legible(letters, warm), mix(warm, letters, 0.7), None, None)
        black = Side(cool, legible(letters, cool), mix(cool, letters, 0.7), None, None)
        if rng.random() < 0.25:
            red = Side(red.base, red.text, red.frame, mix(warm, (0, 0, 0), 0.35), None)
            black = Side(black.base, black.text, black.frame, mix(cool, (0, 0, 0), 0.35), None)
        base = warm
    else:
        base = pick(rng, LIGHTS if labelled else LIGHTS + LIGHTS + IVORIES + WOODS, 7)
        if rng.random() < 0.05:
            base = pick(rng, BLACKS, 10)
        warm, cool = legible(warm, base), legible(cool, base)
        field = pick(rng, LIGHTS) if rng.random() < 0.12 else None
        red, black = Side(base, warm, warm, field, None), Side(base, cool, cool, field, None)
        grain = rng.uniform(0.02, 0.14) if base[0] < 165 else rng.uniform(0.0, 0.02)
    if rng.random() < 0.1:
        edge: Colour = (20, 20, 20) if sum(red.text) > 380 else (245, 245, 245)
        red = Side(red.base, red.text, red.frame, red.field, edge)
        black = Side(black.base, black.text, black.frame, black.field, edge)
    flat = rng.random() < 0.62
    ground = pick(rng, WOODS + WOODS + LIGHTS + GREENS + BLUES + BLACKS) if labelled else base
    special = None
    if coloured and rng.random() < 0.12:  # on pale blocks the text's colour is all that tells the sides apart
        special = pick(rng, YELLOWS + LIGHTS[:1])
    hand = rng.random() < 0.2
    framed = str(rng.choice(("none", "line", "double", "band", "corners"), p=(0.45, 0.28, 0.11, 0.1, 0.06)))
    own_body = coloured and rng.random() < 0.75
    return JunqiStyle(
        aspect=rng.uniform(1.4, 2.15) if flat else rng.uniform(0.5, 0.82),
        body=vary(rng, ground, 8) if own_body or not coloured else pick(rng, LIGHTS + WOODS),
        back=vary(rng, ground, 10) if rng.random() < 0.6 else pick(rng, LIGHTS + WOODS + GREENS + BLUES),
        thickness=rng.uniform(0.25, 0.7),
        red=red,
        black=black,
        mottle=rng.uniform(0.0, 0.05),
        grain=grain,
        fibre=int(rng.integers(10, 40)),
        wear=rng.uniform(0.05, 0.4) if rng.random() < 0.15 else 0.0,
        pool=rng.uniform(0.1, 0.6) if rng.random() < 0.3 else 0.0,
        wobble=rng.uniform(0.004, 0.014) if rng.random() < (0.5 if hand else 0.05) else 0.0,
        traditional=bool(rng.random() < 0.25),
        font_seed=int(rng.integers(1 << 31)),
        weight=float(rng.uniform(-0.012, 0.035)) if rng.random() < 0.7 else 0.0,
        size=rng.uniform(0.5, 0.86),
        gap=rng.uniform(0.02, 0.3),
        squeeze=rng.uniform(0.82, 1.15),
        frame=framed,
        frame_inset=rng.uniform(0.02, 0.1),
        frame_line=rng.uniform(0.015, 0.06),
        frame_round=rng.uniform(0.0, 0.16),
        label=rng.uniform(0.02, 0.1) if labelled else 0.0,
        ground=ground,
        special=special,
        unsteady=rng.uniform(0.4, 1.0) if hand else rng.uniform(0.0, 0.15),
        cut=Cut.sample(rng),
    )


def _armies(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """The warmer and the cooler colour of a set."""
    warm = pick(rng, REDS, 16)
    cool = pick(rng, BLACKS + BLACKS + BLUES + BRIGHT_BLUES + GREENS + BRIGHT_GREENS, 14)
    fate = rng.random()
    if fate < 0.14:
        warm = pick(rng, ORANGES, 14)
        cool = pick(rng, GREENS + BRIGHT_GREENS + PURPLES + BLUES + BLACKS, 14)
    elif fate < 0.19:
        warm = pick(rng, YELLOWS, 10)
        cool = pick(rng, BLUES + GREENS + BLACKS, 14)
    elif fate < 0.24:
        cool = pick(rng, PURPLES, 14)
    return warm, cool


def draw(code: str, style: JunqiStyle, glyphs: GlyphBank, rng: np.random.Generator) -> FaceArt:
    """The face of a block, upright.

    `code` is one of CODES. Raises KeyError for another one, ValueError where the bank has no font for the set.
    """
    if code not in CODES:
        raise KeyError(code)
    name = NAMES[code[1]][style.traditional]
    side = style.red if code[0] == "r" else style.black
    font = font_for(glyphs, LETTERS[style.traditional], style.font_seed)
    width, height = face_size(style.aspect)
    short = min(width, height)
    canvas = Canvas(width, height, side.base)
    inset = _frame(canvas, side, style, short)
    beside = style.aspect > 1
    # the two characters and the gap fill what the frame leaves, at most `size` of the short side
    inset = max(inset, (style.label + 0.02) * short)
    free = (width - 2 * inset, height - 2 * inset)
    long_free, short_free = (free[0], free[1]) if beside else (free[1], free[0])
    along, across = (style.squeeze, 1.0) if beside else (1.0, style.squeeze)
    tall = min(style.size * short / across, 0.94 * short_free / across, 0.92 * long_free / ((2 + style.gap) * along))
    size = (tall * style.squeeze, tall)
    step = (1 + style.gap) * tall * along / 2
    text = style.special if style.special is not None and code[1] in "LBF" else side.text
    weight = round(style.weight + float(rng.uniform(-0.006, 0.006)), 3)
    pixels = max(24, min(96, 8 * round(tall / 8 + 0.5)))
    for way, char in zip((-1, 1), name, strict=True):
        stray = rng.uniform(-1.0, 1.0, 4) * style.unsteady
        x = width / 2 + (way * step if beside else 0.0) + 0.05 * tall * stray[0]
        y = height / 2 + (0.0 if beside else way * step) + 0.05 * tall * stray[1]
        grown = (size[0] * (1 + 0.1 * stray[2]), size[1] * (1 + 0.1 * stray[2]))
        turn = 6.0 * float(stray[3])
        if side.lining is not None:
            thick = glyphs.mask(char, font, pixels, weight=weight + 0.05)
            canvas.glyph(thick, x, y, grown, side.lining, turn=turn)
        letter = glyphs.mask(char, font, pixels, weight=weight)
        if side.lining is None:
            letter = style.cut.bent(letter, rng)
        canvas.glyph(letter, x, y, grown, text, turn=turn)
    if style.label:
        canvas.margin(style.label * short, style.ground)
    surface = Surface(side.base, style.mottle, style.grain, style.fibre, style.wear, style.pool, style.wobble)
    return canvas.finish(surface, rng, turn=2.5 if style.label else 1.2)


def _frame(canvas: Canvas, side: Side, style: JunqiStyle, short: float) -> float:
    """Draw the frame; gives how far from the edge the text may begin, in pixels."""
    width, height = canvas.width, canvas.height
    inset, line, bend = style.frame_inset * short, style.frame_line * short, style.frame_round * short
    if style.frame == "none":
        if side.field is not None:
            canvas.rectangle(inset, inset, width - inset, height - inset, bend, side.field)
        return inset if side.field is not None else 0.04 * short
    if style.frame == "band":
        canvas.fill(side.frame)
        inset = max(inset, 0.05 * short)
        canvas.rectangle(inset, inset, width - inset, height - inset, bend, side.field)
        return inset
    if style.frame == "corners":
        arm = 0.2 * short
        for x, dx in ((inset, arm), (width - inset, -arm)):
            for y, dy in ((inset, arm), (height - inset, -arm)):
                canvas.stroke(((x + dx, y), (x, y), (x, y + dy)), line, side.frame)
        return inset
    for _ in range(2 if style.frame == "double" else 1):
        canvas.rectangle(inset, inset, width - inset, height - inset, bend, side.frame)
        inset += line
        canvas.rectangle(inset, inset, width - inset, height - inset, max(0.0, bend - line), side.field)
        inset += line
    return inset
