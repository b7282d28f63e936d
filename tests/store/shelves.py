"""Stores to be written to and looked at, and the rows of a log in them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.store import open_file
from firmware_host.store.open_file import Row
from firmware_host.store.raw_file import opened_to_read
from firmware_host.store.store_lock import StoreLock
from firmware_host.store.writer import Writer
from hw.ports import Condition, Health

SOON_S = 20.0
"""Longer than anything here takes on a busy machine."""
NOBODY = 65534


def now_text() -> str:
    return "2026-11-18T20:00:00"


def event(text: object) -> Row:
    """A row for the log."""
    return ("INSERT INTO log (at, kind, text) VALUES (?, ?, ?)", (now_text(), "test", str(text)))


def events(first: int, count: int) -> list[Row]:
    """Rows with the numbers from the first on."""
    return [event(number) for number in range(first, first + count)]


def logged(path: Path | str) -> list[str]:
    """What stands in the log, in its order, as somebody else reads it."""
    with opened_to_read(str(path)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM log ORDER BY n")]


def lock(path: str) -> Callable[[], None]:
    """Claim a store as a daemon does; what lets go of it."""
    lock = StoreLock(path)
    lock.take()
    return lock.release


def open_store(path: str) -> sqlite3.Connection:
    """A store as the daemon opens it; nobody else does at the same time."""
    lock = StoreLock(path)
    try:
        return open_file.open_store(lock, print)
    finally:
        lock.release()


def numbers(first: int, count: int) -> list[str]:
    return [str(number) for number in range(first, first + count)]


@contextmanager
def writing(path: Path | str) -> Iterator[tuple[Writer, list[Health]]]:
    """A writer at work, and what it tells of itself."""
    told: list[Health] = []
    writer = Writer(str(path), told.append, now_text, each_commit_safe=False)
    try:
        yield writer, told
    finally:
        writer.close()


def wait_for(happened: Callable[[], bool]) -> None:
    """Wait for another thread, as long as that may take."""
    end = time.monotonic() + SOON_S
    while not happened():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.005)


def settled(writer: Writer) -> None:
    """Wait until all that was put is written, though it may fail a few times first."""
    wait_for(lambda: writer.settle(0.1))


def secured(writer: Writer) -> None:
    """Wait until all is safe, whatever has to be done for that."""
    writer.secure()
    settled(writer)
    wait_for(lambda: not writer._dirty and not writer._safe_wanted)


def conditions(told: list[Health]) -> list[Condition]:
    return [health.condition for health in told]


def set_aside(path: Path) -> list[Path]:
    """The broken files beside a store."""
    return sorted(each for each in path.parent.glob(f"{path.name}.broken-*") if "-wal" not in each.name)


WRITES = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = DELETE")
connection.execute("BEGIN EXCLUSIVE")
"""


@contextmanager
def another_program(script: str, path: Path) -> Iterator[None]:
    """It does something with the store, and goes on having it open."""
    program = [sys.executable, "-c", f"{script}\nprint(flush=True); input()", str(path)]
    process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"\n"
    try:
        yield
    finally:
        process.communicate(b"\n")


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody can enter."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """Nothing in that folder may be written to. Root may all the same, so for a moment it is nobody."""
    if os.geteuid() == 0:
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)
        return
    paths = [folder, *folder.iterdir()]
    modes = [path.stat().st_mode for path in paths]
    for path in paths:
        path.chmod(path.stat().st_mode & 0o555)
    try:
        yield
    finally:
        for path, mode in zip(paths, modes, strict=True):
            path.chmod(mode)


def execute(path: Path, script: str) -> None:
    """Change a store behind everybody's back."""
    connection = sqlite3.connect(path)
    try:
        connection.executescript(script)
    finally:
        connection.close()


def error_named(name: str, words: str = "of SQLite") -> sqlite3.Error:
    """An error as SQLite raises it."""
    error = sqlite3.OperationalError(words)
    error.sqlite_errorname = name
    return error
