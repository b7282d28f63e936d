"""The tables of the store, and how a file of an older version becomes one of this.

The table `chapters` has the recorded sessions. A session lasts from one beginning in ATTRACT to the next: its
head has what the referee began with, its inputs all that came in since, its effects all that was decided.
Whoever replays the inputs gets the same effects. Matches, rounds and dead heats are what is left for people
when inputs and effects are not kept any more. Audits count how often each part of the table was used. The
log has every event that an operator may ask about.
"""

from __future__ import annotations

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
"""Each brings a file from the version of its place to the next; those that were released never change.

Each changes some CREATE statement, if only by a comment: so the statements alone tell the version, and a
damaged number is told from that of a newer program.
"""

VERSION = len(MIGRATIONS)
APPLICATION_ID = 0x4C695461
"""By this a file says that it is a store; those that were made first do not."""
_STAMP = f"PRAGMA application_id = {APPLICATION_ID}"
TABLES = frozenset(
    {"chapters", "inputs", "effects", "matches", "rounds", "dead_heats", "audits", "log", "choices"}
)


class NewerFile(TableError):
    """The file was written by a later version of this program: it is neither used nor moved."""


def connect(path: str) -> sqlite3.Connection:
    """A connection that writes; transactions are begun and ended by hand. sqlite3.Error if there can be none.

    SQLite takes no lock here: `store_lock` has locked the file, against SQLite in other programs too. In
    exclusive mode the index of the write-ahead log is in our own memory. If it were in a mapped file beside
    the store (`-shm`), anybody who truncates that file would end this process by SIGBUS, and a reader who
    never ends its transaction would let the log grow without bound. A rollback journal has no index either,
    but it needs two or three syncs for each verdict. The price is that nobody can read the file through
    SQLite while it is written: `copies` reads a copy instead.
    """
    connection = connected(path, "mode=rwc&vfs=unix-none")
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA mmap_size = 0")
        if connection.execute("PRAGMA page_count").fetchone() == (0,):  # else it would be written each time
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # at round ends, when nobody waits for a verdict
    except BaseException:
        connection.close()
        raise
    return connection


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


Schema = frozenset[tuple[object, ...]]
"""Tables and indexes as SQLite has written them down: kind, name, table and statement, as bytes."""


def schema_of(connection: sqlite3.Connection) -> Schema:
    """What is written down in this file; what SQLite keeps for itself is left out."""
    # As bytes: in a damaged file they may be no text.
    rows = connection.execute(
        "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB) "
        "FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
    )
    return frozenset(rows.fetchall())


@cache
def schemas() -> tuple[Schema, ...]:
    """What a file has in each version, from 0 (nothing) to this one."""
    found = [frozenset[tuple[object, ...]]()]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in MIGRATIONS:
            connection.executescript(step)
            found.append(schema_of(connection))
    return tuple(found)


def _quoted(path: str) -> str:
    if path.startswith("//"):
        path = f"/{path.lstrip('/')}"  # what follows two of them would be a host
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
