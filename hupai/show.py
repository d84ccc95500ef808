"""What the verbs print for people; plain text where the output is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

import scoring

if TYPE_CHECKING:
    from calibration.report import Report
    from vision.reading import Reading, Suggestion

MELD_NAMES = {
    "chi": "吃 chi",
    "pong": "碰 pong",
    "open_kong": "明杠 open kong",
    "added_kong": "加杠 added kong",
    "concealed_kong": "暗杠 concealed kong",
    "super_kong": "超杠 super kong",
}


PARTS = {"concealed": "手牌 held", "win": "和牌 winning tile", "other": "– not in the hand"}
"""What a reading calls a tile's part of the hand, and what people are told."""


def _console() -> Console:
    # Made anew for each print, so that it follows where standard output goes at that moment; in a file or a pipe
    # nothing is gained by breaking lines.
    return Console(
        highlight=False, markup=False, emoji=False, soft_wrap=True, width=None if sys.stdout.isatty() else 200
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column)
    return table


def tile(code: str | None) -> str:
    """A tile for people: its code and its face, such as `rP 兵`."""
    if code is None:
        return "▮"
    try:
        return f"{code} {scoring.parse_tile(code).zh}"
    except scoring.TileError:
        return code


def _tiles(codes: Sequence[str | None]) -> str:
    return "  ".join(tile(code) for code in codes)


def reading(read: Reading) -> None:
    """The tiles of a photo and the hand among them."""
    console = _console()
    down = sum(found.quad.face == "down" for found in read.tiles)
    title = f"{read.photo}: {len(read.tiles)} tiles" + (
        f" of {read.family}" if read.family and read.rules is None else ""
    )
    title += f", {down} face down" if down else ""
    table = _table(title, "", "tile", "sure", "or", "part")
    for number, (found, role) in enumerate(zip(read.tiles, read.roles(), strict=True), 1):
        if found.code is None and role == "other":
            continue
        others = [(code, share) for code, share in found.alternatives if code != found.code and share >= 0.02]
        doubt = ", ".join(f"{tile(code)} {share:.0%}" for code, share in others[:2])
        table.add_row(str(number), tile(found.code), f"{found.confidence:.0%}", doubt, _part(role, read))
    if table.rows:
        console.print(table)
    else:
        console.print(title)
    if read.rules is not None:
        _hand(console, read.to_json()["hand"])
        if read.hand.win_is_guess:
            console.print("The winning tile is a guess: none lay apart, so the last of the row is taken.")
        if any(found.guessed for found in read.tiles):
            console.print("The backs of a concealed kong are a guess: they were not seen where there is room for them.")
        if read.suggestion is not None:
            console.print(f"Perhaps misread: {_suggested(read, read.suggestion)} this hand wins.")
    took = ", ".join(f"{part} {value:.0f}" for part, value in read.ms.items())
    console.print(Text(f"{sum(read.ms.values()):.0f} ms ({took})", style="dim"))


def _part(role: str, read: Reading) -> str:
    """The part of the hand that a tile belongs to, for people; empty where no hand was looked for."""
    if read.rules is None:
        return ""
    if role.startswith("meld"):
        return MELD_NAMES[read.hand.melds[int(role.removeprefix("meld"))].type]
    return PARTS[role]


def _suggested(read: Reading, suggestion: Suggestion) -> str:
    """Such as `tile 5 reads rC 炮 61%, rP 兵 37%: with rP 兵`; tiles count from 1, as they stand in the table."""
    doubts = [
        f"tile {change.place + 1} reads {tile(change.read)} {read.tiles[change.place].confidence:.0%}, "
        f"{tile(change.code)} {change.confidence:.0%}"
        for change in suggestion.changes
    ]
    return f"{'; '.join(doubts)}: with {', '.join(tile(change.code) for change in suggestion.changes)}"


def _hand(console: Console, value: Mapping[str, Any]) -> None:
    console.print(f"concealed: {_tiles(value['concealed']) or '–'}")
    for meld in value.get("melds", ()):
        console.print(f"{MELD_NAMES.get(meld['type'], meld['type'])}: {_tiles(meld['tiles'])}")
    console.print(f"winning tile: {tile(value['win']) if value.get('win') else '–'}")


def hand(value: Any, scored: Mapping[str, Any]) -> None:
    """A hand given as codes and its result; `value` is its JSON form, or whatever stood there."""
    if "error" in scored:
        _console().print(f"error: {scored['error']['message']}")
        return
    _hand(_console(), value)
    result(scored, value)


def result(scored: Mapping[str, Any], value: Mapping[str, Any]) -> None:
    """The score of a hand: yaku, fan, points and who pays whom; or what keeps it from winning."""
    console = _console()
    if "error" in scored:
        return
    if not scored["win"]:
        console.print(f"no win: {scored['reason']}")
        if scored["waits"]:
            console.print(f"waiting for: {_tiles(scored['waits'])}")
        return
    rules = scoring.rule_set(value["rules"])
    worth = "units" if "units" in scored else "fan"
    table = _table(f"{rules.zh} ({rules.id})", "yaku", "", worth)
    table.columns[2].justify = "right"
    for yaku in scored["yaku"]:
        table.add_row(yaku["zh"], yaku["en"], _yakuman(yaku["yakuman"]) if yaku.get("yakuman") else str(yaku[worth]))
    if scored.get("dora"):
        table.add_row("宝牌", "Dora", str(scored["dora"]))
    console.print(table)
    console.print(_sum(scored))
    _payments(console, scored["payments"], value.get("context", {}))
    for name in scored["house"]:
        console.print(Text(f"house default: {rules.houses[name].zh} {rules.houses[name].en}", style="dim"))


def _yakuman(times: int) -> str:
    return "役满" if times == 1 else f"{times}×役满"


def _sum(scored: Mapping[str, Any]) -> str:
    if "units" in scored:
        return f"{scored['units']} units"
    parts = [f"{_yakuman(scored['yakuman'])} yakuman" if scored["yakuman"] else f"{scored['fan']} 番 fan"]
    if scored["fu"] is not None:
        parts.append(f"{scored['fu']} 符 fu")
    if scored["limit"] and not scored["yakuman"]:
        parts.append(scored["limit"])
    return ", ".join([*parts, f"basic points {scored['basic']}"])


def _payments(console: Console, payments: Sequence[int], context: Mapping[str, Any]) -> None:
    winner = context.get("winner", 0)
    dealer = context.get("dealer", 0)

    def seat(number: int) -> str:
        return scoring.seat_name(number) + (" (dealer)" if number == dealer else "")

    for number, amount in enumerate(payments):
        if amount < 0:
            console.print(f"{seat(number)} pays {-amount} → {seat(winner)}")
    console.print(f"{seat(winner)} receives {payments[winner]}", style="bold")


def explanation(scored: scoring.Score | scoring.NoWin, language: Literal["zh", "en"]) -> None:
    """The score in words, a sentence a line."""
    for line in scoring.explain(scored, language):
        _console().print(Text(line))


def waits(chances: Sequence[Mapping[str, Any]], winner: int) -> None:
    """The tiles that complete a hand: how many are left, and what the seat `winner` would receive for each."""
    if not chances:
        _console().print("waiting for nothing")
        return
    table = _chances("waiting for")
    for wait in chances:
        table.add_row(tile(wait["tile"]), *_chance(wait, winner))
    _console().print(table)


def discards(ways: Sequence[Mapping[str, Any]], winner: int) -> None:
    """The tiles of a full hand without a win that can be thrown, and what the rest would then wait for."""
    if not ways:
        _console().print("no win, and no discard leaves this hand waiting")
        return
    table = _chances("throw", "then waiting for")
    for way in ways:
        for number, wait in enumerate(way["waits"]):
            thrown = "" if number else tile(way["tile"])
            table.add_row(thrown, tile(wait["tile"]), *_chance(wait, winner))
    _console().print(table)


def full_hand_wins() -> None:
    """That there is nothing to throw."""
    _console().print("this hand wins as it is; `hupai hand` scores it")


def _chances(*columns: str) -> Table:
    """A table whose rows end in the cells of `_chance`."""
    table = Table(*columns, box=None, padding=(0, 3, 0, 0), pad_edge=False)
    for column in ("left", "by discard", "by self-draw"):
        table.add_column(column, justify="right")
    return table


def _chance(wait: Mapping[str, Any], winner: int) -> tuple[str, str, str]:
    """How many are left, and what the winner would receive in either way; a dash where it would be no win."""
    by_discard, drawn = (str(wait[way]["payments"][winner]) if wait[way] else "–" for way in ("discard", "self_draw"))
    return str(wait["left"]), by_discard, drawn


def live(told: Mapping[str, Any]) -> None:
    """A hand that came to rest before the camera: its score, what it waits for, or how many tiles it lacks."""
    console = _console()
    value = told["hand"]
    console.print()
    _hand(console, value)
    error = told.get("error") or told.get("score", {}).get("error")
    if error:
        console.print(f"error: {error['message']}")
    elif "score" in told:
        result(told["score"], value)
    elif told["missing"] == 1:
        waits(told["chances"], value.get("context", {}).get("winner", 0))
    else:
        number = abs(told["missing"])
        console.print(f"{number} tile{'' if number == 1 else 's'} {'missing' if told['missing'] > 0 else 'too many'}")


def tonight(evening: Mapping[str, Any]) -> None:
    """The hands of an evening in its exported form, one a line, and what each table's seats have won or lost."""
    console = _console()
    seats = max(total["players"] for total in evening["totals"])
    names = [scoring.seat_name(seat) for seat in range(seats)]
    table = _table(f"evening of {evening['evening']}", "", "time", "rules", "won by", "worth", *names)
    number = 0
    for entry in sorted([*evening["hands"], *evening["events"]], key=lambda entry: int(entry["id"])):
        if "event" in entry:
            moved = _signed(entry["payments"])
            table.add_row("", entry["at"][11:16], entry["rules"], _happened(entry), "", *moved)
            continue
        number += 1
        value, scored = entry["hand"], entry["score"]
        context = value.get("context", {})
        won = f"{scoring.seat_name(context.get('winner', 0))}, {value['by'].replace('_', ' ')}"
        if context.get("discarder") is not None:
            won += f" of {scoring.seat_name(context['discarder'])}"
        worth = _sum(scored)
        payments = list(scored["payments"])
        if entry.get("collected"):
            worth += f", and riichi sticks {entry['collected']}"
            payments[context.get("winner", 0)] += entry["collected"]
        table.add_row(str(number), entry["at"][11:16], value["rules"], won, worth, *_signed(payments))
    for total in evening["totals"]:
        label = f"{total['players']} players"
        lying = f", {total['sticks']} on the table" if total["sticks"] else ""
        table.add_row("", "", total["rules"], label, f"together{lying}", *_signed(total["points"]), style="bold")
    for column in table.columns[-seats:]:
        column.justify = "right"
    console.print(table)


def _happened(event: Mapping[str, Any]) -> str:
    """A riichi or a draw in words."""
    if event["event"] == "riichi":
        return f"riichi: {scoring.seat_name(event['seat'])}"
    if "dealer" in event:
        return f"draw, dealer: {scoring.seat_name(event['dealer'])}"
    return f"draw, ready: {', '.join(map(scoring.seat_name, event['waiting'])) or 'nobody'}"


def _signed(points: Sequence[int]) -> list[str]:
    return [f"{amount:+d}" if amount else "0" for amount in points]


def rule_sets(described: Sequence[Mapping[str, Any]]) -> None:
    """All rule sets, one a line."""
    table = _table("", "id", "", "", "pieces", "hand", "calls")
    for rules in described:
        size = f"{rules['hand_size']} → {rules['hand_size'] + 1}"
        calls = [
            name for name, kind in (("chi", "chi"), ("pong", "pong"), ("kong", "open_kong")) if kind in rules["calls"]
        ]
        table.add_row(rules["id"], rules["zh"], rules["en"], str(rules["pieces"]), size, ", ".join(calls))
    _console().print(table)


def rule_set(described: Mapping[str, Any]) -> None:
    """One rule set: its tiles, what its hands are worth, and the choices that its source leaves open."""
    console = _console()
    console.print(f"{described['id']}  {described['zh']}  {described['en']}", style="bold")
    tiles = "  ".join(f"{tile(code)}×{copies}" for code, copies in described["copies"].items())
    console.print(f"{described['pieces']} pieces: {tiles}")
    if "yaku" in described:
        table = _table("", "yaku", "", "closed", "open")
        for yaku in described["yaku"]:
            values = (yaku["closed"], yaku["open"])
            worth = ["–" if not n else _yakuman(n) if yaku["yakuman"] else str(n) for n in values]
            table.add_row(yaku["zh"], yaku["en"], *worth)
    else:
        table = _table("", "hand", "", "units")
        for row in described["rows"]:
            table.add_row(row["zh"], row["en"], str(row["units"] or _shares(row["pays"])))
        for step in described["steps"]:
            table.add_row(step["zh"], step["en"], f"{step['add']:+d}")
    console.print(table)
    for house in described["house"]:
        console.print(Text(f"house default: {house['zh']} {house['en']}", style="dim"))


def _shares(pays: Mapping[str, Mapping[str, int]]) -> str:
    """Who pays what in each case, such as `discarder 4, other 1`."""
    cases = []
    for case, shares in pays.items():
        paid = ", ".join(f"{who} {units}" for who, units in shares.items())
        cases.append(paid if case == "any" else f"{case.replace('_', ' ')}: {paid}")
    return "; ".join(cases)


def calibration(found: Report) -> None:
    """How well a piece set is learned: what is doubtful first, then kind by kind, and what would help."""
    from calibration.report import HELP_WORDS

    console = _console()
    console.print(f"{found.pieces.name}: {found.words}", style="bold")
    for suspect in found.suspects:
        console.print(f"{suspect.file} says {tile(suspect.label)} but looks like {tile(suspect.looks_like)}")
    table = _table("", "kind", "samples", "left out", "sharp", "px", "confused with", "")
    for kind in found.kinds:
        right = f"{kind.leave_one_out:.0%}" + (" (views)" if kind.views_only else "")
        size = (f"{kind.sharpness:.2f}", f"{kind.side:.0f}")
        more = "take one more" if kind.one_more else ""
        table.add_row(tile(kind.code), str(kind.samples), right, *size, _tiles(kind.confused_with), more)
    console.print(table)
    if found.missing:
        console.print(f"missing: {_tiles(found.missing)}")
    for pair in found.pairs:
        console.print(f"near: {tile(pair.codes[0])} and {tile(pair.codes[1])} ({pair.files[0]}, {pair.files[1]})")
    for name, codes in found.helps:
        console.print(HELP_WORDS[name].format(kinds=_tiles(codes)))
    console.print(f"named rightly: {found.with_head:.1%}, without the general head {found.without_head:.1%}")
    if found.pieces.damaged:
        console.print(f"damaged crops, left out: {', '.join(found.pieces.damaged)}")
