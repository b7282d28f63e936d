"""Requests of a page that are held back, so that something really happens before they are answered."""

from __future__ import annotations

from typing import Any

from tests.browser.tables import wait_for

LOOK_EVERY_MS = 20


class Held:
    """What a page asks for at those addresses waits until it is let go."""

    def __init__(self, addresses: str) -> None:
        self._addresses = addresses
        self._waiting: list[Any] = []
        self._holds = True
        self._page: Any = None

    def hold(self, page: Any) -> None:
        """From now on; to be called before the page is loaded."""
        self._page = page
        page.route(self._addresses, lambda route: self._take(route))

    def let_go(self, many: int = 1) -> None:
        """Let them through as soon as there are so many, and all that come later."""
        wait_for(f"{many} x {self._addresses}", lambda: self._asked() >= many)
        self._holds = False
        for each in self._waiting:
            each.continue_()

    def _take(self, route: Any) -> None:
        if self._holds:
            self._waiting.append(route)
        else:
            route.continue_()

    def _asked(self) -> int:
        self._page.wait_for_timeout(LOOK_EVERY_MS)  # the browser is only heard meanwhile
        return len(self._waiting)
