"""A serial cable in virtual time, with a device model at its far end."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable

from hw.sim.agenda import Agenda
from hw.uart.port import SerialEnd
from hw.work import nobody_to_wake

PIECE = 64
BUFFER = 4096
"""What the near end's system takes in advance of a slow line."""
BYTE_NS = 10_000_000_000
"""A byte is ten bits on the line: this long, divided by the baud rate."""


class Cable:
    """Opens as a port for `PortWork`; what is at the far end lives on the agenda.

    `wake` is to be set to the wake of the near end's owner. Faults: `unplug` and `plug`;
    `garble` changes what passes, either way; `baud` makes it take time (and `baud = 0` takes
    nothing any more).
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
        self._under_way: deque[bytes] = deque()
        self._there_ns = 0
        self._back_ns = 0
        self._power()

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
            self._port = None
        self.far_end.closed(self._agenda.now_ns)
        self.wake()

    def plug(self) -> None:
        """Put it in again: the far end starts from scratch."""
        if not self._plugged:
            self._plugged = True
            self._power()

    def carry(self, data: bytes) -> int:
        """Take bytes from the near end; they arrive when the line has had the time."""
        now_ns = self._agenda.now_ns
        if self.baud == 0:
            return 0
        self._there_ns = max(self._there_ns, now_ns)
        room = BUFFER - (self._there_ns - now_ns) * self.baud // BYTE_NS
        data = data[: max(0, min(PIECE, room))]
        self._there_ns += len(data) * BYTE_NS // self.baud
        self._under_way.append(self.garble(data) if self.garble else data)
        self._agenda.at(self._there_ns, self._arrive)
        return len(data)

    def settle(self) -> None:
        """All that is under way to the far end arrives now: no time is going to pass any more."""
        while self._under_way:
            self._arrive()

    def run_far_end(self) -> None:
        """Let the far end do what is due, and plan its next step."""
        if not self._plugged:
            return
        now_ns = self._agenda.now_ns
        due_ns = self.far_end.step(now_ns)
        self._answer(self.far_end.take_outgoing())
        if due_ns is not None and (self._due_ns is None or due_ns < self._due_ns or self._due_ns <= now_ns):
            self._due_ns = max(due_ns, now_ns + 1)
            self._agenda.at(self._due_ns, self.run_far_end)

    def _power(self) -> None:
        """The far end gets power, and starts from scratch."""
        self.far_end.opened(self._agenda.now_ns)
        self.run_far_end()

    def _arrive(self) -> None:
        data = self._under_way.popleft() if self._under_way else b""
        if self._plugged and data:
            self.far_end.received(data, self._agenda.now_ns)
            self.run_far_end()

    def _answer(self, data: bytes) -> None:
        if not data or self._port is None or self.baud == 0:
            return
        port = self._port
        passed = self.garble(data) if self.garble else data
        self._back_ns = max(self._back_ns, self._agenda.now_ns) + len(data) * BYTE_NS // self.baud
        self._agenda.at(self._back_ns, lambda: self._deliver(port, passed))

    def _deliver(self, port: _CablePort, data: bytes) -> None:
        if port is self._port and not port.gone:
            port.incoming += data
            self.wake()


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
