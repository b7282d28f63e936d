"""Whether errors of SQLite and of decoding mean that a file is damaged, or only that it can't be used now.

That is decided here, and `store_opening` acts on it:

- `Damaged`: the contents make no sense. If it was a store once it is kept aside.
- `ForeignFile` (in `identity`) and `NewerFile` (in `schema`): it belongs to another program, or to a later
  version of this one. It is not changed.
- any other `sqlite3.Error`: the disk is full or fails, another program uses the file, or this user may
  not write it. That may pass, so it is tried again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.visible import in_a_line

_NO_SENSE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_IOERR_SHORT_READ")
"""SQLite's errors for a damaged file, whatever the statement was."""
_UNEXPECTED = ("SQLITE_ERROR", "SQLITE_TOOBIG", "SQLITE_MISMATCH", "SQLITE_CONSTRAINT")
"""Its errors if a correct statement finds other tables or values than there must be."""


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
def telling_damage() -> Iterator[None]:
    """Raise Damaged if the file is damaged; for statements that work with every sound file."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        name = getattr(error, "sqlite_errorname", "")
        if is_damage(error) or name.startswith(_UNEXPECTED):
            raise Damaged(_words(error)) from None
        raise


def _words(error: Exception) -> str:
    """The error in one line that is safe for a terminal."""
    if isinstance(error, UnicodeDecodeError):
        return "names in it are no text"
    line = next(iter(str(error).splitlines()), "") or getattr(error, "sqlite_errorname", "")
    return in_a_line(line)
