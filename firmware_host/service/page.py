"""What every page of the panel has in common: two lines, lamps, and what the two buttons do."""

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
    """The parts side by side in one line; in several that take turns, each as full as can be."""
    texts = [""]
    for part in parts:
        joined = f"{texts[-1]} {part}" if texts[-1] else part
        if texts[-1] and len(joined) > columns:
            texts.append(part)
        else:
            texts[-1] = joined
    return texts[0] if len(texts) == 1 else tuple(texts)


class ServicePage(ABC):
    """Unless a page says otherwise, nothing that comes has a meaning on it, and the two buttons are lit."""

    def __init__(self, context: PanelContext) -> None:
        self.context = context

    @abstractmethod
    def text(self, columns: int) -> TurningLine:
        """What the page says."""

    @abstractmethod
    def hints(self) -> list[str]:
        """What the buttons do, in short pieces."""

    def lines(self, columns: int) -> Lines:
        return self.text(columns), filled(self.hints(), columns)

    def lit(self) -> dict[int, Tint]:
        """The lamps that burn, by their places in the frame."""
        return {self.panel_lamp(seat): Tint.WHITE for seat in (FIRST, SECOND)}

    @property
    def due_ns(self) -> int | None:
        """When the page looks different though nothing happens; None if never."""
        return None

    def first(self) -> None:
        """The first seat's button was pressed and let go."""

    def second(self) -> None:
        """The second seat's button was pressed and let go."""

    def confirmed(self) -> None:
        """The second seat's button was pressed here and is held long enough to mean it."""

    def left(self) -> None:
        """Whoever was here goes elsewhere."""

    def button(self, source: Button | Call, down: bool, bounces: int) -> None:
        """A button changed; it bounced that often."""

    def noticed(self, at: Spot, what: str, there: bool) -> None:
        """Something came to a place, or went away: a tag, or whatever makes contact (no text)."""

    def panel_lamp(self, seat: int) -> int:
        return panel_lamp_index(seat, self.context.info.piles)

    def way_back(self) -> str:
        """The hint for the long press: it leads out of the first page, and back from all others."""
        return self.context.say(Phrase.EXIT if self.context.pages[0] is self else Phrase.BACK)
