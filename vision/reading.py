"""What a photo says: tiles found, named, grouped and assembled into a hand."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Point = tuple[float, float]
Face = Literal["up", "down"]

FACTORY_SET: Final = "factory"
"""The name of the networks' own knowledge of pieces, where no piece set has been taught."""


@dataclass(frozen=True, slots=True)
class Quad:
    """One tile found in a picture.

    `corners` are four points in pixels of the upright photo, clockwise as seen, the first one nearest to the
    picture's top left; for a disc they are its bounding square. `score` is the locator's confidence in [0, 1].
    """

    corners: tuple[Point, Point, Point, Point]
    score: float
    round: bool
    face: Face

    @property
    def size(self) -> float:
        """The side of the square that covers as much as the quad, in px of its corners."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners
        return math.sqrt(abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2)

    @property
    def outline(self) -> tuple[Point, Point, Point, Point]:
        """The tile as it is shown and reported.

        A disc seen at a slant is more than its face, since its side shows: the box of the flattened face is drawn half
        the way (as ratios go) to the square on its width.
        """
        if not self.round:
            return self.corners
        xs, ys = zip(*self.corners, strict=True)
        x, y = sum(xs) / 4, sum(ys) / 4
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        longer = max(width, height)
        if min(width, height) <= 0:
            return self.corners
        wide, tall = (longer / width) ** 0.5, (longer / height) ** 0.5
        a, b, c, d = ((x + wide * (px - x), y + tall * (py - y)) for px, py in self.corners)
        return a, b, c, d


@dataclass(frozen=True, slots=True)
class Sighting:
    """A quad with its name.

    `code` is a tile code of `scoring.tiles`, or None where the back is up or nothing can be said; `confidence` is its
    probability in [0, 1]; `alternatives` are the most likely codes with theirs, best first. `turn` is the angle in
    degrees, clockwise in the picture, by which the face is turned from upright; None where a face has no upright, as a
    domino's has none. `guessed` marks a tile that was not found: its place was worked out from the others.
    """

    quad: Quad
    code: str | None
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    turn: float | None = 0.0
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class MeldReading:
    """A called group: its type as in `scoring` (chi, pong, open_kong, ...) and the tiles' places in `Reading.tiles`."""

    type: str
    tiles: tuple[int, ...]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandReading:
    """Which tiles are the hand. All numbers are places in `Reading.tiles`; tiles named nowhere lie outside the hand.

    `win_is_guess` is set where no tile stood apart, so that the last one of the row was taken.
    """

    concealed: tuple[int, ...]
    melds: tuple[MeldReading, ...]
    win: int | None
    win_is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """Another name for the tile at a place of `Reading.tiles`: `code` for `read`, with its probability in [0, 1]."""

    place: int
    read: str
    code: str
    confidence: float

    def to_json(self) -> dict[str, Any]:
        """The change as the JSON interface has it; `tile` counts the reading's tiles from 0."""
        return {"tile": self.place, "from": self.read, "to": self.code, "confidence": round(self.confidence, 4)}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Other names for doubtful tiles with which the hand would win; offered, never applied."""

    changes: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        """The suggestion as the JSON interface has it."""
        return {
            "changes": [
                {
                    "tile": change.place,
                    "from": change.read,
                    "to": change.code,
                    "confidence": round(change.confidence, 4),
                }
                for change in self.changes
            ]
        }


FaultCode = Literal["too_dark", "blown_out", "blurred", "shaken", "tiles_too_small", "cut_off", "too_steep"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a picture: a stable code, the measure that says so and the limit that it passed.

    `words` say what was measured, `hint` how to mend it, each in one line.
    """

    code: FaultCode
    measure: float
    limit: float
    words: str
    hint: str

    def to_json(self) -> dict[str, Any]:
        """The fault as the JSON interface has it."""
        return {
            "code": self.code,
            "measure": round(self.measure, 3),
            "limit": round(self.limit, 3),
            "hint": self.hint,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """One photo, read. `tiles` stand in reading order; `groups[i]` is the cluster of tile i; `ms` the time by part.

    `family` is None where nobody named it and no tile tells it. `quality` is what is wrong with the picture,
    `suggestion` what would make the hand win; `too_many` are kinds seen more often than the rule set has them, with how
    many of each: their names were likelier so than any others.
    """

    photo: str
    width: int
    height: int
    family: str | None
    rules: str | None
    set_name: str
    tiles: tuple[Sighting, ...]
    groups: tuple[int, ...]
    hand: HandReading
    ms: dict[str, float] = field(default_factory=dict)
    quality: tuple[Fault, ...] = ()
    suggestion: Suggestion | None = None
    too_many: tuple[tuple[str, int], ...] = ()

    def roles(self) -> tuple[str, ...]:
        """What each tile is taken for, in the order of `tiles`: concealed, meld0, meld1, ..., win or other."""
        roles = ["other"] * len(self.tiles)
        for place in self.hand.concealed:
            roles[place] = "concealed"
        for number, meld in enumerate(self.hand.melds):
            for place in meld.tiles:
                roles[place] = f"meld{number}"
        if self.hand.win is not None:
            roles[self.hand.win] = "win"
        return tuple(roles)

    def _within(self, point: Point) -> list[float]:
        x, y = point
        return [round(min(max(x, 0.0), self.width), 1), round(min(max(y, 0.0), self.height), 1)]

    def to_json(self) -> dict[str, Any]:
        """The reading as the JSON interface has it; polygons in pixels of the upright photo, times in milliseconds.

        Of a tile that the photo's edge cuts, the polygon is the part that can be seen.
        """
        hand = self.hand
        return {
            "photo": self.photo,
            "width": self.width,
            "height": self.height,
            "family": self.family,
            "rules": self.rules,
            "set": self.set_name,
            "tiles": [
                {
                    "polygon": [self._within(point) for point in tile.quad.outline],
                    "face": tile.quad.face,
                    "guessed": tile.guessed,
                    "code": tile.code,
                    "confidence": round(tile.confidence, 4),
                    "alternatives": [[code, round(share, 4)] for code, share in tile.alternatives],
                    "group": group,
                    "role": role,
                }
                for tile, group, role in zip(self.tiles, self.groups, self.roles(), strict=True)
            ],
            "hand": {
                "concealed": [self.tiles[place].code for place in hand.concealed],
                "melds": [{"type": meld.type, "tiles": list(meld.codes)} for meld in hand.melds],
                "win": None if hand.win is None else self.tiles[hand.win].code,
                "win_is_guess": hand.win_is_guess,
            },
            "suggestion": None if self.suggestion is None else self.suggestion.to_json(),
            "too_many": [[code, count] for code, count in self.too_many],
            "quality": [fault.to_json() for fault in self.quality],
            "ms": {part: round(value, 2) for part, value in self.ms.items()},
        }
