"""What every request has to pass, whatever it is for: known host, bearable rate, own origin.

No header of a proxy is believed. Every answer gets the headers that keep a browser from doing more with it
than is meant.
"""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any, ClassVar
from urllib.parse import urlsplit

import h11
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_host.web.shares import Places, RateLimit
from firmware_host.web.web_settings import Limits, WebSettings, is_here
from firmware_host.web.web_table import JsonAnswer, Tally

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
MOST_TARGET = 2 * 1024
MOST_HEADERS = 12 * 1024
SAFE_METHODS = ("GET", "HEAD")


class Guard:
    """Lets through what may pass, to the app inside."""

    def __init__(self, app: ASGIApp, settings: WebSettings, limits: Limits) -> None:
        self._app = app
        self._settings = settings
        self._remote = RateLimit(limits.rate)
        self._local = RateLimit(limits.rate_of_this_machine)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> JsonAnswer | None:
        headers = Headers(scope=scope)
        address = scope["client"][0] if scope.get("client") else ""
        limit = self._local if is_here(scope.get("client"), scope.get("server")) else self._remote
        wait_s = limit.wait_s(address, time.monotonic())
        if wait_s > 0:
            return _refused(429, "too many requests", {"Retry-After": str(int(wait_s) + 1)})
        if (
            len(scope["raw_path"]) + len(scope["query_string"]) > MOST_TARGET
            or _length(headers) > MOST_HEADERS
        ):
            return _refused(431, "the request is too long")
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._settings.knows_host(host_name(host)):
            return _refused(421, f"this table does not go by that name; see --allow-host ({_shown(host)})")
        if scope["method"] not in SAFE_METHODS and not _own_origin(headers, host):
            return _refused(403, "only pages of this table may ask for that")
        return None


def host_name(host: str) -> str:
    """A Host header without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _own_origin(headers: Headers, host: str) -> bool:
    """Whether a page of this very server asks."""
    origins = headers.getlist("origin")
    return len(origins) == 1 and origins[0] in (f"http://{host}", f"https://{host}")


def _length(headers: Headers) -> int:
    return sum(len(name) + len(text) for name, text in headers.raw)


def _shown(host: str) -> str:
    return "".join(letter for letter in host[:60] if letter.isalnum() or letter in ".-:[]")


def _refused(status: int, why: str, headers: dict[str, str] | None = None) -> JsonAnswer:
    return JsonAnswer({"ok": False, "why": why}, status, headers)


# HTTP connections with limits that uvicorn does not have: on time, and on how many there are.
#
# uvicorn waits for ever for a request that arrives byte by byte, and for a client that does not read its
# answer. Here each request has to be whole, head and body, within a time; an answer that nobody reads is
# given up; and if there are too many connections, one that waits for its request makes room. Only a
# connection whose request is whole is being served.


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
