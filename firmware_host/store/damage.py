"""Whether errors of SQLite and of decoding mean that a file is damaged, or only that it can't be used now.

That is decided here, and `store_opening` acts on it:

- `Damaged`: the contents make no sense. If it was a store once it is kept aside.
- `ForeignFile` (in `identity`) and `NewerFile` (in `schema`): it belongs to another program, or to a later
  version of this one. It is not changed.
- any other `sqlite3.Error`: the disk is full or fails, another program uses the file, this user may
  not write it, or this version of SQLite refuses a statement. That may pass, so it is tried again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from firmware_host.store.schema import migrate
from firmware_host.visible import in_a_line

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
