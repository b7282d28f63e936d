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

from firmware_host.web.operators import for_operators
from firmware_host.web.shares import Places
from firmware_host.web.web_table import DISPLAYS, WebTable, address_of, json_object, refusal

JOIN = "join"
SHOWN = ("table", "scores", "standings", "finish", "next", JOIN)
"""What a display can show."""
AWAY_S = 60.0
"""One that has not asked for so long makes room first."""
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
        self._places: Places[str] = Places(DISPLAYS, self._forget, lambda key: self._silent_s(key) > AWAY_S)
        self._by_key: dict[str, Display] = {}
        """A display's key is known to nobody else."""

    def ask(self, key: str, before: dict[str, Any], address: str, own: bool = False) -> Display | None:
        """The display with that key; None if there are too many. `before` is what it says it has shown."""
        self._forget_gone()
        display = self._by_key.get(key)
        if display is None:
            if not self._places.take(key, address, own):
                return None
            display = self._by_key[key] = self._new(before)
        display.seen_s = self._now_s()
        self._places.renew(key, own or display.assigned)
        return display

    def listed(self) -> list[dict[str, Any]]:
        """All displays by number, for the operator."""
        self._forget_gone()
        ordered = sorted(self._by_key.items(), key=lambda each: int(each[1].name))
        return [{**each.orders, "seen_s_ago": round(self._silent_s(key), 1)} for key, each in ordered]

    def find(self, name: object) -> Display | None:
        """The display of that name."""
        self._forget_gone()
        return next((display for display in self._by_key.values() if display.name == name), None)

    def _new(self, before: dict[str, Any]) -> Display:
        taken = {display.name for display in self._by_key.values()}
        names = [str(number) for number in range(1, DISPLAYS.most + 1) if str(number) not in taken]
        name, shows, reloads = before.get("name"), before.get("shows"), before.get("reloads")
        return Display(
            name=name if isinstance(name, str) and name in names else names[0],
            shows=shows if isinstance(shows, str) and shows in SHOWN else SHOWN[0],
            reloads=reloads if type(reloads) is int and 0 <= reloads < 1 << 31 else 0,
            seen_s=self._now_s(),
        )

    def _silent_s(self, key: str) -> float:
        return self._now_s() - self._by_key[key].seen_s

    def _forget(self, key: str) -> None:
        self._places.leave(key)
        del self._by_key[key]

    def _forget_gone(self) -> None:
        for key in [each for each in self._by_key if self._silent_s(each) > GONE_S]:
            self._forget(key)


def routes(table: WebTable) -> list[Route]:
    """For displays: `POST /api/displays/me`. For the operator: `GET` and `POST /api/displays`."""
    asked = DisplayRoutes(table)
    return [
        Route("/api/displays/me", asked.orders, methods=["POST"]),
        Route("/api/displays", for_operators(table, asked.listed), methods=["GET"]),
        Route("/api/displays", for_operators(table, asked.assign), methods=["POST"]),
    ]


class DisplayRoutes:
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
        own = self._table.is_own(request)
        display = self._displays.ask(key, asked, address_of(request), own)
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
