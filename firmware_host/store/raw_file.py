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
import struct
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from firmware_host.model.plain_text import in_a_line
from firmware_host.store.schema import connect, connected, migrate

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


# Checksums of the pages of a store, to find out whether another program has changed it.
#
# Its size and its time of change show that something may have happened. But a program may change only the
# time (`touch`, a restored backup), and then the store is as good as before.


PAGE = 4096


class PageSums:
    """The checksum of each page at the time when it was made or renewed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._sums = _sums_of(path)

    def renew(self, pages: Mapping[int, bytes], count: int) -> None:
        """Renew the sums of pages that we have written (the first is 1); the file has `count`."""
        self._sums = [*self._sums[:count], *[0] * (count - len(self._sums))]
        for number, page in pages.items():
            if number <= count:
                self._sums[number - 1] = zlib.crc32(page)

    def still_fit(self) -> bool:
        """Whether the contents of the file are the same as before."""
        return _sums_of(self._path) == self._sums


def _sums_of(path: str) -> list[int]:
    with open(path, "rb") as file:
        return [zlib.crc32(page) for page in iter(lambda: file.read(PAGE), b"")]


# What SQLite reads of a write-ahead log: which page 1 counts, and whether a part of the log is lost.
#
# SQLite reads such a log up to the first frame that is not valid, and silently ignores the rest. A
# frame is valid if it has the salts of the header and its checksum fits, which also covers all frames before
# it. Frames count up to the last one that ends a transaction.
#
# After a crash the last frames may be torn. That is normal, since they were not safe yet. But if the end of a
# whole transaction follows a frame that is not valid, or if the header is not valid, then something was
# written into the log or cut from it, and SQLite loses what it does not read.
# (The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log)


MAGIC = (0x377F0682, 0x377F0683)
"""The second one means that checksums use big-endian words."""
HEADER, FRAME_HEADER = 32, 24
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_WORD = 0xFFFFFFFF

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LogFrames:
    """What SQLite reads of a log."""

    first_page: bytes | None = None
    """Page 1 of the database, if the log has it: then the one in the file does not count."""
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


def read_frames(log: bytes) -> LogFrames:
    """What SQLite reads of a log with these bytes."""
    if not log or (len(log) <= HEADER and not any(log)):
        return LogFrames()  # nothing has been written into it yet
    if len(log) < HEADER:
        return LogFrames(is_torn=True)
    magic, _, size, _ = struct.unpack_from(">4I", log)
    words = ">" if magic & 1 else "<"
    sums = _added(log[:24], (0, 0), words)
    if magic not in MAGIC or size not in _PAGE_SIZES or sums != struct.unpack_from(">2I", log, 24):
        return LogFrames(is_torn=True)
    first_page = pending = None
    frames = _frames(log, size)
    for frame in frames:
        sums = _added(frame.page, _added(frame.head, sums, words), words)
        if frame.salts != log[16:24] or frame.sums != sums or not frame.number:
            break
        pending = frame.page if frame.number == 1 else pending
        first_page = pending if frame.size_after else first_page
    return LogFrames(first_page, any(each.size_after and each.salts == log[16:24] for each in frames))


def merged_pages(log: bytes) -> tuple[dict[int, bytes], int]:
    """The pages that this log puts into the file, by their numbers, and how many the file has then.

    For a log that we have written ourselves: checksums, which take long, are not looked at.
    """
    pages: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    count = 0
    size = struct.unpack_from(">I", log, 8)[0] if len(log) >= HEADER else PAGE
    for frame in _frames(log, size):
        if frame.salts != log[16:24]:
            break
        pending[frame.number] = frame.page
        if frame.size_after:
            pages |= pending
            pending, count = {}, frame.size_after
    return pages, count


def _frames(log: bytes, size: int) -> Iterator[_Frame]:
    """Each whole frame."""
    for place in range(HEADER, len(log) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
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


# Whether errors of SQLite and of decoding mean that a file is damaged, or only that it can't be used now.
#
# That is decided here, and `store_opening` acts on it:
#
# - `Damaged`: the contents make no sense. If it was a store once it is kept aside.
# - `ForeignFile` (in `identity`) and `NewerFile` (in `schema`): it belongs to another program, or to a later
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
