"""The file of the store on its shelf: opened if it is sound, kept aside if it is broken, and locked."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware_host.errors import TableError
from firmware_host.store.schema import connect, migrate

BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""What SQLite calls a file that it can't make sense of; all other errors may pass."""
_COMPANIONS = ("", "-wal", "-shm")


class Taken(TableError):
    """Another daemon uses the file."""


def is_broken(error: Exception) -> bool:
    """Whether the file itself is at fault."""
    name = getattr(error, "sqlite_errorname", "")
    return any(name.startswith(broken) for broken in BROKEN)


def open_store(path: str) -> sqlite3.Connection:
    """The file, made if it is not there, sound and of this version; sqlite3.Error if that can't be."""
    connection = connect(path)
    try:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise damaged(str(verdict))
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def damaged(verdict: str) -> sqlite3.DatabaseError:
    """The error for a file that SQLite opens and that is damaged all the same."""
    error = sqlite3.DatabaseError(verdict.splitlines()[0])
    error.sqlite_errorname = "SQLITE_CORRUPT"
    return error


def keep_aside(path: str, stamp: str) -> str:
    """Move a broken file out of the way, with all that belongs to it; its new name."""
    aside = f"{path}.broken-{stamp}"
    number = 1
    while os.path.exists(aside):
        number += 1
        aside = f"{path}.broken-{stamp}-{number}"
    for companion in _COMPANIONS:
        with suppress(FileNotFoundError):
            os.rename(path + companion, aside + companion)
    return aside


def lock(path: str) -> Callable[[], None]:
    """Claim the file for this process; what lets go of it. Taken if another has it."""
    name = f"{path}.lock"
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise Taken(f"{path}: another ligretto-table runs this table already; stop that one first") from None
    return lambda: os.close(descriptor)
