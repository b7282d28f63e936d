"""Files that somebody names as input: read at once, and never without an end.

A path may lead to anything: a named pipe that nobody writes to, a device without an end, a disk image. So
only regular files are read, up to a size that makes sense, and nothing is waited for.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from firmware_host.config.files import Missing, Unreadable
from firmware_host.errors import BadSettings
from firmware_host.file_kinds import KINDS

MOST_BYTES = 100_000
"""Far more than any profile, registry of tags or table.toml needs."""


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """What a file holds; Missing or Unreadable says why it can't be had."""
    content = read_start(path, most + 1)
    if len(content) > most:
        raise Unreadable(f"{path}: longer than {most // 1000} kB")
    return content


def read_start(path: str | Path, most: int) -> bytes:
    """Up to so many bytes of a file; Missing or Unreadable says why they can't be had."""
    try:
        _check_kind(path, os.stat(path).st_mode)  # opening a device may do something already
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            _check_kind(path, os.fstat(descriptor).st_mode)
            return _read(descriptor, most)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise Missing(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    except ValueError:  # each version of Python says it in other words
        raise Unreadable(f"{path}: no file can have this name") from None


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """The text of a file without a byte order mark; BadSettings has the line of what is not UTF-8."""
    return decoded(read_bytes(path, most), path).removeprefix("\ufeff")


def decoded(content: bytes, path: str | Path) -> str:
    """The text of a file's bytes; BadSettings has the line of what is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        letter = f"0x{content[error.start]:02x} is not UTF-8"
        raise BadSettings([f"{path}:{line}: {letter}; allowed: text in UTF-8"]) from None


def kind_of(path: str | Path) -> str:
    """What there is in place of a regular file, such as 'a named pipe'; empty for a folder or nothing."""
    try:
        return _special(os.stat(path).st_mode)
    except (OSError, ValueError):
        return ""


def _check_kind(path: str | Path, mode: int) -> None:
    if kind := _special(mode):
        raise Unreadable(f"{path}: {kind}, not a regular file")


def _special(mode: int) -> str:
    """What it is in place of a regular file or a folder; empty if it is one of those."""
    return "" if stat.S_ISDIR(mode) else KINDS.get(stat.S_IFMT(mode), "")


def _read(descriptor: int, most: int) -> bytes:
    pieces: list[bytes] = []
    while most > 0 and (piece := os.read(descriptor, min(most, 1 << 16))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)
