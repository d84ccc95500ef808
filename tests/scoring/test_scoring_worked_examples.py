"""Every example the rules spell out, and what each line of the lists is worth, closed and open."""

from __future__ import annotations

from typing import Any

import pytest
from spelling import lost, won

Case = tuple[str, str, dict[str, Any], dict[str, int]]
"""The hand, its melds, how it was won, and the yaku with their fan in all; a yakuman stands as its number times 100."""

SELF: dict[str, Any] = {"by": "self_draw"}
CIRCUMSTANCES: list[tuple[dict[str, Any], dict[str, int]]] = [
    ({"riichi": True}, {"立直": 1}),
    ({"riichi": True, "ippatsu": True}, {"立直": 1, "一发": 1}),
    ({"double_riichi": True}, {"w立直": 2}),
    ({"riichi": True, "double_riichi": True, "ippatsu": True}, {"w立直": 2, "一发": 1}),
    ({**SELF}, {"门清自摸": 1}),
    ({**SELF, "last_tile": True}, {"门清自摸": 1, "海底捞月": 1}),
    ({"last_tile": True}, {"河底捞鱼": 1}),
    ({"by": "robbed_kong"}, {"抢杠": 1}),
    ({"by": "robbed_kong", "last_tile": True}, {"抢杠": 1}),
    ({**SELF, "first_turn": True}, {"地胡": 100}),
    ({**SELF, "first_turn": True, "dealer": 0}, {"天胡": 100}),
    ({**SELF, "first_turn": True, "double_riichi": True, "dealer": 0}, {"天胡": 100}),
]

PLAIN = {
    "xiangqi-1": ("rKrArE bHbHbH rPrP", {}),
    "xiangqi-2": ("rKrArE bHbH", {}),
    "xiangqi-3": ("rKrArE bHbHbH rPrP", {}),
    "xiangqi-4": ("rKrArE bHbHbH rPrP", {}),
    "junqi-1": ("r1r2r3 rLrLrL b9b9", {}),
    "junqi-2": ("r1r2r3 r7r7r7 b1b2b3 rLrLrL b9b9", {"二色同顺": 1}),
    "junqi-3": ("r1r2r3 r7r7r7 b1b2b3 rLrLrL b9b9", {"二色同顺": 1}),
    "junqi-4": ("r1r2r3 r7r7r7 b1b2b3 rLrLrL b9b9", {"二色同顺": 1}),
    "junqi-5": ("r1r2r3 r7r7r7 b1b2b3 rLrLrL b9b9", {"二色同顺": 1}),
    "paigow-1": ("212232 636363 5454", {}),
}

XIANGQI_1: list[Case] = [
    ("rKrK bAbA TT rPrP", "", {}, {"四对": 1}),
    ("rKrArE rHrHrH rPrP", "", {}, {"清一色": 1}),
    ("bHbH bPbPbP", "bAbAbA", {}, {"清一色": 1}),
    ("rHrH bPbPbP", "TTT", {}, {"天刻": 1}),
    ("rHrH bPbPbP", "DDD", {}, {"地刻": 1}),
    ("rHrH bPbPbP", "NNNN", {}, {"人刻": 1}),
    ("rHrH TTT", "NNN", {}, {"天刻": 1, "人刻": 1}),
    ("rKrArE bKbAbE rPrP", "", {}, {"二色同顺": 2}),
    ("rRrHrC bRbHbC TT", "", {}, {"二色同顺": 2}),
    ("rHrHrH TT bHbHbH", "", {}, {"二色同刻": 2}),
    ("rHrHrH TT", "bHbHbH", {}, {"二色同刻": 2}),
    ("rPrPrP bAbAbA rKrK", "", {}, {"二暗刻": 2}),
    ("rKrK bAbAbA rPrPrP", "", {**SELF}, {"门清自摸": 1, "二暗刻": 2}),
    ("rKrArE rRrHrC NN", "", {}, {"一条龙": 2}),
    ("bKbAbE bRbHbC bPbP", "", {}, {"清一色": 1, "一条龙": 2}),
    ("rKrKrK bRbHbC TT", "", {}, {"帅刻": 3}),
    ("bRbHbC bKbKbK TT", "", {}, {"将刻": 3}),
    ("rHrH bPbPbP", "rKrKrK", {}, {"帅刻": 1}),
    ("rHrH bPbPbP", "bKbKbK", {}, {"将刻": 1}),
    ("TT rKrKrK", "bKbKbK", {}, {"帅刻": 1, "将刻": 1, "二色同刻": 2}),
    ("rRrHrC rRrHrC TT", "", {}, {"一杯口": 3}),
    ("TTT DDD NN", "", {}, {"天地人": 100}),
    ("NN DDD", "TTTT", {}, {"天地人": 100}),
    ("NNN DD", "TTT", {}, {"天地人": 100}),
    ("TT NNN", "DDD", {}, {"天地人": 100}),
    ("bEbEbE bPbPbPbPbP", "", {}, {"飞象过河": 100}),
    ("bPbPbPbPbP", "bEbEbEbE", {}, {"飞象过河": 100}),
    ("bKbKbK rPrPrPrPrP", "", {}, {"天将神兵": 100}),
    ("rPrPrP bPbPbPbPbP", "", {}, {"百万雄兵": 100}),
    ("rPrPrPrPrP bPbPbP", "", {}, {"百万雄兵": 100}),
    ("rPrPrPrPrP", "bPbPbPbP", {}, {"百万雄兵": 100}),
    ("rRrRrR rPrPrPrPrP", "", {}, {"兵车行": 100}),
    ("rPrPrPrPrP", "bRbRbR", {}, {"兵车行": 100}),
    ("rHrHrH rPrPrPrPrP", "", {}, {"兵强马壮": 100}),
    ("rPrPrPrPrP", "bHbHbHbH", {}, {"兵强马壮": 100}),
    ("rCrC TT DD NN", "", {}, {"惊天动地": 100}),
    ("TT DD NN bCbC", "", {}, {"惊天动地": 100}),
    ("rArArA bKbK bAbAbA", "", {}, {"君臣同治": 100}),
    ("rErErE rKrK bEbEbE", "", {}, {"良相辅国": 100}),
    ("rKrKrK rArE bKbAbE", "", {}, {"将相和": 100}),
    ("rKrArE bKbKbK bAbE", "", {}, {"将相和": 100}),
    # Not these: the swaps that the source forbids, and a kong of 卒 in 飞象过河.
    ("rErErE bPbPbPbPbP", "", {**SELF}, {"门清自摸": 1, "二暗刻": 2}),
    ("rKrKrK rPrPrPrPrP", "", {**SELF}, {"门清自摸": 1, "清一色": 1, "帅刻": 3, "二暗刻": 2}),
]

XIANGQI_2: list[Case] = [
    ("rKbK rRrHrC", "", {}, {"将帅头": 1}),
    ("rKbK", "rRrHrC", {}, {"将帅头": 1}),
    ("rRrHrC rArA", "", {}, {"清一色": 2}),
    ("bEbE", "bPbPbP", {}, {"清一色": 2}),
    ("rHrH", "bPbPbPbP", {**SELF, "replacement": True}, {"杠上开花": 1}),
    ("rHrH", "bPbPbPbPbP", {**SELF, "replacement": True}, {"超杠开花": 2}),
    ("rHrH", "=bPbPbPbPbP", {**SELF, "replacement": True}, {"门清自摸": 1, "超杠开花": 2}),
    ("rPrP bPbPbP", "", {}, {"百万雄兵": 3}),
    ("bPbP", "rPrPrPrP", {}, {"百万雄兵": 3}),
    ("rPrPrPrPrP", "", {}, {"五福临门": 100}),
    ("bPbP", "bPbPbP", {}, {"五福临门": 100}),
    ("rRrR rPrPrP", "", {}, {"兵车行": 100}),
    ("bRbR", "rPrPrP", {}, {"兵车行": 100}),
    ("rHrH", "rPrPrPrPrP", {}, {"兵强马壮": 100}),
    ("bHbH rPrPrP", "", {}, {"兵强马壮": 100}),
    ("bAbA bPbPbP", "", {}, {"身先士卒": 100}),
    ("rHrH bPbPbP", "", {"riichi": True, "by": "robbed_kong"}, {"立直": 1}),
]

XIANGQI_3: list[Case] = [
    ("rRrRrR rPrP", "bCbCbC", {}, {"对对胡": 1}),
    ("rRrHrC rKrK", "bPbPbP", {}, {"帅头": 1}),
    ("rRrHrC bKbK", "bPbPbP", {}, {"将头": 1}),
    ("rKrK bAbA rPrP bCbC", "", {}, {"四对": 1}),
    ("rKrK bAbA rPrP bKbK", "", {}, {"将帅四对": 3}),
    ("rErE rRrR bEbE bRbR", "", {}, {"大四对": 3}),
    ("rKrK rRrR bKbK bRbR", "", {}, {"将帅四对": 3, "大四对": 3}),
    ("rKrK rArA rPrP rRrR", "", {}, {"四对": 1, "清一色": 2}),
    ("rKrArE rHrHrH rPrP", "", {}, {"清一色": 2}),
    ("rKrArE rPrP", "rHrHrH", {}, {"清一色": 1}),
    ("rKrArE bKbAbE rPrP", "", {}, {"双色同顺": 2}),
    ("rRrHrC bRbHbC rKrK", "", {}, {"双色同顺": 2, "帅头": 1}),
    ("rCrCrC bPbP", "bCbCbC", {}, {"双色同刻": 3}),
    ("bPbP rCrCrC bCbCbC", "", {**SELF}, {"门清自摸": 1, "双色同刻": 3, "双暗刻": 3}),
    ("rRrHrC rRrHrC bPbP", "", {}, {"一杯口": 3}),
    ("rCrCrC bHbHbH bPbP", "", {}, {"双暗刻": 3}),
    ("rCrCrC bPbP bHbHbH", "", {"riichi": True}, {"立直": 1, "对对胡": 1}),
    ("rKrArE rRrHrC rPrP", "", {}, {"一气通贯": 6}),
    ("bKbAbE bRbHbC bPbP", "", {}, {"一气通贯": 6}),
    ("rPrP", "rCrCrCrC bHbHbHbH", {}, {"双杠": 6, "对对胡": 1}),
    ("rPrP", "=rCrCrCrC =bHbHbHbH", {}, {"双杠": 6, "双暗刻": 3}),
    ("rPrPrP rPrP", "bPbPbP", {}, {"百万雄兵": 6, "双色同刻": 3}),
    ("rPrP bPbPbP", "bPbPbPbP", {}, {"百万雄兵": 6, "对对胡": 1}),
    ("bKbK rPrPrP rPrPrP", "", {}, {"天将神兵": 100}),
    ("rPrP rPrPrP rPrPrP", "", {}, {"千万雄兵": 100}),
    ("bHbH", "bPbPbPbP bPbPbPbP", {}, {"千万雄兵": 100}),
    ("rPrP", "rPrPrPrP rPrPrP", {}, {"千万雄兵": 100}),
    ("rRrRrR rPrPrPrPrP", "", {}, {"兵车行": 100}),
    ("bRbR rPrPrP rPrPrP", "", {}, {"兵车行": 100}),
    ("bRbRbR rPrP", "rPrPrP", {}, {"兵车行": 100}),
    ("rRrR rPrPrP rPrPrP", "", {}, {"兵车行": 100}),
    ("rHrH rPrPrP rPrPrP", "", {}, {"兵强马壮": 100}),
    ("bHbHbH rPrPrPrPrP", "", {}, {"兵强马壮": 100}),
    ("bHbH rPrPrP rPrPrP", "", {}, {"兵强马壮": 100}),
    ("rHrHrH rPrPrPrPrP", "", {}, {"兵强马壮": 100}),
    ("bAbAbA bPbPbPbPbP", "", {}, {"身先士卒": 100}),
    ("bAbA bPbPbP bPbPbP", "", {}, {"身先士卒": 100}),
    ("bEbEbE rPrPrPrPrP", "", {}, {"南蛮入侵": 100}),
    ("bEbE rPrPrP rPrPrP", "", {}, {"南蛮入侵": 100}),
    ("bEbEbE bPbPbPbPbP", "", {}, {"南蛮入侵": 100}),
    ("bEbE bPbPbP bPbPbP", "", {}, {"南蛮入侵": 100}),
    ("bKbK", "rPrPrPrP rPrPrPrP", {}, {"天将神兵": 100, "千万雄兵": 100}),
    ("rArArA bKbK bAbAbA", "", {}, {"君臣同治": 100}),
    ("bKbK", "rArArA bAbAbAbA", {}, {"君臣同治": 100}),
    ("rErErE rKrK bEbEbE", "", {}, {"良相辅国": 100}),
    # Not these.
    ("rArArA rKrK", "bAbAbA", {}, {"双色同刻": 3, "帅头": 1}),
    ("rErErE bKbK", "bEbEbE", {}, {"双色同刻": 3, "将头": 1}),
    ("rKrK bPbPbP", "bPbPbP", {}, {"帅头": 1, "对对胡": 1}),
    ("rErErE rPrP", "bPbPbP", {}, {"对对胡": 1}),
]

JUNQI_1: list[Case] = [
    ("rLrLrL b9b9", "b8b8b8", {}, {"对对胡": 1}),
    ("r1r1 r5r5 b6b6 rLrL", "", {}, {"四对": 1}),
    ("r3r4r5 r1r1", "bLbLbL", {}, {"大头": 1}),
    ("r3r4r5 b2b2", "rLrLrL", {}, {"大头": 1}),
    ("r3r4r5 bFbF", "rLrLrL", {}, {"大头": 1}),
    ("r3r4r5 bLbL", "rBrBrB", {}, {"炸弹刻": 1}),
    ("rBrBrB b9b9", "bBbBbB", {}, {"炸弹刻": 2, "对对胡": 1, "双色同刻": 3}),
    ("r3r4r5 rLrL", "b3b4b5", {}, {"双色同顺": 2}),
    ("r3r4r5 b3b4b5 bLbL", "", {}, {"双色同顺": 2}),
    ("r3r4r5 rBrBrB rLrL", "", {}, {"清一色": 2, "炸弹刻": 1}),
    ("r3r4r5 rFrF", "rLrLrL", {}, {"清一色": 1, "大头": 1}),
    ("r1r2r3 r4r5r6 bLbL", "", {}, {"一气通贯": 2}),
    ("b4b5b6 bLbL", "b7b8b9", {}, {"一气通贯": 1, "清一色": 1}),
    ("r3r4r5 b8b8b8 b9b9", "", {}, {"军官一色": 2}),
    ("r3r4r5 b9b9", "b8b8b8", {}, {"军官一色": 1}),
    ("r3r4r5 r3r4r5 bLbL", "", {}, {"一杯口": 3}),
    ("r3r4r5 bLbL", "r3r4r5", {}, {"一杯口": 3}),
    ("rLrLrL b9b9", "bLbLbL", {}, {"对对胡": 1, "双色同刻": 3}),
    ("rLrLrL b7b7b7 b9b9", "", {}, {"对对胡": 1, "双暗刻": 3}),
    ("r3r3 b3b3 rLrL bLbL", "", {}, {"大四对": 3}),
    ("rLrLrL bFbF", "rBrBrB", {}, {"武器一色": 3, "对对胡": 1, "大头": 1, "炸弹刻": 1}),
    ("r7r7r7 bFbF", "r7r7r7", {}, {"重刻": 6, "对对胡": 1, "大头": 1}),
    ("bLbL", "r7r7r7r7 r3r3r3r3", {}, {"双杠": 6, "对对胡": 1}),
    ("r1r1 r2r2 b1b1 bFbF", "", {}, {"银四对": 100}),
    ("r1r1 r2r2 b1b1 b2b2", "", {}, {"金四对": 200}),
    ("r7r7r7 r7r7r7 b7b7", "", {}, {"连绵不绝": 100}),
    ("r8r8r8 b8b8b8 b8b8", "", {}, {"排山倒海": 100}),
    ("r9r9", "r9r9r9r9 b9b9b9b9", {}, {"特种部队": 100}),
    ("rLrL", "bLbLbL bLbLbL", {}, {"地雷战": 100}),
]

JUNQI_2: list[Case] = [
    ("r4r5r6 b3b3b3 r1r1", "r8r8r8 bLbLbL", {}, {"大头": 1}),
    ("r4r5r6 r4r5r6 r8r8r8 bLbLbL b9b9", "", {}, {"一杯口": 1}),
    ("r4r5r6 b9b9", "rBrBrB bLbLbL r8r8r8", {}, {"炸弹刻": 1}),
    ("r4r5r6 b9b9", "rBrBrB bBbBbB r8r8r8", {}, {"炸弹刻": 2, "二色同刻": 2}),
    ("r4r5r6 b4b5b6 r8r8r8 bLbLbL b9b9", "", {}, {"二色同顺": 1}),
    ("r1r2r3 r5r6r7 b4b5b6 rLrL b3b4b2", "", {}, {"平和": 1}),
    ("r1r2r3 r5r6r7 b4b5b6 rLrL b3b4b2", "", {**SELF}, {"平和": 1, "门清自摸": 1}),
    ("r1r2r3 r5r6r7 b4b5b6 rFrF b3b4b2", "", {}, {"大头": 1}),
    ("r2r3r4 r5r6r7 b4b5b6 rLrL b1b2b3", "", {"riichi": True}, {"立直": 1}),
    ("r2r3r4 r5r6r7 b1b2b3 rLrL b8b9b7", "", {"riichi": True}, {"立直": 1}),
    ("r2r3r4 r5r6r7 b1b2b3 rLrL b6b8b7", "", {"riichi": True}, {"立直": 1}),
    ("r4r5r6 b9b9", "r7r7r7 b7b7b7 rLrLrL", {}, {"二色同刻": 2}),
    ("r7r7r7 b3b3b3 b9b9", "=rLrLrLrL b4b5b6", {}, {"三暗刻": 2}),
    ("r1r2r3 r2r3r4 r6r7r8 rLrLrL r9r9", "", {}, {"清一色": 2}),
    ("r2r3r4 r6r7r8 rLrLrL r9r9", "r1r2r3", {}, {"清一色": 1}),
    ("r1r2r3 r4r5r6 r7r8r9 bLbLbL b9b9", "", {}, {"一气通贯": 2}),
    ("b1b2b3 b4b5b6 rLrLrL r9r9", "b7b8b9", {}, {"一气通贯": 1}),
    ("r1r2r3 r4r5r6 b7b7b7 b3b4b5 b9b9", "", {}, {"军官一色": 2}),
    ("r4r5r6 b7b7b7 b3b4b5 b9b9", "r1r2r3", {}, {"军官一色": 1}),
    ("r7r7r7 b9b9", "b3b3b3 rLrLrL b5b5b5", {}, {"对对胡": 2}),
    ("r1r1 r3r3 r5r5 b2b2 b7b7 rLrL bBbB", "", {}, {"七对": 2}),
    ("r2r3r4 r2r3r4 b6b7b8 b6b7b8 rLrL", "", {}, {"二杯口": 3}),
    ("rFrF", "rLrLrL bLbLbL rBrBrB bBbBbB", {}, {"武器一色": 2, "大头": 1, "炸弹刻": 2, "对对胡": 2, "双二色同刻": 6}),
    (
        "rLrLrL rBrBrB bBbBbB bFbF bLbLbL",
        "",
        {},
        {"武器一色": 3, "大头": 1, "炸弹刻": 2, "对对胡": 2, "双二色同刻": 6, "三暗刻": 2},
    ),
    ("r1r2r3 b1b2b3 r6r7r8 b6b7b8 rLrL", "", {}, {"双二色同顺": 3}),
    ("r4r5r6 b9b9", "r7r7r7r7 b7b7b7b7 rLrLrLrL", {}, {"三杠": 3, "二色同刻": 2}),
    ("r4r5r6 b9b9", "r7r7r7 r7r7r7 rLrLrL", {}, {"重刻": 6}),
    ("b9b9", "r7r7r7 b7b7b7 rLrLrL bLbLbL", {}, {"双二色同刻": 6, "对对胡": 2}),
    ("r3r4r5 r3r4r5 b3b4b5 b3b4b5 rLrL", "", {}, {"双二杯口": 6}),
    ("r3r4r5 r6r7r8 b3b4b5 b6b7b8 rLrL", "", {}, {"双龙戏珠": 6}),
    ("r7r7r7 r9r9r9 b3b3b3 bBbB rLrLrL", "", {**SELF}, {"四暗刻": 100}),
    ("r7r7r7 r9r9r9 b3b3b3 rLrLrL bBbB", "", {}, {"四暗刻": 100}),
    ("r7r7r7 r9r9r9 b3b3b3 bBbB rLrLrL", "", {}, {"三暗刻": 2, "对对胡": 2}),
    ("b9b9", "r7r7r7r7 b7b7b7b7 rLrLrLrL b3b3b3b3", {}, {"四杠": 100}),
    ("b9b9", "=r7r7r7r7 =b7b7b7b7 =rLrLrLrL =b3b3b3b3", {}, {"四杠": 100, "四暗刻": 100}),
    ("r1r2r3 r1r2r3 b1b2b3 b1b2b3 rLrL", "", {}, {"超二杯口": 100}),
    ("b9b9", "r7r7r7 r7r7r7 b7b7b7 b7b7b7", {}, {"连绵不绝": 100}),
    ("b9b9", "r8r8r8 r8r8r8 b8b8b8 b8b8b8", {}, {"排山倒海": 100}),
    ("b1b1", "r9r9r9 r9r9r9 b9b9b9 b9b9b9", {}, {"特种部队": 100}),
    ("b1b1", "rLrLrL rLrLrL bLbLbL bLbLbL", {}, {"地雷战": 100}),
    ("r1r1 r2r2 rFrF b1b1 b2b2 bFbF rLrL", "", {}, {"金七对": 100}),
]

JUNQI_3: list[Case] = [
    ("r4r5r6 r4r5r6 r8r8r8 bLbLbL b9b9", "", {}, {"一杯口": 1}),
    ("r4r5r6 b9b9", "rFrFrF bLbLbL r8r8r8", {}, {"军旗刻": 1}),
    ("r4r5r6 b9b9", "rFrFrF bFbFbF r8r8r8", {}, {"军旗刻": 2, "二色同刻": 2}),
    ("r4r5r6 b4b5b6 r8r8r8 bLbLbL b9b9", "", {}, {"二色同顺": 1}),
    ("r1r2r3 r5r6r7 b4b5b6 rLrL b3b4b2", "", {}, {"平和": 1}),
    ("r1r2r3 r5r6r7 b4b5b6 r1r1 b3b4b2", "", {}, {"军官一色": 2}),
    ("r4r5r6 b9b9", "r7r7r7 b7b7b7 rLrLrL", {}, {"二色同刻": 2}),
    ("r7r7r7 b3b3b3 b9b9", "=rLrLrLrL b4b5b6", {}, {"三暗刻": 2}),
    ("r1r2r3 r2r3r4 r6r7r8 rLrLrL r9r9", "", {}, {"清一色": 2}),
    ("r2r3r4 r6r7r8 rLrLrL r9r9", "r1r2r3", {}, {"清一色": 1}),
    ("r1r2r3 r4r5r6 r7r8r9 bLbLbL b9b9", "", {}, {"一气通贯": 2}),
    ("b1b2b3 b4b5b6 rLrLrL r9r9", "b7b8b9", {}, {"一气通贯": 1}),
    ("r1r2r3 r4r5r6 b7b7b7 b3b4b5 b9b9", "", {}, {"军官一色": 2}),
    ("r4r5r6 b7b7b7 b3b4b5 b9b9", "r1r2r3", {}, {"军官一色": 1}),
    ("r7r7r7 b9b9", "b3b3b3 rLrLrL b5b5b5", {}, {"对对胡": 2}),
    ("r1r1 r3r3 r5r5 b2b2 b7b7 rLrL bBbB", "", {}, {"七对": 2}),
    ("r4r5r6 bLbL", "r7r7r7 r8r8r8 r9r9r9", {}, {"三连刻": 2}),
    ("r4r5r6 bLbL", "r4r5r6 r4r5r6 b9b9b9", {}, {"一色三顺": 2}),
    # Read as three runs this would be worth 2.
    ("r4r5r6 r4r5r6 r4r5r6 b9b9 bLbLbL", "", {}, {"三连刻": 2, "三暗刻": 2, "对对胡": 2}),
    ("r4r5r6 bLbL", "r1r1r1 bBbBbB rLrLrL", {}, {"司令刻": 2}),
    ("r4r5r6 bLbL", "r1r1r1 b1b1b1 rLrLrL", {}, {"司令刻": 4, "二色同刻": 2}),
    ("r4r5r6 bLbL", "b2b2b2 bBbBbB rLrLrL", {}, {"军长刻": 2}),
    ("r2r3r4 r2r3r4 b6b7b8 b6b7b8 rLrL", "", {}, {"二杯口": 3}),
    ("bFbF", "rLrLrL bBbBbB rBrBrB rFrFrF", {}, {"武器一色": 2, "军旗刻": 1, "对对胡": 2, "二色同刻": 2}),
    (
        "rLrLrL rBrBrB bBbBbB rFrF bFbFbF",
        "",
        {},
        {"武器一色": 3, "军旗刻": 1, "对对胡": 2, "二色同刻": 2, "三暗刻": 2},
    ),
    ("r1r2r3 b1b2b3 r6r7r8 b6b7b8 rLrL", "", {}, {"双二色同顺": 3}),
    ("r4r5r6 b9b9", "r7r7r7r7 b7b7b7b7 rLrLrLrL", {}, {"三杠": 3, "二色同刻": 2}),
    ("r4r5r6 b9b9", "rLrLrL rLrLrL b7b7b7", {}, {"重刻": 6}),
    ("b9b9 bLbLbL r7r7r7 rLrLrL b7b7b7", "", {}, {"双二色同刻": 6, "对对胡": 2, "三暗刻": 2}),
    ("b9b9 b7b7b7", "r7r7r7 rLrLrL bLbLbL", {}, {"二色同刻": 2, "对对胡": 2}),
    ("r3r4r5 r3r4r5 b3b4b5 b3b4b5 rLrL", "", {}, {"双二杯口": 6}),
    ("r3r4r5 r6r7r8 b3b4b5 b6b7b8 rLrL", "", {}, {"双龙戏珠": 6}),
    ("r7r7r7 r9r9r9 b3b3b3 bBbB rLrLrL", "", {**SELF}, {"四暗刻": 100}),
    ("b9b9", "r7r7r7r7 b7b7b7b7 rLrLrLrL b3b3b3b3", {}, {"四杠": 100}),
    ("b9b9", "r1r1r1 r2r2r2 r3r3r3 r4r4r4", {}, {"四连刻": 100}),
    ("b9b9", "r4r5r6 r4r5r6 r4r5r6 r4r5r6", {}, {"一色四顺": 100}),
    ("b9b9", "rLrLrL rLrLrL bLbLbL bLbLbL", {}, {"双重刻": 100}),
    ("bFbF", "r1r1r1 r2r2r2 b1b1b1 rFrFrF", {}, {"军令如山": 100}),
]

JUNQI_4: list[Case] = [
    ("r4r5r6 b9b9", "r7r7r7 r7r7r7 r7r7r7", {}, {"三重刻": 100}),
    ("r4r5r6 b9b9", "r8r8r8 r8r8r8 r8r8r8", {}, {"三重刻": 100}),
    ("r4r5r6 b8b8", "b9b9b9 b9b9b9 b9b9b9", {}, {"三重刻": 100}),
    ("r4r5r6 b8b8", "bLbLbL bLbLbL bLbLbL", {}, {"三重刻": 100}),
    ("r4r5r6 b8b8", "bLbLbLbL bLbLbLbL b4b5b6", {}, {"重刻": 6}),
    ("b9b9", "r7r7r7 r7r7r7 b7b7b7 b7b7b7", {}, {"双重刻": 100}),
    ("b9b9", "r7r7r7r7 r7r7r7 b7b7b7b7 b7b7b7", {}, {"双重刻": 100}),
]

PAIGOW_1: list[Case] = [
    ("666666 5252", "434343", {}, {"对对胡": 1}),
    ("5252 6666 5353 2121", "", {}, {"四对": 1}),
    ("212232 6666", "434343", {}, {"全带红": 1}),
    ("665544 313131 2222", "", {}, {"文一色": 2}),
    ("665544 2222", "313131", {}, {"文一色": 1}),
    ("656565 333333 2222", "", {}, {"文一色": 2, "黑一色": 2, "双暗刻": 2, "对对胡": 1}),
    ("656565 6363", "333333", {}, {"黑一色": 1, "对对胡": 1}),
    ("313233 313233 6363", "", {}, {"一杯口": 2}),
    ("525354 6363 434343", "", {**SELF}, {"武一色": 3, "门清自摸": 1}),
    ("525354 6363", "434343", {}, {"武一色": 2}),
    ("515151 6464", "545454", {}, {"红一色": 2, "对对胡": 1}),
    ("112131 616161 5454", "", {}, {"红一色": 3}),
    ("223344 666666 5555", "", {}, {"长一色": 3}),
    ("223344 5555", "666666", {}, {"长一色": 2}),
    ("112233 445566 6363", "", {}, {"一条龙": 3}),
    ("445566 6363", "112233", {}, {"一条龙": 2}),
    ("6363", "52525252 43434343", {}, {"双杠": 6, "对对胡": 1, "武一色": 2}),
    ("1111 2121 3131 4141", "", {}, {"四连对": 6, "红一色": 3}),
    ("5151 5252 5353 5454", "", {}, {"四连对": 6}),
    ("6363 6464 6565 6666", "", {}, {"四连对": 6}),
    ("2222 3333 4444 5555", "", {}, {"四连对": 6, "长一色": 3}),
    ("666666 4444", "111111", {}, {"天地人": 100}),
    ("111111 4141", "444444", {}, {"纯红一色": 100}),
    ("424242 6363", "212121", {}, {"猴王": 100}),
    ("6363", "42424242 21212121", {}, {"猴王": 100}),
]


LISTS = {
    "xiangqi-1": XIANGQI_1,
    "xiangqi-2": XIANGQI_2,
    "xiangqi-3": XIANGQI_3,
    "xiangqi-4": XIANGQI_3,
    "junqi-1": JUNQI_1,
    "junqi-2": JUNQI_2,
    "junqi-3": JUNQI_3,
    "junqi-4": [*JUNQI_3, *JUNQI_4],
    "junqi-5": [*JUNQI_3, *JUNQI_4],
    "paigow-1": PAIGOW_1,
}
CASES = [(rules, *case) for rules, cases in LISTS.items() for case in cases]


@pytest.mark.parametrize(("rules", "text", "melds", "how", "expected"), CASES)
def test_yaku_of_a_hand(rules: str, text: str, melds: str, how: dict[str, Any], expected: dict[str, int]) -> None:
    found = won(rules, text, melds, **how).to_json()
    earned: dict[str, int] = {}
    for yaku in found["yaku"]:
        earned[yaku["zh"]] = earned.get(yaku["zh"], 0) + yaku["fan"] + 100 * yaku.get("yakuman", 0)
    assert earned == expected
    yakuman = sum(value // 100 for value in expected.values())
    assert found["yakuman"] == yakuman
    assert found["fan"] == (0 if yakuman else sum(expected.values()))


@pytest.mark.parametrize("rules", PLAIN)
@pytest.mark.parametrize(("how", "expected"), CIRCUMSTANCES)
def test_circumstances(rules: str, how: dict[str, Any], expected: dict[str, int]) -> None:
    text, own = PLAIN[rules]
    if rules == "xiangqi-2":
        # Its list has no yaku for a robbed kong: that hand wins as by discard, without one.
        expected = {name: fan for name, fan in expected.items() if name != "抢杠"}
        if not expected:
            assert [lack.code for lack in lost(rules, text, **how).lacks] == ["no_yaku"]
            return
    found = won(rules, text, **how).to_json()
    yakuman = max(expected.values()) >= 100
    assert {yaku["zh"]: yaku["fan"] + 100 * yaku.get("yakuman", 0) for yaku in found["yaku"]} == {
        **expected,
        **({} if yakuman else own),
    }


@pytest.mark.parametrize("rules", PLAIN)
def test_a_shape_without_a_yaku_is_no_win(rules: str) -> None:
    text, own = PLAIN[rules]
    if not own:
        assert [lack.code for lack in lost(rules, text).lacks] == ["no_yaku"]
