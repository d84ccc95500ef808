"""Faces of dominoes: Chinese bones and their cousins, Western dominoes, printed cards, dots from a marker.

Only the two numbers name a tile; everything else (colours, bar, spinner, frame) is the set's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.training.faces.art import FaceArt
from models.training.faces.canvas import Canvas, Colour, Surface, face_size
from models.training.faces.glyphs import GlyphBank
from models.training.faces.lettering import figure
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

NAMED = tuple(f"{a}{b}" for a in range(1, 7) for b in range(1, a + 1))
BLANKS = tuple(f"{a}0" for a in range(7))  # Western tiles with a blank half: no paigow tile
CODES = NAMED + BLANKS


@dataclass(frozen=True, slots=True)
class PaigowStyle:
    """One set of dominoes. Lengths are shares of the face's width unless said otherwise; colours BGR."""

    aspect: float
    body: Colour
    back: Colour
    thickness: float
    surface: Surface
    pip: str  # hole, dome, flat, ring or marker
    radius: float
    ace: float  # how much larger the pip of a one is
    four: float  # how much larger the pips of a four are
    columns: float  # distance of the two columns
    pitch: float  # distance of the rows of a six, share of half a half's length
    span: float  # length of a four, in pitches
    push: float  # 0: the pips of a half stand in its middle, 1: at the tile's end
    reach: float  # how far out the outermost row may stand, share of half a half's length
    turned: bool  # whether the lower half is the upper one turned round, or the same again
    two: str  # across, diagonal or along
    three: str  # diagonal, along or triangle
    flip: bool  # which way diagonals run
    spine: bool  # whether 33 is a column with its two inner pips side by side
    colours: tuple[Colour, ...]  # of the pips of 0..6
    second: Colour  # of six of the pips of 66
    six: str  # how the colours of 66 divide: columns, crossed, rows, halves
    bar: float  # thickness of the line between the halves, 0 for none
    bar_reach: float
    bar_colour: Colour
    spinner: float  # radius of the brass pin, 0 for none
    frame: float
    frame_inset: float
    figures: int  # seed of the hand of the small figures in two corners, 0 for none
    stray: float  # how far pips stray
    label: float  # how far from the edge a glued label ends, 0 for none
    ground: Colour  # of the piece around the label
    ornament: float  # radius of a rosette in the middle, 0 for none


def sample_style(rng: np.random.Generator) -> PaigowStyle:
    """A set: black Chinese blocks most often, then Western dominoes, pale Chinese bones, cards, marker on cardboard."""
    kind = rng.choice(("blocks", "bones", "western", "card", "marker"), p=(0.42, 0.14, 0.24, 0.11, 0.09))
    chinese = kind in ("blocks", "bones") or (kind in ("card", "marker") and rng.random() < 0.6)
    dark = kind == "blocks" or (kind == "western" and rng.random() < 0.4) or (kind == "card" and rng.random() < 0.25)
    if dark:
        plain = kind == "blocks" or rng.random() < 0.5
        base = pick(rng, BLACKS, 12) if plain else pick(rng, REDS + BLUES + GREENS + WOODS[2:], 20)
    elif kind == "bones":
        base = pick(rng, IVORIES + WOODS + LIGHTS[2:], 8)
    elif kind == "marker":
        base = pick(rng, WOODS + IVORIES + LIGHTS, 8)
    else:
        base = pick(rng, LIGHTS + LIGHTS + IVORIES, 7)
    red = pick(rng, ((45, 35, 205), (50, 40, 225), (80, 50, 215)), 20) if dark else pick(rng, REDS, 16)
    plain_pip = pick(rng, LIGHTS + IVORIES[:2], 10) if dark else pick(rng, BLACKS + BLACKS + BLUES[2:4], 12)
    colours = [plain_pip] * 7
    second = plain_pip
    fate = rng.random()
    if chinese and fate < 0.86:
        colours[1] = colours[4] = second = red
        if rng.random() < 0.15:
            second = plain_pip
    elif not chinese and fate < 0.4:
        bright = REDS + BLUES + GREENS + GOLDS + BLACKS[:2] + ((130, 40, 110), (30, 120, 235), (150, 140, 30))
        order = rng.permutation(len(bright))
        colours = [vary(rng, bright[int(i)], 20) for i in order[:7]]
        if dark:
            colours = [mix(c, (255, 255, 255), 0.45) for c in colours]
        second = colours[6]
    elif chinese:
        other = pick(rng, GREENS + BLUES, 20)
        colours = [(plain_pip, red, other)[int(i)] for i in rng.integers(0, 3, 7)]
        second = colours[6]
    if kind == "card" or kind == "marker":
        aspect = rng.uniform(0.32, 0.72)
    else:
        aspect = rng.uniform(0.36, 0.55) if chinese else rng.uniform(0.44, 0.54)
    pip = str(rng.choice(("hole", "dome", "flat", "ring"), p=(0.45, 0.25, 0.22, 0.08)))
    if kind == "marker":
        pip = "marker"
    elif kind == "card":
        pip = "flat"
    half = 0.25 / aspect  # half a half's length, in widths
    if chinese:
        radius = rng.uniform(0.08, 0.13) if kind == "marker" else rng.uniform(0.085, 0.165)
        columns = max(2.0 * radius, rng.uniform(0.36, 0.56))
        pitch = rng.uniform(2.0 * radius / half, max(2.05 * radius / half, 0.62))
        push = rng.uniform(0.0, 1.0) if rng.random() < 0.4 else 1.0
        reach = min(1.0 - (radius + 0.06) / half, rng.uniform(0.6, 0.9))
        span = rng.uniform(1.0, 1.7)
    else:
        radius = rng.uniform(0.07, 0.125)
        columns = rng.uniform(0.44, 0.62)
        reach = rng.uniform(0.46, 0.64) if rng.random() < 0.8 else rng.uniform(0.38, 0.7)
        pitch, push, span = reach, 0.0, 2.0
    pitch = min(pitch, reach)
    labelled = kind in ("card", "marker") and rng.random() < 0.4
    ground = pick(rng, WOODS + WOODS + LIGHTS + GREENS + BLUES + BLACKS) if labelled else base
    barred = rng.random() < (0.18 if chinese else 0.92)
    bar_colour = mix(base, (255, 255, 255) if dark else (0, 0, 0), rng.uniform(0.2, 0.9))
    if rng.random() < 0.15:
        bar_colour = pick(rng, GOLDS + REDS)
    framed = rng.random() < {"card": 0.5, "blocks": 0.12, "bones": 0.12, "western": 0.08, "marker": 0.1}[str(kind)]
    grainy = base[0] < 160 and not dark
    surface = Surface(
        base=base,
        mottle=rng.uniform(0.0, 0.05),
        grain=rng.uniform(0.03, 0.14) if grainy else rng.uniform(0.0, 0.02),
        fibre=int(rng.integers(10, 40)),
        wear=rng.uniform(0.05, 0.35) if rng.random() < 0.15 else 0.0,
        unsteady=rng.uniform(0.004, 0.012) if kind == "marker" or rng.random() < 0.05 else 0.0,
    )
    return PaigowStyle(
        aspect=aspect,
        body=vary(rng, ground, 10) if labelled or rng.random() < 0.8 else pick(rng, WOODS + LIGHTS),
        back=vary(rng, ground, 10) if rng.random() < 0.7 else pick(rng, BACKS),
        thickness=rng.uniform(0.02, 0.12) if kind == "card" and not labelled else rng.uniform(0.2, 0.7),
        surface=surface,
        pip=pip,
        radius=radius,
        ace=rng.uniform(1.15, 1.9) if chinese and rng.random() < 0.5 else 1.0,
        four=rng.uniform(1.05, 1.25) if chinese and rng.random() < 0.25 else 1.0,
        columns=columns,
        pitch=pitch,
        span=span,
        push=push,
        reach=reach,
        turned=bool(rng.random() < 0.7),
        two=str(rng.choice(("across", "diagonal", "along"), p=(0.75, 0.15, 0.1) if chinese else (0.06, 0.88, 0.06))),
        three=str(rng.choice(("diagonal", "along", "triangle"), p=(0.84, 0.1, 0.06) if chinese else (0.97, 0.03, 0.0))),
        flip=bool(rng.random() < 0.5),
        spine=bool(chinese and rng.random() < 0.3),
        colours=tuple(legible(c, base, 55.0) for c in colours),
        second=legible(second, base, 55.0),
        six=str(rng.choice(("columns", "crossed", "rows", "halves"), p=(0.3, 0.3, 0.2, 0.2))),
        bar=rng.uniform(0.015, 0.05) if barred else 0.0,
        bar_reach=rng.uniform(0.6, 1.02),
        bar_colour=bar_colour,
        spinner=rng.uniform(0.045, 0.1) if not chinese and rng.random() < 0.4 else 0.0,
        frame=rng.uniform(0.015, 0.05) if framed else 0.0,
        frame_inset=rng.uniform(0.03, 0.09),
        figures=int(rng.integers(1, 1 << 31)) if kind == "card" and rng.random() < 0.15 else 0,
        label=rng.uniform(0.02, 0.09) if labelled else 0.0,
        ground=ground,
        ornament=rng.uniform(0.08, 0.2) if chinese and rng.random() < (0.2 if kind == "card" else 0.03) else 0.0,
        stray=rng.uniform(0.008, 0.03) if kind == "marker" else rng.uniform(0.0, 0.012),
    )


def draw(code: str, style: PaigowStyle, glyphs: GlyphBank, rng: np.random.Generator) -> FaceArt:
    """The face of a domino, its first number above.

    `code` is one of CODES; no glyph of the bank is needed. Raises KeyError for another code.
    """
    if code not in CODES:
        raise KeyError(code)
    upper, lower = int(code[0]), int(code[1])
    width, height = face_size(style.aspect)
    canvas = Canvas(width, height, style.surface.base)
    if style.frame:
        inset, line = style.frame_inset * width, style.frame * width
        canvas.rectangle(inset, inset, width - inset, height - inset, 0.08 * width, style.bar_colour)
        inner = inset + line
        canvas.rectangle(inner, inner, width - inner, height - inner, 0.08 * width - line, None)
    if style.bar:
        start = width * (1 - style.bar_reach) / 2
        ends = ((start, height / 2), (width - start, height / 2))
        canvas.stroke(ends, style.bar * width, style.bar_colour)
    if style.spinner:
        canvas.disc(width / 2, height / 2, style.spinner * width, (60, 140, 180))
        canvas.disc(width * 0.495, height * 0.498, style.spinner * width * 0.6, (110, 190, 225))
    if style.ornament:
        radius = style.ornament * width
        canvas.ring(width / 2, height / 2, radius, 0.2 * radius, style.bar_colour)
        for k in range(6):
            angle = k * np.pi / 3
            x = width / 2 + 0.45 * radius * float(np.cos(angle))
            canvas.disc(x, height / 2 + 0.45 * radius * float(np.sin(angle)), 0.2 * radius, style.bar_colour)
    for number, way in ((upper, -1), (lower, 1)):
        _half(canvas, number, way, code, style, rng)
    if style.figures:
        for number, way in ((upper, -1), (lower, 1)):
            mask = figure(str(number), style.figures)
            x = width / 2 + way * width * 0.4
            y = height / 2 + way * height * 0.45
            size = (0.13 * width, 0.13 * width)
            canvas.glyph(mask, x, y, size, style.colours[number], turn=90.0 + 90.0 * way)
    if style.label:
        canvas.margin(style.label * width, style.ground)
    return canvas.finish(style.surface, rng, turn=2.5 if style.label else 1.2)


def _half(canvas: Canvas, number: int, way: int, code: str, style: PaigowStyle, rng: np.random.Generator) -> None:
    """The pips of one half of a tile; `way` is -1 for the upper and 1 for the lower one."""
    width, height = canvas.width, canvas.height
    places = _places(number, style)
    side = -1.0 if style.turned and way > 0 else 1.0
    spine = code == "33" and style.spine
    if spine:
        step = min(0.85, max(0.6, 2.05 * style.radius * style.aspect / 0.25))
        places = [(-0.9, -0.9), (0.0, step - 0.9), (0.0, 2 * step - 0.9)]
        side = -float(way)
    lowest = max((v for _, v in places), default=0.0)
    radius = style.radius * width * {1: style.ace, 4: style.four}.get(number, 1.0)
    room = style.reach - lowest - (radius - style.radius * width) / (0.25 * height)
    for u, v in places:
        outward = v if (style.turned or spine or way < 0) else -v
        # v points outwards here: pushing moves a half's pips towards the tile's end
        along = outward + (0.0 if spine else style.push * room)
        x = width * (0.5 + u * side * style.columns / 2 + style.stray * rng.normal())
        y = height * (0.5 + way * (0.25 + 0.25 * along)) + style.stray * width * rng.normal()
        colour = style.colours[number]
        if code == "66" and _second(u * side, v, way, style.six):
            colour = style.second
        _pip(canvas, x, y, radius * rng.uniform(0.96, 1.04), colour, style, rng)


def _places(number: int, style: PaigowStyle) -> list[tuple[float, float]]:
    """Pips of a half: u across (-1 and 1 are the columns), v along the tile, in half lengths of a half."""
    p, s = style.pitch, style.pitch * style.span / 2
    lean = -1.0 if style.flip else 1.0
    if number == 1:
        return [(0.0, 0.0)]
    if number == 2:
        return {
            "across": [(-1.0, 0.0), (1.0, 0.0)],
            "diagonal": [(-lean, -s), (lean, s)],
            "along": [(0.0, -p / 2), (0.0, p / 2)],
        }[style.two]
    if number == 3:
        return {
            "diagonal": [(-lean, -max(s, 0.88 * p)), (0.0, 0.0), (lean, max(s, 0.88 * p))],
            "along": [(0.0, -p), (0.0, 0.0), (0.0, p)],
            "triangle": [(-1.0, p / 2), (1.0, p / 2), (0.0, -p / 2)],
        }[style.three]
    if number == 4:
        return [(-1.0, -s), (1.0, -s), (-1.0, s), (1.0, s)]
    if number == 5:
        q = min(max(s, 0.88 * p), style.reach)
        return [(-1.0, -q), (1.0, -q), (0.0, 0.0), (-1.0, q), (1.0, q)]
    if number == 6:
        return [(u, v) for v in (-p, 0.0, p) for u in (-1.0, 1.0)]
    return []


def _second(u: float, v: float, way: int, six: str) -> bool:
    """Whether a pip of 66 has the second colour."""
    if six == "columns":
        return u < 0
    if six == "crossed":
        return u * way < 0
    if six == "rows":
        return (v == 0) == (way > 0)
    return way < 0


def _pip(
    canvas: Canvas, x: float, y: float, radius: float, colour: Colour, style: PaigowStyle, rng: np.random.Generator
) -> None:
    if style.pip == "marker":
        angle = np.linspace(0, 2 * np.pi, 10, endpoint=False)
        reach = radius * (1 + 0.09 * rng.normal(size=10))
        canvas.polygon(np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], 1), colour)
        return
    if style.pip == "ring":
        canvas.ring(x, y, radius, radius * 0.32, colour)
        canvas.disc(x, y, radius * 0.36, colour)
        return
    canvas.disc(x, y, radius, colour)
    if style.pip == "hole":
        canvas.disc(x - radius * 0.08, y - radius * 0.1, radius * 0.82, mix(colour, (0, 0, 0), 0.12))
    elif style.pip == "dome":
        canvas.disc(x - radius * 0.25, y - radius * 0.3, radius * 0.45, mix(colour, (255, 255, 255), 0.3))
