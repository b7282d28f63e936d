"""The condition of the store: each change is reported once, and the present one again on request."""

from __future__ import annotations

import logging
import sqlite3
import threading

from firmware_host.errors import TableError
from firmware_host.store.file_advice import to_write
from firmware_host.store.identity import ForeignFile
from firmware_host.store.schema import NewerFile
from firmware_host.store.store_lock import StoreTaken
from firmware_host.store.store_opening import STORE
from hw.ports import Condition, Health, Tell

REMOVED = Health(STORE, Condition.DEGRADED, "the file was removed; a new one begins")
TO_NAME_ANOTHER = "name another file in [store]"

log = logging.getLogger(__name__)


def refusal(path: str, error: Exception) -> tuple[str, str]:
    """Why a store can't be used because of this error, and what to do."""
    if isinstance(error, ForeignFile):
        return f"{path}: {error}", TO_NAME_ANOTHER
    if isinstance(error, NewerFile):
        return f"{path}: {error}", f"or {TO_NAME_ANOTHER}"
    if isinstance(error, StoreTaken):
        return str(error), ""
    words = error.strerror if isinstance(error, OSError) else error
    return f"{path} can't be written: {words}", to_write(path, error)


class StoreHealth:
    """Reports the condition of the store, from any thread, in the right order."""

    def __init__(self, tell: Tell, standing: Health | None = None) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._standing = standing
        self._lost: Health | None = None

    def failed(self, path: str, error: Exception) -> None:
        """The store can't be written because of an error."""
        if isinstance(error, sqlite3.Error | OSError | TableError):
            self.lost(*refusal(path, error))
        elif self.lost(f"internal error: {error!r}", "please report it"):
            log.error("the store can't be written", exc_info=error)

    def hangs(self, path: str) -> None:
        """The disk does not answer."""
        self.lost(
            f"{path} can't be written: the disk does not answer", "check the disk; the card may be worn out"
        )

    def lost(self, seen: str, advice: str) -> bool:
        """The store can't be written; True if that is new."""
        with self._lock:
            news = self._lost is None
            if news:
                self._lost = Health(STORE, Condition.LOST, seen, advice)
                self._say(self._lost)
            return news

    def degraded(self, health: Health) -> None:
        """Something happened to the file that people should know. It is reported until the next start."""
        with self._lock:
            self._standing, self._lost = health, None
            self._say(health)

    def written(self) -> None:
        """The store was written."""
        with self._lock:
            if self._lost is not None:
                self._lost = None
                self._say(self._standing or Health(STORE, Condition.OK, "it is written again"))

    def retell(self) -> None:
        """Report the present condition again, unless it is ok."""
        with self._lock:
            health = self._lost or self._standing
            if health is not None:
                self._say(health)

    def _say(self, health: Health) -> None:
        try:
            self._tell(health)
        except Exception:  # the store must still be written if the report fails
            log.exception("%s", health.seen)
