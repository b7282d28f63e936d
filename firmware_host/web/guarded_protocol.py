"""HTTP connections with limits that uvicorn does not have: on time, and on how many there are.

uvicorn waits for ever for a request that arrives byte by byte, and for a client that does not read its
answer. Here each request has to be whole, head and body, within a time; an answer that nobody reads is
given up; and if there are too many connections the one that has been idle longest makes room.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_host.web.limits import USUAL, Limits
from firmware_host.web.rate_limits import network_of
from firmware_host.web.web_settings import is_loopback

MOST_HEAD = 16 * 1024
"""Bytes of a request line and its headers."""
UNREAD = 64 * 1024
"""So much the system keeps for a client that does not read; by itself it would be some megabytes for each."""


class GuardedProtocol(H11Protocol):
    """One connection."""

    limits: ClassVar[Limits] = USUAL
    open: ClassVar[dict[GuardedProtocol, str]]
    """All connections of the server, oldest first, and where they come from."""

    def __init_subclass__(cls) -> None:
        cls.open = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        self._incomplete: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._quiet_since_s = time.monotonic()
        address = self.client[0] if self.client else ""
        network = network_of(address)
        self.open[self] = network
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
        of_one = self.limits.of_this_machine if is_loopback(address) else self.limits.of_one_address
        if Counter(self.open.values())[network] > of_one:
            self._cut_off()
        elif len(self.open) > self.limits.connections:
            self._make_room()
        self._watch_request(begun=True)

    def _make_room(self) -> None:
        idle = [each for each in self.open if each is not self and each.is_idle]
        min(idle, key=lambda each: each._quiet_since_s, default=self)._cut_off()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request."""
        super().data_received(data)
        self._watch_request(begun=True)

    def on_response_complete(self) -> None:
        """An answer was given as a whole."""
        self._quiet_since_s = time.monotonic()
        super().on_response_complete()
        self._watch_request(begun=False)

    def _watch_request(self, begun: bool) -> None:
        """Start the clock if a request is awaited, and stop it once that is whole."""
        awaited = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if not awaited and self._incomplete is not None:
            self._incomplete.cancel()
            self._incomplete = None
        if awaited and begun and self._incomplete is None and not self.transport.is_closing():
            self._incomplete = self.loop.call_later(self.limits.request_s, self._cut_off)

    def pause_writing(self) -> None:
        """More is waiting for this client than it reads."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.limits.unread_s, self._cut_off)

    def resume_writing(self) -> None:
        """It has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self.open.pop(self, None)
        for timer in (self._incomplete, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def _cut_off(self) -> None:
        """End it at once, whatever waits to be sent."""
        self.open.pop(self, None)
        self.transport.abort()


def guarded(limits: Limits) -> type[GuardedProtocol]:
    """The connections of one server, with these limits."""
    attributes: dict[str, Any] = {"limits": limits}
    return type("LimitedProtocol", (GuardedProtocol,), attributes)
