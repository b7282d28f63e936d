"""Reading a store wherever it lies: nothing of it is changed, and nothing is left beside it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from firmware_host.store.schema import LeftOpen, connect

IN_MEMORY = Path("/dev/shm")


@contextmanager
def opened_to_read(path: str) -> Iterator[sqlite3.Connection]:
    """The store; if it was left open and can't be read without being put in order, a copy of it."""
    try:
        connection = connect(path, read_only=True)
    except LeftOpen:
        with copied(path) as connection:
            yield connection
    else:
        with closing(connection):
            yield connection


@contextmanager
def copied(path: str) -> Iterator[sqlite3.Connection]:
    """A copy of the store and of its log, which is gone afterwards."""
    folder = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="ligretto-table-", dir=folder) as beside:
        copy = Path(beside) / "table.db"
        shutil.copyfile(path, copy)
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{Path(path).resolve()}-wal", f"{copy}-wal")
        with closing(connect(str(copy))) as connection:
            yield connection
