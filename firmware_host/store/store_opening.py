"""Opening the file of the store if it is sound, and keeping it aside if it is damaged."""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
import threading
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from firmware_host.model.errors import TableError
from firmware_host.store.identity import HEADER, ForeignFile, holds_store, to_write
from firmware_host.store.raw_file import (
    Damaged,
    Overwritten,
    copied,
    copy_whole,
    log_of,
    log_path,
    read_frames,
    telling_damage,
)
from firmware_host.store.schema import NUMBERED, VERSION, NewerFile, connect, migrate, schema_of, schemas
from firmware_host.store.session_logs import EVERY
from firmware_host.store.store_lock import StoreLock, StoreTaken, busy
from hw.ports import Condition, Health, Tell

STORE = "store"
"""The name of the store among the devices."""
_COMPANIONS = ("", "-wal", "-shm")

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
    header = read_frames(log_of(path)).first_page or header
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
    if not read_frames(data).is_torn:
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
        copy_whole(real, draft)
        with telling_damage(), closing(connect(draft)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        lock.move_to(draft)
    finally:
        for companion in _COMPANIONS:
            with suppress(FileNotFoundError):
                os.unlink(draft + companion)
    for companion in _COMPANIONS[1:]:
        with suppress(FileNotFoundError):
            os.unlink(real + companion)
    log.warning("%s: another program reads it and does not let go; the table goes on with a copy", lock.path)


def keep_aside(path: str, error: Exception, stamp: str) -> Health:
    """Move a file that can't be used out of the way, with all that belongs to it; gives the report."""
    real = os.path.realpath(path)  # a link stays, and the new file is made where it points
    when = stamp.replace(":", "-")  # file names on a memory stick can't contain a colon
    usual = aside = f"{real}.broken-{when}"
    number = 1
    while os.path.exists(aside):
        number += 1
        aside = f"{usual}-{number}"
    for companion in _COMPANIONS:
        with suppress(FileNotFoundError):
            os.rename(real + companion, aside + companion)
    if isinstance(error, Overwritten):
        log.error("%s: kept as %s, a new file begins", error, aside)
        seen = "the file was changed by another program"
    else:
        log.error("%s is broken (%s): kept as %s, a new file begins", path, error, aside)
        seen = "the file was broken"
    return Health(STORE, Condition.DEGRADED, f"{seen} and is kept as {aside}")


REMOVED = Health(STORE, Condition.DEGRADED, "the file was removed; a new one begins")
TO_NAME_ANOTHER = "name another file in [store]"


def refusal(path: str, error: Exception) -> tuple[str, str]:
    """Why a store can't be used because of this error, and what to do."""
    if isinstance(error, ForeignFile):
        return f"{path}: {error}", TO_NAME_ANOTHER
    if isinstance(error, NewerFile):
        return f"{path}: {error}", f"or {TO_NAME_ANOTHER}"
    if isinstance(error, StoreTaken):
        return str(error), ""
    words = error.strerror if isinstance(error, OSError) else error
    return f"{path} can't be written: {words}", to_write(path, error)


class StoreHealth:
    """Reports the condition of the store, from any thread, in the right order."""

    def __init__(self, tell: Tell, standing: Health | None = None) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._standing = standing
        self._lost: Health | None = None

    def failed(self, path: str, error: Exception) -> None:
        """The store can't be written because of an error."""
        if isinstance(error, sqlite3.Error | OSError | TableError):
            self.lost(*refusal(path, error))
        elif self.lost(f"internal error: {error!r}", "please report it"):
            log.error("the store can't be written", exc_info=error)

    def hangs(self, path: str) -> None:
        """The disk does not answer."""
        self.lost(
            f"{path} can't be written: the disk does not answer", "check the disk; the card may be worn out"
        )

    def lost(self, seen: str, advice: str) -> bool:
        """The store can't be written; True if that is new."""
        with self._lock:
            news = self._lost is None
            if news:
                self._lost = Health(STORE, Condition.LOST, seen, advice)
                self._say(self._lost)
            return news

    def degraded(self, health: Health) -> None:
        """Something happened to the file that people should know. It is reported until the next start."""
        with self._lock:
            self._standing, self._lost = health, None
            self._say(health)

    def written(self) -> None:
        """The store was written."""
        with self._lock:
            if self._lost is not None:
                self._lost = None
                self._say(self._standing or Health(STORE, Condition.OK, "it is written again"))

    def retell(self) -> None:
        """Report the present condition again, unless it is ok."""
        with self._lock:
            health = self._lost or self._standing
            if health is not None:
                self._say(health)

    def _say(self, health: Health) -> None:
        try:
            self._tell(health)
        except Exception:  # the store must still be written if the report fails
            log.exception("%s", health.seen)
