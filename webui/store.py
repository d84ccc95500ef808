"""Accepted hands on disk: one SQLite file in the data directory, a row a hand, its picture in it.

An entry is what was accepted at the table: the hand as the player left it, what the machine had read, how that was
mended, and the score of that moment. A file that is damaged is named, and never written over.

Hands belong to the evening on which they were played. It lasts until six in the morning, and longer while no pause
between two hands is longer than two hours.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from calibration.home import home
from scoring import ledger

VERSION: Final = 2
"""Of the file; since 2 there are events beside hands, which earlier versions of hupai could not show."""
APPLICATION_ID: Final = 0x68757061
"""Marks the file as ours, in SQLite's own header (`hupa` in ASCII)."""

FORMAT: Final = 1
"""The version of the exported form."""

MORNING: Final = timedelta(hours=6)
PAUSE: Final = timedelta(hours=2)
KEPT_FOR_UNDO: Final = timedelta(days=7)
SAME: Final = timedelta(minutes=1)  # within this the same hand or draw told under another key is no other
PATIENCE: Final = 5.0  # seconds that another writer is waited for

_TABLE: Final = """
CREATE TABLE hands (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,       -- names the hand: sent twice, it is entered once
  at TEXT NOT NULL,               -- local time with its offset, ISO 8601
  evening TEXT NOT NULL,          -- its date
  hand TEXT NOT NULL,             -- JSON, as the interface has it, with rules and context; or an event
  score TEXT NOT NULL,            -- JSON, as it was scored then, or what an event moved
  reading TEXT,                   -- JSON as found, NULL where the hand was typed
  corrections TEXT NOT NULL,      -- JSON, a list
  deleted REAL,                   -- when, in seconds since 1970, NULL while it stands
  picture BLOB                    -- JPEG, NULL where there was none
)
"""
_COLUMNS: Final = "id, key, at, evening, hand, score, reading, corrections, picture IS NOT NULL"

_FULL_OR_CLOSED: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
    }
)

_making = threading.Lock()


class StoreError(Exception):
    """The list cannot be read or changed as asked. `code` is stable; the message says how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Accepted:
    """What is entered, in the interface's JSON form. `key` names the hand, `picture` is a JPEG file's bytes.

    In place of a hand it may be an event (`scoring.event_from_json`), whose `score` is what it moved.
    `reading` is what the machine found (None where the hand was typed), `corrections` how a person mended it.
    """

    key: str
    hand: Mapping[str, Any]
    score: Mapping[str, Any]
    reading: Mapping[str, Any] | None = None
    corrections: Sequence[Mapping[str, Any]] = ()
    picture: bytes | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand of the list. `key` is the name under which it was entered first, `at` local time with its offset (ISO
    8601), `evening` the date on which play began.

    In place of a hand it may be an event, a riichi or a draw; `score` then has `payments` and `sticks`.
    """

    id: int
    key: str
    at: str
    evening: str
    hand: Mapping[str, Any]
    score: Mapping[str, Any]
    reading: Mapping[str, Any] | None
    corrections: Sequence[Mapping[str, Any]]
    has_picture: bool

    @property
    def table(self) -> tuple[str, int]:
        """The rule set and the number of seats: only hands of one table add up."""
        return self.hand["rules"], len(self.score["payments"])

    @property
    def is_event(self) -> bool:
        """Whether it is a riichi or a draw, and no hand that was won."""
        return "event" in self.hand

    @property
    def sticks(self) -> int:
        """The points that it put onto the table as riichi sticks."""
        return int(self.score.get("sticks", 0))

    def to_json(self) -> dict[str, Any]:
        """The entry as the JSON interface has it."""
        if self.is_event:
            return {"id": self.id, "at": self.at, "evening": self.evening, **self.hand, **self.score}
        return {
            "id": self.id,
            "at": self.at,
            "evening": self.evening,
            "hand": self.hand,
            "score": self.score,
            "reading": self.reading,
            "corrections": self.corrections,
            "picture": self.has_picture,
        }


@dataclass(frozen=True, slots=True)
class Total:
    """What the seats of one table (rule set and number of players) have won or lost in an evening.

    `sticks` are the points that still lie on the table, `declared` the seats that declared riichi since the last hand
    was won or drawn.
    """

    rules: str
    hands: int
    points: tuple[int, ...]
    sticks: int
    declared: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The total as the JSON interface has it."""
        return {
            "rules": self.rules,
            "players": len(self.points),
            "hands": self.hands,
            "points": list(self.points),
            "sticks": self.sticks,
            "declared": list(self.declared),
        }


def file() -> Path:
    """Where the list is kept."""
    return home() / "hands.db"


def now() -> datetime:
    """The time on this machine's clock, with its zone."""
    return datetime.now().astimezone().replace(microsecond=0)


def accept(entered: Accepted, at: datetime | None = None) -> tuple[Entry, bool]:
    """Enter a hand at a time (now); the entry, and whether it stood there before.

    A hand is known by its key: sent again it is entered no second time, sent otherwise (mended since) it takes the
    place of what stood there, and one that was deleted is back. Two phones may tell of one hand or event, each under
    its own key: it is entered once, under the first, and a seat's second riichi in a hand is refused. Raises
    StoreError.
    """
    moment = at or now()
    with _writing() as db:
        known = db.execute("SELECT id, deleted FROM hands WHERE key = ?", (entered.key,)).fetchone()
        if known is None and (told_before := _told_before(db, entered, moment)) is not None:
            return told_before, True
        told = (_text(entered.hand), _text(entered.score), _text(entered.reading), _text(list(entered.corrections)))
        if known is None:
            row = (entered.key, moment.isoformat(), _evening_at(db, moment), *told, entered.picture)
            db.execute(
                "INSERT INTO hands (key, at, evening, hand, score, reading, corrections, picture) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        else:
            db.execute(
                "UPDATE hands SET hand = ?, score = ?, reading = ?, corrections = ?, picture = coalesce(?, picture), "
                "deleted = NULL WHERE key = ?",
                (*told, entered.picture, entered.key),
            )
        row = db.execute(f"SELECT {_COLUMNS} FROM hands WHERE key = ?", (entered.key,)).fetchone()
        return _entry(row), known is not None and known[1] is None


def _told_before(db: sqlite3.Connection, entered: Accepted, moment: datetime) -> Entry | None:
    """The entry of what another phone has told of. Raises StoreError for a riichi that stands already."""
    table = (entered.hand["rules"], len(entered.score["payments"]))
    before = [entry for entry in _entries(db, _evening_at(db, moment)) if entry.table == table]
    if entered.hand.get("event") == "riichi":
        if entered.hand["seat"] in _declared(before):
            raise StoreError("riichi_twice", "this seat has declared riichi in this hand already")
        return None
    told = _gist(entered.hand)
    recent = (entry for entry in reversed(before) if abs(moment - _parsed(entry.at)) < SAME)
    return next((entry for entry in recent if _gist(entry.hand) == told), None)


def _gist(hand: Mapping[str, Any]) -> str:
    """A hand or event as text that does not change with the order in which its tiles and melds are told."""
    melds = [{**meld, "tiles": sorted(meld["tiles"])} for meld in hand.get("melds", ())]
    ordered = {"concealed": sorted(hand.get("concealed", ())), "melds": sorted(melds, key=str)}
    return json.dumps({**hand, **ordered}, sort_keys=True)


def evening(at: datetime | None = None) -> str:
    """The evening that it is at a time (now): its date."""
    moment = at or now()
    with _reading() as db:
        return _day(moment) if db is None else _evening_at(db, moment)


def evenings() -> list[tuple[str, int]]:
    """The evenings of which there are hands, the last first, with how many."""
    with _reading() as db:
        if db is None:
            return []
        query = "SELECT evening, count(*) FROM hands WHERE deleted IS NULL GROUP BY evening ORDER BY evening DESC"
        return [(str(day), int(count)) for day, count in db.execute(query)]


def entries(of: str) -> list[Entry]:
    """The hands of an evening, the first first."""
    with _reading() as db:
        return [] if db is None else _entries(db, of)


def _entries(db: sqlite3.Connection, of: str) -> list[Entry]:
    query = f"SELECT {_COLUMNS} FROM hands WHERE evening = ? AND deleted IS NULL ORDER BY id"
    return [_entry(row) for row in db.execute(query, (of,))]


def last_deleted(of: str) -> int | None:
    """The hand of an evening that was deleted last, if it can be brought back."""
    with _reading() as db:
        if db is None:
            return None
        query = "SELECT id FROM hands WHERE evening = ? AND deleted IS NOT NULL ORDER BY deleted DESC, id DESC LIMIT 1"
        row = db.execute(query, (of,)).fetchone()
        return None if row is None else int(row[0])


def picture(number: int) -> bytes:
    """The JPEG of an entry. Raises StoreError where there is no such entry or it has none."""
    with _reading() as db:
        query = "SELECT picture FROM hands WHERE id = ? AND deleted IS NULL"
        row = None if db is None else db.execute(query, (number,)).fetchone()
        if row is None or row[0] is None:
            raise _no_entry()
        return bytes(row[0])


def delete(number: int, at: datetime | None = None) -> Entry:
    """Take a hand out of the list; `undelete` brings it back within `KEPT_FOR_UNDO`. Raises StoreError."""
    moment = at or now()
    with _writing() as db:
        entry = _standing(db, number)
        db.execute("DELETE FROM hands WHERE deleted < ?", ((moment - KEPT_FOR_UNDO).timestamp(),))
        db.execute("UPDATE hands SET deleted = ? WHERE id = ?", (moment.timestamp(), number))
        return entry


def undelete(number: int) -> Entry:
    """Bring a deleted hand back to its place; one that stands there stays. Raises StoreError where there is none."""
    with _writing() as db:
        db.execute("UPDATE hands SET deleted = NULL WHERE id = ?", (number,))
        return _standing(db, number)


class After(NamedTuple):
    """What holds at an entry's table after it, and the sticks that its winner collected, in points."""

    standing: ledger.Standing
    collected: int


def running(hands: Sequence[Entry]) -> list[After]:
    """For each of an evening's hands, the first first: the standing after it, of all that came at its table so far.

    What was scored stands, whatever rules say today: the payments are entered as they were. Riichi sticks go to whoever
    wins next; of several who win on one discard, to the one that is entered first.
    """
    standings: dict[tuple[str, int], ledger.Standing] = {}
    after = []
    for entry in hands:
        before = standings.get(entry.table, ledger.Standing((0,) * entry.table[1]))
        standing = ledger.penalty(before, entry.score["payments"], entry.sticks)
        collected = 0 if entry.is_event else standing.sticks
        if not entry.is_event:
            standing = ledger.collect(standing, entry.hand.get("context", {}).get("winner", 0))
        standings[entry.table] = standing
        after.append(After(standing, collected))
    return after


def totals(hands: Sequence[Entry]) -> list[Total]:
    """The points by seat of each table that was played, in the order in which they began."""
    last = dict(zip((entry.table for entry in hands), running(hands), strict=True))
    return [
        Total(
            rules,
            sum(entry.table == (rules, players) and not entry.is_event for entry in hands),
            after.standing.points,
            after.standing.sticks,
            _declared([entry for entry in hands if entry.table == (rules, players)]),
        )
        for (rules, players), after in last.items()
    ]


def _declared(entries: Sequence[Entry]) -> tuple[int, ...]:
    """The seats that declared riichi after the last hand or draw of a table's entries."""
    seats: list[int] = []
    for entry in entries:
        seats = [*seats, int(entry.hand["seat"])] if entry.hand.get("event") == "riichi" else []
    return tuple(sorted(set(seats)))


def exported(of: str) -> dict[str, Any]:
    """An evening in the form in which it is exported. Raises StoreError."""
    hands = entries(of)
    told = [
        {**entry.to_json(), **({"collected": after.collected} if after.collected else {})}
        for entry, after in zip(hands, running(hands), strict=True)
    ]
    return {
        "format": FORMAT,
        "hupai": version("hupai"),
        "exported": now().isoformat(),
        "evening": of,
        "hands": [one for one in told if "event" not in one],
        "events": [one for one in told if "event" in one],
        "totals": [total.to_json() for total in totals(hands)],
    }


def _day(moment: datetime) -> str:
    """The date on which an evening began that still lasts at a moment, if it began on that day at all."""
    return (moment - MORNING).date().isoformat()


def _evening_at(db: sqlite3.Connection, moment: datetime) -> str:
    row = db.execute("SELECT at, evening FROM hands ORDER BY id DESC LIMIT 1").fetchone()
    if row is not None and abs(moment - _parsed(row[0])) < PAUSE:
        return str(row[1])
    return _day(moment)


def _parsed(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise _damaged() from None
    if moment.tzinfo is None:
        raise _damaged()
    return moment


def _text(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _standing(db: sqlite3.Connection, number: int) -> Entry:
    row = db.execute(f"SELECT {_COLUMNS} FROM hands WHERE id = ? AND deleted IS NULL", (number,)).fetchone()
    if row is None:
        raise _no_entry()
    return _entry(row)


def _entry(row: tuple[Any, ...]) -> Entry:
    """An entry of its row; raises StoreError where someone else has changed it to what is none."""
    number, key, at, day, hand, score, reading, corrections, has_picture = row
    try:
        entry = Entry(
            int(number),
            str(key),
            _parsed(at).isoformat(),
            str(day),
            json.loads(hand),
            json.loads(score),
            None if reading is None else json.loads(reading),
            json.loads(corrections),
            bool(has_picture),
        )
        payments = entry.score["payments"]
        whole = isinstance(entry.hand["rules"], str) and all(type(paid) is int for paid in payments)
        whole = whole and bool(payments) and sum(payments) + entry.sticks == 0
        winner = entry.hand.get("seat", 0) if entry.is_event else entry.hand.get("context", {}).get("winner", 0)
        whole = whole and winner in range(len(payments))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        whole = False
    if not whole:
        raise _damaged()
    return entry


def _no_entry() -> StoreError:
    return StoreError("no_entry", "there is no such hand in the list any more; load the list again")


def _damaged() -> StoreError:
    return StoreError(
        "damaged_list", f"{file()} is damaged or no list of hupai's; move it elsewhere, and a new list is begun"
    )


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what SQLite says into a StoreError with a name."""
    try:
        yield
    except sqlite3.Error as error:
        # Extended codes hold the plain one in their lowest byte; text that is no UTF-8 has none.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            message = f"another program keeps {file()} locked; try again in a moment"
            raise StoreError("locked_list", message) from None
        if code in _FULL_OR_CLOSED:
            raise _unwritable(file(), str(error)) from None
        raise _damaged() from None


def _unwritable(path: Path, reason: str) -> StoreError:
    return StoreError("cannot_write", f"{path} cannot be used ({reason.lower()}); make room or set HUPAI_HOME")


def _connected(mode: str) -> sqlite3.Connection:
    """A connection to the file, which is seen to be ours and of this version."""
    db = sqlite3.connect(f"{file().resolve().as_uri()}?mode={mode}", uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        # Seen at one moment: another thread may be about to begin the list.
        db.execute("BEGIN")
        ours = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        db.execute("COMMIT")
        if (ours, version, tables) == (0, 0, 0):
            return db
        if ours != APPLICATION_ID:
            raise _damaged()
        if version > VERSION:
            raise StoreError("later_version", f"{file()} was written by a later hupai; update hupai")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def _reading() -> Iterator[sqlite3.Connection | None]:
    """The list to read from; None where none was begun yet."""
    try:
        begun = file().exists()
    except OSError as error:
        raise _unwritable(file(), error.strerror or "unknown reason") from None
    if not begun:
        yield None
        return
    with _refusing(), closing(_connected("rw")) as db:
        yield None if _is_new(db) else db


@contextmanager
def _writing() -> Iterator[sqlite3.Connection]:
    """The list in one transaction, which is undone where the block raises; a list is begun where there is none."""
    try:
        file().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(file().parent, error.strerror or "unknown reason") from None
    with _refusing(), closing(_connected("rwc")) as db:
        with _making:
            if _is_new(db):
                # With a write-ahead log those who read never wait for who writes.
                db.execute("PRAGMA journal_mode = WAL")
        # What is not committed when the connection closes has not happened.
        db.execute("BEGIN IMMEDIATE")
        if _is_new(db):
            db.execute(_TABLE)
            db.execute("CREATE INDEX hands_by_evening ON hands (evening, id)")
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION}")
        yield db
        db.execute("COMMIT")


def _is_new(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0] == 0)
