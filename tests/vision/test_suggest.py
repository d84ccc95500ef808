from __future__ import annotations

import pytest

from scoring import rule_set
from vision.hand import Assembly
from vision.reading import HandReading, MeldReading, Quad, Sighting
from vision.suggest import nearest_win

QUAD = Quad(((0, 0), (40, 0), (40, 60), (0, 60)), 0.9, False, "up")
LATA = rule_set("lata")


def tile(text: str) -> Sighting:
    """A tile from text such as `1m` or `4p:0.5 6p:0.4`, what it was read as first."""
    shares = [(code, float(share or 0.97)) for code, _, share in (part.partition(":") for part in text.split())]
    return Sighting(QUAD, shares[0][0], shares[0][1], tuple(sorted(shares, key=lambda item: -item[1])))


def held(text: str, win: str, *melds: tuple[str, str]) -> Assembly:
    """Concealed tiles, divided by commas or by nothing but spaces, the winning one, and called groups."""
    tiles = [tile(part) for part in (text.split(",") if "," in text else text.split())]
    size = len(tiles)
    tiles.append(tile(win))
    read = []
    for kind, codes in melds:
        start = len(tiles)
        tiles += [tile(code) for code in codes.split()]
        read.append(MeldReading(kind, tuple(range(start, len(tiles))), tuple(codes.split())))
    return Assembly(tuple(tiles), (0,) * len(tiles), HandReading(tuple(range(size)), tuple(read), size))


def changes(assembly: Assembly, rules: str = "lata") -> list[tuple[int, str, str]] | None:
    suggestion = nearest_win(assembly, rule_set(rules))
    return suggestion and [(change.place, change.read, change.code) for change in suggestion.changes]


def test_a_hand_that_wins_has_no_suggestion() -> None:
    assert changes(held("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 1z 5z", "5z")) is None


def test_the_doubtful_tile_that_would_make_the_hand_win_is_named() -> None:
    assembly = held("1m,2m,3m,6p:0.61 4p:0.37,5p,6p,7s,8s,9s,1z,1z,1z,5z", "5z")
    suggestion = nearest_win(assembly, LATA)
    assert suggestion is not None
    assert suggestion.to_json() == {"changes": [{"tile": 3, "from": "6p", "to": "4p", "confidence": 0.37}]}


def test_of_two_ways_to_win_the_likelier_is_taken() -> None:
    assembly = held("1m,2m,3m,8p:0.5 4p:0.2 7p:0.25,5p,6p,7s,8s,9s,1z,1z,1z,5z", "5z")
    assert changes(assembly) == [(3, "8p", "7p")]


def test_two_tiles_may_change_and_the_winning_one_too() -> None:
    assembly = held("1m,2m,3m,6p:0.6 4p:0.3,5p,6p,7s,8s,9s,1z,1z,1z,5z", "7z:0.5 5z:0.4")
    assert changes(assembly) == [(3, "6p", "4p"), (13, "7z", "5z")]


def test_called_groups_stay_as_they_are() -> None:
    assembly = held("1m,2m,3m,6p:0.6 4p:0.3,5p,6p,5z", "5z", ("pong", "1z 1z 1z"), ("chi", "7s 8s 9s"))
    assert changes(assembly) == [(3, "6p", "4p")]


def test_what_is_far_from_the_reading_is_not_suggested() -> None:
    assert changes(held("1m,2m,3m,6p:0.999 4p:0.0003,5p,6p,7s,8s,9s,1z,1z,1z,5z", "5z")) is None
    assert changes(held("1m 4m 7m 1p 4p 7p 1s 4s 7s 1z 2z 3z 4z", "5z")) is None


def test_no_more_copies_than_there_are_are_suggested() -> None:
    assembly = held("1m,2m,3m,4p,5p,6p,7s,8s,9s,1z,1z,1z,2z:0.6 1z:0.3", "1z")
    assert changes(assembly) is None


def test_a_hand_with_a_wrong_number_of_tiles_is_left_alone() -> None:
    assert changes(held("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 5z", "5z")) is None
    nothing = Assembly((), (), HandReading((), (), None))
    assert nearest_win(nothing, LATA) is None


@pytest.mark.parametrize("rules", ["duanzi", "quzhou", "lata"])
def test_rules_that_count_units_are_known(rules: str) -> None:
    assert changes(held("1m,1m,1m,6p:0.6 4p:0.3,4p,4p,9s,9s,9s,1z,1z,1z,5z", "5z"), rules) == [(3, "6p", "4p")]


def test_many_doubtful_tiles_do_not_take_for_ever() -> None:
    doubtful = ",".join(
        f"{n % 9 + 1}m:0.3 {(n + 4) % 9 + 1}p:0.25 {(n + 2) % 9 + 1}s:0.2 {n % 7 + 1}z:0.2" for n in range(13)
    )
    nearest_win(held(doubtful, "1z:0.3 2z:0.25 3z:0.2"), LATA)


def test_xiangqi() -> None:
    assembly = held("rR,rR,rR,rC:0.55 rP:0.4", "rP", ("pong", "bC bC bC"))
    assert changes(assembly, "xiangqi-3") == [(3, "rC", "rP")]
