"""What all pages of the panel have in common: two lines, lamps, and what the two buttons do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from firmware_host.places import Button, Call, Spot
from firmware_host.service.panel_context import PanelContext
from firmware_host.show.lamps import Tint, panel_lamp_index
from firmware_host.show.lines import Lines, TurningLine
from firmware_host.texts import Phrase

FIRST, SECOND = 1, 2
"""The seats whose buttons drive the panel; every table has both."""


def filled(parts: Sequence[str], columns: int) -> TurningLine:
    """The parts in one line, or in several texts that take turns, each as full as possible."""
    texts = [""]
    for part in parts:
        joined = f"{texts[-1]} {part}" if texts[-1] else part
        if texts[-1] and len(joined) > columns:
            texts.append(part)
        else:
            texts[-1] = joined
    return texts[0] if len(texts) == 1 else tuple(texts)


class ServicePage(ABC):
    """A page of the panel. By default, inputs have no meaning on it, and the two buttons are lit."""

    def __init__(self, context: PanelContext) -> None:
        self.context = context

    @abstractmethod
    def text(self, columns: int) -> TurningLine:
        """The upper line of the page."""

    @abstractmethod
    def hints(self) -> list[str]:
        """What the buttons do, in short pieces for the lower line."""

    def lines(self, columns: int) -> Lines:
        return self.text(columns), filled(self.hints(), columns)

    def lit(self) -> dict[int, Tint]:
        """The lamps that burn, by their indexes in the frame."""
        return {self.panel_lamp(seat): Tint.WHITE for seat in (FIRST, SECOND)}

    @property
    def due_ns(self) -> int | None:
        """When the page changes if nothing comes in; None if never."""
        return None

    def first(self) -> None:
        """The first seat's button was pressed briefly."""

    def second(self) -> None:
        """The second seat's button was pressed briefly."""

    def confirmed(self) -> None:
        """The second seat's button was pressed on this page and held long enough to confirm."""

    def left(self) -> None:
        """The page is left."""

    def button(self, source: Button | Call, down: bool, bounces: int) -> None:
        """A button changed, and bounced that often."""

    def noticed(self, at: Spot, what: str, there: bool) -> None:
        """Something came to a place or went away: a tag, or (without text) what closes its contact."""

    def panel_lamp(self, seat: int) -> int:
        return panel_lamp_index(seat, self.context.info.piles)

    def way_back(self) -> str:
        """The hint for the long press: it closes the first page, and leads back from all others."""
        return self.context.say(Phrase.EXIT if self.context.pages[0] is self else Phrase.BACK)
