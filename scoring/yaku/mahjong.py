"""Conditions of the mahjong rule sets with a wild tile (rules, section 6)."""

from __future__ import annotations

from collections.abc import Callable

from scoring.condition import Condition, Parameters, Scope, condition, on_circumstances
from scoring.layout import Layout
from scoring.wild import WildForm, WildShape


def on_wild_shape(test: Callable[[WildShape], int]) -> Condition:
    """A condition on a way to take a hand with wilds."""
    return Condition(Scope.WILD_SHAPE, test)


@condition
def four_groups(layout: Layout, given: Parameters) -> Condition:
    """Four groups and a pair."""
    return on_wild_shape(lambda shape: shape.form is WildForm.GROUPS)


@condition
def four_triplets(layout: Layout, given: Parameters) -> Condition:
    """Four triplets or kongs and a pair."""
    return on_wild_shape(lambda shape: shape.form is WildForm.TRIPLETS)


@condition
def seven_pairs(layout: Layout, given: Parameters) -> Condition:
    """Seven pairs; four alike may be two."""
    return on_wild_shape(lambda shape: shape.form is WildForm.SEVEN_PAIRS)


@condition
def seven_winds(layout: Layout, given: Parameters) -> Condition:
    """All seven honors, none played by a wild, and any seven suit tiles."""
    return on_wild_shape(lambda shape: shape.form is WildForm.SEVEN_WINDS)


@condition
def winds_apart(layout: Layout, given: Parameters) -> Condition:
    """All seven honors, none played by a wild, and seven suit tiles that lie at least three apart."""
    return on_wild_shape(lambda shape: shape.form is WildForm.WINDS_APART)


@condition
def knitted(layout: Layout, given: Parameters) -> Condition:
    """Fourteen different tiles of 147 of one suit, 258 of another, 369 of the third and the honors."""
    return on_wild_shape(lambda shape: shape.form is WildForm.KNITTED)


@condition
def apart(layout: Layout, given: Parameters) -> Condition:
    """Fourteen different tiles, those of a suit at least three apart."""
    return on_wild_shape(lambda shape: shape.form is WildForm.APART)


@condition
def flush_shape(layout: Layout, given: Parameters) -> Condition:
    """A shape whose tiles of one suit count: four groups, seven pairs, or the seven honors with suit tiles."""
    shapes = (WildForm.GROUPS, WildForm.TRIPLETS, WildForm.SEVEN_PAIRS, WildForm.SEVEN_WINDS)
    return on_wild_shape(lambda shape: shape.form in shapes)


@condition
def one_suit(layout: Layout, given: Parameters) -> Condition:
    """All of one suit."""
    return on_wild_shape(lambda shape: not shape.played.honors and len(shape.played.suits) <= 1)


@condition
def one_suit_and_honors(layout: Layout, given: Parameters) -> Condition:
    """All of one suit and honors."""
    return on_wild_shape(lambda shape: len(shape.played.suits) <= 1)


@condition
def only_honors(layout: Layout, given: Parameters) -> Condition:
    """Honors alone."""
    return on_wild_shape(lambda shape: not shape.played.suits)


@condition
def single_wait(layout: Layout, given: Parameters) -> Condition:
    """All four groups are melds, concealed kongs too, so that one tile was left in hand."""
    return on_wild_shape(lambda shape: shape.single)


@condition
def holds_wild(layout: Layout, given: Parameters) -> Condition:
    """The hand holds a wild."""
    return on_wild_shape(lambda shape: shape.wilds_held > 0)


@condition
def all_wilds(layout: Layout, given: Parameters) -> Condition:
    """The hand holds all three wilds."""
    return on_wild_shape(lambda shape: shape.wilds_held == 3)


@condition
def by_discard(layout: Layout, given: Parameters) -> Condition:
    """The winning tile was not self-drawn: a discard, or a kong that was robbed."""
    return on_circumstances(lambda how: not how.self_draw)


@condition
def dealers_first_discard(layout: Layout, given: Parameters) -> Condition:
    """Won on the dealer's first discard."""
    return on_circumstances(lambda how: how.first_turn and how.from_dealer)
