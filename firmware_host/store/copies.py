"""Reading a store without changing it, and without leaving anything beside it.

While the daemon writes a store nobody else can open it with SQLite. A reader copies the file and then its
log, and takes no lock, so nobody has to wait for it. The file itself only changes when the log is merged into
it. If that happens during the copy, or the log is restarted, the copy may be from two moments and is made
again. The log may grow meanwhile: what is appended to it after the copy is not in the copy.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from firmware_host.store.schema import connect, connected

IN_MEMORY = Path("/dev/shm")
ATTEMPTS = 20
"""How often a copy is tried; the daemon merges its log every few seconds at most."""
PAUSE_S = 0.02
FRESH_NS = 20_000_000
"""The time of change that the kernel gives a file moves in steps of at most this."""
_LOG_HEADER = 32


@contextmanager
def opened_to_read(path: str) -> Iterator[sqlite3.Connection]:
    """A connection to the store, or to a copy if the store is in use or was not closed."""
    if os.path.exists(log_path(path)):
        with copied(path) as connection:
            yield connection
    else:
        with closing(connected(path, "mode=ro&immutable=1")) as connection:
            yield connection


@contextmanager
def copied(path: str) -> Iterator[sqlite3.Connection]:
    """The path of a copy of the store and its log, which is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="ligretto-table-", dir=_roomy_folder(path)) as beside:
        copy = os.path.join(beside, "table.db")
        copy_whole(path, copy)
        with closing(connect(copy)) as connection:
            yield connection


def copy_whole(path: str, copy: str) -> None:
    """Copy the store and its log as they are at one moment, while the daemon may go on writing."""
    try:
        for _ in range(ATTEMPTS):
            before = _state(path)
            _copy_both(path, copy)
            if _state(path) == before:
                return
            time.sleep(PAUSE_S)
    except OSError as error:
        raise sqlite3.OperationalError(f"it can't be copied: {error.strerror}") from None
    raise sqlite3.OperationalError("it changes faster than it can be copied")


def _copy_both(path: str, copy: str) -> None:
    """Copy the file first: what is merged into it meanwhile is also in the log."""
    shutil.copyfile(path, copy)
    with suppress(FileNotFoundError):
        os.unlink(f"{copy}-wal")
    with suppress(FileNotFoundError):
        shutil.copyfile(log_path(path), f"{copy}-wal")


def _state(path: str) -> tuple[object, ...]:
    """A value that differs if the file has changed, or its log was restarted."""
    status = os.stat(path)
    if abs(time.time_ns() - status.st_mtime_ns) < FRESH_NS:
        return (object(),)  # another change may get the same time
    try:
        with open(log_path(path), "rb") as log:
            beginning = log.read(_LOG_HEADER)
    except FileNotFoundError:
        beginning = b""
    return status.st_ino, status.st_size, status.st_mtime_ns, beginning


def log_of(path: str) -> bytes:
    """The bytes of the log beside the store."""
    try:
        return Path(log_path(path)).read_bytes()
    except FileNotFoundError:
        return b""


def log_path(path: str) -> str:
    """The path of the log of a store."""
    return f"{os.path.realpath(path)}-wal"  # SQLite puts it beside the file itself


def _roomy_folder(path: str) -> Path | None:
    """A folder in memory if there is room for the copy; else that of temporary files."""
    needed = sum(os.path.getsize(each) for each in (path, log_path(path)) if os.path.exists(each))
    if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > 2 * needed:
        return IN_MEMORY
    return None
