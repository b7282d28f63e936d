"""What SQLite reads of a write-ahead log: which page 1 counts, and whether a part of the log is lost.

SQLite reads such a log up to the first frame that is not valid, and silently ignores the rest. A
frame is valid if it has the salts of the header and its checksum fits, which also covers all frames before
it. Frames count up to the last one that ends a transaction.

After a crash the last frames may be torn. That is normal, since they were not safe yet. But if the end of a
whole transaction follows a frame that is not valid, or if the header is not valid, then something was
written into the log or cut from it, and SQLite loses what it does not read.
(The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log)
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.store.page_sums import PAGE

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
