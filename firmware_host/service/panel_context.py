"""What all pages of the panel share: the state of the table, the choices, and the open pages."""

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
    """The open pages and what they share. A page opens another one, goes back, or closes the panel."""

    def __init__(self, info: PanelInfo, now_ns: int) -> None:
        self.info = info
        self.choices = Choices(present_setup(info))
        self.health: dict[str, DeviceCondition] = {each.name: each for each in info.health}
        self.lying: dict[Spot, set[str]] = defaultdict(set)
        self.pages: list[ServicePage] = []
        self.outcome: Outcome | None = None
        self.now_ns = now_ns
        self.last_present_ns = now_ns
        """When somebody last used the panel."""
        self.shown_since_ns = now_ns
        """When the present lines were first shown; texts that take turns begin then."""

    @property
    def page(self) -> ServicePage:
        return self.pages[-1]

    @property
    def language(self) -> str:
        return self.choices.tried.language

    def say(self, what: TextKey, /, **numbers: object) -> str:
        return say(self.language, what, **numbers)

    def note_presence(self) -> None:
        """Somebody uses the panel."""
        self.last_present_ns = self.shown_since_ns = self.now_ns

    def open(self, page: ServicePage) -> None:
        """Open a page."""
        self.pages.append(page)
        self.shown_since_ns = self.now_ns

    def back(self) -> None:
        """Leave the page; leaving the first one closes the panel."""
        self.page.left()
        if len(self.pages) == 1:
            self.close()
        else:
            self.pages.pop()
            self.shown_since_ns = self.now_ns

    def close(self, void_round: bool = False, end_match: bool = False) -> None:
        """Close the panel, with what was confirmed."""
        self.outcome = Outcome(void_round=void_round, end_match=end_match, choices=self.choices.changed)
