"""A slow scorer of the rule sets with a wild tile, by trying every tile for every wild; and hands to try it on.

It shares nothing with the product but the names of the rows, so that agreement means something.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise, permutations, product
from typing import Any

SUITS = "mps"
KINDS = [f"{n}{suit}" for suit in SUITS for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)]
HONORS = [kind for kind in KINDS if kind[1] == "z"]


def groups_of(tiles: Counter[str], triplets_only: bool) -> bool:
    """Whether the tiles are groups alone."""
    first = next((kind for kind in KINDS if tiles[kind]), None)
    if first is None:
        return True
    if tiles[first] >= 3 and groups_of(tiles - Counter({first: 3}), triplets_only):
        return True
    if triplets_only or first[1] == "z" or first[0] > "7":
        return False
    run = [f"{int(first[0]) + i}{first[1]}" for i in range(3)]
    return all(tiles[kind] for kind in run) and groups_of(tiles - Counter(run), triplets_only)


def groups_and_pair(tiles: Counter[str], triplets_only: bool) -> bool:
    return any(
        tiles[kind] >= 2 and groups_of(tiles - Counter({kind: 2}), triplets_only) for kind in KINDS if tiles[kind] >= 2
    )


def apart(tiles: Counter[str]) -> bool:
    """Whether suit tiles of a suit lie at least three apart, and no tile is there twice."""
    if max(tiles.values()) > 1:
        return False
    for suit in SUITS:
        held = sorted(int(kind[0]) for kind in tiles if kind[1] == suit and tiles[kind])
        if any(b - a < 3 for a, b in pairwise(held)):
            return False
    return True


def knitted(tiles: Counter[str]) -> bool:
    return max(tiles.values()) <= 1 and any(
        all(kind[1] == "z" or int(kind[0]) % 3 == rest[SUITS.index(kind[1])] for kind in tiles if tiles[kind])
        for rest in permutations((1, 2, 0))
    )


def meld_is_group(kind: str, tiles: list[str]) -> bool:
    if kind == "chi":
        numbers = sorted(int(tile[0]) for tile in tiles)
        return (
            len({tile[1] for tile in tiles}) == 1
            and tiles[0][1] != "z"
            and numbers == [numbers[0] + i for i in range(3)]
        )
    return len(set(tiles)) == 1


def played(value: dict[str, Any]) -> Iterator[tuple[list[tuple[str, bool]], list[tuple[str, list[str]]]]]:
    """Every way to name each tile: those in hand, each with whether it is a wild, and the melds."""
    wild = value["context"].get("wild")
    whole = value["rules"] == "quzhou"
    laid = [(tile, -1) for tile in [*value["concealed"], value["win"]]]
    laid += [(tile, i) for i, meld in enumerate(value["melds"]) for tile in meld["tiles"]]
    wilds = [place for tile, place in laid if tile == wild]
    naturals: Counter[tuple[str, int]] = Counter((tile, place) for tile, place in laid if tile != wild)
    fixed = [key for key in naturals.elements() if key[0] != "5z" or wild is None]
    whites = [place for (tile, place), n in naturals.items() for _ in range(n) if tile == "5z" and wild is not None]
    seen = set()
    for names in product([wild] if whole else ["5z", wild], repeat=len(whites)):
        dragons = tuple(sorted(zip(names, whites, strict=True)))
        if dragons in seen:
            continue
        seen.add(dragons)
        in_hand = sum(place < 0 for place in wilds)
        for stand in combinations_with_replacement(KINDS, in_hand):
            for more in product(KINDS, repeat=len(wilds) - in_hand):
                called: list[list[str]] = [[] for _ in value["melds"]]
                hand = [(tile, True) for tile in stand]
                for tile, place in [*fixed, *dragons, *zip(more, [p for p in wilds if p >= 0], strict=True)]:
                    if place < 0:
                        hand.append((tile, False))
                    else:
                        called[place].append(tile)
                kinds = [meld["type"] for meld in value["melds"]]
                if all(meld_is_group(kind, tiles) for kind, tiles in zip(kinds, called, strict=True)):
                    yield hand, list(zip(kinds, called, strict=True))


def shapes(hand: list[tuple[str, bool]], melds: list[tuple[str, list[str]]]) -> set[str]:
    """The names of all shapes that the named tiles make."""
    tiles = Counter(tile for tile, _ in hand)
    everything = tiles + Counter(tile for _, called in melds for tile in called)
    suits = {tile[1] for tile in everything if tile[1] != "z"}
    honors = any(tile[1] == "z" for tile in everything)
    found = set()
    if groups_and_pair(tiles, False):
        found.add("groups")
    if groups_and_pair(tiles, True) and all(kind != "chi" for kind, _ in melds):
        found.add("triplets")
    if not melds:
        if all(n % 2 == 0 for n in tiles.values()):
            found.add("pairs")
        if apart(tiles):
            found.add("apart")
        if knitted(tiles):
            found.add("knitted")
    real_honors = Counter(tile for tile, is_wild in hand if tile[1] == "z" and not is_wild)
    wild_honor = any(is_wild and tile[1] == "z" for tile, is_wild in hand)
    called_suits = all(tile[1] != "z" for _, called in melds for tile in called)
    if real_honors == Counter(HONORS) and not wild_honor and called_suits:
        found.add("winds")
        if "apart" in found:
            found.add("winds apart")
    if not suits:
        found.add("all honors")
    if len(suits) == 1:
        found.add("half flush" if honors else "flush")
    return found


ROWS: list[tuple[str, int, list[set[str]]]] = [
    ("混一色", 2, [{"half flush", "groups"}, {"half flush", "pairs"}, {"half flush", "winds"}]),
    ("清一色", 3, [{"flush", "groups"}, {"flush", "pairs"}]),
    ("清碰", 5, [{"flush", "triplets"}]),
    ("混碰", 4, [{"half flush", "triplets"}]),
    ("大碰胡", 3, [{"triplets"}]),
    ("清七對", 5, [{"flush", "pairs"}]),
    ("混七對", 4, [{"half flush", "pairs"}]),
    ("清碰單吊", 6, [{"flush", "triplets", "single"}]),
    ("混碰單吊", 5, [{"half flush", "triplets", "single"}]),
    ("七對", 3, [{"pairs"}]),
    ("十三百搭", 2, [{"knitted"}]),
    ("全風子對對胡", 11, [{"all honors", "pairs"}]),
    ("全風子(亂)", 6, [{"all honors"}]),
    ("全風子大碰胡", 11, [{"all honors", "triplets"}]),
    ("三財倒", 1, [{"three wilds", "drawn"}]),
    ("七風倒", 1, [{"winds", "drawn"}]),
    ("七風亂百搭", 2, [{"winds apart"}]),
    ("全風子大碰胡單吊", 12, [{"all honors", "triplets", "single"}]),
]


def all_shapes(value: dict[str, Any]) -> list[set[str]]:
    wild = value["context"].get("wild")
    laid = [*value["concealed"], value["win"], *(tile for meld in value["melds"] for tile in meld["tiles"])]
    more = set()
    if len(value["melds"]) == 4:
        more.add("single")
    if laid.count(wild) == 3:
        more.add("three wilds")
    if wild in laid:
        more.add("wild")
    if value["by"] == "self_draw":
        more.add("drawn")
    different = {frozenset(shapes(hand, melds)) for hand, melds in played(value)}
    return [set(found) | more for found in sorted(different, key=sorted)]


def duanzi(value: dict[str, Any]) -> tuple[list[str], int] | None:
    """The best row with its steps, and the units."""
    context = value["context"]
    best: tuple[int, int, list[str]] | None = None
    for found in all_shapes(value):
        if "three wilds" in found:
            called = any(meld["type"] != "concealed_kong" for meld in value["melds"])
            if called or "drawn" not in found:
                return None
        for number, (name, worth, ways) in enumerate(ROWS, 1):
            if not any(way <= found for way in ways):
                continue
            steps = []
            if 3 <= number <= 10 and "wild" in found:
                steps.append(("有財", -1))
            if number != 15 and "three wilds" in found:
                steps.append(("三財", 1))
            if context.get("replacement"):
                steps.append(("槓上開花", 1))
            if value["by"] == "robbed_kong":
                steps.append(("搶槓胡", 1))
            if context.get("last_tile") and "drawn" in found:
                steps.append(("海底撈月", 1))
            if "single" in found and number not in (3, 4, 14, 8, 9, 18):
                steps.append(("單吊", 1))
            units = max(1, worth + sum(add for _, add in steps))
            if best is None or (units, -number) > (best[0], -best[1]):
                best = units, number, [name, *(step for step, _ in steps)]
    if best is None:
        return None
    return best[2], best[0] if value["by"] == "self_draw" else 3 * best[0] - 2


def wins_lata(value: dict[str, Any]) -> bool:
    return any({"groups", "pairs", "winds", "all honors", "apart"} & found for found in all_shapes(value))


def wins_quzhou(value: dict[str, Any]) -> bool:
    return any("groups" in found for found in all_shapes(value))


class Maker:
    """Makes hands near or at a win, in every shape, with wilds put in."""

    def __init__(self, seed: int, rules: str, most_wilds: int = 2) -> None:
        self.rng = random.Random(seed)
        self.rules = rules
        self.most_wilds = most_wilds

    def tiles(self) -> tuple[list[str], list[dict[str, Any]]]:
        rng = self.rng
        suits = rng.sample(SUITS, rng.choice([0, 1, 1, 2, 3]))
        pool = [kind for kind in KINDS if kind[1] in suits or (kind[1] == "z" and (not suits or rng.random() < 0.6))]
        shape = rng.choice(["groups", "triplets", "triplets", "called", "pairs", "winds", "apart", "honors", "any"])
        if shape in ("groups", "triplets", "called"):
            return self._groups(pool, shape)
        if shape == "pairs":
            return [kind for kind in (rng.choice(pool) for _ in range(7)) for _ in range(2)], []
        if shape == "winds":
            return self._winds()
        if shape == "apart":
            return self._apart(), []
        if shape == "honors":
            return [rng.choice(HONORS) for _ in range(14)], []
        return [rng.choice(pool) for _ in range(14)], []

    def _groups(self, pool: list[str], shape: str) -> tuple[list[str], list[dict[str, Any]]]:
        rng = self.rng
        hand: list[str] = []
        melds: list[dict[str, Any]] = []
        chance = 1.0 if shape == "called" else rng.choice([0, 0, 0.3, 0.6])
        for _ in range(4):
            kind = rng.choice(pool)
            run = kind[1] != "z" and kind[0] <= "7" and shape != "triplets" and rng.random() < 0.5
            if rng.random() < chance and (not run or self.rules != "duanzi"):
                sort = "chi" if run else rng.choice(["pong", "pong", "open_kong", "concealed_kong"])
                number = {"chi": 3, "pong": 3}.get(sort, 4)
                called = [f"{int(kind[0]) + i}{kind[1]}" for i in range(3)] if run else [kind] * number
                melds.append({"type": sort, "tiles": called})
            else:
                hand += [f"{int(kind[0]) + i}{kind[1]}" for i in range(3)] if run else [kind] * 3
        return hand + [rng.choice(pool)] * 2, melds

    def _winds(self) -> tuple[list[str], list[dict[str, Any]]]:
        rng = self.rng
        pool = [kind for kind in KINDS if kind[1] in rng.choice(["m", "mps"])]
        melds = []
        for _ in range(rng.choice([0, 0, 1, 2])):
            sort, number = rng.choice([("pong", 3), ("open_kong", 4)])
            melds.append({"type": sort, "tiles": [rng.choice(pool)] * number})
        return [*HONORS, *(rng.choice(pool) for _ in range(7 - 3 * len(melds)))], melds

    def _apart(self) -> list[str]:
        rng = self.rng
        starts = rng.sample([1, 2, 3], 3)
        suited = [f"{start + 3 * i}{suit}" for suit, start in zip(SUITS, starts, strict=True) for i in range(3)]
        if rng.random() < 0.5:
            suited = [f"{rng.choice(spread)}{suit}" for suit in SUITS for spread in ((1, 2, 3), (4, 5, 6), (7, 8, 9))]
        honors = rng.choice([7, 6, 5])
        return rng.sample(HONORS, honors) + rng.sample(suited, min(14 - honors, 9))

    def hand(self) -> dict[str, Any] | None:
        """A hand as JSON, or None where the tiles came out impossible."""
        rng = self.rng
        hand, melds = self.tiles()
        wild = rng.choice([None, rng.choice(KINDS), rng.choice([*hand, "5z", rng.choice(HONORS)])])
        if wild is not None:
            laid = hand if rng.random() < 0.9 or not melds else rng.choice(melds)["tiles"]
            for _ in range(rng.randint(0, self.most_wilds)):
                laid[rng.randrange(len(laid))] = wild
            # What played the wild's own kind is a white dragon, sometimes.
            for tiles in [hand, *(meld["tiles"] for meld in melds)]:
                for i, tile in enumerate(tiles):
                    if tile == wild and rng.random() < 0.5:
                        tiles[i] = "5z"
        everything = Counter([*hand, *(tile for meld in melds for tile in meld["tiles"])])
        if (
            any(n > (3 if tile == wild else 4) for tile, n in everything.items())
            or everything[wild or ""] > self.most_wilds
        ):
            return None
        rng.shuffle(hand)
        by = rng.choice(["self_draw", "self_draw", "discard", "robbed_kong"])
        kong = any("kong" in meld["type"] for meld in melds)
        players = rng.choice([2, 3, 4, 4])
        winner = rng.randrange(players)
        context = {
            "players": players,
            "winner": winner,
            "dealer": rng.randrange(players),
            "discarder": rng.choice([seat for seat in range(players) if seat != winner]),
            "last_tile": rng.random() < 0.2,
            "replacement": kong and by == "self_draw" and rng.random() < 0.4,
            "first_turn": not melds and rng.random() < 0.2,
            "wild": wild,
        }
        return {
            "rules": self.rules,
            "concealed": hand[1:],
            "melds": melds,
            "win": hand[0],
            "by": by,
            "context": context,
        }
