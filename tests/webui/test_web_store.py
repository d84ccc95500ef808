"""Accepted hands on disk: entered once, deleted and brought back, added up, and never written over where damaged."""

from __future__ import annotations

import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hands import HAND_OF_FOUR as HAND
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from webui import store
from webui.store import Accepted, StoreError

ZONE = timezone(timedelta(hours=8))
EVENING = datetime(2026, 11, 28, 21, 0, tzinfo=ZONE)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    return tmp_path


def won(key: str = "a-hand-1", winner: int = 1, players: int = 4, rules: str = "xiangqi-3", **more: Any) -> Accepted:
    """A hand that a seat won on the discard of the next one."""
    hand = {
        **HAND,
        "rules": rules,
        "context": {"players": players, "winner": winner, "discarder": (winner + 1) % players},
    }
    return Accepted(key, hand, scoring.score_json(hand), **more)


def keys() -> list[tuple[int, int]]:
    """The hands of all evenings by number and winner, the first first."""
    hands = [entry for evening, _ in store.evenings() for entry in store.entries(evening)]
    return sorted((entry.id, entry.hand["context"]["winner"]) for entry in hands)


def test_what_is_entered_comes_back_as_it_was() -> None:
    reading = {"tiles": [{"code": "rR"}], "photo": "桌.jpg"}
    corrections = [{"op": "name", "tile": 0, "code": "rP", "step": 1}]
    entered = won(reading=reading, corrections=corrections, picture=b"\xff\xd8jpeg")
    entry, again = store.accept(entered, EVENING)
    assert again is False
    assert store.entries("2026-11-28") == [entry]
    assert (entry.hand, entry.score, entry.reading) == (entered.hand, entered.score, reading)
    assert list(entry.corrections) == corrections
    assert (entry.at, entry.evening, entry.has_picture) == ("2026-11-28T21:00:00+08:00", "2026-11-28", True)
    assert store.picture(entry.id) == b"\xff\xd8jpeg"
    assert json.loads(json.dumps(entry.to_json()))["hand"] == HAND | {"context": entered.hand["context"]}


def test_reading_begins_no_file(home: Path) -> None:
    assert (store.evenings(), store.entries("2026-11-28"), store.last_deleted("2026-11-28")) == ([], [], None)
    assert store.evening(EVENING) == "2026-11-28"
    assert store.exported("2026-11-28")["hands"] == []
    with pytest.raises(StoreError, match="no such hand"):
        store.picture(1)
    assert list(home.iterdir()) == []


def test_at_rest_the_list_is_one_file(home: Path) -> None:
    store.accept(won(), EVENING)
    assert [path.name for path in home.iterdir()] == ["hands.db"]


def test_one_key_is_one_hand_and_a_mended_one_takes_its_place() -> None:
    first, _ = store.accept(won(picture=b"picture"), EVENING)
    same, again = store.accept(won(), EVENING + timedelta(seconds=1))
    assert (same, again) == (first, True)
    mended, again = store.accept(won(winner=3), EVENING + timedelta(minutes=1))
    assert again is True
    assert (mended.id, mended.at, mended.hand["context"]["winner"]) == (first.id, first.at, 3)
    assert store.picture(first.id) == b"picture"
    assert store.entries("2026-11-28") == [mended]


def test_a_deleted_hand_can_be_brought_back_to_its_place() -> None:
    numbers = [store.accept(won(f"a-hand-{n}", winner=n), EVENING)[0].id for n in range(3)]
    store.delete(numbers[1], EVENING)
    assert [entry.id for entry in store.entries("2026-11-28")] == [numbers[0], numbers[2]]
    assert store.last_deleted("2026-11-28") == numbers[1]
    store.delete(numbers[0], EVENING + timedelta(seconds=1))
    assert store.last_deleted("2026-11-28") == numbers[0]
    for number in numbers[:2]:
        store.undelete(number)
    assert [entry.id for entry in store.entries("2026-11-28")] == numbers
    assert store.last_deleted("2026-11-28") is None
    store.undelete(numbers[0])  # a second tap
    assert len(store.entries("2026-11-28")) == 3


def test_a_hand_that_is_accepted_again_after_it_was_deleted_is_back() -> None:
    entry, _ = store.accept(won(), EVENING)
    store.delete(entry.id)
    back, again = store.accept(won(), EVENING)
    assert (back.id, again) == (entry.id, False)


def test_deleted_hands_are_forgotten_after_a_week() -> None:
    old, new = (store.accept(won(f"a-hand-{n}", winner=n), EVENING)[0].id for n in range(2))
    store.delete(old, EVENING)
    store.delete(new, EVENING + timedelta(days=8))
    with pytest.raises(StoreError) as refused:
        store.undelete(old)
    assert refused.value.code == "no_entry"
    assert store.undelete(new).id == new


@pytest.mark.parametrize("act", [store.delete, store.undelete, store.picture])
def test_what_is_not_there_is_said_so(act: Any) -> None:
    entry, _ = store.accept(won(), EVENING)
    with pytest.raises(StoreError) as refused:
        act(entry.id + 1)
    assert refused.value.code == "no_entry"


@pytest.mark.parametrize(
    ("times", "evenings"),
    [
        ([(28, 21, 0), (29, 1, 0), (29, 5, 59)], ["28", "28", "28"]),
        ([(28, 21, 0), (29, 6, 0)], ["28", "29"]),
        ([(28, 14, 0), (28, 23, 0)], ["28", "28"]),
        # Who plays through the night has one evening, and after a pause a new one.
        ([(29, 4, 30), (29, 6, 20), (29, 8, 0), (29, 10, 30)], ["28", "28", "28", "29"]),
        # A clock that was put back splits nothing.
        ([(29, 6, 30), (29, 5, 30)], ["29", "29"]),
    ],
)
def test_an_evening_lasts_until_the_morning(times: list[tuple[int, int, int]], evenings: list[str]) -> None:
    found = []
    for number, (day, hour, minute) in enumerate(times):
        at = datetime(2026, 11, day, hour, minute, tzinfo=ZONE)
        asked = store.evening(at)
        entry, _ = store.accept(won(f"a-hand-{number}"), at)
        assert asked == entry.evening
        found.append(entry.evening[-2:])
    assert found == evenings
    assert [day for day, _ in store.evenings()] == sorted({f"2026-11-{day}" for day in evenings}, reverse=True)


def test_only_hands_of_one_table_add_up() -> None:
    for number, hand in enumerate(
        [won("key-0000"), won("key-0001", winner=2), won("key-0002", players=3), won("key-0003")]
    ):
        store.accept(hand, EVENING + timedelta(minutes=number))
    hands = store.entries("2026-11-28")
    four, three = store.totals(hands)
    assert (four.rules, four.hands, len(four.points)) == ("xiangqi-3", 3, 4)
    assert (three.rules, three.hands, len(three.points)) == ("xiangqi-3", 1, 3)
    one, two = (hands[place].score["payments"] for place in (0, 1))
    assert store.running(hands)[1].standing.points == tuple(a + b for a, b in zip(one, two, strict=True))
    assert store.running(hands)[-1].standing.points == four.points
    assert sum(four.points) == sum(three.points) == 0


def happened(key: str, minutes: int, **event: Any) -> store.Entry:
    """A riichi or a draw at a table of four, so long after the evening began."""
    kept, moved = scoring.event_from_json({"rules": "xiangqi-4", "players": 4, **event})
    entered = Accepted(key, kept, moved.to_json())
    return store.accept(entered, EVENING + timedelta(minutes=minutes))[0]


def test_sticks_lie_on_the_table_until_somebody_wins() -> None:
    riichi = happened("riichi-1", 0, event="riichi", seat=3)
    drawn = happened("the-draw", 1, event="draw", waiting=[3])
    happened("riichi-2", 2, event="riichi", seat=0)
    entries = store.entries("2026-11-28")
    (before,) = store.totals(entries)
    assert (before.points, before.sticks, before.declared, before.hands) == ((-2000, -1000, -1000, 2000), 2000, (0,), 0)
    hand = won("the-hand", rules="xiangqi-4")
    store.accept(hand, EVENING + timedelta(minutes=3))
    (after,) = store.totals(store.entries("2026-11-28"))
    assert (after.sticks, after.declared, after.hands, sum(after.points)) == (0, (), 1, 0)
    gained = [mine - was for mine, was in zip(after.points, before.points, strict=True)]
    assert gained == [paid + 2000 * (seat == 1) for seat, paid in enumerate(hand.score["payments"])]
    # What is deleted has not happened, and comes back to its place.
    store.delete(riichi.id)
    (without,) = store.totals(store.entries("2026-11-28"))
    assert without.points == (after.points[0], after.points[1] - 1000, after.points[2], after.points[3] + 1000)
    store.undelete(riichi.id)
    assert store.totals(store.entries("2026-11-28")) == [after]
    told = store.exported("2026-11-28")
    assert [entry["id"] for entry in told["events"]] == [1, 2, 3]
    assert [(entry["id"], entry["collected"]) for entry in told["hands"]] == [(4, 2000)]
    assert told["events"][1] == {
        "id": drawn.id,
        "at": "2026-11-28T21:01:00+08:00",
        "evening": "2026-11-28",
        "event": "draw",
        "rules": "xiangqi-4",
        "players": 4,
        "waiting": [3],
        "payments": [-1000, -1000, -1000, 3000],
        "sticks": 0,
    }


def test_an_event_that_two_phones_tell_of_is_entered_once() -> None:
    happened("riichi-1", 0, event="riichi", seat=3)
    with pytest.raises(StoreError) as refused:
        happened("riichi-2", 0, event="riichi", seat=3)
    assert refused.value.code == "riichi_twice"
    drawn = happened("draw-1", 1, event="draw", waiting=[3])
    assert happened("draw-2", 1, event="draw", waiting=[3]) == drawn
    # Another draw, one at another table and one of a later hand are others.
    assert happened("draw-3", 1, event="draw", waiting=[2, 3]).id == drawn.id + 1
    assert happened("draw-4", 4, event="draw", waiting=[2, 3]).id == drawn.id + 2
    # After a draw the seat may declare again.
    assert happened("riichi-3", 5, event="riichi", seat=3).id == drawn.id + 3
    assert len(store.entries("2026-11-28")) == 5


def test_a_hand_that_two_phones_tell_of_is_entered_once() -> None:
    first, again = store.accept(won("of-phone-1"), EVENING)
    assert not again
    told = won("of-phone-2", picture=b"jpeg")
    turned = replace(told, hand={**told.hand, "concealed": told.hand["concealed"][::-1]})
    assert store.accept(turned, EVENING + timedelta(seconds=30)) == (first, True)
    assert first.key == "of-phone-1"
    # Another winner's, one that is paid otherwise, and one of a later deal are others.
    others = [won("of-seat-2", winner=2), replace(won("drawn-hand"), hand={**told.hand, "by": "self_draw"})]
    numbers = [store.accept(other, EVENING)[0].id for other in others]
    numbers.append(store.accept(won("a-later-one"), EVENING + timedelta(minutes=2))[0].id)
    assert numbers == [first.id + 1, first.id + 2, first.id + 3]
    # What was taken out of the list is entered anew.
    for number in [first.id, *numbers]:
        store.delete(number, EVENING)
    assert store.accept(told, EVENING)[0].id == first.id + 4


def test_two_phones_at_one_moment_enter_one_riichi() -> None:
    kept, moved = scoring.event_from_json({"rules": "xiangqi-4", "players": 4, "event": "riichi", "seat": 1})

    def declare(number: int) -> str:
        try:
            store.accept(Accepted(f"riichi-{number}", kept, moved.to_json()), EVENING)
        except StoreError as error:
            return error.code
        return "entered"

    with ThreadPoolExecutor(8) as phones:
        told = sorted(phones.map(declare, range(8)))
    assert told == ["entered", *["riichi_twice"] * 7]


def test_riichi_of_another_table_stays_there() -> None:
    happened("riichi-1", 0, event="riichi", seat=3)
    store.accept(won("the-hand"), EVENING + timedelta(minutes=1))
    ours, other = store.totals(store.entries("2026-11-28"))
    assert (ours.rules, ours.sticks, other.rules, other.sticks) == ("xiangqi-4", 1000, "xiangqi-3", 0)


def test_a_list_from_before_there_were_events_goes_on(home: Path) -> None:
    store.accept(won(), EVENING)
    with closing(sqlite3.connect(home / "hands.db")) as db:
        db.execute("PRAGMA user_version = 1")
    assert len(store.entries("2026-11-28")) == 1
    happened("riichi-1", 1, event="riichi", seat=3)
    assert [entry.is_event for entry in store.entries("2026-11-28")] == [False, True]
    with closing(sqlite3.connect(home / "hands.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (store.VERSION,)


OPERATION = st.one_of(
    st.tuples(st.just("accept"), st.integers(0, 4), st.integers(0, 3)),
    st.tuples(st.just("delete"), st.integers(1, 6), st.just(0)),
    st.tuples(st.just("undelete"), st.integers(1, 6), st.just(0)),
)


@settings(max_examples=20, deadline=None)
@given(operations=st.lists(OPERATION, max_size=12))
def test_whatever_is_done_the_list_is_what_was_done(
    operations: list[tuple[str, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HUPAI_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setattr(store, "SAME", timedelta(0))
        hands: dict[int, int] = {}  # number -> winner
        standing: set[int] = set()
        number_of: dict[int, int] = {}  # key -> number
        for what, which, winner in operations:
            if what == "accept":
                entry, again = store.accept(won(f"the-key-{which}", winner=winner), EVENING)
                number = number_of.setdefault(which, len(number_of) + 1)
                assert (entry.id, again) == (number, number in standing)
                hands[number] = winner
                standing.add(number)
            elif which in (standing if what == "delete" else hands):
                (store.delete if what == "delete" else store.undelete)(which)
                (standing.discard if what == "delete" else standing.add)(which)
            else:
                with pytest.raises(StoreError):
                    (store.delete if what == "delete" else store.undelete)(which)
        assert keys() == sorted((number, hands[number]) for number in standing)
        for total in store.totals(store.entries("2026-11-28")):
            paid = [entry.score["payments"] for entry in store.entries("2026-11-28")]
            assert total.points == tuple(map(sum, zip(*paid, strict=True)))


def test_many_threads_enter_each_hand_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SAME", timedelta(0))
    failed: list[BaseException] = []
    ready = threading.Barrier(8)

    def enter(thread: int) -> None:
        try:
            ready.wait()
            for number in range(4):
                store.accept(won(f"the-key-{number}", winner=number), EVENING)
                store.entries("2026-11-28")
            store.delete(store.accept(won(f"of-thread-{thread}"), EVENING)[0].id)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    assert [winner for _, winner in sorted(keys(), key=lambda entry: entry[1])] == [0, 1, 2, 3]


# ---- files that are not what they should be ----


def all_acts() -> list[Any]:
    return [
        lambda: store.accept(won("another-key", winner=2), EVENING),
        store.evenings,
        lambda: store.entries("2026-11-28"),
        lambda: store.last_deleted("2026-11-28"),
        lambda: store.picture(1),
        lambda: store.delete(1),
        lambda: store.undelete(1),
        lambda: store.evening(EVENING),
        lambda: store.exported("2026-11-28"),
    ]


def another_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE songs (name TEXT)")
        db.commit()


def emptied_of_its_table(path: Path) -> None:
    store.accept(won(), EVENING)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE hands")
        db.commit()


def cut_short(path: Path) -> None:
    store.accept(won(picture=bytes(50_000)), EVENING)
    path.write_bytes(path.read_bytes()[:6000])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"no database at all, but more than a header's worth of text " * 4),
        lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(84)),
        another_database,
        emptied_of_its_table,
        cut_short,
    ],
    ids=["text", "header", "another", "no table", "cut"],
)
def test_a_damaged_file_is_named_and_never_written_over(home: Path, spoil: Any) -> None:
    path = home / "hands.db"
    spoil(path)
    before = path.read_bytes()
    for act in all_acts():
        with pytest.raises(StoreError) as refused:
            act()
        assert refused.value.code == "damaged_list"
        assert str(path) in str(refused.value)
        assert "\n" not in str(refused.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("hand", "{"),
        ("hand", "[]"),
        ("hand", '{"rules": 3}'),
        ("score", "{}"),
        ("score", '{"payments": [1, 2]}'),
        ("score", '{"payments": "none"}'),
        ("score", '{"payments": [1, -1], "sticks": 5}'),
        ("score", '{"payments": [1, -1], "sticks": []}'),
        ("hand", '{"rules": "xiangqi-3", "context": {"winner": 4}}'),
        ("hand", '{"rules": "xiangqi-3", "context": 4}'),
        ("hand", '{"rules": "xiangqi-4", "event": "riichi", "seat": 9}'),
        ("corrections", "[" * 40_000),
        ("at", "yesterday"),
        ("at", "2026-11-28T21:00:00"),
        ("hand", b"\xff\xfe"),
    ],
)
def test_a_row_that_was_changed_to_nonsense_is_named(home: Path, column: str, value: object) -> None:
    store.accept(won(), EVENING)
    with closing(sqlite3.connect(home / "hands.db")) as db:
        db.execute(f"UPDATE hands SET {column} = CAST(? AS TEXT)", (value,))
        db.commit()
    with pytest.raises(StoreError) as refused:
        store.entries("2026-11-28")
    assert refused.value.code == "damaged_list"


def test_a_later_hupais_list_is_left_alone(home: Path) -> None:
    store.accept(won(), EVENING)
    with closing(sqlite3.connect(home / "hands.db")) as db:
        db.execute(f"PRAGMA user_version = {store.VERSION + 1}")
    for act in all_acts():
        with pytest.raises(StoreError) as refused:
            act()
        assert refused.value.code == "later_version"


def test_a_list_that_another_program_holds_is_said_to_be_locked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.accept(won(), EVENING)
    monkeypatch.setattr(store, "PATIENCE", 0.05)
    with closing(sqlite3.connect(home / "hands.db", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError) as refused:
            store.accept(won("another-key", winner=2), EVENING)
        assert refused.value.code == "locked_list"
        assert len(store.entries("2026-11-28")) == 1  # who reads waits for nobody
        db.execute("ROLLBACK")
    store.accept(won("another-key", winner=2), EVENING)
    assert len(store.entries("2026-11-28")) == 2


@pytest.mark.parametrize("blocked", ["hands.db/inside", "file"])
def test_a_place_that_cannot_be_written_is_said_so(home: Path, blocked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if blocked == "file":
        (home / "file").write_text("")
        monkeypatch.setenv("HUPAI_HOME", str(home / "file"))
    else:
        (home / blocked).mkdir(parents=True)
    with pytest.raises(StoreError) as refused:
        store.accept(won(), EVENING)
    assert refused.value.code == "cannot_write"
    assert "HUPAI_HOME" in str(refused.value)


def test_what_is_not_finished_has_not_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    store.accept(won(), EVENING)
    with monkeypatch.context() as patch:
        patch.setattr(store, "_entry", lambda row: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.accept(won("another-key", winner=2), EVENING)
    assert len(store.entries("2026-11-28")) == 1
