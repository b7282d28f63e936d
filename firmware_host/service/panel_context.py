"""What all pages of the panel share: the table as it is, the choices, what lies where, and the open pages."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from firmware_host.places import Spot
from firmware_host.service.choices import Choices, present_setup
from firmware_host.service.info import Outcome, PanelInfo
from firmware_host.states import DeviceCondition
from firmware_host.texts import TextKey, say

if TYPE_CHECKING:
    from firmware_host.service.page import ServicePage


class PanelContext:
    """Pages open others on top of themselves, go back, or close the panel with an outcome."""

    def __init__(self, info: PanelInfo, now_ns: int) -> None:
        self.info = info
        self.choices = Choices(present_setup(info))
        self.health: dict[str, DeviceCondition] = {each.name: each for each in info.health}
        self.lying: dict[Spot, set[str]] = defaultdict(set)
        self.pages: list[ServicePage] = []
        self.outcome: Outcome | None = None
        self.now_ns = now_ns
        self.alive_ns = now_ns
        """When somebody was last there."""
        self.told_ns = now_ns
        """Since when the present lines stand; texts that take turns begin then."""

    @property
    def page(self) -> ServicePage:
        return self.pages[-1]

    @property
    def language(self) -> str:
        return self.choices.tried.language

    def say(self, what: TextKey, /, **numbers: object) -> str:
        return say(self.language, what, **numbers)

    def stir(self) -> None:
        """Somebody is there."""
        self.alive_ns = self.told_ns = self.now_ns

    def open(self, page: ServicePage) -> None:
        """Go into a page."""
        self.pages.append(page)
        self.told_ns = self.now_ns

    def back(self) -> None:
        """Leave the page; who leaves the first one leaves service mode."""
        self.page.left()
        if len(self.pages) == 1:
            self.close()
        else:
            self.pages.pop()
            self.told_ns = self.now_ns

    def close(self, void_round: bool = False, end_match: bool = False) -> None:
        """Leave service mode, with what was confirmed."""
        self.outcome = Outcome(void_round=void_round, end_match=end_match, choices=self.choices.changed)
