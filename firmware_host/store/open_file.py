"""The open file of the store: writes rows, makes them safe, and notices changes by other programs."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from firmware_host.store.raw_file import Overwritten, PageSums, is_damage, log_of, log_path, merged_pages
from firmware_host.store.store_lock import Inode, StoreLock, inode_of, of_system, status_of
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
"""The errors that are due to a row, and not to the file: each attempt would fail."""

log = logging.getLogger(__name__)


class Removed(Exception):
    """The file is not at its path any more, so nobody would find what is written into it."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """Size and time of change of a file; they change with each write."""

    inode: Inode
    size: int
    written_ns: int


class OpenFile:
    """Owns the connection; it is opened when something is to be written.

    The file is locked, so nobody else should write it. If its size or time of change is not the one
    that our last write left, somebody may still have written it (`cp backup.db table.db`), or may only have
    touched it. Then its contents decide.
    """

    def __init__(self, path: str, lock: StoreLock, tell: Tell) -> None:
        self.path = path
        self._file_lock = lock
        self._tell = tell
        self._connection: sqlite3.Connection | None = None
        self._log = ""
        self._sums: PageSums
        self._left: dict[str, Footprint | None] = {}
        """The file and its log after our last write."""

    def open(self) -> sqlite3.Connection:
        """The connection, opened if there is none; see `open_store` for the errors."""
        if self._connection is None:
            self._connection = open_store(self._file_lock, self._tell)
            try:  # what another daemon has left in the log, so that all that is in it from now on is ours
                self._connection.execute(_MERGE).fetchone()
            except BaseException:
                self.close()
                raise
            self._log = log_path(self.path)
            self._left = {}
            self._remember(self.path, self._log)
            with _telling_sqlite():
                self._sums = PageSums(self.path)
        return self._connection

    def look(self) -> None:
        """Raise Removed or Overwritten if that has happened to the file since we wrote it."""
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
        """Write all rows or none; gives the indexes of those that can never be written and were left out."""
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
            what = rows[place][0] if rows[place] else "nothing"  # not its values, which may be names
            log.error("a row can't be written and is left out: %r: %r", fault, what)
        return list(wrong)

    def shrink(self) -> None:
        """Give free pages back to the disk."""
        self.open().executescript(_SHRINK)  # `execute` would do only one step of it
        self._remember(self._log)

    def make_safe(self, dirty: bool, merge: bool) -> None:
        """Make all that was written survive a power cut."""
        self.look()
        connection = self.open()
        if dirty:
            _sync(self._log)
        if merge:
            self._merge(connection)

    def _merge(self, connection: sqlite3.Connection) -> None:
        """Merge the log of SQLite into the file; Overwritten if another program has written meanwhile.

        What the file must be then follows from the log, so it is not taken for ours as it is.
        """
        with _telling_sqlite():
            pages, count = merged_pages(log_of(self.path))
            if _footprint(self._log) != self._left[self._log]:
                raise Overwritten(self._log, log_only=True)
            connection.execute(_MERGE).fetchone()
            if count:
                self._sums.renew(pages, count)
            self._remember(self.path, self._log)
            if not self._sums.still_fit():
                raise Overwritten(self.path, log_only=False)

    @property
    def is_removed(self) -> bool:
        """Whether another file, or none, is at its path now."""
        left = self._left.get(self.path)
        return self._connection is not None and left is not None and inode_of(self.path) != left.inode

    def close(self) -> None:
        """Close the file; it can be opened again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except Exception as error:
                log.warning("the store was not closed well: %s", error)

    def leave(self) -> None:
        """Close a file that is not at its path any more: whole, and without leaving its log there."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.execute(_MERGE).fetchone()
        self._close_and_unlink_log()

    def abandon(self) -> None:
        """Close a file that another program has changed, without writing into it."""
        # SQLite would merge the log when it closes, whatever is in it now. It can't merge an empty one.
        if _footprint(self._log) is not None:
            os.truncate(self._log, 0)
        self._close_and_unlink_log()

    def _close_and_unlink_log(self) -> None:
        left = self._left.get(self._log)
        self.close()
        # SQLite would take the log of the old file for that of the new one.
        if left is not None and inode_of(self._log) == left.inode:
            os.unlink(self._log)

    def _begin_new_log(self, connection: sqlite3.Connection) -> None:
        """The log of SQLite has gone: write what was in it into the file itself."""
        connection.execute(_MERGE).fetchone()
        log.warning("%s was removed; nothing that stood in it is lost", self._log)
        self.close()
        self.open()


def _execute(connection: sqlite3.Connection, row: Row) -> Exception | None:
    """Write a row; gives the error if it can never be written."""
    try:
        statement, values = row
        try:
            connection.execute(statement, values)
        except UnicodeEncodeError:
            connection.execute(statement, [_as_text(value) for value in values])
    except _WRONG as error:
        if is_damage(error) or not connection.in_transaction:
            raise  # SQLite has ended the transaction, or there is no connection: that is not due to the row
        return error
    return None


def _as_text(value: object) -> object:
    """A text that can be written: the name of a file may contain bytes that are not text."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def _inode(footprint: Footprint | None) -> Inode | None:
    return footprint.inode if footprint else None


def _footprint(path: str) -> Footprint | None:
    """Size and time of change of the file that is at that path now."""
    status = status_of(path)
    if status is None:
        return None
    return Footprint((status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns)


def _sync(path: str) -> None:
    """Make what was written to the file survive a power cut."""
    with _telling_sqlite():
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _telling_sqlite() -> Iterator[None]:
    """Raise an error of the system as the corresponding error of SQLite."""
    try:
        yield
    except OSError as error:
        raise of_system(error) from None
