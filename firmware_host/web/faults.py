"""`/api/faults`: the operator lets things go wrong with a simulated table, as `ligretto-table fault` does."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.routing import Route

from firmware_host.feed.desk_client import DeskClosed, tell_faults
from firmware_host.web.answers import JsonAnswer, json_object, refusal
from firmware_host.web.operators import operator_of
from firmware_host.web.rate_limits import RateLimit
from firmware_host.web.tell import COMMANDS, REFUSED
from firmware_host.web.web_table import WebTable, address_of


def routes(table: WebTable) -> list[Route]:
    """What is wrong, and what is to go wrong or to be mended."""
    limit = RateLimit(COMMANDS, COMMANDS)

    async def faults(request: Request) -> JsonAnswer:
        operator_of(table, request)
        return await answer("")

    async def tell(request: Request) -> JsonAnswer:
        operator_of(table, request)
        asked = await json_object(request)
        text = asked.get("tell")
        if not isinstance(text, str) or not text.strip():
            raise refusal(400, 'send {"tell": "storm seat 2 3s"}')
        wait_s = limit.wait_s(address_of(request), time.monotonic())
        if wait_s > 0:
            raise refusal(429, "too many commands", wait_s)
        return await answer(text)

    async def answer(text: str) -> JsonAnswer:
        if not table.simulated:
            raise refusal(404, "faults can only be injected at a simulated table")
        told = await asyncio.to_thread(_told, table, text)
        return JsonAnswer(told, 200 if told.get("ok") is True else REFUSED)

    return [
        Route("/api/faults", faults, methods=["GET"]),
        Route("/api/faults", tell, methods=["POST"]),
    ]


def _told(table: WebTable, text: str) -> dict[str, object]:
    found = table.find()
    if found is None:
        raise refusal(503, "no table is running")
    try:
        return tell_faults(found.folder, text)
    except DeskClosed as error:
        raise refusal(503, str(error)) from None
