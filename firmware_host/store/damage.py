"""What SQLite and the decoding of texts say about a file: it is damaged, or it can't be had now.

This is the one place where that is decided; what is done about each is in `shelf`:

- `Damaged`: what is written there makes no sense. If it was a store once it is kept aside.
- `ForeignFile` (in `identity`) and `NewerFile` (in `schema`): it belongs to another program, or to a later
  version of this one. It is left as it is.
- any other `sqlite3.Error`: the disk is full or fails, somebody else is busy with the file, or this user may
  not write it. That may pass; it is tried again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.visible import in_a_line

_NO_SENSE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_IOERR_SHORT_READ")
"""What SQLite calls a file that it can't make sense of, whatever it was asked."""
_UNEXPECTED = ("SQLITE_ERROR", "SQLITE_TOOBIG", "SQLITE_MISMATCH", "SQLITE_CONSTRAINT")
"""What it says if a statement that is right finds other tables or values than there must be."""


class Damaged(sqlite3.DatabaseError):
    """What is written in the file makes no sense."""

    sqlite_errorname = "SQLITE_CORRUPT"


class Overwritten(Damaged):
    """Another program has changed the file or its log while we had it open."""

    def __init__(self, name: str, log_only: bool) -> None:
        super().__init__(f"{name} was changed by another program")
        self.log_only = log_only
        """Whether the file itself is as it was when the log was merged last."""


def is_damage(error: Exception) -> bool:
    """Whether the file is damaged, whatever SQLite was asked."""
    name = getattr(error, "sqlite_errorname", "")
    # A message of SQLite may have a damaged name in it, which Python then can't decode.
    return isinstance(error, Damaged | UnicodeDecodeError) or name.startswith(_NO_SENSE)


@contextmanager
def telling_damage() -> Iterator[None]:
    """Raise Damaged if the file is; for statements that are right for each file that is not."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        name = getattr(error, "sqlite_errorname", "")
        if is_damage(error) or name.startswith(_UNEXPECTED):
            raise Damaged(_words(error)) from None
        raise


def _words(error: Exception) -> str:
    """One line without what no terminal should get."""
    if isinstance(error, UnicodeDecodeError):
        return "names in it are no text"
    line = next(iter(str(error).splitlines()), "") or getattr(error, "sqlite_errorname", "")
    return in_a_line(line)
