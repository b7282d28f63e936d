"""What people don't do though the table asks for it: so that each of its ways out by time is taken.

A mood holds for one match. Whoever is in it looks away while the table asks for one thing, for so long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.lab.bots.page_reading import PageReader, PageReading, Wish
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.times import S

NOBODY = PageReading(Wish.WAIT)
EVERYBODY = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Mood:
    """Which seats don't do what is asked, for how long, and at which occasion of the match they begin."""

    name: str
    ignored: frozenset[Wish] = frozenset()
    seats: tuple[int, ...] = EVERYBODY
    for_ns: int = 0
    occasion: int = 1
    players: tuple[int, ...] = EVERYBODY
    """Who plays at all in that match."""


def _mood(name: str, wishes: str, for_s: int, seats: tuple[int, ...] = EVERYBODY, occasion: int = 1) -> Mood:
    return Mood(name, frozenset(Wish[wish] for wish in wishes.split()), seats, for_s * S, occasion)


EAGER = Mood("eager")
MOODS = (
    EAGER,  # and takes off what the last ones have left
    _mood("things lie about after the last round", "DEAL TAKE_OFF", 130, occasion=2),
    _mood("only one sits down", "SIT", 35, (2, 3, 4)),
    _mood("nobody confirms what is left", "CHECK", 30),
    Mood("only three play", players=(1, 2, 3)),
    _mood("all think for long", "PLAY", 195),
    _mood("only one is ready", "DEAL", 130, (2, 3, 4)),
    _mood("all walk away in the middle", "PLAY HOLD", 850),
    EAGER,
    _mood("nobody deals", "DEAL TAKE_OFF", 130),
)
"""Match after match one of these, and again from the beginning."""


class Moods:
    """The mood of the evening; `changed` is called when another one begins, with who plays."""

    def __init__(self, now_ns: Callable[[], int], spelled: Callable[[str], str], first: int = 0) -> None:
        self.matches = 0
        self.changed: Callable[[tuple[int, ...]], None] = lambda players: None
        self._now_ns = now_ns
        self._free = spelled(say("en", Phrase.PRESS_TO_PLAY))
        self._number = first
        self._was_free = True
        self._wish = Wish.WAIT
        self._occasions = 0
        self._began_ns: int | None = None
        self._spoilt = False
        """Whether the match began without one of them, whose button had failed: then they walk away."""

    @property
    def mood(self) -> Mood:
        """The present one."""
        return MOODS[self._number % len(MOODS)]

    def look(self, seat: int, players: tuple[int, ...], reading: PageReading, first_line: str) -> PageReading:
        """What a person makes of the scoreboard who is in this mood."""
        self._follow(reading, first_line)
        mood = self.mood
        if players != mood.players or self._spoilt:
            return NOBODY
        if seat not in mood.seats or reading.wish not in mood.ignored or self._began_ns is None:
            return reading
        return NOBODY if self._now_ns() < self._began_ns + mood.for_ns else reading

    def _follow(self, reading: PageReading, first_line: str) -> None:
        free = first_line == self._free
        if free and not self._was_free:
            self._next()
        self._was_free = free if first_line else self._was_free  # a blank sign says nothing
        wish = reading.wish
        asked = wish in self.mood.ignored
        if asked and self._wish not in self.mood.ignored and self._began_ns is None:
            self._occasions += 1
            if self._occasions == self.mood.occasion:
                self._began_ns = self._now_ns()
        self._wish = wish if first_line else self._wish
        if len(reading.counts) not in (0, 1, len(self.mood.players)):  # 1: all are dealt as many
            self._spoilt = True

    def _next(self) -> None:
        """A match is over, or was given up."""
        self.matches += 1
        self._number += 1
        self._occasions, self._began_ns, self._spoilt = 0, None, False
        self.changed(self.mood.players)


class MoodyReader(PageReader):
    """Reads the scoreboard for one person of a company."""

    def __init__(
        self, spelled: Callable[[str], str], moods: Moods, seat: int, players: tuple[int, ...]
    ) -> None:
        super().__init__("en", spelled)
        self._moods = moods
        self._seat = seat
        self._players = players

    def read(self, lines: tuple[str, ...]) -> PageReading:
        return self._moods.look(self._seat, self._players, super().read(lines), lines[0])
