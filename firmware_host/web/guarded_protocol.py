"""HTTP connections with limits that uvicorn does not have: on time, and on how many there are.

uvicorn waits for ever for a request that arrives byte by byte, and for a client that does not read its
answer. Here each request has to be whole, head and body, within a time; an answer that nobody reads is
given up; and if there are too many connections, one that waits for its request makes room. Only a
connection whose request is whole is being served.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_host.web.limits import Limits
from firmware_host.web.shares import Places
from firmware_host.web.tally import Tally
from firmware_host.web.web_settings import is_here

MOST_HEAD = 16 * 1024
"""Bytes of a request line and its headers."""
UNREAD = 64 * 1024
"""So much the system keeps for a client that does not read; by itself it would be some megabytes for each."""


class GuardedProtocol(H11Protocol):
    """One connection."""

    limits: ClassVar[Limits]
    places: ClassVar[Places[GuardedProtocol]]
    tally: ClassVar[Tally]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
        here = is_here(self.client, self.server)
        if not self.places.take(self, self.client[0] if self.client else "", here):
            self.cut_off()
        self._watch_request()

    @property
    def awaits_request(self) -> bool:
        """Whether the next request, or the rest of it, is still to come."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request."""
        super().data_received(data)
        self._watch_request()

    def on_response_complete(self) -> None:
        """An answer was given as a whole."""
        self.places.renew(self)
        super().on_response_complete()
        if not self.awaits_request:
            self._watch_request()

    def send_400_response(self, msg: str) -> None:
        """What came is not HTTP."""
        self.tally.note("a client has sent something that is not HTTP")
        if self.cycle is not None:  # whatever is still answered is for nobody
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # an answer was begun already
            self.cut_off()

    def pause_writing(self) -> None:
        """More is waiting for this client than it reads."""
        super().pause_writing()
        self._limit("unread", self.limits.unread_s)

    def resume_writing(self) -> None:
        """It has read."""
        super().resume_writing()
        self._limit("unread", None)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self.places.leave(self)
        for what in list(self._timers):
            self._limit(what, None)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def cut_off(self) -> None:
        """End it at once, whatever waits to be sent."""
        self.places.leave(self)
        self.transport.abort()

    def _watch_request(self) -> None:
        self._limit("request", self.limits.request_s if self.awaits_request else None)

    def _limit(self, what: str, within_s: float | None) -> None:
        """Cut it off if that takes longer; None if it has ended."""
        if within_s is None:
            timer = self._timers.pop(what, None)
            if timer is not None:
                timer.cancel()
        elif what not in self._timers and not self.transport.is_closing():
            self._timers[what] = self.loop.call_later(within_s, self.cut_off)


def guarded(limits: Limits, tally: Tally) -> type[GuardedProtocol]:
    """The connections of one server, with these limits."""
    places = Places(limits.connections, GuardedProtocol.cut_off, lambda each: each.awaits_request)
    attributes: dict[str, Any] = {"limits": limits, "places": places, "tally": tally}
    return type("LimitedProtocol", (GuardedProtocol,), attributes)
