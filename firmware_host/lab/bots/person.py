"""One simulated person at one seat: what people do in both games.

A person is a generator that yields the time until the next action. People look at the
scoreboard and the lamps, think for a while, and move. By the time the hand is there the
place may be taken. They keep the rules that no table can check, and count honestly what
they have left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

from firmware_host.lab.bots.page_reading import PageReader, PageReading, Wish
from firmware_host.lab.bots.skill import Skill
from firmware_host.model.places import Slot, Spot, Tag
from firmware_host.model.times import MS

WHITE, YELLOW, RED, CYAN, GREEN, DARK = 7, 6, 4, 3, 2, 0
"""The different values of a lamp that an eye saw."""


class PlayersWorld(Protocol):
    """Hands and eyes at one table. Nothing here gives access to the referee."""

    @property
    def now_ns(self) -> int: ...

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the scoreboard."""

    def after(self, delay_ns: int, deed: Callable[[], None]) -> None:
        """Do something later."""

    def press(self, seat: int) -> None: ...

    def release(self, seat: int) -> None: ...

    def press_call(self, seat: int) -> None: ...

    def release_call(self, seat: int) -> None: ...

    def show(self, at: Spot, tag: Tag) -> None:
        """Hold something with a tag to a reader."""

    def withdraw(self, at: Spot, tag: Tag) -> None:
        """Take it away again."""

    def fill(self, slot: Slot, tag: Tag) -> None:
        """Put a die on a slot, with that tag under it."""

    def empty(self, slot: Slot) -> None:
        """Take the die on a slot away."""

    def is_filled(self, slot: Slot) -> bool: ...

    def slot_light(self, slot: Slot, for_ns: int) -> tuple[int, ...]:
        """The values of a slot's lamp during the last `for_ns`, in order."""

    def panel_light(self, seat: int, for_ns: int) -> tuple[int, ...]:
        """The same for a seat's panel lamp."""


Actions = Iterator[int]
"""Something that a person does: it yields the time until the next action."""

PAUSE_NS = 250 * MS
LONG_PRESS_NS = 1300 * MS
"""Longer than the table needs to take a press for a call."""


class Fingers:
    """Presses the button of one seat."""

    def __init__(self, seat: int, skill: Skill, world: PlayersWorld, chance: Random) -> None:
        self._seat = seat
        self._skill = skill
        self._world = world
        self._chance = chance
        self.asked_for = False
        """Whether somebody else wants to sit here: then nothing new is begun."""
        self._busy_until_ns = 0
        self._keeps_down = False

    @property
    def at_rest(self) -> bool:
        """Whether no tap is under way or meant to come."""
        return self._world.now_ns >= self._busy_until_ns

    def tap(self) -> None:
        """A short press."""
        tap_ns = self._skill.tap.draw(self._chance)
        self._mean_to_tap(tap_ns)
        self._world.press(self._seat)
        self._world.after(tap_ns, self._lift)

    def tap_in(self, delay_ns: int) -> None:
        """A short press in a while."""
        self._mean_to_tap(delay_ns + 1)
        self._world.after(delay_ns, self.tap)

    def keep_down_in(self, delay_ns: int) -> None:
        """Press in a while, and keep the button down for long, or until `let_go`."""
        self._mean_to_tap(delay_ns + LONG_PRESS_NS)
        self._world.after(delay_ns, self._keep_down)
        self._world.after(delay_ns + LONG_PRESS_NS, self.let_go)

    def let_go(self) -> None:
        """Lift the finger if it keeps the button down."""
        if self._keeps_down:
            self._keeps_down = False
            self._busy_until_ns = self._world.now_ns
            self._lift()

    def hold(self, for_ns: int) -> Actions:
        """A long press, and a short wait after it."""
        self._world.press(self._seat)
        yield for_ns
        self._lift()
        yield PAUSE_NS

    def _mean_to_tap(self, for_ns: int) -> None:
        self._busy_until_ns = max(self._busy_until_ns, self._world.now_ns + for_ns)

    def _keep_down(self) -> None:
        self._keeps_down = True
        self._world.press(self._seat)

    def _lift(self) -> None:
        self._world.release(self._seat)


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


WAIT_NS = 200 * MS


class Crowd:
    """One person for each seat that plays; `arrive` lets them come."""

    def __init__(self, world: PlayersWorld, people: Sequence[Person]) -> None:
        self._world = world
        self.people = people
        self._hands_off = False

    def arrive(self) -> None:
        """Everybody starts to act."""
        for person in self.people:
            self._live(person.life())

    def make_room(self, seat: int) -> None:
        """Whoever sits there gets up for a visitor; its `aside` says when that is done."""
        self.at(seat).make_room()
        self._choose_leader()

    def sit_again(self, seat: int) -> None:
        """The visitor has gone; that person plays on."""
        self.at(seat).sit_again()
        self._choose_leader()

    def at(self, seat: int) -> Person:
        """Whose seat it is; KeyError if nobody plays there."""
        return {person.seat: person for person in self.people}[seat]

    def _choose_leader(self) -> None:
        """The first person without a visitor leads, if there is one."""
        free = [person for person in self.people if not person.has_visitor]
        leader = (free or self.people)[0]
        for person in self.people:
            person.leads = person is leader

    def hands_off(self) -> None:
        """Everybody takes their hands off the buttons and waits."""
        if not self._hands_off:
            self._hands_off = True
            for person in self.people:
                self._world.release(person.seat)

    def go_on(self) -> None:
        """Everybody goes on."""
        self._hands_off = False

    def _live(self, life: Actions) -> None:
        delay_ns = WAIT_NS if self._hands_off else next(life)
        self._world.after(delay_ns, lambda: self._live(life))
