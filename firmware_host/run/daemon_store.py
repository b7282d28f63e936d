"""The store of a daemon: what was in it at the start, and what is written now.

Only another daemon that has it keeps a table from playing. A broken file is kept aside and a new one begins.
A file that can't be opened is tried again and again by the writer while the table plays.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.model.errors import TableError
from firmware_host.profile.table import StoreConfig, TableConfig
from firmware_host.run.journal import SETTLE_S, Logbook
from firmware_host.run.roster import Roster
from firmware_host.run.table_settings import configured
from firmware_host.store.open_file import Row, keep_aside, open_store
from firmware_host.store.raw_file import ForeignFile, copied, is_damage
from firmware_host.store.result_rows import Audits
from firmware_host.store.schema import NewerFile, migrate
from firmware_host.store.store_health import refusal, to_write
from firmware_host.store.store_lock import StoreLock, StoreTaken
from firmware_host.store.store_reader import SessionLog, StoreReader
from firmware_host.store.writer import Writer
from hw.ports import Health, Tell

_CHOICE = "INSERT OR REPLACE INTO choices (name, value) VALUES (?, ?)"
_FORGET = "DELETE FROM choices WHERE name = ?"
_LOG = "INSERT INTO log (at, kind, text) VALUES (?, ?, ?)"
_OLD_LOG = "DELETE FROM log WHERE n <= (SELECT max(n) FROM log) - 20000"
_EMPTY_SESSIONS = (
    "DELETE FROM sessions WHERE n < (SELECT max(n) FROM sessions) AND id NOT IN (SELECT session FROM rounds)"
)
"""Those of an idle table, in which nobody played."""
_OLD_SESSIONS = (
    "SELECT id FROM sessions WHERE n < (SELECT max(n) FROM sessions) "
    "AND id NOT IN (SELECT session FROM rounds ORDER BY n DESC LIMIT ?)"
)

log = logging.getLogger(__name__)


class DaemonStore:
    """What was recovered from the file, and the thread that writes it."""

    def __init__(self, config: StoreConfig, tell: Tell, now_text: Callable[[], str]) -> None:
        """Raises StoreTaken if another daemon has the store."""
        self._config = config
        self.now_text = now_text
        self._tell = tell
        self._reported: Health | None = None
        """The last report on the store; from any thread."""
        lock = StoreLock(config.file)
        self.was = recover(lock, self._report, now_text)
        self.writer = Writer(
            config.file,
            self._report,
            now_text,
            config.sync == "verdicts",
            first_rows=self._rows_of_new_file,
            standing=self._reported,
            lock=lock,
        )
        was, secure = self.was, self.writer.secure
        self.roster = Roster(
            was.players, was.next_player, was.named_seats, self._put_at_once, self._read, secure
        )
        self.audits = Audits(now_text, was.games)
        self.logbook = Logbook(self.note)
        if self.was.trouble:
            self.note(
                "resume", f"the table starts without its last session: {self.was.trouble}", logging.ERROR
            )

    @property
    def tidying(self) -> list[Row]:
        """Deletes the inputs and effects of rounds that are old enough."""
        keep = (self._config.keep_rounds,)
        return [
            (f"DELETE FROM inputs WHERE session IN ({_OLD_SESSIONS})", keep),
            (f"DELETE FROM effects WHERE session IN ({_OLD_SESSIONS})", keep),
            (_EMPTY_SESSIONS, ()),
            (_OLD_LOG, ()),
        ]

    def note(self, kind: str, text: str, level: int = logging.INFO) -> None:
        """Write an event into the log that operators read."""
        log.log(level, "%s", text)
        self.writer.put([(_LOG, (self.now_text(), kind, text))])

    def choose(self, name: str, value: str) -> None:
        """Keep what was chosen at the table, or by an operator."""
        self.was.choices[name] = value
        self.writer.put([(_CHOICE, (name, value))])

    def forget(self, name: str) -> None:
        """Drop what was chosen at the table: the configuration applies again."""
        if self.was.choices.pop(name, None) is not None:
            self.writer.put([(_FORGET, (name,))])
            self.note("config", f"{name}: the configuration applies again")

    def reconcile(self, config: TableConfig) -> None:
        """Drop what was chosen at the table before the configuration set something else."""
        choices = self.was.choices
        for name, text in configured(config).items():
            key = f"configured {name}"
            before = choices.get(key)
            if before == text:
                continue
            choices[key] = text
            self.writer.put([(_CHOICE, (key, text))])
            if before is not None:
                self.forget(name)

    def close(self) -> bool:
        """Write all, and let go of the file; whether all is written."""
        return self.writer.close()

    def _put_at_once(self, rows: list[Row]) -> None:
        """Write what an operator is told to be done; a disk that is slow does it later."""
        self.writer.put(rows)
        self.writer.settle(SETTLE_S)

    def _read(self, question: Callable[[StoreReader], str]) -> str | None:
        """What somebody who reads the store says; a disk that is slow has no answer."""
        return self.writer.ask(lambda connection: question(StoreReader(connection)), SETTLE_S)

    def _report(self, health: Health) -> None:
        self._reported = health
        self._tell(health)

    def _rows_of_new_file(self) -> list[Row]:
        """The rows that a new file begins with; called on the thread that writes."""
        rows: list[Row] = [(_CHOICE, choice) for choice in list(self.was.choices.items())]
        rows += self.roster.rows
        if self._reported is not None:
            rows.append((_LOG, (self.now_text(), "store", self._reported.seen)))
        return rows


# The folders that a daemon made for its store: those of one that never came to play are removed again.
#
# Else a first try by root would leave a folder in which the service's own user can't write.


_MADE = ("", "-wal", "-journal")
"""What a daemon puts into them, by what is added to the name of the store."""


def missing_folders(file: str) -> list[Path]:
    """The folders above a file that are not there yet, the innermost first."""
    return [folder for folder in Path(file).absolute().parents if not folder.exists()]


def remove_new(file: str, folders: list[Path]) -> None:
    """Remove these folders with the store in them; one that holds anything else stays."""
    if not folders:
        return
    with suppress(OSError):
        for end in _MADE:
            Path(file + end).unlink(missing_ok=True)
        for folder in folders:
            folder.rmdir()


"""After so many starts with nothing played in between, it may be the match itself that ends the daemon."""
TRIES = 5
"""How often a file that is in use is tried; each try waits for seconds."""


# What the table knew when it stopped, read at a start: no fault of the file keeps a table from playing. A
# file that can't be written now (the disk is full, or can only be read) is still read: a match may be under
# way in it.


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
            if not getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
                break
    log.error("%s; %s", *refusal(path, trouble))
    return _without_writing(path, str(trouble))


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
