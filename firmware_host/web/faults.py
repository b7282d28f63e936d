"""`/api/faults`: the operator lets things go wrong with a simulated table, as `ligretto-table fault` does."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from firmware_host.feed.desk_client import tell_faults
from firmware_host.web.answers import JsonAnswer, refusal
from firmware_host.web.operators import for_operators
from firmware_host.web.tell import Desk
from firmware_host.web.web_table import FoundTable, WebTable


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
