"""One simulated person at one seat.

A person's life is a generator: it yields how long it takes until the next deed. People
look at the scoreboard and the lamps, think for a while, and move; by the time the hand
is there the place may be taken. They keep the rules that no table can see: they throw
all their dice or none, and they hold up the number of dice they really have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from firmware_host.durations import MS
from firmware_host.places import ALL_SLOTS, Slot
from firmware_host.players.dice import Dice, Die
from firmware_host.players.reading import Reader, Reading, Wish
from firmware_host.players.skill import Skill
from firmware_host.players.world import World

Delays = Iterator[int]

GLANCE_NS = 250 * MS  # between two looks when there is nothing to do
MIND_NS = 600 * MS  # after this long a placed die should have its owner
PEER_NS = 300 * MS  # long enough to see a flicker
NOTICE_NS = 200 * MS  # the table has answered to a die by then
LONG_LOOK_NS = 1100 * MS  # long enough to see any rhythm
LIFT_NS = 300 * MS  # taking a die and putting it back
CLEAR_NS = 220 * MS  # taking a die off the board into the bag
LONG_PRESS_NS = 1300 * MS
STUCK_PRESS_NS = 4000 * MS
WHITE, RED = 7, 4


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
        self._minding: dict[Slot, int] = {}
        self._put_ns = 0
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
        self._tap()
        self._done.add(Wish.SIT)
        yield GLANCE_NS

    def _go_on(self, reading: Reading) -> Delays:
        yield self._skill_time(2)
        self._stuck = True
        if self.seat == self._seats[0]:
            yield from self._long_press()
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
            self._tap()
            self._done.add(Wish.DEAL)

    # -- the leftover check

    def _stop(self, reading: Reading) -> Delays:
        """Hands off. What was put down too late is taken back: its lamp says so."""
        yield self._skill_time(1)
        yield LONG_LOOK_NS
        for slot in list(self._minding):
            if self._world.is_filled(slot) and RED in self._world.slot_light(slot, LONG_LOOK_NS):
                yield LIFT_NS
                self._lift(slot)
        self._minding.clear()
        self._done.add(Wish.STOP)

    def _check(self, reading: Reading) -> Delays:
        """Compare the dice in hand with what the table thinks."""
        if self._minding:
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
            self._tap()
        else:
            yield from self._long_press()
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
                yield from self._long_press()
            for _ in self.hand:
                self._tap()
                yield 400 * MS
        self._done.add(Wish.ENTER)

    def _confirm(self, reading: Reading) -> Delays:
        yield self._skill_time(3)
        if reading.seat != self.seat:
            self._tap()
        self._done.add(Wish.CONFIRM)

    # -- the round

    def _play(self, reading: Reading) -> Delays:
        self._dice.dealt = False
        if self._stuck:
            yield from self._call_stuck()
            return
        yield self.skill.throw.draw(self._chance)
        self._dice.throw(self.seat)
        while self._look().wish is Wish.PLAY:
            yield self.skill.reaction.draw(self._chance)
            yield from self._mind()
            target = self._choose()
            if target is None:
                break
            yield from self._place(*target)
        if self._happens(self.skill.wrong_rate):
            self._tap()

    def _call_stuck(self) -> Delays:
        """Nothing has fitted for minutes: everybody holds the button until the round is void."""
        self._world.press(self.seat)
        yield STUCK_PRESS_NS
        self._world.release(self.seat)
        self._stuck = False

    def _choose(self) -> tuple[Die, Slot] | None:
        """A die of the throw that goes onto the board now."""
        for die in self.hand:
            if die.face == self._dice.height(die.colour) + 1:
                return die, Slot(die.colour, die.face)
        return None

    def _place(self, die: Die, slot: Slot) -> Delays:
        """One hand takes the die there, the other slaps."""
        skill, chance = self.skill, self._chance
        if self._happens(skill.misplace_rate):
            slot = self._wrong_slot() or slot
        reach_ns = skill.reach.draw(chance)
        offset_ns = int(chance.gauss(skill.slap_offset_ns, skill.slap_spread_ns))
        if self._happens(skill.early_rate):
            offset_ns = -chance.randrange(reach_ns)
        if offset_ns < 0:
            self._world.after(max(0, reach_ns + offset_ns), self._tap)
        yield reach_ns
        if self._world.is_filled(slot) or slot in self._dice.board:
            if self._happens(skill.reflex_rate):
                self._world.after(max(0, offset_ns), self._tap)
            return
        if self._look().wish is not Wish.PLAY:
            return
        self._dice.put(self.seat, die, slot)
        self._world.fill(slot)
        self._minding[slot] = self._put_ns = self._world.now_ns
        if offset_ns >= 0:
            self._world.after(offset_ns, self._tap)
        if self._happens(skill.twice_rate):
            self._world.after(max(0, offset_ns) + 180 * MS, self._tap)
        if self._happens(skill.knock_rate):
            yield from self._knock()

    def _wrong_slot(self) -> Slot | None:
        free = [
            slot
            for slot in ALL_SLOTS
            if slot not in self._dice.board and slot.number != self._dice.height(slot.colour) + 1
        ]
        return self._chance.choice(free) if free else None

    def _knock(self) -> Delays:
        """The sleeve takes a die along; it is put back at once."""
        others = [slot for slot in self._dice.board if self._world.is_filled(slot)]
        slot = self._chance.choice(others)
        self._world.empty(slot)
        yield LIFT_NS + self.skill.reaction.draw(self._chance)
        if slot in self._dice.board:
            self._world.fill(slot)

    def _mind(self) -> Delays:
        """Look after the own dice: take back what is wrong, and slap for what is not counted yet."""
        for slot, since_ns in list(self._minding.items()):
            if self._world.now_ns - since_ns > LONG_LOOK_NS + NOTICE_NS:
                if RED in self._world.slot_light(slot, LONG_LOOK_NS) and self._world.is_filled(slot):
                    yield LIFT_NS
                    self._lift(slot)
                else:
                    del self._minding[slot]
        counts = self._look().counts
        settled = self._world.now_ns - self._put_ns > MIND_NS
        if settled and counts and counts[self._seats.index(self.seat)] > len(self.hand):
            yield from self._claim_again()

    def _claim_again(self) -> Delays:
        """The scoreboard counts more dice than the hand: a die somewhere still waits for a slap."""
        lying = list(self._dice.board)
        if any(WHITE in self._world.slot_light(slot, PEER_NS) for slot in lying):
            if RED not in self._world.panel_light(self.seat, PEER_NS):
                self._tap()
            return
        for slot in lying:
            if WHITE in self._world.slot_light(slot, LONG_LOOK_NS):
                yield from self._put_again(slot)
                return

    def _put_again(self, slot: Slot) -> Delays:
        """Nobody claimed it in time: lift it, put it down again and slap."""
        self._world.empty(slot)
        yield LIFT_NS
        if slot in self._dice.board:
            self._world.fill(slot)
            self._put_ns = self._world.now_ns
            self._world.after(100 * MS, self._tap)

    def _lift(self, slot: Slot) -> None:
        del self._minding[slot]
        self._world.empty(slot)
        self._dice.take_back(self.seat, slot)

    # -- fingers

    def _tap(self) -> None:
        self._world.press(self.seat)
        self._world.after(self.skill.tap.draw(self._chance), lambda: self._world.release(self.seat))

    def _long_press(self) -> Delays:
        self._world.press(self.seat)
        yield LONG_PRESS_NS
        self._world.release(self.seat)
        yield GLANCE_NS

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self._chance.random() < rate

    def _skill_time(self, reactions: int) -> int:
        return reactions * self.skill.reaction.draw(self._chance)
