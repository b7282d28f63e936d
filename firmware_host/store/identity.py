"""Whether a file is a store, sound or damaged, or a file of another program, which is left alone.

The name of a file proves nothing: a mistake in the configuration may name any file. So before a file is
written to, or moved because it can't be read, it is examined, without changing it.

A database is a store if it has the id or most of the tables of one; any other is foreign. A file that
SQLite can't read was a store only if something in it proves that: the id at its place, a CREATE statement
of ours on the first page, or something that only our journal has, on a later page or in the log of SQLite.
Of a file that is shorter than a header only the beginning can be checked.
"""

from __future__ import annotations

import errno
import os
import pwd
import re
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from firmware_host.model.errors import TableError
from firmware_host.model.plain_text import KINDS
from firmware_host.store.raw_file import (
    PAGE,
    Damaged,
    copied,
    is_damage,
    log_of,
    log_path,
    read_frames,
    telling_damage,
)
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


ANOTHER = "name another one in [store] file"
_FULL = ("disk is full", "No space left")
_FAILS = ("disk I/O error", os.strerror(errno.EIO))
_COMPANIONS = ("", "-wal", "-shm")


def to_write(path: str, trouble: object = "") -> str:
    """How this user can write a store that could not be opened, made or written."""
    words = str(trouble)
    if any(word in words for word in _FULL):
        return "free some space"
    if any(word in words for word in _FAILS):
        return f"check the disk: the card may be worn out; or {ANOTHER}"
    if os.strerror(errno.ELOOP) in words:
        return f"remove the link {path}, which leads to itself"
    name = getattr(trouble, "sqlite_errorname", "")
    if isinstance(trouble, sqlite3.NotSupportedError) or name == "SQLITE_ERROR":
        return f"the disk is not the cause: please report it, with SQLite's version, {sqlite3.sqlite_version}"
    if os.path.isdir(path):
        return f"it is a folder: name a file in [store] file, such as {os.path.join(path, 'table.db')}"
    there = _nearest(Path(path).parent)
    if not there.is_dir():
        return f"{there} is no folder: {ANOTHER}"
    for each in (str(there), *(f"{path}{ending}" for ending in _COMPANIONS)):
        rights = os.W_OK | (os.X_OK if os.path.isdir(each) else 0)
        if os.path.exists(each) and not os.access(each, rights, effective_ids=True):
            return _advice_on(each)
    return f"check the disk and its permissions, or {ANOTHER}"


def to_read(path: str, error: Exception) -> str:
    """How this user can read a store that could not be read."""
    if os.path.isdir(path):
        return f"it is a folder: the store is a file in it, such as {os.path.join(path, 'table.db')}"
    kind = getattr(error, "sqlite_errorname", "")
    if kind == "SQLITE_NOTADB":
        return "it is no store: --store is for the store itself, and --config for a table.toml"
    if not os.access(path, os.R_OK, effective_ids=True):
        if _is_own(path):
            return f"nobody may read it, not even its owner: chmod u+r {path}"
        return f"it belongs to {_owner(path)}: sudo -u {_owner(path)} ligretto-table ..."
    if is_damage(error) or kind == "SQLITE_ERROR":  # damage may have changed a name
        return "the daemon keeps it aside when it starts: sudo systemctl restart ligretto-table"
    return "try again; if it stays so, check the disk"


def _advice_on(path: str) -> str:
    """The advice about a file or folder that this user may not write to."""
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return f"the disk under {path} can only be read: {ANOTHER}"
    owner, user = _owner(path), _user(os.geteuid())
    if _is_own(path):
        closed = os.geteuid() != 0 and not os.stat(path).st_mode & stat.S_IWUSR
        hint = f"chmod u+w {path}" if closed else f"see its attributes (lsattr -d {path})"
        return f"not even {user} may write to {path}: {hint}, or {ANOTHER}"
    as_owner = f"run it as its owner (sudo -u {owner} ligretto-table ...), or "
    return f"{path} belongs to {owner}, and this is {user}: {'' if owner == 'root' else as_owner}{ANOTHER}"


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest thing above it that exists."""
    return next((each for each in (folder, *folder.parents) if os.path.exists(each)), Path("/"))


def _is_own(path: str) -> bool:
    """Whether it belongs to this user, or this user is root: no other user could do more with it."""
    return os.geteuid() in (0, os.stat(path).st_uid)


def _owner(path: str) -> str:
    return _user(os.stat(path).st_uid)


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
