"""Where pieces lie: hands as players lay them, boards, chains, whole sets, walls, loose heaps.

The unit of length is the width of a face. A layout is a list of `Piece`; x runs right, y away from the viewer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece. `angle` (radians, counter-clockwise seen from above) turns it; `code` None has the back up.

    `z` is the height of its foot; a standing piece shows its face to the viewer.
    """

    x: float
    y: float
    angle: float
    code: str | None
    z: float = 0.0
    standing: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """Width (1), height and thickness of a piece in face widths, and whether it is a disc."""

    height: float
    thickness: float
    round: bool


Draw = Callable[[], str]

CARRIED = 0.5  # of the layouts with several pieces, how many have some that a hand carries over the others


def _jitter(pieces: list[Piece], rng: np.random.Generator, shift: float, turn: float) -> list[Piece]:
    return [
        replace(
            p,
            x=p.x + rng.normal(0, shift),
            y=p.y + rng.normal(0, shift),
            angle=p.angle + rng.normal(0, turn),
        )
        for p in pieces
    ]


def _free_turn(pieces: list[Piece], rng: np.random.Generator) -> list[Piece]:
    """Discs lie at any angle."""
    return [replace(p, angle=rng.uniform(0, 2 * np.pi)) for p in pieces]


def _row(codes: list[str | None], x: float, y: float, gap: float) -> list[Piece]:
    return [Piece(x + i * (1 + gap), y, 0.0, c) for i, c in enumerate(codes)]


def hand(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """A laid-out winning hand: a row, the winning tile apart or turned, called groups, now and then a wall behind."""
    gap = abs(rng.normal(0.0, 0.02)) if rng.random() < 0.6 else rng.uniform(0.02, 0.3)
    count = int(rng.choice([4, 7, 10, 13, 14]))
    pieces: list[Piece] = []
    rows = 2 if count > 9 and rng.random() < 0.3 else 1
    per = -(-count // rows)
    for r in range(rows):
        codes: list[str | None] = [draw() for _ in range(min(per, count - r * per))]
        pieces += _row(codes, 0, -r * size.height * rng.uniform(1.0, 1.2), gap)
    end = max(p.x for p in pieces) + 1
    away = rng.uniform(0.35, 1.3)
    turned = not size.round and rng.random() < 0.4
    wide = size.height if turned else 1.0
    pieces.append(Piece(end + away + (wide - 1) / 2, pieces[-1].y, np.pi / 2 * int(turned), draw()))
    x, y = end + away + wide + rng.uniform(0.4, 1.5), 0.0
    for _ in range(int(rng.integers(0, 4))):
        n = int(rng.choice([3, 3, 4, 4, 5]))
        first = draw()
        alike = rng.random() < 0.7
        down = ({0, 3} if rng.random() < 0.6 else {1, 2}) if n == 4 and rng.random() < 0.6 else set()
        if rng.random() < 0.4:
            x, y = rng.uniform(0, 2), y + size.height * rng.uniform(1.15, 2.0) * rng.choice([-1, 1])
        sideways = int(rng.integers(n)) if not size.round and rng.random() < 0.6 else -1
        for k in range(n):
            code = None if k in down else first if alike else draw()
            step = size.height if k == sideways else 1.0
            foot = -(size.height - 1) / 2 if k == sideways else 0.0
            pieces.append(Piece(x + (step - 1) / 2, y + foot, np.pi / 2 * int(k == sideways), code))
            x += step + gap
        x += rng.uniform(0.4, 1.5)
    if rng.random() < 0.4:
        stacked = rng.random() < 0.65
        far = max(p.y for p in pieces) + size.height * rng.uniform(1.5, 2.5)
        for i in range(int(rng.integers(4, 12))):
            for level in range(1 + int(stacked)):
                pieces.append(Piece(i * (1 + gap), far, 0.0, None, z=level * size.thickness))
    pieces = _apart(pieces, size, 0.85)
    pieces = _jitter(pieces, rng, 0.02 if gap < 0.05 else 0.04, 0.015 if rng.random() < 0.7 else 0.06)
    return _free_turn(pieces, rng) if size.round and rng.random() < 0.6 else pieces


def standing(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """A hand standing on its edge, seen from the player's seat, sometimes with a row lying before it."""
    n = int(rng.integers(5, 18))
    pieces = [
        Piece(i * (1 + abs(rng.normal(0, 0.008))), rng.normal(0, 0.02), rng.normal(0, 0.01), draw(), standing=True)
        for i in range(n)
    ]
    if rng.random() < 0.3:
        y = -rng.uniform(1.2, 4)
        pieces += _row([draw() if rng.random() < 0.8 else None for _ in range(int(rng.integers(1, 7)))], 0, y, 0.02)
    if rng.random() < 0.2:
        for level in range(2):
            pieces += [Piece(i * 1.01, 4.0, 0.0, None, z=level * size.thickness) for i in range(n)]
    return pieces


def upright(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """A few pieces that stand by themselves, each turned its own way, faces and backs; some lie among them."""
    n = int(rng.integers(2, 11))
    apart = rng.uniform(1.1, 2.2)
    lean = rng.uniform(0.05, 0.7)
    pieces = []
    for i in range(n):
        x, y = i % 5 * apart + rng.normal(0, 0.1), i // 5 * apart * rng.uniform(1.0, 1.6) + rng.normal(0, 0.3)
        code = None if rng.random() < 0.35 else draw()
        pieces.append(Piece(x, y, rng.normal(0, lean), code, standing=rng.random() < 0.8))
    return _apart(pieces, size, 0.9)


def board(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """Pieces on the crossings of a 9 by 10 board; its spacing is the first piece's distance to the next column."""
    step = rng.uniform(1.05, 1.5)
    filled = rng.uniform(0.08, 0.5)
    pieces = []
    side_turn = rng.choice([0.0, np.pi / 2])
    for i in range(9):
        for j in range(10):
            if rng.random() < filled:
                turn = side_turn + np.pi * int(rng.integers(2)) + rng.normal(0, 0.25)
                pieces.append(Piece(i * step + rng.normal(0, 0.06), j * step + rng.normal(0, 0.06), turn, draw()))
    if rng.random() < 0.4:
        pieces += [
            Piece(rng.choice([-1.6, 9.4]) * step, rng.uniform(0, 9) * step, 0.0, draw() if rng.random() < 0.8 else None)
            for _ in range(3)
        ]
    return _apart(_free_turn(pieces, rng) if rng.random() < 0.4 else pieces, size)


def grid(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """Rows and columns that touch, as a whole set is shown."""
    columns, rows = int(rng.integers(2, 11)), int(rng.integers(2, 6))
    gap = abs(rng.normal(0, 0.015)) if rng.random() < 0.7 else rng.uniform(0.05, 0.4)
    turn = np.pi / 2 * int(rng.integers(4)) if rng.random() < 0.4 else 0.0
    across = int(turn / (np.pi / 2)) % 2
    w, h = (size.height, 1.0) if across else (1.0, size.height)
    down = 0.15 if rng.random() < 0.3 else 0.0
    pieces = [
        Piece(i * (w + gap), j * (h + gap), turn, None if rng.random() < down else draw())
        for i in range(columns)
        for j in range(rows)
    ]
    if rng.random() < 0.3:
        pieces = [replace(p, angle=p.angle + np.pi * int(rng.integers(2))) for p in pieces]
    return _jitter(pieces, rng, 0.008, 0.006)


def chain(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """Dominoes end to end with turns, as in a game of dominoes."""
    x = y = 0.0
    way = 0
    bends = rng.uniform(0.15, 0.5)
    pieces = []
    for _ in range(int(rng.integers(4, 22))):
        across = rng.random() < 0.15
        long, short = size.height, 1.0
        length = short if across else long
        dx, dy = np.cos(way * np.pi / 2), np.sin(way * np.pi / 2)
        x, y = x + dx * length / 2, y + dy * length / 2
        turn = way * np.pi / 2 + (0.0 if across else np.pi / 2)
        pieces.append(Piece(x, y, turn + np.pi * int(rng.integers(2)), draw()))
        x, y = x + dx * (length / 2 + 0.03), y + dy * (length / 2 + 0.03)
        if rng.random() < bends:
            turn_to = int(rng.choice([-1, 1]))
            x, y = x - dx * short / 2, y - dy * short / 2
            way = (way + turn_to) % 4
            x, y = x + np.cos(way * np.pi / 2) * short / 2, y + np.sin(way * np.pi / 2) * short / 2
    return _apart(_jitter(pieces, rng, 0.015, 0.02), size, 0.8)


def scatter(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """Loose pieces at any angle, some with the back up."""
    n = int(rng.integers(1, 26))
    spread = np.sqrt(n) * rng.uniform(0.9, 1.8) * max(1.0, size.height)
    down = rng.uniform(0, 0.5) if rng.random() < 0.5 else 0.0
    pieces = [
        Piece(
            rng.uniform(0, spread),
            rng.uniform(0, spread),
            rng.uniform(0, 2 * np.pi),
            None if rng.random() < down else draw(),
        )
        for _ in range(n)
    ]
    return _apart(pieces, size)


def wall(size: Size, draw: Draw, rng: np.random.Generator) -> list[Piece]:
    """Rows of backs, one or two high, with a few pieces turned up."""
    pieces = []
    high = int(rng.integers(1, 3))
    for j in range(int(rng.integers(1, 3))):
        for i in range(int(rng.integers(3, 16))):
            for level in range(high):
                open_face = level == high - 1 and rng.random() < 0.1
                z = level * size.thickness
                pieces.append(Piece(i * 1.01, j * size.height * 1.3, 0.0, draw() if open_face else None, z=z))
    pieces += [Piece(rng.uniform(0, 8), -rng.uniform(1.5, 4), rng.uniform(-0.4, 0.4), draw()) for _ in range(4)]
    return _apart(_jitter(pieces, rng, 0.01, 0.01), size, 0.8)


def _carried(pieces: list[Piece], size: Size, rng: np.random.Generator) -> list[Piece]:
    """Some of the pieces lie on others, as in a heap, or are on their way over them, as when a hand is sorted."""
    lying = [k for k, piece in enumerate(pieces) if not piece.standing]
    if len(lying) < 2:
        return pieces
    moved = list(pieces)
    for k in rng.permutation(lying)[: int(rng.integers(1, min(6, len(lying) // 2 + 1)))]:
        below = pieces[int(rng.choice([other for other in lying if other != k]))]
        way = rng.uniform(0.2, 1.0, 2) * [1.0, size.height] * rng.choice([-1, 1], 2)
        height = size.thickness if rng.random() < 0.3 else rng.uniform(size.thickness, size.thickness + 0.6)
        turn = rng.normal(0, 0.1) if rng.random() < 0.6 else rng.uniform(-1.5, 1.5)
        moved[k] = replace(
            pieces[k], x=below.x + way[0], y=below.y + way[1], z=below.z + height, angle=below.angle + turn
        )
    return moved


def _apart(pieces: list[Piece], size: Size, share: float = 1.0) -> list[Piece]:
    """Drop pieces that would lie within another one of the same level, taking each for a few discs along its length.

    `share` scales the discs: below 1 lets neighbours touch.
    """
    half, short = (size.height - 1) / 2, min(1.0, size.height)
    offsets = [0.0]
    if not size.round and abs(half) > 0.05:
        offsets = list(np.linspace(-abs(half), abs(half), 2 + int(2 * abs(half) / short)))
    reach = short * (1.02 if size.round else 1.1 * share)
    kept: list[Piece] = []
    taken: list[tuple[float, float, float]] = []
    for p in pieces:
        turn = p.angle if half > 0 else p.angle + np.pi / 2
        discs = [(p.x - o * np.sin(turn), p.y + o * np.cos(turn), p.z) for o in offsets]
        if all((a - x) ** 2 + (b - y) ** 2 > reach**2 or c != z for a, b, c in discs for x, y, z in taken):
            kept.append(p)
            taken += discs
    return kept


LAYOUTS: dict[str, tuple[tuple[Callable[[Size, Draw, np.random.Generator], list[Piece]], float], ...]] = {
    "xiangqi": ((hand, 0.34), (board, 0.34), (scatter, 0.18), (grid, 0.08), (wall, 0.06)),
    "junqi": ((hand, 0.4), (scatter, 0.14), (grid, 0.14), (standing, 0.1), (upright, 0.16), (wall, 0.2)),
    "paigow": ((hand, 0.3), (chain, 0.45), (scatter, 0.13), (grid, 0.12), (wall, 0.05)),
    "mahjong": ((hand, 0.35), (standing, 0.35), (upright, 0.05), (grid, 0.25), (scatter, 0.1), (wall, 0.05)),
}


def sample(family: str, size: Size, draw: Draw, rng: np.random.Generator) -> tuple[str, list[Piece]]:
    """A layout of that family by its weight: its name and the pieces."""
    table = LAYOUTS[family]
    weights = np.array([w for _, w in table])
    chosen = table[int(rng.choice(len(table), p=weights / weights.sum()))][0]
    pieces = chosen(size, draw, rng)
    return chosen.__name__, _carried(pieces, size, rng) if rng.random() < CARRIED else pieces
