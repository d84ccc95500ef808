"""Tiles, rule sets, hands and what they are worth. Needs nothing but the standard library."""

from scoring.batch import parse_line, score_json, score_line, score_lines, waits_json
from scoring.between import asked_of_draw, event_from_json
from scoring.describe import describe
from scoring.explain import explain, seat_name
from scoring.fan import FanScore, ranked
from scoring.hand import By, Context, Hand, HandError, Meld, MeldType, Reason, hand_from_json
from scoring.house import HouseError, house_rules
from scoring.ledger import LedgerError
from scoring.possible import ruled_out, ruled_out_json
from scoring.result import Earned, Group, Lack, NoWin, Score
from scoring.ruleset import RuleError, RuleSet, rule_set, rule_sets
from scoring.score import score
from scoring.tiles import Colour, Family, Tile, TileError, format_tiles, parse_tile, parse_tiles, tiles_of
from scoring.units import UnitScore
from scoring.waits import Discard, Wait, discards, waiting_hand, waits, what_if

__all__ = [
    "By",
    "Colour",
    "Context",
    "Discard",
    "Earned",
    "Family",
    "FanScore",
    "Group",
    "Hand",
    "HandError",
    "HouseError",
    "Lack",
    "LedgerError",
    "Meld",
    "MeldType",
    "NoWin",
    "Reason",
    "RuleError",
    "RuleSet",
    "Score",
    "Tile",
    "TileError",
    "UnitScore",
    "Wait",
    "asked_of_draw",
    "describe",
    "discards",
    "event_from_json",
    "explain",
    "format_tiles",
    "hand_from_json",
    "house_rules",
    "parse_line",
    "parse_tile",
    "parse_tiles",
    "ranked",
    "rule_set",
    "rule_sets",
    "ruled_out",
    "ruled_out_json",
    "score",
    "score_json",
    "score_line",
    "score_lines",
    "seat_name",
    "tiles_of",
    "waiting_hand",
    "waits",
    "waits_json",
    "what_if",
]
