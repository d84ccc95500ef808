from __future__ import annotations

from dataclasses import replace

import pytest

from vision.reading import Quad, Sighting
from vision.votes import Votes

QUAD = Quad(((0, 0), (9, 0), (9, 9), (0, 9)), 0.9, True, "down")
UP = replace(QUAD, face="up")


def sighting(*shares: tuple[str, float], turn: float = 0.0) -> Sighting:
    return Sighting(UP, shares[0][0], shares[0][1], shares, turn)


def back(confidence: float) -> Sighting:
    return Sighting(QUAD, None, confidence, ())


def votes(*sightings: Sighting | None) -> Votes:
    total = Votes()
    for one in sightings:
        total = total.add(one)
    return total


def test_no_vote_no_name() -> None:
    assert (Votes().code, Votes().confidence, Votes().no_tile) == (None, 0.0, False)
    assert Votes().sighting(QUAD).alternatives == ()


def test_one_vote_is_what_was_seen() -> None:
    told = votes(sighting(("rR", 0.7), ("rH", 0.3), turn=30.0)).sighting(QUAD)
    assert (told.code, told.turn, told.quad.face) == ("rR", 30.0, "up")
    assert told.confidence == pytest.approx(0.7)
    assert dict(told.alternatives) == pytest.approx({"rR": 0.7, "rH": 0.3})


def test_log_probabilities_add_up() -> None:
    # Two lukewarm votes against one that is nearly sure: 0.6·0.6·0.02 < 0.4·0.4·0.98.
    many = votes(*[sighting(("rR", 0.6), ("rH", 0.4))] * 2, sighting(("rH", 0.98), ("rR", 0.02)))
    assert many.code == "rH"
    # Three of them are more: 0.6³·0.3 > 0.4³·0.7.
    assert votes(*[sighting(("rR", 0.6), ("rH", 0.4))] * 3, sighting(("rH", 0.7), ("rR", 0.3))).code == "rR"


def test_the_order_of_the_votes_does_not_matter() -> None:
    one, two = sighting(("rR", 0.9), ("rH", 0.1)), sighting(("rC", 0.8), ("rH", 0.2))
    assert votes(one, two).totals == pytest.approx(dict(votes(two, one).totals))
    assert votes(one, two).code == votes(two, one).code == "rH"


def test_votes_agree_with_growing_but_not_boundless_confidence() -> None:
    shares = [votes(*[sighting(("rR", 0.6), ("rH", 0.4))] * count).confidence for count in (1, 2, 6)]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.6)
    assert shares[-1] < 0.75


def test_a_kind_that_is_not_listed_is_unlikely_and_not_impossible() -> None:
    found = votes(sighting(("rR", 1.0), ("rH", 0.0)), sighting(("rH", 0.9), ("rR", 0.1)))
    assert found.code == "rR"
    assert 0 < dict(found.sighting(QUAD).alternatives)["rH"] < 0.5


def test_backs_and_faces_are_voted_too() -> None:
    down = votes(back(0.97), back(0.9), sighting(("rR", 0.5), ("rH", 0.5)))
    told = down.sighting(QUAD)
    assert (told.code, told.quad.face, told.alternatives) == (None, "down", ())
    assert 0.5 < told.confidence < 0.99
    assert votes(back(0.6), sighting(("rR", 0.9), ("rH", 0.1))).code == "rR"
    assert 0.9 < votes(back(1.0)).confidence < 1


def test_nothing_by_majority() -> None:
    seen = sighting(("rR", 0.9), ("rH", 0.1))
    assert votes(None).no_tile
    assert votes(None, None, seen).no_tile
    assert not votes(None, seen).no_tile
    assert votes(None, seen).code == "rR"


def test_what_is_like_no_kind_by_majority_has_no_name() -> None:
    strange = Sighting(UP, None, 0.8, (("rR", 0.8), ("rH", 0.2)))
    seen = sighting(("rR", 0.9), ("rH", 0.1))
    told = votes(strange, strange, seen).sighting(QUAD)
    assert (told.code, told.quad.face, told.alternatives[0][0]) == (None, "up", "rR")
    assert votes(strange, seen).code == "rR"
    assert votes(strange, seen, seen).code == "rR"
