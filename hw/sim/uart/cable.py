"""A serial cable in virtual time, with a device model at its far end."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

from hw.sim.agenda import Agenda
from hw.uart.end import SerialEnd
from hw.work import nobody_to_wake


class Cable:
    """Opens as a port for `PortWork`; what is at the far end lives on the agenda.

    Faults: `unplug` and `plug`; `garble` changes what passes; `baud` makes it take time (and
    `baud = 0` takes nothing any more).
    """

    def __init__(self, far_end: SerialEnd, agenda: Agenda, baud: int = 115200) -> None:
        self.far_end = far_end
        self.baud = baud
        self.garble: Callable[[bytes], bytes] | None = None
        self.wake: Callable[[], None] = nobody_to_wake
        self._agenda = agenda
        self._plugged = True
        self._port: _CablePort | None = None
        self._due_ns: int | None = None
        self._busy_ns = 0

    def open(self) -> _CablePort:
        """The near end, as a port; raises while nothing is plugged in."""
        if not self._plugged:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._port = _CablePort(self)
        return self._port

    def unplug(self) -> None:
        """Pull the plug: the near end breaks, the far end loses its power."""
        if not self._plugged:
            return
        self._plugged = False
        if self._port is not None:
            self._port.gone = True
        self.far_end.closed(self._agenda.now_ns)
        self.wake()

    def plug(self) -> None:
        """Put it in again: the far end starts from scratch."""
        if not self._plugged:
            self._plugged = True
            self.power()

    def power(self) -> None:
        """The far end gets power."""
        self.far_end.opened(self._agenda.now_ns)
        self.run_far_end()

    def carry(self, data: bytes) -> int:
        """Take bytes from the near end; they arrive when the line has had the time."""
        now_ns = self._agenda.now_ns
        if self.baud == 0 or self._busy_ns > now_ns:
            return 0
        data = data[:64]
        self._busy_ns = now_ns + len(data) * 10 * 1_000_000_000 // self.baud
        passed = self.garble(data) if self.garble else data
        self._agenda.at(self._busy_ns, lambda: self._arrive(passed))
        return len(data)

    def _arrive(self, data: bytes) -> None:
        if self._plugged:
            self.far_end.received(data, self._agenda.now_ns)
            self.run_far_end()

    def run_far_end(self) -> None:
        """Let the far end do what is due, and plan its next step."""
        if not self._plugged:
            return
        now_ns = self._agenda.now_ns
        due_ns = self.far_end.step(now_ns)
        answer = self.far_end.take_outgoing()
        if answer and self._port is not None:
            self._port.incoming += self.garble(answer) if self.garble else answer
            self.wake()
        if due_ns is not None and (self._due_ns is None or due_ns < self._due_ns or self._due_ns <= now_ns):
            self._due_ns = due_ns
            self._agenda.at(due_ns, self.run_far_end)


class _CablePort:
    """The near end of a cable: what a serial port is on a real table."""

    def __init__(self, cable: Cable) -> None:
        self.incoming = b""
        self.gone = False
        self._cable = cable

    def fileno(self) -> int:
        return -1

    def read(self) -> bytes:
        self._check()
        data, self.incoming = self.incoming, b""
        return data

    def write(self, data: bytes) -> int:
        self._check()
        return self._cable.carry(data)

    def close(self) -> None:
        self.gone = True

    def _check(self) -> None:
        if self.gone:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
