"""What the daemon and the system around it tell each other: systemd, Unix signals, and the log.

Systemd is notified that the daemon is ready, reloads, ends, and is alive (see sd_notify(3)). Nothing of that
waits or raises. Without a socket to send to, as when somebody runs the daemon by hand, it does nothing.

Signals ask the daemon to end, or to read its configuration again.

The log has the weight of each line for the journal, or its time for a person. Whoever logs never waits. A
journal on a busy SD card may take its time, and the loop has none to spare: lines go through a queue to a
thread of their own. If it is full, lines are lost, and the log says so.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from types import FrameType, TracebackType

from firmware_host.model.plain_text import visible

log = logging.getLogger(__name__)


class Notifier:
    """Notifies systemd of the daemon's state."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self.watchdog_ns = _watchdog_ns(environment)
        """Silence for so long ends the daemon; None if nobody listens for `watchdog`."""
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._socket: socket.socket | None = None
        if self._address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        self._owed: list[str] = []
        """What could not be sent, one message of each kind: a lost READY=1 would have the daemon ended."""
        self._status = ""
        self._failed = False

    @property
    def watchdog_every_ns(self) -> int | None:
        """How often to call `watchdog`: twice as often as systemd insists on."""
        return None if self.watchdog_ns is None else self.watchdog_ns // 2

    def ready(self) -> None:
        """The table can be played at: after the start, and again after each `reloading`."""
        self._owe("READY=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`; sent only if it is another one than before."""
        line = " ".join(text.split())
        if line != self._status:
            self._status = line
            self._owe(f"STATUS={line}")

    def reloading(self) -> None:
        """The configuration is being read again; `ready` has to follow."""
        self._owe(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        """The daemon is about to end."""
        self._owe("STOPPING=1")

    def watchdog(self) -> None:
        """The daemon is alive. Nothing is owed of it: the next one says the same."""
        if self._pay():
            self._send("WATCHDOG=1")

    def close(self) -> None:
        """Nothing more is sent."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _owe(self, message: str) -> None:
        kind = message.partition("=")[0]
        self._owed = [*(each for each in self._owed if each.partition("=")[0] != kind), message]
        self._pay()

    def _pay(self) -> bool:
        """Send what is owed, oldest first; whether nothing is left."""
        while self._owed and self._send(self._owed[0]):
            self._owed.pop(0)
        return not self._owed

    def _send(self, message: str) -> bool:
        if self._socket is None:
            return True
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError as error:
            if not self._failed:
                log.warning("systemd could not be notified of '%s': %s", message.replace("\n", " "), error)
                self._failed = True
            return False
        return True


def _address(text: str) -> str:
    """Where to send to; an @ stands for the null byte of a socket that is no file."""
    if not text or text.startswith("/"):
        return text
    if text.startswith("@"):
        return "\0" + text[1:]
    log.warning(
        "NOTIFY_SOCKET=%s is not a socket that can be reached from here: systemd is not notified", text
    )
    return ""


def _watchdog_ns(environment: Mapping[str, str]) -> int | None:
    """How long systemd bears silence, if it is this process that it listens to."""
    for_whom = environment.get("WATCHDOG_PID", "")
    limit_us = environment.get("WATCHDOG_USEC", "")
    if for_whom and for_whom != str(os.getpid()):
        return None
    if not (limit_us.isascii() and limit_us.isdigit()) or int(limit_us) == 0:
        return None
    return int(limit_us) * 1000


class Watchdog:
    """Silence for too long ends the daemon; so it is fed as soon as everything is back."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._fed_ns: int | None = None
        self._stuck: list[str] = []

    def look(self, now_ns: int, stuck: Callable[[], list[str]]) -> None:
        """Feed it if that is due and nothing is stuck."""
        every_ns = self._notifier.watchdog_every_ns
        if every_ns is None or (self._fed_ns is not None and now_ns - self._fed_ns < every_ns):
            return
        names = stuck()
        if not names:
            self._fed_ns = now_ns
            self._notifier.watchdog()
        elif names != self._stuck:
            log.error("stuck: %s; the watchdog is not fed any more", ", ".join(names))
        self._stuck = names


END = (signal.SIGTERM, signal.SIGINT)
READ_AGAIN = signal.SIGHUP


class UnixSignals:
    """Remembers what was asked while it is open; its descriptor becomes readable with each signal."""

    def __init__(self, *, last: bool = False) -> None:
        """With `last` the process ends after them: once it was asked for that, it ignores further signals."""
        self.end = False
        self._last = last
        self._read_again = False
        self._wake = self._ending = -1
        self._before: dict[int, object] = {}

    def __enter__(self) -> UnixSignals:
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._ending = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        for number in (*END, READ_AGAIN):
            self._before[number] = signal.signal(number, self._take)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*END, READ_AGAIN})  # `cli` has kept what came before
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, before in self._before.items():
            after = signal.SIG_IGN if self._last and self.end else before
            signal.signal(number, after)  # type: ignore[arg-type]  # what was there before is right
        os.close(self._wake)
        os.close(self._ending)
        self._wake = self._ending = -1

    def fileno(self) -> int:
        """A descriptor to wait for."""
        return self._wake

    def ending_fileno(self) -> int:
        """A descriptor that becomes readable when the end is asked for, and stays so."""
        return self._ending

    def take_read_again(self) -> bool:
        """Whether the configuration is to be read again; each request is reported once."""
        asked, self._read_again = self._read_again, False
        return asked

    def quiet(self) -> None:
        """All that was asked is known."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._wake)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if number == READ_AGAIN:
            self._read_again = True
        else:
            self.end = True
        if self._wake >= 0:
            os.eventfd_write(self._wake, 1)
            if self.end:
                os.eventfd_write(self._ending, 1)


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
