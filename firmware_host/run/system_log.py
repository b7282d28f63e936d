"""The daemon's log: with the weight of each line for the journal, or with its time for a person.

Whoever logs never waits. A journal on a busy SD card may take its time, and the loop has none to
spare: lines go through a queue to a thread of their own. If it is full, lines are lost, and the log says so.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import threading
from collections.abc import Iterator, Mapping
from queue import SimpleQueue

from firmware_host.model.plain_text import visible

LEVELS = ("debug", "info", "warning", "error")
"""What `--log-level` may be; the daemon logs this and whatever weighs more."""

CAPACITY = 1000
PATIENCE_S = 2.0
"""So long the end of the daemon waits for its last lines to be written."""

WEIGHTS = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""From here on a line has this syslog level; below that it is 7."""

STDERR = 2


@contextlib.contextmanager
def logging_to(
    descriptor: int = STDERR, level: str = "info", environment: Mapping[str, str] = os.environ
) -> Iterator[None]:
    """Within, everything that is logged anywhere goes there; at the end what is left is written."""
    form = ForJournal() if is_journal(descriptor, environment) else ForPeople()
    handler = QueuedHandler(descriptor, form)
    root = logging.getLogger()
    level_before = root.level
    root.addHandler(handler)
    root.setLevel(level.upper())
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level_before)
        handler.close()


def is_journal(descriptor: int, environment: Mapping[str, str]) -> bool:
    """Whether what is written there goes to the journal, as systemd says in JOURNAL_STREAM."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


class ForPeople(logging.Formatter):
    """Lines with the time in front."""

    default_msec_format = "%s.%03d"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")


class ForJournal(logging.Formatter):
    """Lines with their weight in front, each line of a traceback too; the journal has the time itself."""

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        weight = next((number for least, number in WEIGHTS if record.levelno >= least), 7)
        return "\n".join(f"<{weight}>{line}" for line in super().format(record).splitlines())


class QueuedHandler(logging.Handler):
    """Hands lines to a thread that writes them; it never makes anybody wait."""

    def __init__(
        self,
        descriptor: int,
        form: logging.Formatter,
        *,
        capacity: int = CAPACITY,
        patience_s: float = PATIENCE_S,
    ) -> None:
        super().__init__()
        self.setFormatter(form)
        self._descriptor = descriptor
        self._capacity = capacity
        self._patience_s = patience_s
        # This kind of queue may be put into by a signal handler that interrupts somebody who does the same.
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._lost = 0
        self._counting = threading.RLock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
        except Exception as error:  # a mistake in what was logged must not reach whoever logged it
            line = self._line(f"a line could not be logged ({error!r}): {record.msg!r}")
        # Once lines are lost, all are until there is room for many: one long gap is easier to read around.
        if self._lines.qsize() >= (self._capacity // 2 if self._lost else self._capacity):
            with self._counting:
                self._lost += 1
            return
        self._note_lost()
        self._lines.put(line)

    def close(self) -> None:
        """Let the thread write what is left, if that goes in good time."""
        if not self._closed:
            self._closed = True
            self._note_lost()
            self._lines.put(None)
            self._thread.join(self._patience_s)
        super().close()

    def _note_lost(self) -> None:
        """A line in the place of those that are missing."""
        with self._counting:
            lost, self._lost = self._lost, 0
        if lost:
            self._lines.put(
                self._line(f"{lost} log lines were lost here: they could not be written fast enough")
            )

    def _line(self, text: str) -> str:
        return self.format(logging.LogRecord(__name__, logging.WARNING, __file__, 0, text, None, None))

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            if not self._write(visible(line).encode() + b"\n"):
                return
            if self._lines.empty():
                self._note_lost()  # nobody may log anything for hours

    def _write(self, left: bytes) -> bool:
        """Write all of it, however long that takes; False if nobody reads any more."""
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:
                select.select((), (self._descriptor,), ())
            except OSError:
                return False
        return True
