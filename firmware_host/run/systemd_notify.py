"""Notifies systemd that the daemon is ready, reloads, ends, and is alive (see sd_notify(3)).

Nothing in here waits or raises. Without a socket to send to, as when somebody runs the daemon
by hand, all of it does nothing.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

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
