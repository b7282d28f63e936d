"""Listens at an address and serves the app of one table, until it is told to stop.

Every request has to pass a guard, whatever it is for: known host, bearable rate, own origin. No header of a
proxy is believed. Every answer gets the headers that keep a browser from doing more with it than is meant.

The connections have limits that uvicorn does not have. It waits for ever for a request that arrives byte by
byte, and for a client that does not read its answer. Here each request has to be whole, head and body, within
a time; an answer that nobody reads is given up; and if there are too many connections, one that waits for its
request makes room. Only a connection whose request is whole is being served.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_host.model.errors import TableError
from firmware_host.web import displays, live_routes, operators, page_files, past_routes
from firmware_host.web.access import Access, CommandPass
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.live_routes import fault_routes, stream_routes, tell_routes
from firmware_host.web.page_files import qr_routes, text_routes
from firmware_host.web.shares import Places, RateLimit
from firmware_host.web.web_table import (
    SAFE_METHODS,
    USUAL,
    FoundTable,
    JsonAnswer,
    Limits,
    Tally,
    WebSettings,
    WebTable,
    is_here,
    on_refusal,
)

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
        target = len(scope["raw_path"]) + len(scope["query_string"])
        if target > MOST_TARGET or sum(len(name) + len(text) for name, text in headers.raw) > MOST_HEADERS:
            return _refused(431, "the request is too long")
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._settings.knows_host(host_name(host)):
            shown = "".join(letter for letter in host[:60] if letter.isalnum() or letter in ".-:[]")
            return _refused(421, f"this table does not go by that name; see --allow-host ({shown})")
        own = ([f"http://{host}"], [f"https://{host}"])
        if scope["method"] not in SAFE_METHODS and headers.getlist("origin") not in own:
            return _refused(403, "only pages of this table may ask for that")
        return None


def host_name(host: str) -> str:
    """A Host header without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _refused(status: int, why: str, headers: dict[str, str] | None = None) -> JsonAnswer:
    return JsonAnswer({"ok": False, "why": why}, status, headers)


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


TOPICS: list[Callable[[WebTable], list[Route]]] = [
    text_routes,  # before the assets, among which it is
    page_files.routes,
    stream_routes,
    operators.routes,
    tell_routes,
    fault_routes,
    live_routes.routes,
    qr_routes,
    displays.routes,
    past_routes.contest_routes,
    past_routes.operator_routes,
]


def make_app(table: WebTable) -> ASGIApp:
    """The app of one table; it reads the feed as long as it runs."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        reading = asyncio.create_task(table.hub.run())
        yield
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading

    async def on_hanging_up(request: Request, error: Exception) -> Response:
        table.tally.note("a client has hung up in the middle of its request")
        return Response()  # nobody gets it

    app = Starlette(
        routes=[route for topic in TOPICS for route in topic(table)],
        exception_handlers={HTTPException: on_refusal, ClientDisconnect: on_hanging_up},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return Guard(app, table.settings, table.limits)


PAUSE_S = 0.5
"""When there are no file descriptors left, the next connection is accepted so much later."""
END_S = 2
"""How long answers may take when the process is to end."""

log = logging.getLogger(__name__)


class CantListen(TableError):
    """The address can't be had: why, and what to do."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; CantListen says why there is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CantListen(f"--host {host}: {error.strerror or error}") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        listening.close()
        advice = {
            errno.EADDRINUSE: "another program listens there; name another port with --port",
            errno.EACCES: "ports below 1024 are root's; name another one with --port",
            errno.EADDRNOTAVAIL: "this machine does not have that address",
        }.get(error.errno or 0, error.strerror)
        raise CantListen(f"can't listen at {host} port {port}: {advice}") from None
    return listening


def serve(
    listening: socket.socket,
    settings: WebSettings,
    find: Callable[[], FoundTable | None],
    limits: Limits = USUAL,
    on_alive: Callable[[], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM."""
    server = web_server(settings, find, limits, on_alive)
    server.run(sockets=[listening])


class WebServer(uvicorn.Server):
    """Ends the streams before it waits for answers to be given."""

    def __init__(self, config: uvicorn.Config, table: WebTable) -> None:
        super().__init__(config)
        self.table = table
        self.hub = table.hub

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin."""
        if self.table.command_pass is not None:
            self.table.command_pass.put(self.table.settings.access_file.parent)
        await super().startup([])
        self._accepting = [asyncio.create_task(self._accept(each)) for each in sockets or []]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        if self.table.command_pass is not None:
            self.table.command_pass.withdraw(self.table.settings.access_file.parent)
        self.hub.drop_all()
        for each in self._accepting:
            each.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        await super().shutdown(sockets)

    async def _accept(self, listening: socket.socket) -> None:
        """Let clients in, one after the other. Where that fails, asyncio tries a hundred times at once."""
        loop = asyncio.get_running_loop()
        listening.setblocking(False)
        while True:
            connected = None
            try:
                connected, _ = await loop.sock_accept(listening)
                await loop.connect_accepted_socket(self._connection, connected)
            except (OSError, MemoryError) as error:
                if connected is not None:
                    connected.close()
                why = error.strerror if isinstance(error, OSError) else "no memory"
                self.table.tally.note(f"no client can connect for a moment: {why}")
                await asyncio.sleep(PAUSE_S)

    def _connection(self) -> asyncio.Protocol:
        kind: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return kind(self.config, self.server_state, self.lifespan.state)


def web_server(
    settings: WebSettings,
    find: Callable[[], FoundTable | None],
    limits: Limits,
    on_alive: Callable[[], None] | None = None,
) -> WebServer:
    """The server, not yet running."""

    async def folder() -> Path | None:
        found = await asyncio.to_thread(find)
        return None if found is None else found.folder

    async def alive() -> None:
        if on_alive is not None:
            on_alive()

    hub = FeedHub(folder)
    command_pass = CommandPass(settings.host, settings.port)
    table = WebTable(settings, hub, Access(settings.access_file), find, limits, command_pass)
    return WebServer(_config(table, alive), table)


def _config(table: WebTable, alive: Callable[[], Awaitable[None]]) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(table),
        http=guarded(table.limits, table.tally),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # whatever a proxy says about its clients
        server_header=False,
        h11_max_incomplete_event_size=MOST_HEAD,
        timeout_keep_alive=table.limits.keep_alive_s,
        timeout_graceful_shutdown=END_S,
        callback_notify=alive,
        timeout_notify=5,
    )


def with_port(settings: WebSettings, listening: socket.socket) -> WebSettings:
    """The settings with the port that was given, if any one was asked for."""
    return replace(settings, port=listening.getsockname()[1])
