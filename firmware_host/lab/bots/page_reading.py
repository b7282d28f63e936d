"""What a person reads from the scoreboard: what the table asks for now."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from firmware_host.model.effects import Cue
from firmware_host.model.phrases import Phrase, say


class Wish(Enum):
    """What the table asks of the people around it."""

    WAIT = auto()  # nothing now
    SIT = auto()  # sit down by pressing
    PLAY = auto()  # the round runs
    STOP = auto()  # the round is over
    HOLD = auto()  # the round is paused: hold a button to go on
    RESUME = auto()  # the table was off, and something has changed: hold a button to go on anyway
    ASK = auto()  # dice lie there without an owner
    CHECK = auto()  # compare the leftover counts
    ENTER = auto()  # one seat enters its dice
    CONFIRM = auto()  # one seat has entered this count
    SCORED = auto()  # see what each seat has got, and clear the table
    TAKE_OFF = auto()  # take the dice off the board
    DEAL = auto()  # deal and press


class PageReading(NamedTuple):
    """A wish, with the seat and the counts that are shown with it."""

    wish: Wish
    seat: int = 0
    counts: tuple[int, ...] = ()


_FIXED = {
    Phrase.PRESS_TO_PLAY: Wish.SIT,
    Phrase.PRESS_TO_SIT: Wish.SIT,
    Phrase.PAUSED: Wish.HOLD,
    Phrase.WAS_OFF: Wish.RESUME,
    Phrase.LEFT_RIGHT: Wish.CHECK,
    Phrase.TAKE_OFF: Wish.TAKE_OFF,
    Phrase.DEAL: Wish.DEAL,
    Phrase.SCAN_LEFT: Wish.CHECK,
    Phrase.SUM_WRONG: Wish.CHECK,
    Phrase.DEAL_CARDS: Wish.DEAL,
    Phrase.STUCK: Wish.STOP,
}
_MARKS = "89"
"""Digits that stand for any numbers."""
_COUNT = re.compile(r"(?:\d+:)?(\d+)")
_COUNTS = re.compile(r"(?:\d+:)?\d+(?: (?:\d+:)?\d+)+|\d+:\d+")


class PageReader:
    """Reads the scoreboard in these languages. `spelled` is how the display spells a text."""

    def __init__(self, languages: str | Sequence[str], spelled: Callable[[str], str]) -> None:
        known = [languages] if isinstance(languages, str) else languages

        def texts(phrase: Phrase, **values: object) -> list[str]:
            return [spelled(say(language, phrase, **values)) for language in known]

        self._fixed = {text: wish for phrase, wish in _FIXED.items() for text in texts(phrase)}
        self._played = {spelled(say(language, Cue.IN_CENTRE)) for language in known}
        self._hold = texts(Phrase.HOLD_TO_GO_ON)
        self._start = set(texts(Phrase.START))
        self._stop = {text for call in (Phrase.STOP_DICE, Phrase.STOP_CARDS) for text in texts(call)}

        def patterns(phrase: Phrase, *numbers: str) -> list[re.Pattern[str]]:
            """How the phrase may look with any numbers: with longer ones the display may spell it shorter."""
            marks = dict(zip(numbers, _MARKS, strict=False))
            found = (texts(phrase, **{name: mark * many for name, mark in marks.items()}) for many in (1, 2))
            return list(dict.fromkeys(_with_numbers(text) for each in found for text in each))

        self._enters = [*patterns(Phrase.ENTER_DICE, "seat"), *patterns(Phrase.ENTER_CARDS, "seat")]
        self._done = patterns(Phrase.DONE, "seat")
        self._whose = patterns(Phrase.WHOSE, "n")
        self._each = patterns(Phrase.EACH, "n")
        self._holds = patterns(Phrase.HOLDS, "seat", "n")

    def says_played(self, lines: tuple[str, ...], where: str) -> bool:
        """Whether the display says that the card at that seat or pile is in the centre already."""
        name, _, word = lines[0].partition(": ")
        return name == where and word in self._played

    def read(self, lines: tuple[str, ...]) -> PageReading:
        """What the display asks for. Counts below a verdict, or below any other text, mean: play."""
        first, second = lines
        wish = self._fixed.get(first)
        if wish in (Wish.HOLD, Wish.RESUME) and second not in self._hold:
            return PageReading(Wish.WAIT)  # only the operator can end this pause, or another text follows
        if wish is Wish.DEAL:
            return PageReading(wish, counts=self._dealt(second))
        if wish is not None:
            return PageReading(wish, counts=_counts(second) if wish is Wish.CHECK else ())
        if any(whose.fullmatch(first) for whose in self._whose):
            return PageReading(Wish.ASK, counts=_counts(second))
        both = f"{first} {second}"
        if not self._stop.isdisjoint((first, both)):
            return PageReading(Wish.STOP)
        if any(done.fullmatch(first) for done in self._done):
            return PageReading(Wish.SCORED)  # points without a sign look like counts
        if _COUNTS.fullmatch(second):
            return PageReading(Wish.PLAY, counts=_counts(second))
        if not self._start.isdisjoint((first, both)):
            return PageReading(Wish.PLAY)
        for enter in self._enters:
            entering = enter.fullmatch(first)
            if entering:
                return PageReading(Wish.ENTER, seat=int(entering[1]))
        for holds in self._holds:
            holding = holds.fullmatch(first)
            if holding:
                return PageReading(Wish.CONFIRM, seat=int(holding[1]))
        return PageReading(Wish.WAIT)

    def _dealt(self, text: str) -> tuple[int, ...]:
        """What the seats draw: one number if all draw as many; nothing if it says something else in turn."""
        if any(each.fullmatch(text) for each in self._each) or _COUNTS.fullmatch(text):
            return _counts(text)
        return ()


def _counts(text: str) -> tuple[int, ...]:
    return tuple(map(int, _COUNT.findall(text)))


def _with_numbers(text: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\d+", r"(\\d+)", re.escape(text)))
