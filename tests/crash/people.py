"""Careful people: they know what they want to play, watch the table, and do it again until it has counted.

All of them together are one course of deeds, so that a play is over before the next begins. They
see of the table what anybody sees: its scoreboard and its lamps. They wait while it is off or paused, put
right what it complains of, and begin the match anew if the table has forgotten it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from random import Random

from firmware_host.lab.bots.page_reading import PageReader, PageReading, Wish
from firmware_host.lab.bots.person import GREEN, RED, Actions
from firmware_host.lab.hands import SimulatedTable
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.times import MS
from tests.crash.diary import ROUNDED_NS, Diary, margin_in, seats_in
from tests.crash.plans import SEATS, FalseClaim, MatchPlan, Play, RoundPlan, SideShow

GLANCE_NS = 60 * MS
TAP_NS = 80 * MS
PATIENCE_NS = 2500 * MS
REST_NS = 700 * MS
LOOK_NS = 1100 * MS
HOLD_NS = 1300 * MS
LOCKED_NS = 20_000 * MS

_ROUND = re.compile(r"Round (\d+)/\d+")
_WINNER = say("en", Phrase.WINNER, seats="")
_FREE = say("en", Phrase.PRESS_TO_PLAY)

Look = Generator[int, None, bool]


class People(ABC):
    """All people at one table, with one plan."""

    def __init__(self, world: SimulatedTable, plan: MatchPlan, chance: Random) -> None:
        self.plan = plan
        self.diary = Diary()
        self.outages = 0
        """How often the table went off or came back: odd while it is off. Who does that counts it here."""
        self._world = world
        self._chance = chance
        self._reader = PageReader("en", str)
        self._number = 1
        self._shown_off: set[tuple[int, int, int]] = set()
        self._away = self._fresh = True
        self._ways: dict[Wish, Callable[[PageReading], Actions]] = {
            Wish.SIT: self._sit,
            Wish.PLAY: self._play,
            Wish.CHECK: self._check,
            Wish.HOLD: self._go_on,
            Wish.TAKE_OFF: self._take_off,
            Wish.DEAL: self._press_ready,
        }

    def arrive(self) -> None:
        """They begin to live."""
        self._live(self._life())

    def _live(self, life: Actions) -> None:
        delay_ns = next(life, None)
        if delay_ns is not None:
            self._world.after(delay_ns, lambda: self._live(life))

    def _life(self) -> Actions:
        while not self.diary.over:
            reading = self._read()
            if reading.wish is not Wish.PLAY:
                self._away = True
            yield from self._ways.get(reading.wish, self._wait)(reading)
            yield GLANCE_NS

    # -- what each game says

    @abstractmethod
    def taken(self, counts: tuple[int, ...]) -> int:
        """How many plays of the round have counted, as the numbers on the scoreboard say."""

    @abstractmethod
    def _put_right(self, index: int) -> Actions:
        """The table runs again: see to it that only what has counted lies there."""

    @abstractmethod
    def _make(self, play: Play, counts: tuple[int, ...]) -> Actions:
        """Make a play, and wait until it has counted, or something else has happened."""

    @abstractmethod
    def _end(self) -> Actions:
        """All plays of the round have counted."""

    @abstractmethod
    def _show_off(self, show: SideShow) -> Look:
        """Do something that comes to nothing; whether the table has said so."""

    @abstractmethod
    def _show_left(self, counts: tuple[int, ...]) -> Actions:
        """Let the table know what is left."""

    def _wait(self, reading: PageReading) -> Actions:
        """Nothing is asked now."""
        if self._world.lines[0].startswith(_WINNER):
            self.diary.shown = self._world.lines
            self.diary.over = True
        yield GLANCE_NS

    # -- the same for both

    def _sit(self, reading: PageReading) -> Actions:
        first, second = self._world.lines
        if first == _FREE:
            self._fresh = True
            self._number = 1
            self._shown_off.clear()
            if self._chance.random() < 0.5:
                yield from self._take_off(reading)
            missing = set(SEATS)
        else:
            missing = set(SEATS) - seats_in(second)
        for seat in sorted(missing):
            self._tap(seat)
            yield self._chance.randint(20, 300) * MS
        yield REST_NS

    def _play(self, reading: PageReading) -> Actions:
        if not reading.counts:
            return  # the start call alone
        if self._fresh:
            self._fresh = False
            self.diary.begun += 1
        index = self.taken(reading.counts)
        if self._away:
            self._away = False
            yield from self._put_right(index)
        plays = self.round.plays
        if index >= len(plays):
            yield from self._end()
            return
        play = plays[index]
        show, key = play.before, (self.diary.begun, self._number, index)
        if show is not None and key not in self._shown_off:
            if (yield from self._show_off(show)):
                self._shown_off.add(key)
                self.diary.side_shows += 1
            return
        if not (yield from self._calm(play.seat, play.rival or play.seat)):
            return
        counts = self._read().counts
        if not counts or self.taken(counts) != index:
            return
        yield from self._make(play, counts)

    def _check(self, reading: PageReading) -> Actions:
        """Let it be known what is left; when the table knows, all say that it is right."""
        yield from self._show_left(reading.counts)
        now = self._read()
        if now.wish is not Wish.CHECK or len(now.counts) != len(SEATS):
            return
        if now.counts == self.round.left:
            yield from self._press_ready(reading)
        else:
            self._miscount(now.counts)
            yield REST_NS

    @abstractmethod
    def _miscount(self, counts: tuple[int, ...]) -> None:
        """The table counts otherwise."""

    def _press_ready(self, reading: PageReading) -> Actions:
        for seat in SEATS:
            if GREEN not in self._world.panel_light(seat, GLANCE_NS):
                self._tap(seat)
                yield self._chance.randint(10, 150) * MS
        yield REST_NS

    def _go_on(self, reading: PageReading) -> Actions:
        yield from self._hold(1)

    def _take_off(self, reading: PageReading) -> Actions:
        yield GLANCE_NS

    # -- eyes

    @property
    def round(self) -> RoundPlan:
        """The plan of the round that is played."""
        return self.plan.rounds[self._number - 1]

    def _read(self) -> PageReading:
        lines = self._world.lines
        number = _ROUND.match(lines[0])
        if number:
            self._number = int(number[1])
        return self._reader.read(lines)

    def _running(self) -> bool:
        return self._read().wish is Wish.PLAY

    def _until(self, seen: Callable[[], bool], within_ns: int = PATIENCE_NS) -> Look:
        """Look again and again; whether it was seen in time."""
        end_ns = self._world.now_ns + within_ns
        while not seen():
            if self._world.now_ns >= end_ns:
                return False
            yield GLANCE_NS
        return True

    def _calm(self, *seats: int) -> Look:
        """Wait until none of these is locked; whether the round still runs then."""

        def calm() -> bool:
            return not any(RED in self._world.panel_light(seat, LOOK_NS) for seat in seats)

        yield from self._until(lambda: calm() or not self._running(), LOCKED_NS)
        return self._running()

    def _until_counted(self, counts: tuple[int, ...]) -> Look:
        """Wait until the numbers have changed, or the round does not run any more."""
        yield from self._until(lambda: self._read().counts != counts)
        after = self._read()
        return after.wish is not Wish.PLAY or self.taken(after.counts) > self.taken(counts)

    def _watch_rival(self, play: Play) -> Actions:
        """The scoreboard tells of the rival after the win has stood for a while."""
        told, outages = f"{play.rival} too late", self.outages
        if (yield from self._until(lambda: self._world.lines[0].startswith(told) or not self._running())):
            lag_ns = margin_in(self._world.lines[0])
            if lag_ns is None:
                return  # the table was stopped meanwhile
            if abs(lag_ns - play.lag_ns) > ROUNDED_NS:
                self.diary.complaints.append(f"{self._world.lines[0]}, but the lag was {play.lag_ns} ns")
            self.diary.rivals += 1
        elif outages == self.outages and outages % 2 == 0:
            self.diary.complaints.append(f"nothing was said of the rival in {play}")

    # -- fingers

    def _tap(self, seat: int) -> None:
        self._world.press(seat)
        self._world.after(TAP_NS, lambda: self._world.release(seat))

    def _hold(self, seat: int) -> Actions:
        self._world.press(seat)
        yield HOLD_NS
        self._world.release(seat)
        yield REST_NS

    def _claim_falsely(self, show: FalseClaim) -> Look:
        """Slap for nothing; whether the seat's lamp has turned red."""
        if not (yield from self._calm(show.seat)):
            return False
        self._tap(show.seat)
        return (
            yield from self._until(lambda: RED in self._world.panel_light(show.seat, GLANCE_NS), 900 * MS)
        )
