"""What can't be taken back is asked again."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.service.desk import Desk
from firmware_host.service.page import Page
from firmware_host.service.words import Word
from firmware_host.show.lines import Line


class Question(Page):
    """Only the second button, pressed here and held, means yes."""

    def __init__(self, desk: Desk, word: Word, answered: Callable[[], None]) -> None:
        super().__init__(desk)
        self._word = word
        self._answered = answered

    def text(self, columns: int) -> Line:
        return self.desk.say(self._word)

    def hints(self) -> list[str]:
        return [self.desk.say(Word.NO), self.desk.say(Word.YES)]

    def first(self) -> None:
        self.desk.back()

    def confirmed(self) -> None:
        self._answered()
