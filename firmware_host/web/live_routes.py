"""What goes to and fro while a page is open: the feed as events, what an operator tells, and visitors' hands.

`/api/hands` lets people sit down at a simulated table and use their hands. Who may: browsers on this machine,
and others with the join code, which pages on this machine show. A visitor is known by its ticket, which only
its own page has. No cookie is involved, so no stranger's page can play for somebody.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from firmware_host.feed.addresses import HANDS_SOCKET, TELL_SOCKET
from firmware_host.feed.feed_client import NotTold, tell_faults, tell_table
from firmware_host.web.access import same_token
from firmware_host.web.feed_hub import FeedHub, Spectator
from firmware_host.web.operators import for_operators
from firmware_host.web.shares import Places, Rate, RateLimit
from firmware_host.web.web_table import (
    FoundTable,
    JsonAnswer,
    WebTable,
    address_of,
    json_object,
    not_too_often,
    refusal,
)

AGAIN = b"retry: 1000\n\n"
"""A page that has lost the stream connects again after so many milliseconds."""


class EventsAnswer(Response):
    """Server-Sent Events: an answer that goes on until one side has enough."""

    media_type = "text/event-stream"

    def __init__(self) -> None:
        super().__init__()
        del self.headers["content-length"]


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class FeedStream(EventsAnswer):
    """The feed for one page."""

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
        self._hub, self._since, self._places, self._spectator = hub, since, places, spectator
        self._as_before = as_before

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the spectator has gone, or is too far behind."""
        spectator = self._spectator
        gone = asyncio.create_task(_until_gone(receive))
        gone.add_done_callback(lambda _: spectator.drop())
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


def stream_routes(table: WebTable) -> list[Route]:
    """The stream."""
    places: Places[Spectator] = Places(table.limits.streams, Spectator.drop)

    async def stream(request: Request) -> Response:
        if request.method == "HEAD":
            return Response(media_type=EventsAnswer.media_type)

        def may_name() -> bool:
            return table.settings.names or table.operator(request) is not None

        names = may_name()
        spectator = Spectator(names)
        if not places.take(spectator, address_of(request), table.is_own(request)):
            raise refusal(503, "too many spectators", retry_s=5)
        text = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return FeedStream(table.hub, _since(text), places, spectator, lambda: may_name() or not names)

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


class CommandRelay:
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
        not_too_often(self._limit, address_of(request), "too many commands")
        return await self.answer(text)

    async def answer(self, text: str) -> JsonAnswer:
        """What is answered to it."""
        answer = await asyncio.to_thread(self._told, text)
        return JsonAnswer(answer, 200 if answer.get("ok") is True else REFUSED)

    def _told(self, text: str) -> dict[str, Any]:
        found = self._table.found()
        try:
            return self._say(found, text)
        except NotTold as error:
            raise refusal(503, str(error)) from None


def tell_routes(table: WebTable) -> list[Route]:
    """The one way to tell the table something."""
    relay = CommandRelay(table, lambda found, text: tell_table(found.folder / TELL_SOCKET, text), "pause")
    return [Route("/api/tell", for_operators(table, relay.take), methods=["POST"])]


def fault_routes(table: WebTable) -> list[Route]:
    """What is wrong, and what is to go wrong or to be mended."""

    def say(found: FoundTable, text: str) -> dict[str, Any]:
        if not table.simulated:
            raise refusal(404, "faults can only be injected at a simulated table")
        return tell_faults(found.folder, text)

    relay = CommandRelay(table, say, "storm seat 2 3s")

    async def now(_: Request) -> JsonAnswer:
        return await relay.answer("")

    return [
        Route("/api/faults", for_operators(table, now), methods=["GET"]),
        Route("/api/faults", for_operators(table, relay.take), methods=["POST"]),
    ]


ANSWER_S = 5.0
ALIVE_S = 5.0
LONGEST_LINE = 1 << 16


class NoHands(Exception):
    """The table can't be touched: why."""


class VisitorLink:
    """Somebody who sits at a simulated table."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.ticket = ""
        self._reader = reader
        self._writer = writer
        self._asked = 0
        self._awaited: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def news(self) -> AsyncIterator[dict[str, Any] | None]:
        """What the visitor has whenever that changes, and None when it has not for a while; to the end."""
        while True:
            try:
                async with asyncio.timeout(ALIVE_S):  # wait_for may swallow being cancelled, in Python 3.11
                    line = await self._reader.readline()
            except TimeoutError:
                yield None
                continue
            except (OSError, ValueError):
                return
            if not line:
                return
            told = json.loads(line)
            number = told.pop("id", None)
            if number is not None:
                waiting = self._awaited.pop(number, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(told)
                continue
            self.ticket = told.get("ticket", self.ticket)
            yield told

    async def do(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The table's answer; NoHands if it gives none."""
        self._asked += 1
        number = self._asked
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._awaited[number] = answer
        try:
            self.say(asked | {"id": number})
            return await asyncio.wait_for(answer, ANSWER_S)
        except (OSError, TimeoutError):
            raise NoHands("the table does not answer") from None
        finally:
            self._awaited.pop(number, None)

    def say(self, asked: dict[str, Any]) -> None:
        """Send a line."""
        self._writer.write(json.dumps(asked).encode() + b"\n")

    async def close(self) -> None:
        """Hang up; the seat is kept for a moment."""
        for each in self._awaited.values():
            if not each.done():
                each.set_exception(NoHands("you don't sit at this table any more"))
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


async def visitor_link(path: Path | None) -> VisitorLink:
    """A connection to the simulated table that listens there; NoHands if none does."""
    if path is None:
        raise NoHands("no table is running")
    try:
        reader, writer = await asyncio.open_unix_connection(str(path), limit=LONGEST_LINE)
    except OSError:
        raise NoHands(
            "nobody can sit down at this table: it is not a simulated one, or of another user"
        ) from None
    return VisitorLink(reader, writer)


WRONG_CODES = Rate(at_once=5, every_s=20), Rate(at_once=50, every_s=5)
DEEDS = Rate(at_once=60, every_s=0.02)
"""For one visitor: nobody's hands are quicker."""
MOST_VISITORS = 14


def routes(table: WebTable) -> list[Route]:
    """Who may sit down, sitting down, and what hands do."""
    asked = VisitorRoutes(table)
    return [
        Route("/api/hands", asked.about, methods=["GET"]),
        Route("/api/hands/sit", asked.sit, methods=["POST"]),
        Route("/api/hands/do", asked.do, methods=["POST"]),
    ]


class VisitorRoutes:
    """Answers browsers: who sits there is kept between their requests."""

    def __init__(self, table: WebTable) -> None:
        self._table = table
        self._visitors: dict[str, VisitorLink] = {}
        """By ticket."""
        self._deeds = RateLimit(DEEDS)
        self._wrong_codes = RateLimit(*WRONG_CODES)

    async def about(self, request: Request) -> JSONResponse:
        """Whether one can sit down here, and what one needs for that."""
        table = self._table
        here = table.on_this_machine(request)
        told: dict[str, Any] = {
            "open": table.simulated,
            "code_needed": not here,
            "lan": not table.settings.local,
        }
        if here and table.simulated:
            told["code"] = table.join_code
        return JSONResponse(told)

    async def sit(self, request: Request) -> Response:
        """A seat, as a stream of what the visitor has."""
        asked = await json_object(request)
        if not self._table.hub.state:  # this process has just started, and does not know the table yet
            return _away("no table has told anything yet")
        self._admit(request, asked.get("code"))
        if len(self._visitors) >= MOST_VISITORS:
            raise refusal(503, "too many visitors", retry_s=5)
        found = await asyncio.to_thread(self._table.find)
        try:
            link = await visitor_link(None if found is None else found.folder / HANDS_SOCKET)
        except NoHands as error:  # a table that is started again: the page tries again, too
            return _away(str(error))
        link.say({"do": "sit", "seat": asked.get("seat"), "ticket": asked.get("ticket")})
        return _VisitorStream(link, self._visitors)

    async def do(self, request: Request) -> JsonAnswer:
        """What hands have done, or why they can't."""
        asked = await json_object(request)
        link = self._link(asked.pop("ticket", None))
        not_too_often(self._deeds, link.ticket, "not so quickly")
        try:
            answer = await link.do(asked)
        except NoHands as error:
            raise refusal(503, str(error)) from None
        return JsonAnswer({"ok": answer.get("is") == "done"} | answer)

    def _link(self, ticket: object) -> VisitorLink:
        """Of the visitor with that ticket; a refusal if nobody has it."""
        link = self._visitors.get(ticket) if isinstance(ticket, str) else None
        if link is None:
            raise refusal(403, "you don't sit at this table (any more)")
        return link

    def _admit(self, request: Request, code: object) -> None:
        """Return if whoever asks may sit down; a refusal if not."""
        if not self._table.simulated:
            raise refusal(403, "hands are needed at this table itself: it is not a simulated one")
        if self._table.on_this_machine(request):
            return
        if isinstance(code, str) and same_token(code.strip().lower(), self._table.join_code):
            return
        not_too_often(self._wrong_codes, address_of(request), "too many attempts; try again later")
        raise refusal(403, "the join code is missing or wrong; it is shown where the table runs")


class _VisitorStream(EventsAnswer):
    """What a visitor has; its seat is kept as long as somebody reads it."""

    def __init__(self, link: VisitorLink, visitors: dict[str, VisitorLink]) -> None:
        super().__init__()
        self._link, self._visitors = link, visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until one side has enough."""
        telling = asyncio.create_task(self._tell(send))
        gone = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait((telling, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (telling, gone):
                task.cancel()
            await asyncio.gather(telling, gone, return_exceptions=True)
            if self._visitors.get(self._link.ticket) is self._link:
                del self._visitors[self._link.ticket]
            await self._link.close()

    async def _tell(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for told in self._link.news():
            if told is not None and told["is"] == "hand":
                self._visitors[self._link.ticket] = self._link
            body = b":\n\n" if told is None else _event(told)
            await send({"type": "http.response.body", "body": body, "more_body": True})
            if told is not None and told["is"] in ("refused", "left"):
                break
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _away(why: str) -> Response:
    """Instead of a stream, so that the page tries again."""
    return Response(_event({"is": "away", "why": why}), media_type=_VisitorStream.media_type)


def _event(told: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(told)}\n\n".encode()
