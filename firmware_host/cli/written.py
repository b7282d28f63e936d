"""Files that commands write: as a whole or not at all, and only where a file may be.

A typing mistake must not cost a table its matches: a database and a configuration are never replaced. No
command here writes either of them.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path
from typing import BinaryIO

from firmware_host.files import Draft, read_start
from firmware_host.model.errors import BadSettings
from firmware_host.profile.table import Unreadable

_STANDARD_OUTPUT = ("-", "/dev/stdout")
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(?P<number>[0-9]{1,9})")
"""What a shell hands on for `>(gzip)`."""
_DATABASES = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""What a store begins with, and the log of SQLite beside it."""


class WrittenFile:
    """A file that somebody asked for; it is there when all of it was written, or not at all.

    BadSettings says why it can't be. `-` is the standard output; what a shell has opened is written as it is.
    """

    def __init__(self, path: Path, mode: int | None = None, *, must_be_new: bool = False) -> None:
        self._path = path
        try:
            self._file: _Stream | Draft = _stream(path) or _draft(path, mode, must_be_new)
        except OSError as error:
            raise self._refused(error) from None

    def write(self, data: bytes) -> None:
        """Add to it."""
        try:
            self._file.write(data)
        except OSError as error:
            raise self._refused(error) from None

    def put(self) -> None:
        """All is written: put it in its place."""
        try:
            self._file.put()
        except OSError as error:
            raise self._refused(error) from None

    def drop(self) -> None:
        """Leave everything as it was, unless it was put in its place."""
        self._file.drop()

    def _refused(self, error: OSError) -> Exception:
        if isinstance(error, BrokenPipeError):
            return error  # the reader has gone
        if isinstance(error, FileExistsError):
            return BadSettings([f"{self._path}: exists already; add --force to overwrite it"])
        return BadSettings([f"{self._path} can't be written: {error.strerror or error}"])


def write_whole(path: Path, data: bytes, mode: int | None = None, *, must_be_new: bool = False) -> None:
    """Put this in its place; BadSettings says why it can't be."""
    file = WrittenFile(path, mode, must_be_new=must_be_new)
    try:
        file.write(data)
        file.put()
    finally:
        file.drop()


def check_place(path: Path) -> None:
    """Raise BadSettings if no file may be written there, before any work is done for it."""
    WrittenFile(path).drop()


def _draft(path: Path, mode: int | None, must_be_new: bool) -> Draft:
    """A new file, or one in the place of a file that may be replaced."""
    if kept := _kept(path):
        raise OSError(errno.EPERM, f"it is {kept}, which is never replaced: name another file")
    return Draft(path, mode, must_be_new=must_be_new)


def _kept(path: Path) -> str:
    """What a file is that must stay; empty if it may be replaced."""
    try:
        start = read_start(path, max(map(len, _DATABASES)))
    except Unreadable:
        return ""  # there is none, or the draft says what is wrong with it
    if start.startswith(_DATABASES):
        return "a database, such as a store"
    return "a configuration" if path.resolve().suffix.lower() == ".toml" else ""


class _Stream:
    """Something that is open already: what is written there is gone at once."""

    def __init__(self, file: BinaryIO, *, standard: bool = False) -> None:
        self._file = file
        self._standard = standard

    def write(self, data: bytes) -> None:
        self._file.write(data)

    def put(self) -> None:
        self._file.flush()

    def drop(self) -> None:
        if not self._standard:  # others go on writing to the standard output
            self._file.close()


class _Terminal(_Stream):
    """A terminal: control characters are made visible."""

    def __init__(self) -> None:
        super().__init__(sys.stdout.buffer, standard=True)

    def write(self, data: bytes) -> None:
        sys.stdout.write(data.decode("utf-8", errors="surrogateescape").replace("\r\n", "\n"))
        sys.stdout.flush()


def _stream(path: Path) -> _Stream | None:
    """What a shell has opened, if the path means such a thing."""
    if str(path) in _STANDARD_OUTPUT:
        sys.stdout.flush()
        return _Terminal() if sys.stdout.isatty() else _Stream(sys.stdout.buffer, standard=True)
    if str(path) == os.devnull:
        return _Stream(open(os.devnull, "wb"))  # closed by whoever writes
    match = _DESCRIPTOR.fullmatch(str(path))
    return None if match is None else _Stream(os.fdopen(os.dup(int(match["number"])), "wb"))
