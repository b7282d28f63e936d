"""`/api/tell`: what the operator tells the table, over the same socket as `ligretto-table tell`."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.routing import Route

from firmware_host.feed.desk_client import DeskClosed, tell_table
from firmware_host.feed.sockets import TELL_SOCKET
from firmware_host.web.answers import JsonAnswer, json_object, refusal
from firmware_host.web.operators import operator_of
from firmware_host.web.rate_limits import Rate, RateLimit
from firmware_host.web.web_table import WebTable, address_of

COMMANDS = Rate(at_once=20, every_s=0.2)
REFUSED = 409
"""The table has answered, and says why not."""


def routes(table: WebTable) -> list[Route]:
    """The one way to tell the table something."""
    limit = RateLimit(COMMANDS, COMMANDS)

    async def tell(request: Request) -> JsonAnswer:
        operator_of(table, request)
        asked = await json_object(request)
        text = asked.get("tell")
        if not isinstance(text, str) or not text.strip():
            raise refusal(400, 'send {"tell": "pause"}')
        wait_s = limit.wait_s(address_of(request), time.monotonic())
        if wait_s > 0:
            raise refusal(429, "too many commands", wait_s)
        answer = await asyncio.to_thread(_told, table, text)
        return JsonAnswer(answer, 200 if answer.get("ok") is True else REFUSED)

    return [Route("/api/tell", tell, methods=["POST"])]


def _told(table: WebTable, text: str) -> dict[str, object]:
    found = table.find()
    if found is None:
        raise refusal(503, "no table is running")
    try:
        return tell_table(found.folder / TELL_SOCKET, text)
    except DeskClosed as error:
        raise refusal(503, str(error)) from None
