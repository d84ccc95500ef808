"""What a tile is, voted over the frames in which it was named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from vision.name import ALTERNATIVES
from vision.reading import Quad, Sighting

# A kind that a sighting does not list among its alternatives has at most this share.
LEAST: Final = math.log(1e-3)
# How much a sighting with its face up speaks against a back, in nats.
FACE_UP: Final = 2.0


@dataclass(frozen=True, slots=True)
class Votes:
    """The sightings of one tile added up: log-probabilities by code, and the log-odds that its back is up.

    `count` is how many sightings there were, in `faces` of them its face was up, `unknown` of these were like no kind
    of the piece set; in `nothing` the namer saw no tile. `turn` is the last one's.
    """

    totals: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    back: float = 0.0
    faces: int = 0
    unknown: int = 0
    count: int = 0
    nothing: int = 0
    turn: float | None = 0.0

    def add(self, sighting: Sighting | None) -> Votes:
        """With one more sighting; None where the namer saw no tile."""
        if sighting is None:
            return replace(self, count=self.count + 1, nothing=self.nothing + 1)
        unknown = sighting.quad.face == "up" and sighting.code is None
        more = replace(self, count=self.count + 1, unknown=self.unknown + unknown, turn=sighting.turn)
        if sighting.quad.face == "down":
            share = min(sighting.confidence, 1 - 1e-6)
            return replace(more, back=self.back + math.log(share / (1 - share)))
        shares = dict(sighting.alternatives)
        totals = {
            code: self.totals.get(code, LEAST * self.faces)
            + (max(LEAST, math.log(shares[code])) if shares.get(code, 0.0) > 0 else LEAST)
            for code in {**self.totals, **shares}
        }
        return replace(more, totals=MappingProxyType(totals), back=self.back - FACE_UP, faces=self.faces + 1)

    @property
    def no_tile(self) -> bool:
        """Whether most sightings saw no tile."""
        return 2 * self.nothing > self.count

    @property
    def code(self) -> str | None:
        """The code with the most votes; None for a back, for what is like no kind, or where there is no vote."""
        if self.back > 0 or not self.totals or 2 * self.unknown > self.faces:
            return None
        return max(self.totals, key=lambda code: self.totals[code])

    @property
    def confidence(self) -> float:
        """How sure the code, or the back, is: in [0, 1]."""
        if self.back > 0:
            return 1 / (1 + math.exp(-self.back / math.sqrt(max(1, self.count))))
        return self._shares()[0][1] if self.totals else 0.0

    def sighting(self, quad: Quad) -> Sighting:
        """The tile at a quad as these votes have it."""
        down = self.back > 0
        quad = Quad(quad.corners, quad.score, quad.round, "down" if down else "up")
        alternatives = () if down else tuple(self._shares()[:ALTERNATIVES])
        return Sighting(quad, self.code, self.confidence, alternatives, self.turn)

    def _shares(self) -> list[tuple[str, float]]:
        """The codes with their shares, best first.

        Frames of one tile at rest are nearly the same picture, whose errors add up instead of cancelling: n of them say
        as much as the square root of n independent ones.
        """
        if not self.totals:
            return []
        best = max(self.totals.values())
        odds = {code: math.exp((total - best) / math.sqrt(self.faces)) for code, total in self.totals.items()}
        whole = sum(odds.values())
        return sorted(((code, value / whole) for code, value in odds.items()), key=lambda one: -one[1])
