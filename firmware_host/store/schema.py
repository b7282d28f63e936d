"""The tables of the store, and the migration of files of older versions.

The table `sessions` has the recorded sessions. A session lasts from one beginning in ATTRACT to the next: its
head has what the referee began with, its inputs all that came in since, its effects all that was decided.
A replay of the inputs gives the same effects. Matches, rounds and dead heats are for people, and stay
when inputs and effects are not kept any more. Audits count how often each part of the table was used. The
log has every event that an operator may ask about.

Names of players are in the table `players` and nowhere else, so that they can be deleted. `named_seats` has
who sits where now, and `sat` who sat where in which match; both know players by their numbers.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from firmware_host.model.errors import TableError

BUSY_MS = 2000
"""How long to wait for another program that uses the file."""

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
    """
    CREATE TABLE players (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL
    );
    CREATE TABLE named_seats (
        seat INTEGER PRIMARY KEY,
        player INTEGER NOT NULL
    );
    CREATE TABLE sat (
        chapter INTEGER NOT NULL,
        match INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        player INTEGER NOT NULL,
        PRIMARY KEY (chapter, match, seat)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE chapters RENAME TO sessions;
    ALTER TABLE inputs RENAME COLUMN chapter TO session;
    ALTER TABLE effects RENAME COLUMN chapter TO session;
    ALTER TABLE matches RENAME COLUMN chapter TO session;
    ALTER TABLE rounds RENAME COLUMN chapter TO session;
    ALTER TABLE dead_heats RENAME COLUMN chapter TO session;
    ALTER TABLE sat RENAME COLUMN chapter TO session;
    """,
)
"""Each takes a file from the version with its index to the next one. Released ones never change.

Each adds or changes a CREATE statement, if only its comment, so that the statements alone show the version.
So a damaged version number can't be mistaken for that of another program.
"""

VERSION = len(MIGRATIONS)
APPLICATION_ID = 0x4C695461
"""The id of a store; the first stores do not have it."""
_STAMP = f"PRAGMA application_id = {APPLICATION_ID}"
TABLES = frozenset(
    {
        *("sessions", "inputs", "effects", "matches", "rounds", "dead_heats", "audits", "log", "choices"),
        *("players", "named_seats", "sat"),
    }
)

NUMBERED = ("sessions", "matches", "rounds", "log", "players")
"""Those whose rows SQLite numbers, each with the number after the highest so far."""


class NewerFile(TableError):
    """The file was written by a later version of this program. It is neither used nor moved."""


def connect(path: str) -> sqlite3.Connection:
    """A connection that writes, with explicit transactions; sqlite3.Error if that is not possible.

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
        connection.execute("PRAGMA secure_delete = ON")  # a name that is deleted is to be gone from the file
        if connection.execute("PRAGMA page_count").fetchone() == (0,):  # else it is written each time
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # at round ends, when nobody waits for a verdict
    except BaseException:
        connection.close()
        raise
    return connection


def connected(path: str, how: str) -> sqlite3.Connection:
    """A connection as SQLite makes it; it has not changed anything yet."""
    return sqlite3.connect(
        f"file:{_quoted(path)}?{how}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_MS / 1000,
        check_same_thread=False,
    )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to this version; each step is one transaction."""
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
"""The schema in a file: kind, name, table and statement of each table and index, as bytes."""


def schema_of(connection: sqlite3.Connection) -> Schema:
    """The schema of this file, without the tables that SQLite keeps for itself."""
    # As bytes, since in a damaged file they may not be text.
    rows = connection.execute(
        "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB) "
        "FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
    )
    return frozenset(rows.fetchall())


@cache
def schemas() -> tuple[Schema, ...]:
    """The schema of each version, from 0 (empty) to this one."""
    found = [frozenset[tuple[object, ...]]()]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in MIGRATIONS:
            connection.executescript(step)
            found.append(schema_of(connection))
    return tuple(found)


def _quoted(path: str) -> str:
    if path.startswith("//"):
        path = f"/{path.lstrip('/')}"  # after two slashes there would be a host
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
