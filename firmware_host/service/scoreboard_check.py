"""A page that fills every column of the scoreboard, first in the upper line, then in the lower one."""

from __future__ import annotations

from firmware_host.service.page import ServicePage, filled
from firmware_host.service.panel_context import PanelContext
from firmware_host.show.lines import Lines, TurningLine
from firmware_host.texts import Phrase

PATTERNS = ("1234567890", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "ÄÖÜäöüßàéèêìòùñ¿¡çïë")
"""The numbers of the columns, then the letters, then the accented letters of the six languages."""


class ScoreboardCheck(ServicePage):
    """Shows a pattern; the first button goes on to the next, through the upper line, then the lower one."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._at = 0

    def text(self, columns: int) -> TurningLine:
        pattern = PATTERNS[self._at % len(PATTERNS)]
        return (pattern * columns)[:columns]

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NEXT), self.way_back()]

    def lines(self, columns: int) -> Lines:
        pattern, hints = self.text(columns), filled(self.hints(), columns)
        return (pattern, hints) if self._at < len(PATTERNS) else (hints, pattern)

    def first(self) -> None:
        self._at = (self._at + 1) % (2 * len(PATTERNS))
