"""Hands scored a second, one process, one thread: `junqi-2` here, and riichi wins by PyPI `mahjong` in the same run.

    python bench/scoring.py            (`pip install mahjong==2.1.0` first to have the comparison)

Both score 1,000 closed and 1,000 open wins of 14 tiles drawn at random from a fixed seed; the best of several rounds
counts. Hands are made beforehand on both sides. Nothing remembers whole hands here: what is kept between hands is how a
colour's tiles split into groups.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring import Hand, Score, hand_from_json, rule_set, score, waits
from scoring.wild import least

HANDS = 1000
ROUNDS = 7


def junqi_win(rng: random.Random, melds: int) -> Hand:
    """A random `junqi-2` win with this many called groups."""
    rules = rule_set("junqi-2")
    layout = rules.layout
    while True:
        left = list(rules.number)
        concealed: list[str] = []
        called: list[dict[str, Any]] = []
        for group in range(rules.groups):
            runs = [run for run in layout.runs if all(left[kind] for kind in run)]
            triplets = [(kind,) * 3 for kind in range(layout.size) if left[kind] >= 3]
            kinds = rng.choice(rng.choice([runs, triplets]))
            for kind in kinds:
                left[kind] -= 1
            codes = [layout.tiles[kind].code for kind in kinds]
            if group < melds:
                called.append({"type": "pong" if codes[0] == codes[1] else "chi", "tiles": codes})
            else:
                concealed += codes
        pair = rng.choice([kind for kind in range(layout.size) if left[kind] >= 2])
        concealed += [layout.tiles[pair].code] * 2
        value = {
            "rules": rules.id,
            "win": concealed.pop(rng.randrange(len(concealed))),
            "concealed": concealed,
            "melds": called,
            "by": rng.choice(["self_draw", "discard"]),
            "context": {"dealer": rng.randrange(4), "discarder": 1},
        }
        hand = hand_from_json(value)
        if isinstance(score(hand), Score):
            return hand


def riichi_wins(number: int, melds: int, rng: random.Random) -> tuple[Callable[..., Any], list[tuple[Any, ...]]]:
    """Random riichi wins for PyPI `mahjong`: its scorer, and the arguments for each hand."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.meld import Meld

    estimate = HandCalculator.estimate_hand_value
    made: list[tuple[Any, ...]] = []
    runs = [[9 * suit + low + i for i in range(3)] for suit in range(3) for low in range(7)]
    while len(made) < number:
        left = [[4 * kind + i for i in range(4)] for kind in range(34)]
        tiles: list[int] = []
        called = []
        for group in range(4):
            choice = [run for run in runs if all(left[kind] for kind in run)]
            triplets = [[kind] * 3 for kind in range(34) if len(left[kind]) >= 3]
            kinds = rng.choice(rng.choice([choice, triplets]))
            taken = [left[kind].pop() for kind in kinds]
            tiles += taken
            if group < melds:
                called.append(Meld(Meld.PON if kinds[0] == kinds[1] else Meld.CHI, taken))
        pair = rng.choice([kind for kind in range(34) if len(left[kind]) >= 2])
        tiles += [left[pair].pop(), left[pair].pop()]
        outside = tiles[3 * melds :]
        arguments = (tiles, rng.choice(outside), called, None, HandConfig(is_tsumo=rng.random() < 0.5))
        if estimate(*arguments).han:
            made.append(arguments)
    return estimate, made


def rate(call: Callable[..., Any], hands: Sequence[tuple[Any, ...]]) -> float:
    """Calls a second of processor time, the best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        for arguments in hands:
            call(*arguments)
        best = min(best, time.process_time() - begin)
    return len(hands) / best


def duanzi_hand(rng: random.Random) -> Hand:
    """A random `duanzi` hand with three wilds, self-drawn."""
    deck = [tile.code for tile in rule_set("duanzi").tiles for _ in range(4) if tile.code != "5p"]
    tiles = rng.sample(deck, 11) + ["5p"] * 3
    return hand_from_json(
        {"rules": "duanzi", "concealed": tiles[1:], "win": tiles[0], "by": "self_draw", "context": {"wild": "5p"}}
    )


def seconds_each(call: Callable[[Hand], Any], hands: Sequence[Hand], before: Callable[[], None]) -> float:
    """The median time of one call, with `before` run ahead of each."""
    times = []
    for hand in hands:
        before()
        begin = time.perf_counter()
        call(hand)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def start_up() -> tuple[float, float]:
    """Processor seconds of `import scoring` and the first score in a fresh interpreter, and the most megabytes."""
    code = (
        "import time; begin = time.process_time(); import scoring; "
        "scoring.score_json({'rules': 'junqi-2', 'concealed': 'r1 r1 r3 r3 r5 r5 b2 b2 b7 b7 rL rL bB'.split(), "
        "'win': 'bB', 'by': 'self_draw'}); "
        "print(time.process_time() - begin); "
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    root = Path(__file__).resolve().parent.parent
    lines = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout
        for _ in range(5)
    ]
    seconds, kilobytes = min(tuple(float(word) for word in line.split()) for line in lines)
    return seconds, kilobytes / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    rng = random.Random(parser.parse_args().seed)
    ours = {}
    for name, melds in (("closed", 0), ("open", 2)):
        hands = [(junqi_win(rng, melds),) for _ in range(HANDS)]
        ours[name] = rate(score, hands)
        print(f"junqi-2, {name:6} {ours[name]:9,.0f} hands/s")
        if name == "closed":
            print(f"junqi-2, waits  {rate(waits, hands):9,.0f} hands/s")
    try:
        for name, melds in (("closed", 0), ("open", 2)):
            estimate, wins = riichi_wins(HANDS, melds, rng)
            theirs = rate(estimate, wins)
            print(f"mahjong, {name:6} {theirs:9,.0f} hands/s  ours is {ours[name] / theirs:.2f} times that")
    except ImportError:
        print("mahjong: not installed, so there is nothing to compare with")
    wild = [duanzi_hand(rng) for _ in range(500)]
    cold = seconds_each(score, wild, least.cache_clear)
    warm = seconds_each(score, wild, lambda: None)
    print(f"duanzi, three wilds: cold {cold * 1e6:,.0f} µs, warm {warm * 1e6:,.0f} µs (median)")
    seconds, megabytes = start_up()
    print(f"import and first score: {seconds * 1e3:,.0f} ms, {megabytes:,.0f} MB")
    print(f"peak memory of this run: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
