"""The store as the daemon has it: opened, or begun anew if it can't be read, and then written.

Nothing of it may keep a table from playing. A broken file is kept aside; one that can't be opened is tried
again and again by the writer, while the table plays.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.config.table import StoreConfig, TableConfig
from firmware_host.errors import TableError
from firmware_host.runtime.choices import Choice, configured, format_choice
from firmware_host.store.book import Book, Chapter
from firmware_host.store.schema import NewerFile
from firmware_host.store.shelf import is_broken, keep_aside, open_store
from firmware_host.store.writer import STORE, Row, Writer
from hw.ports import Condition, Health, Tell

_CHOICE = "INSERT OR REPLACE INTO choices (name, value) VALUES (?, ?)"
_FORGET = "DELETE FROM choices WHERE name = ?"
_LOG = "INSERT INTO log (at, kind, text) VALUES (?, ?, ?)"
_OLD_LOG = "DELETE FROM log WHERE n <= (SELECT max(n) FROM log) - 20000"
_OLD_CHAPTERS = (
    "SELECT id FROM chapters WHERE n < (SELECT max(n) FROM chapters) "
    "AND id NOT IN (SELECT chapter FROM rounds ORDER BY n DESC LIMIT ?)"
)

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Remembered:
    """What the table knew when it stopped."""

    chapter: Chapter | None = None
    choices: dict[str, str] = field(default_factory=dict)
    games: int = 0


class Memory:
    """What was, and what is being written."""

    def __init__(self, config: StoreConfig, tell: Tell, now_text: Callable[[], str]) -> None:
        self._config = config
        self._now_text = now_text
        self.was = self._look_back(tell)
        self.writer = Writer(config.file, tell, now_text, config.sync == "verdicts")

    @property
    def tidying(self) -> list[Row]:
        """Lets go of the inputs and effects of rounds that need not be kept."""
        keep = (self._config.keep_rounds,)
        return [
            (f"DELETE FROM inputs WHERE chapter IN ({_OLD_CHAPTERS})", keep),
            (f"DELETE FROM effects WHERE chapter IN ({_OLD_CHAPTERS})", keep),
            (_OLD_LOG, ()),
        ]

    def note(self, kind: str, text: str) -> None:
        """Write an event into the log that operators read."""
        log.info("%s", text)
        self.writer.put([(_LOG, (self._now_text(), kind, text))])

    def choose(self, name: str, value: Choice) -> None:
        """Keep what was chosen at the table."""
        self.was.choices[name] = format_choice(value)
        self.writer.put([(_CHOICE, (name, self.was.choices[name]))])

    def forget(self, name: str) -> None:
        """Let what was chosen at the table be as the configuration has it."""
        if self.was.choices.pop(name, None) is not None:
            self.writer.put([(_FORGET, (name,))])
            self.note("config", f"{name} is what the configuration says again")

    def heed(self, config: TableConfig) -> None:
        """What the configuration says anew wins over what was chosen at the table before."""
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

    def close(self) -> None:
        """Write all, and let go of the file."""
        self.writer.close()

    # -- looking back

    def _look_back(self, tell: Tell) -> Remembered:
        path = self._config.file
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            return self._read()
        except NewerFile as error:
            return self._begin_anew(str(error), tell)
        except sqlite3.Error as error:
            if is_broken(error):
                return self._begin_anew(f"{path} is broken ({error})", tell)
            log.error("%s can't be opened: %s", path, error)
        except OSError as error:
            log.error("%s can't be made: %s", path, error.strerror)
        return Remembered()

    def _read(self) -> Remembered:
        connection = open_store(self._config.file)
        try:
            book = Book(connection)
            was = Remembered(choices=book.choices(), games=book.games)
            try:
                was.chapter = book.last_chapter()
            except TableError as error:
                log.error("what was played last can't be read: %s", error)
            return was
        finally:
            connection.close()

    def _begin_anew(self, why: str, tell: Tell) -> Remembered:
        try:
            aside = keep_aside(self._config.file, self._now_text())
        except OSError as error:
            log.error("%s, and can't be moved: %s", why, error.strerror)
            return Remembered()
        log.error("%s: kept as %s, a new file begins", why, aside)
        tell(Health(STORE, Condition.DEGRADED, f"the file was broken and is kept as {aside}"))
        return Remembered()
