from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from calibration import laid_out
from hupai.__main__ import main
from scoring.tiles import Family, tiles_of


@pytest.mark.parametrize("family", list(Family))
def test_every_kind_is_laid_out_once_in_the_order_of_the_family(family: Family) -> None:
    assert tuple(tile for row in laid_out(family) for tile in row) == tiles_of(family)


def test_each_row_is_one_colour_or_suit() -> None:
    assert [{tile.code[0] for tile in row} for row in laid_out(Family.XIANGQI)] == [{"r"}, {"b"}, {"T", "D", "N"}]
    assert [{tile.code[-1] for tile in row} for row in laid_out(Family.MAHJONG)[:4]] == [{"m"}, {"p"}, {"s"}, {"z"}]


def test_the_order_is_printed_for_people_and_for_scripts() -> None:
    shown = CliRunner().invoke(main, ["calibrate", "--order", "--family", "junqi"])
    assert (shown.exit_code, len(shown.output.splitlines())) == (0, 2)
    assert shown.output.startswith("r1 司令")
    rows = [
        json.loads(line)
        for line in CliRunner()
        .invoke(main, ["calibrate", "--order", "--family", "paigow", "--json"])
        .output.splitlines()
    ]
    assert rows[0][:3] == ["66", "11", "44"]


def test_without_order_there_is_nothing_to_do() -> None:
    refused = CliRunner().invoke(main, ["calibrate", "--family", "junqi"])
    assert refused.exit_code == 2
    assert "--order" in refused.output
