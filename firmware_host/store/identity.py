"""Whose a file is: a store, sound or damaged, or something of somebody else's that is left alone.

The name of a file proves nothing: a slip in the configuration may name anything. So before a file is
written to, or moved because it can't be read, it is looked at, and that changes nothing.

A database is a store if it has the id or most of the tables of one; any other is somebody else's. What is
no database is a text that somebody wrote, or what damage has left of a store: a store that was cut off, or
that had bytes overwritten, has control characters among the first ones, and a text has none.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass

from firmware_host.errors import TableError
from firmware_host.store.schema import APPLICATION_ID, TABLES, connected

MAGIC = b"SQLite format 3\0"
"""What a database begins with."""
START = 1024
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b") | {127}
BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""What SQLite calls a file that it can't make sense of; all other errors may pass."""
_NO_SENSE = "SQLITE_ERROR"
"""What SQLite says if what is written there makes no sense: a table that is missing, an unknown format."""


class ForeignFile(TableError, sqlite3.DatabaseError):
    """The file is somebody else's: it is neither used nor moved."""


@dataclass(frozen=True, slots=True)
class Inside:
    """What a database says of itself."""

    id: int
    tables: frozenset[str]

    @property
    def is_store(self) -> bool:
        """Whether it is a store of any version, or was one."""
        return self.id == APPLICATION_ID or len(self.tables & TABLES) > len(TABLES) // 2

    @property
    def is_foreign(self) -> bool:
        """Whether it is somebody else's; where there is nothing yet it is nobody's."""
        return not self.is_store and bool(self.id or self.tables)


def inside(connection: sqlite3.Connection) -> Inside:
    """What a database says of itself."""
    (id,) = connection.execute("PRAGMA application_id").fetchone()
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return Inside(id, frozenset(name for (name,) in names if not name.startswith("sqlite_")))


def holds_store(path: str) -> bool:
    """Whether there is a store at that place, be it damaged; ForeignFile if something else is there."""
    if not _is_filled(path):
        return False
    # What stands in the file alone mostly tells, and reading only that can't change anything.
    found = _look(path, "mode=ro&immutable=1")
    if (found is None or not found.tables) and _is_filled(f"{os.path.realpath(path)}-wal"):
        found = _look(path, "mode=ro")
    if found is None:
        return _was_store(path)
    if found.is_foreign:
        raise ForeignFile("it belongs to another program")
    return found.is_store


def makes_no_sense(error: sqlite3.Error) -> bool:
    """Whether it is what is written that SQLite complains about, and not the disk or the moment."""
    return getattr(error, "sqlite_errorname", "") == _NO_SENSE


def _is_filled(path: str) -> bool:
    """Whether there is a file with something in it."""
    try:
        status = os.stat(path)
    except OSError:
        return False  # SQLite makes it, or says why it can't
    if stat.S_ISDIR(status.st_mode):
        return False  # so it is with a folder
    if not stat.S_ISREG(status.st_mode):
        raise ForeignFile("it is no file, but a device or a pipe")
    return status.st_size > 0


def _look(path: str, how: str) -> Inside | None:
    """What it says of itself; None if SQLite can't make sense of it."""
    try:
        with closing(connected(path, how)) as connection:
            return inside(connection)
    except sqlite3.DatabaseError as error:
        if makes_no_sense(error) or getattr(error, "sqlite_errorname", "").startswith(BROKEN):
            return None
        raise


def _was_store(path: str) -> bool:
    """Whether that which is no sound database was a store once."""
    with open(path, "rb") as file:
        start = file.read(START)
    if not MAGIC.startswith(start[: len(MAGIC)]) and not _CONTROLS.intersection(start):
        raise ForeignFile("it is a text that somebody wrote")
    return True
