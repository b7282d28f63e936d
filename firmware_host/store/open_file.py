"""The file while it is written: rows go in and are made safe, and changes by others are noticed."""

from __future__ import annotations

import logging
import os
import reprlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from firmware_host.store.copies import log_of, log_path
from firmware_host.store.damage import Overwritten, is_damage
from firmware_host.store.log_frames import page_numbers
from firmware_host.store.page_sums import PageSums
from firmware_host.store.store_lock import Inode, StoreLock, inode_of
from firmware_host.store.store_opening import open_store
from hw.ports import Tell

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


class Removed(Exception):
    """The file is not at its place any more; what is open is written in vain."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What can be seen of a file from outside; it changes with each write."""

    inode: Inode
    size: int
    written_ns: int


class OpenFile:
    """Owns the connection; it is opened when something is to be written.

    The file is locked, so nobody else has a right to write it. If its size or time of change is not the one
    that our last write left, somebody may have done so all the same (`cp backup.db table.db`), or may only
    have touched it: what the file holds decides.
    """

    def __init__(self, path: str, lock: StoreLock, tell: Tell) -> None:
        self.path = path
        self._lock_on_file = lock
        self._tell = tell
        self._connection: sqlite3.Connection | None = None
        self._log = ""
        self._sums: PageSums
        self._left: dict[str, Footprint | None] = {}
        """How we left the file and its log."""

    def open(self) -> sqlite3.Connection:
        """The connection, made if there is none; for the errors see `open_store`."""
        if self._connection is None:
            self._connection = open_store(self._lock_on_file, self._tell)
            self._log = log_path(self.path)
            self._left = {}
            self._remember(self.path, self._log)
            with _telling_sqlite():
                self._sums = PageSums(self.path)
        return self._connection

    def look(self) -> None:
        """Removed or Overwritten if that has happened to the file since we wrote it."""
        if self._connection is None:
            return
        if self.is_removed:
            raise Removed(self.path)
        self._look_at_file()
        log_now, log_left = _footprint(self._log), self._left[self._log]
        if _inode(log_now) != _inode(log_left):
            self._begin_new_log(self._connection)
        elif log_now != log_left:
            raise Overwritten(self._log, log_only=True)

    def _look_at_file(self) -> None:
        now, left = _footprint(self.path), self._left[self.path]
        if now == left:
            return
        with _telling_sqlite():
            if not self._sums.still_fit():
                raise Overwritten(self.path, log_only=False)
        self._left[self.path] = now
        log.info("the time of %s was changed, and nothing else", self.path)

    def _remember(self, *names: str) -> None:
        self._left |= {name: _footprint(name) for name in names}

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
        self._remember(self._log)
        for place, fault in wrong.items():
            log.error("a row can't be written and is left out: %r: %s", fault, reprlib.repr(rows[place]))
        return list(wrong)

    def shrink(self) -> None:
        """Give back to the disk what is not needed any more."""
        self.open().executescript(_SHRINK)  # `execute` would take one step of it only
        self._remember(self._log)

    def make_safe(self, dirty: bool, merge: bool) -> None:
        """Have all that was written survive the end of the power."""
        self.look()
        connection = self.open()
        if dirty:
            _sync(self._log)
        if merge:
            self._merge(connection)

    def _merge(self, connection: sqlite3.Connection) -> None:
        """Bring what stands in the log of SQLite into the file."""
        with _telling_sqlite():
            pages = page_numbers(log_of(self.path))
            connection.execute(_MERGE).fetchone()
            self._sums.renew(pages)
        self._remember(self.path, self._log)

    @property
    def is_removed(self) -> bool:
        """Whether another file is at its place now, or none."""
        left = self._left.get(self.path)
        return self._connection is not None and left is not None and inode_of(self.path) != left.inode

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
                self._connection.execute(_MERGE).fetchone()
        self._close_and_unlink_log()

    def abandon(self) -> None:
        """Let go of a file that another program has changed, and write nothing more into it."""
        # At its end SQLite would merge the log, whatever that is by now: an empty one it can't.
        if _footprint(self._log) is not None:
            os.truncate(self._log, 0)
        self._close_and_unlink_log()

    def _close_and_unlink_log(self) -> None:
        left = self._left.get(self._log)
        self.close()
        # SQLite would take what stands beside the old file for a part of the new one.
        if left is not None and inode_of(self._log) == left.inode:
            os.unlink(self._log)

    def _begin_new_log(self, connection: sqlite3.Connection) -> None:
        """The log of SQLite is gone: what stands in it has to come into the file itself."""
        self._merge(connection)
        log.warning("%s was removed; nothing that stood in it is lost", self._log)
        self.close()
        self.open()


def _execute(connection: sqlite3.Connection, row: Row) -> Exception | None:
    """Write a row; what is wrong with it if it can never be written."""
    try:
        statement, values = row
        try:
            connection.execute(statement, values)
        except UnicodeEncodeError:
            connection.execute(statement, [_as_text(value) for value in values])
    except _WRONG as error:
        if is_damage(error) or not connection.in_transaction:
            raise  # SQLite has ended it, or there is no connection: that is not the row's fault
        return error
    return None


def _as_text(value: object) -> object:
    """A text as it can be written: in the name of a file there may be bytes that are no text."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def _inode(footprint: Footprint | None) -> Inode | None:
    return footprint.inode if footprint else None


def _footprint(path: str) -> Footprint | None:
    """What can be seen of the file at that place now."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from None
    return Footprint((status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns)


def _sync(path: str) -> None:
    """Have what was written to the file survive the end of the power."""
    with _telling_sqlite():
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _telling_sqlite() -> Iterator[None]:
    """Raise what the system says of the file as the error that SQLite has for it."""
    try:
        yield
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from None
