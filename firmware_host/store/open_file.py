"""The open file of the store: opened if it is sound, kept aside if it is damaged, written, and watched."""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from firmware_host.store.raw_file import (
    COMPANIONS,
    HEADER,
    PAGE,
    Damaged,
    ForeignFile,
    Overwritten,
    copied,
    copy_as_one,
    holds_store,
    is_damage,
    log_of,
    log_path,
    move_aside,
    read_log,
    remove,
    telling_damage,
)
from firmware_host.store.schema import NUMBERED, VERSION, NewerFile, connect, migrate, schema_of, schemas
from firmware_host.store.store_health import STORE
from firmware_host.store.store_lock import Inode, StoreLock, busy, inode_of, of_system, status_of
from firmware_host.store.store_reader import EVERY
from hw.ports import Condition, Health, Tell

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


def open_store(lock: StoreLock, tell: Tell) -> sqlite3.Connection:
    """A connection to the file: locked, sound and of this version. It is made if it does not exist.

    If the end of its log is lost, that is reported, and a copy of the log is kept. Raises StoreTaken,
    ForeignFile, NewerFile or Damaged; any other sqlite3.Error means that it can't be opened now.
    """
    path = lock.path
    try:
        lock.take()
        was_there = holds_store(path)
        lock.shut_out()
        _keep_torn_log(path, tell)
        if lock.crowded:
            _move_out(lock)
    except ForeignFile:
        lock.release()
        raise
    except OSError as error:
        raise sqlite3.OperationalError(f"unable to open database file: {error.strerror}") from None
    if not was_there:
        return _checked(path)
    with telling_damage(_check):
        _check_header(path)
        return _checked(path)


def try_to_open(path: str) -> None:
    """Raise what `open_store` would raise because of the file or of SQLite; only a copy is opened."""
    with telling_damage(_check), closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _check(connection)
        if holds_store(path):
            _check_header(path)
            with copied(path) as copy:
                _check(copy)


def _checked(path: str) -> sqlite3.Connection:
    """A connection to the file, after all checks that do not read each value."""
    connection = connect(path)
    try:
        _check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection) -> None:
    """Check that the pages fit together and the tables are ours, and bring the file to this version."""
    # As a table, since its words may contain a damaged name. No argument: SQLite 3.46 takes it for a table.
    question = "SELECT CAST(quick_check AS BLOB) FROM pragma_quick_check LIMIT 1"
    verdict = connection.execute(question).fetchone()
    if verdict != (b"ok",):
        words = b" ".join(verdict or ()).decode(errors="replace")
        raise Damaged(words.partition("\n")[0] or "its pages don't fit together")
    _check_schema(connection)
    migrate(connection)
    _check_numbers(connection)


def _check_header(path: str) -> None:
    """Check what SQLite does not check, or would take for a file that may not be written."""
    with open(path, "rb") as file:
        header = file.read(HEADER)
    if len(header) < HEADER:  # SQLite would take it for a new file and remove its log
        raise Damaged("its beginning is missing")
    header = read_log(log_of(path)).pages.get(1, header)
    if not {header[18], header[19]} <= {1, 2} or header[21:24] != b"\x40\x20\x20" or any(header[72:92]):
        raise Damaged("its header makes no sense")


def _check_schema(connection: sqlite3.Connection) -> None:
    """Check that some version of this program has made these tables with this version number."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    there = schema_of(connection)
    if 0 <= version <= VERSION:
        known = schemas()
        later = frozenset[object]().union(*known[version + 1 :]) - known[version]
        if known[version] <= there and not later & there and (version or not there):
            return
        raise Damaged(f"its tables are not those of version {version or VERSION}")
    if version < 0 or there in schemas():
        raise Damaged(f"it says that it is of version {version}, and its tables are those of an older one")
    raise NewerFile(
        f"it is of version {version}, and this program knows {VERSION}: install a newer ligretto-table"
    )


def _check_numbers(connection: sqlite3.Connection) -> None:
    """Check that rows can still be added: SQLite has no number after the highest one."""
    tables = " UNION ALL ".join(f"SELECT max(n) FROM {table}" for table in NUMBERED)
    question = f"SELECT seq AS n FROM sqlite_sequence UNION ALL {tables}"
    highest = connection.execute(f"SELECT max(n) FROM ({question}) WHERE typeof(n) = 'integer'").fetchone()[0]
    if (highest or 0) > EVERY:
        raise Damaged(f"its rows are numbered up to {highest}, and no table has so many")


def _keep_torn_log(path: str, tell: Tell) -> None:
    """Keep a copy of a log that SQLite can read only in part, and report that the rest is lost."""
    data = log_of(path)
    if not read_log(data).is_torn:
        return
    torn = log_path(path)
    written = datetime.fromtimestamp(os.stat(torn).st_mtime).isoformat(timespec="seconds")
    aside = Path(f"{torn}.broken-{written.replace(':', '-')}")
    if not aside.exists() or aside.read_bytes() != data:  # the last attempt may have made the copy
        with aside.open("wb") as copy:
            copy.write(data)
            copy.flush()
            os.fsync(copy.fileno())
    seen = f"the end of {torn} is damaged, and what was written there is lost; a copy is kept as {aside}"
    log.error("%s", seen)
    tell(Health(STORE, Condition.DEGRADED, seen))


def _move_out(lock: StoreLock) -> None:
    """Go on with a copy of the file, since a program that reads it keeps us from locking it.

    If the file has several names, only this one would lead to the copy, and a second daemon could use the
    others.
    """
    real = os.path.realpath(lock.path)
    names = os.stat(real).st_nlink
    if names > 1:
        raise busy(
            f"it has {names} names (hard links), and another program that reads it does not let go; "
            "remove the other name, or stop that program"
        )
    descriptor, draft = tempfile.mkstemp(dir=os.path.dirname(real), prefix=f".{os.path.basename(real)}-")
    os.close(descriptor)
    try:
        with telling_damage():
            copy_as_one(real, draft)
        lock.move_to(draft)
    finally:
        remove(draft)
    for ending in COMPANIONS[1:]:
        with suppress(FileNotFoundError):
            os.unlink(real + ending)
    log.warning("%s: another program reads it and does not let go; the table goes on with a copy", lock.path)


def keep_aside(path: str, error: Exception, stamp: str) -> Health:
    """Move a file that can't be used out of the way, with all that belongs to it; gives the report."""
    real = os.path.realpath(path)  # a link stays, and the new file is made where it points
    # File names on a memory stick can't contain a colon.
    aside = move_aside(real, f"{real}.broken-{stamp.replace(':', '-')}")
    if isinstance(error, Overwritten):
        log.error("%s: kept as %s, a new file begins", error, aside)
        seen = "the file was changed by another program"
    else:
        log.error("%s is broken (%s): kept as %s, a new file begins", path, error, aside)
        seen = "the file was broken"
    return Health(STORE, Condition.DEGRADED, f"{seen} and is kept as {aside}")


class Removed(Exception):
    """The file is not at its path any more, so nobody would find what is written into it."""


Footprint = tuple[Inode, int, int]
"""The identity of a file, its size and its time of change: they change with each write."""


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
        if (log_now and log_now[0]) != (log_left and log_left[0]):
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
            merged = read_log(log_of(self.path), is_ours=True)
            if _footprint(self._log) != self._left[self._log]:
                raise Overwritten(self._log, log_only=True)
            connection.execute(_MERGE).fetchone()
            if merged.count:
                self._sums.renew(merged.pages, merged.count)
            self._remember(self.path, self._log)
            if not self._sums.still_fit():
                raise Overwritten(self.path, log_only=False)

    @property
    def is_removed(self) -> bool:
        """Whether another file, or none, is at its path now."""
        left = self._left.get(self.path)
        return self._connection is not None and left is not None and inode_of(self.path) != left[0]

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
        if left is not None and inode_of(self._log) == left[0]:
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


def _footprint(path: str) -> Footprint | None:
    """Size and time of change of the file that is at that path now."""
    status = status_of(path)
    return status and ((status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns)


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


# Checksums of the pages of a store, to find out whether another program has changed it.
#
# Its size and its time of change show that something may have happened. But a program may change only the
# time (`touch`, a restored backup), and then the store is as good as before.


class PageSums:
    """The checksum of each page at the time when it was made or renewed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._sums = _sums_of(path)

    def renew(self, pages: Mapping[int, bytes], count: int) -> None:
        """Renew the sums of pages that we have written (the first is 1); the file has `count`."""
        self._sums = [*self._sums[:count], *[0] * (count - len(self._sums))]
        for number, page in pages.items():
            if number <= count:
                self._sums[number - 1] = zlib.crc32(page)

    def still_fit(self) -> bool:
        """Whether the contents of the file are the same as before."""
        return _sums_of(self._path) == self._sums


def _sums_of(path: str) -> list[int]:
    with open(path, "rb") as file:
        return [zlib.crc32(page) for page in iter(lambda: file.read(PAGE), b"")]
