"""Tiles, rule sets, hands and what they are worth. Needs nothing but the standard library."""

from scoring.hand import By, Context, Hand, HandError, Meld, MeldType, Reason, hand_from_json
from scoring.ruleset import RuleError, RuleSet, rule_set, rule_sets
from scoring.tiles import Colour, Family, Tile, TileError, format_tiles, parse_tile, parse_tiles, tiles_of

__all__ = [
    "By",
    "Colour",
    "Context",
    "Family",
    "Hand",
    "HandError",
    "Meld",
    "MeldType",
    "Reason",
    "RuleError",
    "RuleSet",
    "Tile",
    "TileError",
    "format_tiles",
    "hand_from_json",
    "parse_tile",
    "parse_tiles",
    "rule_set",
    "rule_sets",
    "tiles_of",
]
