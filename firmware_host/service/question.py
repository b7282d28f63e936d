"""What can't be taken back is asked again."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.service.desk import Desk
from firmware_host.service.page import Page
from firmware_host.show.lines import Line
from firmware_host.texts import Phrase


class Question(Page):
    """Only the second button, pressed here and held, means yes."""

    def __init__(self, desk: Desk, question: Phrase, answered: Callable[[], None]) -> None:
        super().__init__(desk)
        self._question = question
        self._answered = answered

    def text(self, columns: int) -> Line:
        return self.desk.say(self._question)

    def hints(self) -> list[str]:
        return [self.desk.say(Phrase.NO), self.desk.say(Phrase.YES)]

    def first(self) -> None:
        self.desk.back()

    def confirmed(self) -> None:
        self._answered()
