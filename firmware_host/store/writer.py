"""The one thread that writes the store: rows go in from the loop, transactions go to the file.

Rows are written in groups. The loop calls `settle` before it shows something that depends on them, and
waits only as long as it can afford. What SQLite has committed survives the end of the process. At the end of
each round, and every few seconds while something is written, it is also made safe against power cuts.

A game never stops because of the file. While it can't be written (disk full, card pulled) the rows of the
present session stay in memory and are tried again. A file that is damaged, or that another program has
changed, is kept aside, and a new one begins with the whole present session; so it does if the file was
removed. If only the log of SQLite was changed, the present session is written into the same file again.
Nothing ends the thread early: an unexpected error is reported, and the rows are tried again as well.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from firmware_host.store.open_file import OpenFile, Removed, Row, keep_aside
from firmware_host.store.raw_file import Overwritten, is_damage
from firmware_host.store.store_health import REMOVED, STORE, StoreHealth
from firmware_host.store.store_lock import StoreLock
from hw.ports import Condition, Health, Tell

GROUP_S = 0.1
SAFE_S = 5.0
LOOK_S = 1.0
"""How often to check whether another program has removed or changed the file."""
HANGS_S = 5.0
"""A disk that does not answer for this long is reported."""
RETRY_S = (0.5, 1.0, 2.0, 5.0, 10.0)
LAST_ATTEMPTS = 3
"""How many attempts there are at the end if each begins a new file."""
MOST_ROWS = 300_000
"""More rows of one session are not kept in memory: some hundred megabytes."""
T = TypeVar("T")
Question = Callable[[sqlite3.Connection], T]
"""Reads something in the file."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Batch:
    """What is written at once: the first rows of a new file, a group of rows, and the tidying after it."""

    first: list[Row]
    rows: list[Row]
    tidy: list[Row]
    safe: bool
    closing: bool

    @property
    def all(self) -> list[Row]:
        """Everything in its order."""
        return [*self.first, *self.rows, *self.tidy]


class Writer:
    """Owns the file while the daemon runs."""

    def __init__(
        self,
        path: str,
        tell: Tell,
        now_text: Callable[[], str],
        each_commit_safe: bool,
        *,
        first_rows: Callable[[], Sequence[Row]] = tuple,
        standing: Health | None = None,
        lock: StoreLock | None = None,
    ) -> None:
        """`first_rows` gives the rows that any new file begins with; `standing` is the condition reported so
        far.

        The lock on the file is released at the end.
        """
        self.path = path
        self._now_text = now_text
        self._each_commit_safe = each_commit_safe
        self._first_rows = first_rows
        self._health = StoreHealth(tell, standing)
        self._changed = threading.Condition()
        self._first: list[Row] = []
        self._rows: list[Row] = []
        self._written = 0
        self._ever = 0
        self._safe = 0
        """How many of the rows ever put were written when the file was last made safe."""
        self._merged = 0
        """The same for when the log of SQLite was merged into it: since then what was deleted is gone."""
        self._wanted = False
        self._safe_wanted = False
        self._tidy: list[Row] = []
        self._asked: list[tuple[Question[Any], Future[Any]]] = []
        self._closing = False
        self._failing = False
        self._overflowed = False
        self._complete = True
        self._dirty = False
        self._attempts = 0
        self._safe_at = time.monotonic()
        self._began_at: float | None = None
        self._file_lock = lock or StoreLock(path)
        self._file = OpenFile(path, self._file_lock, self._health.degraded)
        self._thread = threading.Thread(target=self._run, name=STORE, daemon=True)
        self._thread.start()

    # -- from the loop

    def begin_session(self, rows: Sequence[Row], tidy: Sequence[Row] = ()) -> None:
        """Begin a session: what is written need not stay in memory any more. Then tidy up the file."""
        with self._changed:
            self._rows = self._rows[self._written :]
            self._written = 0
            self._overflowed = self._overflowed and len(self._rows) > MOST_ROWS // 2
            if not self._overflowed:
                self._rows += rows
                self._ever += len(rows)
            self._tidy = list(tidy)
            self._changed.notify_all()

    def put(self, rows: Sequence[Row]) -> None:
        """Write these rows soon."""
        with self._changed:
            if len(self._rows) + len(rows) > MOST_ROWS:
                self._overflow()
            if not self._overflowed:
                self._rows += rows
                self._ever += len(rows)
                self._changed.notify_all()

    def settle(self, within_s: float) -> bool:
        """Write all rows now; True if that is done within the given time."""
        with self._changed:
            self._wanted = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._failing or self._settled, within_s)
            return not self._failing and self._settled

    def ask(self, question: Question[T], within_s: float) -> T | None:
        """What the file says when all rows so far are in it; None if it does not answer within that time."""
        if not self.settle(within_s):
            return None
        answer: Future[T] = Future()
        with self._changed:
            self._asked.append((question, answer))
            self._changed.notify_all()
        try:
            return answer.result(within_s)
        except Exception as error:  # whatever stands there; too late is one of them
            log.warning("%s: a question is not answered: %r", self.path, error)
            return None

    @property
    def ever(self) -> int:
        """How many rows have been put."""
        return self._ever

    def has_written(self, ever: int) -> bool:
        """Whether the first `ever` rows have been written. This does not wait."""
        with self._changed:
            done = min(self._in_file, self._safe) if self._each_commit_safe else self._in_file
            return not self._failing and done >= ever

    def secure(self) -> Callable[[], bool]:
        """Make all rows safe against a power cut as soon as possible; what is given says whether they are."""
        with self._changed:
            self._wanted = self._safe_wanted = True
            self._changed.notify_all()
            ever = self._ever
        return lambda: min(self._merged, self._in_file) >= ever

    @property
    def failing(self) -> bool:
        """Whether the file can't be written now; that has been reported."""
        return self._failing

    @property
    def _in_file(self) -> int:
        """How many of the rows ever put are written."""
        return self._ever - len(self._first) - len(self._rows) + self._written

    @property
    def _settled(self) -> bool:
        return not self._pending and not (self._each_commit_safe and self._dirty)

    def look(self) -> None:
        """Report a disk that does not answer, since the thread that waits for it can't."""
        with self._changed:
            began_at = self._began_at
            if self._failing or began_at is None or time.monotonic() - began_at < HANGS_S:
                return
            self._failing = True
            self._changed.notify_all()
            self._health.hangs(self.path)

    def retell(self) -> None:
        """Report again what is wrong with the store, if anything is."""
        self._health.retell()

    @property
    def stuck(self) -> bool:
        """Whether the thread has ended although it should run."""
        return not self._closing and not self._thread.is_alive()

    def close(self) -> bool:
        """Write the remaining rows and close the file; True if all rows ever put were written."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        return self._complete and not self._failing and not self._pending

    def _overflow(self) -> None:
        """Drop the written rows to save memory: the session can't be written into a new file any more."""
        del self._rows[: self._written]
        self._written = 0
        was, self._overflowed = self._overflowed, len(self._rows) > MOST_ROWS // 2
        if self._overflowed and not was:
            self._complete = False
            log.error("the store can't be written for so long that what happens now is not kept")

    # -- on the thread

    def _run(self) -> None:
        over = False
        while not over:
            with self._changed:
                self._wait()
                batch = self._next()
            try:
                self._write(batch)
            except Exception as error:  # no error may end the thread
                over = self._fail(error, batch)
            else:
                over = self._succeed(batch)
                self._answer()
        self._file.close()
        self._file_lock.release()

    @property
    def _pending(self) -> bool:
        return bool(self._first) or self._written < len(self._rows)

    def _wait(self) -> None:
        """Wait until there is something to do: a group, a request, the next attempt, or the end."""
        if self._attempts:
            pause_s = RETRY_S[min(self._attempts, len(RETRY_S)) - 1]
            self._changed.wait_for(lambda: self._closing, pause_s)
            return
        safe_s = max(0.0, self._safe_at + SAFE_S - time.monotonic()) if self._dirty else LOOK_S
        if not self._changed.wait_for(self._has_work, min(safe_s, LOOK_S)):
            self._safe_wanted = safe_s <= LOOK_S and self._dirty
        elif self._pending and not self._wanted:
            self._changed.wait_for(lambda: self._wanted or self._closing, GROUP_S)

    def _has_work(self) -> bool:
        wanted = self._wanted or self._safe_wanted or self._closing
        return bool(wanted or self._pending or self._tidy or self._asked)

    def _next(self) -> _Batch:
        safe = self._safe_wanted or self._closing
        self._wanted = self._safe_wanted = False
        self._began_at = time.monotonic()
        return _Batch(self._first, self._rows[self._written :], self._tidy, safe, self._closing)

    def _write(self, batch: _Batch) -> None:
        self._file.look()
        if not (batch.all or batch.safe or self._attempts):
            return
        self._file.open()
        if batch.all:
            self._committed(batch, self._file.write(batch.all))
        if batch.tidy:
            self._file.shrink()
        if self._each_commit_safe or batch.safe:
            self._file.make_safe(self._dirty, merge=batch.safe)
            with self._changed:
                self._dirty = False
                self._safe = self._in_file
                self._merged = self._safe if batch.safe else self._merged
            self._safe_at = time.monotonic()

    def _committed(self, batch: _Batch, wrong: Sequence[int]) -> None:
        """All rows except the wrong ones are in the file, and are not written again if something fails."""
        with self._changed:
            self._dirty = True
            if self._first is batch.first:
                self._first = []
            if self._tidy is batch.tidy:
                self._tidy = []
            self._written = min(self._written + len(batch.rows), len(self._rows))
            begun = self._written - len(batch.rows)
            for place in reversed(wrong):
                if 0 <= place - len(batch.first) < len(batch.rows):
                    del self._rows[begun + place - len(batch.first)]
                    self._written -= 1
            self._changed.notify_all()

    def _succeed(self, batch: _Batch) -> bool:
        """A batch was written; True if it was the last one."""
        self._attempts = 0
        with self._changed:
            self._began_at = None
            self._failing = False
            self._changed.notify_all()
            self._health.written()
        return batch.closing and not self._pending

    def _answer(self) -> None:
        """Answer what was asked; an error is for who has asked."""
        with self._changed:
            asked, self._asked = self._asked, []
        for question, answer in asked:
            try:
                answer.set_result(question(self._file.open()))
            except Exception as error:
                answer.set_exception(error)

    def _fail(self, error: Exception, batch: _Batch) -> bool:
        """The file can't be written now, and the game goes on; True if that was the last attempt."""
        self._attempts += 1
        try:
            has_begun_new_file = self._repair(error)
        except Exception as another:
            has_begun_new_file = False
            self._health.failed(self.path, another)
        with self._changed:
            self._began_at = None
            self._failing = True
            self._safe_wanted = self._safe_wanted or batch.safe
            self._changed.notify_all()
        if not batch.closing or (has_begun_new_file and self._attempts < LAST_ATTEMPTS):
            return False
        lost = len(batch.first) + len(batch.rows)
        if lost:
            log.error("%s: %d rows could not be written any more", self.path, lost)
        return True

    def _repair(self, error: Exception) -> bool:
        """Prepare the next attempt, and report what is wrong; True if a new file begins."""
        if isinstance(error, Removed) or self._file.is_removed:
            self._file.leave()
            log.error("%s: %s", self.path, REMOVED.seen)
            self._begin_new_file(REMOVED)
            return True
        if isinstance(error, Overwritten):
            return self._save_from(error)
        self._file.close()
        if is_damage(error):
            return self._replace(error)
        self._health.failed(self.path, error)
        return False

    def _save_from(self, error: Overwritten) -> bool:
        """Save what is in memory, since another program has changed the file; True if that is possible."""
        self._file.abandon()
        if not error.log_only:
            return self._replace(error)
        seen = f"{error}; what has been played since the last start of a session is written again"
        log.error("%s", seen)
        self._begin_new_file(Health(STORE, Condition.DEGRADED, seen))
        return True

    def _replace(self, error: Exception) -> bool:
        """Begin a new file, since this one can't be used; True if that is possible."""
        try:
            health = keep_aside(self.path, error, self._now_text())
        except OSError as trouble:
            seen = f"{self.path}: {error}, and it can't be moved: {trouble.strerror}"
            self._health.lost(seen, "move it away, or check the permissions")
            return False
        self._begin_new_file(health)
        return True

    def _begin_new_file(self, health: Health) -> None:
        """Write the first rows and the whole present session into a new file."""
        with self._changed:
            self._written = 0
        self._health.degraded(health)
        try:
            first = list(self._first_rows())
        except Exception:
            log.exception("what a new file begins with can't be had")
            return
        with self._changed:
            self._first = first
