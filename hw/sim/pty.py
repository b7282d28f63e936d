"""A device model behind a pseudo-terminal, in real time: pyserial opens it like any port."""

from __future__ import annotations

import contextlib
import errno
import os
import termios
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path

from hw.uart.port import SerialEnd
from hw.work import nobody_to_wake

PIECE = 64
"""So many bytes arrive together, at the end of the last of them."""
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

    def put(self, data: bytes, now_ns: int, byte_ns: int) -> None:
        """Send bytes, after those that are on their way."""
        self._there_ns = max(self._there_ns, now_ns)
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self._there_ns += len(piece) * byte_ns
            self._under_way.append((self._there_ns, piece))

    def take(self, now_ns: int) -> list[tuple[int, bytes]]:
        """What has arrived by now, each piece with its moment."""
        arrived = []
        while self._under_way and self._under_way[0][0] <= now_ns:
            arrived.append(self._under_way.popleft())
        return arrived

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
                self._in.put(self.garble(data) if self.garble else data, now_ns, pace_ns)
        for t_ns, piece in self._in.take(now_ns):
            self.far_end.received(piece, t_ns)
        due_ns = self.far_end.step(now_ns)
        answer = self.far_end.take_outgoing()
        if answer and not self.silent:
            self._out.put(self.garble(answer) if self.garble else answer, now_ns, pace_ns)
        for _, piece in self._out.take(now_ns):
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
