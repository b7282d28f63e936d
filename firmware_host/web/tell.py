"""`/api/tell`: what the operator tells the table, over the same socket as `ligretto-table tell`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from firmware_host.feed.desk_client import DeskClosed, tell_table
from firmware_host.feed.sockets import TELL_SOCKET
from firmware_host.web.answers import JsonAnswer, json_object, refusal
from firmware_host.web.operators import for_operators
from firmware_host.web.shares import Rate, RateLimit
from firmware_host.web.web_table import FoundTable, WebTable, address_of

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
