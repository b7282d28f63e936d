"""The file while it is written: rows go in and are made safe, and that it is taken away is noticed."""

from __future__ import annotations

import logging
import os
import reprlib
import sqlite3
from collections.abc import Sequence
from contextlib import suppress

from firmware_host.store.schema import BUSY_MS
from firmware_host.store.shelf import open_store

Row = tuple[str, Sequence[object]]
"""A statement and its values."""
_SHRINK = "PRAGMA incremental_vacuum(2000)"
"""What was let go of goes back to the disk, at most some megabytes at a time."""
_MERGE = "PRAGMA wal_checkpoint(TRUNCATE)"
_WRONG = (
    TypeError,
    ValueError,
    OverflowError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.Warning,
)
"""What is the fault of a row, and not of the file: it would be so at each attempt."""

log = logging.getLogger(__name__)

Inode = tuple[int, int]


class Removed(Exception):
    """The file is not at its place any more; what is open is written in vain."""


class OpenFile:
    """Owns the connection; it is opened when something is to be written."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._log = ""
        self._inodes: dict[str, Inode | None] = {}

    def open(self) -> sqlite3.Connection:
        """The connection, made if there is none; sqlite3.Error or NewerFile if it can't be."""
        if self._connection is None:
            self._connection = open_store(self.path)
            real = os.path.realpath(self.path)  # SQLite puts beside that what it needs
            self._log = f"{real}-wal"
            self._inodes = {name: _inode(name) for name in (self.path, self._log, f"{real}-shm")}
        return self._connection

    def write(self, rows: Sequence[Row]) -> list[int]:
        """Write all of these or nothing, but for those that can never be written: their places."""
        connection = self.open()
        wrong: dict[int, Exception] = {}
        connection.execute("BEGIN IMMEDIATE")
        try:
            for place, row in enumerate(rows):
                fault = _execute(connection, row)
                if fault is not None:
                    wrong[place] = fault
            connection.execute("COMMIT")
        except Exception:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        for place, fault in wrong.items():
            log.error("a row can't be written and is left out: %r: %s", fault, reprlib.repr(rows[place]))
        return list(wrong)

    def shrink(self) -> None:
        """Give back to the disk what is not needed any more."""
        self.open().executescript(_SHRINK)  # `execute` would take one step of it only

    def make_safe(self, dirty: bool, merge: bool) -> None:
        """Have all that was written survive the end of the power; Removed if it was written in vain."""
        connection = self.open()
        if self.is_removed:
            raise Removed(self.path)
        if _inode(self._log) != self._inodes[self._log]:
            self._begin_log_anew(connection)
        elif dirty and self._inodes[self._log] is not None:
            _sync(self._log)
        if merge:
            _merge(self.open())

    @property
    def is_removed(self) -> bool:
        """Whether another file is at its place now, or none."""
        return self._connection is not None and _inode(self.path) != self._inodes[self.path]

    def close(self) -> None:
        """Let go of it; it may be opened again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except Exception as error:
                log.warning("the store was not closed well: %s", error)

    def leave(self) -> None:
        """Let go of a file that is not at its place: whole, and with nothing of it left there."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                _merge(self._connection)
        self.close()
        for name, inode in self._inodes.items():
            # SQLite would take what stands beside the old file for a part of the new one.
            if name != self.path and inode is not None and _inode(name) == inode:
                os.unlink(name)

    def _begin_log_anew(self, connection: sqlite3.Connection) -> None:
        """The log of SQLite is gone: what stands in it has to come into the file itself."""
        if not _merge(connection):
            raise Removed(self._log)
        log.warning("%s was removed; nothing that stood in it is lost", self._log)
        self.close()


def _execute(connection: sqlite3.Connection, row: Row) -> Exception | None:
    """Write a row; what is wrong with it if it can never be written."""
    try:
        statement, values = row
        try:
            connection.execute(statement, values)
        except UnicodeEncodeError:
            connection.execute(statement, [_as_text(value) for value in values])
    except _WRONG as error:
        if not connection.in_transaction:
            raise  # SQLite has ended it, or there is no connection: that is not the row's fault
        return error
    return None


def _as_text(value: object) -> object:
    """A text as it can be written: in the name of a file there may be bytes that are no text."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def _merge(connection: sqlite3.Connection) -> bool:
    """Bring what stands in the log of SQLite into the file; whether that was possible."""
    # Nobody waits for a reader who is in the way: the next time will do.
    connection.execute("PRAGMA busy_timeout = 0")
    (busy, _, _) = connection.execute(_MERGE).fetchone()
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return not busy


def _inode(path: str) -> Inode | None:
    """Which file is at that place now."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from None
    return status.st_dev, status.st_ino


def _sync(path: str) -> None:
    """Have what was written to the file survive the end of the power."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from None
