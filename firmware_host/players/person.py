"""One simulated person at one seat.

A person's life is a generator: it yields how long it takes until the next deed. People
look at the scoreboard and the lamps, think for a while, and move; by the time the hand
is there the place may be taken. They keep the rules that no table can see: they throw
all their dice or none, and they hold up the number of dice they really have.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from firmware_host.durations import MS
from firmware_host.places import ALL_SLOTS, Slot
from firmware_host.players.dice import Dice, Die
from firmware_host.players.fingers import Delays, Fingers
from firmware_host.players.reading import Reader, Reading, Wish
from firmware_host.players.round import LIFT_NS, LONG_LOOK_NS, RoundPlayer
from firmware_host.players.skill import Skill
from firmware_host.players.world import RED, WHITE, World

GLANCE_NS = 250 * MS  # between two looks when there is nothing to do
CLEAR_NS = 220 * MS  # taking a die off the board into the bag
LONG_PRESS_NS = 1300 * MS
STUCK_PRESS_NS = 4000 * MS


class Person:
    """Plays at one seat, with one skill."""

    def __init__(
        self,
        seat: int,
        seats: list[int],
        skill: Skill,
        dice: Dice,
        world: World,
        reader: Reader,
        chance: Random,
    ) -> None:
        self.seat = seat
        self.skill = skill
        self._seats = seats
        self._dice = dice
        self._world = world
        self._reader = reader
        self._chance = chance
        self._fingers = Fingers(seat, skill, world, chance)
        self._round = RoundPlayer(seat, seats.index(seat), skill, dice, world, reader, chance, self._fingers)
        self._stuck = False
        self._done: set[Wish] = set()
        self._ways: dict[Wish, Callable[[Reading], Delays]] = {
            Wish.SIT: self._sit,
            Wish.PLAY: self._play,
            Wish.STOP: self._stop,
            Wish.HOLD: self._go_on,
            Wish.CHECK: self._check,
            Wish.ENTER: self._enter,
            Wish.CONFIRM: self._confirm,
            Wish.TAKE_OFF: self._take_off,
            Wish.DEAL: self._deal,
        }

    def life(self) -> Delays:
        """All that this person ever does."""
        yield self._chance.randrange(GLANCE_NS)
        while True:
            reading = self._look()
            self._done &= {reading.wish}
            way = self._ways.get(reading.wish)
            if way is None or reading.wish in self._done:
                yield GLANCE_NS
            else:
                yield from way(reading)

    @property
    def hand(self) -> list[Die]:
        """The dice this person holds."""
        return self._dice.hands.get(self.seat, [])

    def _look(self) -> Reading:
        return self._reader.read(self._world.lines)

    # -- before and after a round

    def _sit(self, reading: Reading) -> Delays:
        yield self._skill_time(3)
        if not self._dice.dealt:
            self._dice.deal()
        self._fingers.tap()
        self._done.add(Wish.SIT)
        yield GLANCE_NS

    def _go_on(self, reading: Reading) -> Delays:
        yield self._skill_time(2)
        self._stuck = True
        if self.seat == self._seats[0]:
            yield from self._fingers.hold(LONG_PRESS_NS)
        self._done.add(Wish.HOLD)

    def _take_off(self, reading: Reading) -> Delays:
        """Everybody helps to clear the board, each beginning with another row."""
        first = (self.seat - 1) * len(ALL_SLOTS) // len(self._seats)
        for slot in ALL_SLOTS[first:] + ALL_SLOTS[:first]:
            if slot in self._dice.board:
                yield CLEAR_NS
                if slot in self._dice.board:
                    self._world.empty(slot)
                    self._dice.clear(slot)
        yield GLANCE_NS

    def _deal(self, reading: Reading) -> Delays:
        yield self._skill_time(2)
        if not self._dice.dealt and self.seat == self._seats[0] and not self._dice.board:
            self._dice.deal()
        if self._dice.dealt:
            self._fingers.tap()
            self._done.add(Wish.DEAL)

    # -- the leftover check

    def _stop(self, reading: Reading) -> Delays:
        """Hands off. What was put down too late is taken back: its lamp says so."""
        yield self._skill_time(1)
        yield LONG_LOOK_NS
        for slot in list(self._round.minding):
            if self._world.is_filled(slot) and RED in self._world.slot_light(slot, LONG_LOOK_NS):
                yield LIFT_NS
                self._round.lift(slot)
        self._round.minding.clear()
        self._done.add(Wish.STOP)

    def _check(self, reading: Reading) -> Delays:
        """Compare the dice in hand with what the table thinks."""
        if self._round.minding:
            yield from self._stop(reading)
        place = self._seats.index(self.seat)
        for slot in ALL_SLOTS:
            if len(self.hand) < reading.counts[place]:
                yield from self._take_if_nobodys(slot)
        reading = self._look()
        if not reading.counts:
            return
        if reading.counts[place] == len(self.hand):
            yield self._skill_time(2)
            self._fingers.tap()
        else:
            yield from self._fingers.hold(LONG_PRESS_NS)
        self._done.add(Wish.CHECK)

    def _take_if_nobodys(self, slot: Slot) -> Delays:
        """A die that flashes white was never claimed: it goes back to whoever is short of one."""
        if slot in self._dice.board and WHITE in self._world.slot_light(slot, LONG_LOOK_NS):
            yield LIFT_NS
            if slot in self._dice.board:
                self._world.empty(slot)
                self._dice.take_back(self.seat, slot)

    def _enter(self, reading: Reading) -> Delays:
        if reading.seat == self.seat:
            yield 500 * MS
            if not self.hand:
                yield from self._fingers.hold(LONG_PRESS_NS)
            for _ in self.hand:
                self._fingers.tap()
                yield 400 * MS
        self._done.add(Wish.ENTER)

    def _confirm(self, reading: Reading) -> Delays:
        yield self._skill_time(3)
        if reading.seat != self.seat:
            self._fingers.tap()
        self._done.add(Wish.CONFIRM)

    # -- the round

    def _play(self, reading: Reading) -> Delays:
        """Play; but if nothing has fitted for minutes, call it: all hold until the round is void."""
        self._dice.dealt = False
        if self._stuck:
            self._stuck = False
            yield from self._fingers.hold(STUCK_PRESS_NS)
        else:
            yield from self._round.play()

    def _skill_time(self, reactions: int) -> int:
        return reactions * self.skill.reaction.draw(self._chance)
