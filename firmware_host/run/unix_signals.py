"""What the system asks of the daemon by signals: to end, or to read its configuration again."""

from __future__ import annotations

import contextlib
import os
import signal
from types import FrameType, TracebackType

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
