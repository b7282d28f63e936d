"""The web app: the routes of all topics behind one guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from firmware_host.web import (
    console_routes,
    contests,
    displays,
    hands_routes,
    operators,
    page_files,
)
from firmware_host.web.answers import on_refusal
from firmware_host.web.faults import fault_routes
from firmware_host.web.guard import Guard
from firmware_host.web.page_texts import text_routes
from firmware_host.web.qr_code import qr_routes
from firmware_host.web.stream import stream_routes
from firmware_host.web.tell import tell_routes
from firmware_host.web.web_table import WebTable

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
