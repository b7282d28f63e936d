"""A serial port and its owner's work: open, feed, drain, and open again after an unplugging."""

from __future__ import annotations

import contextlib
import errno
import termios
from collections.abc import Callable
from typing import Protocol

from hw.backoff import Backoff
from hw.ports import Condition, Health, Tell
from hw.uart.end import Device
from hw.work import nobody_to_wake

Words = tuple[Condition, str, str]
"""How a device is, what was seen, what to do."""

BROKEN = (OSError, termios.error)
"""What pyserial lets out when a port goes away: its own errors are OSErrors."""

AGAIN_NS = 10_000_000
STALLED_NS = 2_000_000_000
SEEN = {
    errno.ENOENT: "is not plugged in",
    errno.ENODEV: "is not plugged in",
    errno.EACCES: "this user may not open it",
    errno.EBUSY: "another program uses it",
    errno.EWOULDBLOCK: "another program uses it",
    errno.EIO: "was unplugged",
}
ADVICE = {
    errno.ENOENT: "plug it in; `ls /dev/serial/by-id` shows what is there",
    errno.ENODEV: "plug it in; `ls /dev/serial/by-id` shows what is there",
    errno.EACCES: "add the user to the group dialout",
    errno.EBUSY: "end the other program, or name another port",
    errno.EWOULDBLOCK: "end the other program, or name another port",
}
USUAL_ADVICE = "check its plug and its power"
STALLED: Words = (Condition.DEGRADED, "takes no data", "check its cable and switch its flow control off")


class Port(Protocol):
    """An open port that never waits. Every call raises an OSError or termios.error if it is gone."""

    def fileno(self) -> int:
        """A descriptor to wait for, or -1 if its owner is woken in another way."""

    def read(self) -> bytes:
        """What has come in by now."""

    def write(self, data: bytes) -> int:
        """Send as much of it as goes at once; how much that was."""

    def close(self) -> None:
        """Let go of it."""


class PortWork:
    """The work of one serial port: `open_port` opens it, `device` speaks through it."""

    def __init__(self, open_port: Callable[[], Port], device: Device, tell: Tell) -> None:
        self.name = device.name
        self.wake: Callable[[], None] = nobody_to_wake
        self._open_port = open_port
        self._device = device
        self._tell = tell
        self._port: Port | None = None
        self._unsent = b""
        self._moved_ns = 0
        self._backoff = Backoff()
        self._retry_ns: int | None = None
        self._told: Words = (Condition.OK, "", "")

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
                self._backoff.reset()
                self._device.received(data, now_ns)
            due_ns = self._device.step(now_ns)
            send_ns = self._send(port, now_ns)
        except BROKEN as error:
            self._lose(error, now_ns)
            return self._retry_ns
        self._say(STALLED if self._is_stalled(now_ns) else self._device.health)
        if send_ns is not None and (due_ns is None or send_ns < due_ns):
            return send_ns
        return due_ns

    def close(self) -> None:
        port, self._port = self._port, None
        if port is None:
            return
        with contextlib.suppress(*BROKEN):  # if it is gone, nothing is left to be put to rest
            port.write(self._unsent + self._device.rest())
            port.close()

    def _open(self, now_ns: int) -> None:
        try:
            self._port = self._open_port()
        except BROKEN as error:
            self._lose(error, now_ns)
            return
        self._retry_ns = None
        self._unsent = b""
        self._moved_ns = now_ns
        self._device.opened(now_ns)

    def _send(self, port: Port, now_ns: int) -> int | None:
        """Send what the port takes; when to go on, if it does not take all."""
        while True:
            if not self._unsent:
                self._unsent = self._device.take_outgoing()
                if not self._unsent:
                    self._moved_ns = now_ns
                    return None
            sent = port.write(self._unsent)
            if not sent:
                return now_ns + AGAIN_NS
            self._unsent = self._unsent[sent:]
            self._moved_ns = now_ns
            self._backoff.reset()

    def _is_stalled(self, now_ns: int) -> bool:
        return bool(self._unsent) and now_ns - self._moved_ns > STALLED_NS

    def _lose(self, error: Exception, now_ns: int) -> None:
        port, self._port = self._port, None
        if port is not None:
            self._device.closed(now_ns)
            with contextlib.suppress(*BROKEN):  # it is gone already
                port.close()
        self._retry_ns = self._backoff.after(now_ns)
        number = getattr(error, "errno", None) or (error.args[0] if isinstance(error, termios.error) else 0)
        # A port that was there a moment ago and breaks was unplugged, whatever the words.
        seen = SEEN.get(number, "was unplugged" if port is not None else str(error))
        self._say((Condition.LOST, seen, ADVICE.get(number, USUAL_ADVICE)))

    def _say(self, health: Words) -> None:
        if health != self._told:
            self._told = health
            self._tell(Health(self.name, *health))
