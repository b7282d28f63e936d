"""What is wrong with a store, for people: whether it is written, why not, and what to do about it."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import stat
import threading
from pathlib import Path

from firmware_host.model.errors import TableError
from firmware_host.store.raw_file import COMPANIONS, ForeignFile, is_own, owner_of, user_name
from firmware_host.store.schema import NewerFile
from firmware_host.store.store_lock import StoreTaken
from hw.ports import Condition, Health, Tell

STORE = "store"
"""The name of the store among the devices."""
REMOVED = Health(STORE, Condition.DEGRADED, "the file was removed; a new one begins")
_TO_NAME_ANOTHER = "name another file in [store]"
log = logging.getLogger(__name__)

_ANOTHER = "name another one in [store] file"
_FULL = ("disk is full", "No space left")
_FAILS = ("disk I/O error", os.strerror(errno.EIO))


def to_write(path: str, trouble: object = "") -> str:
    """How this user can write a store that could not be opened, made or written."""
    words = str(trouble)
    if any(word in words for word in _FULL):
        return "free some space"
    if any(word in words for word in _FAILS):
        return f"check the disk: the card may be worn out; or {_ANOTHER}"
    if os.strerror(errno.ELOOP) in words:
        return f"remove the link {path}, which leads to itself"
    name = getattr(trouble, "sqlite_errorname", "")
    if isinstance(trouble, sqlite3.NotSupportedError) or name == "SQLITE_ERROR":
        return f"the disk is not the cause: please report it, with SQLite's version, {sqlite3.sqlite_version}"
    if os.path.isdir(path):
        return f"it is a folder: name a file in [store] file, such as {os.path.join(path, 'table.db')}"
    folder = Path(path).parent
    there = next((each for each in (folder, *folder.parents) if os.path.exists(each)), Path("/"))
    if not there.is_dir():
        return f"{there} is no folder: {_ANOTHER}"
    for each in (str(there), *(f"{path}{ending}" for ending in COMPANIONS)):
        rights = os.W_OK | (os.X_OK if os.path.isdir(each) else 0)
        if os.path.exists(each) and not os.access(each, rights, effective_ids=True):
            return _advice_on(each)
    return f"check the disk and its permissions, or {_ANOTHER}"


def _advice_on(path: str) -> str:
    """The advice about a file or folder that this user may not write to."""
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return f"the disk under {path} can only be read: {_ANOTHER}"
    owner, user = owner_of(path), user_name(os.geteuid())
    if is_own(path):
        closed = os.geteuid() != 0 and not os.stat(path).st_mode & stat.S_IWUSR
        hint = f"chmod u+w {path}" if closed else f"see its attributes (lsattr -d {path})"
        return f"not even {user} may write to {path}: {hint}, or {_ANOTHER}"
    as_owner = f"run it as its owner (sudo -u {owner} ligretto-table ...), or "
    return f"{path} belongs to {owner}, and this is {user}: {'' if owner == 'root' else as_owner}{_ANOTHER}"


def refusal(path: str, error: Exception) -> tuple[str, str]:
    """Why a store can't be used because of this error, and what to do."""
    if isinstance(error, ForeignFile):
        return f"{path}: {error}", _TO_NAME_ANOTHER
    if isinstance(error, NewerFile):
        return f"{path}: {error}", f"or {_TO_NAME_ANOTHER}"
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
