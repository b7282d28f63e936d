"""The file of the store on its shelf: opened if it is sound, kept aside if it is broken, and locked."""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware_host.errors import TableError
from firmware_host.store.identity import BROKEN, holds_store, makes_no_sense
from firmware_host.store.schema import NewerFile, columns, connect, migrate, right_columns
from hw.ports import Condition, Health

STORE = "store"
"""Its name among the devices."""
_COMPANIONS = ("", "-wal", "-shm")
LOOK_S = 0.2
"""Far longer than a look at the lock takes."""

log = logging.getLogger(__name__)


class Taken(TableError):
    """Another daemon uses the file."""


def is_unusable(error: Exception) -> bool:
    """Whether the file itself is at fault, or of a later program: it can be kept aside, and not be used."""
    name = getattr(error, "sqlite_errorname", "")
    return isinstance(error, NewerFile) or name.startswith(BROKEN)


def open_store(path: str) -> sqlite3.Connection:
    """The file, made if it is not there, sound and of this version; sqlite3.Error if that can't be."""
    was_there = holds_store(path)
    try:
        return _sound(connect(path))
    except sqlite3.OperationalError as error:
        if was_there and makes_no_sense(error):
            raise damaged(str(error)) from None
        raise


def _sound(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise damaged(str(verdict))
        migrate(connection)
        there = columns(connection)
        for table, names in right_columns().items():
            if table not in there:
                raise damaged(f"its table {table} is gone")
            if there[table] != names:
                raise damaged(f"its table {table} has other columns than it should have")
    except BaseException:
        connection.close()
        raise
    return connection


def damaged(verdict: str) -> sqlite3.DatabaseError:
    """The error for a file that SQLite opens and that is damaged all the same."""
    error = sqlite3.DatabaseError(verdict.splitlines()[0])
    error.sqlite_errorname = "SQLITE_CORRUPT"
    return error


def keep_aside(path: str, error: Exception, stamp: str) -> Health:
    """Move a file that can't be used out of the way, with all that belongs to it; what is to be told."""
    newer = isinstance(error, NewerFile)
    when = stamp.replace(":", "-")  # on a memory stick there can be no colon in a name
    usual = aside = f"{path}.{'newer' if newer else 'broken'}-{when}"
    number = 1
    while os.path.exists(aside):
        number += 1
        aside = f"{usual}-{number}"
    for companion in _COMPANIONS:
        with suppress(FileNotFoundError):
            os.rename(path + companion, aside + companion)
    if newer:
        log.error("%s: %s; it is kept as %s, a new file begins", path, error, aside)
        seen = f"the file is of a newer ligretto-table and is kept as {aside}"
        return Health(STORE, Condition.DEGRADED, seen, "install that ligretto-table and move the file back")
    log.error("%s is broken (%s): kept as %s, a new file begins", path, error, aside)
    return Health(STORE, Condition.DEGRADED, f"the file was broken and is kept as {aside}")


def lock(path: str) -> Callable[[], None]:
    """Claim the file for this process; what lets go of it. Taken if another has it."""
    name = f"{path}.lock"
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    descriptor = _open_lock(name)
    try:
        _claim(descriptor)
    except BlockingIOError:
        os.close(descriptor)
        raise Taken(f"{path}: another ligretto-table runs this table already; stop that one first") from None
    except BaseException:
        os.close(descriptor)
        raise
    return lambda: os.close(descriptor)


def is_locked(path: str) -> bool | None:
    """Whether a process has claimed the file; None if this user can't find out."""
    try:
        descriptor = os.open(f"{path}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return False


def _open_lock(name: str) -> int:
    """A descriptor to claim by; whoever may only read it can claim it as well."""
    try:
        return os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        with suppress(OSError):
            return os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        raise


def _claim(descriptor: int) -> None:
    """Whoever only looks whether it is claimed has it for a moment: that is waited for."""
    end_s = time.monotonic() + LOOK_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end_s:
                raise
            time.sleep(LOOK_S / 20)
        else:
            return
