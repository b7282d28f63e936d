"""What the table knew when it stopped, read from its store at a start.

No fault of the file keeps a table from playing. A broken file is kept aside. One that can't be written now
(the disk is full, or can only be read) is still read, because a match may be under way in it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.errors import TableError
from firmware_host.store.copies import copied
from firmware_host.store.damage import is_damage
from firmware_host.store.file_advice import to_write
from firmware_host.store.identity import ForeignFile
from firmware_host.store.schema import NewerFile, migrate
from firmware_host.store.store_health import refusal
from firmware_host.store.store_lock import StoreLock, StoreTaken
from firmware_host.store.store_opening import keep_aside, open_store
from firmware_host.store.store_reader import SessionLog, StoreReader
from hw.ports import Tell

TRIES = 5
"""How often a file that is in use is tried; each try waits for seconds."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Recovered:
    """What the table knew when it stopped."""

    session_log: SessionLog | None = None
    choices: dict[str, str] = field(default_factory=dict)
    games: int = 0
    players: dict[int, str] = field(default_factory=dict)
    """The names of the players by their numbers."""
    next_player: int = 1
    named_seats: dict[int, int] = field(default_factory=dict)
    """The numbers of the players who sit at the table, by seat."""
    trouble: str = ""
    """Why there is less than there was, if that is so."""


def recover(lock: StoreLock, tell: Tell, now_text: Callable[[], str]) -> Recovered:
    """All that can be known; what is wrong with the file is reported, and it is made usable.

    StoreTaken if another daemon has it. From here on the lock is held if the file can be locked at all.
    """
    path = lock.path
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        log.error("%s can't be made: %s; %s", path, error.strerror, to_write(path, error))
        return Recovered()
    for _ in range(TRIES):
        try:
            with closing(open_store(lock, tell)) as connection:
                return _read(connection)
        except StoreTaken:
            raise
        except (ForeignFile, NewerFile) as error:
            log.error("%s; %s", *refusal(path, error))
            return Recovered()
        except (sqlite3.Error, TableError, UnicodeDecodeError) as error:
            if is_damage(error):
                return _kept_aside(path, error, tell, now_text)
            trouble = error
            if not _is_busy(error):
                break
    log.error("%s; %s", *refusal(path, trouble))
    return _without_writing(path, str(trouble))


def _is_busy(error: Exception) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _kept_aside(path: str, error: Exception, tell: Tell, now_text: Callable[[], str]) -> Recovered:
    try:
        health = keep_aside(path, error, now_text())
    except OSError as trouble:
        log.error("%s: %s, and it can't be moved: %s", path, error, trouble.strerror)
        return Recovered(trouble=str(error))
    tell(health)
    return Recovered(trouble=health.seen)


def _without_writing(path: str, trouble: str) -> Recovered:
    """Read a copy of a file that can't be written."""
    with suppress(sqlite3.Error, OSError, TableError, UnicodeDecodeError), copied(path) as connection:
        migrate(connection)
        return _read(connection)
    return Recovered(trouble=trouble if os.path.exists(path) else "")


def _read(connection: sqlite3.Connection) -> Recovered:
    """Each part for itself: a value that makes no sense must not keep the table from starting."""
    connection.text_factory = lambda text: text.decode(errors="replace")
    book = StoreReader(connection)
    was = Recovered()
    choices, games = book.choices(), book.games
    was.choices = {name: text for name, text in choices.items() if isinstance(text, str)}
    was.games = games if isinstance(games, int) else 0
    was.players, was.next_player, was.named_seats = book.players(), book.next_player, book.named_seats()
    try:
        was.session_log = book.last_session()
    except sqlite3.Error:
        raise
    except Exception as error:  # whatever stands there
        log.error("the last session can't be read: %r", error)
        was.trouble = f"the last session can't be read: {error}"
    return was
