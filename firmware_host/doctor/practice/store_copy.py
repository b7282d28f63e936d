"""The store for a bundle: a copy of it as it is now, or why there is none."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from firmware_host.doctor.practice.bundle import Part
from firmware_host.doctor.practice.drafts import Draft, LinesDraft
from firmware_host.doctor.redaction import Redactor, Secret
from firmware_host.store.copies import opened_to_read

MOST_BYTES = 64_000_000
"""A store that is bigger is left out: whoever wants it must ask for it."""
_EVENTS = "SELECT DISTINCT event FROM matches"


def store_draft(path: Path, folder: Path) -> Draft:
    """The store, copied into a folder by SQLite's own way, so that one in use is whole; or why it is not."""
    if not path.exists():
        return _no_store("there is no store yet")
    if path.stat().st_size > MOST_BYTES:
        return _no_store(f"the store has {path.stat().st_size / 1e6:.0f} MB, which is too much for a bundle")
    copied = folder / "store.db"
    try:
        with (
            opened_to_read(os.fspath(path)) as source,
            closing(sqlite3.connect(copied)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.execute(_EVENTS)
    except (sqlite3.Error, OSError) as error:
        return _no_store(f"the store can't be read: {error}")
    return StoreDraft(copied)


@dataclass(frozen=True, slots=True)
class StoreDraft:
    """A copy of the store with everything in it."""

    copied: Path

    def teach(self, redactor: Redactor) -> None:
        with closing(sqlite3.connect(self.copied)) as copy:
            for (event,) in copy.execute(_EVENTS):
                redactor.keep(Secret("EVENT", event))
            for table, columns in _tables(copy).items():
                for row in copy.execute(f'SELECT {", ".join(columns)} FROM "{table}"'):
                    redactor.learn(row)

    def part(self, redactor: Redactor) -> Part:
        with closing(sqlite3.connect(self.copied)) as copy:
            copy.create_function("redacted", 1, redactor.data, deterministic=True)
            for table, columns in _tables(copy).items():
                changes = ", ".join(f"{column} = redacted({column})" for column in columns)
                copy.execute(f'UPDATE OR REPLACE "{table}" SET {changes}')
            copy.commit()
            copy.execute("VACUUM")  # or what was replaced would still stand in free pages
        words = "the store: rounds with every input, results, audits"
        return Part("store.db", self.copied.read_bytes(), words)


def _no_store(why: str) -> Draft:
    return LinesDraft("store.txt", [why], "why there is no store")


def _tables(connection: sqlite3.Connection) -> Mapping[str, list[str]]:
    """All tables with their columns of text, quoted."""
    return {table: columns for table in _names(connection) if (columns := _columns(connection, table))}


def _names(connection: sqlite3.Connection) -> Iterator[str]:
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return (name for (name,) in names if not name.startswith("sqlite_"))


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    columns = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
    return [f'"{column[1]}"' for column in columns if "TEXT" in column[2].upper()]
