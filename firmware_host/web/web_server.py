"""Listens at an address and serves the app of one table, until it is told to stop."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from firmware_host.model.errors import TableError
from firmware_host.web import console_routes, contests, displays, hands_routes, operators, page_files
from firmware_host.web.access import Access
from firmware_host.web.display_client import CommandPass
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.guard import MOST_HEAD, Guard, guarded
from firmware_host.web.live_routes import fault_routes, stream_routes, tell_routes
from firmware_host.web.page_files import qr_routes, text_routes
from firmware_host.web.web_settings import USUAL, Limits, WebSettings
from firmware_host.web.web_table import FoundTable, WebTable, on_refusal

TOPICS: list[Callable[[WebTable], list[Route]]] = [
    text_routes,  # before the assets, among which it is
    page_files.routes,
    stream_routes,
    operators.routes,
    tell_routes,
    fault_routes,
    hands_routes.routes,
    qr_routes,
    displays.routes,
    contests.routes,
    console_routes.routes,
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
