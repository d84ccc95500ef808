"""The vocabulary (rules, section 1)."""

from __future__ import annotations

import pytest

from scoring import Colour, Family, TileError, format_tiles, parse_tile, parse_tiles, rule_set, rule_sets, tiles_of
from scoring.tiles import PAIGOW_PARTNERS

FACES = {
    Family.XIANGQI: ("rK帅 rA仕 rE相 rR车 rH马 rC炮 rP兵 bK将 bA士 bE象 bR車 bH馬 bC砲 bP卒 T天 D地 N人"),
    Family.JUNQI: (
        "r1司令 r2军长 r3师长 r4旅长 r5团长 r6营长 r7连长 r8排长 r9工兵 rL地雷 rB炸弹 rF军旗 "
        "b1司令 b2军长 b3师长 b4旅长 b5团长 b6营长 b7连长 b8排长 b9工兵 bL地雷 bB炸弹 bF军旗"
    ),
    Family.PAIGOW: (
        "66天 11地 44人 31和 55梅花 33长三 22板凳 65斧头 64红头 61尖七 51铜锤 "
        "54红九 63黑九 53斜八 62平八 43红七 52黑七 41红五 32黑五 42大猴 21小猴"
    ),
    Family.MAHJONG: (
        "1m一万 2m二万 3m三万 4m四万 5m五万 6m六万 7m七万 8m八万 9m九万 "
        "1p一筒 2p二筒 3p三筒 4p四筒 5p五筒 6p六筒 7p七筒 8p八筒 9p九筒 "
        "1s一条 2s二条 3s三条 4s四条 5s五条 6s六条 7s七条 8s八条 9s九条 "
        "1z东 2z南 3z西 4z北 5z白 6z发 7z中 f1春 f2夏 f3秋 f4冬 f5梅 f6兰 f7菊 f8竹"
    ),
}


@pytest.mark.parametrize("family", Family)
def test_codes_and_faces(family: Family) -> None:
    tiles = tiles_of(family)
    assert " ".join(tile.code + tile.zh for tile in tiles) == FACES[family]
    assert [tile.order for tile in tiles] == list(range(len(tiles)))
    assert {tile.family for tile in tiles} == {family}
    assert all(tile.en for tile in tiles)
    assert len({tile.en for tile in tiles}) == len(tiles)
    assert [parse_tile(str(tile)) for tile in tiles] == list(tiles)
    assert parse_tiles(format_tiles(tiles)) == tiles
    assert parse_tiles(",".join(tile.code for tile in tiles)) == tiles


def test_no_two_families_share_a_code() -> None:
    codes = [tile.code for family in Family for tile in tiles_of(family)]
    assert len(set(codes)) == len(codes) == 17 + 24 + 21 + 42


@pytest.mark.parametrize("code", ["", "rk", "rR ", "10m", "13", "f9", "8z", None, 5, ["rR"]])
def test_what_is_no_code(code: str) -> None:
    with pytest.raises(TileError) as caught:
        parse_tile(code)
    assert repr(code) in str(caught.value)


def test_colours() -> None:
    red = {tile.code for tile in tiles_of(Family.PAIGOW) if tile.colour is Colour.RED}
    assert red == {"66", "11", "44", "31", "64", "61", "51", "54", "43", "41", "42", "21"}
    assert {tile.code for tile in tiles_of(Family.XIANGQI) if tile.colour is Colour.BLUE} == {"T", "D", "N"}
    assert [tile.colour for tile in tiles_of(Family.MAHJONG)].count(Colour.HONORS) == 7
    assert [tile.colour for tile in tiles_of(Family.MAHJONG)].count(Colour.BONUS) == 8
    assert all(tile.colour is (Colour.RED if tile.code[0] == "r" else Colour.BLACK) for tile in tiles_of(Family.JUNQI))


def test_military_dominoes_correspond() -> None:
    assert all(PAIGOW_PARTNERS[other] == code for code, other in PAIGOW_PARTNERS.items())
    points = {code: sum(int(half) for half in code) for code in PAIGOW_PARTNERS}
    assert all(points[code] == points[other] for code, other in PAIGOW_PARTNERS.items() if code not in ("42", "21"))
    military = {tile.code for tile in tiles_of(Family.PAIGOW)[11:]}
    assert set(PAIGOW_PARTNERS) == military


COPIES = {
    "xiangqi-1": (68, 7, 2, "rK=3 bP=5 T=4 rA=4"),
    "xiangqi-2": (32, 4, 1, "rK=1 bP=5 rA=2 T=0"),
    "xiangqi-3": (64, 7, 2, "bK=2 rP=10 bC=4 N=0"),
    "xiangqi-4": (64, 7, 2, "bK=2 rP=10 bC=4"),
    "junqi-1": (100, 7, 2, "r1=2 b6=4 b9=6 rL=6 rB=4 bF=2"),
    "junqi-2": (100, 13, 4, "r1=2 b6=4 b9=6 rL=6 rB=4 bF=2"),
    "junqi-3": (104, 13, 4, "r1=4 b6=4 b9=4 rL=6 rB=6 bF=4"),
    "junqi-4": (150, 13, 4, "r1=3 b6=6 b9=9 rL=9 rB=6 bF=3"),
    "junqi-5": (150, 13, 4, "r1=3 b6=6 b9=9 rL=9 rB=6 bF=3"),
    "paigow-1": (84, 7, 2, "66=4 21=4"),
    "duanzi": (136, 13, 4, "1m=4 7z=4 f1=0"),
    "lata": (136, 13, 4, "1m=4 7z=4 f8=0"),
    "quzhou": (136, 13, 4, "9s=4 5z=4"),
}


def test_the_first_table_of_the_rules() -> None:
    assert tuple(COPIES) == rule_sets()
    for id, (pieces, hand, groups, some) in COPIES.items():
        rules = rule_set(id)
        assert (rules.id, sum(rules.number), rules.hand_size, rules.groups) == (id, pieces, hand, groups)
        assert rules.zh
        assert rules.en
        assert str(rules) == f"<RuleSet {id}>"
        for code, number in (part.split("=") for part in some.split()):
            assert rules.copies(code) == int(number), (id, code)
        assert rules.players == ((2, 4) if id == "xiangqi-4" else (2, 3, 4))
        chi = id == "xiangqi-2" or id[:5] in ("junqi", "paigo") or id in ("lata", "quzhou")
        assert ("chi" in rules.calls) is chi
        assert ("super_kong" in rules.calls) is (id in ("xiangqi-1", "xiangqi-2"))


RUNS = [("xiangqi-1", 4), ("xiangqi-2", 4), ("junqi-1", 14), ("paigow-1", 28), ("lata", 21)]


@pytest.mark.parametrize(("id", "number"), RUNS)
def test_runs(id: str, number: int) -> None:
    layout = rule_set(id).layout
    assert len(layout.runs) == len(set(layout.runs)) == number
    runs = {"".join(layout.tiles[kind].code for kind in run) for run in layout.runs}
    some = {"xiangqi-1": "rKrArE rRrHrC bKbAbE bRbHbC", "xiangqi-2": "rKrArE", "junqi-1": "r1r2r3 b7b8b9"}
    some |= {"paigow-1": "212232 112233 112131 636465 616263 445566", "lata": "1m2m3m 7s8s9s"}
    assert runs.issuperset(some[id].split())
