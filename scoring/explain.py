"""A result in words, in Chinese or English, made from the same object as its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Final, Literal

from scoring.condition import Scope
from scoring.fan import Candidate, FanScore
from scoring.fu import FU_NAMES
from scoring.hand import By
from scoring.result import Group, NoWin, Score
from scoring.ruleset import Named
from scoring.shape import Form, GroupType, Reading
from scoring.units import UnitScore

Language = Literal["zh", "en"]

_WORDS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "read_as": "牌型：{parts}",
        "own": "{tiles}",
        "called": "{tiles}（副露）",
        "won": "{part}＋和牌{tile}",
        "fan": "{name}：{value}番",
        "yakuman": "{name}：{value}倍役满",
        "units": "{name}：{value}",
        "from": "{line}（{parts}）",
        "replaced": "{name}不计，已计{other}",
        "dora": "宝牌：{value}番",
        "fu": "符：{items}，共{total}符",
        "total": "共{fan}番",
        "total_fu": "共{fan}番{fu}符",
        "total_yakuman": "共{value}倍役满",
        "basic": "{total}，基本点{basic}",
        "limit": "{total}，{limit}，基本点{basic}",
        "basic_fu": "{total}，基本点{fu}×2^{power}＝{basic}",
        "total_units": "共{value}",
        "total_discard": "共{value}，非自摸得{times}×{value}{add}＝{whole}",
        "pays": "{seat}付{amount}",
        "receives": "{seat}得{amount}",
        "seat": "{number}号",
        "house": "自定：{text}",
        "no_win": "未和：{text}",
        "waits": "听{tiles}",
        "no_waits": "未听牌",
        "list": "、",
        "sum": "＋",
    },
    "en": {
        "read_as": "Read as {parts}",
        "own": "{tiles}",
        "called": "{tiles} (called)",
        "won": "{part} with the winning tile {tile}",
        "fan": "{name}: {value} fan",
        "yakuman": "{name}: {value} × yakuman",
        "units": "{name}: {value}",
        "from": "{line} ({parts})",
        "replaced": "{name} does not count beside {other}",
        "dora": "Dora: {value} fan",
        "fu": "Fu: {items}, together {total} fu",
        "total": "Together {fan} fan",
        "total_fu": "Together {fan} fan and {fu} fu",
        "total_yakuman": "Together {value} × yakuman",
        "basic": "{total}: {basic} basic points",
        "limit": "{total}: {limit}, {basic} basic points",
        "basic_fu": "{total}: {fu} × 2^{power} = {basic} basic points",
        "total_units": "Together {value}",
        "total_discard": "Together {value}; not self-drawn it is {times} × {value}{add} = {whole}",
        "pays": "{seat} pays {amount}",
        "receives": "{seat} receives {amount}",
        "seat": "P{number}",
        "house": "House default: {text}",
        "no_win": "No win: {text}",
        "waits": "Waiting for {tiles}",
        "no_waits": "Not waiting",
        "list": ", ",
        "sum": " + ",
    },
}


def seat_name(seat: int, language: Language = "en") -> str:
    """What people call a seat, which the interface numbers from 0: P1, 1号."""
    return _WORDS[language]["seat"].format(number=seat + 1)


def explain(result: Score | NoWin, language: Language) -> tuple[str, ...]:
    """The result, a sentence a line: how the hand is read, its yaku, fu and points, who pays, and the house choices."""
    words = _WORDS[language]
    if isinstance(result, NoWin):
        return tuple(_no_win(result, language, words))
    lines = [*_reading(result, words)]
    if isinstance(result, FanScore):
        lines += _fan(result, language, words)
    if isinstance(result, UnitScore):
        lines += _units(result, language, words)
    lines += _payments(result, language, words)
    houses = result.hand.rules.houses
    lines += [words["house"].format(text=_named(houses[name], language)) for name in result.house]
    return tuple(lines)


def _named(name: Named, language: Language) -> str:
    return name.zh if language == "zh" else name.en


def _tiles(group: Group) -> str:
    return "".join(tile.zh for tile in group.tiles)


def _reading(score: Score, words: dict[str, str]) -> Iterator[str]:
    own = len(score.groups) - len(score.hand.melds)
    parts = []
    for i, group in enumerate(score.groups):
        part = words["own" if i < own or group.concealed else "called"].format(tiles=_tiles(group))
        parts.append(words["won"].format(part=part, tile=score.hand.win.zh) if i == score.win_in else part)
    yield words["read_as"].format(parts=words["list"].join(parts))


def _fan(score: FanScore, language: Language, words: dict[str, str]) -> Iterator[str]:
    for held in sorted(score.counted, key=lambda held: held[0].yaku.bit):
        candidate, times = held
        yaku = candidate.yaku
        kind = "yakuman" if yaku.yakuman else "fan"
        line = words[kind].format(name=_named(yaku.name, language), value=candidate.value * times)
        parts = words["list"].join(_tiles(score.groups[i]) for i in makers(score, candidate))
        yield words["from"].format(line=line, parts=parts) if parts else line
    for yaku, other in score.replaced:
        yield words["replaced"].format(name=_named(yaku.name, language), other=_named(other.name, language))
    if score.dora:
        yield words["dora"].format(value=score.dora)
    if score.fu is not None:
        side = 0 if language == "zh" else 1
        items = words["sum"].join(f"{FU_NAMES[item.id][side]} {item.fu}" for item in score.fu)
        yield words["fu"].format(items=items, total=score.fu_total)
    yield _points(score, language, words)


def _points(score: FanScore, language: Language, words: dict[str, str]) -> str:
    if score.yakuman:
        total = words["total_yakuman"].format(value=score.yakuman)
        return words["basic"].format(total=total, basic=score.basic)
    total = words["total" if score.fu is None else "total_fu"].format(fan=score.fan, fu=score.fu_total)
    if score.limit is not None:
        return words["limit"].format(total=total, limit=_named(score.limit.name, language), basic=score.basic)
    if score.fu is None:
        return words["basic"].format(total=total, basic=score.basic)
    points = score.hand.rules.points
    assert points is not None
    power = score.fan + points.doublings
    return words["basic_fu"].format(total=total, fu=score.fu_total, power=power, basic=score.basic)


def makers(score: FanScore, candidate: Candidate) -> tuple[int, ...]:
    """Which of the score's groups make a yaku: those without which it would not hold, or hold fewer times.

    Where none is needed by itself the whole hand makes it; where it comes from how the hand was won, no group does.
    """
    condition = candidate.yaku.condition
    every = tuple(range(len(score.groups)))
    if condition.scope is Scope.CIRCUMSTANCES:
        return ()
    if candidate.yaku.when == ("kongs",):
        return tuple(i for i in every if score.groups[i].type in (GroupType.KONG, GroupType.SUPER_KONG))
    if condition.scope is Scope.HAND or score.reading.shape.form is Form.PAIRS:
        return every

    def holds(reading: Reading) -> int:
        return condition.test(reading.shape if condition.scope is Scope.SHAPE else reading)

    whole = holds(score.reading)
    return tuple(i for i in every if holds(_without(score, i)) < whole) or every


def _without(score: FanScore, place: int) -> Reading:
    """The score's reading without one of its groups."""
    layout = score.hand.rules.layout
    group = score.groups[place]
    reading, shape = copy(score.reading), copy(score.reading.shape)
    kinds = tuple(sorted(layout.index[tile.code] for tile in group.tiles))
    if group.type is GroupType.PAIR:
        shape.pair = -1
    elif group.type is GroupType.RUN:
        shape.runs = _less(shape.runs, layout.run_of[kinds])
    else:
        shape.triplets = _less(shape.triplets, kinds[0])
        reading.concealed_triplets -= group.concealed
    reading.shape = shape
    return reading


def _less(parts: tuple[int, ...], part: int) -> tuple[int, ...]:
    at = parts.index(part)
    return parts[:at] + parts[at + 1 :]


def _units(score: UnitScore, language: Language, words: dict[str, str]) -> Iterator[str]:
    for earned in score.yaku:
        worth = str(earned.units) if earned is score.yaku[0] else f"{earned.units:+d}"
        yield words["units"].format(name=_named(earned.rule.name, language), value=worth)
    units = score.hand.rules.units
    assert units is not None
    if not units.steps:
        return
    if score.hand.by is By.SELF_DRAW:
        yield words["total_units"].format(value=score.units)
        return
    value = score.steps_total
    times, add = units.discard_times, units.discard_add
    yield words["total_discard"].format(value=value, times=times, add=f" {add:+d}", whole=score.units)


def _payments(score: Score, language: Language, words: dict[str, str]) -> Iterator[str]:
    for seat, amount in enumerate(score.payments):
        if amount < 0:
            yield words["pays"].format(seat=seat_name(seat, language), amount=-amount)
    winner = score.hand.context.winner
    yield words["receives"].format(seat=seat_name(winner, language), amount=score.payments[winner])


def _no_win(result: NoWin, language: Language, words: dict[str, str]) -> Iterator[str]:
    for lack in result.lacks:
        yield words["no_win"].format(text=lack.zh if language == "zh" else lack.en)
    tiles = words["list"].join(tile.zh for tile in result.waits)
    yield words["waits"].format(tiles=tiles) if tiles else words["no_waits"]
