"""The lock on the store: it is on the file itself, whatever its name, and ends with the process.

So a second daemon is also refused through a symlink or a hard link, and there is no lock file that could be
deleted. Two ranges of bytes far behind the end of the file are locked for writing. Only a user who may write
the file can do that:

- one byte says that a daemon runs this table;
- the bytes that SQLite locks keep every other program from using the file through SQLite.

These are locks of the open file description (OFD), since a process loses its POSIX locks as soon as it
closes any descriptor of the file. Our own SQLite takes no locks (see `schema.connect`).

A user who may only read the file can still lock those bytes for reading, and then we can't lock them. We do
not wait for such a reader: the file is `crowded`, and `open_file` goes on with a copy of it that nobody
else has open.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import sqlite3
import stat
import struct
import time
from contextlib import suppress

from firmware_host.model.errors import TableError

SQLITE = (0x40000000, 512)
"""SQLite's own locks are here in each database; it never uses the page at that place."""
DAEMON = (0x40000000 + 1024, 1)
_FLOCK = "hhqqi0q"
"""The kernel's struct flock, for files of any length."""
BUSY_S = 2.0
"""How long to wait for a program that uses the file."""
PAUSE_S = 0.02
_OTHER = "another ligretto-table runs this table already; stop that one first"
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
"""The errors of a file system without locks."""

log = logging.getLogger(__name__)

Place = tuple[int, int]
Inode = tuple[int, int]


class StoreTaken(TableError, sqlite3.OperationalError):
    """Another daemon uses the file."""


class StoreLock:
    """A lock on the file at a path; it is renewed if there is another file now."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.crowded = False
        """Whether a user who may only read the file keeps us from locking it."""
        self._descriptor: int | None = None
        self._inode: Inode | None = None
        self._has_locks = True

    def take(self) -> None:
        """Lock the present file, which is made if there is none. StoreTaken if another daemon has it."""
        if self._descriptor is not None and inode_of(self.path) == self._inode:
            return
        self.release()
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            return  # `identity` will say what it is
        self._hold(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644))

    def _hold(self, descriptor: int) -> None:
        """Lock an open file, and keep it open."""
        self._descriptor = descriptor
        status = os.fstat(descriptor)
        self._inode = status.st_dev, status.st_ino
        try:
            self.crowded = not _lock(descriptor, DAEMON)
            if self.crowded and _is_written_at(descriptor, DAEMON):
                raise StoreTaken(f"{self.path}: {_OTHER}")
            self._has_locks = True
        except OSError as error:
            self._has_locks = False
            if error.errno not in _NO_LOCKS:
                self.release()
                raise
            words = "%s can't be locked: %s; nothing keeps a second daemon from it"
            log.error(words, self.path, error.strerror)
        except StoreTaken:
            self.release()
            raise

    def shut_out(self) -> None:
        """Keep other programs from using the file through SQLite; sqlite3.Error if one is using it now."""
        if self._descriptor is None or self.crowded or not self._has_locks:
            return
        end_s = time.monotonic() + BUSY_S
        while not _lock(self._descriptor, SQLITE):
            if time.monotonic() > end_s:
                self.crowded = not _is_written_at(self._descriptor, SQLITE)
                if self.crowded:
                    return
                raise busy("database is locked")
            time.sleep(PAUSE_S)

    def move_to(self, draft: str) -> None:
        """Put another file at the path, and lock that one; nobody else has ever opened it."""
        descriptor = os.open(draft, os.O_RDWR | os.O_CLOEXEC)
        try:
            status = os.stat(self.path)
            if not (_lock(descriptor, DAEMON) and _lock(descriptor, SQLITE)):
                raise busy("database is locked")
            with suppress(PermissionError):  # only root may give a file away
                os.fchown(descriptor, status.st_uid, status.st_gid)
            os.fsync(descriptor)
            os.rename(draft, os.path.realpath(self.path))
            os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
        except BaseException:
            os.close(descriptor)
            raise
        self.release()
        self._hold(descriptor)

    def release(self) -> None:
        """Unlock and close the file."""
        descriptor, self._descriptor, self._inode = self._descriptor, None, None
        self.crowded = False
        if descriptor is not None:
            os.close(descriptor)


def is_locked(path: str) -> bool | None:
    """Whether a daemon has locked the file; None if this user can't find out. This takes no lock."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    try:
        return _is_written_at(descriptor, DAEMON)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def inode_of(path: str) -> Inode | None:
    """The identity of the file that is at that path now; None if there is none."""
    status = status_of(path)
    return (status.st_dev, status.st_ino) if status else None


def status_of(path: str) -> os.stat_result | None:
    """What is known of the file that is at that path now; None if there is none.

    Anything else is a sqlite3.Error: a disk that fails, a folder that is closed, a link to itself.
    """
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise of_system(error) from None


def of_system(error: OSError) -> sqlite3.OperationalError:
    """An error of the system, as one of SQLite."""
    return sqlite3.OperationalError(error.strerror or str(error))


def busy(words: str) -> sqlite3.OperationalError:
    """The error for a file that another program is using."""
    error = sqlite3.OperationalError(words)
    error.sqlite_errorname = "SQLITE_BUSY"
    return error


def _lock(descriptor: int, place: Place) -> bool:
    """Lock a place for writing; False if somebody else has locked it."""
    try:
        _flock(descriptor, fcntl.F_OFD_SETLK, fcntl.F_WRLCK, place)
    except (BlockingIOError, PermissionError):  # POSIX allows both
        return False
    return True


def _is_written_at(descriptor: int, place: Place) -> bool:
    """Whether a user who may write the file has locked that place; locks for reading don't count."""
    return _flock(descriptor, fcntl.F_OFD_GETLK, fcntl.F_RDLCK, place) != fcntl.F_UNLCK


def _flock(descriptor: int, command: int, kind: int, place: Place) -> int:
    answer = fcntl.fcntl(descriptor, command, struct.pack(_FLOCK, kind, os.SEEK_SET, *place, 0))
    return int(struct.unpack(_FLOCK, answer)[0])
