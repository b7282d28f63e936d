"""Whether a file is a store, sound or damaged, or a file of another program, which is left alone.

The name of a file proves nothing: a mistake in the configuration may name any file. So before a file is
written to, or moved because it can't be read, it is examined, without changing it.

A database is a store if it has the id or most of the tables of one; any other is foreign. A file that
SQLite can't read was a store only if something in it proves that: the id at its place, a CREATE statement
of ours on the first page, or something that only our journal has, on a later page or in the log of SQLite.
Of a file that is shorter than a header only the beginning can be checked.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass

from firmware_host.errors import TableError
from firmware_host.file_kinds import KINDS
from firmware_host.store.copies import copied, log_of, log_path
from firmware_host.store.damage import Damaged, telling_damage
from firmware_host.store.log_frames import read_frames
from firmware_host.store.page_sums import PAGE
from firmware_host.store.schema import APPLICATION_ID, MIGRATIONS, TABLES, connected

MAGIC = b"SQLite format 3\0"
"""The first bytes of a database."""
HEADER = 100
_LEAST = 2
"""Fewer bytes prove nothing, and SQLite takes a file of one byte for an empty one."""
_ID = slice(68, 72)
_LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_LOG_HEADER, _FRAME_HEADER = 32, 24
_TREES = frozenset({2, 5, 10, 13})
"""The first bytes of pages of tables and indexes."""
_STATEMENTS = tuple(
    found.encode() for step in MIGRATIONS for found in re.findall(r"CREATE TABLE \w+ \(\n +\w+ ", step)
)
_JOURNAL = (b'{"is":"PhaseEntered"', b'"stamp_uncertainty_ns": ')
"""Texts that are in the effects of each session, and in its head."""


class ForeignFile(TableError, sqlite3.DatabaseError):
    """The file belongs to another program: it is neither used nor moved."""


@dataclass(frozen=True, slots=True)
class Inside:
    """What a database says of itself."""

    id: int
    version: int
    tables: frozenset[str]

    @property
    def is_store(self) -> bool:
        """Whether the database is a store of any version, or was one."""
        return self.id == APPLICATION_ID or len(self.tables & TABLES) > len(TABLES) // 2

    @property
    def is_foreign(self) -> bool:
        """Whether the database belongs to another program; an empty one does not."""
        return not self.is_store and bool(self.id or self.version or self.tables)


def inside(connection: sqlite3.Connection) -> Inside:
    """What a database says of itself."""
    (id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    rows = connection.execute("SELECT CAST(name AS BLOB) FROM sqlite_master WHERE type = 'table'").fetchall()
    names = (bytes(name or b"").decode(errors="replace") for (name,) in rows)
    return Inside(id, version, frozenset(name for name in names if not name.startswith("sqlite_")))


def holds_store(path: str) -> bool:
    """Whether there is a store at that path, sound or damaged; ForeignFile if something else is there."""
    log = log_path(path)
    if not _is_filled(path):
        return _is_filled(log) and _was_log(log)
    try:
        found = _look(path, log)
    except Damaged:
        if not _was_store(path) and not (_is_filled(log) and _was_log(log)):
            raise ForeignFile("it is not a store of ligretto-table") from None
        return True
    if found.is_foreign:
        raise ForeignFile("it belongs to another program")
    return found.is_store


def _is_filled(path: str) -> bool:
    """Whether there is a file that is not empty."""
    try:
        status = os.stat(path)
    except OSError:
        return False  # SQLite will make it, or say why it can't
    if stat.S_ISDIR(status.st_mode):
        return False  # so it is with a folder
    if not stat.S_ISREG(status.st_mode):
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise ForeignFile(f"it is not a file, but {kind}")
    return status.st_size > 0


def _look(path: str, log: str) -> Inside:
    """What a database says of itself; Damaged if SQLite can't make sense of it."""
    if os.path.getsize(path) < _LEAST:
        raise Damaged("its beginning is missing")
    with telling_damage(inside):
        if _is_filled(log) and read_frames(log_of(path)).first_page:
            # The log counts, not the first page of the file itself: that may be old, or torn by a power cut.
            with copied(path) as connection:
                return inside(connection)
        # Reading the file without its log can't change anything.
        with closing(connected(path, "mode=ro&immutable=1")) as connection:
            return inside(connection)


def _was_store(path: str) -> bool:
    """Whether a file that is not a sound database was a store once."""
    with open(path, "rb") as file:
        first = file.read(PAGE)
        if len(first) < HEADER:
            return len(first) >= _LEAST and first.startswith(MAGIC[: len(first)])
        if first[_ID] == APPLICATION_ID.to_bytes(4, "big"):
            return True
        if b"\0" in first and any(statement in first for statement in _STATEMENTS):
            return True
        return any(_is_ours(page) for page in iter(lambda: file.read(PAGE), b""))


def _was_log(path: str) -> bool:
    """Whether the log of SQLite is that of a store."""
    with open(path, "rb") as file:
        if not file.read(_LOG_HEADER).startswith(_LOG_MAGIC):
            return False
        frames = iter(lambda: file.read(_FRAME_HEADER + PAGE), b"")
        return any(_is_ours(frame[_FRAME_HEADER:]) or b"CREATE TABLE chapters" in frame for frame in frames)


def _is_ours(page: bytes) -> bool:
    """Whether a page is one of SQLite, and has something that only our journal has."""
    return page[:1] != b"" and page[0] in _TREES and any(sign in page for sign in _JOURNAL)
