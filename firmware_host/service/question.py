"""The question before something that can't be undone."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.service.page import ServicePage
from firmware_host.service.panel_context import PanelContext
from firmware_host.show.lines import TurningLine
from firmware_host.texts import Phrase


class Question(ServicePage):
    """A question; only the second button, pressed on this page and held, means yes."""

    def __init__(self, context: PanelContext, question: Phrase, answered: Callable[[], None]) -> None:
        super().__init__(context)
        self._question = question
        self._answered = answered

    def text(self, columns: int) -> TurningLine:
        return self.context.say(self._question)

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NO), self.context.say(Phrase.YES)]

    def first(self) -> None:
        self.context.back()

    def confirmed(self) -> None:
        self._answered()
