"""A serial port and its owner's work: open, feed, drain, and open again after an unplugging."""

from __future__ import annotations

import contextlib
import errno
import select
import termios
from collections.abc import Callable
from typing import Any, Protocol

from hw.ports import Condition, Health, Tell
from hw.work import Backoff, nobody_to_wake

# One end of a serial line as bytes in and bytes out: no port, no thread, no clock.
#
# Drivers are written this way, and so are the simulated devices at the other end. What joins
# two ends is a real port, a pseudo-terminal, or a cable in virtual time.


class SerialEnd(Protocol):
    """One end of a line. All calls come from one owner, one at a time."""

    def opened(self, now_ns: int) -> None:
        """The line is up, for the first time or again: begin from scratch."""

    def closed(self, now_ns: int) -> None:
        """The line is down; what was under way is lost."""

    def received(self, data: bytes, now_ns: int) -> None:
        """Bytes have come in."""

    def step(self, now_ns: int) -> int | None:
        """Do what is due; when to be called next (None: when bytes come in, or when woken)."""

    def take_outgoing(self) -> bytes:
        """The bytes to be sent now; they are taken out."""


class Device(SerialEnd, Protocol):
    """A driver's end: it knows how the device at the other end is."""

    name: str
    wake: Callable[[], None]
    """Ask for `step`, from any thread; the port puts itself in here."""

    @property
    def health(self) -> Health:
        """How it is now."""

    def rest(self) -> bytes:
        """The bytes that leave the device as an idle table should be."""


BROKEN = (OSError, termios.error)
"""What pyserial raises when a port goes away: its own errors are OSErrors."""

AGAIN_NS = 10_000_000
STEADY_NS = 5_000_000_000
"""A port that has been open for so long is steady; new reasons for an old fault are reported this seldom."""
STALLED_NS = 2_000_000_000
SELDOM_NS = 100_000_000
"""How soon a port that takes nothing is tried again: soon at first, then seldom."""

LOOK = "`ls /dev/ligretto /dev/serial/by-id` shows what is there"
NOT_THERE = ("is not plugged in", f"plug it in; {LOOK}")
TAKEN = ("is used by another program", "end the other program, or name another port")
NO_PORT = ("is not a serial port", f"name another port; {LOOK}")
UNPLUGGED = ("was unplugged", "check its plug and its power")
CANT_OPEN = {
    errno.ENOENT: NOT_THERE,
    errno.ENODEV: NOT_THERE,
    errno.ENXIO: NOT_THERE,
    errno.EACCES: ("may not be opened by this user", "add the user to the group dialout"),
    errno.EPERM: ("may not be opened by this user", "add the user to the group dialout"),
    errno.EBUSY: TAKEN,
    errno.EWOULDBLOCK: TAKEN,
    errno.ENOTTY: NO_PORT,
    errno.EISDIR: NO_PORT,
    errno.EIO: ("has no hardware behind it", "switch the port on (raspi-config), or name another one"),
}
STALLED = ("takes no data", "check its cable and switch its flow control off")


class OpenPort(Protocol):
    """An open port that never waits. Every call raises an OSError or termios.error if it is gone."""

    def fileno(self) -> int:
        """A descriptor to wait for, or -1 if its owner is woken in another way."""

    def read(self) -> bytes:
        """What has come in by now."""

    def write(self, data: bytes) -> int:
        """Send as much as can be sent at once; how many bytes that was."""

    def close(self) -> None:
        """Release it."""


class PortWork:
    """The work of one serial port: `open_port` opens it, `device` speaks through it."""

    def __init__(self, open_port: Callable[[], OpenPort], device: Device, tell: Tell) -> None:
        self.name = device.name
        self.wake: Callable[[], None] = nobody_to_wake
        self._open_port = open_port
        self._device = device
        self._tell = tell
        self._port: OpenPort | None = None
        self._unsent = b""
        self._moved_ns = 0
        self._backoff = Backoff()
        self._retry_ns: int | None = None
        self._opened_ns = 0
        self._reported: Health | None = Health(device.name, Condition.OK)
        self._reported_ns = 0
        device.wake = lambda: self.wake()

    def descriptors(self) -> list[int]:
        return [] if self._port is None or self._port.fileno() < 0 else [self._port.fileno()]

    def step(self, now_ns: int) -> int | None:
        if self._port is None and (self._retry_ns is None or now_ns >= self._retry_ns):
            self._open(now_ns)
        port = self._port
        if port is None:
            return self._retry_ns
        try:
            data = port.read()
            if data:
                self._device.received(data, now_ns)
            due_ns = self._device.step(now_ns)
            send_ns = self._send(port, now_ns)
        except BROKEN as error:
            self._lose(error, now_ns)
            return self._retry_ns
        self._say(self._lost(STALLED) if self._is_stalled(now_ns) else self._device.health, now_ns)
        if send_ns is not None and (due_ns is None or send_ns < due_ns):
            return send_ns
        return due_ns

    def report_again(self) -> None:
        """Report the device's health again, as if nothing had been reported."""
        self._reported = None

    def close(self) -> None:
        port, self._port = self._port, None
        if port is None:
            return
        with contextlib.suppress(*BROKEN):  # a port that is gone has no device to leave at rest
            last = self._unsent + self._device.rest()
            while last and (sent := port.write(last)):
                last = last[sent:]
        with contextlib.suppress(*BROKEN):
            port.close()

    def _open(self, now_ns: int) -> None:
        try:
            self._port = self._open_port()
        except BROKEN as error:
            self._lose(error, now_ns)
            return
        self._retry_ns = None
        self._unsent = b""
        self._moved_ns = self._opened_ns = now_ns
        self._device.opened(now_ns)

    def _send(self, port: OpenPort, now_ns: int) -> int | None:
        """Send what the port takes; when to go on, if it does not take all."""
        while True:
            if not self._unsent:
                self._moved_ns = now_ns
                self._unsent = self._device.take_outgoing()
                if not self._unsent:
                    return None
            sent = port.write(self._unsent)
            if not sent:
                return now_ns + (SELDOM_NS if self._is_stalled(now_ns) else AGAIN_NS)
            self._unsent = self._unsent[sent:]
            self._moved_ns = now_ns

    def _is_stalled(self, now_ns: int) -> bool:
        return bool(self._unsent) and now_ns - self._moved_ns > STALLED_NS

    def _lose(self, error: Exception, now_ns: int) -> None:
        port, self._port = self._port, None
        if port is None:
            why = CANT_OPEN.get(_number(error), (str(error), UNPLUGGED[1]))
        else:
            # A port that was there a moment ago and breaks was unplugged, whatever its error says.
            why = UNPLUGGED
            if now_ns - self._opened_ns >= STEADY_NS:
                self._backoff.reset()
            self._device.closed(now_ns)
            with contextlib.suppress(*BROKEN):  # it is gone already
                port.close()
        self._retry_ns = self._backoff.after(now_ns)
        self._say(self._lost(why), now_ns)

    def _lost(self, why: tuple[str, str]) -> Health:
        return Health(self.name, Condition.LOST, *why)

    def _say(self, health: Health, now_ns: int) -> None:
        """Report a change; for a device that stays degraded, a changed reason only now and then."""
        last = self._reported
        if health is last or health == last:  # as a rule it is the same: this is asked at each step
            return
        shaky = last is not None and health.condition is last.condition is Condition.DEGRADED
        if shaky and now_ns - self._reported_ns < STEADY_NS:
            return
        self._reported = health
        self._reported_ns = now_ns
        self._tell(health)


def _number(error: BaseException | None) -> int:
    """The error's number, or that of the one behind it: pyserial does not pass on all of them."""
    while error is not None:
        if isinstance(error, OSError) and error.errno:
            return error.errno
        if isinstance(error, termios.error) and isinstance(error.args[0], int):
            return error.args[0]
        error = error.__context__
    return 0


PIECE = 64
"""Bytes handed to the system at a time, so that a slow port is noticed and can be left."""


class PyserialPort:
    """An open port; `path` should be one of /dev/ligretto or /dev/serial/by-id, which survives replugging."""

    def __init__(self, path: str, baud: int, *, bits: int = 8, parity: str = "N") -> None:
        import serial

        # Everything is given here: a pseudo-terminal refuses some changes afterwards.
        self._port: Any = serial.Serial(
            path, baud, bytesize=bits, parity=parity, timeout=0, write_timeout=0, exclusive=True
        )

    def fileno(self) -> int:
        return int(self._port.fileno())

    def read(self) -> bytes:
        """What has come in by now; raises if the port is gone."""
        return bytes(self._port.read(self._port.in_waiting or 1))

    def write(self, data: bytes) -> int:
        """Send as much as the system takes at once; how many bytes that was."""
        # pyserial loops when it may not wait and the port is full; so ask the port first.
        if not select.select((), [self._port.fileno()], (), 0)[1]:
            return 0
        return int(self._port.write(data[:PIECE]))

    def close(self) -> None:
        self._port.close()
