"""`/api/stream`: the feed as Server-Sent Events, from where the page left off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from firmware_host.web.answers import refusal
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.shares import Places
from firmware_host.web.spectator import Spectator
from firmware_host.web.web_table import WebTable, address_of

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
