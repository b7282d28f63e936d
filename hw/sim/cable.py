"""Serial lines with a device model at their far end.

One is a cable in virtual time, the other a pseudo-terminal in real time, which pyserial opens like any port.
"""

from __future__ import annotations

import contextlib
import errno
import os
import termios
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path

from hw.serial_port import SerialEnd
from hw.sim.agenda import Agenda
from hw.work import nobody_to_wake

PIECE = 64
"""So many bytes arrive together, at the end of the last of them."""
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

    def deliver_all(self) -> None:
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


BITS = 10
SPEEDS = {
    getattr(termios, f"B{baud}"): baud
    for baud in (300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
}


def byte_ns(terminal: int) -> int:
    """How long a byte takes at the speed that a terminal is set to; 0 at one that is not known."""
    baud = SPEEDS.get(termios.tcgetattr(terminal)[5], 0)
    return BITS * 1_000_000_000 // baud if baud else 0


class PacedWire:
    """What is on its way in one direction."""

    def __init__(self) -> None:
        self._under_way: deque[tuple[int, bytes]] = deque()
        self._there_ns = 0

    @property
    def due_ns(self) -> int | None:
        """When something arrives next."""
        return self._under_way[0][0] if self._under_way else None

    def send(self, data: bytes, now_ns: int, byte_ns: int) -> None:
        """Send bytes, after those that are on their way."""
        self._there_ns = max(self._there_ns, now_ns)
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self._there_ns += len(piece) * byte_ns
            self._under_way.append((self._there_ns, piece))

    def arrived(self, now_ns: int) -> list[tuple[int, bytes]]:
        """What has arrived by now, each piece with its moment."""
        pieces = []
        while self._under_way and self._under_way[0][0] <= now_ns:
            pieces.append(self._under_way.popleft())
        return pieces

    def cut(self) -> None:
        """What is on its way is lost."""
        self._under_way.clear()
        self._there_ns = 0


class PtyPeer:
    """The far end's work. The port is `path`, a link that comes and goes with the plug.

    Give it an owner of its own, as any work. Bytes take their time either way, at the speed to which
    the near end has set the terminal. Faults as for the cable in virtual time;
    `silent` lets nothing through in either direction.
    """

    def __init__(self, far_end: SerialEnd, path: Path, name: str = "peer") -> None:
        self.name = name
        self.wake: Callable[[], None] = nobody_to_wake
        self.far_end = far_end
        self.path = path
        self.garble: Callable[[bytes], bytes] | None = None
        self.silent = False
        self.reads = True
        self._wanted = True
        self._stepped_ns = 0
        self._in, self._out = PacedWire(), PacedWire()
        self._master: int | None = None
        self._slave: int | None = None

    def unplug(self) -> None:
        """Pull the plug, from any thread."""
        self._wanted = False
        self.wake()

    def plug(self) -> None:
        """Put it in again: another terminal under the same name."""
        self._wanted = True
        self.wake()

    def descriptors(self) -> list[int]:
        return [self._master] if self._master is not None and self.reads else []

    def step(self, now_ns: int) -> int | None:
        self._stepped_ns = now_ns
        if self._wanted != (self._master is not None):
            self._connect(now_ns) if self._wanted else self._disconnect(now_ns)
        if self._master is None:
            return None
        pace_ns = byte_ns(self._master)
        if self.reads:
            data = self._read(self._master)
            if data and not self.silent:
                self._in.send(self.garble(data) if self.garble else data, now_ns, pace_ns)
        for t_ns, piece in self._in.arrived(now_ns):
            self.far_end.received(piece, t_ns)
        due_ns = self.far_end.step(now_ns)
        answer = self.far_end.take_outgoing()
        if answer and not self.silent:
            self._out.send(self.garble(answer) if self.garble else answer, now_ns, pace_ns)
        for _, piece in self._out.arrived(now_ns):
            with contextlib.suppress(BlockingIOError):  # nobody reads: the bytes are lost, as on a wire
                os.write(self._master, piece)
        return min(
            (due for due in (due_ns, self._in.due_ns, self._out.due_ns) if due is not None), default=None
        )

    def report_again(self) -> None:
        """Do nothing: a simulated device reports no health."""

    def close(self) -> None:
        if self._master is not None:
            self._disconnect(self._stepped_ns)

    def _connect(self, now_ns: int) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._slave))
        self.far_end.opened(now_ns)

    def _disconnect(self, now_ns: int) -> None:
        self.path.unlink(missing_ok=True)
        for descriptor in (self._slave, self._master):
            if descriptor is not None:
                os.close(descriptor)
        self._master = self._slave = None
        self._in.cut()
        self._out.cut()
        self.far_end.closed(now_ns)

    @staticmethod
    def _read(master: int) -> bytes:
        try:
            return os.read(master, 4096)
        except BlockingIOError:
            return b""
        except OSError as error:  # on Linux that is how a terminal says that nobody has it open
            if error.errno != errno.EIO:
                raise
            return b""
