"""Damage that SQLite does not notice: a value of a store is another one, of any kind."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

GARBAGE: tuple[object, ...] = (
    b"\xff\xfe\x00\x80",  # not a text at all
    None,
    "",
    0,
    -1,
    7,
    2**63 - 1,
    1.5,
    "twelve",
    "\x1b[31mred\x00\r\n",
    "[]",
    "[1, 2",
    "[1, 99]",
    "[[1], {}]",
    "[1e400, true, null]",
    "{}",
    "[" * 5000,
    f"[{'9' * 4200}]",
    f"seat {'9' * 5000}",
    f'{{"is":"Judged","verdict":"accepted","seat":{"9" * 5000}}}',
    '"\\ud800"',
    '{"is":"PhaseEntered","phase":"PLAY","t_ns":1}',
    '{"is":"PhaseEntered","phase":"REST","t_ns":1}',
    '{"is":"Judged","verdict":"accepted","seat":99,"stamp":[1,2],"decided_ns":3}',
    "1.0001 edge on seat 99 #1",
    "2026-11-18T20:00:00",
    "scored",
    "void",
)
"""What is put in the place of a value."""
DIGITS = ("9", "0", "-1", "99", "1e9", "99999999999", "9" * 5000, "null", '"x"')
"""What is put in the place of a digit."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a store: its table, its column, and in which row it stands."""

    table: str
    column: str
    row: int


class Spoiler:
    """Puts other values into a copy of a store, behind everybody's back."""

    def __init__(self, sound: Path, copy: Path) -> None:
        self._copy = copy
        with closing(sqlite3.connect(sound)) as connection:
            connection.executescript("PRAGMA wal_checkpoint(TRUNCATE)")
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            self._tables = sorted(name for (name,) in names if not name.startswith("sqlite_"))
            self._columns = {each: _columns(connection, each) for each in self._tables}
            self._counts = {each: _count(connection, each) for each in self._tables}
        self._data = self._without_rules(sound)

    def _without_rules(self, sound: Path) -> bytes:
        """The store as a file that takes NULL everywhere."""
        self._copy.write_bytes(sound.read_bytes())
        with closing(sqlite3.connect(self._copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
        return self._copy.read_bytes()

    @property
    def columns(self) -> list[tuple[str, str]]:
        """All columns of all tables."""
        return [(table, column) for table in self._tables for column in self._columns[table]]

    def any_value(self, chance: Random, table: str, column: str) -> Value:
        """One value of that column; those of the first rows are looked at most."""
        rows = self._counts[table]
        return Value(table, column, chance.randrange(min(rows, 40) if chance.random() < 0.5 else rows))

    def spoil(self, value: Value, chance: Random) -> str | None:
        """Make a copy in which it is another one: which, in words; None if the file can't hold it."""
        self._copy.write_bytes(self._data)
        with closing(sqlite3.connect(self._copy, isolation_level=None)) as connection:
            keys = [
                name for _, name, *_, key in connection.execute(f"PRAGMA table_info({value.table})") if key
            ]
            where = " AND ".join(f"{key} IS ?" for key in keys)
            found = connection.execute(
                f"SELECT {value.column}, {', '.join(keys)} FROM {value.table} LIMIT 1 OFFSET ?", (value.row,)
            ).fetchone()
            now = _spoilt(found[0], chance)
            # Bytes that are no text stand as a text all the same, as they do where a bit of one is wrong.
            new = "CAST(? AS TEXT)" if isinstance(now, bytes) and chance.random() < 0.7 else "?"
            try:
                connection.execute(
                    f"UPDATE {value.table} SET {value.column} = {new} WHERE {where}", (now, *found[1:])
                )
            except sqlite3.IntegrityError:
                return None
        return f"{value.table}.{value.column} of row {value.row} is {str(now)[:60]!r}"


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _spoilt(was: object, chance: Random) -> object:
    """Another value than this one; of a text mostly one that looks much like it."""
    if not isinstance(was, str) or not was or chance.random() < 0.4:
        return chance.choice(GARBAGE)
    place = chance.randrange(len(was))
    match chance.randrange(4):
        case 0:
            return was[:place]
        case 1:
            return was[:place] + chr(ord(was[place]) ^ 1 << chance.randrange(7)) + was[place + 1 :]
        case 2:
            digits = [n for n, letter in enumerate(was) if letter.isdigit()]
            place = chance.choice(digits or [place])
            return was[:place] + chance.choice(DIGITS) + was[place + 1 :]
        case _:
            data = bytearray(was.encode())
            data[place % len(data)] ^= 0x80
            return bytes(data)
