"""The one thread that writes the store: rows go in from the loop, transactions go to the file.

Rows are written in groups. The loop asks for `settle` before something is shown that hangs on them, and
waits for that only as long as it can afford. What SQLite has committed survives the end of the
process; at round ends, and every few seconds while something is written, it is made to survive the end of the
power too.

A game never stops for the file. While it can't be written (disk full, card pulled) the rows of the present
chapter stay in memory and are tried again; a file that is broken is kept aside, and a new one begins
with the whole present chapter.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence

from firmware_host.store.schema import BUSY_MS, NewerFile
from firmware_host.store.shelf import is_broken, keep_aside, open_store
from hw.ports import Condition, Health, Tell

Row = tuple[str, Sequence[object]]
"""A statement and its values."""

GROUP_S = 0.1
SAFE_S = 5.0
RETRY_S = (0.5, 1.0, 2.0, 5.0, 10.0)
MOST_ROWS = 300_000
"""More rows of one chapter are not kept in memory: some hundred megabytes."""
STORE = "store"
_SHRINK = "PRAGMA incremental_vacuum(2000)"
"""What was let go of goes back to the disk, at most some megabytes at a time."""

log = logging.getLogger(__name__)


class Writer:
    """Owns the file while the daemon runs."""

    def __init__(self, path: str, tell: Tell, now_text: Callable[[], str], each_commit_safe: bool) -> None:
        self.path = path
        self._tell = tell
        self._now_text = now_text
        self._each_commit_safe = each_commit_safe
        self._changed = threading.Condition()
        self._rows: list[Row] = []
        self._written = 0
        self._wanted = False
        self._safe_wanted = False
        self._tidy: list[Row] = []
        self._closing = False
        self._failing = False
        self._overflowed = False
        self._dirty = False
        self._safe_at = time.monotonic()
        self._connection: sqlite3.Connection | None = None
        self._thread = threading.Thread(target=self._run, name=STORE, daemon=True)
        self._thread.start()

    # -- from the loop

    def begin_chapter(self, rows: Sequence[Row], tidy: Sequence[Row] = ()) -> None:
        """What was written before needs not be kept in memory any more; then tidy up in the file."""
        with self._changed:
            self._rows = [*self._rows[self._written :], *rows]
            self._written = 0
            self._overflowed = False
            self._tidy = list(tidy)
            self._changed.notify_all()

    def put(self, rows: Sequence[Row]) -> None:
        """Have these written soon."""
        with self._changed:
            if len(self._rows) + len(rows) > MOST_ROWS:
                self._overflow()
            if not self._overflowed:
                self._rows += rows
                self._changed.notify_all()

    def settle(self, within_s: float) -> bool:
        """Have all that was put written now; whether it is, after at most so long."""
        with self._changed:
            self._wanted = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._failing or self._written >= len(self._rows), within_s)
            return not self._failing and self._written >= len(self._rows)

    def secure(self) -> None:
        """Have all that was put survive the end of the power, as soon as that can be."""
        with self._changed:
            self._wanted = self._safe_wanted = True
            self._changed.notify_all()

    @property
    def stuck(self) -> bool:
        """Whether the thread has ended before its time."""
        return not self._closing and not self._thread.is_alive()

    def close(self) -> None:
        """Write what is there, and let go of the file."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _overflow(self) -> None:
        """Too much to be kept: what was written is let go; the chapter can't be written anew any more."""
        del self._rows[: self._written]
        self._written = 0
        was, self._overflowed = self._overflowed, len(self._rows) > MOST_ROWS // 2
        if self._overflowed and not was:
            log.error("the store can't be written for so long that what happens now is not kept")

    # -- on the thread

    def _run(self) -> None:
        attempts = 0
        while True:
            with self._changed:
                self._wait(attempts)
                rows = self._rows[self._written :]
                safe, self._safe_wanted = self._safe_wanted, False
                tidy, closing = self._tidy, self._closing
                self._wanted = False
            try:
                self._write(rows, tidy, safe or closing)
            except (sqlite3.Error, NewerFile) as error:
                attempts += 1
                self._fail(error)
                with self._changed:
                    self._safe_wanted = self._safe_wanted or safe
                if closing:
                    log.error("%s: %d rows could not be written any more", self.path, len(rows))
                    break
                continue
            attempts = 0
            self._succeed(len(rows), tidy)
            if closing and not self._pending:
                break
        self._let_go()

    @property
    def _pending(self) -> bool:
        return self._written < len(self._rows)

    def _wait(self, attempts: int) -> None:
        """Until there is something to do: a group, a wish, the next attempt, or the end."""
        if attempts:
            pause_s = RETRY_S[min(attempts, len(RETRY_S)) - 1]
            self._changed.wait_for(lambda: self._closing, pause_s)
            return
        safe_s = max(0.0, self._safe_at + SAFE_S - time.monotonic()) if self._dirty else None
        if not self._changed.wait_for(self._has_work, safe_s):
            self._safe_wanted = True
        elif self._pending and not self._wanted:
            self._changed.wait_for(lambda: self._wanted or self._closing, GROUP_S)

    def _has_work(self) -> bool:
        return bool(self._pending or self._wanted or self._safe_wanted or self._closing or self._tidy)

    def _write(self, rows: Sequence[Row], tidy: Sequence[Row], safe: bool) -> None:
        connection = self._open()
        if rows or tidy:
            connection.execute("BEGIN IMMEDIATE")
            try:
                for statement, values in (*rows, *tidy):
                    connection.execute(statement, values)
                connection.execute("COMMIT")
            except sqlite3.Error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            self._dirty = True
        if tidy:
            connection.executescript(_SHRINK)  # `execute` would take one step of it only
        if self._each_commit_safe or safe:
            self._make_safe(connection, merge=safe)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = open_store(self.path)
        return self._connection

    def _make_safe(self, connection: sqlite3.Connection, merge: bool) -> None:
        if self._dirty:
            _sync(f"{self.path}-wal")
        if merge:
            # Nobody waits for a reader who is in the way: the next time will do.
            connection.execute("PRAGMA busy_timeout = 0")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        self._dirty = False
        self._safe_at = time.monotonic()

    def _succeed(self, count: int, tidy: Sequence[Row]) -> None:
        with self._changed:
            self._written = min(self._written + count, len(self._rows))
            if self._tidy is tidy:
                self._tidy = []
            was_failing, self._failing = self._failing, False
            self._changed.notify_all()
        if was_failing:
            self._tell(Health(STORE, Condition.OK, "it is written again"))

    def _fail(self, error: Exception) -> None:
        """The file can't be written now: the game goes on."""
        self._let_go()
        with self._changed:
            was_failing, self._failing = self._failing, True
            self._changed.notify_all()
        if is_broken(error):
            self._replace(error, was_failing)
        elif not was_failing:
            advice = "free some space" if "full" in str(error) else "check the disk and its permissions"
            self._tell(Health(STORE, Condition.LOST, f"{self.path} can't be written: {error}", advice))

    def _replace(self, error: Exception, was_failing: bool) -> None:
        """The file is broken: a new one begins, with all of the present chapter."""
        try:
            aside = keep_aside(self.path, self._now_text())
        except OSError as trouble:
            if not was_failing:
                seen = f"{self.path} is broken and can't be moved: {trouble}"
                self._tell(Health(STORE, Condition.LOST, seen, "move it away, or check the permissions"))
            return
        with self._changed:
            self._written = 0
        log.error("%s is broken (%s): kept as %s, a new file begins", self.path, error, aside)
        self._tell(Health(STORE, Condition.DEGRADED, f"the file was broken and is kept as {aside}"))

    def _let_go(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                connection.close()
            except sqlite3.Error as error:
                log.warning("the store was not closed well: %s", error)


def _sync(path: str) -> None:
    """Have what was written to the file survive the end of the power."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return  # there is nothing in it
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from None
