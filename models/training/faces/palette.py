"""Colours of playing pieces (BGR) and how they are sampled."""

from collections.abc import Sequence

import numpy as np

from models.training.faces.canvas import Colour

REDS: tuple[Colour, ...] = ((35, 30, 190), (30, 25, 150), (25, 20, 120), (45, 60, 215), (40, 35, 165), (70, 50, 205))
BLUES: tuple[Colour, ...] = ((160, 60, 25), (190, 50, 20), (120, 40, 20), (95, 40, 30), (205, 105, 35), (150, 30, 40))
GREENS: tuple[Colour, ...] = (
    (50, 90, 20),
    (45, 70, 10),
    (75, 130, 25),
    (60, 105, 45),
    (35, 60, 20),
    (45, 62, 38),
    (70, 95, 15),
    (100, 155, 40),
)
BLACKS: tuple[Colour, ...] = ((35, 35, 35), (25, 25, 25), (50, 45, 42), (65, 55, 50), (40, 32, 25))
LIGHTS: tuple[Colour, ...] = ((245, 245, 245), (225, 238, 242), (210, 230, 238), (190, 222, 235), (235, 240, 238))
IVORIES: tuple[Colour, ...] = ((195, 222, 232), (170, 208, 226), (150, 195, 220), (140, 185, 205), (205, 215, 218))
WOODS: tuple[Colour, ...] = ((125, 175, 210), (95, 150, 195), (75, 120, 170), (150, 195, 222), (60, 95, 140))
GOLDS: tuple[Colour, ...] = ((90, 190, 225), (60, 165, 210), (110, 205, 235))
BACKS: tuple[Colour, ...] = (
    (60, 130, 30),  # the common greens, blues and ambers of mahjong backs
    (90, 160, 60),
    (70, 110, 20),
    (170, 100, 30),
    (190, 140, 60),
    (110, 60, 20),
    (30, 120, 220),
    (20, 90, 200),
    (40, 170, 235),
    (40, 40, 170),
    (130, 50, 120),
    (40, 40, 40),
    (90, 90, 95),
    (95, 150, 195),
    (75, 120, 170),
)


def pick(rng: np.random.Generator, colours: Sequence[Colour], spread: float = 14.0) -> Colour:
    """One of the colours, each channel moved by up to `spread`."""
    return vary(rng, colours[int(rng.integers(len(colours)))], spread)


def vary(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    """The colour with each channel moved by up to `spread`, and all together by up to half of it."""
    moved = np.asarray(colour) + rng.uniform(-spread, spread, 3) + rng.uniform(-spread, spread) / 2
    b, g, r = np.clip(np.rint(moved), 0, 255).astype(int).tolist()
    return b, g, r


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """`share` of b in a."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def legible(text: Colour, ground: Colour, least: float = 65.0) -> Colour:
    """The colour of text or pips, moved away from the ground's brightness where they differ by less than `least`."""
    light, own = brightness(ground), brightness(text)
    if abs(light - own) > least:
        return text
    darker, lighter = mix(text, (0, 0, 0), 0.5), mix(text, (255, 255, 255), 0.6)
    choices = (lighter, darker) if own > light else (darker, lighter)
    return next((c for c in choices if abs(brightness(c) - light) > least), choices[1])


def brightness(colour: Colour) -> float:
    """How bright a colour looks, 0..255."""
    return (colour[0] + 4 * colour[1] + 3 * colour[2]) / 8
