"""Browsers as displays: each has a short name, and the operator says what it shows.

A display asks every two seconds what it is to show, and says what it showed before. So nothing is kept on
disk: when this process starts again, each display goes on as it was, under its old name if that is free.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from firmware_host.web.answers import json_object, refusal
from firmware_host.web.operators import for_operators
from firmware_host.web.rate_limits import network_of
from firmware_host.web.web_table import WebTable, address_of

JOIN = "join"
SHOWN = ("table", "scores", "standings", "finish", "next", JOIN)
"""What a display can show."""
MOST_DISPLAYS = 40
MOST_OF_ONE_ADDRESS = 8
"""Nobody else can take all of them; this machine may have them all."""
GONE_S = 90.0
"""A display that has not asked for so long is forgotten. A browser in the background asks once a minute."""
_KEY = re.compile(r"[0-9a-f]{16,64}")


@dataclass(slots=True)
class Display:
    """A browser that shows what it is told to."""

    name: str
    """A number, small enough to be called across a room."""
    shows: str
    reloads: int
    """How often it was asked to load its page again."""
    seen_s: float
    network: str = ""
    """Where it is; empty if that is this machine."""
    assigned: bool = False
    """Whether the operator has said what it shows."""

    @property
    def orders(self) -> dict[str, Any]:
        """For the display itself."""
        return {"name": self.name, "shows": self.shows, "reloads": self.reloads}


class Displays:
    """All displays that have asked lately."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._by_key: dict[str, Display] = {}
        """A display's key is known to nobody else."""

    def ask(self, key: str, before: dict[str, Any], network: str = "") -> Display | None:
        """The display with that key; None if there are too many. `before` is what it says it has shown."""
        self._forget()
        display = self._by_key.get(key)
        if display is None:
            there = sum(each.network == network for each in self._by_key.values())
            if len(self._by_key) >= MOST_DISPLAYS or (network and there >= MOST_OF_ONE_ADDRESS):
                return None
            display = self._by_key[key] = self._new(before, network)
        display.seen_s = self._now_s()
        return display

    def listed(self) -> list[dict[str, Any]]:
        """All displays by number, for the operator."""
        self._forget()
        now_s = self._now_s()
        ordered = sorted(self._by_key.values(), key=lambda display: int(display.name))
        return [{**display.orders, "seen_s_ago": round(now_s - display.seen_s, 1)} for display in ordered]

    def find(self, name: object) -> Display | None:
        """The display of that name."""
        self._forget()
        return next((display for display in self._by_key.values() if display.name == name), None)

    def _new(self, before: dict[str, Any], network: str) -> Display:
        taken = {display.name for display in self._by_key.values()}
        names = [str(number) for number in range(1, MOST_DISPLAYS + 1) if str(number) not in taken]
        name, shows, reloads = before.get("name"), before.get("shows"), before.get("reloads")
        return Display(
            name=name if isinstance(name, str) and name in names else names[0],
            shows=shows if isinstance(shows, str) and shows in SHOWN else SHOWN[0],
            reloads=reloads if type(reloads) is int and 0 <= reloads < 1 << 31 else 0,
            seen_s=self._now_s(),
            network=network,
        )

    def _forget(self) -> None:
        oldest_s = self._now_s() - GONE_S
        self._by_key = {key: each for key, each in self._by_key.items() if each.seen_s >= oldest_s}


def routes(table: WebTable) -> list[Route]:
    """For displays: `POST /api/displays/me`. For the operator: `GET` and `POST /api/displays`."""
    desk = DisplayDesk(table)
    return [
        Route("/api/displays/me", desk.orders, methods=["POST"]),
        Route("/api/displays", for_operators(table, desk.listed), methods=["GET"]),
        Route("/api/displays", for_operators(table, desk.assign), methods=["POST"]),
    ]


class DisplayDesk:
    """Tells displays what to show, as the operator wants it."""

    def __init__(self, table: WebTable) -> None:
        self._table = table
        self._displays = Displays()

    async def orders(self, request: Request) -> JSONResponse:
        """What the display that asks is to show: `{"key": "…"}`, and what it has shown before."""
        asked = await json_object(request)
        key = asked.get("key")
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise refusal(400, 'send {"key": "…"} with at least 16 hexadecimal digits')
        network = "" if self._table.on_this_machine(request) else network_of(address_of(request))
        display = self._displays.ask(key, asked, network)
        if display is None:
            raise refusal(503, "there are too many displays already", GONE_S)
        # Whoever sees the code may sit down: where it is shown is for the operator to say.
        invites = display.assigned and display.shows == JOIN and self._table.simulated
        return JSONResponse(display.orders | ({"code": self._table.join_code} if invites else {}))

    async def listed(self, _: Request) -> JSONResponse:
        """All of them."""
        return JSONResponse({"displays": self._displays.listed(), "shown": SHOWN})

    async def assign(self, request: Request) -> JSONResponse:
        """`{"name": "2", "shows": "scores"}`, `{"name": "2", "reload": true}`."""
        asked = await json_object(request)
        display = self._displays.find(asked.get("name"))
        if display is None:
            there = ", ".join(each["name"] for each in self._displays.listed())
            raise refusal(
                404, f"there is no such display; there are: {there}" if there else "no display is there"
            )
        shows = asked.get("shows", display.shows)
        if shows not in SHOWN:
            raise refusal(400, f"a display shows {', '.join(SHOWN)}")
        display.shows = shows
        display.assigned = True
        display.reloads += asked.get("reload") is True
        return JSONResponse({"ok": True, **display.orders})
