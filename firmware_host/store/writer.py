"""The one thread that writes the store: rows go in from the loop, transactions go to the file.

Rows are written in groups. The loop asks for `settle` before something is shown that hangs on them, and
waits for that only as long as it can afford. What SQLite has committed survives the end of the
process; at round ends, and every few seconds while something is written, it is made to survive the end of the
power too.

A game never stops for the file. While it can't be written (disk full, card pulled) the rows of the present
session stay in memory and are tried again. A file that is broken, or that another program has changed, is
kept aside, one that is taken away is left, and a new one begins with the whole present session. If only the
log of SQLite was changed, the present session is written into the same file again. Nothing ends the thread
before its time: an error that nobody has thought of is told, and it is tried again as well.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.store.damage import Overwritten, is_damage
from firmware_host.store.open_file import OpenFile, Removed
from firmware_host.store.open_file import Row as Row
from firmware_host.store.store_health import REMOVED, StoreHealth
from firmware_host.store.store_lock import StoreLock
from firmware_host.store.store_opening import STORE, keep_aside
from hw.ports import Condition, Health, Tell

GROUP_S = 0.1
SAFE_S = 5.0
LOOK_S = 1.0
"""So often it is looked whether another program has taken the file away or changed it."""
HANGS_S = 5.0
"""A disk that does not answer for so long is told of."""
RETRY_S = (0.5, 1.0, 2.0, 5.0, 10.0)
LAST_ATTEMPTS = 3
"""So often a new file may begin at the end; each has to be written."""
MOST_ROWS = 300_000
"""More rows of one session are not kept in memory: some hundred megabytes."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is done at once: the rows of a new file, a group, and what is let go of after it."""

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
        anew: Callable[[], Sequence[Row]] = tuple,
        standing: Health | None = None,
        lock: StoreLock | None = None,
    ) -> None:
        """`anew` gives what any new file begins with; `standing` is what has been told of the file so far.

        The lock on the file is released at the end.
        """
        self.path = path
        self._now_text = now_text
        self._each_commit_safe = each_commit_safe
        self._anew = anew
        self._health = StoreHealth(tell, standing)
        self._changed = threading.Condition()
        self._first: list[Row] = []
        self._rows: list[Row] = []
        self._written = 0
        self._ever = 0
        self._wanted = False
        self._safe_wanted = False
        self._tidy: list[Row] = []
        self._closing = False
        self._failing = False
        self._overflowed = False
        self._complete = True
        self._dirty = False
        self._attempts = 0
        self._safe_at = time.monotonic()
        self._began_at: float | None = None
        self._lock_on_file = lock or StoreLock(path)
        self._file = OpenFile(path, self._lock_on_file, self._health.degraded)
        self._thread = threading.Thread(target=self._run, name=STORE, daemon=True)
        self._thread.start()

    # -- from the loop

    def begin_session(self, rows: Sequence[Row], tidy: Sequence[Row] = ()) -> None:
        """What was written before needs not be kept in memory any more; then tidy up in the file."""
        with self._changed:
            self._rows = [*self._rows[self._written :], *rows]
            self._written = 0
            self._ever += len(rows)
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
                self._ever += len(rows)
                self._changed.notify_all()

    def settle(self, within_s: float) -> bool:
        """Have all that was put written now; whether it is, after at most so long."""
        with self._changed:
            self._wanted = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._failing or self._settled, within_s)
            return not self._failing and self._settled

    @property
    def ever(self) -> int:
        """How many rows were put by now."""
        return self._ever

    def has_written(self, ever: int) -> bool:
        """Whether all is written that had been put when it was so many; nobody waits for the answer."""
        with self._changed:
            waiting = len(self._first) + len(self._rows) - self._written
            safe = not (self._each_commit_safe and self._dirty)
            return not self._failing and safe and self._ever - waiting >= ever

    def secure(self) -> None:
        """Have all that was put survive the end of the power, as soon as that can be."""
        with self._changed:
            self._wanted = self._safe_wanted = True
            self._changed.notify_all()

    @property
    def _settled(self) -> bool:
        return not self._pending and not (self._each_commit_safe and self._dirty)

    def look(self) -> None:
        """Tell of a disk that does not answer: the thread that waits for it can't."""
        with self._changed:
            began_at = self._began_at
            if self._failing or began_at is None or time.monotonic() - began_at < HANGS_S:
                return
            self._failing = True
            self._changed.notify_all()
            self._health.hangs(self.path)

    def retell(self) -> None:
        """Tell anew what is wrong with the store, if anything is."""
        self._health.retell()

    @property
    def stuck(self) -> bool:
        """Whether the thread has ended before its time."""
        return not self._closing and not self._thread.is_alive()

    def close(self) -> bool:
        """Write what is there, and let go of the file; whether all that was ever put is written."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        return self._complete and not self._failing and not self._pending

    def _overflow(self) -> None:
        """Too much to be kept: what was written is let go; the session can't be written anew any more."""
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
                turn = self._next()
            try:
                self._write(turn)
            except Exception as error:  # whatever it is, it must not end the thread
                over = self._fail(error, turn)
            else:
                over = self._succeed(turn)
        self._file.close()
        self._lock_on_file.release()

    @property
    def _pending(self) -> bool:
        return bool(self._first) or self._written < len(self._rows)

    def _wait(self) -> None:
        """Until there is something to do: a group, a wish, the next attempt, or the end."""
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
        return bool(self._pending or self._wanted or self._safe_wanted or self._closing or self._tidy)

    def _next(self) -> _Turn:
        safe = self._safe_wanted or self._closing
        self._wanted = self._safe_wanted = False
        self._began_at = time.monotonic()
        return _Turn(self._first, self._rows[self._written :], self._tidy, safe, self._closing)

    def _write(self, turn: _Turn) -> None:
        self._file.look()
        if not (turn.all or turn.safe or self._attempts):
            return
        self._file.open()
        if turn.all:
            self._committed(turn, self._file.write(turn.all))
        if turn.tidy:
            self._file.shrink()
        if self._each_commit_safe or turn.safe:
            self._file.make_safe(self._dirty, merge=turn.safe)
            self._dirty = False
            self._safe_at = time.monotonic()

    def _committed(self, turn: _Turn, wrong: Sequence[int]) -> None:
        """All but the wrong ones are in the file: whatever fails now, they are not written once more."""
        with self._changed:
            self._dirty = True
            if self._first is turn.first:
                self._first = []
            if self._tidy is turn.tidy:
                self._tidy = []
            self._written = min(self._written + len(turn.rows), len(self._rows))
            begun = self._written - len(turn.rows)
            for place in reversed(wrong):
                if 0 <= place - len(turn.first) < len(turn.rows):
                    del self._rows[begun + place - len(turn.first)]
                    self._written -= 1
            self._changed.notify_all()

    def _succeed(self, turn: _Turn) -> bool:
        """It is written; whether that was the last of it."""
        self._attempts = 0
        with self._changed:
            self._began_at = None
            self._failing = False
            self._changed.notify_all()
            self._health.written()
        return turn.closing and not self._pending

    def _fail(self, error: Exception, turn: _Turn) -> bool:
        """The file can't be written now: the game goes on; whether that was the last attempt."""
        self._attempts += 1
        try:
            has_begun_new_file = self._repair(error)
        except Exception as another:
            has_begun_new_file = False
            self._health.failed(self.path, another)
        with self._changed:
            self._began_at = None
            self._failing = True
            self._safe_wanted = self._safe_wanted or turn.safe
            self._changed.notify_all()
        if not turn.closing or (has_begun_new_file and self._attempts < LAST_ATTEMPTS):
            return False
        lost = len(turn.first) + len(turn.rows)
        if lost:
            log.error("%s: %d rows could not be written any more", self.path, lost)
        return True

    def _repair(self, error: Exception) -> bool:
        """Get ready for the next attempt, and tell what is wrong; whether a new file begins."""
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
        """Another program has changed the file: save what is in memory; whether that can be begun."""
        self._file.abandon()
        if not error.log_only:
            return self._replace(error)
        seen = f"{error}; what has been played since the last start of a session is written again"
        log.error("%s", seen)
        self._begin_new_file(Health(STORE, Condition.DEGRADED, seen))
        return True

    def _replace(self, error: Exception) -> bool:
        """The file can't be used: a new one begins; whether it can."""
        try:
            health = keep_aside(self.path, error, self._now_text())
        except OSError as trouble:
            seen = f"{self.path}: {error}, and it can't be moved: {trouble.strerror}"
            self._health.lost(seen, "move it away, or check the permissions")
            return False
        self._begin_new_file(health)
        return True

    def _begin_new_file(self, health: Health) -> None:
        """All of the present session goes into a new file, after what belongs to its beginning."""
        with self._changed:
            self._written = 0
        self._health.degraded(health)
        try:
            first = list(self._anew())
        except Exception:
            log.exception("what a new file begins with can't be had")
            return
        with self._changed:
            self._first = first
