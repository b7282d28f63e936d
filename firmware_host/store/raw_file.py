"""The file of a store without SQLite: what it is, a copy of it, what its log has, and whether it is damaged.

The name of a file proves nothing: a mistake in the configuration may name any file. So before a file is
written to, or moved because it can't be read, it is examined, without changing it.

A database is a store if it has the id or most of the tables of one; any other is foreign. A file that
SQLite can't read was a store only if something in it proves that: the id at its place, a CREATE statement
of ours on the first page, or something that only our journal has, on a later page or in the log of SQLite.
Of a file that is shorter than a header only the beginning can be checked.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import sqlite3
import stat
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.model.errors import TableError
from firmware_host.model.plain_text import KINDS, in_a_line
from firmware_host.store.schema import APPLICATION_ID, MIGRATIONS, TABLES, connect, connected, migrate

COMPANIONS = ("", "-wal", "-shm")
"""The endings of the names of a file and of what SQLite puts beside it."""
MAGIC = b"SQLite format 3\0"
"""The first bytes of a database."""
PAGE, HEADER = 4096, 100
_LEAST = 2
"""Fewer bytes prove nothing, and SQLite takes a file of one byte for an empty one."""
_ID = slice(68, 72)
_TREES = frozenset({2, 5, 10, 13})
"""The first bytes of pages of tables and indexes."""
_STATEMENTS = tuple(
    found.encode() for step in MIGRATIONS for found in re.findall(r"CREATE TABLE \w+ \(\n +\w+ ", step)
)
_JOURNAL = (b'{"is":"PhaseEntered"', b'"stamp_uncertainty_ns": ')
"""Texts that are in the effects of each session, and in its head."""
_OUR_COMMENT = b"-- the order of the chapters;"
"""A comment in the statement of the table of sessions, whatever its name was."""


# Whether errors of SQLite and of decoding mean that a file is damaged, or only that it can't be used now.
#
# That is decided here, and `open_file` acts on it:
#
# - `Damaged`: the contents make no sense. If it was a store once it is kept aside.
# - `ForeignFile` and `NewerFile` (in `schema`): it belongs to another program, or to a later
#   version of this one. It is not changed.
# - any other `sqlite3.Error`: the disk is full or fails, another program uses the file, this user may
#   not write it, or this version of SQLite refuses a statement. That may pass, so it is tried again.


_NO_SENSE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_IOERR_SHORT_READ")
"""SQLite's errors for a damaged file, whatever the statement was."""
_UNEXPECTED = ("SQLITE_ERROR", "SQLITE_TOOBIG", "SQLITE_MISMATCH", "SQLITE_CONSTRAINT")
"""Its errors if a correct statement finds other tables or values than there must be."""
Question = Callable[[sqlite3.Connection], object]
"""Asks something of a store."""


class Damaged(sqlite3.DatabaseError):
    """The contents of the file make no sense."""

    sqlite_errorname = "SQLITE_CORRUPT"


class Overwritten(Damaged):
    """Another program has changed the file or its log while it was open here."""

    def __init__(self, name: str, log_only: bool) -> None:
        super().__init__(f"{name} was changed by another program")
        self.log_only = log_only
        """Whether the file itself has not changed since the log was merged last."""


def is_damage(error: Exception) -> bool:
    """Whether an error means that the file is damaged, whatever the statement was."""
    name = getattr(error, "sqlite_errorname", "")
    # A message of SQLite may contain a damaged name, which Python can't decode.
    return isinstance(error, Damaged | UnicodeDecodeError) or name.startswith(_NO_SENSE)


@contextmanager
def telling_damage(question: Question | None = None) -> Iterator[None]:
    """Raise Damaged if the file is damaged; for statements that work with every sound file.

    An error of SQLite may also be due to its version. So the same question is then put to a new store.
    """
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        unexpected = getattr(error, "sqlite_errorname", "").startswith(_UNEXPECTED)
        if not is_damage(error) and not unexpected:
            raise
        if unexpected and question is not None:
            _ask_new_store(question)
        raise Damaged(_words(error)) from None


def _ask_new_store(question: Question) -> None:
    """Raise NotSupportedError if this version of SQLite can't answer a question, whatever the file is."""
    try:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            migrate(connection)
            question(connection)
    except sqlite3.Error as error:
        words = f"SQLite {sqlite3.sqlite_version} can't do what a store needs: {error}"
        raise sqlite3.NotSupportedError(words) from None


def _words(error: Exception) -> str:
    """The error in one line that is safe for a terminal."""
    if isinstance(error, UnicodeDecodeError):
        return "names in it are no text"
    line = next(iter(str(error).splitlines()), "") or getattr(error, "sqlite_errorname", "")
    return in_a_line(line)


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
        if _is_filled(log) and 1 in read_log(log_of(path)).pages:
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
        if not file.read(LOG_HEADER).startswith(LOG_MAGIC):
            return False
        frames = iter(lambda: file.read(FRAME_HEADER + PAGE), b"")
        return any(_is_ours(frame[FRAME_HEADER:]) or _OUR_COMMENT in frame for frame in frames)


def _is_ours(page: bytes) -> bool:
    """Whether a page is one of SQLite, and has something that only our journal has."""
    return page[:1] != b"" and page[0] in _TREES and any(sign in page for sign in _JOURNAL)


def is_own(path: str) -> bool:
    """Whether it belongs to this user, or this user is root: no other user could do more with it."""
    return os.geteuid() in (0, os.stat(path).st_uid)


def owner_of(path: str) -> str:
    """The name of the user to whom it belongs."""
    return user_name(os.stat(path).st_uid)


def user_name(number: int) -> str:
    """The name of a user, or the number if it has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


# A copy of a store, for readers and backups.
#
# While the daemon writes a store nobody else can open it with SQLite. A reader copies the file and then its
# log, and takes no lock, so nobody has to wait for it. The file itself only changes when the log is merged
# into it. If that happens during the copy, or the log is restarted, the copy may be from two moments and is
# made again. The log may grow meanwhile: what is appended to it after the copy is not in the copy.


IN_MEMORY = Path("/dev/shm")
ATTEMPTS = 20
"""How often a copy is tried; the daemon merges its log every few seconds at most."""
PAUSE_S = 0.02
FRESH_NS = 20_000_000
"""The time of change that the kernel gives a file moves in steps of at most this."""


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


def copy_as_one(path: str, copy: str) -> None:
    """Copy the store and its log into one file; see `copy_whole`."""
    copy_whole(path, copy)
    with closing(connect(copy)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")


def move_aside(path: str, name: str) -> str:
    """Move a file and what is beside it to this name, or the next that is free; gives the name."""
    aside, number = name, 1
    while os.path.exists(aside):
        number += 1
        aside = f"{name}-{number}"
    for ending in COMPANIONS:
        with suppress(FileNotFoundError):
            os.rename(path + ending, aside + ending)
    return aside


def remove(path: str) -> None:
    """Remove a file and what is beside it, as far as there is any."""
    for ending in COMPANIONS:
        with suppress(FileNotFoundError):
            os.unlink(path + ending)


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
            beginning = log.read(LOG_HEADER)
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


# What SQLite reads of a write-ahead log: which pages count, and whether a part of the log is lost.
#
# SQLite reads such a log up to the first frame that is not valid, and silently ignores the rest. A
# frame is valid if it has the salts of the header and its checksum fits, which also covers all frames before
# it. Frames count up to the last one that ends a transaction.
#
# After a crash the last frames may be torn. That is normal, since they were not safe yet. But if the end of a
# whole transaction follows a frame that is not valid, or if the header is not valid, then something was
# written into the log or cut from it, and SQLite loses what it does not read.
# (The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log)


LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""The second one means that checksums use big-endian words."""
LOG_HEADER, FRAME_HEADER = 32, 24
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_WORD = 0xFFFFFFFF

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LogPages:
    """What SQLite reads of a log."""

    pages: dict[int, bytes] = field(default_factory=dict)
    """The pages that it puts into the file, by their numbers; then those in the file do not count."""
    count: int = 0
    """How many pages the file has then; 0 if the log has no whole transaction."""
    is_torn: bool = False
    """Whether the log has transactions that SQLite can't read."""


@dataclass(frozen=True, slots=True)
class _Frame:
    number: int
    size_after: int
    """The number of pages after the transaction; 0 if the transaction goes on in the next frame."""
    salts: bytes
    sums: Sums
    head: bytes
    page: bytes


def read_log(log: bytes, is_ours: bool = False) -> LogPages:
    """What SQLite reads of a log with these bytes; of one that `is_ours` no checksums, which take long."""
    if not log or (len(log) <= LOG_HEADER and not any(log)):
        return LogPages()  # nothing has been written into it yet
    if len(log) < LOG_HEADER:
        return LogPages(is_torn=True)
    size, salts = struct.unpack_from(">I", log, 8)[0], log[16:24]
    words = ">" if log[3] & 1 else "<"
    sums = (0, 0) if is_ours else _added(log[:24], (0, 0), words)
    if not is_ours and (
        log[:4] not in LOG_MAGIC or size not in _PAGE_SIZES or sums != struct.unpack_from(">2I", log, 24)
    ):
        return LogPages(is_torn=True)
    pages: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    count = 0
    frames = _frames(log, size)
    for frame in frames:
        if not is_ours:
            sums = _added(frame.page, _added(frame.head, sums, words), words)
        if frame.salts != salts or not (is_ours or (frame.sums == sums and frame.number)):
            break
        pending[frame.number] = frame.page
        if frame.size_after:
            pages |= pending
            pending, count = {}, frame.size_after
    return LogPages(pages, count, any(each.size_after and each.salts == salts for each in frames))


def _frames(log: bytes, size: int) -> Iterator[_Frame]:
    """Each whole frame."""
    for place in range(LOG_HEADER, len(log) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        number, size_after, salts, *sums = struct.unpack_from(">2I8s2I", log, place)
        page = log[place + FRAME_HEADER : place + FRAME_HEADER + size]
        yield _Frame(number, size_after, salts, (sums[0], sums[1]), log[place : place + 8], page)


def _added(data: bytes, sums: Sums, words: str) -> Sums:
    """SQLite's checksum of the data, on top of the sums before."""
    first, second = sums
    for one, other in struct.iter_unpack(f"{words}2I", data):
        first = (first + one + second) & _WORD
        second = (second + other + first) & _WORD
    return first, second
