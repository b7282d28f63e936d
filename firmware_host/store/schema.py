"""The tables of the store, and how a file of an older version becomes one of this.

A chapter is the time from one beginning in ATTRACT to the next: its head says what a pipeline began
with, its inputs all that came in since, its effects all that was decided. Whoever replays the inputs
comes to the same effects. Matches, rounds and dead heats are what is left of them for people when
inputs and effects are not kept any more; audits count how often each part of the table was used; the
log has every event that an operator may ask about.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from functools import cache

from firmware_host.errors import TableError

BUSY_MS = 2000
"""So long somebody waits for another who uses the file."""

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE chapters (
        n INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of the chapters; a clock may go back, this does not
        id INTEGER NOT NULL UNIQUE,
        begun TEXT NOT NULL,
        head TEXT NOT NULL
    );
    CREATE TABLE inputs (
        chapter INTEGER NOT NULL,
        n INTEGER NOT NULL,
        advanced_ns INTEGER NOT NULL,
        arrived_ns INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (chapter, n)
    ) WITHOUT ROWID;
    CREATE TABLE effects (
        chapter INTEGER NOT NULL,
        n INTEGER NOT NULL,
        t_ns INTEGER NOT NULL,
        text TEXT NOT NULL,
        shown TEXT,  -- with each phase: what lamps and scoreboard have shown by then, as a digest
        PRIMARY KEY (chapter, n)
    ) WITHOUT ROWID;
    CREATE TABLE matches (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        chapter INTEGER NOT NULL,
        number INTEGER NOT NULL,
        begun TEXT NOT NULL,
        ended TEXT,
        day TEXT NOT NULL,
        event TEXT NOT NULL,
        game TEXT NOT NULL,
        state TEXT NOT NULL,  -- running, finished, abandoned
        seats TEXT,
        totals TEXT,
        winners TEXT,
        UNIQUE (chapter, number)
    );
    CREATE TABLE rounds (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        chapter INTEGER NOT NULL,
        match INTEGER NOT NULL,
        attempt INTEGER NOT NULL,  -- counts all rounds of the chapter, those that were void too
        number INTEGER NOT NULL,
        begun TEXT NOT NULL,
        ended TEXT,
        state TEXT NOT NULL,  -- running, scored, void, abandoned
        first_effect INTEGER NOT NULL,
        last_effect INTEGER,
        seats TEXT,
        finisher INTEGER,
        leftovers TEXT,
        scores TEXT,
        totals TEXT,
        void_reason TEXT,
        void_seats TEXT,  -- those who said so
        UNIQUE (chapter, attempt)
    );
    CREATE TABLE dead_heats (
        chapter INTEGER NOT NULL,
        n INTEGER NOT NULL,  -- the number of its effect there
        attempt INTEGER NOT NULL,
        seats TEXT NOT NULL,
        winner INTEGER NOT NULL,
        PRIMARY KEY (chapter, n)
    ) WITHOUT ROWID;
    CREATE TABLE audits (
        kind TEXT NOT NULL,  -- table, button, call, slot, reader, lamp, device
        name TEXT NOT NULL,
        count INTEGER NOT NULL,
        last TEXT NOT NULL,
        game INTEGER NOT NULL,  -- how many games had been played when it was last used
        PRIMARY KEY (kind, name)
    ) WITHOUT ROWID;
    CREATE TABLE log (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL
    );
    CREATE TABLE choices (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
)
"""Each brings a file from the version of its place to the next; those that were released never change."""

VERSION = len(MIGRATIONS)
APPLICATION_ID = 0x4C695461
"""By this a file says that it is a store; those that were made first do not."""
_STAMP = f"PRAGMA application_id = {APPLICATION_ID}"
TABLES = frozenset(
    {"chapters", "inputs", "effects", "matches", "rounds", "dead_heats", "audits", "log", "choices"}
)


class LeftOpen(sqlite3.OperationalError):
    """It was not closed, and to read it something would have to be written beside it."""


class NewerFile(TableError):
    """The file was written by a later version of this program."""


def connect(path: str, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection whose transactions are begun and ended by hand; sqlite3.Error if there can be none."""
    if read_only:
        return connected(path, _reading(path))
    connection = connected(path, "mode=rwc")
    try:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # at round ends, when nobody waits for a verdict
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _reading(path: str) -> str:
    """How a file is opened so that its reader leaves nothing beside it, and needs no right to do so."""
    # A reader makes the index of a write-ahead log if it is missing, and it stays, owned by whoever that
    # was: the daemon may not be able to use it. Without a log the file can't change under us.
    real = os.path.realpath(path)  # SQLite puts beside that what it needs
    if not os.path.exists(f"{real}-wal"):
        return "mode=ro&immutable=1"
    if not os.path.exists(f"{real}-shm"):
        raise LeftOpen("it was not closed; `ligretto-table run` brings it in order")
    return "mode=ro"


def connected(path: str, how: str) -> sqlite3.Connection:
    """A connection as SQLite makes it; nothing is changed by it yet."""
    return sqlite3.connect(
        f"file:{_quoted(path)}?{how}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_MS / 1000,
        check_same_thread=False,
    )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to this version, each step wholly or not at all."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise NewerFile(
            f"it is of version {version}, and this program knows {VERSION}: install a newer ligretto-table"
        )
    for number in range(version, VERSION):
        step = f"BEGIN; {MIGRATIONS[number]}; {_STAMP}; PRAGMA user_version = {number + 1}; COMMIT;"
        try:
            connection.executescript(step)
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        connection.execute(_STAMP)


def columns(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The columns of each table of the store that is there."""
    found = {table: connection.execute(f"PRAGMA table_info({table})").fetchall() for table in sorted(TABLES)}
    return {table: [name for _, name, *_ in rows] for table, rows in found.items() if rows}


@cache
def right_columns() -> dict[str, list[str]]:
    """The columns that each table has in this version."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection)
        return columns(connection)


def _quoted(path: str) -> str:
    if path.startswith("//"):
        path = f"/{path.lstrip('/')}"  # what follows two of them would be a host
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
