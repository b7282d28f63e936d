"""`/api/stream`: the feed as Server-Sent Events, from where the page left off."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.feed_client import DeskClosed, tell_faults, tell_table
from firmware_host.web.feed_hub import FeedHub, Spectator
from firmware_host.web.operators import for_operators
from firmware_host.web.shares import Places, Rate, RateLimit
from firmware_host.web.web_table import FoundTable, JsonAnswer, WebTable, address_of, json_object, refusal

AGAIN = b"retry: 1000\n\n"
"""A page that has lost the stream connects again after so many milliseconds."""


class EventStream(Response):
    """An answer that goes on until one side has enough."""

    media_type = "text/event-stream"

    def __init__(
        self,
        hub: FeedHub,
        since: tuple[str, int] | None,
        places: Places[Spectator],
        spectator: Spectator,
        as_before: Callable[[], bool],
    ) -> None:
        """`as_before` says whether the page may still have what it has got so far."""
        super().__init__()
        del self.headers["content-length"]
        self._hub, self._since, self._places, self._spectator = hub, since, places, spectator
        self._as_before = as_before

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the spectator has gone, or is too far behind."""
        spectator = self._spectator
        gone = asyncio.create_task(_drop_when_gone(spectator, receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": AGAIN, "more_body": True})
            self._hub.join(spectator, self._since)
            while not spectator.dropped:
                body = await spectator.take()
                if not self._as_before():
                    break  # the page connects again, and gets what it may have now
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._hub.leave(spectator)
            self._places.leave(spectator)


async def _drop_when_gone(spectator: Spectator, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    spectator.drop()


def stream_routes(table: WebTable) -> list[Route]:
    """The stream."""
    places: Places[Spectator] = Places(table.limits.streams, Spectator.drop)

    async def stream(request: Request) -> Response:
        if request.method == "HEAD":
            return Response(media_type=EventStream.media_type)

        def may_name() -> bool:
            return table.settings.names or table.operator(request) is not None

        names = may_name()
        spectator = Spectator(names)
        if not places.take(spectator, address_of(request), table.is_own(request)):
            raise refusal(503, "too many spectators", retry_s=5)
        text = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return EventStream(table.hub, _since(text), places, spectator, lambda: may_name() or not names)

    return [Route("/api/stream", stream, methods=["GET"])]


def _since(text: str) -> tuple[str, int] | None:
    """`SESSION:N`; None, which means from the beginning, if it is something else."""
    session, _, number = text.rpartition(":")
    if not session or len(text) > 60 or not (number.isascii() and number.isdigit()):
        return None
    return session, int(number)


COMMANDS = Rate(at_once=20, every_s=0.2), Rate(at_once=40, every_s=0.2)
"""For one address and in all."""
REFUSED = 409
"""The table has answered, and says why not."""


class Desk:
    """Passes on what an operator says to one of the table's sockets, and what is answered there."""

    def __init__(
        self, table: WebTable, say: Callable[[FoundTable, str], dict[str, Any]], example: str
    ) -> None:
        """`say` passes a command on; `example` is one."""
        self._table = table
        self._say = say
        self._example = example
        self._limit = RateLimit(*COMMANDS)

    async def take(self, request: Request) -> JsonAnswer:
        """`{"tell": "…"}`."""
        text = (await json_object(request)).get("tell")
        if not isinstance(text, str) or not text.strip():
            raise refusal(400, f'send {{"tell": "{self._example}"}}')
        wait_s = self._limit.wait_s(address_of(request), time.monotonic())
        if wait_s > 0:
            raise refusal(429, "too many commands", wait_s)
        return await self.answer(text)

    async def answer(self, text: str) -> JsonAnswer:
        """What is answered to it."""
        answer = await asyncio.to_thread(self._told, text)
        return JsonAnswer(answer, 200 if answer.get("ok") is True else REFUSED)

    def _told(self, text: str) -> dict[str, Any]:
        found = self._table.find()
        if found is None:
            raise refusal(503, "no table is running")
        try:
            return self._say(found, text)
        except DeskClosed as error:
            raise refusal(503, str(error)) from None


def tell_routes(table: WebTable) -> list[Route]:
    """The one way to tell the table something."""
    desk = Desk(table, lambda found, text: tell_table(found.folder / TELL_SOCKET, text), "pause")
    return [Route("/api/tell", for_operators(table, desk.take), methods=["POST"])]


def fault_routes(table: WebTable) -> list[Route]:
    """What is wrong, and what is to go wrong or to be mended."""

    def say(found: FoundTable, text: str) -> dict[str, Any]:
        if not table.simulated:
            raise refusal(404, "faults can only be injected at a simulated table")
        return tell_faults(found.folder, text)

    desk = Desk(table, say, "storm seat 2 3s")

    async def now(_: Request) -> JsonAnswer:
        return await desk.answer("")

    return [
        Route("/api/faults", for_operators(table, now), methods=["GET"]),
        Route("/api/faults", for_operators(table, desk.take), methods=["POST"]),
    ]
