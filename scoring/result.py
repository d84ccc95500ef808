"""What scoring gives back: a score with its groups and yaku, or why there is no win."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.hand import Hand, Meld, MeldType
from scoring.ruleset import Yaku
from scoring.shape import GroupType
from scoring.tiles import Tile


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the winning hand, as a result shows it."""

    type: GroupType
    tiles: tuple[Tile, ...]
    concealed: bool

    def to_json(self) -> dict[str, Any]:
        """The interface's form."""
        return {"type": str(self.type), "tiles": [tile.code for tile in self.tiles], "concealed": self.concealed}


def called_group(meld: Meld) -> Group:
    """A meld as a part of the winning hand."""
    kinds = {
        MeldType.CHI: GroupType.RUN,
        MeldType.PONG: GroupType.TRIPLET,
        MeldType.SUPER_KONG: GroupType.SUPER_KONG,
    }
    return Group(kinds.get(meld.type, GroupType.KONG), meld.tiles, meld.concealed)


class Earned(NamedTuple):
    """A yaku that the hand has, and its value: fan, or how many times a yakuman."""

    yaku: Yaku
    value: int

    def to_json(self) -> dict[str, Any]:
        """The interface's form; a yakuman's fan are 0 and `yakuman` counts."""
        named = {"id": self.yaku.id, "zh": self.yaku.name.zh, "en": self.yaku.name.en}
        if self.yaku.yakuman:
            return {**named, "fan": 0, "yakuman": self.value}
        return {**named, "fan": self.value}


@dataclass(frozen=True, eq=False, repr=False)
class Score(ABC):
    """What a hand is worth in its best reading. `payments` are by seat and sum to zero."""

    hand: Hand
    payments: tuple[int, ...]

    @property
    @abstractmethod
    def groups(self) -> tuple[Group, ...]:
        """The parts of the hand: those in hand, the pair or pairs, the melds in the order they were given."""

    @property
    @abstractmethod
    def win_in(self) -> int:
        """Which of `groups` the winning tile completes."""

    @property
    @abstractmethod
    def house(self) -> tuple[str, ...]:
        """Names of the house choices that the figure rests on."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The result object of the interface."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Why a hand is no win: a fixed code and the reason in both languages."""

    code: str
    zh: str
    en: str


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class NoWin:
    """A hand that does not win, with all the reasons, and where its tiles without the winning one are waiting."""

    hand: Hand
    lacks: tuple[Lack, ...]
    waits: tuple[Tile, ...]

    def to_json(self) -> dict[str, Any]:
        """The result object of the interface."""
        return {
            "win": False,
            "reason": "; ".join(lack.en for lack in self.lacks),
            "reasons": [{"code": lack.code, "zh": lack.zh, "en": lack.en} for lack in self.lacks],
            "waits": [tile.code for tile in self.waits],
        }
