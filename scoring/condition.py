"""Named conditions: what the rule tables' `when` refers to.

A condition is built once for a rule set, from its layout and the parameters in its line of the table, and then tested
on hands. The test gives how many times it holds: 0 for not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from operator import attrgetter
from typing import Any

from scoring.layout import Layout, LayoutError
from scoring.shape import Circumstances, Facts, Form, Reading, Shape


class Scope(IntEnum):
    """What a condition needs to see."""

    CIRCUMSTANCES = 0
    HAND = 1
    SHAPE = 2
    READING = 3
    WILD_SHAPE = 4


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a table's line may say beside `when`.

    `of` is a class name or a list of codes; `times` a number; `hands` groups of tiles as `Layout.spelled` reads them.
    `no_kong` lists kinds whose triplet must be none in a fixed hand.
    """

    of: str = ""
    times: int = 1
    hands: tuple[str, ...] = ()
    no_kong: str = ""

    def kinds(self, layout: Layout) -> tuple[int, ...]:
        """The kinds of `of`. Raises LayoutError where it is missing or names what the layout has not."""
        if not self.of.split():
            raise LayoutError("'of' is missing: a class of tiles or a list of codes")
        return layout.kinds(self.of)

    def mask(self, layout: Layout) -> int:
        """The mask of `of`. Raises LayoutError as `kinds` does."""
        return sum(1 << kind for kind in self.kinds(layout))


@dataclass(frozen=True, slots=True)
class Condition:
    """A built condition. A shape of another form, or with fewer runs or triplets, cannot meet it."""

    scope: Scope
    test: Callable[[Any], int]
    form: Form | None = None
    runs: int = 0
    triplets: int = 0


Builder = Callable[[Layout, Parameters], Condition]
_BUILDERS: dict[str, Builder] = {}


def on_circumstances(test: Callable[[Circumstances], int]) -> Condition:
    """A condition on how the hand was won alone."""
    return Condition(Scope.CIRCUMSTANCES, test)


def on_hand(test: Callable[[Facts], int]) -> Condition:
    """A condition on the whole hand, whichever way it is split."""
    return Condition(Scope.HAND, test)


def on_shape(
    test: Callable[[Shape], int], *, form: Form | None = Form.GROUPS, runs: int = 0, triplets: int = 0
) -> Condition:
    """A condition on a split."""
    return Condition(Scope.SHAPE, test, form, runs, triplets)


def on_reading(test: Callable[[Reading], int], *, runs: int = 0, triplets: int = 0) -> Condition:
    """A condition on a split of groups and a pair with the winning tile in its place."""
    return Condition(Scope.READING, test, Form.GROUPS, runs, triplets)


def condition(builder: Builder) -> Builder:
    """Register a builder under its name."""
    _BUILDERS[builder.__name__] = builder
    return builder


def condition_names() -> tuple[str, ...]:
    """The names that `when` may use."""
    return tuple(sorted(_BUILDERS))


def meaning(name: str) -> str:
    """What a condition says, in a sentence: the first line of its builder's own description."""
    return (_BUILDERS[name].__doc__ or "").partition("\n")[0]


def build(names: tuple[str, ...], layout: Layout, parameters: Mapping[str, Any]) -> Condition:
    """The condition that holds where all the named ones do. Raises LayoutError on an unknown name or tile."""
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in parameters.items()}
    given = Parameters(**values)
    parts = []
    for name in names:
        if name not in _BUILDERS:
            raise LayoutError(f"no condition {name!r}; there are: {', '.join(condition_names())}")
        parts.append(_BUILDERS[name](layout, given))
    first = parts[0]
    for second in parts[1:]:
        first = _both(first, second)
    return first


def _both(a: Condition, b: Condition) -> Condition:
    narrow, wide = sorted((a, b), key=lambda part: part.scope)
    if wide.scope is Scope.WILD_SHAPE and narrow.scope is not wide.scope:
        raise LayoutError("a condition on a hand with wilds cannot be joined to one of another sort")
    wide_test, narrow_test = wide.test, narrow.test
    steps = tuple(_LOWER[scope] for scope in range(wide.scope, narrow.scope, -1))

    def test(seen: Any) -> int:
        held = wide_test(seen)
        for step in steps:
            seen = step(seen)
        return min(held, narrow_test(seen))

    form = wide.form if narrow.form is None else narrow.form
    return Condition(wide.scope, test, form, max(a.runs, b.runs), max(a.triplets, b.triplets))


# From what a scope sees to what the next lower one sees.
_LOWER: dict[int, Callable[[Any], Any]] = {
    Scope.READING: attrgetter("shape"),
    Scope.SHAPE: attrgetter("facts"),
    Scope.HAND: attrgetter("circumstances"),
}
