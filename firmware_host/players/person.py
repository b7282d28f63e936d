"""One simulated person at one seat: what people do in both games.

A person is a generator that yields the time until the next action. People look at the
scoreboard and the lamps, think for a while, and move. By the time the hand is there the
place may be taken. They keep the rules that no table can check, and count honestly what
they have left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import Protocol

from firmware_host.durations import MS
from firmware_host.players.fingers import LONG_PRESS_NS, Actions, Fingers
from firmware_host.players.page_reading import PageReader, PageReading, Wish
from firmware_host.players.skill import Skill
from firmware_host.players.world import DARK, PlayersWorld

GLANCE_NS = 250 * MS  # between two looks when there is nothing to do
CALL_OFF_NS = 4000 * MS
TAKEN_NS = 2500 * MS  # the own lamp says by then that the table has taken an answer
RHYTHM_NS = 1100 * MS  # long enough to see whether a lamp blinks
_BY_PRESSING = frozenset({Wish.SIT, Wish.HOLD, Wish.RESUME, Wish.CHECK, Wish.CONFIRM, Wish.DEAL})
"""What is answered at the button, so that the own lamp blinks as long as the answer is missing."""


class Supplies(Protocol):
    """The dice or cards, which all people share."""

    dealt: bool
    """Whether they have been dealt and not been played with since."""

    @property
    def cleared(self) -> bool:
        """Whether nothing lies on the table any more."""

    def deal(self) -> None:
        """Mix everything, and give each seat its part."""


class Person(ABC):
    """Plays at one seat, with one skill."""

    def __init__(
        self,
        seat: int,
        seats: list[int],
        skill: Skill,
        supplies: Supplies,
        world: PlayersWorld,
        reader: PageReader,
        chance: Random,
    ) -> None:
        self.seat = seat
        self.skill = skill
        self._seats = seats
        self._supplies = supplies
        self._world = world
        self._reader = reader
        self._chance = chance
        self._fingers = Fingers(seat, skill, world, chance)
        self.leads = seat == seats[0]
        """Whether this person deals, and goes on after a pause, for all."""
        self.aside = False
        """Whether a visitor plays at this seat; then this person only does what is not play."""
        self._was_paused = False
        self._answered: tuple[Wish, int] | None = None
        """The wish, and the seat it named, that this person has done its part for."""
        self._answered_ns = 0
        self._ways: dict[Wish, Callable[[PageReading], Actions]] = {
            Wish.SIT: self._sit,
            Wish.PLAY: self._play,
            Wish.STOP: self._stop,
            Wish.HOLD: self._go_on,
            Wish.RESUME: self._go_on,
            Wish.ASK: self._own_up,
            Wish.CHECK: self._check,
            Wish.ENTER: self._enter,
            Wish.CONFIRM: self._confirm,
            Wish.SCORED: self._see_scores,
            Wish.TAKE_OFF: self._take_off,
            Wish.DEAL: self._deal,
        }

    def life(self) -> Actions:
        """Everything that this person does."""
        yield self._chance.randrange(GLANCE_NS)
        while True:
            if self._fingers.asked_for and self._fingers.at_rest:
                self.aside = True
            reading = self._look()
            way = self._ways.get(reading.wish)
            if way is None or self._has_answered(reading):
                yield GLANCE_NS
            elif self.aside and reading.wish is Wish.PLAY:
                yield from self._look_on(reading)
            else:
                yield from way(reading)

    @property
    def has_visitor(self) -> bool:
        """Whether somebody else plays here, or is about to."""
        return self._fingers.asked_for

    def make_room(self) -> None:
        """Get up for a visitor as soon as what is under way is done; `aside` says when."""
        self._fingers.asked_for = True

    def sit_again(self) -> None:
        """The visitor has gone: play on with what is there."""
        self._fingers.asked_for = self.aside = False

    # -- what each game says

    @property
    @abstractmethod
    def left(self) -> int:
        """How many dice or cards this person still has to get rid of."""

    @abstractmethod
    def _play(self, reading: PageReading) -> Actions:
        """Play for a while."""

    @abstractmethod
    def _look_on(self, reading: PageReading) -> Actions:
        """Let the visitor at this seat play."""

    @abstractmethod
    def _stop(self, reading: PageReading) -> Actions:
        """Stop playing: the round is over."""

    def _own_up(self, reading: PageReading) -> Actions:
        """Say that a die without an owner is the own one."""
        yield GLANCE_NS

    @abstractmethod
    def _check(self, reading: PageReading) -> Actions:
        """Make sure that the table's count of what is left is right."""

    @abstractmethod
    def _take_off(self, reading: PageReading) -> Actions:
        """Clear the table."""

    def _deal_out(self, reading: PageReading) -> None:
        """Deal to everybody."""
        self._supplies.deal()

    def _get_ready(self) -> Actions:
        """Prepare the round after the deal."""
        yield from ()

    # -- what all people do

    def _look(self) -> PageReading:
        return self._reader.read(self._world.lines)

    def _has_answered(self, reading: PageReading) -> bool:
        """Whether nothing is left to do for what the scoreboard says."""
        if self._answered != (reading.wish, reading.seat) or self._is_asked_again(reading.wish):
            self._answered = None
        return self._answered is not None

    def _is_asked_again(self, wish: Wish) -> bool:
        """Whether the answer is gone: somebody may have had the table ask the same question once more.

        The scoreboard says the same as before, but the own lamp blinks.
        """
        if wish not in _BY_PRESSING or self._world.now_ns < self._answered_ns + TAKEN_NS:
            return False
        if wish in (Wish.HOLD, Wish.RESUME) and not self.leads:
            return False
        if wish is Wish.DEAL and self.aside:  # it is the visitor who has not pressed yet
            return False
        light = self._world.panel_light(self.seat, RHYTHM_NS)
        return DARK in light and any(light)

    def _answer(self, reading: PageReading) -> None:
        """Consider this done, until the scoreboard says something else."""
        self._answered = reading.wish, reading.seat
        self._answered_ns = self._world.now_ns

    def _tap_for(self, wish: Wish) -> None:
        """Press, unless the scoreboard has gone on meanwhile."""
        if self._look().wish is wish:
            self._fingers.tap()

    def _sit(self, reading: PageReading) -> Actions:
        yield self._skill_time(3)
        self._tap_for(Wish.SIT)
        self._answer(reading)
        yield GLANCE_NS

    def _see_scores(self, reading: PageReading) -> Actions:
        """Read the points of the round, and begin to clear the table."""
        yield self._skill_time(4)
        yield from self._take_off(reading)
        self._answer(reading)

    def _go_on(self, reading: PageReading) -> Actions:
        yield self._skill_time(2)
        self._was_paused = reading.wish is Wish.HOLD
        if self.leads and self._look().wish is reading.wish:
            yield from self._fingers.hold(LONG_PRESS_NS)
        self._answer(reading)

    def _deal(self, reading: PageReading) -> Actions:
        self._was_paused = False
        yield self._skill_time(2)
        supplies = self._supplies
        if not supplies.dealt and self.leads and supplies.cleared:
            self._deal_out(reading)
        if supplies.dealt:
            yield from self._get_ready()
            if not self.aside:  # a visitor says so at the button
                self._tap_for(Wish.DEAL)
            self._answer(reading)

    def _call_off(self) -> Actions:
        """Call that nobody can play on; when all do so together, the table ends the round."""
        yield from self._fingers.hold(CALL_OFF_NS)

    def _enter(self, reading: PageReading) -> Actions:
        if reading.seat == self.seat:
            yield 500 * MS
            if not self.left:
                yield from self._fingers.hold(LONG_PRESS_NS)
            for _ in range(self.left):
                self._fingers.tap()
                yield 400 * MS
        self._answer(reading)

    def _confirm(self, reading: PageReading) -> Actions:
        yield self._skill_time(3)
        if reading.seat != self.seat:
            self._tap_for(Wish.CONFIRM)
        self._answer(reading)

    def _skill_time(self, reactions: int) -> int:
        return reactions * self.skill.reaction.draw(self._chance)
